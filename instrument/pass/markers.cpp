// SPDX-License-Identifier: GPL-3.0-or-later
#include "instrument/pass/markers.h"
#include "instrument/pass/callees.h"
#include "instrument/pass/counted_locks.h"
#include "instrument/pass/event_names.h"
#include "instrument/pass/filter.h"
#include "instrument/pass/loops.h"
#include "instrument/pass/runtime.h"
#include "instrument/pass/spin_locks.h"
#include "instrument/pass/tokens.h"
#include "instrument/pass/uncounted.h"
#include "instrument/pass/unit_pools.h"
#include "instrument/pass/work_spec.h"
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

bool isInstrumented(const Module &M)
{
  return any_of(M.globals(), [](const GlobalVariable &G) { return G.getName().starts_with(Runtime::ModulePrefix); });
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

/* What libc's start code calls in a static executable before there is thread-local storage. A program that brings its
 * own would crash there if they looked for their slot. */
bool isCalledByStartCode(const Function &F)
{
  static const std::set<StringRef> Names = {"memcpy", "mempcpy", "memmove", "memset",  "memcmp", "bcmp",    "memchr",
                                            "strlen", "strnlen", "strchr",  "strrchr", "strcmp", "strncmp", "strcpy"};
  return !F.hasLocalLinkage() && Names.count(linkageName(F));
}

/* Functions that run before counting is possible, and what each is: those, resolvers of indirect functions, and what
 * they call. */
std::map<const Function *, const char *> earlyBirds(Module &M)
{
  std::map<const Function *, const char *> Found;
  std::vector<const Function *> Work;
  auto Visit = [&](const Function *F, const char *What) {
    if (F && !F->isDeclaration() && Found.emplace(F, What).second)
      Work.push_back(F);
  };
  for (GlobalIFunc &I : M.ifuncs())
    Visit(I.getResolverFunction(), "ifunc resolver");
  for (const Function &F : M)
    if (isCalledByStartCode(F))
      Visit(&F, "replacement of libc's");
  while (!Work.empty()) {
    const Function *F = Work.back();
    Work.pop_back();
    for (const Instruction &I : instructions(*F))
      if (auto *Call = dyn_cast<CallBase>(&I))
        Visit(Call->getCalledFunction(), "function called before the start");
  }
  return Found;
}

/* Not the compiler's own. */
bool isProgramCode(const Function &F)
{
  return !F.isDeclaration() && !F.isIntrinsic() && !F.getName().starts_with("__scale_") &&
         !F.getName().ends_with(".__scale") && F.getName() != "__clang_call_terminate" &&
         !F.getName().contains(".__await_suspend_wrapper__");
}

/* What F is that nobody can count its calls; null: nothing of the kind. */
const char *whyNoContext(const Function &F)
{
  if (F.hasFnAttribute(Attribute::Naked))
    return "naked function";
  if (F.hasFnAttribute(Attribute::NoProfile))
    return "no_profile_instrument_function";
  switch (F.getCallingConv()) {
  case CallingConv::C:
  case CallingConv::Fast:
  case CallingConv::Cold:
  case CallingConv::PreserveMost:
  case CallingConv::PreserveAll:
  case CallingConv::PreserveNone:
  case CallingConv::Swift:
  case CallingConv::SwiftTail:
  case CallingConv::X86_64_SysV:
  case CallingConv::Win64:
  case CallingConv::X86_VectorCall:
  case CallingConv::X86_RegCall:
  case CallingConv::AArch64_VectorCall:
  case CallingConv::AArch64_SVE_VectorCall:
    return nullptr;
  case CallingConv::X86_INTR:
    return "interrupt handler";
  default:
    return "function of an unsupported calling convention";
  }
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
  /* A loop statement and the text it covers. */
  struct Statement {
    Loop *L;
    DebugLoc Start, End;
    BasicBlock *Body;
  };

  void describe()
  {
    DISubprogram *S = F.getSubprogram();
    Description.Subprogram = S;
    // Inline definitions of what clang knows by itself (strcat with _FORTIFY_SOURCE) bear this besides.
    Description.Name = StringRef(linkageName(F)).rsplit(".inline").first.str();
    Description.File = S ? sourceFile(S) : F.getParent()->getSourceFileName();
    Description.Line = S ? S->getLine() : 0;
    Description.Local = F.hasLocalLinkage();
    for (Loop *L : LI.getLoopsInPreorder()) {
      if (L->getHeader()->getFirstInsertionPt() == L->getHeader()->end())
        continue;
      LoopText Text = describeLoop(L, LI, DT);
      if (Text.Body->getFirstInsertionPt() == Text.Body->end())
        Text.Body = L->getHeader();
      Statements.push_back({L, Text.Start, Text.End, Text.Body});
      Ordinals[L] = Statements.size();
    }
    std::map<std::pair<unsigned, unsigned>, unsigned> Seen;
    for (Statement &Each : Statements) {
      unsigned Line = Each.Start ? Each.Start.getLine() : 0, Column = Each.Start ? Each.Start.getCol() : 0;
      Description.Loops.push_back({Line, Column, Seen[{Line, Column}]++, around(Each)});
      DebugLoc At = S && Each.Start ? DebugLoc(DILocation::get(F.getContext(), Line, Column, S)) : DebugLoc();
      Places.push_back({Each.Body, At});
    }
    breakCycles();
  }

  unsigned ordinal(const Loop *L) const
  {
    auto It = Ordinals.find(L);
    return It == Ordinals.end() ? 0 : It->second;
  }

  /*
   * The innermost loop statement that code at Location in BB belongs to. Code of a loop's body that leaves the loop
   * (`if (...) return f();`) is in no cycle, but it is written in the loop.
   */
  unsigned innermost(const BasicBlock *BB, const DebugLoc &Location, unsigned Best) const
  {
    for (unsigned I = 0; I < Statements.size(); I++) {
      const Statement &S = Statements[I];
      if (!Location || !S.End || I + 1 == Best || position(Location) <= position(S.Start) ||
          position(Location) > position(S.End) || Location->getFile() != S.Start->getFile() ||
          !DT.dominates(S.Body, BB))
        continue;
      const Statement *Now = Best ? &Statements[Best - 1] : nullptr;
      if (!Now || (Now->End && position(Now->Start) < position(S.Start) && position(S.Start) <= position(Now->End)))
        Best = I + 1;
    }
    return Best;
  }

  unsigned around(const Statement &S) const
  {
    unsigned Parent = innermost(S.L->getHeader(), S.Start, ordinal(S.L->getParentLoop()));
    return Parent && S.L->contains(Statements[Parent - 1].L) ? ordinal(S.L->getParentLoop()) : Parent;
  }

  /* Strange code may make the text contradict the control flow, which then decides. */
  void breakCycles()
  {
    for (LoopRow &L : Description.Loops) {
      unsigned Steps = 0;
      for (unsigned O = L.Parent; O && Steps <= Description.Loops.size(); O = Description.Loops[O - 1].Parent)
        Steps++;
      if (Steps <= Description.Loops.size())
        continue;
      for (unsigned I = 0; I < Statements.size(); I++)
        Description.Loops[I].Parent = ordinal(Statements[I].L->getParentLoop());
      return;
    }
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
      unsigned InCycle = ordinal(LI.getLoopFor(&BB));
      for (Instruction &I : BB) {
        const DebugLoc &Old = I.getDebugLoc();
        if (!Old || isa<DbgInfoIntrinsic>(I))
          continue;
        auto *Scope = cast<DILocalScope>(Old.getScope());
        DILocalScope *New = scopeIn(Scope, innermost(&BB, Old, InCycle));
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
  std::vector<Statement> Statements;
  std::map<const Loop *, unsigned> Ordinals;
  std::map<std::pair<DILocalScope *, unsigned>, DILocalScope *> Scopes;
  std::vector<std::pair<BasicBlock *, DebugLoc>> Places;
};

/* Keeps the optimiser from merging, dropping or misplacing calls of anything that may be a context or call one. */
void keepCalls(Function &F, const Table &Rows, const std::set<Function *> &Library)
{
  bool Excluded = !F.isDeclaration() && !Rows.rowOf(F);
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallBase>(&I);
    if (!Call || Call->isInlineAsm() || isa<IntrinsicInst>(Call))
      continue;
    Function *Callee = Call->getCalledFunction();
    if (Callee && Library.count(Callee))
      continue;
    forgetEffects(*Call);
    // Two calls made one would stand in neither's context.
    Call->addFnAttr(Attribute::NoMerge);
    // Inlined into a function that is no context, a context would have no counters.
    if (Excluded && Callee && Rows.rowOf(*Callee)) {
      Call->removeFnAttr(Attribute::AlwaysInline);
      Call->addFnAttr(Attribute::NoInline);
    }
  }
}

/* Every function becomes a context, or is named as none. Of what a filter leaves out the user knows; of code that
 * stands in another object, that one tells. */
void markFunctions(Module &M, const Filter &Chosen, Table &Rows)
{
  std::map<const Function *, const char *> Skip = earlyBirds(M);
  std::vector<std::pair<Function *, const char *>> Left;
  for (Function &F : M) {
    if (!isProgramCode(F) || !Chosen.selects(linkageName(F), sourceFile(F.getSubprogram())))
      continue;
    const char *Why = whyNoContext(F);
    auto Early = Skip.find(&F);
    if (!Why && Early != Skip.end())
      Why = Early->second;
    if (!Why) {
      nameUncountedLoops(F);
      FunctionMarker(F, Rows).run();
    } else if (!F.hasAvailableExternallyLinkage())
      Left.push_back({&F, Why});
  }
  for (auto &[F, Why] : Left)
    nameUncounted(*F, Why);
}

} // namespace

PreservedAnalyses EarlyPass::run(Module &M, ModuleAnalysisManager &AM)
{
  if (!isSupportedTarget(M) || M.getNamedMetadata("scale.functions") || isInstrumented(M))
    return PreservedAnalyses::all();
  auto Known = KnownEvents::fromEnvironment(M.getContext());
  auto Work = Known ? KnownWork::fromEnvironment(M.getContext()) : std::nullopt;
  if (!Work)
    return PreservedAnalyses::all();
  auto &FAM = AM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  noteTokens(M); /* also of a unit that is a table and nothing else */
  Filter Chosen = Filter::fromEnvironment();
  Table Rows;
  markFunctions(M, Chosen, Rows);
  if (!Rows.size())
    return PreservedAnalyses::all();

  std::set<Function *> Library;
  for (Function &F : M) {
    if (F.isDeclaration() && isLibraryFunction(F, FAM.getResult<TargetLibraryAnalysis>(F)))
      Library.insert(&F);
    else
      forgetEffects(F);
  }
  for (Function &F : M)
    keepCalls(F, Rows, Library);
  Work->note(M);
  Work->fixed().keep(M, Rows);
  markSpinLocks(M, Rows, FAM);
  markUnitPools(M, Rows);
  markCountedLocks(M, Rows); /* adds to loops that wait what the other one would not understand */
  prepareEvents(M, Rows, *Known, *Work);
  Rows.write(M);
  return PreservedAnalyses::none();
}

} // namespace scale
