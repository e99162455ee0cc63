// SPDX-License-Identifier: GPL-3.0-or-later
#include "instrument/pass/wrappers.h"
#include "instrument/pass/callees.h"
#include "instrument/pass/condition_calls.h"
#include "profiles/layout.inc"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
using namespace llvm;

namespace scale
{
namespace
{

const char LeavesName[] = "scale-leaves", WrapperName[] = "scale-wrapper", SitesName[] = "scale.leaving";

bool isLock(unsigned Class)
{
  return Class == SCALE_CLASS_MUTEX || Class == SCALE_CLASS_RWLOCK || Class == SCALE_CLASS_SPINLOCK;
}

bool isConstructor(const Function &F)
{
  StringRef Name = F.getName();
  return Name.starts_with("_ZN") &&
         (Name.contains("C1E") || Name.contains("C2E") || Name.contains("C1I") || Name.contains("C2I"));
}

class Finder
{
public:
  Finder(Module &M, const Table &Rows, const KnownEvents &Known) : M(M), Rows(Rows), Known(Known) {}

  void run()
  {
    for (Function &F : M)
      if (F.hasFnAttribute(WaitsAttribute))
        for (Instruction &I : instructions(F))
          if (isWaitItself(I))
            markLeaving(cast<CallBase>(I));
    for (bool More = true; More;) { // callers of wrappers may be wrappers themselves
      More = false;
      for (Function &F : M)
        if (Rows.rowOf(F))
          for (Instruction &I : instructions(F))
            if (auto *Call = dyn_cast<CallBase>(&I); Call && !Wrappers::leaves(*Call) && leaves(*Call)) {
              markLeaving(*Call);
              F.addFnAttr(WrapperName);
              More = true;
            }
    }
  }

private:
  /* A header's function has callers in other source files as well. */
  static bool isInOneFile(const Function &F, const Function &Other)
  {
    const DISubprogram *A = F.getSubprogram(), *B = Other.getSubprogram();
    return !A || !B || (A->getFilename() == B->getFilename() && A->getDirectory() == B->getDirectory());
  }

  /* One that is called in one place alone is a part of its caller, and wraps only if that does. */
  bool mayWrap(const Function &F, bool Lock, unsigned Depth = 0)
  {
    constexpr unsigned Deep = 16;
    if (F.getName() == "main" || Depth > Deep)
      return false;
    if (!F.hasLocalLinkage())
      return true;
    if (F.hasAddressTaken())
      return true;
    const CallBase *Only = nullptr;
    for (const Use &U : F.uses())
      if (auto *Call = dyn_cast<CallBase>(U.getUser()); Call && Call->isCallee(&U)) {
        if (Only)
          return true;
        Only = Call;
      }
    if (Only && !isInOneFile(F, *Only->getFunction()))
      return true;
    return Only && goesOut(*Only, Lock) && mayWrap(*Only->getFunction(), Lock, Depth + 1);
  }

  bool obtains(const CallBase &Call, bool Lock) const
  {
    const Function *Callee = Call.getCalledFunction();
    if (!Callee) // an allocator behind a pointer, or something else, and then nothing follows from it
      return !Lock && Call.getType()->isPointerTy() && !Call.isInlineAsm();
    for (const EventSpec &S : Known.of(*Callee))
      if (!S.Annotation && !(S.Flags & SCALE_SITE_PROBE) && isLock(S.Class) == Lock &&
          (S.Event == SCALE_EVENT_ACQUIRE || S.Event == SCALE_EVENT_RESIZE) &&
          (Lock || S.Instance.From == Identity::Result || S.Event == SCALE_EVENT_RESIZE))
        return true;
    return Lock ? Holders.count(Callee) : Wrappers::isWrapper(Callee) && !Holders.count(Callee);
  }

  bool goesOut(const CallBase &Call, bool Lock)
  {
    const Function &F = *Call.getFunction();
    return Lock ? !releases(F) : returnsOnly(F) && returned(Call);
  }

  bool leaves(const CallBase &Call)
  {
    const Function &F = *Call.getFunction();
    for (bool Lock : {true, false})
      if (obtains(Call, Lock) && mayWrap(F, Lock) && goesOut(Call, Lock)) {
        if (Lock)
          Holders.insert(&F);
        return true;
      }
    return false;
  }

  /* ---- locks: whether something in the function may give one back --------------------------- */

  /* Functions that call each other have one answer: it is known when all that they reach was looked at. */
  bool releases(const Function &F)
  {
    if (auto It = Releases.find(&F); It != Releases.end())
      return It->second;
    SmallVector<const Function *, 16> Work{&F};
    SmallPtrSet<const Function *, 16> Seen{&F};
    while (!Work.empty()) {
      for (const Instruction &I : instructions(*Work.pop_back_val()))
        if (auto *Call = dyn_cast<CallBase>(&I)) {
          const Function *Body = bodyOf(*Call);
          auto It = Releases.find(Body);
          if (Body ? It != Releases.end() && It->second : releases(*Call))
            return Releases[&F] = true;
          if (Body && It == Releases.end() && Seen.insert(Body).second)
            Work.push_back(Body);
        }
    }
    for (const Function *Without : Seen)
      Releases[Without] = false;
    return false;
  }

  /* What decides about a call instead of the call itself; NULL: nothing here. */
  const Function *bodyOf(const CallBase &Call) const
  {
    const Function *Callee = Call.getCalledFunction();
    return Callee && !Callee->isDeclaration() && !Call.doesNotReturn() && Known.of(*Callee).empty() ? Callee : nullptr;
  }

  /* Of one without a body here. */
  bool releases(const CallBase &Call) const
  {
    const Function *Callee = Call.getCalledFunction();
    if (isa<IntrinsicInst>(Call) || Call.doesNotReturn())
      return false;
    if (!Callee)
      return true;
    if (ArrayRef<EventSpec> Specs = Known.of(*Callee); !Specs.empty())
      return any_of(Specs, [](const EventSpec &S) {
        return (isLock(S.Class) && S.Event == SCALE_EVENT_RELEASE) || S.Event == SCALE_EVENT_WAIT;
      });
    return libraryKind(*Callee) == Library::Unknown || libraryKind(*Callee) == Library::CallsBack;
  }

  /* ---- blocks, descriptors: whether the result goes to the caller alone, by itself or in another one ---- */

  static bool isLocal(const Value *Address)
  {
    auto *Slot = dyn_cast<AllocaInst>(Address);
    return Slot && all_of(Slot->users(), [&](const User *U) {
             if (auto *Store = dyn_cast<StoreInst>(U))
               return Store->getPointerOperand() == Slot;
             return isa<LoadInst>(U) || isa<IntrinsicInst>(U);
           });
  }

  /* Whether the address lies in something that goes to the caller, as a buffer does whose bytes these are. */
  static bool isOfLeaving(const Value *Address)
  {
    auto Strip = [](const Value *V) {
      while (isa<CastInst, GetElementPtrInst>(V))
        V = cast<Instruction>(V)->getOperand(0);
      return V;
    };
    auto IsLeaving = [](const Value *V) {
      auto *Call = dyn_cast<CallBase>(V);
      return Call && Wrappers::leaves(*Call);
    };
    const Value *Object = Strip(Address);
    auto *Load = dyn_cast<LoadInst>(Object);
    if (!Load)
      return IsLeaving(Object);
    bool Any = false;
    if (!isLocal(Load->getPointerOperand()))
      return false;
    for (const User *U : Load->getPointerOperand()->users())
      if (auto *Store = dyn_cast<StoreInst>(U)) {
        const Value *Stored = Strip(Store->getValueOperand());
        Any = Any || IsLeaving(Stored);
        if (!IsLeaving(Stored) && !isa<ConstantPointerNull>(Stored))
          return false;
      }
    return Any;
  }

  static bool mayKeep(const CallBase &Call)
  {
    const Function *Callee = Call.getCalledFunction();
    return !Callee || (libraryKind(*Callee) == Library::Unknown && !Callee->isIntrinsic() && !isConstructor(*Callee));
  }

  /* strcpy(block, text) is the block. */
  static bool isArgument(const CallBase &Call, const Value *V)
  {
    const Function *Callee = Call.getCalledFunction();
    if (!Callee || !Callee->isDeclaration() || Call.arg_empty() || Call.getArgOperand(0) != V)
      return false;
    StringRef Name = Callee->getName();
    Name.consume_front("__"); // __strcpy_chk, of hardened headers
    Name.consume_back("_chk");
    return StringSwitch<bool>(Name)
        .Cases("strcpy", "strncpy", "strcat", "strncat", "memcpy", "memmove", "memset", true)
        .Cases("wcscpy", "wcsncpy", "wcscat", "wmemcpy", "wmemmove", "wmemset", true)
        .Default(false);
  }

  bool returned(const CallBase &Call) const
  {
    SmallVector<const Value *, 8> Work{&Call};
    SmallPtrSet<const Value *, 16> Seen;
    bool Returned = false;
    while (!Work.empty()) {
      const Value *V = Work.pop_back_val();
      if (!Seen.insert(V).second)
        continue;
      for (const User *U : V->users()) {
        if (isa<ReturnInst>(U)) {
          Returned = true;
        } else if (auto *Store = dyn_cast<StoreInst>(U)) {
          if (Store->getValueOperand() != V)
            continue;
          if (isOfLeaving(Store->getPointerOperand())) { /* whoever has that has this */
            Returned = true;
            continue;
          }
          if (!isLocal(Store->getPointerOperand()))
            return false;
          for (const User *Other : Store->getPointerOperand()->users())
            if (isa<LoadInst>(Other))
              Work.push_back(Other);
        } else if (auto *Use = dyn_cast<CallBase>(U)) {
          const Function *Callee = Use->getCalledFunction();
          if ((!Callee || Known.of(*Callee).empty()) && mayKeep(*Use))
            return false;
          if (isArgument(*Use, V))
            Work.push_back(Use);
        } else if (isa<PHINode, SelectInst, CastInst, GetElementPtrInst>(U)) {
          Work.push_back(U);
        } else if (!isa<LoadInst, CmpInst>(U)) {
          return false;
        }
      }
    }
    return Returned;
  }

  /* Whether all it returns are results of calls and constants: what looks things up keeps them. */
  static bool returnsOnly(const Function &F)
  {
    SmallVector<const Value *, 8> Work;
    SmallPtrSet<const Value *, 16> Seen;
    for (const BasicBlock &BB : F)
      if (auto *Return = dyn_cast<ReturnInst>(BB.getTerminator()); Return && Return->getReturnValue())
        Work.push_back(Return->getReturnValue());
    if (Work.empty())
      return false;
    while (!Work.empty()) {
      const Value *V = Work.pop_back_val();
      if (!Seen.insert(V).second || isa<Constant, CallBase>(V))
        continue;
      if (auto *Load = dyn_cast<LoadInst>(V)) {
        if (!isLocal(Load->getPointerOperand()))
          return false;
        for (const User *U : Load->getPointerOperand()->users())
          if (auto *Store = dyn_cast<StoreInst>(U))
            Work.push_back(Store->getValueOperand());
      } else if (isa<PHINode, SelectInst, CastInst>(V)) {
        auto *Of = cast<Instruction>(V);
        for (unsigned I = isa<SelectInst>(V) ? 1 : 0; I < Of->getNumOperands(); I++)
          Work.push_back(Of->getOperand(I));
      } else if (auto *Behind = dyn_cast<GetElementPtrInst>(V)) {
        Work.push_back(Behind->getPointerOperand());
      } else {
        return false;
      }
    }
    return true;
  }

  void markLeaving(CallBase &Call)
  {
    Call.addFnAttr(Attribute::get(M.getContext(), LeavesName));
    const DILocation *Where = Call.getDebugLoc();
    auto Row = Rows.rowOf(*Call.getFunction());
    if (!Where || !Row)
      return;
    LLVMContext &C = M.getContext();
    auto Number = [&](unsigned V) { return ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(C), V)); };
    Sites = Sites ? Sites : M.getOrInsertNamedMetadata(SitesName);
    Sites->addOperand(MDNode::get(C, {Number(*Row), Number(Where->getLine()), Number(Where->getColumn())}));
  }

  Module &M;
  const Table &Rows;
  const KnownEvents &Known;
  NamedMDNode *Sites = nullptr;
  SmallPtrSet<const Function *, 8> Holders; /* that return with a lock held */
  DenseMap<const Function *, bool> Releases;
};

} // namespace

void markWrappers(Module &M, const Table &Rows, const KnownEvents &Known) { Finder(M, Rows, Known).run(); }

Wrappers::Wrappers(Module &M, const Table &R) : Rows(R)
{
  NamedMDNode *Sites = M.getNamedMetadata(SitesName);
  if (!Sites)
    return;
  for (const MDNode *N : Sites->operands()) {
    auto Number = [&](unsigned I) { return unsigned(mdconst::extract<ConstantInt>(N->getOperand(I))->getZExtValue()); };
    Leaving.insert({Number(0), Number(1), Number(2)});
  }
  M.eraseNamedMetadata(Sites);
}

bool Wrappers::leaves(const CallBase &Call) { return Call.hasFnAttr(LeavesName); }

/* As functions are called that obtain what they return. */
static bool soundsLikeObtaining(StringRef Name)
{
  static const char *const Words[] = {"alloc", "dup", "new", "create", "make", "clone", "open"};
  return any_of(Words, [&](const char *Word) { return Name.contains_insensitive(Word); });
}

/* Of other source files only the declaration is seen. */
static bool isElsewhere(const Function &F)
{
  return F.isDeclaration() && !F.isIntrinsic() && libraryKind(F) == Library::Unknown;
}

bool Wrappers::isWrapper(const Function *Callee)
{
  if (!Callee)
    return false;
  if (Callee->hasFnAttribute(WrapperName))
    return true;
  return isElsewhere(*Callee) && Callee->getReturnType()->isPointerTy() &&
         (Callee->hasRetAttribute(Attribute::NoAlias) || soundsLikeObtaining(Callee->getName()));
}

bool Wrappers::isToldApart(const Function *Callee)
{
  if (isWrapper(Callee) || (Callee && Callee->hasFnAttribute(WaitsAttribute)))
    return true;
  return Callee && isElsewhere(*Callee) && Callee->getName().contains_insensitive("wait") &&
         any_of(Callee->args(), [](const Argument &Each) { return Each.getType()->isPointerTy(); });
}

const DILocation *Wrappers::placeOf(const CallBase &Event, bool *Out) const
{
  const DILocation *Where = Event.getDebugLoc();
  *Out = leaves(Event);
  while (Where && *Out && Where->getInlinedAt()) {
    Where = Where->getInlinedAt();
    auto Row = Rows.rowOf(Where->getScope()->getSubprogram());
    *Out = Row && Leaving.count({*Row, Where->getLine(), Where->getColumn()});
  }
  return Where;
}

} // namespace scale
