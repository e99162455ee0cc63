// SPDX-License-Identifier: GPL-3.0-or-later
#include "instrument/pass/counters.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IntrinsicInst.h"
using namespace llvm;

namespace scale
{

Counters::Counters(Function &Fn, const Runtime &R, const Analyses &An, ArrayRef<CallBase *> Breakers, bool Memory,
                   std::function<Value *(IRBuilder<> &)> N, std::vector<AllocaInst *> &V)
    : F(Fn), RT(R), A(An), MemoryOnly(Memory), Node(std::move(N)), Variables(V),
      Expander(An.SE, Fn.getParent()->getDataLayout(), "scale")
{
  for (CallBase *Call : Breakers)
    for (const Loop *L = A.LI.getLoopFor(Call->getParent()); L; L = L->getParentLoop())
      Breaking.insert(L);
}

/* Room that a loop's body needs: above this a counter in memory costs nothing that waits for anything, and a register
 * would soon be one in memory, too. */
static constexpr unsigned MostInstructions = 48, MostRegisters = 4;

static unsigned weight(const Loop &L)
{
  unsigned Instructions = 0;
  for (const BasicBlock *BB : L.blocks())
    for (const Instruction &I : BB->instructionsWithoutDebug())
      Instructions += !isa<PHINode>(I);
  return Instructions;
}

bool Counters::canKeepInRegister(const Loop *L) const
{
  if (!L->getLoopPreheader() || !L->hasDedicatedExits())
    return false;
  SmallVector<BasicBlock *, 8> Out;
  L->getUniqueExitBlocks(Out);
  if (Out.size() > 4)
    return false;
  return none_of(Out, [](BasicBlock *BB) {
    return (BB->isEHPad() && !BB->isLandingPad()) || BB->getFirstInsertionPt() == BB->end();
  });
}

static bool hasCalls(const Loop &L)
{
  for (const BasicBlock *BB : L.blocks())
    for (const Instruction &I : *BB)
      if (auto *Call = dyn_cast<CallBase>(&I); Call && !isa<IntrinsicInst>(Call))
        return true;
  return false;
}

/*
 * The loop in which the executions of At are counted in a register; null: in memory. A register saves no instruction
 * (it must be cleared and added), but what one iteration of a tight loop waits for: the other's store. So tight loops
 * get one.
 */
Loop *Counters::region(Instruction *At)
{
  Loop *L = A.LI.getLoopFor(At->getParent());
  if (!L || !L->isInnermost() || Breaking.count(L) || !canKeepInRegister(L))
    return nullptr;
  auto [It, New] = Registers.try_emplace(L, 0);
  if (New && (hasCalls(*L) || weight(*L) > MostInstructions))
    It->second = MostRegisters;
  if (It->second == MostRegisters)
    return nullptr;
  It->second++;
  return L;
}

/*
 * How often Block, in no loop inside L, is executed each time L is entered; null if
 * that is not known before. It is the number of back edges taken if Block lies
 * behind every exit test, one more if it lies before them all.
 */
Value *Counters::computed(Loop *L, BasicBlock *Block)
{
  BasicBlock *Latch = L->getLoopLatch();
  if (!Latch || !L->getLoopPreheader() || !A.DT.dominates(Block, Latch) || Breaking.count(L))
    return nullptr;
  SmallVector<BasicBlock *, 8> Exiting;
  L->getExitingBlocks(Exiting);
  unsigned Before = 0;
  for (BasicBlock *Exit : Exiting) {
    if (A.DT.dominates(Block, Exit))
      Before++;
    else if (!A.DT.dominates(Exit, Block))
      return nullptr;
  }
  if (Exiting.empty() || (Before != 0 && Before != Exiting.size()))
    return nullptr;
  const SCEV *Taken = A.SE.getBackedgeTakenCount(L);
  Instruction *At = L->getLoopPreheader()->getTerminator();
  if (isa<SCEVCouldNotCompute>(Taken) || !Taken->getType()->isIntegerTy() ||
      A.SE.getTypeSizeInBits(Taken->getType()) > 64 || !Expander.isSafeToExpandAt(Taken, At) ||
      Expander.isHighCostExpansion({Taken}, L, 8, &A.TTI, At))
    return nullptr;
  Value *Times = Expander.expandCodeFor(Taken, Taken->getType(), At->getIterator());
  IRBuilder<> B(At);
  Times = B.CreateZExt(Times, RT.i64());
  return Before ? B.CreateAdd(Times, B.getInt64(1)) : Times;
}

/* A register that counts from 0 in Region and is added to the counter wherever the region is left. */
AllocaInst *Counters::variable(Loop *Region, unsigned Offset)
{
  auto *V = new AllocaInst(RT.i64(), 0, "scale.count", F.getEntryBlock().begin());
  Variables.push_back(V);
  IRBuilder<> B(Region->getLoopPreheader()->getTerminator());
  B.CreateStore(B.getInt64(0), V);
  SmallVector<BasicBlock *, 8> Out;
  Region->getUniqueExitBlocks(Out);
  for (BasicBlock *BB : Out) {
    auto &At = AddAtExit[BB];
    if (At.empty())
      Exits.push_back(BB);
    At.push_back({V, Offset});
  }
  return V;
}

/* From the cheapest: added once where the number of iterations can be computed, else in a register of a loop that is
 * stored behind it, else in memory each time. */
void Counters::count(Instruction *At, unsigned Offset)
{
  Loop *L = A.LI.getLoopFor(At->getParent());
  IRBuilder<> B(At);
  B.SetCurrentDebugLocation(DebugLoc());
  if (Value *Times = L && !MemoryOnly ? computed(L, At->getParent()) : nullptr) {
    B.SetInsertPoint(L->getLoopPreheader()->getTerminator());
    B.SetCurrentDebugLocation(DebugLoc());
    RT.add(B, Node(B), Offset, Times);
    return;
  }
  Loop *Region = MemoryOnly ? nullptr : region(At);
  if (!Region) {
    RT.add(B, Node(B), Offset, B.getInt64(1));
    return;
  }
  AllocaInst *V = variable(Region, Offset);
  B.CreateStore(B.CreateAdd(B.CreateLoad(RT.i64(), V), B.getInt64(1)), V);
}

void Counters::flush()
{
  for (BasicBlock *BB : Exits) {
    IRBuilder<> B(BB, BB->getFirstInsertionPt());
    B.SetCurrentDebugLocation(DebugLoc());
    for (auto [V, Offset] : AddAtExit[BB])
      RT.add(B, Node(B), Offset, B.CreateLoad(RT.i64(), V));
  }
}

} // namespace scale
