// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "instrument/pass/table.h"
#include "llvm/IR/Module.h"

/*
 * Early: finds where threads wait for a condition until there is something to take, in a loop or an
 * `if`, and calls what tells that it was taken where that ends; and that something was put there, where the condition
 * is signalled (the pools' rows of KnownEvents). Code that has not both of them stays as it is. docs/events.md, "Units
 * behind conditions".
 */
namespace scale
{

/* V once more where At stands: what led to it there is local or global; null: something else did. */
llvm::Value *computeAgain(llvm::Value *V, llvm::Instruction *At, unsigned Depth = 0);
/* Changes functions that have a row only. */
void markUnitPools(llvm::Module &M, const Table &Rows);

} // namespace scale
