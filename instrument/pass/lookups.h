// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include <vector>

/* Where a function looks up its node. */
namespace scale
{

struct LookupAnalyses {
  llvm::DominatorTree &DT;
  llvm::LoopInfo &LI;
  const llvm::BlockFrequencyInfo &BFI;
};

/* The instructions before which the node is to be looked up, one of them on every way to each of the Uses, in no loop:
 * in one place as late as all uses allow, or in up to Most that are executed less often together. None without uses. */
std::vector<llvm::Instruction *> lookupPoints(llvm::ArrayRef<llvm::LoadInst *> Uses, const LookupAnalyses &A,
                                              unsigned Most);

} // namespace scale
