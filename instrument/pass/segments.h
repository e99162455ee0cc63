// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstrTypes.h"
#include <vector>

/*
 * Points of a function that are executed equally often: control-equivalent
 * blocks of the same loop, cut wherever a call that may not return (or that
 * returns twice) lies between. One counter serves all points of a segment.
 */
namespace scale
{

class Segments
{
public:
  /* Breakers: the calls behind which execution may not continue. The analyses must stay valid. */
  Segments(llvm::Function &F, const llvm::DominatorTree &DT, const llvm::LoopInfo &LI,
           llvm::ArrayRef<llvm::CallBase *> Breakers);
  /* The segment of the point just before I; equal numbers mean equal counts. */
  unsigned of(const llvm::Instruction &I);

private:
  void classify(llvm::Function &F, const llvm::LoopInfo &LI);
  void number(unsigned Class);
  bool isClean(const llvm::BasicBlock *From, const llvm::BasicBlock *To) const;

  const llvm::DominatorTree &DT;
  llvm::DenseMap<const llvm::BasicBlock *, unsigned> ClassOf;
  std::vector<std::vector<const llvm::BasicBlock *>> Classes;
  std::vector<bool> Numbered;
  llvm::DenseMap<const llvm::BasicBlock *, unsigned> FirstSegment;
  llvm::DenseMap<const llvm::BasicBlock *, std::vector<const llvm::CallBase *>> BreakersIn;
  unsigned Next = 0;
};

} // namespace scale
