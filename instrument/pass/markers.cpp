// SPDX-License-Identifier: GPL-3.0-or-later
#include "instrument/pass/markers.h"
#include "instrument/pass/callees.h"
#include "instrument/pass/filter.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/TargetParser/Triple.h"
#include <set>
using namespace llvm;

namespace scale
{

bool isSupportedTarget(const Module &M)
{
  Triple T(M.getTargetTriple());
  return T.isOSLinux() && T.isOSBinFormatELF() && T.isArch64Bit() && T.isLittleEndian() && (T.isX86() || T.isAArch64());
}

std::optional<uint64_t> markerId(const Instruction &I)
{
  auto *Call = dyn_cast<IntrinsicInst>(&I);
  if (!Call || Call->getIntrinsicID() != Intrinsic::var_annotation)
    return std::nullopt;
  for (unsigned Null : {0, 1, 2, 4})
    if (!isa<ConstantPointerNull>(Call->getArgOperand(Null)))
      return std::nullopt;
  auto *Id = dyn_cast<ConstantInt>(Call->getArgOperand(3));
  return Id ? std::optional<uint64_t>(Id->getZExtValue()) : std::nullopt;
}

namespace
{

/* ---- which functions ------------------------------------------------------------ */

/* Functions that run while the dynamic linker still relocates: resolvers of indirect functions and what they call. */
std::set<const Function *> earlyBirds(Module &M)
{
  std::set<const Function *> Found;
  std::vector<const Function *> Work;
  auto Visit = [&](const Function *F) {
    if (F && !F->isDeclaration() && Found.insert(F).second)
      Work.push_back(F);
  };
  for (GlobalIFunc &I : M.ifuncs())
    Visit(I.getResolverFunction());
  while (!Work.empty()) {
    const Function *F = Work.back();
    Work.pop_back();
    for (const Instruction &I : instructions(*F))
      if (auto *Call = dyn_cast<CallBase>(&I))
        Visit(Call->getCalledFunction());
  }
  return Found;
}

bool canBeContext(const Function &F)
{
  if (F.isDeclaration() || F.isIntrinsic() || F.hasFnAttribute(Attribute::Naked) ||
      F.hasFnAttribute(Attribute::NoProfile) || F.isPresplitCoroutine() || F.getName().starts_with("__scale_") ||
      F.getName().ends_with(".__scale") || F.getName() == "__clang_call_terminate" ||
      F.getName().contains(".__await_suspend_wrapper__"))
    return false;
  switch (F.getCallingConv()) {
  case CallingConv::C:
  case CallingConv::Fast:
  case CallingConv::Cold:
  case CallingConv::PreserveMost:
  case CallingConv::X86_64_SysV:
  case CallingConv::Win64:
  case CallingConv::X86_VectorCall:
  case CallingConv::X86_RegCall:
  case CallingConv::AArch64_VectorCall:
    return true;
  default:
    return false;
  }
}

/* ---- loops ------------------------------------------------------------------------ */

DebugLoc firstLocation(const BasicBlock *BB)
{
  for (const Instruction &I : *BB)
    if (I.getDebugLoc() && I.getDebugLoc().getLine())
      return I.getDebugLoc();
  return DebugLoc();
}

/* The branch on which the front end noted the loop statement: its back edge, or a `continue` whose way back leads
 * through the end of a scope. Null for a loop made of goto. */
const Instruction *notedBranch(const Loop *L, const LoopInfo &LI)
{
  for (const BasicBlock *BB : predecessors(L->getHeader()))
    if (L->contains(BB) && BB->getTerminator()->getMetadata(LLVMContext::MD_loop))
      return BB->getTerminator();
  for (const BasicBlock *BB : L->blocks())
    if (LI.getLoopFor(BB) == L && BB->getTerminator()->getMetadata(LLVMContext::MD_loop))
      return BB->getTerminator();
  return nullptr;
}

/* Where the loop statement begins; for a goto where its first instruction stands. */
DebugLoc loopLocation(const Loop *L, const LoopInfo &LI)
{
  if (const Instruction *Back = notedBranch(L, LI))
    for (const MDOperand &Op : drop_begin(Back->getMetadata(LLVMContext::MD_loop)->operands()))
      if (auto *Location = dyn_cast<DILocation>(Op))
        return DebugLoc(Location);
  DebugLoc First = firstLocation(L->getHeader());
  if (First)
    return First;
  for (const BasicBlock *BB : L->blocks()) // the block of a computed goto has no place of its own
    if (DebugLoc Location = firstLocation(BB))
      if (!First ||
          std::make_pair(Location.getLine(), Location.getCol()) < std::make_pair(First.getLine(), First.getCol()))
        First = Location;
  return First;
}

bool sameLine(const DebugLoc &A, const DebugLoc &B)
{
  return A && B && A.getLine() == B.getLine() && A.getCol() == B.getCol();
}

/* Whether leaving by this block means leaving the loop, if need be through the switch that ends a cleanup. */
bool leavesLoop(const Loop *L, const BasicBlock *BB)
{
  for (unsigned Steps = 0; Steps < 8 && L->contains(BB); Steps++) {
    const Instruction *End = BB->getTerminator();
    if (isa<SwitchInst>(End))
      return any_of(successors(BB), [&](const BasicBlock *S) { return !L->contains(S); });
    if (End->getNumSuccessors() != 1)
      return false;
    BB = End->getSuccessor(0);
  }
  return !L->contains(BB);
}

/*
 * The block whose executions are the iterations of the body. For `for` and
 * `while` it is the one behind the exit test, a conditional branch that carries
 * the location of the statement itself (in a range-based `for`: that of its
 * increment, on the back edge). `for (;;)`, `do` and loops made of goto have no
 * such branch: their header is the body.
 */
BasicBlock *bodyBlock(const Loop *L, const LoopInfo &LI, const DominatorTree &DT, const DebugLoc &Start)
{
  BasicBlock *Header = L->getHeader(), *Best = nullptr;
  const Instruction *Back = notedBranch(L, LI);
  if (!Back)
    return Header;
  for (BasicBlock *BB : L->blocks()) {
    auto *Br = dyn_cast<BranchInst>(BB->getTerminator());
    if (!Br || !Br->isConditional() || LI.getLoopFor(BB) != L || (Best && !DT.dominates(BB, Best)))
      continue;
    BasicBlock *Body = Br->getSuccessor(0), *Exit = Br->getSuccessor(1);
    if (Body == Header || Exit == Header || !L->contains(Body) || !leavesLoop(L, Exit))
      continue;
    if (sameLine(Br->getDebugLoc(), Start) ||
        (Body != Back->getParent() && sameLine(Br->getDebugLoc(), Back->getDebugLoc())))
      Best = BB;
  }
  return Best ? Best->getTerminator()->getSuccessor(0) : Header;
}

/* ---- the pass ---------------------------------------------------------------------- */

class FunctionMarker
{
public:
  FunctionMarker(Function &Fn, Table &T) : F(Fn), Rows(T), DT(Fn), LI(DT) {}

  void run()
  {
    describe();
    unsigned Row = Rows.add(Description);
    Table::tag(F, Row);
    scopeLoops();
    unsigned Id = Rows[Row].FirstMarker;
    DebugLoc Own;
    if (DISubprogram *S = F.getSubprogram())
      Own = DILocation::get(F.getContext(), S->getLine(), 0, S);
    for (auto &[Block, Location] : Places)
      place(&*Block->getFirstInsertionPt(), ++Id, Location ? Location : Own);
    BasicBlock &Entry = F.getEntryBlock();
    place(&*Entry.getFirstNonPHIOrDbgOrAlloca(), Rows[Row].FirstMarker, Own);
  }

private:
  void describe()
  {
    DISubprogram *S = F.getSubprogram();
    Description.Subprogram = S;
    Description.Name = linkageName(F);
    Description.File = S ? sourceFile(S) : F.getParent()->getSourceFileName();
    Description.Line = S ? S->getLine() : 0;
    Description.Local = F.hasLocalLinkage();
    std::map<std::pair<unsigned, unsigned>, unsigned> Seen;
    for (Loop *L : LI.getLoopsInPreorder()) {
      BasicBlock *Header = L->getHeader();
      if (Header->getFirstInsertionPt() == Header->end())
        continue;
      DebugLoc Start = loopLocation(L, LI);
      unsigned Line = Start ? Start.getLine() : 0, Column = Start ? Start.getCol() : 0;
      Ordinals[L] = Description.Loops.size() + 1;
      Description.Loops.push_back({Line, Column, Seen[{Line, Column}]++, ordinal(L->getParentLoop())});
      BasicBlock *Body = bodyBlock(L, LI, DT, Start);
      if (Body->getFirstInsertionPt() == Body->end())
        Body = Header;
      DebugLoc At = S && Start ? DebugLoc(DILocation::get(F.getContext(), Line, Column, S)) : DebugLoc();
      Places.push_back({Body, At});
    }
  }

  unsigned ordinal(const Loop *L) const
  {
    auto It = Ordinals.find(L);
    return It == Ordinals.end() ? 0 : It->second;
  }

  /* The scope of a location in loop Ordinal (0: in none); discriminators for sampled profiles give way. */
  DILocalScope *scopeIn(DILocalScope *Scope, unsigned Ordinal)
  {
    DILocalScope *&Wrapped = Scopes[{Scope, Ordinal}];
    if (!Wrapped) {
      DILocalScope *Base = Scope;
      while (auto *File = dyn_cast<DILexicalBlockFile>(Base)) {
        if (!File->getDiscriminator())
          break;
        Base = File->getScope();
      }
      Wrapped = Ordinal ? DILexicalBlockFile::get(F.getContext(), Base, Base->getFile(), Ordinal) : Base;
    }
    return Wrapped;
  }

  void scopeLoops()
  {
    if (!F.getSubprogram())
      return;
    for (BasicBlock &BB : F) {
      unsigned Ordinal = ordinal(LI.getLoopFor(&BB));
      for (Instruction &I : BB) {
        const DebugLoc &Old = I.getDebugLoc();
        if (!Old || isa<DbgInfoIntrinsic>(I))
          continue;
        auto *Scope = cast<DILocalScope>(Old.getScope());
        DILocalScope *New = scopeIn(Scope, Ordinal);
        if (New != Scope)
          I.setDebugLoc(DILocation::get(F.getContext(), Old.getLine(), Old.getCol(), New, Old.getInlinedAt(),
                                        Old.isImplicitCode()));
      }
    }
  }

  void place(Instruction *Before, unsigned Id, const DebugLoc &Location)
  {
    IRBuilder<> B(Before);
    PointerType *Pointer = B.getPtrTy();
    Value *Null = ConstantPointerNull::get(Pointer);
    Function *Marker = Intrinsic::getDeclaration(F.getParent(), Intrinsic::var_annotation, {Pointer, Pointer});
    CallInst *Call = B.CreateCall(Marker, {Null, Null, Null, B.getInt32(Id), Null});
    // Merged, two markers would lose the inline chain that tells their contexts apart.
    Call->addFnAttr(Attribute::NoMerge);
    Call->setDebugLoc(Location);
  }

  Function &F;
  Table &Rows;
  DominatorTree DT;
  LoopInfo LI;
  FunctionRow Description;
  std::map<const Loop *, unsigned> Ordinals;
  std::map<std::pair<DILocalScope *, unsigned>, DILocalScope *> Scopes;
  std::vector<std::pair<BasicBlock *, DebugLoc>> Places;
};

/* What would let the optimiser merge or drop calls that stand in the source. */
void forgetPurity(Function &F)
{
  F.removeFnAttr(Attribute::Memory);
  F.removeFnAttr(Attribute::NoSync);
  F.removeFnAttr(Attribute::Speculatable);
}

void forgetPurity(CallBase &Call)
{
  Call.removeFnAttr(Attribute::Memory);
  Call.removeFnAttr(Attribute::NoSync);
  Call.removeFnAttr(Attribute::Speculatable);
}

} // namespace

PreservedAnalyses EarlyPass::run(Module &M, ModuleAnalysisManager &AM)
{
  if (!isSupportedTarget(M) || M.getNamedMetadata("scale.functions"))
    return PreservedAnalyses::all();
  auto &FAM = AM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  Filter Chosen = Filter::fromEnvironment();
  std::set<const Function *> Skip = earlyBirds(M);
  Table Rows;
  for (Function &F : M)
    if (canBeContext(F) && !Skip.count(&F) && Chosen.selects(linkageName(F), sourceFile(F.getSubprogram())))
      FunctionMarker(F, Rows).run();
  if (!Rows.size())
    return PreservedAnalyses::all();

  std::set<Function *> Library;
  for (Function &F : M) {
    if (F.isDeclaration() ? isLibraryFunction(F, FAM.getResult<TargetLibraryAnalysis>(F)) : false)
      Library.insert(&F);
    else
      forgetPurity(F);
  }
  for (Function &F : M) {
    bool Excluded = !F.isDeclaration() && !Rows.rowOf(F);
    for (Instruction &I : instructions(F)) {
      auto *Call = dyn_cast<CallBase>(&I);
      if (!Call || Call->isInlineAsm())
        continue;
      Function *Callee = Call->getCalledFunction();
      if (!Callee || !Library.count(Callee))
        forgetPurity(*Call);
      // Inlined into a function that is no context, a context would have no counters.
      if (Excluded && Callee && Rows.rowOf(*Callee)) {
        Call->removeFnAttr(Attribute::AlwaysInline);
        Call->addFnAttr(Attribute::NoInline);
      }
    }
  }
  Rows.write(M);
  return PreservedAnalyses::none();
}

} // namespace scale
