// SPDX-License-Identifier: GPL-3.0-or-later
#include "instrument/pass/context.h"
#include "instrument/pass/callees.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include <set>
using namespace llvm;

namespace scale
{

Contexts::Contexts(Module &Mod, const Runtime &R, const Table &T, FunctionAnalysisManager &A)
    : M(Mod), RT(R), Rows(T), FAM(A),
      Executable(Mod.getPICLevel() == PICLevel::NotPIC || Mod.getPIELevel() != PIELevel::Default)
{
}

static std::set<const Function *> recursiveFunctions(Module &M)
{
  std::set<const Function *> Found;
  CallGraph Graph(M);
  for (auto It = scc_begin(&Graph); !It.isAtEnd(); ++It)
    if (It.hasCycle())
      for (CallGraphNode *N : *It)
        if (N->getFunction())
          Found.insert(N->getFunction());
  return Found;
}

void Contexts::prepare()
{
  std::set<const Function *> Recursive = recursiveFunctions(M);
  for (Function &F : M) {
    if (F.isDeclaration() || F.hasAvailableExternallyLinkage())
      continue;
    forgetEffects(F);
    if (auto Row = Rows.rowOf(F)) {
      Body B;
      B.Original = B.Holder = B.Code = &F;
      B.Row = *Row;
      B.Recursive = Recursive.count(&F);
      Bodies.push_back(B);
    }
    Table::untag(F);
  }
  for (Body &B : Bodies) {
    if (isMovable(*B.Original))
      move(B);
    placeRecord(B);
    Index[B.Original] = &B - &Bodies[0];
    if (callsItself(B))
      splitSelf(B);
  }
}

/* ---- clones ------------------------------------------------------------------------ */

bool Contexts::isMovable(Function &F) const
{
  bool Plain = F.getCallingConv() == CallingConv::C || F.getCallingConv() == CallingConv::Fast ||
               F.getCallingConv() == CallingConv::Cold;
  if (!Plain || F.isVarArg() || F.hasPrefixData() || F.hasPrologueData() || F.hasFnAttribute(Attribute::ReturnsTwice))
    return false;
  if (F.hasComdat() && !F.hasLocalLinkage() && !F.hasLinkOnceODRLinkage() && !F.hasWeakODRLinkage())
    return false;
  for (Argument &A : F.args())
    if (A.hasNestAttr() || A.hasSwiftErrorAttr() || A.hasInAllocaAttr() || A.hasPreallocatedAttr() ||
        A.hasAttribute(Attribute::SwiftAsync) || A.hasAttribute(Attribute::SwiftSelf))
      return false;
  for (Instruction &I : instructions(F)) {
    if (auto *Call = dyn_cast<CallInst>(&I); Call && Call->isMustTailCall())
      return false;
    if (auto *Call = dyn_cast<IntrinsicInst>(&I))
      switch (Call->getIntrinsicID()) {
      case Intrinsic::returnaddress: // a wrapper would be seen
      case Intrinsic::addressofreturnaddress:
      case Intrinsic::frameaddress:
      case Intrinsic::sponentry:
      case Intrinsic::localescape:
        return false;
      default:
        break;
      }
  }
  for (User *U : F.users()) // a wrapper would make the stack of a chain of guaranteed tail calls grow
    if (auto *Call = dyn_cast<CallInst>(U); Call && Call->isMustTailCall() && Call->getCalledOperand() == &F)
      return false;
  return true;
}

/* Constants for the addresses of labels (computed goto) name the function, too. */
static void moveBlockAddresses(Function &From, Function &To)
{
  std::vector<std::pair<BasicBlock *, BlockAddress *>> Labels;
  for (BasicBlock &BB : From)
    if (BlockAddress *Old = BB.hasAddressTaken() ? BlockAddress::lookup(&BB) : nullptr)
      Labels.push_back({&BB, Old});
  To.splice(To.begin(), &From);
  for (auto &[BB, Old] : Labels) {
    Old->replaceAllUsesWith(BlockAddress::get(&To, BB));
    Old->destroyConstant();
  }
}

void Contexts::move(Body &B)
{
  Function &F = *B.Original;
  llvm::FunctionType *Old = F.getFunctionType();
  SmallVector<Type *, 8> Params(Old->params());
  Params.push_back(RT.pointer());
  auto *Type = llvm::FunctionType::get(Old->getReturnType(), Params, false);
  bool Odr = F.hasLinkOnceODRLinkage() || F.hasWeakODRLinkage();
  // A thunk in another object may take the place of a discardable definition under the plain suffix.
  auto *Clone = Function::Create(Type, GlobalValue::InternalLinkage, F.getAddressSpace(),
                                 F.getName() + (Odr ? ".__scale.odr" : ".__scale"), &M);
  Clone->copyAttributesFrom(&F);
  Clone->setVisibility(GlobalValue::DefaultVisibility);
  Clone->setDLLStorageClass(GlobalValue::DefaultStorageClass);
  Clone->setUnnamedAddr(GlobalValue::UnnamedAddr::None);
  if (Odr) {
    Clone->setLinkage(GlobalValue::LinkOnceODRLinkage);
    B.Group = M.getOrInsertComdat(Clone->getName());
    B.Shared = true;
  } else if (F.hasLocalLinkage()) {
    B.Group = F.getComdat();
  } else if (F.hasExternalLinkage() && F.getName() != "main") {
    Clone->setLinkage(GlobalValue::ExternalLinkage);
  }
  if (!Clone->hasLocalLinkage())
    Clone->setVisibility(GlobalValue::HiddenVisibility);
  Clone->setDSOLocal(true);
  if (B.Group)
    Clone->setComdat(B.Group);
  Clone->removeFnAttr(Attribute::AlwaysInline);
  Clone->addParamAttr(Params.size() - 1, Attribute::Nest);
  moveBlockAddresses(F, *Clone);
  for (auto [From, To] : zip(F.args(), Clone->args())) {
    From.replaceAllUsesWith(&To);
    To.takeName(&From);
  }
  Clone->setSubprogram(F.getSubprogram());
  F.setSubprogram(nullptr);
  Clone->setMetadata(LLVMContext::MD_prof, F.getMetadata(LLVMContext::MD_prof));
  B.Holder = B.Code = Clone;
  B.Slot = Clone->getArg(Params.size() - 1);
}

static void forward(IRBuilder<> &B, CallInst *Call)
{
  if (Call->getType()->isVoidTy())
    B.CreateRetVoid();
  else
    B.CreateRet(Call);
}

/* ---- functions that call themselves -------------------------------------------------
 * Such a call ends up at the node it comes from. So the code takes a node instead of a slot, and looks nothing up; the
 * caller counts, in a register if it calls from a loop. */

bool Contexts::callsItself(const Body &B) const
{
  if (!B.Slot || !B.Recursive || B.Code->hasOptNone() || callsReturningTwice(*B.Code) || !bindsHere(*B.Original))
    return false;
  return any_of(B.Original->users(), [&](User *U) {
    auto *Call = dyn_cast<CallBase>(U);
    return Call && Call->getFunction() == B.Code && Call->getCalledOperand() == B.Original;
  });
}

void Contexts::splitSelf(Body &B)
{
  Function &F = *B.Holder;
  auto *Code = Function::Create(F.getFunctionType(), GlobalValue::InternalLinkage, F.getAddressSpace(),
                                F.getName() + ".node", &M);
  Code->copyAttributesFrom(&F);
  Code->setVisibility(GlobalValue::DefaultVisibility);
  Code->setDSOLocal(true);
  Code->setComdat(F.getComdat());
  moveBlockAddresses(F, *Code);
  for (auto [From, To] : zip(F.args(), Code->args())) {
    From.replaceAllUsesWith(&To);
    To.takeName(&From);
  }
  Code->setSubprogram(F.getSubprogram());
  F.setSubprogram(nullptr);
  F.setPersonalityFn(nullptr);
  Code->setMetadata(LLVMContext::MD_prof, F.getMetadata(LLVMContext::MD_prof));
  B.Code = Code;
  B.Node = Code->getArg(Code->arg_size() - 1);
}

void Contexts::enterSelf(Body &B, ArrayRef<unsigned> SelfSlots)
{
  Function &F = *B.Holder;
  Instruction *End = new UnreachableInst(M.getContext(), BasicBlock::Create(M.getContext(), "", &F));
  IRBuilder<> Builder(End);
  RT.add(Builder, B.Slot, offsetof(scale_slot, count), Builder.getInt64(1));
  Value *Node = RT.node(End, B.Slot, B.Record, [&](IRBuilder<> &Made, Value *New) {
    RT.expectLevels(Made, New);
    for (unsigned Offset : SelfSlots)
      RT.store(Made, New, New, Offset + offsetof(scale_slot, child));
  });
  SmallVector<Value *, 8> Args;
  for (Argument &A : F.args())
    Args.push_back(&A);
  Args.back() = Node;
  Builder.SetInsertPoint(End);
  CallInst *Call = Builder.CreateCall(B.Code, Args);
  Call->setCallingConv(B.Code->getCallingConv());
  Call->setAttributes(B.Code->getAttributes().removeFnAttributes(M.getContext()));
  Call->setIsNoInline();
  Call->setTailCall();
  forward(Builder, Call);
  End->eraseFromParent();
}

void Contexts::placeRecord(Body &B)
{
  auto Linkage = B.Shared ? GlobalValue::LinkOnceODRLinkage : GlobalValue::InternalLinkage;
  B.Record = new GlobalVariable(M, RT.functionType(), false, Linkage, ConstantAggregateZero::get(RT.functionType()),
                                B.Holder->getName() + (B.Slot ? ".fn" : ".__scale.fn"));
  if (!B.Group && !B.Slot)
    B.Group = B.Original->getComdat();
  if (B.Shared)
    B.Record->setVisibility(GlobalValue::HiddenVisibility);
  B.Record->setDSOLocal(true);
  B.Record->setAlignment(Align(8));
  if (B.Group)
    B.Record->setComdat(B.Group);
}

void Contexts::describe(Body &B, unsigned NodeBytes, const std::vector<uint8_t> &Record)
{
  Constant *Bytes = ConstantDataArray::get(M.getContext(), Record);
  auto *Sites = new GlobalVariable(M, Bytes->getType(), true, GlobalValue::PrivateLinkage, Bytes, "__scale_sites");
  Sites->setSection("scale_sites");
  Sites->setAlignment(Align(8));
  // Zeroed memory that is never touched unless all other is used up.
  auto *Room = ArrayType::get(Type::getInt8Ty(M.getContext()), sizeof(scale_entry) + NodeBytes);
  auto *Spare = new GlobalVariable(M, Room, false, GlobalValue::PrivateLinkage, ConstantAggregateZero::get(Room),
                                   "__scale_spare");
  Spare->setSection(".bss.scale_spare");
  Spare->setAlignment(Align(SCALE_BLOCK_ALIGN));
  if (B.Group) {
    Sites->setComdat(B.Group);
    Spare->setComdat(B.Group);
  }
  B.Contents = {NodeBytes, Sites, Spare, nullptr, nullptr};
}

/* ---- wrappers ---------------------------------------------------------------------- */

/* The call that a wrapper makes. */
CallInst *Contexts::callBody(IRBuilder<> &Builder, Body &B, Value *Entry)
{
  Function &F = *B.Original;
  SmallVector<Value *, 8> Args;
  for (Argument &A : F.args())
    Args.push_back(&A);
  Args.push_back(Entry);
  CallInst *Call = Builder.CreateCall(B.Holder, Args);
  Call->setCallingConv(B.Holder->getCallingConv());
  AttributeList Attributes = F.getAttributes().removeFnAttributes(M.getContext());
  Call->setAttributes(Attributes.addParamAttribute(M.getContext(), Args.size() - 1, Attribute::Nest));
  Call->setIsNoInline();
  return Call;
}

void Contexts::wrap(Body &B)
{
  Function &F = *B.Original;
  F.removeFnAttr(Attribute::AlwaysInline);
  F.setPersonalityFn(nullptr);
  F.setMetadata(LLVMContext::MD_prof, nullptr);
  if (RT.wrapByGate(F, B.Record))
    return;
  auto *Block = BasicBlock::Create(M.getContext(), "", &F);
  Instruction *End = new UnreachableInst(M.getContext(), Block);
  auto Jumped = [&](Instruction *Before, Value *Entry) {
    IRBuilder<> Builder(Before);
    CallInst *Call = callBody(Builder, B, Entry);
    Call->setTailCall();
    forward(Builder, Call);
  };
  Runtime::Entered In = F.hasOptNone() ? RT.enter(End, B.Record) : RT.enterOrJump(End, B.Record, Jumped);
  IRBuilder<> Builder(End);
  CallInst *Call = callBody(Builder, B, In.Entry);
  RT.setThreadSlot(Builder, In.Slot);
  forward(Builder, Call);
  End->eraseFromParent();
}

void Contexts::finish()
{
  aliasClones();
  for (Body &B : Bodies) {
    B.Original->removeDeadConstantUsers();
    if (B.Slot && B.Original->hasLocalLinkage() && B.Original->use_empty()) {
      B.Original->eraseFromParent();
    } else if (B.Slot) {
      B.Contents.Code = asCalled(B);
      B.Contents.Body = B.Holder;
      wrap(B);
    }
    B.Record->setInitializer(RT.functionRecord(B.Contents));
  }
}

/*
 * The address by which calls through pointers know a function, null if it could be another's or nobody here takes it.
 * What another library may replace goes by a name that cannot be.
 */
Constant *Contexts::asCalled(const Body &B)
{
  Function &F = *B.Original;
  if (F.isInterposable() || (F.isDiscardableIfUnused() && F.use_empty()))
    return nullptr;
  if (bindsHere(F))
    return &F;
  return GlobalAlias::create(F.getFunctionType(), 0, GlobalValue::PrivateLinkage, F.getName() + ".__scale.own", &F, &M);
}

/* Another object that calls ALIAS looks for ALIAS.__scale. */
void Contexts::aliasClones()
{
  std::vector<std::pair<GlobalAlias *, Function *>> Found;
  for (GlobalAlias &A : M.aliases())
    if (auto *F = dyn_cast<Function>(A.getAliasee()); F && A.hasExternalLinkage())
      if (auto It = Index.find(F); It != Index.end())
        if (Function *Holder = Bodies[It->second].Holder; Holder != F && Holder->hasExternalLinkage())
          Found.push_back({&A, Holder});
  for (auto &[A, Holder] : Found) {
    if (M.getNamedValue((A->getName() + ".__scale").str()))
      continue;
    auto *New = GlobalAlias::create(Holder->getFunctionType(), 0, GlobalValue::ExternalLinkage,
                                    A->getName() + ".__scale", Holder, &M);
    New->setVisibility(GlobalValue::HiddenVisibility);
    New->setDSOLocal(true);
  }
}

/* ---- calls ------------------------------------------------------------------------- */

/* Whether a reference from here reaches this very definition. Of definitions that are equal by the one-definition
 * rule any will do. */
bool Contexts::bindsHere(const GlobalValue &G) const
{
  if (G.isInterposable())
    return false;
  return G.hasLocalLinkage() || G.isDSOLocal() || Executable || G.hasLinkOnceODRLinkage() || G.hasWeakODRLinkage() ||
         !G.hasDefaultVisibility();
}

bool Contexts::canThunk(const Function &F, const CallBase &Call) const
{
  if (!(Executable || !F.hasDefaultVisibility()) || F.isVarArg() || F.getCallingConv() != CallingConv::C ||
      F.hasFnAttribute(Attribute::ReturnsTwice) || Call.hasFnAttr(Attribute::ReturnsTwice))
    return false;
  if (isLibraryFunction(F, FAM.getResult<TargetLibraryAnalysis>(const_cast<Function &>(*Call.getFunction()))))
    return false;
  for (const Argument &A : F.args())
    if (A.hasPassPointeeByValueCopyAttr() || A.hasNestAttr() || A.hasSwiftErrorAttr() ||
        A.hasAttribute(Attribute::SwiftAsync) || A.hasAttribute(Attribute::SwiftSelf))
      return false;
  return true;
}

Function *Contexts::thunk(Function &F)
{
  Function *&T = Thunks[&F];
  if (T)
    return T;
  SmallVector<Type *, 8> Params(F.getFunctionType()->params());
  Params.push_back(RT.pointer());
  auto *Type = llvm::FunctionType::get(F.getReturnType(), Params, false);
  T = Function::Create(Type, GlobalValue::WeakAnyLinkage, F.getAddressSpace(), F.getName() + ".__scale", &M);
  T->setVisibility(GlobalValue::HiddenVisibility);
  T->setDSOLocal(true);
  T->setComdat(M.getOrInsertComdat(T->getName())); // one for all objects that call F
  T->setAttributes(F.getAttributes().removeFnAttributes(M.getContext()));
  T->setUWTableKind(M.getUwtable());
  if (F.doesNotThrow())
    T->setDoesNotThrow();
  T->addFnAttr(Attribute::OptimizeForSize); // not worth an alignment
  T->addParamAttr(Params.size() - 1, Attribute::Nest);
  IRBuilder<> B(BasicBlock::Create(M.getContext(), "", T));
  RT.setThreadSlot(B, T->getArg(Params.size() - 1));
  SmallVector<Value *, 8> Args;
  for (unsigned I = 0; I + 1 < Params.size(); I++)
    Args.push_back(T->getArg(I));
  CallInst *Call = B.CreateCall(&F, Args);
  Call->setTailCall();
  Call->setAttributes(F.getAttributes().removeFnAttributes(M.getContext()));
  forward(B, Call);
  return T;
}

Callee Contexts::describe(const GlobalValue &G) const
{
  Callee C;
  C.Name = linkageName(G);
  C.Local = G.hasLocalLinkage();
  auto *F = dyn_cast<Function>(&G);
  if (!F)
    return C;
  if (auto It = Index.find(F); It != Index.end()) {
    const FunctionRow &R = Rows[Bodies[It->second].Row];
    C.Name = R.Name;
    C.File = R.File;
    C.Line = R.Line;
    C.Local = R.Local;
  } else if (DISubprogram *S = F->getSubprogram()) {
    C.File = sourceFile(S);
    C.Line = S->getLine();
  }
  return C;
}

/* Whether a slot may remember where the call goes: the call then takes one more parameter. */
static bool canShorten(const CallBase &Call)
{
  if (Call.getCallingConv() != CallingConv::C || Call.getFunctionType()->isVarArg() || Call.hasOperandBundles() ||
      isa<CallBrInst>(Call) || (isa<CallInst>(Call) && cast<CallInst>(Call).isMustTailCall()) ||
      Call.hasFnAttr(Attribute::ReturnsTwice) || Call.getFunction()->hasOptNone())
    return false;
  for (unsigned I = 0; I < Call.arg_size(); I++)
    for (Attribute::AttrKind Kind : {Attribute::Nest, Attribute::SwiftError, Attribute::SwiftSelf,
                                     Attribute::SwiftAsync, Attribute::InAlloca, Attribute::Preallocated})
      if (Call.paramHasAttr(I, Kind))
        return false;
  return true;
}

CallPlan Contexts::plan(CallBase &Call)
{
  CallPlan Plan;
  if (isa<IntrinsicInst>(Call) || Call.isInlineAsm())
    return Plan;
  Plan.How = canShorten(Call) ? Handover::Pointer : Handover::Thread;
  Value *Operand = Call.getCalledOperand()->stripPointerCasts();
  if (auto *Alias = dyn_cast<GlobalAlias>(Operand)) {
    Plan.Description = describe(*Alias);
    if (auto *F = dyn_cast<Function>(Alias->getAliasee()); F && bindsHere(*Alias))
      Operand = F;
  }
  auto *F = dyn_cast<Function>(Operand);
  if (!F)
    return Plan;
  Plan.Description = describe(*F);
  bool SameType = Call.getFunctionType() == F->getFunctionType() && Call.getCallingConv() == F->getCallingConv() &&
                  !(isa<CallInst>(Call) && cast<CallInst>(Call).isMustTailCall());
  if (auto It = Index.find(F); It != Index.end()) {
    Body &B = Bodies[It->second];
    if (B.Slot && SameType && bindsHere(*F)) {
      Plan.How = Handover::Nest;
      Plan.Target = B.Holder;
    }
    return Plan;
  }
  if (!F->isDeclaration() && !F->hasAvailableExternallyLinkage())
    return Plan;
  Library Kind = libraryKind(*F);
  if (Kind == Library::Returns || Kind == Library::Waits || Kind == Library::Ends || Kind == Library::Leaves ||
      F->hasFnAttribute(Attribute::NoCallback) || F->getName().starts_with("__scale_")) {
    Plan.How = Handover::None;
  } else if (isLibraryFunction(*F, FAM.getResult<TargetLibraryAnalysis>(*Call.getFunction()))) {
    Plan.How = Handover::Thread;
  } else if (SameType && canThunk(*F, Call)) {
    Plan.How = Handover::Thunk;
    Plan.Target = thunk(*F);
  }
  return Plan;
}

} // namespace scale
