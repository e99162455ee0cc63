// SPDX-License-Identifier: GPL-3.0-or-later
#include "instrument/pass/facts/facts.h"
#include "instrument/pass/late.h"
#include "instrument/pass/markers.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/PassPlugin.h"
using namespace llvm;

/* Registers the passes for every optimisation level, -O0 included, and by name for opt. */
static void registerPasses(PassBuilder &PB)
{
  PB.registerPipelineStartEPCallback([](ModulePassManager &MPM, OptimizationLevel) {
    if (scale::wantsFacts())
      MPM.addPass(scale::FactsPass());
    MPM.addPass(scale::EarlyPass());
  });
  PB.registerOptimizerEarlyEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel) { MPM.addPass(scale::LatePass()); });
  PB.registerPipelineParsingCallback(
      [](StringRef Name, ModulePassManager &MPM, ArrayRef<PassBuilder::PipelineElement>) {
        if (Name == "scale-early")
          MPM.addPass(scale::EarlyPass());
        else if (Name == "scale-facts")
          MPM.addPass(scale::FactsPass());
        else if (Name == "scale-late")
          MPM.addPass(scale::LatePass());
        else
          return false;
        return true;
      });
}

extern "C" LLVM_ATTRIBUTE_WEAK __attribute__((visibility("default"))) PassPluginLibraryInfo llvmGetPassPluginInfo()
{
  return {LLVM_PLUGIN_API_VERSION, "scale", SCALE_VERSION, registerPasses};
}
