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
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
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
  return S && isLibraryScope(S->getScope());
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

/* As a function that makes an atomic variable of a field does: std::atomic<char> *state() { return cast(&field); } */
static bool onlyComputesAddress(const Function &F)
{
  return F.getReturnType()->isPointerTy() && F.size() == 1 && none_of(F.getEntryBlock(), [](const Instruction &I) {
           auto *S = dyn_cast<StoreInst>(&I);
           return (isa<CallBase>(I) && !isa<IntrinsicInst>(I)) ||
                  (S && !isa<AllocaInst>(S->getPointerOperand()->stripPointerCasts()));
         });
}

/* Bounded by size, and entered in the table before its callees are asked: neither a huge function nor a circle of calls
 * makes compiling slow. */
const AtomicUses::Facts &AtomicUses::factsOf(Function &F)
{
  auto [It, New] = Known.try_emplace(&F);
  if (!New || F.isDeclaration() || F.isVarArg() || F.isPresplitCoroutine() || F.getInstructionCount() > MostOfHelper)
    return It->second; // a function that calls itself is not a helper
  DominatorTree DT(F);
  LoopInfo LI(DT);
  bool Touches = false, Looped = false;
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallBase>(&I);
    Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    bool Does = isAtomic(I) || (Callee && !Callee->isDeclaration() && factsOf(*Callee).Touches);
    Touches |= Does;
    Looped |= Does && LI.getLoopFor(I.getParent());
  }
  Facts &Found = Known[&F];
  Found.Touches = Touches;
  Found.Helper = Touches ? !Looped : onlyComputesAddress(F);
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
  return isAtomic(I) || isa<StoreInst>(I) || (isa<CallBase>(I) && !isa<IntrinsicInst>(I));
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

/* Helpers throw nothing, whatever they are declared to do. */
void AtomicUses::forgetExceptions(Function &Copy)
{
  SmallVector<InvokeInst *, 8> Invokes;
  for (Instruction &I : instructions(Copy))
    if (auto *Invoke = dyn_cast<InvokeInst>(&I))
      if (Function *Callee = Invoke->getCalledFunction(); Callee && !Callee->isDeclaration() && factsOf(*Callee).Helper)
        Invokes.push_back(Invoke);
  for (InvokeInst *Invoke : Invokes) {
    MDNode *Origin = Invoke->getMetadata(OriginName);
    changeToCall(Invoke)->setMetadata(OriginName, Origin);
  }
  removeUnreachableBlocks(Copy);
}

/* The front end's code has std::atomic's members as calls: only inlined do an exchange and the test of its result stand
 * in one function. What came from a helper keeps the number of the call in the program's code. */
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
      if (Round == 0 && factsOf(*Call->getCalledFunction()).Touches)
        probe(*Call, Origin);
      InlineFunctionInfo Info;
      if (!InlineFunction(*Call, Info).isSuccess())
        continue;
      for (Instruction &I : instructions(Copy))
        if (matters(I) && originOf(I) == ~0u)
          setOrigin(I, Origin);
    }
    forgetExceptions(Copy);
  }
}

/*
 * A local variable that a probe alone keeps in memory (the expected value, handed over by reference) is to become a
 * value: its address tells nobody anything.
 */
static void forgetLocals(Function &Copy)
{
  for (Instruction &I : Copy.getEntryBlock()) {
    auto *Local = dyn_cast<AllocaInst>(&I);
    if (!Local)
      continue;
    SmallVector<Use *, 4> Probed;
    bool Kept = false;
    for (Use &U : Local->uses()) {
      auto *Load = dyn_cast<LoadInst>(U.getUser());
      auto *Store = dyn_cast<StoreInst>(U.getUser());
      auto *Call = dyn_cast<CallInst>(U.getUser());
      Function *Callee = Call ? Call->getCalledFunction() : nullptr;
      if (Callee && Callee->getName() == ProbeName)
        Probed.push_back(&U);
      else
        Kept |= !(Load && Load->isSimple()) && !(Store && Store->isSimple() && Store->getValueOperand() != Local) &&
                !isa<IntrinsicInst>(U.getUser());
    }
    for (Use *U : Probed)
      if (!Kept)
        U->set(PoisonValue::get(Local->getType()));
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
    int64_t Offset;
    Value *Base = baseOf(Address, DL, Offset);
    Value *InProgram = inProgram(Base, Use.At);
    auto *Call = dyn_cast<CallBase>(Use.At);
    if (!Call)
      Use.Address = getPointerOperand(Use.At);
    else if (!Probes.count(Origin) || isMustTail(Call)) // nothing can stand behind it
      return false;
    else
      findGiven(*Call, Origin, Base, Offset, Use);
    // A call's result has no name, but what that function made it of has.
    if (InProgram && (!Use.Address || isa<CallBase>(Use.Address))) {
      Use.Address = InProgram;
      Use.Offset = Offset;
    }
    return Use.Address;
  }

  /* The same in the program's code, at At; null: it is not there. Of a parameter as loaded, which has its type. */
  Value *inProgram(Value *Base, const Instruction *At) const
  {
    auto *A = dyn_cast<Argument>(Base);
    if (!A)
      return isa<GlobalVariable>(Base) ? Base : nullptr;
    Argument *Own = At->getFunction()->getArg(A->getArgNo());
    for (User *U : Own->users())
      if (auto *S = dyn_cast<StoreInst>(U); S && isa<AllocaInst>(S->getPointerOperand()))
        for (User *Of : S->getPointerOperand()->users())
          if (auto *L = dyn_cast<LoadInst>(Of); L && L->getType() == Own->getType() && isBefore(L, At))
            return L;
    return Own;
  }

  /* As far as the front end's code needs it: what it loads once it loads at the beginning, all else just before. */
  static bool isBefore(const Instruction *I, const Instruction *At)
  {
    return I->getParent() == At->getParent() ? I->comesBefore(At) : I->getParent()->isEntryBlock();
  }

  /* The argument of a helper's call that the variable, Offset bytes behind Base, is reached by. */
  void findGiven(CallBase &Call, unsigned Origin, Value *Base, int64_t Offset, AtomicUse &Use)
  {
    Use.Helper = Call.getCalledFunction();
    int64_t At;
    for (unsigned A = 0; A < Call.arg_size(); A++) {
      Value *Given = Probes[Origin]->getArgOperand(A + 1);
      if (!Given->getType()->isPointerTy() || baseOf(Given, DL, At) != Base)
        continue;
      Use.Address = Call.getArgOperand(A);
      Use.Offset = Offset - At;
      return;
    }
  }

  static bool isMustTail(const CallBase *Call)
  {
    auto *Plain = dyn_cast<CallInst>(Call);
    return Plain && Plain->isMustTailCall();
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
      if (Taken && Taken->isNullValue())
        return exchangedForZero(*Swap);
      if (!isZero(Swap->getCompareOperand()))
        return retry(I, Use.How);
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
      return retry(I, Use.How);
    Constant *Free = Constant::getNullValue(Of);
    if (!Taken && Of->isIntegerTy())
      Taken = Constant::getAllOnesValue(Of); // somebody's name
    else if (!Taken && Of->isPointerTy())
      Taken = ConstantExpr::getIntToPtr(ConstantInt::get(DL.getIntPtrType(Of), DL.getPointerSize()), Of);
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

  bool isRetried(Instruction &I)
  {
    Loop *L = LI.getLoopFor(I.getParent());
    return L && AtomicWalk(I, L, nullptr, ConstantInt::getFalse(F.getContext())).leave().Again;
  }

  void retry(Instruction &I, AtomicUse::Operation How)
  {
    unsigned Origin = originOf(I);
    if (Origin >= Origins.size() || !isRetried(I))
      return;
    AtomicUse Use = {AtomicUse::Retry, How, Origins[Origin], nullptr};
    if (auto *Call = dyn_cast<CallBase>(Use.At))
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

  /* What is known to be taken becomes free, if nobody marked it meanwhile; in a loop it is a wait for that value. */
  void exchangedForZero(AtomicCmpXchgInst &I)
  {
    retry(I, AtomicUse::CompareExchange);
    AtomicUse Use = {AtomicUse::Release, AtomicUse::CompareExchange, nullptr, nullptr};
    Type *Of = I.getCompareOperand()->getType();
    if (isZero(I.getCompareOperand()) || !locate(I, I.getPointerOperand(), Of, Use))
      return;
    if (isRetried(I))
      Use.What = AtomicUse::Contrary;
    else
      tellApart(I, Use, nullptr, nullptr);
    if (Use.Free || Use.What == AtomicUse::Contrary)
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

/* A copy to be simplified and thrown away. LLVM's own way to clone looks at all types of the debug information for each
 * function, which took longer than all else that is done here; the copy shares F's instead, and has no variables. */
static Function *copyToExamine(Function &F, ValueToValueMapTy &Map)
{
  auto *Copy = Function::Create(F.getFunctionType(), GlobalValue::InternalLinkage, F.getAddressSpace(), F.getName(),
                                F.getParent());
  Copy->copyAttributesFrom(&F);
  Copy->removeFnAttr(Attribute::OptimizeNone);
  Copy->setSubprogram(F.getSubprogram());
  for (Argument &A : F.args())
    Map[&A] = Copy->getArg(A.getArgNo());
  for (BasicBlock &BB : F)
    Map[&BB] = CloneBasicBlock(&BB, Map, "", Copy);
  for (Instruction &I : instructions(*Copy)) {
    I.dropDbgRecords();
    I.setMetadata(LLVMContext::MD_DIAssignID, nullptr); // by which F's own variables would change with the copy
    RemapInstruction(&I, Map, RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
  }
  return Copy;
}

std::vector<AtomicUse> AtomicUses::of(Function &F)
{
  auto Does = [&](Instruction &I) {
    auto *Call = dyn_cast<CallBase>(&I);
    Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    return isAtomic(I) || (Callee && !Callee->isDeclaration() && factsOf(*Callee).Touches && factsOf(*Callee).Helper);
  };
  if (F.isDeclaration() || F.isPresplitCoroutine() || none_of(instructions(F), Does))
    return {};
  ValueToValueMapTy Map;
  Function *Copy = copyToExamine(F, Map);
  std::vector<Instruction *> Origins;
  for (Instruction &I : instructions(F))
    if (matters(I)) {
      setOrigin(*cast<Instruction>(Map[&I]), Origins.size());
      Origins.push_back(&I);
    }
  forgetExceptions(*Copy);
  inlineHelpers(*Copy, Origins);
  for (unsigned Round = 0; Round < 4; Round++) { // addresses of variables are in variables
    FunctionPassManager Simplify;
    Simplify.addPass(SROAPass(SROAOptions::PreserveCFG));
    Simplify.addPass(SCCPPass());
    FAM.clear(*Copy, Copy->getName());
    Simplify.run(*Copy, FAM);
    forgetLocals(*Copy);
  }
  std::vector<AtomicUse> Found = Examination(*Copy, Origins).run();
  FAM.clear(*Copy, Copy->getName());
  Copy->eraseFromParent();
  if (Function *Probe = M.getFunction(ProbeName))
    Probe->eraseFromParent();
  return Found;
}

} // namespace scale
