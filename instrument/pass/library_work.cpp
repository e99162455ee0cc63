// SPDX-License-Identifier: GPL-3.0-or-later
#include "instrument/pass/library_work.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
using namespace llvm;

namespace scale
{

static constexpr unsigned WideBytes = 4; /* of a wide character */

static bool isNumber(const Type *T) { return T->isPointerTy() || (T->isIntegerTy() && T->getIntegerBitWidth() <= 64); }

/* ---- which calls --------------------------------------------------------------------- */

/* Not in code that was inlined from a function that is left out. */
bool LibraryWork::isWritten(const CallBase &Call) const
{
  const DILocation *Where = Call.getDebugLoc();
  return !Where || Rows.rowOf(Where->getScope()->getSubprogram());
}

/* Whether the call has what the row speaks of: it may come from a declaration of another function of that name. */
bool LibraryWork::fits(const CallBase &Call, const WorkSpec &Spec) const
{
  auto Has = [&](unsigned I, bool Pointer) {
    return I < Call.arg_size() &&
           (Pointer ? Call.getArgOperand(I)->getType()->isPointerTy() : isNumber(Call.getArgOperand(I)->getType()));
  };
  constexpr unsigned InRegisters = 6;
  if (!Spec.Wrapper.empty())
    return (isNumber(Call.getType()) || Call.getType()->isVoidTy()) && !Call.getFunctionType()->isVarArg() &&
           Call.arg_size() <= InRegisters && all_of(Call.args(), [](const Use &U) { return isNumber(U->getType()); });
  if (!Spec.As.empty())
    return isa<CallInst>(Call) && Call.arg_size() == 1 && Has(0, true);
  return all_of(Spec.Amount, [&](const WorkTerm &T) {
    switch (T.From) {
    case WorkTerm::Argument:
      return Has(T.Index, false);
    case WorkTerm::Field:
    case WorkTerm::Before:
    case WorkTerm::End:
    case WorkTerm::StringLength:
    case WorkTerm::Walk:
      return Has(T.Index, true);
    case WorkTerm::Calls:
      return Has(T.Index, true) && Has(T.First, true) && (!T.Kept || Call.getType()->isPointerTy());
    case WorkTerm::Result:
      return isNumber(Call.getType());
    case WorkTerm::ResultLength:
      return Call.getType()->isPointerTy();
    case WorkTerm::Copied:
    case WorkTerm::Number:
      break;
    }
    return true;
  });
}

bool LibraryWork::isConstant(const CallBase &Call, const WorkSpec &Spec) const
{
  return !Spec.Probe && !Spec.Amount.empty() && all_of(Spec.Amount, [&](const WorkTerm &T) {
    return T.From == WorkTerm::Number ||
           (T.From == WorkTerm::Argument && isa<ConstantInt>(Call.getArgOperand(T.Index)));
  });
}

/* A call of the library's function that does the same and has one more argument, where it leaves how far it got. */
LibraryWork::Worker LibraryWork::takeAs(Worker W, const WorkSpec &Row)
{
  auto *Old = cast<CallInst>(W.Call);
  IRBuilder<> B(Old);
  auto *T = FunctionType::get(Old->getType(), {B.getPtrTy(), B.getPtrTy()}, false);
  CallInst *New = B.CreateCall(Old->getModule()->getOrInsertFunction(Row.Function, T),
                               {Old->getArgOperand(0), ConstantPointerNull::get(B.getPtrTy())});
  New->setDoesNotThrow();
  Old->replaceAllUsesWith(New);
  Old->eraseFromParent();
  return {New, &Row};
}

void LibraryWork::gather()
{
  for (BasicBlock &BB : F)
    for (Instruction &I : BB) {
      auto *Call = dyn_cast<CallBase>(&I);
      auto *Plain = dyn_cast<CallInst>(&I);
      if (!Call || isa<CallBrInst>(Call) || (Plain && Plain->isMustTailCall()))
        continue;
      const WorkSpec *Spec = Known.of(*Call);
      if (!Spec || !isWritten(*Call) || !fits(*Call, *Spec) || isConstant(*Call, *Spec) ||
          (!Spec->Probe && Known.fixed().holds(*Call, Spec->Function)))
        continue;
      Workers.push_back({Call, Spec});
      if (!Spec->Wrapper.empty())
        Replaced.insert(Call);
    }
  for (Worker &W : Workers)
    if (const WorkSpec *Row = W.Spec->As.empty() ? nullptr : Known.named(W.Spec->As))
      W = takeAs(W, *Row);
  for (Worker &W : Workers)
    if (auto *Invoke = dyn_cast<InvokeInst>(W.Call); Invoke && !Invoke->getNormalDest()->getSinglePredecessor())
      SplitEdge(Invoke->getParent(), Invoke->getNormalDest());
}

unsigned LibraryWork::layOut(SiteTable &Sites, unsigned NodeBytes)
{
  std::map<unsigned, unsigned> Offsets; /* by loc: copies that the optimiser made of a call share a counter */
  for (Worker &W : Workers) {
    std::string Written = Known.written(*W.Call, *W.Spec);
    unsigned Loc = Sites.workOf(KnownWork::place(*W.Call, Written), Written, W.Spec->Unit);
    auto [It, New] = Offsets.try_emplace(Loc, NodeBytes);
    if (New) {
      Sites.addRef(Loc, NodeBytes);
      NodeBytes += 8;
    }
    W.Offset = It->second;
  }
  return NodeBytes;
}

/* ---- how much ------------------------------------------------------------------------ */

/* Where it is counted. */
Instruction *LibraryWork::place(const Worker &W) const
{
  if (!W.Spec->After)
    return W.Call;
  auto *Invoke = dyn_cast<InvokeInst>(W.Call);
  return Invoke ? &*Invoke->getNormalDest()->getFirstInsertionPt() : W.Call->getNextNode();
}

void LibraryWork::reach(function_ref<Value *(IRBuilder<> &)> Node)
{
  for (Worker &W : Workers) {
    IRBuilder<> B(place(W));
    B.SetCurrentDebugLocation(DebugLoc());
    W.Node = Node(B);
  }
}

Value *LibraryWork::length(IRBuilder<> &B, Value *Text, bool Wide) const
{
  FunctionCallee Strlen = RT.module().getOrInsertFunction(Wide ? "wcslen" : "strlen", RT.i64(), RT.pointer());
  Value *Safe = B.CreateSelect(B.CreateIsNull(Text), nothing(WideBytes), Text);
  auto *Call = B.CreateCall(Strlen, {Safe});
  Call->setDoesNotThrow();
  return Call;
}

/* A constant of `Bytes` zero bytes. */
GlobalVariable *LibraryWork::nothing(uint64_t Bytes) const
{
  auto *Zeros = ArrayType::get(Type::getInt8Ty(F.getContext()), Bytes);
  auto *Nothing = new GlobalVariable(RT.module(), Zeros, true, GlobalValue::PrivateLinkage,
                                     Constant::getNullValue(Zeros), "scale.nothing");
  Nothing->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  Nothing->setAlignment(Align(WideBytes));
  return Nothing;
}

/* The number there. Of a null pointer, which the function may refuse: 0. */
Value *LibraryWork::field(IRBuilder<> &B, Value *Of, const WorkTerm &Term, bool MayBeNull) const
{
  if (MayBeNull)
    Of = B.CreateSelect(B.CreateIsNull(Of), nothing(Term.Value + Term.Bytes), Of);
  Value *At = B.CreatePtrAdd(Of, B.getInt64(Term.Value));
  return B.CreateIntCast(B.CreateAlignedLoad(B.getIntNTy(Term.Bytes * 8), At, Align(1)), RT.i64(), true);
}

Value *LibraryWork::term(IRBuilder<> &B, const Worker &W, const WorkTerm &Term) const
{
  const CallBase &Call = *W.Call;
  auto Number = [&](Value *V, bool Signed) -> Value * {
    return V->getType()->isPointerTy() ? B.CreatePtrToInt(V, RT.i64()) : B.CreateIntCast(V, RT.i64(), Signed);
  };
  auto *Result = const_cast<CallBase *>(&Call);
  switch (Term.From) {
  case WorkTerm::Argument:
    return Number(Call.getArgOperand(Term.Index), W.Spec->Probe); // there, -1 may stand for "all"
  case WorkTerm::Field:
    return field(B, Call.getArgOperand(Term.Index), Term, W.Spec->compares());
  case WorkTerm::Before: {
    IRBuilder<> Early(W.Call);
    return field(Early, Call.getArgOperand(Term.Index), Term, true);
  }
  case WorkTerm::Result:
    return Number(Result, true);
  case WorkTerm::End:
    return B.CreateAlignedLoad(RT.i64(), Call.getArgOperand(Term.Index), Align(1));
  case WorkTerm::Walk:
    if (GetStringLength(Call.getArgOperand(Term.Index)))
      break;
    [[fallthrough]];
  case WorkTerm::StringLength:
    return length(B, Call.getArgOperand(Term.Index), Term.Wide);
  case WorkTerm::ResultLength:
    return length(B, Result, Term.Wide);
  case WorkTerm::Calls: // countCalls() made it a struct sc_called
    return B.CreateLoad(RT.i64(), Call.getArgOperand(Term.First));
  case WorkTerm::Copied:
  case WorkTerm::Number:
    break;
  }
  return B.getInt64(Term.Value);
}

Value *LibraryWork::amount(IRBuilder<> &B, const Worker &W) const
{
  Value *Sum = nullptr;
  bool Signed = W.Spec->Probe;
  for (const WorkTerm &T : W.Spec->Amount) {
    Value *V = term(B, W, T);
    Signed |= T.From == WorkTerm::Result && W.Call->getType()->isIntegerTy();
    if (!Sum) {
      Sum = V;
      continue;
    }
    Signed |= T.Join == WorkTerm::Minus;
    switch (T.Join) {
    case WorkTerm::Plus:
      Sum = B.CreateAdd(Sum, V);
      break;
    case WorkTerm::Minus:
      Sum = B.CreateSub(Sum, V);
      break;
    case WorkTerm::Times:
      Sum = B.CreateMul(Sum, V);
      break;
    case WorkTerm::Over:
      Sum = B.CreateUDiv(Sum, B.CreateBinaryIntrinsic(Intrinsic::umax, V, B.getInt64(1)));
      break;
    case WorkTerm::Least:
      Sum = B.CreateBinaryIntrinsic(Intrinsic::umin, Sum, V);
      break;
    }
  }
  return Signed ? B.CreateBinaryIntrinsic(Intrinsic::smax, Sum, B.getInt64(0)) : Sum;
}

/* ---- counting it ------------------------------------------------------------------------ */

/* A caller that does not want to know where the function stopped hands over a null pointer. */
void LibraryWork::keepEnd(Worker &W) const
{
  for (const WorkTerm &T : W.Spec->Amount) {
    if (T.From != WorkTerm::End)
      continue;
    Value *Wanted = W.Call->getArgOperand(T.Index);
    if (isa<AllocaInst>(Wanted))
      continue;
    auto *Own = new AllocaInst(RT.pointer(), 0, "scale.end", F.getEntryBlock().begin());
    IRBuilder<> B(W.Call);
    B.SetCurrentDebugLocation(DebugLoc());
    W.Call->setArgOperand(T.Index, B.CreateSelect(B.CreateIsNull(Wanted), Own, Wanted));
  }
}

/* A function of the runtime's, which is in every link unit. */
static FunctionCallee inRuntime(const Runtime &RT, StringRef Name, FunctionType *T)
{
  FunctionCallee To = RT.module().getOrInsertFunction(Name, T);
  if (auto *Declared = dyn_cast<Function>(To.getCallee())) {
    Declared->setVisibility(GlobalValue::HiddenVisibility);
    Declared->setDSOLocal(true);
  }
  return To;
}

/* Hands over a function of the runtime's that counts, calls the one of the program and gets a struct sc_called
 * (runtime/work.h) in place of the first argument. */
void LibraryWork::countCalls(Worker &W) const
{
  for (const WorkTerm &T : W.Spec->Amount) {
    if (T.From != WorkTerm::Calls)
      continue;
    auto *Called = StructType::get(RT.i64(), RT.pointer(), RT.pointer());
    auto *Own = new AllocaInst(Called, 0, "scale.called", F.getEntryBlock().begin());
    IRBuilder<> B(W.Call);
    B.SetCurrentDebugLocation(DebugLoc());
    B.CreateStore(B.getInt64(0), Own);
    B.CreateStore(W.Call->getArgOperand(T.First), B.CreateStructGEP(Called, Own, 1));
    B.CreateStore(W.Call->getArgOperand(T.Index), B.CreateStructGEP(Called, Own, 2));
    W.Call->setArgOperand(T.First, Own);
    auto *Compare = FunctionType::get(B.getInt32Ty(), {RT.pointer(), RT.pointer()}, false);
    W.Call->setArgOperand(T.Index, inRuntime(RT, "__scale_work_called", Compare).getCallee());
  }
}

/* A tree keeps the argument in a new element, to which the function returns a pointer: there it is what the program
 * handed over again. */
void LibraryWork::putBack(IRBuilder<> &B, const Worker &W) const
{
  for (const WorkTerm &T : W.Spec->Amount) {
    if (!T.Kept)
      continue;
    Value *Own = W.Call->getArgOperand(T.First);
    auto *Nowhere = new AllocaInst(RT.pointer(), 0, "scale.nowhere", F.getEntryBlock().begin());
    B.CreateStore(ConstantPointerNull::get(B.getPtrTy()), Nowhere);
    Value *At = B.CreateSelect(B.CreateIsNull(W.Call), Nowhere, W.Call);
    Value *Kept = B.CreateICmpEQ(B.CreateAlignedLoad(RT.pointer(), At, Align(1)), Own);
    auto *Called = StructType::get(RT.i64(), RT.pointer(), RT.pointer());
    Value *First = B.CreateLoad(RT.pointer(), B.CreateStructGEP(Called, Own, 1));
    B.CreateAlignedStore(First, B.CreateSelect(Kept, At, Nowhere), Align(1));
  }
}

/* Calls the runtime's function instead; gives how much work that was. */
Value *LibraryWork::replace(Worker &W) const
{
  CallBase *Old = W.Call;
  SmallVector<Value *, 3> Args(Old->args());
  SmallVector<Type *, 3> Types;
  for (Value *Arg : Args)
    Types.push_back(Arg->getType());
  auto *Both = StructType::get(RT.i64(), RT.i64());
  FunctionCallee To = inRuntime(RT, W.Spec->Wrapper, FunctionType::get(Both, Types, false));
  auto *Invoke = dyn_cast<InvokeInst>(Old);
  IRBuilder<> B(Old);
  CallBase *New;
  if (Invoke && W.Spec->Throws) {
    BasicBlock *Next = Invoke->getNormalDest();
    FoldSingleEntryPHINodes(Next);
    New = B.CreateInvoke(To, Next, Invoke->getUnwindDest(), Args);
    B.SetInsertPoint(&*Next->getFirstInsertionPt());
    Invoke = nullptr; /* nothing is left of it */
  } else {
    New = B.CreateCall(To, Args);
    if (!W.Spec->Throws)
      New->setDoesNotThrow();
  }
  Value *Result = B.CreateExtractValue(New, 0), *Units = B.CreateExtractValue(New, 1);
  if (Type *T = Old->getType(); !T->isVoidTy())
    Old->replaceAllUsesWith(T->isPointerTy() ? B.CreateIntToPtr(Result, T) : B.CreateIntCast(Result, T, true));
  if (Invoke) {
    Invoke->getUnwindDest()->removePredecessor(Invoke->getParent());
    B.CreateBr(Invoke->getNormalDest());
  }
  Old->eraseFromParent();
  W.Call = New;
  return Units;
}

/* What of each amount is not counted. */
uint64_t LibraryWork::fixedPart(const Worker &W) const
{
  return W.Spec->Probe ? 0 : Known.fixed().less(*W.Call, W.Spec->Function);
}

/* Counts what Units gives but for Fixed, behind At. */
void LibraryWork::count(const Worker &W, Instruction *At, Value *Units, uint64_t Fixed) const
{
  IRBuilder<> B(At->getNextNode());
  B.SetCurrentDebugLocation(DebugLoc());
  RT.add(B, W.Node, W.Offset, B.CreateSub(Units, B.getInt64(Fixed)));
}

void LibraryWork::lower(function_ref<Instruction *(const CallBase &)> Copied)
{
  for (Worker &W : Workers) {
    auto *Node = cast<Instruction>(W.Node); // loaded where the amount is known
    if (W.Spec->isCopy()) {
      if (Instruction *Bytes = Copied(*W.Call))
        count(W, Bytes, Bytes, 0);
      continue;
    }
    if (Replaced.erase(W.Call)) {
      uint64_t Fixed = fixedPart(W);
      count(W, Node, replace(W), Fixed);
      continue;
    }
    if (auto *Plain = dyn_cast<CallInst>(W.Call); Plain && Plain->isTailCall() && W.Spec->After)
      Plain->setTailCallKind(CallInst::TCK_None);
    keepEnd(W);
    countCalls(W);
    IRBuilder<> B(Node->getNextNode());
    B.SetCurrentDebugLocation(W.Call->getDebugLoc());
    putBack(B, W);
    Value *Units = B.CreateSub(amount(B, W), B.getInt64(fixedPart(W)));
    B.SetCurrentDebugLocation(DebugLoc());
    RT.add(B, W.Node, W.Offset, Units);
  }
}

} // namespace scale
