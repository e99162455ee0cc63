// SPDX-License-Identifier: GPL-3.0-or-later
#include "instrument/pass/event_hooks.h"
using namespace llvm;

namespace scale
{

/*
 * Instances are numbers to the runtime. To the optimiser they stay pointers that nobody keeps and nothing is read
 * through, or it would know less of every object that was allocated.
 */
CallInst *EventHooks::call(Builder &B, const char *Name, bool HasResult, ArrayRef<Argument> Types,
                           ArrayRef<Value *> Values) const
{
  Module &M = RT.module();
  SmallVector<Type *, 7> Params;
  for (Argument A : Types)
    Params.push_back(A == Number ? RT.i64() : A == Flag ? static_cast<Type *>(B.getInt32Ty()) : RT.pointer());
  auto *T = llvm::FunctionType::get(HasResult ? RT.i64() : B.getVoidTy(), Params, false);
  FunctionCallee Callee = M.getOrInsertFunction(Name, T);
  if (auto *F = dyn_cast<Function>(Callee.getCallee()); F && F->isDeclaration()) {
    F->setDoesNotThrow();
    F->addFnAttr(Attribute::WillReturn);
    F->addFnAttr(Attribute::NonLazyBind);
    F->setMemoryEffects(MemoryEffects::inaccessibleOrArgMemOnly());
    for (unsigned I = 0; I < Types.size(); I++)
      if (Types[I] == Instance) {
        F->addParamAttr(I, Attribute::NoCapture);
        F->addParamAttr(I, Attribute::ReadNone);
      }
  }
  CallInst *Call = B.CreateCall(Callee, Values);
  return Call;
}

void EventHooks::acquired(Builder &B, Value *Cell, Value *Of, Value *Units, unsigned How) const
{
  call(B, "__scale_event_acquired", false, {Pointer, Instance, Number, Flag}, {Cell, Of, Units, B.getInt32(How)});
}

void EventHooks::failed(Builder &B, Value *Cell, Value *Of, unsigned How) const
{
  call(B, "__scale_event_failed", false, {Pointer, Instance, Flag}, {Cell, Of, B.getInt32(How)});
}

void EventHooks::releases(Builder &B, Value *Cell, Value *Of, Value *Units, unsigned How) const
{
  call(B, "__scale_event_releases", false, {Pointer, Instance, Number, Flag}, {Cell, Of, Units, B.getInt32(How)});
}

void EventHooks::used(Builder &B, Value *Cell, Value *Of, Value *Units, unsigned How) const
{
  call(B, "__scale_event_used", false, {Pointer, Instance, Number, Flag}, {Cell, Of, Units, B.getInt32(How)});
}

void EventHooks::named(Builder &B, Value *Cell, Value *Of, unsigned How) const
{
  call(B, "__scale_event_named", false, {Pointer, Instance, Flag}, {Cell, Of, B.getInt32(How)});
}

Value *EventHooks::waits(Builder &B, Value *Cell, Value *Of, unsigned How) const
{
  return call(B, "__scale_event_waits", true, {Pointer, Instance, Flag}, {Cell, Of, B.getInt32(How)});
}

void EventHooks::waited(Builder &B, Value *Cell, Value *Of, Value *Token, unsigned How) const
{
  call(B, "__scale_event_waited", false, {Pointer, Instance, Number, Flag}, {Cell, Of, Token, B.getInt32(How)});
}

Value *EventHooks::resizes(Builder &B, Value *Of, unsigned How) const
{
  return call(B, "__scale_event_resizes", true, {Instance, Flag}, {Of, B.getInt32(How)});
}

Value *EventHooks::resized(Builder &B, Value *Cell, Value *Token, Value *Old, Value *New, Value *Units, Value *Worked,
                           unsigned How) const
{
  return call(B, "__scale_event_resized", true, {Pointer, Number, Instance, Instance, Number, Flag, Flag},
              {Cell, Token, Old, New, Units, Worked, B.getInt32(How)});
}

FunctionCallee EventHooks::wrapper(StringRef Name, Type *Result, ArrayRef<Value *> Args) const
{
  SmallVector<Type *, 8> Params;
  for (const Value *A : Args)
    Params.push_back(A->getType());
  return RT.module().getOrInsertFunction(Name, llvm::FunctionType::get(Result, Params, false));
}

} // namespace scale
