// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "instrument/pass/runtime.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include <functional>
#include <map>

/*
 * Code that counts how often points of a function are executed. In a loop the
 * count is computed in the preheader where scalar evolution knows it; else, in a
 * tight loop, it is kept in a register and added on exit; else, and outside of
 * loops, it is counted in memory. The control flow stays as it is.
 */
namespace scale
{

class Counters
{
public:
  struct Analyses {
    const llvm::DominatorTree &DT;
    const llvm::LoopInfo &LI;
    llvm::ScalarEvolution &SE;
    const llvm::TargetTransformInfo &TTI;
  };
  /* Node: makes the node's address at an insertion point. Variables it creates are appended to Variables, for the
   * caller to promote to registers. MemoryOnly: no registers (setjmp, no optimisation). */
  Counters(llvm::Function &F, const Runtime &RT, const Analyses &A, llvm::ArrayRef<llvm::CallBase *> Breakers,
           bool MemoryOnly, std::function<llvm::Value *(llvm::IRBuilder<> &)> Node,
           std::vector<llvm::AllocaInst *> &Variables);

  /* Counts executions of the point before At in the counter at Offset of the node. */
  void count(llvm::Instruction *At, unsigned Offset);
  /* Emits the additions that count() put off; once, at the end. */
  void flush();

private:
  llvm::Loop *region(llvm::Instruction *At);
  llvm::Value *computed(llvm::Loop *L, llvm::BasicBlock *Block);
  bool canKeepInRegister(const llvm::Loop *L) const;
  llvm::AllocaInst *variable(llvm::Loop *Region, unsigned Offset);

  llvm::Function &F;
  const Runtime &RT;
  Analyses A;
  bool MemoryOnly;
  std::function<llvm::Value *(llvm::IRBuilder<> &)> Node;
  std::vector<llvm::AllocaInst *> &Variables;
  llvm::SCEVExpander Expander;
  llvm::SmallPtrSet<const llvm::Loop *, 8> Breaking; /* with a call that may not return */
  llvm::DenseMap<const llvm::Loop *, unsigned> Registers;
  std::map<llvm::BasicBlock *, std::vector<std::pair<llvm::AllocaInst *, unsigned>>> AddAtExit;
  std::vector<llvm::BasicBlock *> Exits; /* the keys of AddAtExit, in the order of the program */
};

} // namespace scale
