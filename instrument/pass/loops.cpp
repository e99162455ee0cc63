// SPDX-License-Identifier: GPL-3.0-or-later
#include "instrument/pass/loops.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instructions.h"
using namespace llvm;

namespace scale
{

static DebugLoc firstLocation(const BasicBlock *BB)
{
  for (const Instruction &I : *BB)
    if (I.getDebugLoc() && I.getDebugLoc().getLine())
      return I.getDebugLoc();
  return DebugLoc();
}

/* The branch on which the front end noted the loop statement: its back edge, or a `continue` whose way back leads
 * through the end of a scope. Null for a loop made of goto. */
static const Instruction *notedBranch(const Loop *L, const LoopInfo &LI)
{
  for (const BasicBlock *BB : predecessors(L->getHeader()))
    if (L->contains(BB) && BB->getTerminator()->getMetadata(LLVMContext::MD_loop))
      return BB->getTerminator();
  for (const BasicBlock *BB : L->blocks())
    if (LI.getLoopFor(BB) == L && BB->getTerminator()->getMetadata(LLVMContext::MD_loop))
      return BB->getTerminator();
  return nullptr;
}

/* Where the loop statement begins; for a goto where its first instruction stands. */
DebugLoc loopLocation(const Loop *L, const LoopInfo &LI)
{
  if (const Instruction *Back = notedBranch(L, LI))
    for (const MDOperand &Op : drop_begin(Back->getMetadata(LLVMContext::MD_loop)->operands()))
      if (auto *Location = dyn_cast<DILocation>(Op))
        return DebugLoc(Location);
  DebugLoc First = firstLocation(L->getHeader());
  if (First)
    return First;
  for (const BasicBlock *BB : L->blocks()) // the block of a computed goto has no place of its own
    if (DebugLoc Location = firstLocation(BB))
      if (!First ||
          std::make_pair(Location.getLine(), Location.getCol()) < std::make_pair(First.getLine(), First.getCol()))
        First = Location;
  return First;
}

/* Where the text of a loop statement ends; nothing for a goto. */
DebugLoc loopEnd(const Loop *L, const LoopInfo &LI)
{
  const Instruction *Back = notedBranch(L, LI);
  unsigned Locations = 0;
  if (Back)
    for (const MDOperand &Op : drop_begin(Back->getMetadata(LLVMContext::MD_loop)->operands()))
      if (auto *Location = dyn_cast<DILocation>(Op); Location && ++Locations == 2)
        return DebugLoc(Location);
  return DebugLoc();
}

static bool sameLine(const DebugLoc &A, const DebugLoc &B)
{
  return A && B && A.getLine() == B.getLine() && A.getCol() == B.getCol();
}

/* Whether leaving by this block means leaving the loop, if need be through the switch that ends a cleanup. */
static bool leavesLoop(const Loop *L, const BasicBlock *BB)
{
  for (unsigned Steps = 0; Steps < 8 && L->contains(BB); Steps++) {
    const Instruction *End = BB->getTerminator();
    if (isa<SwitchInst>(End))
      return any_of(successors(BB), [&](const BasicBlock *S) { return !L->contains(S); });
    if (End->getNumSuccessors() != 1)
      return false;
    BB = End->getSuccessor(0);
  }
  return !L->contains(BB);
}

/*
 * The block whose executions are the iterations of the body. For `for` and
 * `while` it is the one behind the exit test, a conditional branch that carries
 * the location of the statement itself (in a range-based `for`: that of its
 * increment, on the back edge). `for (;;)`, `do` and loops made of goto have no
 * such branch: their header is the body.
 */
BasicBlock *bodyBlock(const Loop *L, const LoopInfo &LI, const DominatorTree &DT, const DebugLoc &Start)
{
  BasicBlock *Header = L->getHeader(), *Best = nullptr;
  const Instruction *Back = notedBranch(L, LI);
  if (!Back)
    return Header;
  for (BasicBlock *BB : L->blocks()) {
    auto *Br = dyn_cast<BranchInst>(BB->getTerminator());
    if (!Br || !Br->isConditional() || LI.getLoopFor(BB) != L || (Best && !DT.dominates(BB, Best)))
      continue;
    BasicBlock *Body = Br->getSuccessor(0), *Exit = Br->getSuccessor(1);
    if (Body == Header || Exit == Header || !L->contains(Body) || !leavesLoop(L, Exit))
      continue;
    if (sameLine(Br->getDebugLoc(), Start) ||
        (Body != Back->getParent() && sameLine(Br->getDebugLoc(), Back->getDebugLoc())))
      Best = BB;
  }
  return Best ? Best->getTerminator()->getSuccessor(0) : Header;
}

} // namespace scale
