// SPDX-License-Identifier: GPL-3.0-or-later
// The part of Contexts for functions that call themselves.
#include "instrument/pass/callees.h"
#include "instrument/pass/context.h"
#include "llvm/IR/Instructions.h"
using namespace llvm;

namespace scale
{

/*
 * Such a call ends up at the node it comes from. So the code takes a node instead of a slot, and looks nothing up; the
 * caller counts, before the loop it calls from if the count is known there.
 */

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
                                B.Original->getName() + (B.Shared ? ".__scale.odr.node" : ".__scale.node"), &M);
  Code->copyAttributesFrom(&F);
  Code->setVisibility(GlobalValue::DefaultVisibility);
  Code->setDSOLocal(true);
  Code->setComdat(F.getComdat());
  moveCode(F, *Code);
  F.setPersonalityFn(nullptr);
  B.Code = Code;
  B.Node = Code->getArg(Code->arg_size() - 1);
}

/* The slots of calls to itself lead to the node itself from the beginning: the levels of a recursion are one
 * context. */
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
  Builder.SetInsertPoint(End);
  CallInst *Call = passOn(Builder, F, *B.Code, Node);
  Call->setTailCall();
  forward(Builder, Call);
  End->eraseFromParent();
}

} // namespace scale
