// SPDX-License-Identifier: GPL-3.0-or-later
#include "instrument/pass/atomic_walk.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"
using namespace llvm;

namespace scale
{

/* Blocks entered in all, and operands on the way to a constant: lock functions need a few dozen. */
constexpr unsigned MaxSteps = 400, MaxDepth = 16;

/* Null for everything that the operation's result does not decide: the walk then takes both ways. */
Constant *AtomicWalk::evaluate(Value *V, Values &Known, unsigned Depth) const
{
  if (auto *C = dyn_cast<Constant>(V))
    return C;
  if (auto It = Known.find(V); It != Known.end())
    return It->second;
  if (V == &At)
    return isa<AtomicCmpXchgInst>(At) ? nullptr : Old;
  if (auto *Part = dyn_cast<ExtractValueInst>(V); Part && Part->getAggregateOperand() == &At)
    return Part->getIndices()[0] == 0 ? Old : Worked;
  auto *I = dyn_cast<Instruction>(V);
  if (!I || Depth > MaxDepth)
    return nullptr;
  if (auto *S = dyn_cast<SelectInst>(I)) {
    auto *Condition = dyn_cast_or_null<ConstantInt>(evaluate(S->getCondition(), Known, Depth + 1));
    return Condition ? evaluate(Condition->isOne() ? S->getTrueValue() : S->getFalseValue(), Known, Depth + 1)
                     : nullptr;
  }
  if (!isa<CmpInst>(I) && !isa<CastInst>(I) && !isa<BinaryOperator>(I) && !isa<FreezeInst>(I))
    return nullptr;
  SmallVector<Constant *, 2> Operands;
  for (Value *Operand : I->operands()) {
    Constant *C = evaluate(Operand, Known, Depth + 1);
    if (!C)
      return nullptr;
    Operands.push_back(C);
  }
  if (isa<FreezeInst>(I))
    return Operands[0];
  const DataLayout &DL = I->getModule()->getDataLayout();
  return isa<CmpInst>(I)
             ? ConstantFoldCompareInstOperands(cast<CmpInst>(I)->getPredicate(), Operands[0], Operands[1], DL)
             : ConstantFoldInstOperands(I, Operands, DL);
}

void AtomicWalk::answer(Constant *C)
{
  if (Ends.Asked && Ends.Value != C)
    C = nullptr;
  Ends.Value = C;
  Ends.Asked = true;
}

void AtomicWalk::enter(BasicBlock &From, BasicBlock &To, const Values &Known,
                       const SmallVector<const BasicBlock *, 16> &Path)
{
  if (!Where && !In->contains(&To)) {
    Ends.Left = true;
    return;
  }
  // Around a loop that waits without the operation nothing else will happen.
  if (&To != At.getParent() && is_contained(Path, &To))
    return;
  Values Now = Known;
  for (PHINode &Phi : To.phis()) {
    Values Before = Known;
    if (Constant *C = evaluate(Phi.getIncomingValueForBlock(&From), Before, 0))
      Now[&Phi] = C;
    else
      Now[&Phi] = nullptr;
  }
  follow(To, To.getFirstNonPHIIt(), std::move(Now), Path);
}

/* By value, as ways part at branches that nothing decides. MaxSteps bounds how many there are; "unknown" is what the
 * caller then has to live with. */
void AtomicWalk::follow(BasicBlock &BB, BasicBlock::iterator From, Values Known,
                        SmallVector<const BasicBlock *, 16> Path)
{
  if (++Steps > MaxSteps) {
    Ends.Unknown = true;
    return;
  }
  Path.push_back(&BB);
  for (Instruction &I : make_range(From, BB.end())) {
    if (&I == &At) {
      Ends.Again = Ends.Missed = true;
      return;
    }
    if (&I == Where)
      return answer(evaluate(Question, Known, 0));
  }
  Instruction *End = BB.getTerminator();
  if (End->getNumSuccessors() == 0) {
    Ends.Left = Ends.Missed = true;
    return;
  }
  Value *On = nullptr;
  if (auto *Branch = dyn_cast<BranchInst>(End); Branch && Branch->isConditional())
    On = Branch->getCondition();
  else if (auto *Switch = dyn_cast<SwitchInst>(End))
    On = Switch->getCondition();
  auto *Decided = On ? dyn_cast_or_null<ConstantInt>(evaluate(On, Known, 0)) : nullptr;
  if (Decided && isa<BranchInst>(End))
    return enter(BB, *End->getSuccessor(Decided->isOne() ? 0 : 1), Known, Path);
  if (Decided)
    return enter(BB, *cast<SwitchInst>(End)->findCaseValue(Decided)->getCaseSuccessor(), Known, Path);
  for (BasicBlock *Next : successors(&BB))
    enter(BB, *Next, Known, Path);
}

WalkEnds AtomicWalk::leave()
{
  follow(*At.getParent(), std::next(At.getIterator()), Values(), {});
  return Ends;
}

WalkEnds AtomicWalk::ask(Instruction &There, Value &V)
{
  Where = &There;
  Question = &V;
  follow(*At.getParent(), std::next(At.getIterator()), Values(), {});
  return Ends;
}

} // namespace scale
