// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "instrument/pass/table.h"
#include "llvm/IR/PassManager.h"

/*
 * Early: finds the locks that a program makes of atomic operations itself, and calls what tells of them beside these
 * operations (the locks' rows of KnownEvents). Code that has none stays as it is. What is taken for a lock:
 * docs/events.md, "Locks of the program's own".
 */
namespace scale
{

/* Changes functions that have a row only. */
void markSpinLocks(llvm::Module &M, const Table &Rows, llvm::FunctionAnalysisManager &FAM);

} // namespace scale
