// SPDX-License-Identifier: GPL-3.0-or-later
#include "instrument/pass/unit_pools.h"
#include "instrument/pass/atomic_uses.h"
#include "instrument/pass/place.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include <set>
using namespace llvm;

namespace scale
{
namespace
{

/* ---- which calls ------------------------------------------------------------------------- */

StringRef calleeName(const Instruction &I)
{
  auto *Call = dyn_cast<CallBase>(&I);
  return Call && Call->getCalledFunction() && Call->arg_size() ? Call->getCalledFunction()->getName() : "";
}

/* std::condition_variable::wait() and its kin that loop themselves until a predicate holds. */
bool waitsForPredicate(const CallBase &Call)
{
  StringRef Name = calleeName(Call);
  return Name.consume_front("_ZNSt18condition_variable") &&
         (Name.starts_with("4waitI") ||
          ((Name.starts_with("8wait_forI") || Name.starts_with("10wait_untilI")) && Call.getType()->isIntegerTy(1)));
}

bool isWait(const Instruction &I)
{
  static const std::set<StringRef> Names = {
      "pthread_cond_wait", "pthread_cond_timedwait", "pthread_cond_clockwait",
      "cnd_wait",          "cnd_timedwait",          "_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE"};
  StringRef Name = calleeName(I);
  return Names.count(Name) || (Name.starts_with("_ZNSt18condition_variable") && !I.getType()->isIntegerTy(1) &&
                               (Name.contains("8wait_forI") || Name.contains("10wait_untilI")));
}

bool isSignal(const Instruction &I)
{
  static const std::set<StringRef> Names = {"pthread_cond_signal",
                                            "pthread_cond_broadcast",
                                            "cnd_signal",
                                            "cnd_broadcast",
                                            "_ZNSt18condition_variable10notify_oneEv",
                                            "_ZNSt18condition_variable10notify_allEv"};
  return Names.count(calleeName(I));
}

/* What is behind it is another critical section. */
bool unlocks(const Instruction &I)
{
  StringRef Name = calleeName(I);
  return Name == "pthread_mutex_unlock" || Name == "mtx_unlock" || Name.starts_with("_ZNSt5mutex6unlock") ||
         Name.contains("11unique_lockISt5mutexE6unlock") || Name.contains("11unique_lockISt5mutexED") ||
         Name.contains("10lock_guardISt5mutexED") || Name.contains("11scoped_lockIJSt5mutexEED");
}

/* ---- the condition's address ---------------------------------------------------------------- */

/* V once more where At stands: what led to it there is local or global; null: something else did. */
Value *computeAgain(Value *V, Instruction *At, unsigned Depth = 0)
{
  auto *I = dyn_cast<Instruction>(V);
  if (!I || isa<AllocaInst>(I))
    return V;
  auto *Load = dyn_cast<LoadInst>(I);
  bool Plain = isa<GetElementPtrInst>(I) || isa<CastInst>(I);
  bool Local = Load && !Load->isVolatile() && !Load->isAtomic() &&
               (isa<AllocaInst>(Load->getPointerOperand()) || isa<GlobalVariable>(Load->getPointerOperand()));
  if (Depth > 8 || !(Plain || Local))
    return nullptr;
  SmallVector<Value *, 4> Operands;
  for (Value *Each : I->operands()) {
    Operands.push_back(computeAgain(Each, At, Depth + 1));
    if (!Operands.back())
      return nullptr;
  }
  Instruction *Copy = I->clone();
  Copy->insertBefore(At->getIterator());
  for (unsigned K = 0; K < Operands.size(); K++)
    Copy->setOperand(K, Operands[K]);
  return Copy;
}

/* Whether two pointers are computed alike, from the same variables. */
bool isSame(const Value *A, const Value *B, unsigned Depth = 0)
{
  if (A == B)
    return true;
  auto *X = dyn_cast<Instruction>(A), *Y = dyn_cast<Instruction>(B);
  if (!X || !Y || Depth > 8 || isa<AllocaInst>(X) || isa<CallBase>(X) || !X->isSameOperationAs(Y))
    return false;
  for (unsigned K = 0; K < X->getNumOperands(); K++)
    if (!isSame(X->getOperand(K), Y->getOperand(K), Depth + 1))
      return false;
  return true;
}

/* ---- how many there are ----------------------------------------------------------------------- */

/* A number in memory, or a container's size. */
bool isCount(const Value *V)
{
  if (!V->getType()->isIntegerTy() || V->getType()->getIntegerBitWidth() < 16)
    return false;
  if (auto *Load = dyn_cast<LoadInst>(V))
    return !isa<AllocaInst>(getUnderlyingObject(Load->getPointerOperand()));
  auto *Call = dyn_cast<CallBase>(V);
  return Call && calleeName(*Call).contains("4sizeEv");
}

/* What of the loop's conditions tells how many are left, as it stands at the end of the loop; null: none does. */
Value *findCount(const Loop &L, const BasicBlock &Exiting, const DominatorTree &DT, IRBuilder<> &B)
{
  for (BasicBlock *BB : L.blocks())
    for (Instruction &I : *BB) {
      auto *Compare = dyn_cast<ICmpInst>(&I);
      if (!Compare || !DT.dominates(BB, &Exiting))
        continue;
      Value *Count = Compare->getOperand(0);
      while (isa<SExtInst>(Count) || isa<ZExtInst>(Count))
        Count = cast<CastInst>(Count)->getOperand(0);
      auto *Limit = dyn_cast<ConstantInt>(Compare->getOperand(1));
      if (!Limit || !isCount(Count))
        continue;
      Value *Wide = B.CreateZExt(Count, B.getInt64Ty());
      return Limit->getValue().ule(1) ? Wide : B.CreateSub(B.getInt64(Limit->getZExtValue()), Wide);
    }
  return nullptr;
}

/* ---- a function ------------------------------------------------------------------------------- */

struct Take {
  CallBase *Wait;
  Loop *In; /* null: the call itself ends when there is something */
};

/* In the words of the source; empty: not known. */
std::string nameOfCondition(const CallBase &Call)
{
  auto Name = nameOf(placeOf(Call.getArgOperand(0)));
  return Name ? Name->Name + " " + Name->File + ":" + std::to_string(Name->Line) : "";
}

class PoolMarker
{
public:
  PoolMarker(Module &M, Function &F) : M(M), F(F), DT(F), LI(DT) {}

  void gather(std::set<std::string> &Queues)
  {
    for (Instruction &I : instructions(F)) {
      auto *Call = dyn_cast<CallBase>(&I);
      if (Call && waitsForPredicate(*Call))
        Takes.push_back({Call, nullptr});
      else if (Call && isWait(I) && waitLoop(I))
        Takes.push_back({Call, waitLoop(I)});
      else if (Call && isSignal(I))
        Signals.push_back(Call);
    }
    dropQueues(Queues);
  }

  bool takes() const { return !Takes.empty(); }
  bool signals() const { return !Signals.empty(); }

  void mark(const std::set<std::string> &Queues)
  {
    erase_if(Takes, [&](const Take &Each) { return Queues.count(nameOfCondition(*Each.Wait)); });
    erase_if(Signals, [&](const CallBase *Each) { return Queues.count(nameOfCondition(*Each)); });
    std::set<const Loop *> Done;
    for (const Take &Each : Takes)
      if (!Each.In)
        markCall(*Each.Wait);
      else if (Done.insert(Each.In).second)
        markLoop(Each);
    for (CallBase *Signal : Signals)
      markSignal(*Signal);
  }

private:
  /* The loop that does nothing but wait: in one critical section. */
  Loop *waitLoop(const Instruction &Wait)
  {
    Loop *L = LI.getLoopFor(Wait.getParent());
    bool Leaves = L && any_of(L->blocks(), [](const BasicBlock *BB) { return any_of(*BB, unlocks); });
    return Leaves ? nullptr : L;
  }

  /* The waits from which a signal is reached with nothing unlocked between the two: in one critical section. */
  std::vector<CallBase *> waitsBefore(const CallBase &Signal) const
  {
    std::vector<CallBase *> Found;
    SmallPtrSet<const BasicBlock *, 16> Seen;
    SmallVector<const BasicBlock *, 16> Work{Signal.getParent()};
    const Instruction *From = &Signal;
    while (!Work.empty()) {
      const BasicBlock *BB = Work.pop_back_val();
      const Instruction *I = From ? From->getPrevNode() : BB->getTerminator();
      From = nullptr;
      for (; I && !unlocks(*I); I = I->getPrevNode())
        for (const Take &Each : Takes)
          if (Each.Wait == I)
            Found.push_back(Each.Wait);
      for (const BasicBlock *Before : predecessors(BB))
        if (!I && Seen.insert(Before).second)
          Work.push_back(Before);
    }
    return Found;
  }

  /* Who takes one, and signals because more are left, gives nothing back. Who signals another condition hands on what
   * it took, or room for it: that is a queue's. */
  void dropQueues(std::set<std::string> &Queues)
  {
    erase_if(Signals, [&](CallBase *Signal) {
      bool PassesOn = false;
      for (CallBase *Wait : waitsBefore(*Signal))
        if (isSame(Wait->getArgOperand(0), Signal->getArgOperand(0)))
          PassesOn = true;
        else
          Queues.insert(nameOfCondition(*Wait));
      return PassesOn;
    });
  }

  void tell(Instruction *At, const CallBase &Of, StringRef What, Value *Count = nullptr)
  {
    Value *Condition = computeAgain(Of.getArgOperand(0), At);
    if (!Condition)
      return;
    IRBuilder<> B(At);
    B.SetCurrentDebugLocation(Of.getDebugLoc());
    SmallVector<Value *, 3> Args{ConstantPointerNull::get(B.getPtrTy()), Condition};
    SmallVector<Type *, 3> Params{B.getPtrTy(), Condition->getType()};
    if (Count) {
      Args.push_back(Count);
      Params.push_back(Count->getType());
    }
    CallInst *Made = B.CreateCall(
        M.getOrInsertFunction(("__scale_annotate_pool_" + What).str(), FunctionType::get(B.getVoidTy(), Params, false)),
        Args);
    Made->addFnAttr(Attribute::get(M.getContext(), "scale-via", linkageName(*Of.getCalledFunction())));
    Made->addFnAttr(Attribute::NoMerge);
  }

  void markCall(CallBase &Wait)
  {
    auto *Invoke = dyn_cast<InvokeInst>(&Wait);
    Instruction *At =
        Invoke ? &*SplitEdge(Invoke->getParent(), Invoke->getNormalDest())->getFirstInsertionPt() : Wait.getNextNode();
    Instruction *Then = At, *Else = nullptr;
    if (Wait.getType()->isIntegerTy(1))
      SplitBlockAndInsertIfThenElse(&Wait, At->getIterator(), &Then, &Else);
    tell(Then, Wait, "take", ConstantInt::get(Type::getInt64Ty(M.getContext()), 0));
    if (Else)
      tell(Else, Wait, "fail");
  }

  /* Whether a value comes from what the wait returned, by way of local variables, too. */
  bool isOutcome(const Value *V, const CallBase &Wait, unsigned Depth = 0) const
  {
    auto *I = dyn_cast<Instruction>(V);
    if (V == &Wait)
      return true;
    if (!I || Depth > 8 || isa<CallBase>(I))
      return false;
    if (auto *Load = dyn_cast<LoadInst>(I)) {
      auto *Variable = dyn_cast<AllocaInst>(Load->getPointerOperand());
      return Variable && any_of(Variable->users(), [&](const User *U) {
               auto *S = dyn_cast<StoreInst>(U);
               return S && S->getPointerOperand() == Variable && S->getValueOperand() == &Wait;
             });
    }
    return any_of(I->operands(), [&](const Value *Each) { return isOutcome(Each, Wait, Depth + 1); });
  }

  /* Where the loop ends by `a && b` with b about the wait's outcome: whether it was the other one; null: by one alone.
   */
  Value *endsOtherwise(BranchInst &End, const CallBase &Wait)
  {
    auto *Phi = dyn_cast<PHINode>(End.getCondition());
    if (!Phi || none_of(Phi->incoming_values(), [&](const Use &V) { return isOutcome(V, Wait); }))
      return nullptr;
    IRBuilder<> B(Phi);
    PHINode *Otherwise = B.CreatePHI(B.getInt1Ty(), Phi->getNumIncomingValues());
    for (unsigned K = 0; K < Phi->getNumIncomingValues(); K++)
      Otherwise->addIncoming(B.getInt1(!isOutcome(Phi->getIncomingValue(K), Wait)), Phi->getIncomingBlock(K));
    return Otherwise;
  }

  void markExit(const Take &Each, BasicBlock *Exiting, BasicBlock *Exit)
  {
    auto *End = dyn_cast<BranchInst>(Exiting->getTerminator());
    bool Late = DT.dominates(Each.Wait, Exiting->getTerminator()) && Each.In->getHeader() != Each.Wait->getParent();
    bool Failed = Late || !End || (!isa<PHINode>(End->getCondition()) && isOutcome(End->getCondition(), *Each.Wait));
    Value *Otherwise = Failed ? nullptr : endsOtherwise(*End, *Each.Wait);
    IRBuilder<> B(Exiting->getTerminator());
    Value *Count = Failed ? nullptr : findCount(*Each.In, *Exiting, DT, B);
    Instruction *Then = &*SplitEdge(Exiting, Exit)->getFirstInsertionPt(), *Else = nullptr;
    if (Otherwise)
      SplitBlockAndInsertIfThenElse(Otherwise, Then->getIterator(), &Then, &Else);
    tell(Then, *Each.Wait, Failed ? "fail" : "take", Failed ? nullptr : Count ? Count : B.getInt64(0));
    if (Else)
      tell(Else, *Each.Wait, "fail");
  }

  void markLoop(const Take &Each)
  {
    SmallVector<std::pair<BasicBlock *, BasicBlock *>, 4> Exits;
    Each.In->getExitEdges(Exits);
    for (auto [Exiting, Exit] : Exits)
      if (!Exit->isEHPad() && !isa<UnreachableInst>(Exit->getTerminator()))
        markExit(Each, Exiting, Exit);
  }

  /* Who signals only if somebody waits gives back all the same. */
  void markSignal(CallBase &Signal)
  {
    Instruction *At = &Signal;
    for (BasicBlock *BB = At->getParent(); BasicBlock *Before = BB->getSinglePredecessor(); BB = Before) {
      auto *If = dyn_cast<BranchInst>(Before->getTerminator());
      BasicBlock *Next = BB->getSingleSuccessor();
      if (!If || !If->isConditional() || !Next || (If->getSuccessor(0) != Next && If->getSuccessor(1) != Next) ||
          any_of(*BB, unlocks))
        break;
      At = If;
    }
    tell(At, Signal, "give");
  }

  Module &M;
  Function &F;
  DominatorTree DT;
  LoopInfo LI;
  std::vector<Take> Takes;
  std::vector<CallBase *> Signals;
};

} // namespace

void markUnitPools(Module &M, const Table &Rows)
{
  std::vector<std::unique_ptr<PoolMarker>> Found;
  std::set<std::string> Queues;
  bool Takes = false, Signals = false;
  for (Function &F : M) {
    if (F.isDeclaration() || !Rows.rowOf(F) || isLibraryCode(F) || F.isPresplitCoroutine() ||
        none_of(instructions(F), [](const Instruction &I) {
          auto *Call = dyn_cast<CallBase>(&I);
          return Call && (isWait(I) || isSignal(I) || waitsForPredicate(*Call));
        }))
      continue;
    Found.push_back(std::make_unique<PoolMarker>(M, F));
    Found.back()->gather(Queues);
    Takes |= Found.back()->takes();
    Signals |= Found.back()->signals();
  }
  for (auto &Each : Found)
    if (Takes && Signals)
      Each->mark(Queues);
}

} // namespace scale
