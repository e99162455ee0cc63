// SPDX-License-Identifier: GPL-3.0-or-later
#include "instrument/pass/event_spec.h"
#include "instrument/pass/table.h"
#include "instrument/pass/work_spec.h"
#include "profiles/layout.inc"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/Process.h"
using namespace llvm;

namespace scale
{

bool EventSpec::isProbe() const { return Flags & SCALE_SITE_PROBE; }

bool EventSpec::isNamed() const
{
  return Name.empty() && (Annotation == None || Flags & SCALE_SITE_INFERRED) && Instance.From != Identity::None &&
         (Class <= SCALE_CLASS_BARRIER || Class == SCALE_CLASS_OTHER);
}

static const char BuiltIn[] =
#define EVENT(function, resource_class, event, identity, units, success, wait, flags) \
#function "\t" #resource_class "\t" #event "\t" identity "\t" units "\t" success "\t" wait "\t" flags "\n"
#include "instrument/events/resources.def"
#undef EVENT
    ;

EventSpec EventSpec::behind(unsigned Hidden) const
{
  EventSpec Out = *this;
  Out.Instance.Index += Hidden;
  Out.Amount.First += Hidden;
  Out.Amount.Second += Hidden;
  if (Out.SharedIf)
    Out.SharedIf->Argument += Hidden;
  return Out;
}

void KnownEvents::add(EventSpec &&Spec, bool Probe)
{
  if (Probe) {
    // The runtime's functions are there for its own table alone.
    if (Spec.Wait == EventSpec::Replaced)
      Spec.Wait = EventSpec::Timed;
    Spec.Flags |= SCALE_SITE_PROBE;
    for (auto &[From, To] : Spec.Aliases)
      Aliases[From] = To;
  }
  if (!Probe && Spec.isHeader()) {
    Headers.emplace_back().push_back(std::move(Spec));
    return;
  }
  auto &Rows = (Probe ? Probes : Library)[Spec.Function];
  Rows.push_back(std::move(Spec));
}

Error KnownEvents::addLine(StringRef Line, bool Probe)
{
  auto Spec = parseEvent(Line);
  if (!Spec)
    return Spec.takeError();
  add(std::move(*Spec), Probe);
  return Error::success();
}

/* The functions of instrument/include/scale/annotate.h. */
void KnownEvents::addAnnotations()
{
  auto Add = [&](const char *Name, const char *Macro, unsigned Event, decltype(EventSpec::Annotation) Kind,
                 bool HasUnits = false) {
    EventSpec S;
    S.Function = Macro;
    S.Class = SCALE_CLASS_OTHER;
    S.Event = Event;
    S.Flags = SCALE_SITE_PROBE;
    S.Annotation = Kind;
    if (Kind != EventSpec::Capacious)
      S.Instance = {Identity::Argument, 1, 0};
    if (HasUnits)
      S.Amount = {Units::Argument, 0, 2, 0};
    Library[(Twine("__scale_annotate_") + Name).str()] = {S};
  };
  Add("acquire", "SCALE_ACQUIRE", SCALE_EVENT_ACQUIRE, EventSpec::Told, true);
  Add("failed", "SCALE_ACQUIRE", SCALE_EVENT_ACQUIRE, EventSpec::Failed);
  Add("release", "SCALE_RELEASE", SCALE_EVENT_RELEASE, EventSpec::Told, true);
  Add("read", "SCALE_READ", SCALE_EVENT_READ, EventSpec::Told);
  Add("write", "SCALE_WRITE", SCALE_EVENT_WRITE, EventSpec::Told);
  Add("wait_begin", "SCALE_WAIT", SCALE_EVENT_WAIT, EventSpec::WaitBegins);
  Add("wait_end", "SCALE_WAIT", SCALE_EVENT_WAIT, EventSpec::WaitEnds);
  Add("capacity", "SCALE_CAPACITY", SCALE_EVENT_NAME, EventSpec::Capacious);
}

/* What markSpinLocks(), markCountedLocks() and markUnitPools() call. A condition's units are taken as a semaphore's
 * are. */
void KnownEvents::addInferred()
{
  auto Add = [&](const char *Name, unsigned Class, unsigned Event, decltype(EventSpec::Annotation) Kind,
                 bool HasUnits = false, unsigned Flags = 0) {
    EventSpec S;
    S.Function = Class == SCALE_CLASS_SPINLOCK ? "atomic operation" : "condition";
    S.Class = Class;
    S.Event = Event;
    S.Flags = SCALE_SITE_INFERRED | Flags;
    S.Annotation = Kind;
    if (Kind != EventSpec::Seen)
      S.Instance = {Identity::Argument, 1, 0};
    if (HasUnits) /* of a pool: how many there were */
      S.Amount = {Units::Argument, 0, 2, 0};
    Library[(Twine("__scale_annotate_") + Name).str()] = {S};
  };
  Add("lock_acquire", SCALE_CLASS_SPINLOCK, SCALE_EVENT_ACQUIRE, EventSpec::Told);
  Add("lock_failed", SCALE_CLASS_SPINLOCK, SCALE_EVENT_ACQUIRE, EventSpec::Failed);
  Add("lock_wait_begin", SCALE_CLASS_SPINLOCK, SCALE_EVENT_ACQUIRE, EventSpec::WaitBegins);
  Add("lock_wait_end", SCALE_CLASS_SPINLOCK, SCALE_EVENT_ACQUIRE, EventSpec::WaitEnds);
  Add("lock_release", SCALE_CLASS_SPINLOCK, SCALE_EVENT_RELEASE, EventSpec::Told);
  Add("lock_seen", SCALE_CLASS_SPINLOCK, SCALE_EVENT_SEEN, EventSpec::Seen);
  Add("pool_take", SCALE_CLASS_SEMAPHORE, SCALE_EVENT_ACQUIRE, EventSpec::Told, true);
  Add("pool_fail", SCALE_CLASS_SEMAPHORE, SCALE_EVENT_ACQUIRE, EventSpec::Failed);
  Add("pool_give", SCALE_CLASS_SEMAPHORE, SCALE_EVENT_RELEASE, EventSpec::Told);
  for (unsigned Shared : {0u, unsigned(SCALE_SITE_SHARED)}) {
    auto AddKind = [&](const char *Name, unsigned Event, decltype(EventSpec::Annotation) Kind) {
      Add((Twine(Shared ? "shared_" : "counted_") + Name).str().c_str(), SCALE_CLASS_RWLOCK, Event, Kind, false,
          Shared);
    };
    AddKind("acquire", SCALE_EVENT_ACQUIRE, EventSpec::Told);
    AddKind("wait_begin", SCALE_EVENT_ACQUIRE, EventSpec::WaitBegins);
    AddKind("wait_end", SCALE_EVENT_ACQUIRE, EventSpec::WaitEnds);
    AddKind("release", SCALE_EVENT_RELEASE, EventSpec::Told);
  }
}

bool readEnvironment(LLVMContext &Context, function_ref<Error(StringRef Line)> Take)
{
  std::string Text = sys::Process::GetEnv("SCALE_EVENTS").value_or("");
  unsigned Number = 0;
  for (StringRef Line : split(Text, '\n')) {
    Number++;
    Line = Line.rtrim('\r');
    Error E = Line.empty() ? Error::success() : Take(Line);
    if (!E)
      continue;
    Context.emitError("SCALE_EVENTS, line " + Twine(Number) + ": " + toString(std::move(E)) +
                      "\nhint: unset it, or set it to what scale-cc --scale-print-events FILE prints of a probe set");
    return false;
  }
  return true;
}

std::optional<KnownEvents> KnownEvents::fromEnvironment(LLVMContext &Context)
{
  KnownEvents Known;
  for (StringRef Line : split(StringRef(BuiltIn).rtrim('\n'), '\n'))
    if (Error E = Known.addLine(Line, false))
      report_fatal_error(std::move(E));
  Known.addAnnotations();
  Known.addInferred();
  bool Understood = readEnvironment(
      Context, [&](StringRef Line) { return KnownWork::isLine(Line) ? Error::success() : Known.addLine(Line, true); });
  return Understood ? std::optional<KnownEvents>(std::move(Known)) : std::nullopt;
}

/* The program may bring its own operator new and delete: they are used as the library's. */
static bool isReplaceable(StringRef Name) { return Name.starts_with("_Zn") || Name.starts_with("_Zd"); }

/* In a pattern `*` is any text. */
static bool matches(StringRef Pattern, StringRef Text)
{
  auto [Part, Rest] = Pattern.split('*');
  if (!Text.consume_front(Part))
    return false;
  if (Part.size() == Pattern.size())
    return Text.empty();
  for (; !Rest.empty() && !Text.empty(); Text = Text.drop_front())
    if (matches(Rest, Text))
      return true;
  return Rest.empty();
}

/* What a function of the C++ library's headers does; null: nothing that is known. */
const std::vector<EventSpec> *KnownEvents::inHeaders(StringRef Name) const
{
  if (!Name.starts_with("_ZNSt") && !Name.starts_with("_ZNKSt"))
    return nullptr;
  auto It = find_if(Headers, [&](const auto &Rows) { return matches(Rows.front().Function, Name); });
  return It == Headers.end() ? nullptr : &*It;
}

ArrayRef<EventSpec> KnownEvents::of(const Function &F) const
{
  if (F.isIntrinsic())
    return {};
  std::string Name = linkageName(F);
  if (auto It = Probes.find(Name); It != Probes.end())
    return It->second;
  if (F.isDeclaration() || (isReplaceable(Name) && !F.hasLocalLinkage()))
    if (auto It = Library.find(Name); It != Library.end())
      return It->second;
  const std::vector<EventSpec> *Inline = inHeaders(Name);
  return Inline ? ArrayRef<EventSpec>(*Inline) : ArrayRef<EventSpec>();
}

std::string KnownEvents::alias(const std::string &Name) const
{
  auto It = Aliases.find(Name);
  return It == Aliases.end() ? Name : It->second;
}

bool KnownEvents::implements(StringRef Name, unsigned Class) const
{
  auto It = Library.find(Name);
  const std::vector<EventSpec> *Rows = It != Library.end() ? &It->second : inHeaders(Name);
  return Rows && any_of(*Rows, [&](const EventSpec &S) { return S.Class == Class; });
}

} // namespace scale
