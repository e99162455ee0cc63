// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "llvm/IR/PassManager.h"

/*
 * The late pass: markers become counters, calls hand over slots, and every
 * function gets its record. After inlining, before vectorisation.
 */
namespace scale
{

class LatePass : public llvm::PassInfoMixin<LatePass>
{
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &AM);
  static bool isRequired() { return true; }
};

} // namespace scale
