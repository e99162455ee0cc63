// SPDX-License-Identifier: GPL-3.0-or-later
// The part of FunctionEvents that generates code.
#include "instrument/pass/events.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Support/xxhash.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
using namespace llvm;

namespace scale
{

unsigned FunctionEvents::how(const Use &U)
{
  // The application's own resources are told apart by what remains of their names.
  unsigned Resource = U.Spec->Class == SCALE_CLASS_OTHER ? xxh3_64bits(U.Name.Name) >> 52 : 0;
  bool May = U.Spec->Wait == EventSpec::Timed && U.Spec->Waited == Outcome::Always && U.Spec->Class < SCALE_CLASS_SLEEP;
  return U.Spec->Class | (U.Flags | (May ? SCALE_SITE_DELAYED : 0)) << 8 | U.Event << 16 | Resource << 20;
}

Value *FunctionEvents::cellAddress(IRBuilder<> &B, Value *Node, unsigned Cell) const
{
  return RT.slot(B, Node, Cells[Cell].Offset);
}

/* ---- what the row speaks of ------------------------------------------------------------- */

static Value *asNumber(IRBuilder<> &B, Value *V)
{
  return V->getType()->isPointerTy() ? B.CreatePtrToInt(V, B.getInt64Ty()) : B.CreateZExt(V, B.getInt64Ty());
}

static Value *asInstance(IRBuilder<> &B, Value *V)
{
  return V->getType()->isPointerTy() ? V : B.CreateIntToPtr(B.CreateZExt(V, B.getInt64Ty()), B.getPtrTy());
}

Value *FunctionEvents::instance(IRBuilder<> &B, const CallBase &Call, const EventSpec &Spec) const
{
  const Identity &I = Spec.Instance;
  switch (I.From) {
  case Identity::Result:
    return asInstance(B, const_cast<CallBase *>(&Call));
  case Identity::Argument: {
    Value *V = asInstance(B, Call.getArgOperand(I.Index));
    return I.Offset ? B.CreatePtrAdd(V, B.getInt64(I.Offset)) : V;
  }
  case Identity::Pointee: {
    Value *At = B.CreatePtrAdd(Call.getArgOperand(I.Index), B.getInt64(I.Offset));
    Type *T = Spec.Class == SCALE_CLASS_DESCRIPTOR ? B.getInt32Ty() : B.getInt64Ty();
    return asInstance(B, B.CreateAlignedLoad(T, At, Align(4)));
  }
  case Identity::None:
    break;
  }
  return ConstantPointerNull::get(B.getPtrTy());
}

Value *FunctionEvents::units(IRBuilder<> &B, const CallBase &Call, const EventSpec &Spec) const
{
  const Units &A = Spec.Amount;
  switch (A.From) {
  case Units::Argument:
    return asNumber(B, Call.getArgOperand(A.First));
  case Units::Product:
    return B.CreateMul(asNumber(B, Call.getArgOperand(A.First)), asNumber(B, Call.getArgOperand(A.Second)));
  case Units::Result:
    return asNumber(B, const_cast<CallBase *>(&Call));
  case Units::Usable:
    return B.getInt64(0);
  case Units::Constant:
    break;
  }
  return B.getInt64(A.Number);
}

/* Null: always. */
static Value *test(IRBuilder<> &B, Outcome When, CallBase &Call)
{
  Type *T = Call.getType();
  if (When == Outcome::Always)
    return nullptr;
  Constant *Zero = Constant::getNullValue(T);
  switch (When) {
  case Outcome::Zero:
    return B.CreateICmpEQ(&Call, Zero);
  case Outcome::Nonzero:
    return B.CreateICmpNE(&Call, Zero);
  default:
    break;
  }
  Value *Number = T->isPointerTy() ? asNumber(B, &Call) : &Call;
  switch (When) {
  case Outcome::Negative:
    return B.CreateICmpSLT(Number, Constant::getNullValue(Number->getType()));
  case Outcome::Nonnegative:
    return B.CreateICmpSGE(Number, Constant::getNullValue(Number->getType()));
  default:
    return B.CreateICmpNE(Number, Constant::getAllOnesValue(Number->getType()));
  }
}

/* ---- before the call ---------------------------------------------------------------------- */

/* The arguments that the runtime gets before and after a call alike. */
void FunctionEvents::use(IRBuilder<> &B, const Caught &C, const Use &U, Value *Node) const
{
  Value *Cell = cellAddress(B, Node, U.Cell), *Instance = instance(B, *C.Call, *U.Spec);
  switch (U.Event) {
  case SCALE_EVENT_RELEASE:
    All.hooks().releases(B, Cell, Instance, units(B, *C.Call, *U.Spec), how(U));
    break;
  case SCALE_EVENT_NAME:
    All.hooks().named(B, Cell, Instance, how(U));
    break;
  default:
    All.hooks().used(B, Cell, Instance, units(B, *C.Call, *U.Spec), how(U));
  }
  touch(B, U, Node);
}

void FunctionEvents::touch(IRBuilder<> &B, const Use &U, Value *Node) const
{
  if (U.Spec->Touched.empty())
    return;
  const EventSite &E = Cells[U.TouchedCell];
  All.hooks().used(B, cellAddress(B, Node, U.TouchedCell), ConstantPointerNull::get(B.getPtrTy()), B.getInt64(1),
                   E.Class | E.Flags << 8 | E.Event << 16);
}

void FunctionEvents::before(IRBuilder<> &B, Caught &C, Use &U) const
{
  if (U.Spec->Wait == EventSpec::Timed) {
    Value *Known = U.Spec->Instance.From == Identity::Argument ? instance(B, *C.Call, *U.Spec)
                                                               : ConstantPointerNull::get(B.getPtrTy());
    U.Token = All.hooks().waits(B, cellAddress(B, C.NodeBefore, U.Cell), Known, how(U));
  }
  if (U.Event == SCALE_EVENT_RESIZE) {
    U.Old = instance(B, *C.Call, *U.Spec);
    U.Token = All.hooks().resizes(B, U.Old, how(U));
  } else if (!U.After) {
    use(B, C, U, C.NodeBefore);
  }
}

/* ---- behind it ------------------------------------------------------------------------------ */

void FunctionEvents::after(Instruction *At, Caught &C, const Use &U)
{
  IRBuilder<> B(At);
  B.SetCurrentDebugLocation(C.Call->getDebugLoc());
  if (U.Spec->Wait == EventSpec::Timed) {
    Value *Waited = test(B, U.Spec->Waited, *C.Call);
    if (Waited)
      B.SetInsertPoint(SplitBlockAndInsertIfThen(Waited, At->getIterator(), false));
    B.SetCurrentDebugLocation(C.Call->getDebugLoc());
    All.hooks().waited(B, cellAddress(B, C.NodeAfter, U.Cell), instance(B, *C.Call, *U.Spec), U.Token, how(U));
    B.SetInsertPoint(At);
    B.SetCurrentDebugLocation(C.Call->getDebugLoc());
    if (U.Event == SCALE_EVENT_WAIT)
      return touch(B, U, C.NodeAfter);
  }
  Value *Worked = test(B, U.Spec->Success, *C.Call);
  if (U.Event == SCALE_EVENT_RESIZE) {
    Value *Bytes = All.hooks().resized(B, cellAddress(B, C.NodeAfter, U.Cell), U.Token, U.Old, asInstance(B, C.Call),
                                       units(B, *C.Call, *U.Spec),
                                       Worked ? B.CreateZExt(Worked, B.getInt32Ty()) : B.getInt32(1), how(U));
    Copied[C.Call] = cast<Instruction>(Bytes);
    return;
  }
  if (Worked) {
    MDNode *Likely = MDBuilder(F.getContext()).createBranchWeights(1 << 12, 1);
    Instruction *Then, *Else = nullptr;
    if (U.Event == SCALE_EVENT_ACQUIRE)
      SplitBlockAndInsertIfThenElse(Worked, At->getIterator(), &Then, &Else, Likely);
    else
      Then = SplitBlockAndInsertIfThen(Worked, At->getIterator(), false, Likely);
    if (Else) {
      B.SetInsertPoint(Else);
      B.SetCurrentDebugLocation(C.Call->getDebugLoc());
      bool Known = U.Spec->Instance.From == Identity::Argument;
      All.hooks().failed(B, cellAddress(B, C.NodeAfter, U.Cell),
                         Known ? instance(B, *C.Call, *U.Spec) : ConstantPointerNull::get(B.getPtrTy()), how(U));
    }
    B.SetInsertPoint(Then);
    B.SetCurrentDebugLocation(C.Call->getDebugLoc());
  }
  if (U.Event != SCALE_EVENT_ACQUIRE)
    return use(B, C, U, C.NodeAfter);
  All.hooks().acquired(B, cellAddress(B, C.NodeAfter, U.Cell), instance(B, *C.Call, *U.Spec),
                       units(B, *C.Call, *U.Spec), how(U));
  touch(B, U, C.NodeAfter);
}

/* ---- instead of it ---------------------------------------------------------------------------- */

void FunctionEvents::replace(Caught &C) const
{
  CallBase *Old = C.Call;
  const Use &U = *find_if(C.Uses, [](const Use &Each) { return Each.Spec->Wait == EventSpec::Replaced; });
  IRBuilder<> B(Old);
  SmallVector<Value *, 8> Args(Old->args());
  for (const Use &Each : C.Uses)
    if (Each.Spec->Wait == EventSpec::Replaced)
      Args.append({cellAddress(B, C.NodeBefore, Each.Cell), B.getInt32(how(Each))});
  if (U.Spec->isHeader()) // the runtime cannot name it
    Args.push_back(Old->getCalledOperand());
  FunctionCallee To = All.hooks().wrapper(U.Spec->Wrapper, Old->getType(), Args);
  CallBase *New;
  if (auto *Invoke = dyn_cast<InvokeInst>(Old)) {
    New = B.CreateInvoke(To, Invoke->getNormalDest(), Invoke->getUnwindDest(), Args);
  } else {
    auto *Call = B.CreateCall(To, Args);
    Call->setTailCallKind(cast<CallInst>(Old)->getTailCallKind());
    New = Call;
  }
  // What the original promises, it keeps; of memory it touches the runtime's, too.
  New->setAttributes(Old->getAttributes());
  if (Old->doesNotThrow())
    New->setDoesNotThrow();
  New->removeFnAttr(Attribute::Memory);
  New->takeName(Old);
  Old->replaceAllUsesWith(New);
  Old->eraseFromParent();
  C.Call = New;
}

void FunctionEvents::annotate(Caught &C) const
{
  const Use &U = C.Uses.front();
  IRBuilder<> B(C.Call);
  Value *Cell = cellAddress(B, C.NodeBefore, U.Cell), *Instance = instance(B, *C.Call, *U.Spec);
  switch (U.Spec->Annotation) {
  case EventSpec::Failed:
    All.hooks().failed(B, Cell, Instance, how(U));
    break;
  case EventSpec::WaitBegins:
    C.Call->replaceAllUsesWith(All.hooks().waits(B, Cell, Instance, how(U)));
    break;
  case EventSpec::WaitEnds:
    All.hooks().waited(B, Cell, Instance, C.Call->getArgOperand(2), how(U));
    break;
  default:
    if (U.Event == SCALE_EVENT_ACQUIRE)
      All.hooks().acquired(B, Cell, Instance, units(B, *C.Call, *U.Spec), how(U));
    else
      use(B, C, U, C.NodeBefore);
  }
  C.Call->eraseFromParent();
}

void FunctionEvents::lower()
{
  for (Caught &C : Calls) {
    if (C.Uses.front().Spec->Annotation) {
      annotate(C);
      continue;
    }
    Instruction *Behind = C.NodeAfter ? cast<Instruction>(C.NodeAfter)->getNextNode() : nullptr;
    for (Use &U : C.Uses)
      if (U.Before && U.Spec->Wait != EventSpec::Replaced) {
        IRBuilder<> B(C.Call);
        before(B, C, U);
      }
    for (Use &U : C.Uses)
      if (U.After)
        after(Behind, C, U);
    if (Replaced.erase(C.Call))
      replace(C);
  }
}

} // namespace scale
