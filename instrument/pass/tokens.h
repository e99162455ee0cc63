// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "llvm/IR/Module.h"

/*
 * What a program compares its input with: characters and strings, for scale-run fuzz to make inputs from. They stand in
 * a section of their own that nothing refers to and no loader maps (SCALE_TOKENS in profiles/layout.inc).
 */
namespace scale
{

/* On front-end IR, in which comparisons are still what was written. Adds nothing but the section. */
void noteTokens(llvm::Module &M);

} // namespace scale
