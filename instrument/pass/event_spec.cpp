// SPDX-License-Identifier: GPL-3.0-or-later
#include "instrument/pass/event_spec.h"
#include "instrument/pass/table.h"
#include "profiles/layout.inc"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Process.h"
using namespace llvm;

namespace scale
{

bool EventSpec::isProbe() const { return Flags & SCALE_SITE_PROBE; }

bool EventSpec::isNamed() const
{
  return Name.empty() && Annotation == None && Instance.From != Identity::None &&
         (Class <= SCALE_CLASS_BARRIER || Class == SCALE_CLASS_OTHER);
}

/* ---- columns ------------------------------------------------------------------------ */

static unsigned classOf(StringRef Text)
{
  return StringSwitch<unsigned>(Text)
      .Case("mutex", SCALE_CLASS_MUTEX)
      .Case("rwlock", SCALE_CLASS_RWLOCK)
      .Case("spinlock", SCALE_CLASS_SPINLOCK)
      .Case("semaphore", SCALE_CLASS_SEMAPHORE)
      .Case("condition", SCALE_CLASS_CONDITION)
      .Case("barrier", SCALE_CLASS_BARRIER)
      .Case("thread", SCALE_CLASS_THREAD)
      .Case("heap", SCALE_CLASS_HEAP)
      .Case("mapping", SCALE_CLASS_MAPPING)
      .Case("descriptor", SCALE_CLASS_DESCRIPTOR)
      .Case("stream", SCALE_CLASS_STREAM)
      .Case("other", SCALE_CLASS_OTHER)
      .Default(0);
}

static unsigned eventOf(StringRef Text)
{
  return StringSwitch<unsigned>(Text)
      .Case("acquire", SCALE_EVENT_ACQUIRE)
      .Cases("read", "use-read", SCALE_EVENT_READ)
      .Cases("write", "use-write", SCALE_EVENT_WRITE)
      .Case("wait", SCALE_EVENT_WAIT)
      .Case("release", SCALE_EVENT_RELEASE)
      .Case("name", SCALE_EVENT_NAME)
      .Case("resize", SCALE_EVENT_RESIZE)
      .Default(0);
}

static std::optional<Outcome> outcomeOf(StringRef Text)
{
  return StringSwitch<std::optional<Outcome>>(Text)
      .Cases("", "always", Outcome::Always)
      .Case("zero", Outcome::Zero)
      .Case("nonzero", Outcome::Nonzero)
      .Case("negative", Outcome::Negative)
      .Case("nonnegative", Outcome::Nonnegative)
      .Case("notminusone", Outcome::NotMinusOne)
      .Default(std::nullopt);
}

/* "arg:K"; what follows stays in Text. */
static bool takeArgument(StringRef &Text, unsigned &Index)
{
  return Text.consume_front("arg:") && !Text.consumeInteger(10, Index) && Index < 64;
}

static bool parseIdentity(StringRef Text, Identity &Out)
{
  if (Text.empty() || Text == "none")
    return true;
  if (Text == "ret") {
    Out.From = Identity::Result;
    return true;
  }
  Out.From = Text.consume_front("*") ? Identity::Pointee : Identity::Argument;
  if (!takeArgument(Text, Out.Index))
    return false;
  if (Text.consume_front("->"))
    Out.From = Identity::Pointee;
  else if (!Text.consume_front("."))
    return Text.empty();
  return !Text.getAsInteger(10, Out.Offset);
}

static bool parseUnits(StringRef Text, Units &Out)
{
  if (Text.empty())
    return true;
  if (Text == "ret")
    Out.From = Units::Result;
  else if (Text == "usable")
    Out.From = Units::Usable;
  else if (!Text.getAsInteger(10, Out.Number))
    Out.From = Units::Constant;
  else if (!takeArgument(Text, Out.First))
    return false;
  else if (Text.consume_front("*"))
    Out.From = Units::Product;
  else
    Out.From = Units::Argument;
  return Out.From == Units::Product ? takeArgument(Text, Out.Second) && Text.empty()
                                    : Out.From != Units::Argument || Text.empty();
}

static bool parseWait(StringRef Text, EventSpec &Out)
{
  if (Text.empty() || Text == "none")
    return true;
  auto [Kind, Detail] = Text.split(':');
  if (Kind == "do") {
    Out.Wait = EventSpec::Replaced;
    Out.Wrapper = ("__scale_do_" + (Detail.empty() ? StringRef(Out.Function) : Detail)).str();
    return true;
  }
  auto When = outcomeOf(Detail);
  if (Kind != "timed" || !When)
    return false;
  Out.Wait = EventSpec::Timed;
  Out.Waited = *When;
  return true;
}

static bool parseFlag(StringRef Flag, EventSpec &Out)
{
  unsigned Bit = StringSwitch<unsigned>(Flag)
                     .Case("shared", SCALE_SITE_SHARED)
                     .Case("global", SCALE_SITE_GLOBAL)
                     .Case("idle", SCALE_SITE_IDLE)
                     .Default(0);
  Out.Flags |= Bit;
  if (Bit)
    return true;
  EventSpec::Condition If;
  if (!Flag.consume_front("shared_if:") || !takeArgument(Flag, If.Argument) || !Flag.consume_front("=") ||
      Flag.getAsInteger(0, If.Value))
    return false;
  Out.SharedIf = If;
  return true;
}

std::optional<EventSpec> parseEvent(StringRef Line)
{
  constexpr unsigned Columns = 12, Needed = 3;
  SmallVector<StringRef, Columns> Column;
  Line.split(Column, '\t');
  if (Column.size() < Needed || Column.size() > Columns || Column[0].empty())
    return std::nullopt;
  Column.resize(Columns);
  EventSpec Out;
  Out.Function = Column[0].str();
  Out.Class = classOf(Column[1]);
  Out.Event = eventOf(Column[2]);
  auto Success = outcomeOf(Column[5]);
  if (!Out.Class || !Out.Event || !parseIdentity(Column[3], Out.Instance) || !parseUnits(Column[4], Out.Amount) ||
      !Success || !parseWait(Column[6], Out))
    return std::nullopt;
  Out.Success = *Success;
  for (StringRef Flag : split(Column[7], ','))
    if (!Flag.empty() && !parseFlag(Flag, Out))
      return std::nullopt;
  Out.Name = Column[8].str();
  if (!Column[9].empty() && Column[9].getAsInteger(10, Out.Capacity))
    return std::nullopt;
  for (StringRef Alias : split(Column[10], ';'))
    if (auto [From, To] = Alias.rsplit('='); !From.empty() && !To.empty())
      Out.Aliases.push_back({From.str(), To.str()});
  Out.Touched = Column[11].str();
  // Waiting without a function of the runtime's that does it is measured from outside.
  if (Out.Event == SCALE_EVENT_WAIT && Out.Wait == EventSpec::Never)
    Out.Wait = EventSpec::Timed;
  return Out;
}

/* ---- the tables ----------------------------------------------------------------------- */

static const char BuiltIn[] =
#define EVENT(function, resource_class, event, identity, units, success, wait, flags) \
#function "\t" #resource_class "\t" #event "\t" identity "\t" units "\t" success "\t" wait "\t" flags "\n"
#include "instrument/events/resources.def"
#undef EVENT
    ;

void KnownEvents::addLines(StringRef Text, bool Probe)
{
  for (StringRef Line : split(Text, '\n'))
    if (auto Spec = parseEvent(Line.rtrim('\r'))) {
      if (Probe) {
        // The runtime's functions are there for its own table alone.
        if (Spec->Wait == EventSpec::Replaced)
          Spec->Wait = EventSpec::Timed;
        Spec->Flags |= SCALE_SITE_PROBE;
        for (auto &[From, To] : Spec->Aliases)
          Aliases[From] = To;
      }
      auto &Rows = (Probe ? Probes : Library)[Spec->Function];
      Rows.push_back(std::move(*Spec));
    }
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

KnownEvents KnownEvents::fromEnvironment()
{
  KnownEvents Known;
  Known.addLines(BuiltIn, false);
  Known.addAnnotations();
  Known.addLines(sys::Process::GetEnv("SCALE_EVENTS").value_or(""), true);
  return Known;
}

/* The program may bring its own operator new and delete: they are used as the library's. */
static bool isReplaceable(StringRef Name) { return Name.starts_with("_Zn") || Name.starts_with("_Zd"); }

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
  return {};
}

std::string KnownEvents::alias(const std::string &Name) const
{
  auto It = Aliases.find(Name);
  return It == Aliases.end() ? Name : It->second;
}

bool KnownEvents::implements(StringRef Name, unsigned Class) const
{
  auto It = Library.find(Name);
  return It != Library.end() && any_of(It->second, [&](const EventSpec &S) { return S.Class == Class; });
}

} // namespace scale
