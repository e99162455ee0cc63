// SPDX-License-Identifier: GPL-3.0-or-later
#include "instrument/pass/unit_looks.h"
#include "instrument/pass/atomic_uses.h"
#include "instrument/pass/condition_calls.h"
#include "instrument/pass/place.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include <map>
#include <set>
using namespace llvm;

namespace scale
{

std::string memoryAt(const Value *P)
{
  Place At = placeOf(P);
  auto Found = At.Root == Place::Unknown ? std::nullopt : partOf(At);
  auto Name = At.Root == Place::Object ? nameOf(At) : std::nullopt;
  std::string Whole = Found && Found->InField ? Found->Field.Name : Name ? Name->Name : "";
  while (!Whole.empty() && Whole.back() == ']')
    Whole.erase(Whole.rfind('['));
  return Whole.substr(Whole.find_last_of(".:") + 1);
}

namespace
{

/* Functions within functions, and computations of one condition: what needs more is not followed. */
constexpr unsigned MostCalls = 5, MostSteps = 64;

/* ---- memory -------------------------------------------------------------------------------- */

bool isOnStack(const Value *P) { return isa<AllocaInst>(getUnderlyingObject(P)); }

/* What a call in code that is not seen could read or change. */
bool handsOver(const CallBase &Call)
{
  return any_of(Call.args(), [](const Use &Each) {
    const Value *P = Each->getType()->isPointerTy() ? getUnderlyingObject(Each) : nullptr;
    auto *Global = dyn_cast_or_null<GlobalVariable>(P);
    return P && !isa<AllocaInst>(P) && !isa<ConstantPointerNull>(P) && !isa<Function>(P) &&
           !(Global && Global->isConstant());
  });
}

/* The program's own function that is called; null: one of a library, or not known. */
const Function *ownCallee(const CallBase &Call)
{
  const Function *F = Call.getCalledFunction();
  return F && !F->isDeclaration() && !isLibraryCode(*F) ? F : nullptr;
}

/* ---- what is looked at ------------------------------------------------------------------------- */

/* What threads do if a value is true. */
enum Side { Either, Stay, Go };
Side opposite(Side S) { return S == Either ? Either : S == Stay ? Go : Stay; }

class Looks
{
public:
  /* Threads wait while a number is low, or high. */
  enum : unsigned { Low = 1, High = 2, Otherwise = 4 };
  std::map<std::string, unsigned> Memory;
  bool Hidden = false; /* something else decides, too */

  void ofLoop(const Loop &L)
  {
    for (const BasicBlock *BB : L.blocks()) {
      const Instruction *End = BB->getTerminator();
      bool Stays = all_of(successors(End), [&](const BasicBlock *To) { return L.contains(To); });
      auto WaitsAt = [&](const BasicBlock &To) { return L.contains(&To) && (!Stays || leadsToWait(*BB, To, L)); };
      ofBranch(*BB, WaitsAt(*End->getSuccessor(0)) ? Stay : Go, WaitsAt);
    }
  }

  /* The branches that lead to the wait, or around it. */
  void ofIf(const BasicBlock &Wait, const BasicBlock &Around, const DominatorTree &DT)
  {
    for (auto *Node = DT.getNode(&Wait)->getIDom(); Node; Node = Node->getIDom()) {
      const Instruction *End = Node->getBlock()->getTerminator();
      if (End->getNumSuccessors() != 2 || !is_contained(successors(End), &Around))
        break;
      ofBranch(*Node->getBlock(), End->getSuccessor(0) == &Around ? Go : Stay,
               [&](const BasicBlock &To) { return &To != &Around; });
    }
  }

  /* The predicate of a call that waits for one: what the library's function calls of the program's own. */
  void ofPredicate(const CallBase &Call, unsigned Depth = 0)
  {
    const Function *F = Call.getCalledFunction();
    if (!F || F->isDeclaration() || Depth > MostCalls) {
      Hidden = true;
      return;
    }
    for (const Instruction &I : instructions(F)) {
      auto *Inner = dyn_cast<CallBase>(&I);
      if (Inner && ownCallee(*Inner))
        ofFunction(*ownCallee(*Inner), Go, Depth);
      else if (Inner && Inner->getCalledFunction() && !Inner->getCalledFunction()->isDeclaration())
        ofPredicate(*Inner, Depth + 1);
    }
  }

private:
  /* Where a block goes on to if it was entered from Before; null: it depends on something else. */
  static const BasicBlock *nextOf(const BasicBlock &BB, const BasicBlock &Before)
  {
    auto *Branch = dyn_cast<BranchInst>(BB.getTerminator());
    auto *Phi = Branch && Branch->isConditional() ? dyn_cast<PHINode>(Branch->getCondition()) : nullptr;
    if (!Phi || Phi->getParent() != &BB)
      return BB.getUniqueSuccessor();
    auto *Known = dyn_cast<ConstantInt>(Phi->getIncomingValueForBlock(&Before));
    return Known ? Branch->getSuccessor(Known->isZero()) : nullptr;
  }

  /* Of two ways on in a loop, as `a || b` has them, whether this one asks nothing else before the wait. */
  static bool leadsToWait(const BasicBlock &From, const BasicBlock &To, const Loop &L)
  {
    SmallPtrSet<const BasicBlock *, 8> Seen;
    const BasicBlock *Before = &From;
    for (const BasicBlock *BB = &To; BB && L.contains(BB) && Seen.insert(BB).second;) {
      if (any_of(*BB, isWaitItself))
        return true;
      const BasicBlock *Next = nextOf(*BB, *Before);
      Before = BB;
      BB = Next;
    }
    return false;
  }

  template <class Waits> void ofBranch(const BasicBlock &BB, Side IfTrue, Waits &&WaitsAt)
  {
    const Instruction *End = BB.getTerminator();
    if (auto *Switch = dyn_cast<SwitchInst>(End))
      of(Switch->getCondition(), Either, 0);
    auto *Branch = dyn_cast<BranchInst>(End);
    if (!Branch || !Branch->isConditional())
      return;
    bool Differs = WaitsAt(*Branch->getSuccessor(0)) != WaitsAt(*Branch->getSuccessor(1));
    of(Branch->getCondition(), Differs ? IfTrue : Either, 0);
  }

  void ofFunction(const Function &F, Side IfTrue, unsigned Depth)
  {
    if (Depth > MostCalls) {
      Hidden = true;
      return;
    }
    for (const BasicBlock &BB : F) {
      const Instruction *End = BB.getTerminator();
      if (auto *Return = dyn_cast<ReturnInst>(End); Return && Return->getReturnValue())
        of(Return->getReturnValue(), IfTrue, Depth);
      if (auto *Branch = dyn_cast<BranchInst>(End); Branch && Branch->isConditional())
        of(Branch->getCondition(), Either, Depth);
      if (auto *Switch = dyn_cast<SwitchInst>(End))
        of(Switch->getCondition(), Either, Depth);
    }
  }

  void of(const Value *V, Side IfTrue, unsigned Depth)
  {
    auto *I = dyn_cast<Instruction>(V);
    if (!I || !Seen.insert(I).second)
      return;
    if (Seen.size() > MostSteps)
      Hidden = true;
    else if (auto *Load = dyn_cast<LoadInst>(I))
      ofMemory(*Load, IfTrue, Depth);
    else if (auto *Call = dyn_cast<CallBase>(I))
      ofCall(*Call, IfTrue, Depth);
    else if (auto *Compare = dyn_cast<ICmpInst>(I))
      ofComparison(*Compare, IfTrue, Depth);
    else {
      bool Negates = I->getOpcode() == Instruction::Xor && I->getType()->isIntegerTy(1);
      for (const Value *Each : I->operands())
        of(Each, Negates ? opposite(IfTrue) : IfTrue, Depth);
    }
  }

  void ofMemory(const LoadInst &Load, Side IfTrue, unsigned Depth)
  {
    const Value *P = Load.getPointerOperand();
    std::string Name = isOnStack(P) ? "" : memoryAt(P);
    if (!Name.empty())
      Memory[Name] |= 0;
    else if (auto *Variable = dyn_cast<AllocaInst>(P))
      ofVariable(*Variable, IfTrue, Depth);
    else
      Hidden = true;
  }

  /* All that it is ever set to; others may set one that is handed over. */
  void ofVariable(const AllocaInst &Variable, Side IfTrue, unsigned Depth)
  {
    for (const User *U : Variable.users()) {
      auto *Store = dyn_cast<StoreInst>(U);
      auto *Call = dyn_cast<CallBase>(U);
      if (Store && Store->getPointerOperand() == &Variable)
        of(Store->getValueOperand(), IfTrue, Depth);
      else if (Store || (Call && !isa<IntrinsicInst>(Call)))
        Hidden = true;
    }
  }

  void ofCall(const CallBase &Call, Side IfTrue, unsigned Depth)
  {
    if (isWaitItself(Call)) /* the time is over */
      return;
    if (const Function *F = ownCallee(Call))
      ofFunction(*F, IfTrue, Depth + 1);
    else if (!isa<IntrinsicInst>(Call) && (!Call.getCalledFunction() || handsOver(Call)))
      Hidden = true;
    for (const Value *Each : Call.args())
      if (!Each->getType()->isPointerTy())
        of(Each, Either, Depth);
  }

  static const LoadInst *numberIn(const Value *V)
  {
    while (isa<CastInst>(V))
      V = cast<CastInst>(V)->getOperand(0);
    auto *Load = dyn_cast<LoadInst>(V);
    return Load && !isOnStack(Load->getPointerOperand()) ? Load : nullptr;
  }

  void ofComparison(const ICmpInst &Compare, Side IfTrue, unsigned Depth)
  {
    auto Waiting = IfTrue == Go ? Compare.getInversePredicate() : Compare.getPredicate();
    for (unsigned K = 0; K < 2; K++) {
      auto How = K ? CmpInst::getSwappedPredicate(Waiting) : Waiting;
      bool Less = ICmpInst::isLT(How) || ICmpInst::isLE(How), More = ICmpInst::isGT(How) || ICmpInst::isGE(How);
      const LoadInst *Number = numberIn(Compare.getOperand(K));
      std::string Name = Number ? memoryAt(Number->getPointerOperand()) : "";
      if (!Name.empty())
        Memory[Name] |= IfTrue == Either ? Otherwise : Less ? Low : More ? High : Otherwise;
      of(Compare.getOperand(K), Either, Depth);
    }
  }

  std::set<const Instruction *> Seen;
};

/* ---- what is changed --------------------------------------------------------------------------- */

class Changes
{
public:
  Changes(const Looks &At, function_ref<bool(const Instruction &)> Unlocks) : At(At), Unlocks(Unlocks) {}

  std::set<std::string> Names; /* of all that is changed there */

  /* Whether something that was looked at may be changed from there on until the critical section ends; also if it
   * doesn't in this function. */
  bool after(const BasicBlock &From, BasicBlock::const_iterator First)
  {
    SmallVector<const BasicBlock *, 16> Work;
    bool Any = inBlock(From, First, Work);
    while (!Work.empty()) {
      const BasicBlock *BB = Work.pop_back_val();
      Any |= inBlock(*BB, BB->begin(), Work);
    }
    return Any;
  }

  /* Whether it is on all ways to a block, in code that is seen: a ticket is taken before its turn is waited for. */
  bool before(const BasicBlock &To, const DominatorTree &DT) const
  {
    return any_of(*To.getParent(), [&](const BasicBlock &BB) {
      return &BB != &To && DT.dominates(&BB, &To) && any_of(BB, [&](const Instruction &I) {
        auto *Call = dyn_cast<CallBase>(&I);
        return (!Call || ownCallee(*Call)) && isChange(I, 0);
      });
    });
  }

  /* Whether a predicate takes as soon as it can. */
  bool inPredicate(const CallBase &Call, unsigned Depth = 0) const
  {
    const Function *F = Call.getCalledFunction();
    return F && Depth <= MostCalls && any_of(instructions(F), [&](const Instruction &I) {
             auto *Inner = dyn_cast<CallBase>(&I);
             return Inner && (ownCallee(*Inner) ? isChange(I, 0) : inPredicate(*Inner, Depth + 1));
           });
  }

  bool isChange(const Instruction &I, unsigned Depth) const
  {
    if (auto *Store = dyn_cast<StoreInst>(&I))
      return !isOnStack(Store->getPointerOperand()) && isOf(*Store);
    if (auto *Exchange = dyn_cast<AtomicRMWInst>(&I))
      return isOf(Exchange->getPointerOperand());
    if (auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I))
      return isOf(Exchange->getPointerOperand());
    if (auto *Memory = dyn_cast<MemIntrinsic>(&I))
      return !isOnStack(Memory->getDest());
    auto *Call = dyn_cast<CallBase>(&I);
    if (!Call || isa<IntrinsicInst>(I) || locksItself(I) || isWaitItself(I) || isSignalItself(I) || unlocksItself(I))
      return false;
    if (const Function *F = ownCallee(*Call))
      return Depth >= MostCalls ||
             any_of(instructions(F), [&](const Instruction &Each) { return isChange(Each, Depth + 1); });
    return !Call->getCalledFunction() || handsOver(*Call);
  }

private:
  bool inBlock(const BasicBlock &BB, BasicBlock::const_iterator I, SmallVectorImpl<const BasicBlock *> &Work)
  {
    bool Any = false;
    for (; I != BB.end() && !Unlocks(*I); ++I) {
      Any |= isChange(*I, 0) || isa<ReturnInst>(*I);
      if (auto *Store = dyn_cast<StoreInst>(&*I); Store && !isOnStack(Store->getPointerOperand()))
        Names.insert(memoryAt(Store->getPointerOperand()));
    }
    if (I == BB.end())
      for (const BasicBlock *Next : successors(&BB))
        if (Seen.insert(Next).second)
          Work.push_back(Next);
    return Any;
  }

  bool isOf(const Value *P) const
  {
    std::string Name = memoryAt(P);
    return Name.empty() || At.Memory.count(Name);
  }

  /* One more of what there is too little of, and one less of what there is too much of, takes nothing. */
  bool isOf(const StoreInst &Store) const
  {
    std::string Name = memoryAt(Store.getPointerOperand());
    auto Known = At.Memory.find(Name);
    auto *Sum = dyn_cast<BinaryOperator>(Store.getValueOperand());
    auto *By = Sum ? dyn_cast<ConstantInt>(Sum->getOperand(1)) : nullptr;
    auto *Old = Sum ? dyn_cast<LoadInst>(Sum->getOperand(0)) : nullptr;
    if (Name.empty() || Known == At.Memory.end())
      return Name.empty();
    if (!By || !Old || memoryAt(Old->getPointerOperand()) != Name)
      return true;
    bool Adds = Sum->getOpcode() == Instruction::Add, Subtracts = Sum->getOpcode() == Instruction::Sub;
    bool Up = (Adds && !By->isNegative()) || (Subtracts && By->isNegative());
    bool Down = (Adds && By->isNegative()) || (Subtracts && !By->isNegative());
    return !((Up && Known->second == Looks::Low) || (Down && Known->second == Looks::High));
  }

  const Looks &At;
  function_ref<bool(const Instruction &)> Unlocks;
  std::set<const BasicBlock *> Seen;
};

/* Whether one who leaves the loop may have taken something: behind it, or in it by a try that works. */
bool leavesWith(const Loop &L, Changes &Found)
{
  SmallVector<BasicBlock *, 4> Exits;
  L.getExitBlocks(Exits);
  bool Any = false;
  for (const BasicBlock *Exit : Exits)
    Any |= !Exit->isEHPad() && Found.after(*Exit, Exit->begin());
  auto IsChange = [&](const Instruction &I) { return Found.isChange(I, 0); };
  return Any || any_of(L.blocks(), [&](const BasicBlock *BB) { return any_of(*BB, IsChange); });
}

} // namespace

TakeFacts factsOfTake(const Take &Where, const DominatorTree &DT, function_ref<bool(const Instruction &)> Unlocks)
{
  const BasicBlock *At = Where.In ? Where.In->getHeader() : Where.Wait->getParent();
  TakeFacts Facts;
  Looks Seen;
  if (Where.In)
    Seen.ofLoop(*Where.In);
  else if (Where.Join)
    Seen.ofIf(*At, *Where.Join, DT);
  else
    Seen.ofPredicate(*Where.Wait);
  if (Seen.Hidden || Seen.Memory.empty())
    return Facts;
  Changes Found(Seen, Unlocks);
  bool Takes = Found.before(*At, DT) || (!Where.In && !Where.Join && Found.inPredicate(*Where.Wait));
  auto *Invoke = dyn_cast<InvokeInst>(Where.Wait);
  const BasicBlock &Then = Where.Join ? *Where.Join : Invoke ? *Invoke->getNormalDest() : *Where.Wait->getParent();
  if (Where.In)
    Takes |= leavesWith(*Where.In, Found);
  else
    Takes |= Found.after(Then, Where.Join || Invoke ? Then.begin() : std::next(Where.Wait->getIterator()));
  for (const auto &[Name, How] : Seen.Memory)
    Facts.Looked.insert(Name);
  Facts.Changed = std::move(Found.Names);
  Facts.Nothing = !Takes;
  return Facts;
}

bool keepOut(const TakeFacts &Reader, const TakeFacts &Writer)
{
  auto Meets = [](const std::set<std::string> &Changed, const std::set<std::string> &Looked) {
    return any_of(Changed, [&](const std::string &Name) { return Looked.count(Name) > 0; });
  };
  return Reader.Nothing && Meets(Reader.Changed, Writer.Looked) && Meets(Writer.Changed, Reader.Looked);
}

} // namespace scale
