// SPDX-License-Identifier: GPL-3.0-or-later
// The part of Contexts that decides how calls hand over their slots.
#include "instrument/pass/callees.h"
#include "instrument/pass/context.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
using namespace llvm;

namespace scale
{

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
  return !hasSpecialParameters(F.getAttributes(), F.arg_size()) &&
         none_of(F.args(), [](const Argument &A) { return A.hasPassPointeeByValueCopyAttr(); });
}

Function *Contexts::thunk(Function &F)
{
  Function *&T = Thunks[&F];
  if (T)
    return T;
  T = Function::Create(RT.withSlot(F.getFunctionType()), GlobalValue::WeakAnyLinkage, F.getAddressSpace(),
                       F.getName() + ".__scale", &M);
  T->setVisibility(GlobalValue::HiddenVisibility);
  T->setDSOLocal(true);
  T->setComdat(M.getOrInsertComdat(T->getName())); // one for all objects that call F
  T->setAttributes(F.getAttributes().removeFnAttributes(M.getContext()));
  T->setUWTableKind(M.getUwtable());
  if (F.doesNotThrow())
    T->setDoesNotThrow();
  T->addFnAttr(Attribute::OptimizeForSize); // not worth an alignment
  T->addParamAttr(F.arg_size(), Attribute::Nest);
  IRBuilder<> B(BasicBlock::Create(M.getContext(), "", T));
  RT.setThreadSlot(B, T->getArg(F.arg_size()));
  SmallVector<Value *, 8> Args;
  for (unsigned I = 0; I < F.arg_size(); I++)
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
  const Function *F = Call.getCalledFunction();
  return !hasSpecialParameters(Call.getAttributes(), Call.arg_size()) &&
         !(F && hasSpecialParameters(F->getAttributes(), F->arg_size()));
}

/* From the cheapest way that is safe: nothing for library functions that call nobody back, the register for code that
 * is compiled here, a thunk where another object may have it, and the thread's slot for what only the call itself
 * knows. */
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
  if (Kind == Library::Returns || Kind == Library::Waits || Kind == Library::Leaves ||
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
