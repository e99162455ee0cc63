// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "instrument/pass/event_names.h"
#include <set>

/*
 * Functions that obtain something for their callers: `xmalloc`, which returns what it acquired and keeps it nowhere; a
 * lock() or the constructor of a guard, which returns with the lock held. What is obtained there belongs to their
 * calls. So does what a function waits for that does nothing else with the condition it is handed. Found by the early
 * pass in code as it was written. A call whose result, or lock, leaves the function that it stands in has an attribute,
 * which the inliner copies, and its place in the source is kept in the module for the late pass, which looks along the
 * inlined-at chain.
 */
namespace scale
{

/* Of a function that waits for a condition, and does nothing else with one. */
constexpr char WaitsAttribute[] = "scale-waits";

/* Early. */
void markWrappers(llvm::Module &M, const Table &Rows, const KnownEvents &Known);

/* Late: what was found; takes it out of the module. */
class Wrappers
{
public:
  Wrappers(llvm::Module &M, const Table &Rows);
  /* Whether what the call obtains, or waits for, is its function's callers'. */
  static bool leaves(const llvm::CallBase &Call);
  /* Whether a function obtains for its callers. */
  static bool isWrapper(const llvm::Function *Callee);
  /* Whether calls of a function are to be told apart by their places: also those that wait for their callers. */
  static bool isToldApart(const llvm::Function *Callee);
  /* The call that what an event obtains belongs to: the event's own place, or that of a call that was inlined. *Out: it
   * belongs to the callers of the whole function. */
  const llvm::DILocation *placeOf(const llvm::CallBase &Event, bool *Out) const;

private:
  const Table &Rows;
  std::set<CallSite> Leaving;
};

} // namespace scale
