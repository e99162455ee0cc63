// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "instrument/pass/table.h"
#include "llvm/ADT/STLFunctionalExtras.h"

/*
 * With --scale-plain-copies (SCALE_PLAIN_COPIES=1 in the environment) a function is kept twice: as it counts, and as
 * it would be without us. Processes without a profile folder run the second one: counters that nobody will read take
 * time as long as they are in the code. A copy calls copies; what is known by its address is the wrapper under the
 * original name, which goes to either (Contexts::wrap).
 */
namespace scale
{

/* The copy of each function that has one. */
using PlainCopies = llvm::DenseMap<const llvm::Function *, llvm::Function *>;

/* Whether the environment asks for copies. */
bool wantsPlainCopies();

/* Makes the copies, before anything is counted. Movable: functions whose code is going to leave their original name,
 * and which that name can choose from; BindsHere: whether a call by that name reaches this very definition. */
PlainCopies makePlainCopies(llvm::Module &M, const Table &Rows, llvm::function_ref<bool(llvm::Function &)> Movable,
                            llvm::function_ref<bool(const llvm::Function &)> BindsHere);

} // namespace scale
