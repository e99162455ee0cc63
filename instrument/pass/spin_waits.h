// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "llvm/IR/Instruction.h"
#include <vector>

/*
 * Loops that only wait for another thread, in code as the front end makes it: the last part of a ticket lock, a barrier
 * of the program's own, a lock in inline assembly. They may be locks; which, their code alone does not say.
 */
namespace scale
{

struct SpinWait {
  llvm::Instruction *At; /* what looks: the load, the assembly, or the call of a helper that has them */
  llvm::Value *Address;  /* of the variable; null: not known */
  const char *What;
};

/* Those of F, one for each loop: loops around an atomic or volatile load that end when its value changes and do nothing
 * else (pause, yield and local variables apart), and loops around a cmpxchg or xchg in inline assembly that end by it.
 */
std::vector<SpinWait> findSpinWaits(llvm::Function &F);

} // namespace scale
