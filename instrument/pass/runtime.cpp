// SPDX-License-Identifier: GPL-3.0-or-later
#include "instrument/pass/runtime.h"
#include "profiles/layout.inc"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
using namespace llvm;

namespace scale
{

Runtime::Runtime(Module &Mod) : M(Mod)
{
  LLVMContext &C = M.getContext();
  Pointer = PointerType::get(C, 0);
  I64 = Type::getInt64Ty(C);
  I32 = Type::getInt32Ty(C);
  FunctionType = StructType::get(C, {I32, I32, I64, I64, I64, Pointer, Pointer});
  UnitRefType = StructType::get(C, {I32, I32, Pointer, Pointer});
  ThreadSlot = M.getNamedGlobal("__scale_slot");
  if (!ThreadSlot)
    ThreadSlot = new GlobalVariable(M, Pointer, false, GlobalValue::ExternalLinkage, nullptr, "__scale_slot", nullptr,
                                    GlobalValue::InitialExecTLSModel);
  std::string ModuleName = ModulePrefix + std::to_string(SCALE_FORMAT_VERSION);
  ModuleRef = M.getNamedGlobal(ModuleName);
  if (!ModuleRef) {
    auto *T = StructType::get(C, {I64, I32, I32});
    ModuleRef = new GlobalVariable(M, T, false, GlobalValue::ExternalLinkage, nullptr, ModuleName);
    ModuleRef->setVisibility(GlobalValue::HiddenVisibility);
    ModuleRef->setDSOLocal(true);
  }
  Enter = declare("__scale_enter");
  Node = declare("__scale_node");
  Unlikely = MDBuilder(C).createBranchWeights(1, 1 << 20);
  Likely = MDBuilder(C).createBranchWeights(1 << 20, 1);
  Triple Target(M.getTargetTriple());
  Gates = Target.getArch() == Triple::x86_64 && !Target.isX32();
  findTbaa();
}

FunctionCallee Runtime::declare(const char *Name)
{
  FunctionCallee Callee = M.getOrInsertFunction(Name, llvm::FunctionType::get(Pointer, {Pointer, Pointer}, false));
  if (auto *F = dyn_cast<Function>(Callee.getCallee())) {
    F->setCallingConv(CallingConv::PreserveMost);
    F->addFnAttr(Attribute::NoUnwind);
    F->addFnAttr(Attribute::Cold);
    // The dynamic linker's lazy resolver doesn't keep the registers that preserve_most promises.
    F->addFnAttr(Attribute::NonLazyBind);
  }
  return Callee;
}

/* Counters alias nothing of the program's: their type hangs at the root of its type tree, beside char. */
void Runtime::findTbaa()
{
  for (Function &F : M)
    for (Instruction &I : instructions(F)) {
      MDNode *Tag = I.getMetadata(LLVMContext::MD_tbaa);
      if (!Tag || Tag->getNumOperands() < 3)
        continue;
      auto *Type = dyn_cast_or_null<MDNode>(Tag->getOperand(0));
      while (Type && Type->getNumOperands() >= 2 && isa_and_nonnull<MDNode>(Type->getOperand(1)))
        Type = cast<MDNode>(Type->getOperand(1));
      if (!Type || Type->getNumOperands() > 1)
        continue;
      MDBuilder B(M.getContext());
      MDNode *Counter = B.createTBAAScalarTypeNode("scale counter", Type);
      Tbaa = B.createTBAAStructTagNode(Counter, Counter, 0);
      return;
    }
}

Value *Runtime::at(IRBuilder<> &B, Value *Base, uint64_t Offset) const
{
  return Offset ? B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Base, Offset) : Base;
}

Value *Runtime::slot(IRBuilder<> &B, Value *Node, uint64_t Offset) const
{
  return at(B, B.CreateLaunderInvariantGroup(Node), Offset);
}

/*
 * For the optimiser and for sanitizers: none of the program's accesses. ThreadSanitizer cannot see how threads hand
 * over their trees, and would report races; where the optimiser merges accesses and forgets the mark, atomic ones keep
 * it quiet.
 */
template <class Access> static void mark(Access *I, MDNode *Tbaa)
{
  if (Tbaa)
    I->setMetadata(LLVMContext::MD_tbaa, Tbaa);
  I->setNoSanitizeMetadata();
  if (I->getFunction()->hasFnAttribute(Attribute::SanitizeThread))
    I->setAtomic(AtomicOrdering::Monotonic);
}

LoadInst *Runtime::load(IRBuilder<> &B, Type *T, Value *Base, uint64_t Offset) const
{
  LoadInst *L = B.CreateLoad(T, at(B, Base, Offset));
  mark(L, Tbaa);
  return L;
}

void Runtime::store(IRBuilder<> &B, Value *V, Value *Base, uint64_t Offset) const
{
  mark(B.CreateStore(V, at(B, Base, Offset)), Tbaa);
}

void Runtime::add(IRBuilder<> &B, Value *Base, uint64_t Offset, Value *Amount) const
{
  store(B, B.CreateAdd(load(B, I64, Base, Offset), Amount), Base, Offset);
}

Value *Runtime::threadSlot(IRBuilder<> &B) const { return load(B, Pointer, B.CreateThreadLocalAddress(ThreadSlot), 0); }

void Runtime::setThreadSlot(IRBuilder<> &B, Value *Slot) const
{
  store(B, Slot, B.CreateThreadLocalAddress(ThreadSlot), 0);
}

/* Line 0 of the function: a call in a function with debug information should have a place. */
DebugLoc Runtime::nowhere(Instruction *Before)
{
  DISubprogram *S = Before->getFunction()->getSubprogram();
  return S ? DebugLoc(DILocation::get(S->getContext(), 0, 0, S)) : DebugLoc();
}

/* Slot itself if its key is the function's, else what the runtime finds behind it. Jumped: see enterOrJump. */
Value *Runtime::enterAt(Instruction *Before, Value *Slot, GlobalVariable *Record,
                        function_ref<void(Instruction *, Value *)> Jumped) const
{
  IRBuilder<> B(Before);
  B.SetCurrentDebugLocation(DebugLoc());
  Value *Key = load(B, I32, Slot, offsetof(scale_entry, key));
  Value *Index = load(B, I32, Record, offsetof(scale_function, index));
  BasicBlock *Head = Before->getParent();
  Instruction *Then = SplitBlockAndInsertIfThen(B.CreateICmpNE(Key, Index), Before, false, Unlikely);
  Value *Found = Gates ? enterByGate(Then, Slot, Record, Jumped) : enterByCall(Then, Slot, Key, Record, Jumped);
  B.SetInsertPoint(Before->getParent(), Before->getParent()->begin());
  PHINode *Entry = B.CreatePHI(Pointer, 2);
  Entry->addIncoming(Slot, Head);
  Entry->addIncoming(Found, Then->getParent());
  return Entry;
}

Value *Runtime::enterByCall(Instruction *Then, Value *Slot, Value *Key, GlobalVariable *Record,
                            function_ref<void(Instruction *, Value *)> Jumped) const
{
  if (Jumped) {
    IRBuilder<> Cold(Then);
    Instruction *Jump = SplitBlockAndInsertIfThen(Cold.CreateICmpEQ(Key, place(Cold)), Then->getIterator(), true);
    IRBuilder<> There(Jump);
    Value *Plain = There.CreateConstInBoundsGEP1_64(There.getInt8Ty(), Slot, -int64_t(SCALE_JUMP));
    Jumped(Jump, enterAt(Jump, Plain, Record, nullptr));
    Jump->eraseFromParent();
  }
  IRBuilder<> Cold(Then);
  CallInst *Call = Cold.CreateCall(Enter, {Slot, Record});
  Call->setCallingConv(CallingConv::PreserveMost);
  Call->setDebugLoc(nowhere(Then));
  return Call;
}

Runtime::Entered Runtime::enter(Instruction *Before, GlobalVariable *Record) const
{
  IRBuilder<> B(Before);
  B.SetCurrentDebugLocation(DebugLoc());
  Value *Slot = threadSlot(B);
  return {Slot, enterAt(Before, Slot, Record, nullptr)};
}

/*
 * Tail calls that go by the thread's slot. Whoever calls in tail position leaves the slot's address plus 4 and notes in
 * the slot the stack address it was entered at (or what distinguishes it from others). Where a key is looked for, that
 * note is then found, which is no function's index. A wrapper that finds itself entered at that very address was jumped
 * to, and its caller's caller is instrumented code, which needs no slot back: so it jumps on, and a chain of such calls
 * does not let the stack grow. Any other wrapper (a foreign function was jumped to and calls back, a signal came, the
 * call did not become a jump) finds another address and does as always.
 */
Value *Runtime::entryAddress(IRBuilder<> &B) const
{
  bool X86 = Triple(M.getTargetTriple()).isX86();
  Function *Where =
      Intrinsic::getDeclaration(&M, X86 ? Intrinsic::addressofreturnaddress : Intrinsic::sponentry, {Pointer});
  return B.CreatePtrToInt(B.CreateCall(Where), I64);
}

Value *Runtime::place(IRBuilder<> &B) const
{
  Value *Address = entryAddress(B);
  Value *Low = B.CreateAnd(B.CreateTrunc(B.CreateLShr(Address, 3), I32), B.getInt32(SCALE_PLACE_BITS));
  return B.CreateOr(Low, B.getInt32(SCALE_PLACE));
}

void Runtime::setThreadSlotToJump(IRBuilder<> &B, Value *Slot) const
{
  store(B, place(B), Slot, offsetof(scale_entry, place));
  setThreadSlot(B, at(B, Slot, SCALE_JUMP));
}

void Runtime::leaveThreadSlot(IRBuilder<> &B, Value *Slot, bool Jump) const
{
  if (Jump)
    setThreadSlotToJump(B, Slot);
  else
    setThreadSlot(B, Slot);
}

Runtime::Entered Runtime::enterOrJump(Instruction *Before, GlobalVariable *Record,
                                      function_ref<void(Instruction *, Value *)> Jumped) const
{
  IRBuilder<> B(Before);
  B.SetCurrentDebugLocation(DebugLoc());
  Value *Slot = threadSlot(B);
  return {Slot, enterAt(Before, Slot, Record, Jumped)};
}

Value *Runtime::node(Instruction *Before, Value *Slot, GlobalVariable *Record,
                     function_ref<void(IRBuilder<> &, Value *)> OnMade) const
{
  IRBuilder<> B(Before);
  B.SetCurrentDebugLocation(DebugLoc());
  Value *Child = load(B, Pointer, Slot, offsetof(scale_slot, child));
  BasicBlock *Head = Before->getParent();
  Instruction *Then = SplitBlockAndInsertIfThen(B.CreateIsNull(Child), Before, false, Unlikely);
  IRBuilder<> Cold(Then);
  Cold.SetCurrentDebugLocation(nowhere(Before));
  Value *Made;
  if (Gates) {
    Made = Cold.CreateExtractValue(gate(Cold, "__scale_node_gate", {Record, Slot}, "={r11},={r10},0,1", false), 0);
  } else {
    CallInst *Call = Cold.CreateCall(Node, {Slot, Record});
    Call->setCallingConv(CallingConv::PreserveMost);
    Made = Call;
  }
  if (OnMade)
    OnMade(Cold, Made);
  B.SetInsertPoint(Before->getParent(), Before->getParent()->begin());
  PHINode *Found = B.CreatePHI(Pointer, 2);
  Found->addIncoming(Child, Head);
  Found->addIncoming(Made, Then->getParent());
  return Found;
}

/*
 * The stack of the first level is noted first, then what the second needs beyond it. Until then stack_step is 0, then 1
 * (no level is that small), and stack_low is above any stack, so that the first level is noted at all.
 */
void Runtime::expectLevels(IRBuilder<> &B, Value *Block) const
{
  Value *Step = load(B, I64, Block, offsetof(scale_node, stack_step));
  Value *Lowest = load(B, I64, Block, offsetof(scale_node, stack_low));
  store(B, B.CreateSelect(B.CreateIsNull(Step), B.getInt64(UINT64_MAX), Lowest), Block,
        offsetof(scale_node, stack_low));
}

void Runtime::noteStack(Instruction *Before, Value *Block, bool Levels) const
{
  LLVMContext &C = M.getContext();
  IRBuilder<> B(Before);
  B.SetCurrentDebugLocation(nowhere(Before));
  const char *Register = Triple(M.getTargetTriple()).isX86() ? "rsp" : "sp";
  Value *Name = MetadataAsValue::get(C, MDNode::get(C, MDString::get(C, Register)));
  Value *Stack = B.CreateCall(Intrinsic::getDeclaration(&M, Intrinsic::read_register, {I64}), {Name});
  Value *Lowest = load(B, I64, Block, offsetof(scale_node, stack_low));
  Instruction *Then = SplitBlockAndInsertIfThen(B.CreateICmpULT(Stack, Lowest), Before, false, Unlikely);
  IRBuilder<> Lower(Then);
  if (!Levels) {
    store(Lower, Stack, Block, offsetof(scale_node, stack_low));
    return;
  }
  LoadInst *Last = load(Lower, I64, Block, offsetof(scale_node, stack_low));
  Last->setVolatile(true); // or the difference would be computed where only the comparison is needed
  store(Lower, Stack, Block, offsetof(scale_node, stack_low));
  Value *Step = load(Lower, I64, Block, offsetof(scale_node, stack_step));
  Value *High = load(Lower, I64, Block, offsetof(scale_node, stack_high));
  Value *First = Lower.CreateIsNull(Step), *Second = Lower.CreateICmpEQ(Step, Lower.getInt64(1));
  store(Lower, Lower.CreateSelect(First, Stack, High), Block, offsetof(scale_node, stack_high));
  Value *Later = Lower.CreateSelect(Second, Lower.CreateSub(Last, Stack), Step);
  store(Lower, Lower.CreateSelect(First, Lower.getInt64(1), Later), Block, offsetof(scale_node, stack_step));
}

llvm::FunctionType *Runtime::withSlot(llvm::FunctionType *Type) const
{
  SmallVector<llvm::Type *, 8> Params(Type->params());
  Params.push_back(Pointer);
  return llvm::FunctionType::get(Type->getReturnType(), Params, Type->isVarArg());
}

Constant *Runtime::functionRecord(const FunctionRecord &R, GlobalVariable *Record) const
{
  Constant *None = ConstantPointerNull::get(Pointer);
  Constant *Here = ConstantExpr::getPtrToInt(Record, I64);
  auto Far = [&](Constant *C) { return ConstantExpr::getSub(ConstantExpr::getPtrToInt(C, I64), Here); };
  return ConstantStruct::get(FunctionType,
                             {ConstantInt::get(I32, SCALE_UNWRITTEN), ConstantInt::get(I32, R.NodeBytes), Far(R.Sites),
                              Far(R.Unit), Far(R.Spare), R.Code ? R.Code : None, R.Body ? R.Body : None});
}

Constant *Runtime::unitRef(Constant *Tables) const
{
  return ConstantStruct::get(UnitRefType,
                             {ConstantInt::get(I32, SCALE_UNWRITTEN), ConstantInt::get(I32, 0), Tables, ModuleRef});
}

} // namespace scale
