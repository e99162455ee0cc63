// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DebugLoc.h"
#include "llvm/IR/Dominators.h"

/* What front-end IR, before any optimisation, tells about the loops of the source. */
namespace scale
{

struct LoopText {
  /* Where the loop statement begins; for a loop made of goto where its first instruction stands. May be empty. */
  llvm::DebugLoc Start;
  /* Where its text ends; empty for a goto. */
  llvm::DebugLoc End;
  /*
   * The block whose executions are the iterations of the body. For `for` and `while` it is the one behind the exit
   * test, a conditional branch that carries the location of the statement itself (in a range-based `for`: that of its
   * increment, on the back edge). `for (;;)`, `do` and loops made of goto have no such branch: their header is the
   * body.
   */
  llvm::BasicBlock *Body;
};

/* From debug locations alone: the same at every optimisation level. */
LoopText describeLoop(const llvm::Loop *L, const llvm::LoopInfo &LI, const llvm::DominatorTree &DT);

/* Line and column, to be compared. */
inline std::pair<unsigned, unsigned> position(const llvm::DebugLoc &L) { return {L.getLine(), L.getCol()}; }

} // namespace scale
