// SPDX-License-Identifier: GPL-3.0-or-later
// Functions that release something and are called through pointers.
#include "instrument/pass/events.h"
#include "llvm/IR/Module.h"
using namespace llvm;

namespace scale
{

/*
 * `list_new(free)`: nobody sees such calls but the function that is called, so the program gets the address of one that
 * tells of it. All uses in the module change together: two pointers to the same function stay equal.
 */
void ModuleEvents::replaceReferences(Module &M)
{
  for (const char *Name : {"free", "fclose", "close", "_ZdlPv", "_ZdlPvm", "_ZdaPv", "pthread_mutex_unlock"}) {
    Function *F = M.getFunction(Name);
    if (!F || !F->isDeclaration())
      continue;
    auto IsReference = [](Use &U) {
      auto *Call = dyn_cast<CallBase>(U.getUser());
      return !Call || !Call->isCallee(&U);
    };
    if (none_of(F->uses(), IsReference))
      continue;
    FunctionCallee Telling = M.getOrInsertFunction((Twine("__scale_ref_") + Name).str(), F->getFunctionType());
    if (auto *G = dyn_cast<Function>(Telling.getCallee()); G && F->doesNotThrow())
      G->setDoesNotThrow();
    F->replaceUsesWithIf(Telling.getCallee(), IsReference);
  }
}

} // namespace scale
