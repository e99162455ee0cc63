// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include <set>
#include <string>

namespace scale
{

/* Where threads wait for a condition until they may go on. */
struct Take {
  llvm::CallBase *Wait;
  llvm::Loop *In;         /* null: the call itself ends when they may, or */
  llvm::BasicBlock *Join; /* there is an `if` around the wait, which ends here */
};

/* What one who waits looks at, and changes before the critical section ends: names of fields and variables. */
struct TakeFacts {
  std::set<std::string> Looked, Changed;
  bool Nothing = false; /* is taken */
};

/*
 * Early: whether who may go on takes nothing. Who takes a unit changes what it has waited for: there is one less, and
 * the next one waits a little sooner. Who only reads it (whether there is a writer, the number of a round, whether all
 * is ready), or moves it away from where threads wait, takes none. Not where the code does not show it: what decides is
 * looked at, or changed, in code that is not seen. Unlocks: whether an instruction ends the critical section.
 */
TakeFacts factsOfTake(const Take &Where, const llvm::DominatorTree &DT,
                      llvm::function_ref<bool(const llvm::Instruction &)> Unlocks);
/* A field's or a variable's own name, whatever it is part of: a helper knows less of that than its caller. Two that are
 * called alike count as one. Empty: not known. */
std::string memoryAt(const llvm::Value *P);
/* Whether one that takes nothing and another keep each other out, each by what it changes: a reader and a writer. */
bool keepOut(const TakeFacts &Reader, const TakeFacts &Writer);

} // namespace scale
