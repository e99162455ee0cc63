// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "instrument/pass/runtime.h"
#include "instrument/pass/sites.h"
#include "instrument/pass/work_spec.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <vector>

/*
 * The work of library functions that one function calls: each call adds to a counter in the node how much it was. It is
 * counted as the optimiser left it, which is what will be executed: strlen() of a string that a loop does not change is
 * called once.
 */
namespace scale
{

class LibraryWork
{
public:
  LibraryWork(const KnownWork &Known, const Runtime &RT, const Table &Rows, llvm::Function &F)
      : Known(Known), RT(RT), Rows(Rows), F(F)
  {
  }

  /* Finds the calls. May split edges behind invokes. */
  void gather();
  /* Whether the runtime's function will be called instead. */
  bool replaces(const llvm::CallBase &Call) const { return Replaced.count(&Call); }
  /* Gives them counters in the node from NodeBytes on; returns where these end. */
  unsigned layOut(SiteTable &Sites, unsigned NodeBytes);
  /* Makes the node known where it will be needed. */
  void reach(llvm::function_ref<llvm::Value *(llvm::IRBuilder<> &)> Node);
  /* Adds to the counters; calls are replaced. After whatever else refers to the calls. Copied: what the runtime told
   * that the call copied, or null. */
  void lower(llvm::function_ref<llvm::Instruction *(const llvm::CallBase &)> Copied);

private:
  struct Worker {
    llvm::CallBase *Call;
    const WorkSpec *Spec;
    unsigned Offset = 0;
    llvm::Value *Node = nullptr;
  };
  bool isWritten(const llvm::CallBase &Call) const;
  bool fits(const llvm::CallBase &Call, const WorkSpec &Spec) const;
  bool isConstant(const llvm::CallBase &Call, const WorkSpec &Spec) const;
  llvm::Instruction *place(const Worker &W) const;
  llvm::Value *term(llvm::IRBuilder<> &B, const Worker &W, const WorkTerm &Term) const;
  llvm::Value *amount(llvm::IRBuilder<> &B, const Worker &W) const;
  llvm::Value *length(llvm::IRBuilder<> &B, llvm::Value *Text, bool Wide) const;
  llvm::GlobalVariable *nothing(uint64_t Bytes) const;
  llvm::Value *field(llvm::IRBuilder<> &B, llvm::Value *Of, const WorkTerm &Term, bool MayBeNull) const;
  static Worker takeAs(Worker W, const WorkSpec &Row);
  void keepEnd(Worker &W) const;
  void countCalls(Worker &W) const;
  void putBack(llvm::IRBuilder<> &B, const Worker &W) const;
  llvm::Value *replace(Worker &W) const;
  uint64_t fixedPart(const Worker &W) const;
  void count(const Worker &W, llvm::Instruction *At, llvm::Value *Units, uint64_t Fixed) const;

  const KnownWork &Known;
  const Runtime &RT;
  const Table &Rows;
  llvm::Function &F;
  std::vector<Worker> Workers;
  llvm::SmallPtrSet<const llvm::CallBase *, 8> Replaced;
};

} // namespace scale
