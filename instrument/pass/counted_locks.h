// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "instrument/pass/table.h"
#include "llvm/IR/Module.h"

/*
 * Early: finds locks of readers and writers that a program makes of counters, a mutex and conditions: those that wait
 * until nobody writes, and then count themselves, and those that wait until nobody is counted, and then say that they
 * write; and where both take that back. Calls there what tells of it (the rows of KnownEvents for counted and shared
 * locks). docs/events.md, "Locks of the program's own".
 */
namespace scale
{

/* Of a call that waits for a condition: the time is that of a lock, which waits there. */
constexpr const char *WaitsForCounted = "scale-waits-for-counted";

/* Changes functions that have a row only. */
void markCountedLocks(llvm::Module &M, const Table &Rows);

} // namespace scale
