// SPDX-License-Identifier: GPL-3.0-or-later
#include "instrument/pass/spin_locks.h"
#include "instrument/pass/atomic_uses.h"
#include "instrument/pass/place.h"
#include "instrument/pass/spin_waits.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include <set>
using namespace llvm;

namespace scale
{
namespace
{

/* ---- which variable ---------------------------------------------------------------------- */

/*
 * What a use is about, by its declaration: the name; the field it is, of every structure around it; the structure that
 * begins there. Of a number that a parameter points to only the type is known: that goes together with its like alone.
 */
std::set<std::string> keysOf(const AtomicUse &Use)
{
  constexpr unsigned Deep = 6; /* structures in structures */
  std::set<std::string> Keys;
  if (!Use.Address)
    return Keys;
  Place P = placeOf(Use.Address, {Use.Offset});
  if (auto Name = nameOf(P))
    Keys.insert("name " + Name->Name + " " + Name->File + ":" + std::to_string(Name->Line));
  bool Handed = P.Root == Place::Pointee && P.Parameter;
  for (unsigned Last = P.Steps + Deep; P.Type && P.Steps <= Last; P.Steps++) {
    auto Found = partOf(P);
    if (!Found)
      continue;
    if (Found->InField)
      Keys.insert("field " + Found->Field.Name + " " + Found->Field.File);
    if (isStructure(Found->Type) && !isLibraryType(Found->Type))
      Keys.insert("structure " + typeName(Found->Type));
  }
  if (std::string Type = typeName(P.Type);
      !Type.empty() && Use.Atomic && Handed && !isStructure(P.Type) && P.Offset == 0)
    Keys.insert("number " + Type);
  else if (Handed && isLibraryType(P.Type))
    Keys.insert("library's " + Type);
  return Keys;
}

bool share(const std::set<std::string> &A, const std::set<std::string> &B)
{
  return any_of(A, [&](const std::string &Key) { return B.count(Key); });
}

struct Use : AtomicUse {
  Use(const AtomicUse &Found, Function &F) : AtomicUse(Found), In(&F), Keys(keysOf(Found)) {}
  Function *In;
  std::set<std::string> Keys;
};

/* ---- which of them are locks ------------------------------------------------------------------ */

std::vector<Function *> programFunctions(Module &M, const Table &Rows)
{
  std::vector<Function *> Functions;
  for (Function &F : M)
    if (Rows.rowOf(F) && !isLibraryCode(F))
      Functions.push_back(&F);
  return Functions;
}

class Locks
{
public:
  Locks(Module &M, const Table &Rows, FunctionAnalysisManager &FAM) : M(M)
  {
    if (!AtomicUses::any(M))
      return;
    AtomicUses Finder(M, FAM);
    for (Function *F : programFunctions(M, Rows))
      for (const AtomicUse &Each : Finder.of(*F))
        All.emplace_back(Each, *F);
    dropTwice();
  }

  /* The uses of locks. */
  std::vector<Use *> find()
  {
    std::vector<Use *> Found;
    for (Use &Each : All)
      if (Each.What == AtomicUse::Attempt && Each.Waits && isLock(Each.Keys))
        for (Use &Other : All)
          if (share(Each.Keys, Other.Keys) && Other.What != AtomicUse::Contrary && !is_contained(Found, &Other))
            Found.push_back(&Other);
    return Found;
  }

  /* Loops of atomic operations that are no locks', as far as is known. */
  std::vector<const Use *> others(const std::vector<Use *> &Found) const
  {
    std::vector<const Use *> Seen;
    for (const Use &Each : All) {
      bool Loop = Each.What == AtomicUse::Retry || (Each.What == AtomicUse::Attempt && Each.Retried) ||
                  (Each.What == AtomicUse::Contrary && Each.How == AtomicUse::Exchange);
      if (Loop && !is_contained(Found, &Each))
        Seen.push_back(&Each);
    }
    return Seen;
  }

  /* Waits that belong to none of the locks, nor to what is seen of their variable in the same function anyway. */
  std::vector<SpinWait> waits(const Table &Rows, const std::vector<Use *> &Found,
                              const std::vector<const Use *> &Seen) const
  {
    std::vector<SpinWait> Waits;
    for (Function *F : programFunctions(M, Rows))
      for (const SpinWait &Each : findSpinWaits(*F)) {
        AtomicUse Looks = {AtomicUse::Test, AtomicUse::Load, Each.At, Each.Address};
        const Use Own(Looks, *F);
        auto Same = [&](const Use *Other) { return share(Other->Keys, Own.Keys); };
        if (none_of(Found, Same) && none_of(Seen, [&](const Use *Other) { return Other->In == F && Same(Other); }))
          Waits.push_back(Each);
      }
    return Waits;
  }

private:
  /* What a helper does shows at its calls, too: an attempt counts there if its value does, everything else in it. */
  void dropTwice()
  {
    std::set<const Function *> Shown;
    for (const Use &Each : All)
      if (Each.Helper && Each.What == AtomicUse::Attempt && Each.Free)
        Shown.insert(Each.Helper);
    auto Does = [&](const Function *F, const Use &What) {
      return any_of(All, [&](const Use &Own) { return Own.In == F && Own.What == What.What; });
    };
    erase_if(All, [&](const Use &Each) {
      if (Each.What == AtomicUse::Attempt && (!Each.Free || (Shown.count(Each.In) && !Each.Waits)))
        return true;
      return Each.Helper && !isLibraryCode(*Each.Helper) && Each.What != AtomicUse::Attempt && Does(Each.Helper, Each);
    });
  }

  bool isLock(const std::set<std::string> &Keys)
  {
    bool Released = false;
    for (const Use &Each : All)
      if (share(Keys, Each.Keys)) {
        if (Each.What == AtomicUse::Contrary)
          return false;
        Released |= Each.What == AtomicUse::Release && Each.Atomic;
      }
    return Released && isPaired(Keys);
  }

  /* Direct calls of the functions that do it, and the operations themselves. */
  std::vector<Instruction *> sites(const std::set<std::string> &Keys, AtomicUse::Kind What, Function *&Uncalled)
  {
    std::vector<Instruction *> Sites;
    std::set<Function *> Done;
    std::vector<Function *> Work;
    for (const Use &Each : All)
      if (Each.What == What && share(Keys, Each.Keys)) {
        Sites.push_back(Each.At);
        Work.push_back(Each.In);
      }
    while (!Work.empty()) {
      Function *F = Work.back();
      Work.pop_back();
      if (!Done.insert(F).second)
        continue;
      bool Used = false;
      for (User *U : F->users()) {
        auto *Call = dyn_cast<CallBase>(U);
        Used |= isa<Instruction>(U);
        if (!Call || Call->getCalledFunction() != F)
          continue;
        Sites.push_back(Call);
        Work.push_back(Call->getFunction());
      }
      if (!Used)
        Uncalled = F;
    }
    return Sites;
  }

  /*
   * Who takes a lock gives it back: some function does both, in this order, itself or by what it calls. A flag that one
   * thread sets and another one takes away looks the same, but for that. Of a library nobody knows.
   */
  bool isPaired(const std::set<std::string> &Keys)
  {
    Function *Unused = nullptr, *Ignored = nullptr;
    std::vector<Instruction *> Taken = sites(Keys, AtomicUse::Attempt, Unused);
    std::vector<Instruction *> Given = sites(Keys, AtomicUse::Release, Ignored);
    bool Elsewhere = Taken.size() <= 1 && Unused;
    for (Instruction *T : Taken) {
      for (Instruction *G : Given)
        if (T != G && T->getFunction() == G->getFunction() && isPotentiallyReachable(T, G))
          return true;
      Elsewhere |= !T->getFunction()->hasLocalLinkage() && T->getFunction()->use_empty() &&
                   any_of(All, [&](const Use &Each) { return Each.At == T && Each.In == T->getFunction(); });
    }
    return Elsewhere;
  }

  Module &M;
  std::vector<Use> All;
};

/* ---- what tells of them --------------------------------------------------------------------------- */

class Teller
{
public:
  explicit Teller(Module &M) : M(M) {}

  void tell(const Use &U, bool FirstTry)
  {
    Address = addressOf(U);
    Via = U.What == AtomicUse::Release          ? "atomic store"
          : U.How == AtomicUse::CompareExchange ? "compare-exchange"
                                                : "atomic exchange";
    if (U.Helper)
      Via = linkageName(*U.Helper);
    if (U.What == AtomicUse::Release)
      return release(U);
    Instruction *Then, *Else;
    IRBuilder<> B(behind(U.At));
    B.SetCurrentDebugLocation(U.At->getDebugLoc());
    SplitBlockAndInsertIfThenElse(isFree(B, U), B.GetInsertPoint(), &Then, &Else);
    if (U.What == AtomicUse::Attempt)
      acquired(Then, U);
    if (U.Waits || U.What == AtomicUse::Test || FirstTry)
      waits(Else, U);
    else
      call(Else, U, "failed", {});
  }

  /* What is not understood stands in the site table. It hinders the optimiser in nothing but being called. */
  void see(Instruction &At, const char *What)
  {
    IRBuilder<> B(&At);
    B.SetCurrentDebugLocation(At.getDebugLoc());
    FunctionCallee Callee = M.getOrInsertFunction("__scale_annotate_lock_seen", B.getVoidTy(), B.getPtrTy());
    cast<Function>(Callee.getCallee())->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
    CallInst *Made = B.CreateCall(Callee, {ConstantPointerNull::get(B.getPtrTy())});
    Made->addFnAttr(Attribute::get(M.getContext(), "scale-via", What));
    Made->addFnAttr(Attribute::NoMerge);
  }

private:
  /* A lock that is all there is to its structure goes by the structure's name. */
  Value *addressOf(const Use &U)
  {
    Value *At = U.Address;
    if (U.Offset) {
      IRBuilder<> B(U.At);
      return B.CreatePtrAdd(At, B.getInt64(U.Offset));
    }
    auto *G = dyn_cast<GEPOperator>(At);
    if (!G || !G->hasAllZeroIndices())
      return At;
    Place Whole = placeOf(G->getPointerOperand());
    return sizeOf(Whole.Type) == U.Bytes ? G->getPointerOperand() : At;
  }

  static Instruction *behind(Instruction *At)
  {
    auto *Invoke = dyn_cast<InvokeInst>(At);
    return Invoke ? &*SplitEdge(Invoke->getParent(), Invoke->getNormalDest())->getFirstInsertionPt()
                  : At->getNextNode();
  }

  static Value *isFree(IRBuilder<> &B, const Use &U)
  {
    Value *Found = U.At;
    if (isa<AtomicCmpXchgInst>(U.At))
      return B.CreateExtractValue(U.At, 1);
    return B.CreateICmpEQ(Found, U.Free);
  }

  /* When the function began to wait; 0: it does not. */
  AllocaInst *token(Function &F)
  {
    AllocaInst *&Token = Tokens[&F];
    if (!Token) {
      IRBuilder<> B(&*F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
      Token = new AllocaInst(B.getInt64Ty(), 0, "scale.waits", F.getEntryBlock().begin());
      B.CreateStore(B.getInt64(0), Token);
    }
    return Token;
  }

  CallInst *call(Instruction *Before, const Use &U, StringRef What, ArrayRef<Value *> More)
  {
    IRBuilder<> B(Before);
    B.SetCurrentDebugLocation(U.At->getDebugLoc());
    Value *Null = ConstantPointerNull::get(B.getPtrTy());
    SmallVector<Value *, 3> Args{Null, Address};
    Args.append(More.begin(), More.end());
    SmallVector<Type *, 3> Params;
    for (Value *A : Args)
      Params.push_back(A->getType());
    Type *Result = What == "wait_begin" ? static_cast<Type *>(B.getInt64Ty()) : B.getVoidTy();
    CallInst *Made = B.CreateCall(
        M.getOrInsertFunction(("__scale_annotate_lock_" + What).str(), llvm::FunctionType::get(Result, Params, false)),
        Args);
    Made->addFnAttr(Attribute::get(M.getContext(), "scale-via", Via));
    Made->addFnAttr(Attribute::NoMerge);
    return Made;
  }

  void acquired(Instruction *Then, const Use &U)
  {
    AllocaInst *Token = token(*U.In);
    IRBuilder<> B(Then);
    Value *Since = B.CreateLoad(B.getInt64Ty(), Token);
    Instruction *Waited = SplitBlockAndInsertIfThen(B.CreateICmpNE(Since, B.getInt64(0)), Then->getIterator(), false);
    call(Waited, U, "wait_end", {Since});
    IRBuilder<>(Waited).CreateStore(B.getInt64(0), Token);
    call(Then, U, "acquire", {});
  }

  void waits(Instruction *Else, const Use &U)
  {
    AllocaInst *Token = token(*U.In);
    IRBuilder<> B(Else);
    Value *Since = B.CreateLoad(B.getInt64Ty(), Token);
    Instruction *First = SplitBlockAndInsertIfThen(B.CreateICmpEQ(Since, B.getInt64(0)), Else->getIterator(), false);
    CallInst *Now = call(First, U, "wait_begin", {});
    IRBuilder<>(First).CreateStore(Now, Token);
  }

  void release(const Use &U)
  {
    if (!U.Free) {
      call(U.At, U, "release", {});
      return;
    }
    IRBuilder<> B(behind(U.At));
    B.SetCurrentDebugLocation(U.At->getDebugLoc());
    call(SplitBlockAndInsertIfThen(isFree(B, U), B.GetInsertPoint(), false), U, "release", {});
  }

  Module &M;
  Value *Address = nullptr;
  std::string Via;
  DenseMap<const Function *, AllocaInst *> Tokens;
};

} // namespace

/* System calls of futexes in functions that no lock is known in, nor in their callers. */
static void seeFutexes(Module &M, const Table &Rows, const std::vector<Use *> &Found, Teller &Tell)
{
  const uint64_t Number = Triple(M.getTargetTriple()).isX86() ? 202 : 98;
  std::set<const Function *> Locking;
  for (const Use *U : Found)
    Locking.insert(U->In);
  SmallVector<CallBase *, 4> Calls;
  if (Function *System = M.getFunction("syscall"))
    for (User *U : System->users())
      if (auto *Call = dyn_cast<CallBase>(U); Call && Call->getCalledFunction() == System && Call->arg_size())
        if (auto *Which = dyn_cast<ConstantInt>(Call->getArgOperand(0)); Which && Which->getZExtValue() == Number)
          Calls.push_back(Call);
  for (CallBase *Call : Calls) {
    const Function *In = Call->getFunction();
    bool Known = Locking.count(In) || any_of(In->users(), [&](const User *U) {
                   auto *From = dyn_cast<CallBase>(U);
                   return From && Locking.count(From->getFunction());
                 });
    if (!Known && Rows.rowOf(*In) && !isLibraryCode(*In))
      Tell.see(*Call, "futex");
  }
}

void markSpinLocks(Module &M, const Table &Rows, FunctionAnalysisManager &FAM)
{
  Locks Known(M, Rows, FAM);
  Teller Tell(M);
  std::vector<Use *> Found = Known.find();
  std::vector<bool> FirstTry; // before any control flow changes
  for (Use *U : Found)
    FirstTry.push_back(U->What == AtomicUse::Attempt && !U->Waits && any_of(Found, [&](const Use *Loop) {
                         return Loop->In == U->In && Loop->Waits && share(Loop->Keys, U->Keys) &&
                                isPotentiallyReachable(U->At, Loop->At);
                       }));
  std::vector<const Use *> Others = Known.others(Found);
  std::vector<SpinWait> Waits = Known.waits(Rows, Found, Others);
  for (const SpinWait &Wait : Waits)
    Tell.see(*Wait.At, Wait.What);
  for (const Use *Other : Others)
    Tell.see(*Other->At, Other->How == AtomicUse::CompareExchange ? "compare-exchange loop" : "atomic exchange loop");
  seeFutexes(M, Rows, Found, Tell);
  for (size_t I = 0; I < Found.size(); I++)
    Tell.tell(*Found[I], FirstTry[I]);
}

} // namespace scale
