// SPDX-License-Identifier: GPL-3.0-or-later
#include "instrument/pass/counted_locks.h"
#include "instrument/pass/atomic_uses.h"
#include "instrument/pass/condition_calls.h"
#include "instrument/pass/unit_looks.h"
#include "instrument/pass/unit_pools.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include <set>
using namespace llvm;

namespace scale
{
namespace
{

/* What a store does to a number that is kept there. */
enum class Change { Up, Down, Zero, Set, Other };

Change changeOf(const StoreInst &Store)
{
  const Value *V = Store.getValueOperand();
  if (auto *Number = dyn_cast<ConstantInt>(V))
    return Number->isZero() ? Change::Zero : Change::Set;
  auto *Sum = dyn_cast<BinaryOperator>(V);
  auto *By = Sum ? dyn_cast<ConstantInt>(Sum->getOperand(1)) : nullptr;
  if (!By || (Sum->getOpcode() != Instruction::Add && Sum->getOpcode() != Instruction::Sub))
    return Change::Other;
  return (Sum->getOpcode() == Instruction::Add) != By->isNegative() ? Change::Up : Change::Down;
}

/* Where one waits until it may enter. */
struct Entry {
  Function *F;
  SmallVector<CallBase *, 2> Waits; /* in one loop */
  const Loop *In;
  const DominatorTree *DT;
  TakeFacts Facts;
};

struct CountedLock {
  std::string Readers, Writer;      /* names of what is counted, and of what says that one writes */
  int64_t Distance = 0;             /* bytes from the one to the other; */
  GlobalVariable *Global = nullptr; /* or the readers' number is this variable */
};

/* A lock with the stores at which threads enter and leave it, collected before the pass inserts calls. */
struct FoundLock {
  CountedLock Lock;
  const Entry *Reader, *Writer;
  StoreInst *ReaderStore, *WriterStore;
  /* Elsewhere: where one leaves, and where one enters without a wait. */
  std::vector<StoreInst *> Reads = {}, Writes = {}, ReadsAtOnce = {}, WritesAtOnce = {};
};

class Functions
{
public:
  Functions(Module &M, const Table &Rows)
  {
    for (Function &F : M)
      if (!F.isDeclaration() && Rows.rowOf(F) && !isLibraryCode(F) && !F.isPresplitCoroutine()) {
        All.push_back(&F);
        if (any_of(instructions(F), isWaitItself))
          findEntries(F);
      }
  }

  std::vector<Function *> All;
  std::vector<Entry> Entries;
  bool waitsAround(const Instruction &I) const
  {
    return any_of(Entries, [&](const Entry &Each) { return Each.In->contains(&I); });
  }

private:
  void findEntries(Function &F)
  {
    Trees.push_back(std::make_unique<DominatorTree>(F));
    const DominatorTree &DT = *Trees.back();
    Loops.push_back(std::make_unique<LoopInfo>(DT));
    std::set<const Loop *> Seen;
    for (Instruction &I : instructions(F)) {
      Loop *L = isWaitItself(I) ? Loops.back()->getLoopFor(I.getParent()) : nullptr;
      if (!L || !Seen.insert(L).second)
        continue;
      Entry Found{&F, {}, L, &DT, factsOfTake({cast<CallBase>(&I), L, nullptr}, DT, unlocksItself)};
      for (BasicBlock *BB : L->blocks())
        for (Instruction &Each : *BB)
          if (isWaitItself(Each))
            Found.Waits.push_back(cast<CallBase>(&Each));
      if (none_of(L->blocks(), [](const BasicBlock *BB) { return any_of(*BB, unlocksItself); }))
        Entries.push_back(std::move(Found));
    }
  }

  std::vector<std::unique_ptr<DominatorTree>> Trees;
  std::vector<std::unique_ptr<LoopInfo>> Loops;
};

/* The store behind an entry's loop that changes what is called so upwards; null: none does. */
StoreInst *storeBehind(const Entry &At, StringRef Name)
{
  for (Instruction &I : instructions(*At.F))
    if (auto *Store = dyn_cast<StoreInst>(&I))
      if (!At.In->contains(Store) && At.DT->dominates(At.In->getHeader(), Store->getParent()) &&
          (changeOf(*Store) == Change::Up || changeOf(*Store) == Change::Set) &&
          memoryAt(Store->getPointerOperand()) == Name)
        return Store;
  return nullptr;
}

/* An address in the loop of what is called so. */
Value *addressIn(const Loop &L, StringRef Name)
{
  for (BasicBlock *BB : L.blocks())
    for (Instruction &I : *BB)
      if (auto *Load = dyn_cast<LoadInst>(&I); Load && memoryAt(Load->getPointerOperand()) == Name)
        return Load->getPointerOperand();
  return nullptr;
}

/* Whether structures of one type have some of the other in them, or are of it. */
bool isPartOf(const Type *Part, const Type *Whole)
{
  return Part == Whole || any_of(Whole->subtypes(), [&](const Type *Each) { return isPartOf(Part, Each); });
}

/* Of what structure a part is there; null: the code doesn't show it. */
const Type *wholeOf(const Value *Address)
{
  auto *Field = dyn_cast<GEPOperator>(Address);
  auto *Variable = dyn_cast<GlobalVariable>(Address); /* the first field has the variable's address */
  const Type *Of = Variable ? Variable->getValueType() : Field ? Field->getSourceElementType() : nullptr;
  return Of && Of->isStructTy() ? Of : nullptr;
}

/* Fields that are called alike are not one if their structures have nothing to do with each other, and neither is a
 * variable and a field. */
bool mayBeOne(const Value *A, const Value *B)
{
  auto IsNumber = [](const Value *P) {
    return isa<GlobalVariable>(P) && !cast<GlobalVariable>(P)->getValueType()->isAggregateType();
  };
  const Type *OfA = wholeOf(A), *OfB = wholeOf(B);
  if (IsNumber(A) || IsNumber(B))
    return A == B;
  return !OfA || !OfB || isPartOf(OfA, OfB) || isPartOf(OfB, OfA);
}

/* What it is computed from, by a constant number of bytes; of a pointer that a local variable has, that variable. */
const Value *baseOf(Value *P, const DataLayout &DL, int64_t &Offset)
{
  APInt Bytes(64, 0);
  const Value *Base = P->stripAndAccumulateConstantOffsets(DL, Bytes, true);
  Offset = Bytes.getSExtValue();
  auto *Load = dyn_cast<LoadInst>(Base);
  return Load && isa<AllocaInst>(Load->getPointerOperand()) ? Load->getPointerOperand() : Base;
}

/* Whether it is known how to get from the writer's field, which is stored, to the readers', which it looks at. */
bool relate(StoreInst &Writes, Value &Readers, CountedLock &Lock)
{
  const DataLayout &DL = Writes.getModule()->getDataLayout();
  int64_t From = 0, To = 0;
  const Value *A = baseOf(&Readers, DL, From), *B = baseOf(Writes.getPointerOperand(), DL, To);
  Lock.Distance = To - From;
  if (A == B)
    return true;
  Lock.Global = From ? nullptr : const_cast<GlobalVariable *>(dyn_cast<GlobalVariable>(A));
  return Lock.Global && isa<GlobalVariable>(B);
}

/* ---- what tells of them ------------------------------------------------------------------------ */

class CountedTeller
{
public:
  CountedTeller(Module &M, const CountedLock &Lock) : M(M), Lock(Lock) {}

  void enter(const Entry &At, StoreInst *Store, bool Shared)
  {
    IRBuilder<> Begin(&*At.F->getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    auto *Token = new AllocaInst(Begin.getInt64Ty(), 0, "scale.waits", At.F->getEntryBlock().begin());
    Begin.CreateStore(Begin.getInt64(0), Token);
    for (CallBase *Wait : At.Waits) {
      IRBuilder<> B(Wait);
      Instruction *First = SplitBlockAndInsertIfThen(B.CreateICmpEQ(B.CreateLoad(B.getInt64Ty(), Token), B.getInt64(0)),
                                                     Wait->getIterator(), false);
      Value *Address = computeAgain(Store->getPointerOperand(), First);
      if (!Address)
        continue;
      IRBuilder<>(First).CreateStore(call(First, *Wait, Address, Shared, "wait_begin", {}), Token);
      Wait->addFnAttr(Attribute::get(M.getContext(), WaitsForCounted));
    }
    Instruction *Behind = Store->getNextNode();
    IRBuilder<> B(Behind);
    Value *Since = B.CreateLoad(B.getInt64Ty(), Token);
    Instruction *Waited = SplitBlockAndInsertIfThen(B.CreateICmpNE(Since, B.getInt64(0)), Behind->getIterator(), false);
    call(Waited, *Store, Store->getPointerOperand(), Shared, "wait_end", {Since});
    IRBuilder<>(Waited).CreateStore(B.getInt64(0), Token);
    call(Behind, *Store, Store->getPointerOperand(), Shared, "acquire", {});
  }

  void enterAtOnce(StoreInst &Store, bool Shared)
  {
    call(Store.getNextNode(), Store, Store.getPointerOperand(), Shared, "acquire", {});
  }
  void leave(StoreInst &Store, bool Shared) { call(&Store, Store, Store.getPointerOperand(), Shared, "release", {}); }

private:
  /* The readers' number stands for the lock; in a variable, by its distance from the beginning alone: the code that
   * reads shows fewer steps on the way there than the one that writes if it comes first, and what it is called is one.
   */
  Value *identity(IRBuilder<> &B, Value *Address, bool Shared) const
  {
    APInt Bytes(64, 0);
    Value *Base = Address->stripAndAccumulateConstantOffsets(M.getDataLayout(), Bytes, true);
    int64_t Back = Shared ? 0 : Lock.Distance;
    if (!Shared && Lock.Global)
      return Lock.Global;
    if (isa<GlobalVariable>(Base)) {
      int64_t Offset = Bytes.getSExtValue() - Back;
      return Offset ? B.CreatePtrAdd(Base, B.getInt64(Offset)) : Base;
    }
    return Back ? B.CreatePtrAdd(Address, B.getInt64(-Back)) : Address;
  }

  CallInst *call(Instruction *Before, const Instruction &At, Value *Address, bool Shared, StringRef What,
                 ArrayRef<Value *> More)
  {
    IRBuilder<> B(Before);
    B.SetCurrentDebugLocation(At.getDebugLoc());
    SmallVector<Value *, 3> Args{ConstantPointerNull::get(B.getPtrTy()), identity(B, Address, Shared)};
    Args.append(More.begin(), More.end());
    SmallVector<Type *, 3> Params;
    for (Value *Each : Args)
      Params.push_back(Each->getType());
    Type *Result = What == "wait_begin" ? static_cast<Type *>(B.getInt64Ty()) : B.getVoidTy();
    CallInst *Made =
        B.CreateCall(M.getOrInsertFunction(("__scale_annotate_" + Twine(Shared ? "shared_" : "counted_") + What).str(),
                                           FunctionType::get(Result, Params, false)),
                     Args);
    Made->addFnAttr(Attribute::get(M.getContext(), "scale-via", Shared ? "readers' count" : "writer's flag"));
    Made->addFnAttr(Attribute::NoMerge);
    return Made;
  }

  Module &M;
  const CountedLock &Lock;
};

/* Where one reads, or writes, no longer, also where the same function enters; and where one tries to enter, or comes
 * from writing to reading. */
void findOthers(const Functions &Known, FoundLock &Found)
{
  auto IsOf = [](const StoreInst &Other, const std::string &Name, const StoreInst &Enters) {
    const Value *Address = Other.getPointerOperand();
    return memoryAt(Address) == Name && mayBeOne(Address, Enters.getPointerOperand());
  };
  for (Function *F : Known.All)
    for (Instruction &I : instructions(*F)) {
      auto *Store = dyn_cast<StoreInst>(&I);
      Change How = Store ? changeOf(*Store) : Change::Other;
      if (How == Change::Other || isa<AllocaInst>(Store->getPointerOperand()) || Known.waitsAround(*Store))
        continue;
      bool Down = How == Change::Down, Up = How == Change::Up;
      if ((Down || Up) && IsOf(*Store, Found.Lock.Readers, *Found.ReaderStore))
        (Down ? Found.Reads : Found.ReadsAtOnce).push_back(Store);
      else if (IsOf(*Store, Found.Lock.Writer, *Found.WriterStore))
        (Down || How == Change::Zero ? Found.Writes : Found.WritesAtOnce).push_back(Store);
    }
}

/* Names that one changes and the other one waits for. */
std::vector<std::string> common(const TakeFacts &Changes, const TakeFacts &Waits)
{
  std::vector<std::string> Names;
  for (const std::string &Name : Changes.Changed)
    if (Waits.Looked.count(Name))
      Names.push_back(Name);
  return Names;
}

/* Of a pair that keeps each other out, what is counted and what says that one writes, and where they enter. */
std::optional<FoundLock> lockOf(const Entry &Reader, const Entry &Writer)
{
  if (!keepOut(Reader.Facts, Writer.Facts))
    return std::nullopt;
  for (const std::string &Readers : common(Reader.Facts, Writer.Facts))
    for (const std::string &Writes : common(Writer.Facts, Reader.Facts)) {
      FoundLock Found{{Readers, Writes}, &Reader, &Writer, storeBehind(Reader, Readers), storeBehind(Writer, Writes)};
      const Value *Looked = addressIn(*Reader.In, Writes);
      Value *Counted = addressIn(*Writer.In, Readers);
      if (Found.ReaderStore && Found.WriterStore && Counted && relate(*Found.WriterStore, *Counted, Found.Lock) &&
          mayBeOne(Found.ReaderStore->getPointerOperand(), Counted) &&
          (!Looked || mayBeOne(Looked, Found.WriterStore->getPointerOperand())))
        return Found;
    }
  return std::nullopt;
}

} // namespace

void markCountedLocks(Module &M, const Table &Rows)
{
  if (!usesConditions(M))
    return;
  const Functions Known(M, Rows);
  std::vector<FoundLock> Found;
  for (const Entry &Reader : Known.Entries)
    for (const Entry &Writer : Known.Entries) {
      auto Each = &Reader == &Writer ? std::nullopt : lockOf(Reader, Writer);
      if (!Each)
        continue;
      findOthers(Known, *Each);
      if (!Each->Reads.empty() && !Each->Writes.empty())
        Found.push_back(std::move(*Each));
    }
  std::set<const Instruction *> Told; /* now the loops are known no longer */
  for (const FoundLock &Each : Found) {
    CountedTeller Tell(M, Each.Lock);
    if (Told.insert(Each.ReaderStore).second)
      Tell.enter(*Each.Reader, Each.ReaderStore, true);
    if (Told.insert(Each.WriterStore).second)
      Tell.enter(*Each.Writer, Each.WriterStore, false);
  }
  for (const FoundLock &Each : Found) {
    CountedTeller Tell(M, Each.Lock);
    for (bool Shared : {true, false}) {
      for (StoreInst *Store : Shared ? Each.Reads : Each.Writes)
        if (Told.insert(Store).second)
          Tell.leave(*Store, Shared);
      for (StoreInst *Store : Shared ? Each.ReadsAtOnce : Each.WritesAtOnce)
        if (Told.insert(Store).second)
          Tell.enterAtOnce(*Store, Shared);
    }
  }
}

} // namespace scale
