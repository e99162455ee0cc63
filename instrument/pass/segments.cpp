// SPDX-License-Identifier: GPL-3.0-or-later
#include "instrument/pass/segments.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/CFG.h"
using namespace llvm;

namespace scale
{

Segments::Segments(Function &F, const DominatorTree &D, const LoopInfo &LI, ArrayRef<CallBase *> Breakers) : DT(D)
{
  for (CallBase *Call : Breakers)
    BreakersIn[Call->getParent()].push_back(Call);
  for (auto &[Block, Calls] : BreakersIn)
    llvm::sort(Calls, [](const CallBase *A, const CallBase *B) { return A->comesBefore(B); });
  classify(F, LI);
}

/* Two blocks have the same class if one dominates the other and is post-dominated by it, in the same loop. */
void Segments::classify(Function &F, const LoopInfo &LI)
{
  constexpr unsigned MaxSteps = 128;
  ReversePostOrderTraversal<const Function *> Order(&F);
  // In a cycle with two entries, which LoopInfo does not list, the rule does not hold.
  bool Irreducible = containsIrreducibleCFG<const BasicBlock *>(Order, LI);
  PostDominatorTree PDT(F);
  auto Add = [&](const BasicBlock *BB, unsigned Class) {
    ClassOf[BB] = Class;
    if (Class == Classes.size())
      Classes.emplace_back();
    Classes[Class].push_back(BB);
  };
  for (const BasicBlock *BB : Order) {
    const Loop *L = LI.getLoopFor(BB);
    unsigned Class = Classes.size(), Steps = 0;
    auto *Node = Irreducible ? nullptr : DT.getNode(BB)->getIDom();
    for (; Node && Steps < MaxSteps; Node = Node->getIDom(), Steps++) {
      const BasicBlock *Above = Node->getBlock();
      if (LI.getLoopFor(Above) == L && PDT.dominates(BB, Above)) {
        Class = ClassOf[Above];
        break;
      }
    }
    Add(BB, Class);
  }
  for (const BasicBlock &BB : F) // unreachable ones
    if (!ClassOf.count(&BB))
      Add(&BB, Classes.size());
  Numbered.resize(Classes.size());
}

/* No block that may be executed between From (which dominates To) and To has a breaker. */
bool Segments::isClean(const BasicBlock *From, const BasicBlock *To) const
{
  for (auto &[Block, Calls] : BreakersIn)
    if (Block != From && Block != To && DT.dominates(From, Block) && !DT.dominates(To, Block))
      return false;
  return true;
}

void Segments::number(unsigned Class)
{
  const BasicBlock *Before = nullptr;
  unsigned Segment = Next;
  for (const BasicBlock *BB : Classes[Class]) {
    if (Before && !isClean(Before, BB))
      Segment++;
    FirstSegment[BB] = Segment;
    if (auto It = BreakersIn.find(BB); It != BreakersIn.end())
      Segment += It->second.size();
    Before = BB;
  }
  Next = Segment + 1;
  Numbered[Class] = true;
}

unsigned Segments::of(const Instruction &I)
{
  const BasicBlock *BB = I.getParent();
  if (!Numbered[ClassOf[BB]])
    number(ClassOf[BB]);
  unsigned Segment = FirstSegment[BB];
  if (auto It = BreakersIn.find(BB); It != BreakersIn.end())
    for (const CallBase *Call : It->second)
      Segment += Call != &I && Call->comesBefore(&I);
  return Segment;
}

} // namespace scale
