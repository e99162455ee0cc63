// SPDX-License-Identifier: GPL-3.0-or-later
// The part of Runtime that reaches the runtime library through its gates (runtime/enter.h).
#include "instrument/pass/callees.h"
#include "instrument/pass/runtime.h"
#include "profiles/layout.inc"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
using namespace llvm;

namespace scale
{

/*
 * Inline assembly that calls one of the runtime's gates (runtime/enter.h): to the compiler it is no call, so a function
 * without others needs no frame for it and moves no arguments; only a red zone it must not have.
 */
CallInst *Runtime::gate(IRBuilder<> &B, const char *Name, ArrayRef<Value *> Registers, const char *Constraints,
                        bool KeepsVectors) const
{
  B.GetInsertBlock()->getParent()->addFnAttr(Attribute::NoRedZone);
  std::string Text = "call *" + std::string(Name) + "@GOTPCREL(%rip)";
  std::string Clobbers = std::string(Constraints) + ",~{memory},~{dirflag},~{fpsr},~{flags}";
  if (!KeepsVectors) {
    for (int I = 0; I < 32; I++)
      Clobbers += ",~{zmm" + std::to_string(I) + "}";
    for (int I = 0; I < 8; I++)
      Clobbers += ",~{k" + std::to_string(I) + "},~{mm" + std::to_string(I) + "},~{st(" + std::to_string(I) + ")}";
  }
  SmallVector<Type *, 3> Types(Registers.size(), Pointer);
  Type *Results = StructType::get(M.getContext(), {Pointer, Pointer});
  auto *Asm = InlineAsm::get(llvm::FunctionType::get(Results, Types, false), Text, Clobbers, /*hasSideEffects=*/true);
  CallInst *Call = B.CreateCall(Asm, Registers);
  Call->setDoesNotThrow();
  return Call;
}

Runtime::Shortened Runtime::shorten(Instruction *Before, Value *Target, Value *Slot, bool Jump) const
{
  IRBuilder<> B(Before);
  B.SetCurrentDebugLocation(DebugLoc());
  Value *Code = load(B, Pointer, Slot, offsetof(scale_entry, code));
  Instruction *Known, *Other;
  SplitBlockAndInsertIfThenElse(B.CreateICmpEQ(Target, Code), Before, &Known, &Other, Likely);
  B.SetInsertPoint(Known);
  Value *Body = load(B, Pointer, Slot, offsetof(scale_entry, body));
  B.SetInsertPoint(Other);
  Value *OtherTarget = Target, *OtherSlot = Slot;
  if (Gates) {
    CallInst *Found = gate(B, "__scale_call_gate", {Target, Slot}, "={rax},={r10},0,1,~{r11}", true);
    OtherTarget = B.CreateExtractValue(Found, 0);
    OtherSlot = B.CreateExtractValue(Found, 1);
    if (Jump) {
      B.SetInsertPoint(SplitBlockAndInsertIfThen(B.CreateICmpEQ(OtherSlot, Slot), Other->getIterator(), false));
      setThreadSlotToJump(B, Slot);
    }
  } else {
    leaveThreadSlot(B, Slot, Jump);
  }
  B.SetInsertPoint(Before->getParent(), Before->getParent()->begin());
  PHINode *To = B.CreatePHI(Pointer, 2), *With = B.CreatePHI(Pointer, 2);
  To->addIncoming(Body, Known->getParent());
  To->addIncoming(OtherTarget, Other->getParent());
  With->addIncoming(Slot, Known->getParent());
  With->addIncoming(OtherSlot, Other->getParent());
  return {To, With};
}

Value *Runtime::enterByGate(Instruction *Then, Value *Slot, GlobalVariable *Record,
                            function_ref<void(Instruction *, Value *)> Jumped) const
{
  IRBuilder<> B(Then);
  B.SetCurrentDebugLocation(nowhere(Then));
  Value *Entered = Jumped ? entryAddress(B) : B.getInt64(0);
  CallInst *Result = gate(B, "__scale_enter_gate", {Slot, Record, B.CreateIntToPtr(Entered, Pointer)},
                          "={r10},={r11},0,1,{rax}", false);
  Value *Entry = B.CreateExtractValue(Result, 0);
  if (Jumped) {
    Value *Flag = B.CreateIsNotNull(B.CreatePtrToInt(B.CreateExtractValue(Result, 1), I64));
    Instruction *Jump = SplitBlockAndInsertIfThen(Flag, Then->getIterator(), true);
    Jumped(Jump, Entry);
    Jump->eraseFromParent();
  }
  return Entry;
}

/* Parameters that certainly travel in registers, and results outside r10 and r11. */
static bool fitsRegisters(const Function &F)
{
  unsigned General = 0, Vector = 0;
  Type *Result = F.getReturnType();
  if (F.getCallingConv() != CallingConv::C || F.isVarArg() || hasSpecialParameters(F.getAttributes(), F.arg_size()) ||
      (Result->isAggregateType() && (!Result->isStructTy() || Result->getStructNumElements() > 2)))
    return false;
  for (const Argument &A : F.args()) {
    Type *T = A.getType();
    if (A.hasPassPointeeByValueCopyAttr())
      return false;
    if (T->isPointerTy() || (T->isIntegerTy() && T->getIntegerBitWidth() <= 64))
      General++;
    else if (T->isFloatTy() || T->isDoubleTy())
      Vector++;
    else
      return false;
  }
  return General <= 6 && Vector <= 8;
}

/* Names that need quotes in assembly text, as __asm__ labels can give. */
static bool isPlainName(StringRef Name)
{
  return !isDigit(Name.front()) && all_of(Name, [](char C) { return isAlnum(C) || C == '_' || C == '.' || C == '$'; });
}

/* Makes F, which has lost its code, a naked function that is Text alone. */
static void becomeAssembly(Function &F, const char *Text, const char *Constraints, ArrayRef<Value *> Operands)
{
  LLVMContext &Context = F.getContext();
  UWTableKind Tables = F.getUWTableKind();
  bool NeverThrows = F.doesNotThrow(), Unprotected = F.doesNoCfCheck();
  F.setAttributes(F.getAttributes().removeFnAttributes(Context));
  F.addFnAttr(Attribute::Naked);
  F.addFnAttr(Attribute::NoInline);
  F.addFnAttr(Attribute::OptimizeForSize); // not worth an alignment
  F.setUWTableKind(Tables);
  if (NeverThrows)
    F.setDoesNotThrow();
  if (Unprotected)
    F.addFnAttr(Attribute::NoCfCheck);
  IRBuilder<> B(BasicBlock::Create(Context, "", &F));
  SmallVector<Type *, 3> Types(Operands.size(), B.getPtrTy());
  B.CreateCall(InlineAsm::get(llvm::FunctionType::get(B.getVoidTy(), Types, false), Text, Constraints, true), Operands);
  B.CreateUnreachable();
}

bool Runtime::wrapByGate(Function &F, GlobalVariable *Record) const
{
  if (!Gates || !fitsRegisters(F) || !isPlainName(Record->getName()))
    return false;
  becomeAssembly(F, "leaq ${0:c}(%rip), %r11\n\tjmpq *__scale_wrap_gate@GOTPCREL(%rip)", "i", {Record});
  return true;
}

bool Runtime::canBranchIdle(const Function &F) const { return Gates && isPlainName(F.getName()); }

void Runtime::branchIdle(Function &F, Function &Idle, Function &Counting) const
{
  auto *Flag = cast<GlobalVariable>(M.getOrInsertGlobal("__scale_idle", I32));
  Flag->setVisibility(GlobalValue::HiddenVisibility);
  Flag->setDSOLocal(true);
  // No jump of the compiler's: where an argument is a copy on the stack, llvm moves it, onto the return address.
  becomeAssembly(F, "cmpl $$0, ${0:c}(%rip)\n\tjne ${1:c}\n\tjmp ${2:c}", "i,i,i", {Flag, &Idle, &Counting});
}

} // namespace scale
