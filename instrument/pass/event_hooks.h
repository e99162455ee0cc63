// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "instrument/pass/runtime.h"

/*
 * The runtime's functions for events of resources, as generated code calls them. They keep no more registers than the
 * call that each stands beside, do not throw, and touch none of the program's memory.
 */
namespace scale
{

class EventHooks
{
public:
  explicit EventHooks(const Runtime &RT) : RT(RT) {}

  using Builder = llvm::IRBuilder<>;
  void acquired(Builder &B, llvm::Value *Cell, llvm::Value *Instance, llvm::Value *Units, unsigned How) const;
  void failed(Builder &B, llvm::Value *Cell, llvm::Value *Instance, unsigned How) const;
  void releases(Builder &B, llvm::Value *Cell, llvm::Value *Instance, llvm::Value *Units, unsigned How) const;
  void used(Builder &B, llvm::Value *Cell, llvm::Value *Instance, llvm::Value *Units, unsigned How) const;
  void named(Builder &B, llvm::Value *Cell, llvm::Value *Instance, unsigned How) const;
  /* Before a call that may wait: a token, which waited() takes if it did. */
  llvm::Value *waits(Builder &B, llvm::Value *Cell, llvm::Value *Instance, unsigned How) const;
  void waited(Builder &B, llvm::Value *Cell, llvm::Value *Instance, llvm::Value *Token, unsigned How) const;
  /* Before a call that exchanges an instance: a token, which resized() takes behind it. */
  llvm::Value *resizes(Builder &B, llvm::Value *Instance, unsigned How) const;
  /* Gives the bytes that were copied. */
  llvm::Value *resized(Builder &B, llvm::Value *Cell, llvm::Value *Token, llvm::Value *Old, llvm::Value *New,
                       llvm::Value *Units, llvm::Value *Worked, unsigned How) const;
  /* The runtime's function that is called instead of another one, with Args: that one's, then cells with their `how`.
   */
  llvm::FunctionCallee wrapper(llvm::StringRef Name, llvm::Type *Result, llvm::ArrayRef<llvm::Value *> Args) const;

private:
  enum Argument { Pointer, Number, Flag, Instance };
  llvm::CallInst *call(Builder &B, const char *Name, bool HasResult, llvm::ArrayRef<Argument> Types,
                       llvm::ArrayRef<llvm::Value *> Values) const;
  const Runtime &RT;
};

} // namespace scale
