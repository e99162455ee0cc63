// SPDX-License-Identifier: GPL-3.0-or-later
#include "instrument/pass/counters.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
using namespace llvm;

namespace scale
{

Counters::Counters(Function &Fn, const Runtime &R, const Analyses &An, ArrayRef<CallBase *> Breakers, bool Memory,
                   std::function<Value *(IRBuilder<> &)> N, std::vector<AllocaInst *> &V)
    : F(Fn), RT(R), A(An), MemoryOnly(Memory), Node(std::move(N)), Variables(V),
      Expander(An.SE, Fn.getParent()->getDataLayout(), "scale")
{
  for (CallBase *Call : Breakers)
    for (const Loop *L = A.LI.getLoopFor(Call->getParent()); L; L = L->getParentLoop()) {
      LoopCalls &In = Breaking[L];
      In.Calls.push_back(Call);
      In.Frequency += A.BFI.getBlockFreq(Call->getParent()).getFrequency();
    }
}

bool Counters::canKeepInRegister(const Loop *L) const
{
  if (!L->getLoopPreheader() || !L->hasDedicatedExits())
    return false;
  SmallVector<BasicBlock *, 8> Out;
  L->getUniqueExitBlocks(Out);
  if (Out.size() > 32)
    return false;
  return none_of(Out, [](BasicBlock *BB) {
    return (BB->isEHPad() && !BB->isLandingPad()) || BB->getFirstInsertionPt() == BB->end();
  });
}

/* The largest loop around At in which adding before every call that may not return costs less than counting in memory.
 */
Loop *Counters::region(Instruction *At) const
{
  uint64_t Own = A.BFI.getBlockFreq(At->getParent()).getFrequency();
  Loop *Region = nullptr;
  for (Loop *L = A.LI.getLoopFor(At->getParent()); L && canKeepInRegister(L); L = L->getParentLoop()) {
    auto It = Breaking.find(L);
    if (It != Breaking.end() && It->second.Frequency >= Own / 2)
      break;
    Region = L;
  }
  return Region;
}

/*
 * How often Block, in no loop inside L, is executed each time L is entered; null if
 * that is not known before. It is the number of back edges taken if Block lies
 * behind every exit test, one more if it lies before them all.
 */
Value *Counters::computed(Loop *L, BasicBlock *Block)
{
  BasicBlock *Latch = L->getLoopLatch();
  if (!Latch || !A.DT.dominates(Block, Latch) || Breaking.count(L))
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
  if (auto It = Breaking.find(Region); It != Breaking.end())
    for (CallBase *Call : It->second.Calls) {
      auto &At = AddBefore[Call];
      if (At.empty())
        Calls.push_back(Call);
      At.push_back({V, Offset});
    }
  return V;
}

void Counters::count(Instruction *At, unsigned Offset)
{
  Loop *Region = MemoryOnly ? nullptr : region(At);
  IRBuilder<> B(At);
  B.SetCurrentDebugLocation(DebugLoc());
  if (!Region) {
    RT.add(B, Node(B), Offset, B.getInt64(1));
    return;
  }
  Loop *L = A.LI.getLoopFor(At->getParent());
  Value *Amount = B.getInt64(1);
  if (Value *Times = computed(L, At->getParent())) {
    Amount = Times;
    B.SetInsertPoint(L->getLoopPreheader()->getTerminator());
    B.SetCurrentDebugLocation(DebugLoc());
    if (Region == L) {
      RT.add(B, Node(B), Offset, Amount);
      return;
    }
  }
  AllocaInst *V = variable(Region, Offset);
  B.CreateStore(B.CreateAdd(B.CreateLoad(RT.i64(), V), Amount), V);
}

void Counters::flush()
{
  for (BasicBlock *BB : Exits) {
    IRBuilder<> B(BB, BB->getFirstInsertionPt());
    B.SetCurrentDebugLocation(DebugLoc());
    for (auto [V, Offset] : AddAtExit[BB])
      RT.add(B, Node(B), Offset, B.CreateLoad(RT.i64(), V));
  }
  for (Instruction *Call : Calls) {
    IRBuilder<> B(Call);
    B.SetCurrentDebugLocation(DebugLoc());
    for (auto [V, Offset] : AddBefore[Call]) {
      RT.add(B, Node(B), Offset, B.CreateLoad(RT.i64(), V));
      B.CreateStore(B.getInt64(0), V);
    }
  }
}

} // namespace scale
