// SPDX-License-Identifier: GPL-3.0-or-later
#include "instrument/pass/atomic_uses.h"
#include "instrument/pass/atomic_walk.h"
#include "instrument/pass/place.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Scalar/SCCP.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Mem2Reg.h"
#include <map>
using namespace llvm;

namespace scale
{

/* Instructions of a helper at most (the library's have all memory orders at -O0), and helpers in helpers. */
constexpr unsigned MostOfHelper = 250, MaxInlining = 5;

static const char OriginName[] = "scale.origin", ProbeName[] = "__scale_probe";

bool isLibraryCode(const Function &F)
{
  const DISubprogram *S = F.getSubprogram();
  std::string In = S ? qualifier(S->getScope()) : "";
  return In.rfind("std::", 0) == 0 || In.rfind("__gnu_cxx::", 0) == 0;
}

static bool maybeAttempt(const Instruction &I)
{
  if (auto *RMW = dyn_cast<AtomicRMWInst>(&I))
    return RMW->getOperation() == AtomicRMWInst::Xchg || RMW->getOperation() == AtomicRMWInst::Or;
  return isa<AtomicCmpXchgInst>(I);
}

bool AtomicUses::any(const Module &M)
{
  return any_of(M, [](const Function &F) { return any_of(instructions(F), maybeAttempt); });
}

/* ---- helpers ----------------------------------------------------------------------------- */

static bool isAtomic(const Instruction &I)
{
  auto *S = dyn_cast<StoreInst>(&I);
  auto *L = dyn_cast<LoadInst>(&I);
  return isa<AtomicRMWInst>(I) || isa<AtomicCmpXchgInst>(I) || (S && (S->isAtomic() || S->isVolatile())) ||
         (L && (L->isAtomic() || L->isVolatile()));
}

const AtomicUses::Facts &AtomicUses::factsOf(Function &F)
{
  auto [It, New] = Known.try_emplace(&F);
  if (!New || F.isDeclaration() || F.isVarArg() || F.isPresplitCoroutine() || F.getInstructionCount() > MostOfHelper)
    return It->second; // a function that calls itself is none
  DominatorTree DT(F);
  LoopInfo LI(DT);
  bool Touches = false, Looped = false;
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallInst>(&I);
    Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    bool Does = isAtomic(I) || (Callee && !Callee->isDeclaration() && factsOf(*Callee).Touches);
    Touches |= Does;
    Looped |= Does && LI.getLoopFor(I.getParent());
  }
  Facts &Found = Known[&F];
  Found.Touches = Touches;
  Found.Helper = Touches && !Looped;
  return Found;
}

static unsigned originOf(const Instruction &I)
{
  MDNode *N = I.getMetadata(OriginName);
  return N ? mdconst::extract<ConstantInt>(N->getOperand(0))->getZExtValue() : ~0u;
}

static void setOrigin(Instruction &I, unsigned Number)
{
  LLVMContext &C = I.getContext();
  I.setMetadata(OriginName, MDNode::get(C, ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(C), Number))));
}

static bool matters(const Instruction &I)
{
  return isAtomic(I) || isa<StoreInst>(I) || (isa<CallInst>(I) && !isa<IntrinsicInst>(I));
}

/* A call behind Call that keeps what it returned, and its arguments, known. */
static void probe(CallInst &Call, unsigned Origin)
{
  Module &M = *Call.getModule();
  IRBuilder<> B(Call.getNextNode());
  FunctionCallee Probe =
      M.getOrInsertFunction(ProbeName, llvm::FunctionType::get(B.getVoidTy(), {}, /*isVarArg=*/true));
  SmallVector<Value *, 8> Args(Call.args());
  Args.insert(Args.begin(), Call.getType()->isVoidTy() ? B.getInt32(0) : static_cast<Value *>(&Call));
  CallInst *Made = B.CreateCall(Probe, Args);
  Made->setDebugLoc(Call.getDebugLoc());
  setOrigin(*Made, Origin);
}

void AtomicUses::inlineHelpers(Function &Copy, std::vector<Instruction *> &Origins)
{
  for (unsigned Round = 0; Round < MaxInlining; Round++) {
    SmallVector<CallInst *, 8> Calls;
    for (Instruction &I : instructions(Copy))
      if (auto *Call = dyn_cast<CallInst>(&I))
        if (Function *Callee = Call->getCalledFunction(); Callee && !Callee->isDeclaration() && factsOf(*Callee).Helper)
          Calls.push_back(Call);
    for (CallInst *Call : Calls) {
      unsigned Origin = originOf(*Call);
      if (Round == 0)
        probe(*Call, Origin);
      InlineFunctionInfo Info;
      if (!InlineFunction(*Call, Info).isSuccess())
        continue;
      for (Instruction &I : instructions(Copy))
        if (matters(I) && originOf(I) == ~0u)
          setOrigin(I, Origin);
    }
  }
}

/* ---- what it does ------------------------------------------------------------------------- */

namespace
{

Value *baseOf(Value *P, const DataLayout &DL, int64_t &Offset)
{
  APInt Bytes(64, 0);
  Value *Base = P->stripAndAccumulateConstantOffsets(DL, Bytes, /*AllowNonInbounds=*/true);
  Offset = Bytes.getSExtValue();
  return Base;
}

/* Whether P is the same all the while the loop runs, as far as other threads let it. */
bool isSteady(Value *P, const Loop &L, unsigned Depth = 0)
{
  auto *I = dyn_cast<Instruction>(P);
  if (!I || !L.contains(I))
    return true;
  if (Depth > 8)
    return false;
  if (auto *Load = dyn_cast<LoadInst>(I))
    return !Load->isAtomic() && isSteady(Load->getPointerOperand(), L, Depth + 1);
  if (!isa<GetElementPtrInst>(I) && !isa<CastInst>(I) && !isa<IntrinsicInst>(I))
    return false;
  return all_of(I->operands(), [&](Value *V) { return isa<Function>(V) || isSteady(V, L, Depth + 1); });
}

bool isZero(const Value *V)
{
  auto *C = dyn_cast<Constant>(V);
  return C && C->isNullValue();
}

class Examination
{
public:
  Examination(Function &Copy, const std::vector<Instruction *> &Origins)
      : F(Copy), DL(Copy.getParent()->getDataLayout()), DT(Copy), LI(DT), Origins(Origins)
  {
    for (Instruction &I : instructions(Copy))
      if (auto *Call = dyn_cast<CallInst>(&I);
          Call && Call->getCalledFunction() && Call->getCalledFunction()->getName() == ProbeName)
        Probes[originOf(I)] = Call;
  }

  std::vector<AtomicUse> run()
  {
    for (Instruction &I : instructions(F))
      if (maybeAttempt(I))
        attempt(I);
    for (Instruction &I : instructions(F))
      if (auto *L = dyn_cast<LoadInst>(&I); L && isAtomic(I))
        test(*L);
      else if (auto *RMW = dyn_cast<AtomicRMWInst>(&I); RMW && RMW->getOperation() == AtomicRMWInst::Sub)
        decremented(*RMW);
      else if (auto *S = dyn_cast<StoreInst>(&I))
        store(*S);
    return std::move(Found);
  }

private:
  /* One operation with any memory order is several in a helper. */
  void add(const AtomicUse &Use)
  {
    for (AtomicUse &Other : Found)
      if (Other.At == Use.At && Other.What == Use.What) {
        Other.Retried |= Use.Retried;
        Other.Waits |= Use.Waits;
        if (Other.Free != Use.Free || Other.Taken != Use.Taken)
          Other.Free = Other.Taken = nullptr;
        return;
      }
    Found.push_back(Use);
  }

  /* The place of I in the program's code, and the variable's address there. False: nobody can tell. */
  bool locate(Instruction &I, Value *Address, Type *Of, AtomicUse &Use)
  {
    unsigned Origin = originOf(I);
    if (Origin >= Origins.size())
      return false;
    Use.At = Origins[Origin];
    Use.Bytes = DL.getTypeStoreSize(Of);
    auto *Call = dyn_cast<CallInst>(Use.At);
    if (!Call) {
      Use.Address = getPointerOperand(Use.At);
      return Use.Address;
    }
    Use.Helper = Call->getCalledFunction();
    auto Probe = Probes.find(Origin);
    if (Probe == Probes.end() || Call->isMustTailCall()) // nothing can stand behind it
      return false;
    int64_t Offset, At;
    Value *Base = baseOf(Address, DL, Offset);
    for (unsigned A = 0; A < Call->arg_size(); A++) {
      Value *Given = Probe->second->getArgOperand(A + 1);
      if (!Given->getType()->isPointerTy() || baseOf(Given, DL, At) != Base)
        continue;
      Use.Address = Call->getArgOperand(A);
      Use.Offset = Offset - At;
      return true;
    }
    if (!isa<GlobalVariable>(Base))
      return false;
    Use.Address = Base;
    Use.Offset = Offset;
    return true;
  }

  static Value *getPointerOperand(Instruction *I)
  {
    if (auto *RMW = dyn_cast<AtomicRMWInst>(I))
      return RMW->getPointerOperand();
    if (auto *Swap = dyn_cast<AtomicCmpXchgInst>(I))
      return Swap->getPointerOperand();
    return const_cast<Value *>(getLoadStorePointerOperand(I));
  }

  /* What is seen at the place in the program's code, from what I found. */
  void tellApart(Instruction &I, AtomicUse &Use, Constant *Free, Constant *Taken)
  {
    LLVMContext &C = F.getContext();
    if (!Use.Helper) {
      bool Swap = isa<AtomicCmpXchgInst>(I);
      Use.Free = Swap ? ConstantInt::getTrue(C) : Free;
      Use.Taken = Swap ? ConstantInt::getFalse(C) : Taken;
      return;
    }
    CallInst *Probe = Probes[originOf(I)];
    if (Use.At->getType()->isVoidTy())
      return;
    Value &Returned = *Probe->getArgOperand(0);
    WalkEnds Yes = AtomicWalk(I, nullptr, Free, ConstantInt::getTrue(C)).ask(*Probe, Returned);
    WalkEnds No = AtomicWalk(I, nullptr, Taken, ConstantInt::getFalse(C)).ask(*Probe, Returned);
    if (Yes.Missed || Yes.Unknown || No.Missed || No.Unknown || !Yes.Value || !No.Value || Yes.Value == No.Value)
      return;
    Use.Free = Yes.Value;
    Use.Taken = No.Value;
  }

  void attempt(Instruction &I)
  {
    AtomicUse Use = {AtomicUse::Attempt, AtomicUse::Exchange, nullptr, nullptr};
    Type *Of;
    Constant *Taken;
    if (auto *Swap = dyn_cast<AtomicCmpXchgInst>(&I)) {
      Of = Swap->getCompareOperand()->getType();
      Use.How = AtomicUse::CompareExchange;
      Taken = dyn_cast<Constant>(Swap->getNewValOperand());
      if (!isZero(Swap->getCompareOperand()) || (Taken && Taken->isNullValue()))
        return retry(*Swap);
    } else {
      auto *RMW = cast<AtomicRMWInst>(&I);
      Of = RMW->getValOperand()->getType();
      Use.How = RMW->getOperation() == AtomicRMWInst::Or ? AtomicUse::Or : AtomicUse::Exchange;
      Taken = dyn_cast<Constant>(RMW->getValOperand());
      if (Taken && Taken->isNullValue() && Use.How == AtomicUse::Exchange)
        return zeroed(*RMW);
      if (!Taken || Taken->isNullValue())
        return;
    }
    if (!locate(I, getPointerOperand(&I), Of, Use))
      return;
    Constant *Free = Constant::getNullValue(Of);
    if (!Taken && Of->isIntegerTy())
      Taken = Constant::getAllOnesValue(Of); // somebody's name
    tellApart(I, Use, Free, Taken);
    if (Loop *L = LI.getLoopFor(I.getParent()); L && Use.Free) {
      WalkEnds Yes = AtomicWalk(I, L, Free, ConstantInt::getTrue(F.getContext())).leave();
      WalkEnds No = AtomicWalk(I, L, Taken, ConstantInt::getFalse(F.getContext())).leave();
      Use.Retried = No.Again;
      Use.Waits =
          No.Again && !No.Unknown && Yes.Left && !Yes.Again && !Yes.Unknown && isSteady(getPointerOperand(&I), *L);
      if (Use.Waits)
        Waiting.push_back({L, &I});
    }
    add(Use);
  }

  void retry(AtomicCmpXchgInst &I)
  {
    Loop *L = LI.getLoopFor(I.getParent());
    unsigned Origin = originOf(I);
    if (!L || Origin >= Origins.size() ||
        !AtomicWalk(I, L, nullptr, ConstantInt::getFalse(F.getContext())).leave().Again)
      return;
    AtomicUse Use = {AtomicUse::Retry, AtomicUse::CompareExchange, Origins[Origin], nullptr};
    if (auto *Call = dyn_cast<CallInst>(Use.At))
      Use.Helper = Call->getCalledFunction();
    add(Use);
  }

  /* An exchange that puts 0 there gives a lock back, unless it is repeated until something else was there. */
  void zeroed(AtomicRMWInst &I)
  {
    AtomicUse Use = {AtomicUse::Release, AtomicUse::Exchange, nullptr, nullptr};
    Type *Of = I.getValOperand()->getType();
    if (Loop *L = LI.getLoopFor(I.getParent()); L && Of->isIntegerTy()) {
      WalkEnds No = AtomicWalk(I, L, Constant::getNullValue(Of), nullptr).leave();
      WalkEnds Yes = AtomicWalk(I, L, ConstantInt::get(Of, 1), nullptr).leave();
      if (No.Again && Yes.Left && !Yes.Again)
        Use.What = AtomicUse::Contrary;
    }
    if (locate(I, I.getPointerOperand(), Of, Use))
      add(Use);
  }

  /* A lock that counts who waits: the last one gives it back. */
  void decremented(AtomicRMWInst &I)
  {
    AtomicUse Use = {AtomicUse::Release, AtomicUse::Decrement, nullptr, nullptr};
    Type *Of = I.getValOperand()->getType();
    if (!locate(I, I.getPointerOperand(), Of, Use))
      return;
    tellApart(I, Use, ConstantInt::get(Of, 1), ConstantInt::get(Of, 2));
    if (Use.Free)
      add(Use);
  }

  /* Of a loop that waits: looks before it tries. */
  void test(LoadInst &I)
  {
    int64_t Here, There;
    for (auto &[L, Attempt] : Waiting)
      if (L->contains(&I) && baseOf(I.getPointerOperand(), DL, Here) == baseOf(getPointerOperand(Attempt), DL, There) &&
          Here == There) {
        AtomicUse Use = {AtomicUse::Test, AtomicUse::Load, nullptr, nullptr};
        if (!I.getType()->isIntegerTy() || !locate(I, I.getPointerOperand(), I.getType(), Use))
          return;
        tellApart(I, Use, Constant::getNullValue(I.getType()), ConstantInt::get(I.getType(), 1));
        if (Use.Free)
          add(Use);
        return;
      }
  }

  void store(StoreInst &S)
  {
    bool Zero = isZero(S.getValueOperand());
    if (isa<AllocaInst>(S.getPointerOperand()->stripPointerCasts()) || (!Zero && !isAtomic(S)))
      return;
    AtomicUse Use = {Zero ? AtomicUse::Release : AtomicUse::Contrary, AtomicUse::Store, nullptr, nullptr};
    Use.Atomic = isAtomic(S);
    if (locate(S, S.getPointerOperand(), S.getValueOperand()->getType(), Use))
      add(Use);
  }

  Function &F;
  const DataLayout &DL;
  DominatorTree DT;
  LoopInfo LI;
  const std::vector<Instruction *> &Origins;
  std::map<unsigned, CallInst *> Probes;
  std::vector<std::pair<Loop *, Instruction *>> Waiting;
  std::vector<AtomicUse> Found;
};

} // namespace

std::vector<AtomicUse> AtomicUses::of(Function &F)
{
  auto Does = [&](Instruction &I) {
    auto *Call = dyn_cast<CallInst>(&I);
    Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    return isAtomic(I) || (Callee && !Callee->isDeclaration() && factsOf(*Callee).Helper);
  };
  if (F.isDeclaration() || F.isPresplitCoroutine() || none_of(instructions(F), Does))
    return {};
  ValueToValueMapTy Map;
  Function *Copy = CloneFunction(&F, Map);
  Copy->setLinkage(GlobalValue::InternalLinkage);
  Copy->setComdat(nullptr);
  Copy->removeFnAttr(Attribute::OptimizeNone);
  std::vector<Instruction *> Origins;
  for (Instruction &I : instructions(F))
    if (matters(I)) {
      setOrigin(*cast<Instruction>(Map[&I]), Origins.size());
      Origins.push_back(&I);
    }
  inlineHelpers(*Copy, Origins);
  FunctionPassManager Simplify;
  for (unsigned Round = 0; Round < 3; Round++) { // addresses of variables are in variables
    Simplify.addPass(PromotePass());
    Simplify.addPass(SCCPPass());
  }
  Simplify.run(*Copy, FAM);
  std::vector<AtomicUse> Found = Examination(*Copy, Origins).run();
  FAM.clear(*Copy, Copy->getName());
  Copy->eraseFromParent();
  if (Function *Probe = M.getFunction(ProbeName))
    Probe->eraseFromParent();
  return Found;
}

} // namespace scale
