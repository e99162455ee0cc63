// SPDX-License-Identifier: GPL-3.0-or-later
#include "instrument/pass/spin_waits.h"
#include "instrument/pass/markers.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/Regex.h"
#include <set>
using namespace llvm;

namespace scale
{
namespace
{

/* Helpers in helpers (std::atomic::load has two, wrappers of it one more), instructions of one, and blocks of a loop:
 * more than that does more than wait. */
constexpr unsigned MostNested = 4, MostOfHelper = 250, MostBlocks = 32;

/* ---- what does nothing ------------------------------------------------------------------- */

const Function *definedCallee(const Instruction &I)
{
  auto *Call = dyn_cast<CallBase>(&I);
  const Function *F = Call ? Call->getCalledFunction() : nullptr;
  return F && !F->isDeclaration() && F->getInstructionCount() <= MostOfHelper ? F : nullptr;
}

/* Yields, and sleeps of a spinning thread; not sleep(), by which programs wait for signals. And the end of a program
 * whose yield throws. */
bool mayBeInWait(const Function &F)
{
  static const std::set<StringRef> Names = {"sched_yield", "pthread_yield", "thrd_yield", "usleep", "nanosleep"};
  return (F.isDeclaration() && Names.count(F.getName())) || F.getName() == "__clang_call_terminate";
}

bool isQuiet(const IntrinsicInst &I)
{
  StringRef Name = I.getCalledFunction()->getName();
  return !I.mayWriteToMemory() || I.isLifetimeStartOrEnd() || isa<DbgInfoIntrinsic>(I) || markerId(I) ||
         Name == "llvm.x86.sse2.pause" || Name == "llvm.x86.rdtsc" || Name.starts_with("llvm.aarch64.hint") ||
         Name.starts_with("llvm.aarch64.isb");
}

bool doesNothing(const Instruction &I, unsigned Depth = 0);

bool doesNothing(const CallBase &Call, unsigned Depth)
{
  if (auto *Intrinsic = dyn_cast<IntrinsicInst>(&Call))
    return isQuiet(*Intrinsic);
  if (Call.isInlineAsm()) // pause, nop, a compiler barrier
    return Call.getType()->isVoidTy() && Call.arg_size() == 0;
  if (Call.getCalledFunction() && mayBeInWait(*Call.getCalledFunction()))
    return true;
  const Function *F = definedCallee(Call);
  return F && Depth < MostNested &&
         all_of(instructions(*F), [&](const Instruction &I) { return doesNothing(I, Depth + 1); });
}

/* Besides reading, and writing local variables. */
bool doesNothing(const Instruction &I, unsigned Depth)
{
  if (auto *Call = dyn_cast<CallBase>(&I))
    return doesNothing(*Call, Depth);
  if (auto *S = dyn_cast<StoreInst>(&I))
    return isa<AllocaInst>(S->getPointerOperand()->stripInBoundsConstantOffsets());
  return isa<FenceInst>(I) || !I.mayWriteToMemory() || isa<LoadInst>(I);
}

/* ---- what looks ---------------------------------------------------------------------------- */

/* Reads what another thread may change, itself or in a helper. */
bool looks(const Instruction &I, unsigned Depth = 0)
{
  if (auto *L = dyn_cast<LoadInst>(&I))
    return (L->isAtomic() || L->isVolatile()) && !isa<AllocaInst>(getUnderlyingObject(L->getPointerOperand()));
  const Function *F = isa<IntrinsicInst>(I) ? nullptr : definedCallee(I);
  return F && Depth < MostNested &&
         any_of(instructions(*F), [&](const Instruction &Each) { return looks(Each, Depth + 1); });
}

/* Exchanges something in memory; Itself: in a loop of its own. (cpuid saves a register by xchg.) */
bool isLockedAsm(const CallBase &Call, bool Itself)
{
  auto *Asm = dyn_cast<InlineAsm>(Call.getCalledOperand());
  if (!Asm)
    return false;
  StringRef Text = Asm->getAsmString(), Constraints = Asm->getConstraintString();
  bool Memory = Constraints.contains("*m") || Constraints.contains("~{memory}");
  bool Swaps = Text.contains("xchg") || Text.contains("stxr") || Text.contains("stlxr") || Text.contains("swp");
  if (!Memory || Text.contains("cpuid"))
    return false;
  static const Regex Back("(j[a-z]+|b\\.[a-z]+|cbn?z[^\n;]*,)[ \t]+[0-9]+b");
  return Itself ? (Swaps || Text.contains("lock")) && Back.match(Text) : Swaps;
}

bool exchanges(const Instruction &I, unsigned Depth = 0)
{
  if (auto *Call = dyn_cast<CallBase>(&I); Call && Call->isInlineAsm())
    return isLockedAsm(*Call, false);
  const Function *F = isa<IntrinsicInst>(I) ? nullptr : definedCallee(I);
  return F && Depth < MostNested &&
         any_of(instructions(*F), [&](const Instruction &Each) { return exchanges(Each, Depth + 1); });
}

/* ---- a loop --------------------------------------------------------------------------------- */

class WaitLoop
{
public:
  explicit WaitLoop(const Loop &Of) : L(Of)
  {
    for (BasicBlock *BB : L.blocks())
      for (Instruction &I : *BB)
        if (auto *S = dyn_cast<StoreInst>(&I))
          Stores[S->getPointerOperand()].push_back(S);
  }

  std::optional<SpinWait> find()
  {
    if (L.getNumBlocks() > MostBlocks)
      return std::nullopt;
    for (BasicBlock *BB : L.blocks())
      for (Instruction &I : *BB)
        if (exchanges(I) && endsBy(I))
          return SpinWait{&I, nullptr, "inline assembly"};
    if (!onlyWaits())
      return std::nullopt;
    for (BasicBlock *BB : L.blocks())
      for (Instruction &I : *BB)
        if (looks(I) && isSteadyLook(I) && endsBy(I))
          return SpinWait{&I, addressOf(I), "spin-wait"};
    return std::nullopt;
  }

private:
  /* A helper's first argument, or nothing if it knows the variable itself. */
  static Value *addressOf(Instruction &I)
  {
    if (auto *Load = dyn_cast<LoadInst>(&I))
      return Load->getPointerOperand();
    auto &Call = cast<CallBase>(I);
    return Call.arg_size() && Call.getArgOperand(0)->getType()->isPointerTy() ? Call.getArgOperand(0) : nullptr;
  }

  /* Whether I reads one variable all the while: an array's next element is read by who works. */
  bool isSteadyLook(Instruction &I) const
  {
    auto *Call = dyn_cast<CallBase>(&I);
    return Call ? all_of(Call->args(), [&](const Use &Of) { return isSteady(*Of); }) : isSteady(*addressOf(I));
  }

  bool isSteady(const Value &V, unsigned Depth = 0) const
  {
    auto *I = dyn_cast<Instruction>(&V);
    if (!I || !L.contains(I))
      return true;
    if (Depth > 8)
      return false;
    if (auto *Load = dyn_cast<LoadInst>(I))
      return !Load->isAtomic() && !Load->isVolatile() && !Stores.count(Load->getPointerOperand()) &&
             isSteady(*Load->getPointerOperand(), Depth + 1);
    return (isa<GetElementPtrInst>(I) || isa<CastInst>(I)) &&
           all_of(I->operands(), [&](const Value *Of) { return isSteady(*Of, Depth + 1); });
  }

  /* Whether V is computed in the loop from what Source gives, by way of local variables, too. */
  bool dependsOn(const Value *V, function_ref<bool(const Instruction &)> Source) const
  {
    SmallPtrSet<const Value *, 16> Done;
    SmallVector<const Value *, 16> Work{V};
    while (!Work.empty()) {
      auto *I = dyn_cast<Instruction>(Work.pop_back_val());
      if (!I || !L.contains(I) || !Done.insert(I).second)
        continue;
      if (Source(*I))
        return true;
      Work.append(I->value_op_begin(), I->value_op_end());
      auto *Load = dyn_cast<LoadInst>(I);
      if (!Load)
        continue;
      if (auto It = Stores.find(Load->getPointerOperand()); It != Stores.end())
        for (const StoreInst *S : It->second)
          Work.push_back(S->getValueOperand());
      for (const User *U : Load->getPointerOperand()->users()) // an operand that assembly writes
        if (auto *Call = dyn_cast<CallBase>(U); Call && Call->isInlineAsm())
          Work.push_back(Call);
    }
    return false;
  }

  bool endsBy(const Instruction &I) const
  {
    SmallVector<BasicBlock *, 4> Exiting;
    L.getExitingBlocks(Exiting);
    return any_of(Exiting, [&](const BasicBlock *BB) {
      const Instruction *End = BB->getTerminator();
      return any_of(End->operands(),
                    [&](const Value *V) { return dependsOn(V, [&](const Instruction &Each) { return &Each == &I; }); });
    });
  }

  /* A variable that the loop adds to and that is read behind it is what the loop is for. */
  bool isResult(const StoreInst &S) const
  {
    const Value *Variable = S.getPointerOperand();
    bool Read =
        any_of(Variable->users(), [&](const User *U) { return isa<LoadInst>(U) && !L.contains(cast<LoadInst>(U)); });
    return Read && dependsOn(S.getValueOperand(), [&](const Instruction &I) {
             auto *Load = dyn_cast<LoadInst>(&I);
             return Load && Load->getPointerOperand() == Variable;
           });
  }

  bool onlyWaits() const
  {
    for (const BasicBlock *BB : L.blocks())
      for (const Instruction &I : *BB) {
        auto *S = dyn_cast<StoreInst>(&I);
        if (!doesNothing(I) || (S && isResult(*S)))
          return false;
      }
    return true;
  }

  const Loop &L;
  DenseMap<const Value *, SmallVector<const StoreInst *, 2>> Stores;
};

void gather(const Loop &L, std::vector<SpinWait> &Found)
{
  if (auto Wait = WaitLoop(L).find())
    Found.push_back(*Wait);
  else
    for (const Loop *Inner : L)
      gather(*Inner, Found);
}

} // namespace

std::vector<SpinWait> findSpinWaits(Function &F)
{
  std::vector<SpinWait> Found;
  if (F.isDeclaration() || F.isPresplitCoroutine())
    return Found;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallBase>(&I); Call && isLockedAsm(*Call, true))
      Found.push_back({&I, nullptr, "inline assembly"});
  if (none_of(instructions(F), [](const Instruction &I) { return looks(I) || exchanges(I); }))
    return Found;
  DominatorTree DT(F);
  LoopInfo LI(DT);
  for (const Loop *L : LI)
    gather(*L, Found);
  return Found;
}

} // namespace scale
