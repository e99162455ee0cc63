// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "instrument/pass/table.h"
#include "instrument/pass/work_spec.h"
#include "llvm/IR/Module.h"

/*
 * What a module has and nobody counts, for the report to name: a record each (docs/scprof-format.md) in a section of
 * their own. The runtime copies them when code of the link unit first runs; no code refers to them.
 */
namespace scale
{

/* Names F, which is left out because it is What ("naked function"). */
void nameUncounted(llvm::Function &F, llvm::StringRef What);
/* Names the loops of F that have several entries: they have no header to count at. */
void nameUncountedLoops(llvm::Function &F);
/* Names the library's functions of known work whose address goes where somebody may call it, each once, with the first
 * place. When the optimiser has made calls by name of those through pointers that it sees through. */
void nameUncountedWork(llvm::Module &M, const Table &Rows, const KnownWork &Work);

} // namespace scale
