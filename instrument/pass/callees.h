// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/InstrTypes.h"

/* What is known about functions of the C library (safe_callees.def). */
namespace scale
{

enum class Library {
  Unknown,   /* not listed: may call back, may not return */
  Returns,   /* never calls back, always returns */
  Waits,     /* never calls back, returns unless the process is ended while it waits */
  Leaves,    /* never calls back, does not return (or returns twice) */
  CallsBack, /* calls back; by its own symbol only, never through a thunk */
};

/* What the list says about a function that is only declared here. */
Library libraryKind(const llvm::Function &F);

/* Whether the optimiser knows F as a library function (then its attributes are facts about the library, not the
 * programmer's about his own code). */
bool isLibraryFunction(const llvm::Function &F, const llvm::TargetLibraryInfo &TLI);

/* Whether execution may not continue behind the call, as far as attributes and the list of library functions tell:
 * it may throw, exit, longjmp, or come back twice. */
bool mayNotReturn(const llvm::CallBase &Call);
/* Whether F calls setjmp or the like: values in registers may then be those of an earlier time. */
bool callsReturningTwice(const llvm::Function &F);

/* Whether one of the first Count parameters travels in a way of its own (a static chain, Swift's registers, memory that
 * the caller sets up for the callee): one more parameter cannot be added beside it. */
bool hasSpecialParameters(const llvm::AttributeList &Attributes, unsigned Count);

/* Forgets what would let the optimiser merge or drop calls, or move counters across them. */
void forgetEffects(llvm::Function &F);
void forgetEffects(llvm::CallBase &Call);

} // namespace scale
