// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include <vector>

/*
 * What a function does to atomic variables that may be locks: found in a scratch copy of its code as the front end
 * makes it, in which variables are values and the helpers (std::atomic_flag::test_and_set, the program's own try_lock)
 * are inlined, so that it is the same at every optimisation level. The program's code stays as it is.
 */
namespace scale
{

struct AtomicUse {
  enum Kind {
    Attempt, /* puts something else than 0 where 0 may be, and shows what was there: exchange, compare-exchange, or */
    Test,    /* reads, in a loop that attempts */
    Release, /* puts 0 there */
    Retry,   /* a compare-exchange of other values that a loop repeats until it works */
    Contrary /* what nobody does to a lock: waits for something else than 0, puts something else there unasked */
  } What;
  enum Operation { Exchange, CompareExchange, Or, Load, Store, Decrement } How;
  llvm::Instruction *At; /* the operation, or the call of a helper that does it */
  llvm::Value *Address;  /* at At; the variable is Offset bytes behind it */
  int64_t Offset = 0;
  unsigned Bytes = 0;
  /* Attempt, Test: what At's value is if the variable was 0 and if it wasn't (of a compare-exchange itself: its second
   * part); of a decrement, if it was 1 and if it was more; of a compare-exchange that releases, if it worked and if
   * not. Both null where nobody can tell from it, and of a release that always is one. */
  llvm::Constant *Free = nullptr, *Taken = nullptr;
  bool Retried = false;             /* Attempt: again after a failure, in a loop */
  bool Waits = false;               /* Attempt: and a success always ends that loop */
  bool Atomic = true;               /* Release: by more than a plain store */
  llvm::Function *Helper = nullptr; /* whom At calls */
};

class AtomicUses
{
public:
  AtomicUses(llvm::Module &M, llvm::FunctionAnalysisManager &FAM) : M(M), FAM(FAM) {}
  /* Whether anything in the module could be an attempt. */
  static bool any(const llvm::Module &M);
  std::vector<AtomicUse> of(llvm::Function &F);

private:
  struct Facts {
    bool Touches = false; /* does something atomic, itself or in what it calls */
    bool Helper = false;  /* small, and nothing of that in a loop; or only computes an address */
  };
  const Facts &factsOf(llvm::Function &F);
  void forgetExceptions(llvm::Function &Copy);
  void inlineHelpers(llvm::Function &Copy, std::vector<llvm::Instruction *> &Origins);

  llvm::Module &M;
  llvm::FunctionAnalysisManager &FAM;
  llvm::DenseMap<const llvm::Function *, Facts> Known;
};

/* Of the C++ library. */
bool isLibraryCode(const llvm::Function &F);

} // namespace scale
