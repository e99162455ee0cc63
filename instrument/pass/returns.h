// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

/*
 * Which calls come back. Counters on both sides of a call that surely does can be one. A call that never ends is
 * taken for one that comes back: what lies behind it is counted once too often when the process is ended there, as it
 * is when a signal ends the process anywhere.
 */
namespace scale
{

class Returns
{
public:
  /* Looks at all functions of the module, which must still have their bodies. BindsHere: whether a call of the function
   * reaches this very definition. */
  Returns(llvm::Module &M, llvm::function_ref<bool(const llvm::Function &)> BindsHere);

  /* Whether execution may not continue behind the call: it may throw, exit, longjmp, or come back twice. */
  bool mayNotReturn(const llvm::CallBase &Call) const;

private:
  llvm::SmallPtrSet<const llvm::Function *, 32> Sure;
};

} // namespace scale
