// SPDX-License-Identifier: GPL-3.0-or-later
#include "instrument/pass/returns.h"
#include "instrument/pass/callees.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
using namespace llvm;

namespace scale
{

/* All are sure but those with a call that is not, until nothing changes: cycles of sure functions stay. */
Returns::Returns(Module &M, function_ref<bool(const Function &)> BindsHere)
{
  DenseMap<const Function *, SmallVector<const Function *, 4>> Callers;
  SmallVector<const Function *, 32> Open;
  for (Function &F : M)
    if (!F.isDeclaration() && !F.hasFnAttribute(Attribute::Naked) && BindsHere(F))
      Sure.insert(&F);
  for (const Function &F : M) {
    bool Lost = false;
    for (const Instruction &I : instructions(F)) {
      auto *Call = dyn_cast<CallBase>(&I);
      Lost |= isa<ResumeInst, CleanupReturnInst>(I) || (Call && mayNotReturn(*Call));
      if (auto *To = Call ? dyn_cast<Function>(Call->getCalledOperand()->stripPointerCasts()) : nullptr)
        Callers[To].push_back(&F);
    }
    if (Lost)
      Open.push_back(&F);
  }
  while (!Open.empty()) {
    const Function *F = Open.pop_back_val();
    if (Sure.erase(F))
      Open.append(Callers[F].begin(), Callers[F].end());
  }
}

bool Returns::mayNotReturn(const CallBase &Call) const
{
  auto *F = dyn_cast<Function>(Call.getCalledOperand()->stripPointerCasts());
  if (F && Sure.count(F) && !Call.hasFnAttr(Attribute::ReturnsTwice) && !Call.hasFnAttr(Attribute::NoReturn))
    return false;
  return scale::mayNotReturn(Call);
}

} // namespace scale
