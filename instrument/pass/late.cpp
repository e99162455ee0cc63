// SPDX-License-Identifier: GPL-3.0-or-later
#include "instrument/pass/late.h"
#include "instrument/pass/callees.h"
#include "instrument/pass/lower.h"
#include "instrument/pass/markers.h"
#include "instrument/pass/uncounted.h"
#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Coroutines/CoroCleanup.h"
#include "llvm/Transforms/Coroutines/CoroEarly.h"
#include "llvm/Transforms/Coroutines/CoroSplit.h"
using namespace llvm;

namespace scale
{

static void eraseMarkers(Module &M)
{
  for (Function &F : M)
    for (BasicBlock &BB : F)
      for (Instruction &I : make_early_inc_range(BB))
        if (markerId(I))
          I.eraseFromParent();
}

/* Callers believe what the optimiser found out about callees; it holds no longer. */
static void forgetCallEffects(Module &M)
{
  for (Function &F : M)
    for (Instruction &I : instructions(F)) {
      auto *Call = dyn_cast<CallBase>(&I);
      if (!Call || Call->isInlineAsm() || isa<IntrinsicInst>(Call))
        continue;
      auto *Callee = dyn_cast<Function>(Call->getCalledOperand()->stripPointerCasts());
      Library Kind = Callee ? libraryKind(*Callee) : Library::Unknown;
      if (Kind == Library::Returns || Kind == Library::Waits)
        continue;
      forgetEffects(*Call);
    }
}

/* Where local variables are costs some percent of the compiler's time and a tenth of the debug information. The
 * wrapper says when it asked for them on its own, for the names of locks. */
static void forgetVariables(Module &M)
{
  if (sys::Process::GetEnv("SCALE_PASS_FORGET").value_or("") != "variables")
    return;
  for (Function &F : M) {
    for (BasicBlock &BB : F)
      for (Instruction &I : make_early_inc_range(BB)) {
        I.dropDbgRecords();
        if (isa<DbgInfoIntrinsic>(I))
          I.eraseFromParent();
      }
    if (DISubprogram *Subprogram = F.getSubprogram())
      Subprogram->replaceRetainedNodes(MDTuple::get(M.getContext(), {}));
  }
}

static void verify(Module &M)
{
  if (sys::Process::GetEnv("SCALE_PASS_VERIFY").value_or("") != "1")
    return;
  if (verifyModule(M, &errs())) {
    errs() << "scale-pass: " << M.getSourceFileName() << ": the instrumented module is not valid\n";
    sys::Process::Exit(1);
  }
}

/* At -O0 the optimiser cuts coroutines into functions only later, when a suspended one could not find its node again.
 */
static void splitCoroutines(Module &M, ModuleAnalysisManager &AM)
{
  if (none_of(M, [](const Function &F) { return F.isPresplitCoroutine(); }))
    return;
  ModulePassManager Passes;
  CGSCCPassManager Split;
  Split.addPass(CoroSplitPass());
  Passes.addPass(CoroEarlyPass());
  Passes.addPass(createModuleToPostOrderCGSCCPassAdaptor(std::move(Split)));
  Passes.addPass(CoroCleanupPass());
  AM.invalidate(M, Passes.run(M, AM));
}

/* What coroutines were split into counts under names of its own: a resumed one is no further call of the coroutine. */
static void nameParts(Module &M, Table &Rows)
{
  for (Function &F : M)
    if (auto Row = F.isDeclaration() ? std::nullopt : Rows.rowOf(F)) {
      std::string Name = linkageName(F);
      StringRef Suffix = Name;
      if (Suffix.consume_front(Rows[*Row].Name) &&
          is_contained({StringRef(".resume"), StringRef(".destroy"), StringRef(".cleanup")}, Suffix))
        Rows.addPart(F, *Row);
    }
}

/* A unit of data alone has no counters; the functions that its tables point at are named all the same. */
static bool isTables(const Module &M)
{
  return isSupportedTarget(M) && !isInstrumented(M) && all_of(M, [](const Function &F) { return F.isDeclaration(); }) &&
         !M.global_empty();
}

PreservedAnalyses LatePass::run(Module &M, ModuleAnalysisManager &AM)
{
  Table Rows = Table::read(M);
  if (!Rows.size() && !isTables(M))
    return PreservedAnalyses::all();
  auto Known = KnownEvents::fromEnvironment(M.getContext());
  auto Work = Known ? KnownWork::fromEnvironment(M.getContext()) : std::nullopt;
  if (!Work)
    return PreservedAnalyses::all();
  nameUncountedWork(M, Rows, *Work);
  if (!Rows.size())
    return PreservedAnalyses::none();
  Table::erase(M);
  splitCoroutines(M, AM);
  nameParts(M, Rows);
  auto &FAM = AM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  Runtime RT(M);
  Contexts Ctx(M, RT, Rows, FAM);
  ModuleEvents Events(M, RT, Rows, std::move(*Known));
  Work->read(M);
  Returns Calls(M, [&](const Function &F) { return Ctx.bindsHere(F); });
  Ctx.prepare();
  forgetCallEffects(M);
  for (Body &B : Ctx.bodies())
    lower(B, {Ctx, RT, Rows, Calls, Events, *Work, FAM});
  Ctx.finish();
  ModuleEvents::replaceReferences(M);
  eraseMarkers(M);
  forgetVariables(M);
  verify(M);
  return PreservedAnalyses::none();
}

} // namespace scale
