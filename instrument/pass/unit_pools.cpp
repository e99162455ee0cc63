// SPDX-License-Identifier: GPL-3.0-or-later
#include "instrument/pass/unit_pools.h"
#include "instrument/pass/atomic_uses.h"
#include "instrument/pass/condition_calls.h"
#include "instrument/pass/event_names.h"
#include "instrument/pass/place.h"
#include "instrument/pass/unit_looks.h"
#include "instrument/pass/wrappers.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include <set>
using namespace llvm;

namespace scale
{

Value *computeAgain(Value *V, Instruction *At, unsigned Depth)
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

namespace
{

/* ---- functions of the program's own around these calls ----------------------------------------- */

bool isOwn(const Function &F, const Table &Rows) { return !F.isDeclaration() && Rows.rowOf(F) && !isLibraryCode(F); }

/* What a call of such a function does to the condition that it is handed. */
struct ConditionWrapper {
  const CallBase *Inner; /* the call in it */
  unsigned Argument;     /* the condition is that many bytes behind what this points to */
  int64_t Offset;
};

/* The parameter whose value V is, or is computed from by a constant number of bytes. */
const Argument *parameterOf(const Value *V, int64_t &Offset)
{
  const DataLayout &DL = cast<Instruction>(V)->getModule()->getDataLayout();
  APInt Bytes(64, 0);
  V = V->stripAndAccumulateConstantOffsets(DL, Bytes, true);
  Offset = Bytes.getSExtValue();
  if (auto *A = dyn_cast<Argument>(V))
    return A;
  auto *Load = dyn_cast<LoadInst>(V);
  auto *Variable = Load ? dyn_cast<AllocaInst>(Load->getPointerOperand()) : nullptr;
  const Argument *Only = nullptr;
  for (const User *U : Variable ? Variable->users() : iterator_range<Value::const_user_iterator>({}, {}))
    if (auto *S = dyn_cast<StoreInst>(U); S && S->getPointerOperand() == Variable) {
      if (Only || !isa<Argument>(S->getValueOperand()))
        return nullptr;
      Only = cast<Argument>(S->getValueOperand());
    }
  return Only;
}

class ConditionWrappers
{
public:
  ConditionWrappers(Module &M, const Table &Rows)
  {
    for (Function &F : M)
      if (isOwn(F, Rows))
        note(F);
    for (bool Found = true; Found;) {
      Found = false;
      for (Function &F : M)
        if (isOwn(F, Rows) && !Unlocking.count(&F) && leavesUnlocked(F))
          Found = Unlocking.insert(&F).second;
    }
  }

  const ConditionWrapper *waitIn(const Instruction &I) const { return lookUp(Waits, I); }
  const ConditionWrapper *signalIn(const Instruction &I) const { return lookUp(Signals, I); }
  bool unlocks(const Instruction &I) const
  {
    auto *Call = dyn_cast<CallBase>(&I);
    return unlocksItself(I) || (Call && Unlocking.count(Call->getCalledFunction()));
  }

private:
  typedef std::map<const Function *, ConditionWrapper> Map;

  static const ConditionWrapper *lookUp(const Map &In, const Instruction &I)
  {
    auto *Call = dyn_cast<CallBase>(&I);
    auto It = Call ? In.find(Call->getCalledFunction()) : In.end();
    return It == In.end() || It->second.Argument >= Call->arg_size() ? nullptr : &It->second;
  }

  /* A function that does nothing with a condition but wait for it, or signal it, whenever it is called. One that locks
   * or unlocks has a critical section of its own, in which units are taken or come back: the call in it counts. */
  void note(Function &F)
  {
    const CallBase *Only = nullptr;
    for (Instruction &I : instructions(F)) {
      if (locksItself(I) || unlocksItself(I))
        return;
      if (isWaitItself(I) || isSignalItself(I) || (isa<CallBase>(I) && waitsForPredicate(cast<CallBase>(I)))) {
        if (Only)
          return;
        Only = cast<CallBase>(&I);
      }
    }
    if (!Only || waitsForPredicate(*Only) || !isa<Instruction>(Only->getArgOperand(0)))
      return;
    DominatorTree DT(F);
    LoopInfo LI(DT);
    int64_t Offset;
    const Argument *From = parameterOf(Only->getArgOperand(0), Offset);
    if (!From || LI.getLoopFor(Only->getParent()) || any_of(F, [&](const BasicBlock &BB) {
          return isa<ReturnInst>(BB.getTerminator()) && !DT.dominates(Only->getParent(), &BB);
        }))
      return;
    (isWaitItself(*Only) ? Waits : Signals)[&F] = {Only, From->getArgNo(), Offset};
    if (isWaitItself(*Only))
      F.addFnAttr(WaitsAttribute);
  }

  bool leavesUnlocked(const Function &F) const
  {
    return none_of(instructions(F), locksItself) &&
           any_of(instructions(F), [&](const Instruction &I) { return unlocks(I); });
  }

  Map Waits, Signals;
  std::set<const Function *> Unlocking;
};

/* ---- the condition's address ---------------------------------------------------------------- */

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

class PoolMarker
{
public:
  PoolMarker(Module &M, Function &F, const ConditionWrappers &Own) : M(M), F(F), Own(Own), DT(F), PDT(F), LI(DT) {}

  static bool concerns(const Instruction &I, const ConditionWrappers &Own)
  {
    auto *Call = dyn_cast<CallBase>(&I);
    return Call &&
           (isWaitItself(I) || isSignalItself(I) || waitsForPredicate(*Call) || Own.waitIn(I) || Own.signalIn(I));
  }

  void gather(std::set<std::string> &Queues)
  {
    for (Instruction &I : instructions(F)) {
      auto *Call = dyn_cast<CallBase>(&I);
      bool Waits = Call && (isWaitItself(I) || Own.waitIn(I));
      if (Call && waitsForPredicate(*Call))
        Takes.push_back({Call, nullptr, nullptr});
      else if (Waits && waitLoop(I))
        Takes.push_back({Call, waitLoop(I), nullptr});
      else if (Waits && joinOf(*Call))
        Takes.push_back({Call, nullptr, joinOf(*Call)});
      else if (Call && (isSignalItself(I) || Own.signalIn(I)))
        Signals.push_back(Call);
    }
    dropMeetings(Queues);
    dropQueues(Queues);
  }

  /* What those who wait look at and change, with the names of the conditions. */
  const std::vector<std::pair<std::string, TakeFacts>> &known() const { return Known; }
  bool takes() const { return !Takes.empty(); }
  bool signals() const { return !Signals.empty(); }

  void mark(const std::set<std::string> &Queues)
  {
    erase_if(Takes, [&](const Take &Each) { return Queues.count(nameOfCondition(*Each.Wait)); });
    erase_if(Signals, [&](const CallBase *Each) { return Queues.count(nameOfCondition(*Each)); });
    std::set<const Loop *> Done;
    for (const Take &Each : Takes)
      if (Each.Join)
        tell(&*Each.Join->getFirstInsertionPt(), *Each.Wait, "take",
             ConstantInt::get(Type::getInt64Ty(M.getContext()), 0));
      else if (!Each.In)
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
    bool Leaves = L && any_of(L->blocks(), [&](const BasicBlock *BB) { return unlocksIn(*BB); });
    return Leaves ? nullptr : L;
  }

  bool unlocksIn(const BasicBlock &BB) const
  {
    return any_of(BB, [&](const Instruction &I) { return Own.unlocks(I); });
  }

  /* Of a wait under an `if`, not in a loop that does nothing else: where the way around it meets the way through it, in
   * the same critical section. null: it is no such wait. */
  BasicBlock *joinOf(CallBase &Wait)
  {
    BasicBlock *From = Wait.getParent();
    auto *Node = DT.getNode(From);
    BasicBlock *If = Node && Node->getIDom() ? Node->getIDom()->getBlock() : nullptr;
    auto *Branch = If ? dyn_cast<BranchInst>(If->getTerminator()) : nullptr;
    auto *Then = If && PDT.getNode(If) && PDT.getNode(If)->getIDom() ? PDT.getNode(If)->getIDom()->getBlock() : nullptr;
    if (!Branch || !Branch->isConditional() || !Then || Then == From || DT.dominates(Then, If) ||
        (Branch->getSuccessor(0) != Then && Branch->getSuccessor(1) != Then))
      return nullptr;
    for (BasicBlock *BB = From; BB != Then; BB = BB->getSingleSuccessor())
      if (!BB || unlocksIn(*BB))
        return nullptr;
    return Then;
  }

  /* Null: the call waits or signals itself. */
  const ConditionWrapper *wrapperOf(const CallBase &Call) const
  {
    const ConditionWrapper *In = Own.waitIn(Call);
    return In ? In : Own.signalIn(Call);
  }

  /* The call that has to do with a condition itself: this one, or that in a wrapper. */
  const CallBase &innermostOf(const CallBase &Call) const
  {
    const ConditionWrapper *In = wrapperOf(Call);
    return In ? *In->Inner : Call;
  }

  /* The condition, or what a wrapper is handed, in which it is. */
  Value *handedTo(const CallBase &Call) const
  {
    const ConditionWrapper *In = wrapperOf(Call);
    return Call.getArgOperand(In ? In->Argument : 0);
  }

  /* What the condition is called, where the code knows it by more than a parameter. */
  std::optional<ResourceName> ownNameOf(const CallBase &Call) const
  {
    return nameOf(placeOf(innermostOf(Call).getArgOperand(0)));
  }

  /* In the words of the source; empty: not known. */
  std::string nameOfCondition(const CallBase &Call) const
  {
    auto Name = ownNameOf(Call);
    if (!Name && wrapperOf(Call))
      Name = nameOf(placeOf(handedTo(Call)));
    return Name ? Name->Name + " " + Name->File + ":" + std::to_string(Name->Line) : "";
  }

  /* The condition's address, computed where At stands; null: it cannot be. */
  Value *conditionAt(const CallBase &Of, Instruction *At) const
  {
    const ConditionWrapper *In = wrapperOf(Of);
    Value *Handed = computeAgain(handedTo(Of), At);
    if (!Handed || !In || !In->Offset)
      return Handed;
    IRBuilder<> B(At);
    return B.CreateConstGEP1_64(B.getInt8Ty(), Handed, In->Offset);
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
      for (; I && !Own.unlocks(*I); I = I->getPrevNode())
        for (const Take &Each : Takes)
          if (Each.Wait == I)
            Found.push_back(Each.Wait);
      for (const BasicBlock *Before : predecessors(BB))
        if (!I && Seen.insert(Before).second)
          Work.push_back(Before);
    }
    return Found;
  }

  bool isSameCondition(const CallBase &A, const CallBase &B) const
  {
    const ConditionWrapper *X = wrapperOf(A), *Y = wrapperOf(B);
    return (X ? X->Offset : 0) == (Y ? Y->Offset : 0) && isSame(handedTo(A), handedTo(B));
  }

  /* Where somebody who waits takes nothing (a reader beside a writer, a meeting), no unit is what is waited for. */
  void dropMeetings(std::set<std::string> &Queues)
  {
    erase_if(Takes, [&](const Take &Each) {
      TakeFacts Facts = factsOfTake(Each, DT, [&](const Instruction &I) { return Own.unlocks(I); });
      std::string Name = nameOfCondition(*Each.Wait);
      bool Nothing = Facts.Nothing;
      if (Nothing && !Name.empty())
        Queues.insert(Name);
      Known.emplace_back(std::move(Name), std::move(Facts));
      return Nothing;
    });
  }

  /* Who takes one, and signals because more are left, gives nothing back. Who signals another condition hands on what
   * it took, or room for it: that is a queue's. */
  void dropQueues(std::set<std::string> &Queues)
  {
    erase_if(Signals, [&](CallBase *Signal) {
      bool PassesOn = false;
      for (CallBase *Wait : waitsBefore(*Signal))
        if (isSameCondition(*Wait, *Signal))
          PassesOn = true;
        else
          Queues.insert(nameOfCondition(*Wait));
      return PassesOn;
    });
  }

  void tell(Instruction *At, const CallBase &Of, StringRef What, Value *Count = nullptr)
  {
    Value *Condition = conditionAt(Of, At);
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
    Made->addFnAttr(Attribute::get(M.getContext(), "scale-via", linkageName(*innermostOf(Of).getCalledFunction())));
    auto Name = wrapperOf(Of) ? ownNameOf(Of) : std::nullopt;
    if (Name) /* as the call in the wrapper has it, not as its caller calls the object around the condition */
      Made->addFnAttr(Attribute::get(M.getContext(), NamedAttribute,
                                     Name->Name + "\n" + Name->File + "\n" + std::to_string(Name->Line)));
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
          unlocksIn(*BB))
        break;
      At = If;
    }
    tell(At, Signal, "give");
  }

  Module &M;
  Function &F;
  const ConditionWrappers &Own;
  DominatorTree DT;
  PostDominatorTree PDT;
  LoopInfo LI;
  std::vector<Take> Takes;
  std::vector<std::pair<std::string, TakeFacts>> Known;
  std::vector<CallBase *> Signals;
};

} // namespace

/* The writers of a lock whose readers wait for another condition: what is given back there, readers give back, too. */
static void dropWriters(const std::vector<std::unique_ptr<PoolMarker>> &Found, std::set<std::string> &Queues)
{
  std::vector<std::pair<std::string, TakeFacts>> All;
  for (const auto &Each : Found)
    All.insert(All.end(), Each->known().begin(), Each->known().end());
  for (const auto &[Name, Writer] : All)
    if (!Name.empty() && any_of(All, [&, &Of = Writer](const auto &Reader) { return keepOut(Reader.second, Of); }))
      Queues.insert(Name);
}

void markUnitPools(Module &M, const Table &Rows)
{
  if (!usesConditions(M))
    return;
  const ConditionWrappers Own(M, Rows);
  std::vector<std::unique_ptr<PoolMarker>> Found;
  std::set<std::string> Queues;
  bool Takes = false, Signals = false;
  for (Function &F : M) {
    if (!isOwn(F, Rows) || F.isPresplitCoroutine() ||
        none_of(instructions(F), [&](const Instruction &I) { return PoolMarker::concerns(I, Own); }))
      continue;
    Found.push_back(std::make_unique<PoolMarker>(M, F, Own));
    Found.back()->gather(Queues);
    Takes |= Found.back()->takes();
    Signals |= Found.back()->signals();
  }
  dropWriters(Found, Queues);
  for (auto &Each : Found)
    if (Takes && Signals)
      Each->mark(Queues);
}

} // namespace scale
