// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "instrument/pass/facts/values.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include <vector>

/*
 * What a function does to fields and globals: every read and write of one, counters and their net effect, and the
 * shapes that link and unlink units.
 */
namespace scale::facts
{

/* A read or a write of a place. */
struct Access {
  const llvm::Instruction *At = nullptr;
  const llvm::Value *Pointer = nullptr;
  const llvm::Value *Stored = nullptr; /* null: a read */
  Address Where;
  unsigned Key = 0; /* equal for accesses of the same place of, as far as the code shows, the same record */
};

struct Counter {
  const Access *Store = nullptr; /* or null: an atomic operation, or a call of one */
  const llvm::Instruction *At = nullptr;
  Address Where;
  unsigned Key = 0;
  int64_t Step = 0;
  const llvm::Value *Amount = nullptr; /* where the step is no constant: Step is its sign */
  const llvm::Value *After = nullptr;  /* the new value */
  const llvm::Value *Before = nullptr; /* the old value */
  bool Ring = false;                   /* it begins anew at some size */
  std::optional<int64_t> Net;
};

struct Link {
  const char *Kind;
  const Access *At;
  std::string Head, Through; /* places; Through: the link's, or empty */
  std::string Count;         /* the place of the index */
  const llvm::Value *Unit;
  std::string Base;
};

/* Which blocks run whenever the function returns, and which are in loops. */
class Course
{
public:
  explicit Course(llvm::Function &F) : Tree(F), Loops(Tree)
  {
    for (const llvm::BasicBlock &BB : F)
      if (Tree.isReachableFromEntry(&BB) && llvm::isa<llvm::ReturnInst>(BB.getTerminator()))
        Returns.push_back(&BB);
  }
  bool conditional(const llvm::Instruction &I) const;
  bool inLoop(const llvm::Instruction &I) const { return Loops.getLoopFor(I.getParent()) != nullptr; }
  bool reached(const llvm::BasicBlock *BB) const { return Tree.isReachableFromEntry(BB); }
  const llvm::DominatorTree &tree() const { return Tree; }
  const llvm::LoopInfo &loops() const { return Loops; }

private:
  llvm::DominatorTree Tree;
  llvm::LoopInfo Loops;
  llvm::SmallVector<const llvm::BasicBlock *, 2> Returns;
};

class Flow
{
public:
  Flow(llvm::Function &F, Values &V, const Course &C);
  const std::vector<Access> &accesses() const { return Accesses; }
  const std::vector<Counter> &counters() const { return Counters; }
  const std::vector<Link> &links() const { return Links; }
  bool testedForZero(const Counter &C) const;
  /* The read that V is the result of; null: none. */
  const Access *loaded(const llvm::Value *V) const;

private:
  void note(llvm::Instruction &I);
  unsigned key(const Address &Where, const llvm::Value *Pointer);
  void add(const llvm::Instruction &I, const llvm::Value *Pointer, const llvm::Value *Stored, llvm::Type *Of);
  void findCounter(const Access &A);
  void findAtomicCounter(const llvm::Instruction &I);
  void findNets();
  std::optional<int64_t> net(unsigned Key) const;
  const Access *readIn(const llvm::Value *V) const;
  const Counter *counterOf(const llvm::Value *Index) const;
  void findLinks(const Access &S);
  bool findPop(const Access &S);
  bool findUnlink(const Access &S);
  bool isCompared(const llvm::Value *Unit, unsigned Key) const;
  void findPushOrTail(const Access &S);
  void findTail(const Access &S, const llvm::Value *Unit);
  Address arrayOf(const Access &A) const;
  void linkArray(const char *Kind, const Access &A, const Counter &Count, const llvm::Value *Unit);
  void findAppend(const Access &S);
  void findTake(const Access &L);
  void link(const char *Kind, const Access &At, std::string Through, const llvm::Value *Unit);
  bool same(const llvm::Value *A, const llvm::Value *B) const;

  llvm::Function &F;
  Values &V;
  const Course &C;
  const llvm::DataLayout &Layout;
  std::vector<Access> Accesses;
  llvm::DenseMap<const llvm::Value *, unsigned> Reads;                          /* numbers of accesses */
  llvm::DenseMap<const llvm::Value *, llvm::SmallVector<unsigned, 2>> StoresBy; /* by the value that is stored */
  llvm::DenseMap<const llvm::Value *, llvm::SmallVector<unsigned, 2>> StoresTo; /* by what the pointer begins with */
  std::map<std::pair<std::string, std::pair<const llvm::Value *, unsigned>>, unsigned> Keys;
  std::vector<Counter> Counters;
  std::vector<Link> Links;
};

} // namespace scale::facts
