// SPDX-License-Identifier: GPL-3.0-or-later
#include "instrument/pass/uncounted.h"
#include "instrument/pass/sites.h"
#include "instrument/pass/unit.h"
#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"
using namespace llvm;

namespace scale
{

/* Line 0: the row's own. */
static void addRow(Module &M, FunctionRow Row, StringRef What, unsigned Line)
{
  EventSite Site;
  Site.Class = SCALE_CLASS_OTHER;
  Site.Event = SCALE_EVENT_UNCOUNTED;
  Site.Via = What.str();
  Site.Line = Line ? Line : Row.Line;
  Table Rows;
  SiteTable Sites(Rows, Rows.add(std::move(Row)), /*Recursive=*/false);
  Sites.addEvent(std::move(Site));
  const std::vector<uint8_t> Text = functionRecord(Sites.tables(sizeof(scale_node)));
  Constant *Bytes = ConstantDataArray::get(M.getContext(), Text);
  auto *Record = new GlobalVariable(M, Bytes->getType(), true, GlobalValue::PrivateLinkage, Bytes, "__scale_uncounted");
  Record->setSection("scale_uncounted"); // a name that the linker marks start and end of
  Record->setAlignment(Align(8));
  appendToUsed(M, {Record}); // --gc-sections would remove what no code refers to
}

static void addRecord(Function &F, StringRef What, unsigned Line)
{
  DISubprogram *S = F.getSubprogram();
  FunctionRow Row;
  Row.Subprogram = S;
  Row.Name = linkageName(F);
  Row.File = S ? sourceFile(S) : F.getParent()->getSourceFileName();
  Row.Line = S ? S->getLine() : 0;
  Row.Local = F.hasLocalLinkage();
  addRow(*F.getParent(), std::move(Row), What, Line);
}

void nameUncounted(Function &F, StringRef What) { addRecord(F, What, 0); }

/* The first line that the blocks stand on. */
static unsigned firstLine(const Cycle &C)
{
  unsigned Line = 0;
  for (const BasicBlock *BB : C.blocks())
    for (const Instruction &I : *BB)
      if (const DILocation *At = I.getDebugLoc(); At && At->getLine() && (!Line || At->getLine() < Line))
        Line = At->getLine();
  return Line;
}

using Blocks = df_iterator_default_set<const BasicBlock *>;

/* Whether control comes in at more than one block. What stands behind a call that does not return (an assertion in an
 * expression) is no way in, though LLVM takes it for one. */
static bool hasSeveralEntries(const Cycle &C, const Blocks &Reached)
{
  return count_if(C.entries(), [&](const BasicBlock *Entry) {
           return any_of(predecessors(Entry),
                         [&](const BasicBlock *From) { return Reached.contains(From) && !C.contains(From); });
         }) > 1;
}

void nameUncountedLoops(Function &F)
{
  CycleInfo Cycles;
  Cycles.compute(F);
  Blocks Reached;
  for (const BasicBlock *BB : depth_first_ext(&std::as_const(F), Reached))
    (void)BB;
  for (const Cycle *Top : Cycles.toplevel_cycles())
    for (const Cycle *C : depth_first(Top))
      if (hasSeveralEntries(*C, Reached))
        addRecord(F, "loop with several entries", firstLine(*C));
}

namespace
{

/*
 * Where the address of a function goes to somebody who may call it: an argument, memory, a table. Comparing it says
 * nothing, nor does a local variable that is only compared, nor what the optimiser has made a call by name of.
 */
class AddressUses
{
public:
  AddressUses(const Function &F, const Table &Rows) : F(F), Rows(Rows) {}

  /* Whether there is such a place: File and Line are then where it stands in the source. */
  bool find() { return any_of(F.uses(), [&](const Use &U) { return !isCall(U) && goesOut(U); }); }

  std::string File;
  unsigned Line = 0;

private:
  static bool isCall(const Use &U)
  {
    auto *Call = dyn_cast<CallBase>(U.getUser());
    return Call && Call->isCallee(&U);
  }

  bool follow(const Value &V)
  {
    return Seen.insert(&V).second && any_of(V.uses(), [&](const Use &U) { return goesOut(U); });
  }

  /* What stands in code that is left out is no news. */
  bool isAt(const Instruction &I)
  {
    if (!Rows.rowOf(*I.getFunction()))
      return false;
    const DILocation *At = I.getDebugLoc();
    while (At && At->getInlinedAt())
      At = At->getInlinedAt();
    const DISubprogram *S = I.getFunction()->getSubprogram();
    File = At ? sourceFile(At->getScope()) : S ? sourceFile(S) : F.getParent()->getSourceFileName();
    Line = At ? At->getLine() : S ? S->getLine() : 0;
    return true;
  }

  bool isAt(const GlobalVariable &G)
  {
    SmallVector<DIGlobalVariableExpression *, 1> Described;
    G.getDebugInfo(Described);
    const DIGlobalVariable *Variable = Described.empty() ? nullptr : Described.front()->getVariable();
    File = Variable ? sourceFile(Variable->getFile()) : F.getParent()->getSourceFileName();
    Line = Variable ? Variable->getLine() : 0;
    return true;
  }

  /* A variable of the function that nobody else sees: what is read from it goes on. */
  bool goesThrough(const AllocaInst &Variable, const StoreInst &Store)
  {
    bool Hidden = all_of(Variable.users(), [&](const User *U) {
      auto *Into = dyn_cast<StoreInst>(U);
      return isa<LoadInst>(U) || (Into && Into->getPointerOperand() == &Variable) || isa<IntrinsicInst>(U);
    });
    return Hidden ? any_of(Variable.users(), [&](const User *U) { return isa<LoadInst>(U) && follow(*U); })
                  : isAt(Store);
  }

  bool isUsed(const GlobalVariable &G)
  {
    return !G.getName().starts_with("llvm.") && !G.hasAvailableExternallyLinkage() &&
           !(G.isDiscardableIfUnused() && G.use_empty()) && isAt(G);
  }

  bool goesOut(const Use &U)
  {
    const User *By = U.getUser();
    if (auto *Call = dyn_cast<CallBase>(By))
      return !isa<IntrinsicInst>(Call) && isAt(*Call);
    if (auto *Store = dyn_cast<StoreInst>(By)) {
      auto *Variable = dyn_cast<AllocaInst>(Store->getPointerOperand());
      return Store->getValueOperand() == U.get() && (Variable ? goesThrough(*Variable, *Store) : isAt(*Store));
    }
    if (isa<ReturnInst, InsertValueInst, InsertElementInst, AtomicCmpXchgInst, AtomicRMWInst>(By))
      return isAt(*cast<Instruction>(By));
    if (auto *Variable = dyn_cast<GlobalVariable>(By))
      return isUsed(*Variable);
    return (isa<CastInst, PHINode, SelectInst, FreezeInst>(By) || isa<ConstantExpr, ConstantAggregate>(By)) &&
           follow(*By);
  }

  const Function &F;
  const Table &Rows;
  SmallPtrSet<const Value *, 16> Seen;
};

} // namespace

void nameUncountedWork(Module &M, const Table &Rows, const KnownWork &Work)
{
  for (Function &F : M) {
    const WorkSpec *Spec = F.isDeclaration() && !F.isIntrinsic() ? Work.named(linkageName(F)) : nullptr;
    AddressUses Uses(F, Rows);
    if (!Spec || Spec->Probe || !Uses.find())
      continue;
    FunctionRow Row;
    Row.Name = plainName(*Spec).str();
    Row.File = Uses.File;
    Row.Line = Uses.Line;
    addRow(M, std::move(Row), "calls through pointers of", Uses.Line);
  }
}

} // namespace scale
