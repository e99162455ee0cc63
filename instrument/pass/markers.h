// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "instrument/pass/table.h"
#include "llvm/IR/PassManager.h"

/*
 * Markers: calls of llvm.var.annotation with null operands and an ID, one at
 * every function entry and in every source loop. The optimiser can neither
 * drop nor invent them, the inliner copies them together with their place in
 * the source (the inlined-at chain), and they cost it nothing.
 */
namespace scale
{

/* Front-end IR in, the same with markers, loops in debug locations, and the table out. Runs first of all passes. */
class EarlyPass : public llvm::PassInfoMixin<EarlyPass>
{
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &AM);
  static bool isRequired() { return true; }
};

/* The ID of a marker; nothing for any other instruction (users' annotations have operands that are not null). */
std::optional<uint64_t> markerId(const llvm::Instruction &I);

/* Whether code for this module can be instrumented at all: 64-bit little-endian Linux. */
bool isSupportedTarget(const llvm::Module &M);

/* Whether the late pass has been over this module: bitcode that is compiled further (-emit-llvm -c, then the link). */
bool isInstrumented(const llvm::Module &M);

} // namespace scale
