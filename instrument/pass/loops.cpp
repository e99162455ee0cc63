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

/* The branch on which the front end noted the loop statement: its back edge (perhaps behind a `continue`, so that
 * nothing leads there), or a `continue` whose way back leads through the end of a scope. Null for a loop made of goto,
 * and for a loop that only such a `continue` repeats, as the end of that scope has taken the branch's place. */
static const Instruction *notedBranch(const Loop *L, const LoopInfo &LI)
{
  for (const BasicBlock *BB : predecessors(L->getHeader()))
    if (BB->getTerminator()->getMetadata(LLVMContext::MD_loop))
      return BB->getTerminator();
  for (const BasicBlock *BB : L->blocks())
    if (LI.getLoopFor(BB) == L && BB->getTerminator()->getMetadata(LLVMContext::MD_loop))
      return BB->getTerminator();
  return nullptr;
}

static DebugLoc notedLocation(const Instruction *Noted, unsigned Which)
{
  for (const MDOperand &Op : drop_begin(Noted->getMetadata(LLVMContext::MD_loop)->operands()))
    if (auto *Location = dyn_cast<DILocation>(Op); Location && Which-- == 0)
      return DebugLoc(Location);
  return DebugLoc();
}

static bool sameLine(const DebugLoc &A, const DebugLoc &B) { return A && B && position(A) == position(B); }

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

/* The first branch to the rest of the loop or out of it that has such a location; null if none has. */
static const BranchInst *exitTest(const Loop *L, const LoopInfo &LI, const DominatorTree &DT,
                                  function_ref<bool(const BranchInst &)> IsPlace)
{
  const BranchInst *Best = nullptr;
  for (const BasicBlock *BB : L->blocks()) {
    auto *Br = dyn_cast<BranchInst>(BB->getTerminator());
    if (!Br || !Br->isConditional() || LI.getLoopFor(BB) != L || (Best && !DT.dominates(BB, Best->getParent())))
      continue;
    const BasicBlock *Body = Br->getSuccessor(0), *Exit = Br->getSuccessor(1);
    if (Body != L->getHeader() && Exit != L->getHeader() && L->contains(Body) && leavesLoop(L, Exit) && IsPlace(*Br))
      Best = Br;
  }
  return Best;
}

/* The location with which the loop is entered: of the statement that it is, or else of what stands before it. */
static DebugLoc entryLocation(const Loop *L)
{
  const BasicBlock *Before = L->getLoopPredecessor();
  bool Only = Before && Before->getTerminator()->getNumSuccessors() == 1;
  return Only ? Before->getTerminator()->getDebugLoc() : DebugLoc();
}

/*
 * The exit test of a `while` or `for` that is noted nowhere. It has the location of the statement, with which, or with
 * the initialisation behind it, the statement is entered. What enters a loop made of goto stands before all of it.
 */
static const BranchInst *unnotedTest(const Loop *L, const LoopInfo &LI, const DominatorTree &DT, const DebugLoc &Entry)
{
  if (!Entry)
    return nullptr;
  return exitTest(L, LI, DT, [&](const BranchInst &Br) {
    const DebugLoc &Place = Br.getDebugLoc();
    return Place && Place->getFile() == Entry->getFile() && position(Place) <= position(Entry);
  });
}

/*
 * Whether Entry is the location of a `for (;;)` or `while (1)` that is noted nowhere, and First that of its body's
 * first instruction: nothing but the branch into the loop stands there. A loop made of goto is entered with the
 * location of the statement before it, where something stands, or of the function.
 */
static bool isEndless(const Loop *L, const DebugLoc &Entry, const DebugLoc &First)
{
  const BasicBlock *Before = L->getLoopPredecessor();
  DISubprogram *S = Before ? Before->getParent()->getSubprogram() : nullptr;
  if (!S || !Entry || !First || Entry->getFile() != First->getFile() || position(Entry) >= position(First) ||
      Entry.getLine() <= S->getScopeLine())
    return false;
  auto StandsBetween = [&](const Instruction &I) {
    const DebugLoc &Place = I.getDebugLoc();
    return Place && &I != Before->getTerminator() && Place->getFile() == Entry->getFile() &&
           position(Place) >= position(Entry) && position(Place) < position(First);
  };
  if (any_of(*Before, StandsBetween))
    return false;
  return none_of(*Before->getParent(),
                 [&](const BasicBlock &BB) { return !L->contains(&BB) && any_of(BB, StandsBetween); });
}

/* Where the loop's last instruction stands: the end of the scope that its `continue` leaves, or behind it. */
static DebugLoc lastLocation(const Loop *L, const DebugLoc &Start)
{
  DebugLoc Last = Start;
  for (const BasicBlock *BB : L->blocks())
    for (const Instruction &I : *BB)
      if (const DebugLoc &Place = I.getDebugLoc();
          Place && Place->getFile() == Start->getFile() && !Place.getInlinedAt() && position(Place) > position(Last))
        Last = Place;
  return Last;
}

/* For `for (;;)`, `do` and loops made of goto, which have no exit test that precedes the body. */
static DebugLoc firstPlace(const Loop *L)
{
  DebugLoc First = firstLocation(L->getHeader());
  if (First)
    return First;
  for (const BasicBlock *BB : L->blocks()) // the block of a computed goto has no place of its own
    if (DebugLoc Location = firstLocation(BB); Location && (!First || position(Location) < position(First)))
      First = Location;
  return First;
}

LoopText describeLoop(const Loop *L, const LoopInfo &LI, const DominatorTree &DT)
{
  LoopText Text;
  const BranchInst *Test = nullptr;
  DebugLoc Entry = entryLocation(L);
  if (const Instruction *Noted = notedBranch(L, LI)) {
    Text.Start = notedLocation(Noted, 0);
    Text.End = notedLocation(Noted, 1);
    Test = exitTest(L, LI, DT, [&](const BranchInst &Br) {
      return sameLine(Br.getDebugLoc(), Text.Start) ||
             (Br.getSuccessor(0) != Noted->getParent() && sameLine(Br.getDebugLoc(), Noted->getDebugLoc()));
    });
  } else if ((Test = unnotedTest(L, LI, DT, Entry))) {
    Text.Start = Test->getDebugLoc();
    Text.End = lastLocation(L, Text.Start);
  } else if (isEndless(L, Entry, firstPlace(L))) {
    Text.Start = Entry;
    Text.End = lastLocation(L, Text.Start);
  }
  if (!Text.Start)
    Text.Start = firstPlace(L);
  Text.Body = Test ? Test->getSuccessor(0) : L->getHeader();
  return Text;
}

} // namespace scale
