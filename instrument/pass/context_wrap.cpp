// SPDX-License-Identifier: GPL-3.0-or-later
// The part of Contexts that makes what remains under the original names.
#include "instrument/pass/context.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
using namespace llvm;

namespace scale
{

void Contexts::forward(IRBuilder<> &B, CallInst *Call)
{
  if (Call->getType()->isVoidTy())
    B.CreateRetVoid();
  else
    B.CreateRet(Call);
}

/* In From: a call of To with From's arguments, but for To's last parameter, which gets Last. */
CallInst *Contexts::passOn(IRBuilder<> &Builder, Function &From, Function &To, Value *Last)
{
  SmallVector<Value *, 8> Args;
  for (unsigned I = 0; I + 1 < To.arg_size(); I++)
    Args.push_back(From.getArg(I));
  Args.push_back(Last);
  CallInst *Call = Builder.CreateCall(&To, Args);
  Call->setCallingConv(To.getCallingConv());
  AttributeList Attributes = From.getAttributes().removeFnAttributes(M.getContext());
  Call->setAttributes(Attributes.addParamAttribute(M.getContext(), Args.size() - 1, Attribute::Nest));
  Call->setIsNoInline();
  return Call;
}

/* Makes the original the choice between the copy that counts nothing and what the original would be without it: a
 * function of its own, which this returns. */
Function *Contexts::chooseVersion(Body &B)
{
  Function &F = *B.Original;
  auto *Counted = Function::Create(F.getFunctionType(), GlobalValue::InternalLinkage, F.getAddressSpace(),
                                   F.getName() + ".__scale.wrap", &M);
  Counted->copyAttributesFrom(&F);
  Counted->setVisibility(GlobalValue::DefaultVisibility);
  Counted->setDLLStorageClass(GlobalValue::DefaultStorageClass);
  Counted->setComdat(F.getComdat());
  moveCode(F, *Counted); // variadic functions still have theirs
  loseCode(F);
  RT.branchIdle(F, *B.Plain, *Counted);
  return Counted;
}

/* What the original keeps of a function that left its name. */
void Contexts::loseCode(Function &F)
{
  F.removeFnAttr(Attribute::AlwaysInline);
  F.setPersonalityFn(nullptr);
  F.setMetadata(LLVMContext::MD_prof, nullptr);
}

/* What the symbol's name leads to: finds the slot that the caller left with the thread, and jumps to the code with
 * it. */
void Contexts::wrap(Body &B)
{
  loseCode(*B.Original);
  Function &F = B.Plain ? *chooseVersion(B) : *B.Original;
  if (RT.wrapByGate(F, B.Record))
    return;
  auto *Block = BasicBlock::Create(M.getContext(), "", &F);
  Instruction *End = new UnreachableInst(M.getContext(), Block);
  auto Jumped = [&](Instruction *Before, Value *Entry) {
    IRBuilder<> Builder(Before);
    CallInst *Call = passOn(Builder, F, *B.Holder, Entry);
    Call->setTailCall();
    forward(Builder, Call);
  };
  Runtime::Entered In = F.hasOptNone() ? RT.enter(End, B.Record) : RT.enterOrJump(End, B.Record, Jumped);
  IRBuilder<> Builder(End);
  CallInst *Call = passOn(Builder, F, *B.Holder, In.Entry);
  RT.setThreadSlot(Builder, In.Slot);
  forward(Builder, Call);
  End->eraseFromParent();
}

/* Records come last, when it is settled which functions still exist and what code they have. */
void Contexts::finish()
{
  aliasClones();
  for (Body &B : Bodies) {
    B.Original->removeDeadConstantUsers();
    // Not optimised, the symbol stays as it would: objcopy --globalize-symbol finds it.
    if (B.Slot && B.Original->hasLocalLinkage() && B.Original->use_empty() && !B.Holder->hasOptNone()) {
      B.Original->eraseFromParent();
    } else if (B.Slot) {
      B.Contents.Code = asCalled(B);
      B.Contents.Body = B.Holder;
      wrap(B);
    } else if (B.Plain) {
      chooseVersion(B);
    }
    B.Record->setInitializer(RT.functionRecord(B.Contents, B.Record));
  }
  finishUnit();
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
      if (auto It = Index.find(F); It != Index.end() && Bodies[It->second].Entry)
        Found.push_back({&A, Bodies[It->second].Holder});
  for (auto &[A, Holder] : Found)
    if (!M.getNamedValue((A->getName() + ".__scale").str()))
      addEntry(A->getName(), *Holder);
}

} // namespace scale
