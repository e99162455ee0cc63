// SPDX-License-Identifier: GPL-3.0-or-later
#include "instrument/pass/facts/flow.h"
#include "instrument/pass/table.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
using namespace llvm;

namespace scale::facts
{

/* A function's accesses and counters, those whose net effect is computed, and the blocks gone through for them. */
constexpr unsigned MaxAccesses = 20000, MaxCounters = 1000, MaxNets = 64, MaxNetBlocks = 200000, MaxPeel = 8;

bool Course::conditional(const Instruction &I) const
{
  if (I.getParent()->isEntryBlock())
    return false;
  // What leads to no return (an assertion that failed) counts for nothing.
  return Returns.empty() || any_of(Returns, [&](const BasicBlock *R) { return !Tree.dominates(I.getParent(), R); });
}

/* ---- reads and writes ---------------------------------------------------------------------- */

/* What is left of a value without the arithmetic that fits it into a bit field, or takes it out of one. */
static const Value *unpacked(const Value *V)
{
  for (unsigned Depth = 0; Depth < MaxPeel; Depth++) {
    V = plain(V);
    auto *B = dyn_cast<BinaryOperator>(V);
    if (!B)
      break;
    if (B->getOpcode() == Instruction::Or) {
      auto *Rest = dyn_cast<BinaryOperator>(B->getOperand(0));
      if (!Rest || Rest->getOpcode() != Instruction::And || !isa<LoadInst>(Rest->getOperand(0)))
        break;
      V = B->getOperand(1);
    } else if (isa<ConstantInt>(B->getOperand(1)) &&
               (B->getOpcode() == Instruction::Shl || B->getOpcode() == Instruction::LShr ||
                B->getOpcode() == Instruction::AShr || B->getOpcode() == Instruction::And)) {
      V = B->getOperand(0);
    } else {
      break;
    }
  }
  return V;
}

static std::optional<unsigned> shift(const Value *V, unsigned Opcode)
{
  auto *B = dyn_cast<BinaryOperator>(V);
  auto *By = B && B->getOpcode() == Opcode ? dyn_cast<ConstantInt>(B->getOperand(1)) : nullptr;
  return By ? std::optional<unsigned>(By->getZExtValue()) : std::nullopt;
}

/* From which bit on a bit field is read. */
static unsigned lowBit(const LoadInst &L)
{
  if (!L.getType()->isIntegerTy() || !L.hasOneUse())
    return 0;
  const User *U = *L.user_begin();
  if (auto Right = shift(U, Instruction::LShr))
    return *Right;
  auto Left = shift(U, Instruction::Shl);
  auto Right = Left && U->hasOneUse() ? shift(*U->user_begin(), Instruction::AShr) : std::nullopt;
  return Right && *Right >= *Left ? *Right - *Left : 0;
}

/* From which bit on a bit field is written: the others are kept by a mask. */
static unsigned lowBit(const StoreInst &S)
{
  auto *B = dyn_cast<BinaryOperator>(S.getValueOperand());
  if (B && B->getOpcode() == Instruction::Or)
    B = dyn_cast<BinaryOperator>(B->getOperand(0));
  auto *Mask = B && B->getOpcode() == Instruction::And && isa<LoadInst>(B->getOperand(0))
                   ? dyn_cast<ConstantInt>(B->getOperand(1))
                   : nullptr;
  return Mask && !Mask->isMinusOne() ? (~Mask->getValue()).countr_zero() : 0;
}

/* Two reads of `a->b->c` have one key, by the place and by the key of what the record was read from. */
unsigned Flow::key(const Address &Where, const Value *Pointer)
{
  const Value *Root = chainOf(Pointer, Layout).Root;
  const Access *Read = loaded(Root);
  std::pair<const Value *, unsigned> From(Read ? nullptr : Root, Read ? Read->Key : 0);
  return Keys.try_emplace({Where.Place, From}, Keys.size() + 1).first->second;
}

void Flow::add(const Instruction &I, const Value *Pointer, const Value *Stored, Type *Of)
{
  if (Accesses.size() >= MaxAccesses || !Of->isSized())
    return;
  Access A;
  unsigned Low = 0;
  if (auto *L = dyn_cast<LoadInst>(&I))
    Low = lowBit(*L);
  else if (auto *S = dyn_cast<StoreInst>(&I))
    Low = lowBit(*S);
  A.At = &I;
  A.Pointer = Pointer;
  A.Stored = Stored;
  A.Where = V.address(Pointer, Layout.getTypeSizeInBits(Of).getKnownMinValue(), Of->isPointerTy(), Low);
  A.Key = key(A.Where, Pointer);
  unsigned Number = Accesses.size();
  if (Stored) {
    StoresBy[plain(Stored)].push_back(Number);
    StoresTo[chainOf(Pointer, Layout).Root].push_back(Number);
  } else {
    Reads[&I] = Number;
  }
  Accesses.push_back(std::move(A));
}

void Flow::note(Instruction &I)
{
  if (auto *L = dyn_cast<LoadInst>(&I))
    add(I, L->getPointerOperand(), nullptr, L->getType());
  else if (auto *S = dyn_cast<StoreInst>(&I))
    add(I, S->getPointerOperand(), S->getValueOperand(), S->getValueOperand()->getType());
  else if (auto *X = dyn_cast<AtomicCmpXchgInst>(&I))
    add(I, X->getPointerOperand(), X->getNewValOperand(), X->getNewValOperand()->getType());
  else if (auto *RMW = dyn_cast<AtomicRMWInst>(&I); RMW && RMW->getOperation() == AtomicRMWInst::Xchg)
    add(I, RMW->getPointerOperand(), RMW->getValOperand(), RMW->getType());
}

Flow::Flow(Function &Of, Values &Known, const Course &Way) : F(Of), V(Known), C(Way), Layout(Of.getDataLayout())
{
  for (Instruction &I : instructions(F))
    if (C.reached(I.getParent()))
      note(I);
  for (const Access &A : Accesses)
    if (A.Stored && Counters.size() < MaxCounters)
      findCounter(A);
  for (const Instruction &I : instructions(F))
    if (C.reached(I.getParent()) && Counters.size() < MaxCounters)
      findAtomicCounter(I);
  findNets();
  for (const Access &A : Accesses)
    if (A.Stored)
      findLinks(A);
    else
      findTake(A);
}

const Access *Flow::loaded(const Value *Of) const
{
  auto Found = Reads.find(plain(Of));
  return Found == Reads.end() ? nullptr : &Accesses[Found->second];
}

/* ---- counters ------------------------------------------------------------------------------ */

const Access *Flow::readIn(const Value *Of) const { return loaded(unpacked(Of)); }

/* x = x + n, x - n, (x + n) % m, and for a pointer &x[n]. */
void Flow::findCounter(const Access &A)
{
  if (!A.Where.known() || A.Where.Place == "*" || isa<AtomicCmpXchgInst>(A.At))
    return;
  Counter Out;
  const Value *New = unpacked(A.Stored);
  auto *B = dyn_cast<BinaryOperator>(New);
  if (auto *G = dyn_cast<GEPOperator>(plain(A.Stored)); G && G->getNumIndices() == 1) {
    const Access *Old = loaded(G->getPointerOperand());
    auto *Number = dyn_cast<ConstantInt>(G->getOperand(1));
    if (!Old || Old->Key != A.Key)
      return;
    Out.Step = Number ? Number->getSExtValue() : 1;
    Out.Amount = Number ? nullptr : G->getOperand(1);
    Out.Before = Old->At;
  } else {
    if (B && (B->getOpcode() == Instruction::URem || B->getOpcode() == Instruction::SRem)) {
      Out.Ring = true;
      B = dyn_cast<BinaryOperator>(unpacked(B->getOperand(0)));
    }
    if (!B || (B->getOpcode() != Instruction::Add && B->getOpcode() != Instruction::Sub))
      return;
    const Access *Old = readIn(B->getOperand(0));
    const Value *By = B->getOperand(1);
    if (B->getOpcode() == Instruction::Add && (!Old || Old->Key != A.Key)) {
      Old = readIn(By);
      By = B->getOperand(0);
    }
    if (!Old || Old->Key != A.Key)
      return;
    auto *Number = dyn_cast<ConstantInt>(By);
    int64_t Sign = B->getOpcode() == Instruction::Sub ? -1 : 1;
    Out.Step = Number ? Sign * Number->getSExtValue() : Sign;
    Out.Amount = Number ? nullptr : By;
    Out.Before = Old->At;
  }
  Out.Store = &A;
  Out.At = A.At;
  Out.Where = A.Where;
  Out.Key = A.Key;
  Out.After = B ? static_cast<const Value *>(B) : A.Stored;
  Counters.push_back(std::move(Out));
}

/* A call of what std::atomic counts with: its sign; 0: none. */
static int atomicCall(const CallBase &Call)
{
  auto *Callee = dyn_cast<Function>(Call.getCalledOperand()->stripPointerCasts());
  StringRef Name = Callee ? Callee->getName() : "";
  if (!Name.starts_with("_ZNSt13__atomic_base") && !Name.starts_with("_ZNSt6atomic") &&
      !Name.starts_with("_ZNVSt13__atomic_base"))
    return 0;
  if (Name.contains("ppE") || Name.contains("fetch_addE") || Name.contains("pLE"))
    return 1;
  return Name.contains("mmE") || Name.contains("fetch_subE") || Name.contains("mIE") ? -1 : 0;
}

void Flow::findAtomicCounter(const Instruction &I)
{
  const Value *Pointer = nullptr, *By = nullptr;
  Counter Out;
  auto *RMW = dyn_cast<AtomicRMWInst>(&I);
  auto *Call = dyn_cast<CallBase>(&I);
  if (RMW && (RMW->getOperation() == AtomicRMWInst::Add || RMW->getOperation() == AtomicRMWInst::Sub)) {
    Pointer = RMW->getPointerOperand();
    By = RMW->getValOperand();
    Out.Step = RMW->getOperation() == AtomicRMWInst::Add ? 1 : -1;
    Out.Where = V.address(Pointer, Layout.getTypeSizeInBits(RMW->getType()).getKnownMinValue(), false);
  } else if (Call && Call->arg_size() && (Out.Step = atomicCall(*Call))) {
    Pointer = Call->getArgOperand(0);
    By = Call->arg_size() > 1 ? Call->getArgOperand(1) : nullptr;
    Out.Where = V.address(Pointer, 0, false);
  }
  if (!Pointer || !Out.Where.known() || Out.Where.Place == "*")
    return;
  auto *Callee = Call ? dyn_cast<Function>(Call->getCalledOperand()->stripPointerCasts()) : nullptr;
  bool Operator = Callee && (Callee->getName().contains("ppE") || Callee->getName().contains("mmE"));
  if (auto *Number = dyn_cast_or_null<ConstantInt>(By); Number && !Operator)
    Out.Step *= Number->getSExtValue();
  else if (By && !Operator)
    Out.Amount = By;
  Out.At = &I;
  Out.Key = key(Out.Where, Pointer);
  Out.Before = &I;
  for (const User *U : I.users()) // clang makes the new value of it
    if (auto *B = dyn_cast<BinaryOperator>(U); B && !Call)
      Out.After = B;
  if (Operator || (Callee && !Callee->getName().contains("fetch_")))
    Out.After = &I;
  Counters.push_back(std::move(Out));
}

/* The sum of the steps over every way through the function to a return; nothing if the ways differ. */
std::optional<int64_t> Flow::net(unsigned Key) const
{
  DenseMap<const BasicBlock *, int64_t> Effects;
  DenseMap<const BasicBlock *, std::optional<int64_t>> Out; // at the end; nothing: ways differ
  for (const Counter &Each : Counters)
    if (Each.Key == Key) {
      if (Each.Amount || Each.Ring)
        return std::nullopt;
      Effects[Each.At->getParent()] += Each.Step;
    }
  std::optional<int64_t> Result;
  bool Differs = false;
  ReversePostOrderTraversal<const Function *> Order(&F);
  for (unsigned Round = 0; Round < 3; Round++)
    for (const BasicBlock *BB : Order) {
      std::optional<int64_t> In;
      bool Any = BB->isEntryBlock(), Mixed = false;
      if (Any)
        In = 0;
      for (const BasicBlock *P : predecessors(BB)) {
        auto Found = Out.find(P);
        if (Found == Out.end())
          continue;
        Mixed |= !Found->second || (Any && In != Found->second);
        In = Found->second;
        Any = true;
      }
      if (Any)
        Out[BB] = Mixed ? std::nullopt : std::optional<int64_t>(*In + Effects.lookup(BB));
    }
  for (const BasicBlock &BB : F)
    if (auto Found = Out.find(&BB); Found != Out.end() && isa<ReturnInst>(BB.getTerminator())) {
      Differs |= !Found->second || (Result && *Result != *Found->second);
      Result = Found->second;
    }
  return Differs ? std::nullopt : Result;
}

void Flow::findNets()
{
  std::map<unsigned, std::optional<int64_t>> Known;
  for (Counter &Each : Counters) {
    auto At = Known.find(Each.Key);
    if (At == Known.end()) {
      if (Known.size() >= MaxNets || (Known.size() + 1) * F.size() > MaxNetBlocks)
        continue;
      At = Known.emplace(Each.Key, net(Each.Key)).first;
    }
    Each.Net = At->second;
  }
}

/* Whether V, or what is widened from it, is compared with Number. */
static bool isComparedWith(const Value *V, int64_t Number, unsigned Depth = 0)
{
  for (const User *U : V->users()) {
    if (auto *Compare = dyn_cast<ICmpInst>(U)) {
      auto *With = dyn_cast<Constant>(Compare->getOperand(Compare->getOperand(0) == V));
      if (With && (Number == 0 ? With->isNullValue()
                               : isa<ConstantInt>(With) && cast<ConstantInt>(With)->getSExtValue() == Number))
        return true;
    }
    auto *I = dyn_cast<Instruction>(U);
    bool Same = I && (I->isCast() || I->getOpcode() == Instruction::And || I->getOpcode() == Instruction::LShr ||
                      I->getOpcode() == Instruction::Shl || I->getOpcode() == Instruction::AShr);
    if (Same && Depth < MaxPeel / 2 && isComparedWith(U, Number, Depth + 1))
      return true;
  }
  return false;
}

bool Flow::testedForZero(const Counter &Of) const
{
  if (Of.After && isComparedWith(Of.After, 0))
    return true;
  if (Of.Before && !Of.Amount && Of.Step && isComparedWith(Of.Before, -Of.Step))
    return true;
  for (const Access &A : Accesses)
    if (!A.Stored && A.Key == Of.Key && C.tree().dominates(Of.At, A.At) && isComparedWith(A.At, 0))
      return true;
  return false;
}

} // namespace scale::facts
