// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "llvm/IR/PassManager.h"

/*
 * With --scale-facts (SCALE_FACTS=1 in the environment): what the unit's types, variables and functions are and do, as
 * one JSON object in the section .scale_facts, for `scale-run discover` (docs/facts-format.md). Runs before all other
 * passes, on a copy of the module: the program stays what it is.
 */
namespace scale
{

class FactsPass : public llvm::PassInfoMixin<FactsPass>
{
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &AM);
  static bool isRequired() { return true; }
};

/* Whether the environment asks for facts. */
bool wantsFacts();

} // namespace scale
