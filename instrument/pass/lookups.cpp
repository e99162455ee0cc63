// SPDX-License-Identifier: GPL-3.0-or-later
#include "instrument/pass/lookups.h"
#include "llvm/ADT/STLExtras.h"
using namespace llvm;

namespace scale
{

/* The block, or the nearest above it, where a lookup may stand. */
static BasicBlock *outOfLoops(BasicBlock *Block, const LookupAnalyses &A)
{
  for (;;) {
    if (Loop *L = A.LI.getLoopFor(Block))
      Block = A.DT.getNode(L->getHeader())->getIDom()->getBlock();
    else if (Block->isEHPad())
      Block = A.DT.getNode(Block)->getIDom()->getBlock();
    else
      return Block;
  }
}

static Instruction *firstUse(BasicBlock *Block, ArrayRef<LoadInst *> Uses)
{
  Instruction *First = nullptr;
  for (LoadInst *Use : Uses)
    if (Use->getParent() == Block && (!First || Use->comesBefore(First)))
      First = Use;
  return First ? First : Block->getTerminator();
}

/* Without those that another one dominates. */
static std::vector<BasicBlock *> topmost(ArrayRef<BasicBlock *> Blocks, const DominatorTree &DT)
{
  std::vector<BasicBlock *> Top;
  for (BasicBlock *Block : Blocks)
    if (!is_contained(Top, Block) &&
        none_of(Blocks, [&](BasicBlock *Other) { return DT.properlyDominates(Other, Block); }))
      Top.push_back(Block);
  return Top;
}

std::vector<Instruction *> lookupPoints(ArrayRef<LoadInst *> Uses, const LookupAnalyses &A, unsigned Most)
{
  BasicBlock *Common = nullptr;
  std::vector<BasicBlock *> Blocks;
  for (LoadInst *Use : Uses)
    if (A.DT.isReachableFromEntry(Use->getParent())) {
      Blocks.push_back(outOfLoops(Use->getParent(), A));
      Common = Common ? A.DT.findNearestCommonDominator(Common, Blocks.back()) : Blocks.back();
    }
  if (!Common)
    return {};
  Common = outOfLoops(Common, A);
  Blocks = topmost(Blocks, A.DT);
  uint64_t Apart = 0;
  for (BasicBlock *Block : Blocks)
    Apart += A.BFI.getBlockFreq(Block).getFrequency();
  if (Blocks.size() > Most || Apart > A.BFI.getBlockFreq(Common).getFrequency() / 4 * 3)
    Blocks = {Common};
  std::vector<Instruction *> Points;
  for (BasicBlock *Block : Blocks)
    Points.push_back(firstUse(Block, Uses));
  return Points;
}

} // namespace scale
