// SPDX-License-Identifier: GPL-3.0-or-later
#include "instrument/pass/events.h"
#include "instrument/pass/counted_locks.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
using namespace llvm;

namespace scale
{

ModuleEvents::ModuleEvents(Module &M, const Runtime &RT, const Table &R, KnownEvents &&K)
    : Rows(R), Known(std::move(K)), Names(M, R), Hooks(RT), Wrapped(M, R)
{
  for (const Function &F : M)
    if (ArrayRef<EventSpec> Specs = Known.of(F); !Specs.empty()) {
      // Where the function puts the structure that it returns is nobody's first argument.
      if (F.hasStructRetAttr() && Specs.front().isProbe()) {
        for (const EventSpec &Each : Specs)
          Behind[&F].push_back(Each.behind(1));
        Specs = Behind[&F];
      }
      Functions[&F] = Specs;
    }
}

ArrayRef<EventSpec> ModuleEvents::of(const CallBase &Call) const
{
  auto It = Functions.find(Call.getCalledFunction());
  return It == Functions.end() ? ArrayRef<EventSpec>() : It->second;
}

/* ---- which calls --------------------------------------------------------------------- */

static bool isNumber(const Type *T) { return T->isPointerTy() || (T->isIntegerTy() && T->getIntegerBitWidth() <= 64); }

/* Whether the call has what the row speaks of: it may come from a declaration of another function of that name. */
static bool fits(const CallBase &Call, const EventSpec &Spec)
{
  auto Has = [&](unsigned I) { return I < Call.arg_size() && isNumber(Call.getArgOperand(I)->getType()); };
  bool Returns = isNumber(Call.getType());
  switch (Spec.Instance.From) {
  case Identity::Pointee:
    if (!Has(Spec.Instance.Index) || !Call.getArgOperand(Spec.Instance.Index)->getType()->isPointerTy())
      return false;
    break;
  case Identity::Argument:
    if (!Has(Spec.Instance.Index))
      return false;
    break;
  case Identity::Result:
    if (!Returns)
      return false;
    break;
  case Identity::None:
    break;
  }
  if ((Spec.Amount.From == Units::Argument || Spec.Amount.From == Units::Product) && !Has(Spec.Amount.First))
    return false;
  if (Spec.Amount.From == Units::Product && !Has(Spec.Amount.Second))
    return false;
  if (Spec.Chosen) {
    if (*Spec.Chosen >= Call.arg_size() || !Call.getArgOperand(Call.arg_size() - 1)->getType()->isPointerTy())
      return false;
    if (auto *Is = dyn_cast<ConstantInt>(Call.getArgOperand(*Spec.Chosen)))
      if (!is_contained(Spec.Only, Is->getSExtValue()))
        return false;
  }
  if (Spec.Sized &&
      (Spec.Sized->Argument >= Call.arg_size() ||
       Call.getCalledFunction()->getParamDereferenceableBytes(Spec.Sized->Argument) != uint64_t(Spec.Sized->Value)))
    return false;
  bool NeedsResult = Spec.Success != Outcome::Always || Spec.Amount.From == Units::Result ||
                     (Spec.Wait == EventSpec::Timed && Spec.Waited != Outcome::Always) ||
                     Spec.Event == SCALE_EVENT_RESIZE;
  return Returns || !NeedsResult;
}

bool FunctionEvents::name(Use &U, const CallBase &Call) const
{
  const ResourceName *Found = All.names().of(Call);
  if (Found)
    U.Name = *Found;
  else
    U.Flags |= SCALE_SITE_BY_INSTANCE;
  U.Name.Name = All.known().alias(U.Name.Name);
  return Found;
}

/* A semaphore's initial value is how many units there are; a semaphore that begins at 0 is a signal. */
static unsigned initialUnits(const CallBase &Call, const EventSpec &Spec)
{
  unsigned Last = Call.arg_size(); // sem_init(semaphore, shared, units), std::counting_semaphore(units)
  if (Spec.Class != SCALE_CLASS_SEMAPHORE || Spec.Event != SCALE_EVENT_NAME || Last < 2)
    return 0;
  auto *Units = dyn_cast<ConstantInt>(Call.getArgOperand(Last - 1));
  return Units ? Units->getLimitedValue(UINT32_MAX) : 0;
}

std::optional<FunctionEvents::Use> FunctionEvents::use(const CallBase &Call, const EventSpec &Spec) const
{
  if (!fits(Call, Spec))
    return std::nullopt;
  Use U;
  U.Spec = &Spec;
  U.Event = Spec.Event;
  U.Flags = Spec.Flags;
  if (U.Event == SCALE_EVENT_WAIT && Call.hasFnAttr(WaitsForCounted))
    U.Flags |= SCALE_SITE_INFERRED;
  U.Capacity = initialUnits(Call, Spec);
  if (Spec.SharedIf && Spec.SharedIf->Argument < Call.arg_size())
    if (auto *Is = dyn_cast<ConstantInt>(Call.getArgOperand(Spec.SharedIf->Argument)))
      if (Is->getValue().trySExtValue() == std::optional<int64_t>(Spec.SharedIf->Value))
        U.Flags |= SCALE_SITE_SHARED;
  U.Name.Name = Spec.Name;
  if (Spec.isNamed() && !name(U, Call) && U.Event == SCALE_EVENT_NAME)
    return std::nullopt;
  bool ByResult = Spec.Instance.From == Identity::Result || Spec.Amount.From == Units::Result;
  switch (U.Event) {
  case SCALE_EVENT_ACQUIRE:
    U.After = true;
    break;
  case SCALE_EVENT_RESIZE:
    U.After = U.Before = true;
    break;
  case SCALE_EVENT_WAIT:
    break;
  default: // while the instance is still the caller's
    U.After = ByResult || Spec.Success != Outcome::Always;
    U.Before = !U.After;
  }
  if (Spec.Wait == EventSpec::Timed)
    U.After = U.Before = true;
  if (Spec.Wait == EventSpec::Replaced) {
    U.Before = true;
    U.After = false;
  }
  return U;
}

FunctionEvents::Use FunctionEvents::annotation(const CallBase &Call, const EventSpec &Spec) const
{
  Use U;
  U.Spec = &Spec;
  U.Event = Spec.Event;
  U.Flags = Spec.Flags;
  if (Spec.Annotation == EventSpec::Seen)
    return U; // only the site table has it
  U.Before = true;
  if (Spec.isNamed()) {
    name(U, Call);
    return U;
  }
  StringRef Name;
  U.Name.Name = getConstantStringInfo(Call.getArgOperand(0), Name) && !Name.empty() ? Name.str() : "annotated";
  if (Spec.Annotation == EventSpec::Capacious)
    if (auto *Units = dyn_cast<ConstantInt>(Call.getArgOperand(1)))
      U.Capacity = Units->getLimitedValue(UINT32_MAX);
  return U;
}

/* A lock wrapper that was not inlined does not know which lock it is about; its caller tells. */
void FunctionEvents::gatherHanded(CallBase &Call)
{
  Caught C{&Call, {}};
  for (const EventNames::Handed &H : All.names().handedBy(Call)) {
    EventSpec &Spec = Handed.emplace_back();
    Spec.Function = linkageName(*Call.getCalledFunction());
    Spec.Class = H.Class;
    Spec.Event = SCALE_EVENT_NAME;
    Spec.Instance = {Identity::Argument, H.Argument, H.Offset};
    if (!fits(Call, Spec))
      continue;
    Use U;
    U.Spec = &Spec;
    U.Event = Spec.Event;
    U.Flags = 0;
    U.Name = *H.Name;
    U.Name.Name = All.known().alias(U.Name.Name);
    U.Before = true;
    C.Uses.push_back(U);
  }
  if (!C.Uses.empty())
    Calls.push_back(std::move(C));
}

void FunctionEvents::gatherCall(CallBase &Call)
{
  auto *Plain = dyn_cast<CallInst>(&Call);
  if ((Plain && Plain->isMustTailCall()) || isa<CallBrInst>(Call))
    return;
  if (All.of(Call).empty())
    return gatherHanded(Call);
  std::string Written = OwnName; // the function that the call is written in
  bool Inlined = false;          // no call of that one is left that could be timed: getline of <bits/stdio.h>
  if (const DILocation *Where = Call.getDebugLoc()) {
    Inlined = Where->getInlinedAt();
    auto Row = All.rows().rowOf(Where->getScope()->getSubprogram());
    if (!Row)
      return; // inlined from a function that is left out
    Written = All.rows()[*Row].Name;
  }
  Caught C{&Call, {}};
  for (const EventSpec &Spec : All.of(Call))
    if (Spec.Annotation) {
      C.Uses.push_back(annotation(Call, Spec));
      Replaced.insert(&Call);
    } else if ((Spec.Wait == EventSpec::Timed && Inlined) || !All.known().implements(Written, Spec.Class))
      if (auto U = use(Call, Spec))
        C.Uses.push_back(*U);
  if (C.Uses.empty())
    return;
  if (any_of(C.Uses, [](const Use &U) { return U.Spec->Wait == EventSpec::Replaced; }))
    Replaced.insert(&Call);
  Calls.push_back(std::move(C));
}

void FunctionEvents::gather()
{
  SmallVector<CallBase *, 16> Found;
  for (BasicBlock &BB : F)
    for (Instruction &I : BB)
      if (auto *Call = dyn_cast<CallBase>(&I); Call && Call->getCalledFunction() && !isa<IntrinsicInst>(Call))
        Found.push_back(Call);
  for (CallBase *Call : Found)
    gatherCall(*Call);
  for (Caught &C : Calls)
    if (auto *Invoke = dyn_cast<InvokeInst>(C.Call); Invoke && !Invoke->getNormalDest()->getSinglePredecessor())
      SplitEdge(Invoke->getParent(), Invoke->getNormalDest());
}

/* ---- cells ---------------------------------------------------------------------------- */

/* The called function; of annotations what they stand for. */
static std::string viaOf(const CallBase &Call, const EventSpec &Spec)
{
  return Spec.isHeader() ? linkageName(*Call.getCalledFunction()) : Spec.Function;
}

unsigned FunctionEvents::cell(SiteTable &Sites, const CallBase &Call, const Use &U, bool Touched)
{
  bool Obtains = U.Event == SCALE_EVENT_ACQUIRE || U.Event == SCALE_EVENT_RESIZE, Out = false;
  bool Waits = U.Event == SCALE_EVENT_WAIT && U.Spec->Class == SCALE_CLASS_CONDITION;
  const DILocation *Where = Call.getDebugLoc();
  if ((Obtains || Waits) && !Touched && !(U.Flags & SCALE_SITE_PROBE))
    Where = Sites.callInContext(All.wrappers().placeOf(Call, &Out));
  EventSite E;
  E.Class = Touched ? unsigned(SCALE_CLASS_OTHER) : U.Spec->Class;
  E.Flags = Touched ? unsigned(SCALE_SITE_PROBE) : U.Flags | (Out ? SCALE_SITE_OUT : 0);
  E.Event = Touched && U.Event != SCALE_EVENT_WRITE ? unsigned(SCALE_EVENT_READ) : U.Event;
  E.Loc = Sites.locOf(Where);
  E.Via = Call.hasFnAttr("scale-via") ? Call.getFnAttr("scale-via").getValueAsString().str() : viaOf(Call, *U.Spec);
  E.Name = Touched ? U.Spec->Touched : U.Name.Name;
  if (!Touched) {
    E.File = U.Name.File;
    E.Declared = U.Name.Line;
    E.Capacity = std::max(U.Capacity, U.Spec->Capacity);
  }
  if (Where) {
    E.Line = Where->getLine();
    E.Column = Where->getColumn();
  }
  // Each place in the source speaks for itself, however many copies the optimiser made of it. Names count nothing.
  bool Counts = E.Event != SCALE_EVENT_NAME;
  auto [It, New] = CellOf.try_emplace(
      {E.Loc, E.Via, E.Name, E.File, E.Declared, E.Flags, E.Class, E.Event, Counts ? E.Line : 0, Counts ? E.Column : 0},
      Cells.size());
  if (New)
    Cells.push_back(std::move(E));
  return It->second;
}

unsigned FunctionEvents::layOut(SiteTable &Sites, unsigned NodeBytes)
{
  for (Caught &C : Calls)
    for (Use &U : C.Uses) {
      U.Cell = cell(Sites, *C.Call, U, false);
      if (!U.Spec->Touched.empty())
        U.TouchedCell = cell(Sites, *C.Call, U, true);
    }
  erase_if(Calls, [&](const Caught &C) { // now that the site table has them
    if (C.Uses.front().Spec->Annotation != EventSpec::Seen)
      return false;
    Replaced.erase(C.Call);
    C.Call->eraseFromParent();
    return true;
  });
  for (EventSite &E : Cells) {
    if (E.Event != SCALE_EVENT_SEEN) {
      E.Offset = NodeBytes;
      NodeBytes += 8;
    }
    Sites.addEvent(E);
  }
  return NodeBytes;
}

void FunctionEvents::reach(function_ref<Value *(IRBuilder<> &)> Node)
{
  for (Caught &C : Calls) {
    if (any_of(C.Uses, [](const Use &U) { return U.Before; })) {
      IRBuilder<> B(C.Call);
      B.SetCurrentDebugLocation(DebugLoc());
      C.NodeBefore = Node(B);
    }
    if (any_of(C.Uses, [](const Use &U) { return U.After; })) {
      auto *Invoke = dyn_cast<InvokeInst>(C.Call);
      IRBuilder<> B(Invoke ? &*Invoke->getNormalDest()->getFirstInsertionPt() : C.Call->getNextNode());
      B.SetCurrentDebugLocation(DebugLoc());
      C.NodeAfter = Node(B);
    }
  }
}

} // namespace scale
