// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"

namespace scale
{

/* Where threads wait for a condition until they may go on. */
struct Take {
  llvm::CallBase *Wait;
  llvm::Loop *In;         /* null: the call itself ends when they may, or */
  llvm::BasicBlock *Join; /* there is an `if` around the wait, which ends here */
};

/*
 * Early: whether who may go on takes nothing. Who takes a unit changes what it has waited for: there is one less, and
 * the next one waits a little sooner. Who only reads it (whether there is a writer, the number of a round, whether all
 * is ready), or moves it away from where threads wait, takes none. False where the code does not show it: what decides
 * is looked at, or changed, in code that is not seen. Unlocks: whether an instruction ends the critical section.
 */
bool takesNothing(const Take &Where, const llvm::DominatorTree &DT,
                  llvm::function_ref<bool(const llvm::Instruction &)> Unlocks);

} // namespace scale
