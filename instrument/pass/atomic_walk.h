// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"

/*
 * Where code goes behind an atomic operation if the operation found a given value: every way is followed, and where the
 * value decides a branch, only the one it takes.
 */
namespace scale
{

struct WalkEnds {
  bool Again = false;   /* came back to the operation */
  bool Left = false;    /* left the loop */
  bool Unknown = false; /* the code is too much to follow */
  /* What the value asked for was where it was asked for; null: differs, or is not known. */
  llvm::Constant *Value = nullptr;
  bool Asked = false, Missed = false; /* it got there; it got to an end without getting there */
};

class AtomicWalk
{
public:
  /* In: the loop around At, or null. At found Old; Worked: of a compare-exchange, its second part. */
  AtomicWalk(llvm::Instruction &At, const llvm::Loop *In, llvm::Constant *Old, llvm::Constant *Worked)
      : At(At), In(In), Old(Old), Worked(Worked)
  {
  }
  /* Where it goes from the loop's point of view. */
  WalkEnds leave();
  /* What V is when Where is reached. */
  WalkEnds ask(llvm::Instruction &Where, llvm::Value &V);

private:
  using Values = llvm::DenseMap<const llvm::Value *, llvm::Constant *>;
  llvm::Constant *evaluate(llvm::Value *V, Values &Known, unsigned Depth) const;
  void follow(llvm::BasicBlock &BB, llvm::BasicBlock::iterator From, Values Known,
              llvm::SmallVector<const llvm::BasicBlock *, 16> Path);
  void enter(llvm::BasicBlock &From, llvm::BasicBlock &To, const Values &Known,
             const llvm::SmallVector<const llvm::BasicBlock *, 16> &Path);
  void answer(llvm::Constant *C);

  llvm::Instruction &At;
  const llvm::Loop *In;
  llvm::Constant *Old, *Worked;
  llvm::Instruction *Where = nullptr;
  llvm::Value *Question = nullptr;
  WalkEnds Ends;
  unsigned Steps = 0;
};

} // namespace scale
