// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef SCALE_PASS_LOOPS_H
#define SCALE_PASS_LOOPS_H
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DebugLoc.h"
#include "llvm/IR/Dominators.h"

/* What front-end IR, before any optimisation, tells about the loops of the source. */
namespace scale
{

/* Where the loop statement begins; for a loop made of goto where its first instruction stands. May be empty. */
llvm::DebugLoc loopLocation(const llvm::Loop *L, const llvm::LoopInfo &LI);
/* Where the text of the loop statement ends; empty for a goto. */
llvm::DebugLoc loopEnd(const llvm::Loop *L, const llvm::LoopInfo &LI);
/* The block whose executions are the iterations of the body; Start is the loop's location. */
llvm::BasicBlock *bodyBlock(const llvm::Loop *L, const llvm::LoopInfo &LI, const llvm::DominatorTree &DT,
                            const llvm::DebugLoc &Start);

/* Line and column, to be compared. */
inline std::pair<unsigned, unsigned> position(const llvm::DebugLoc &L) { return {L.getLine(), L.getCol()}; }

} // namespace scale
#endif
