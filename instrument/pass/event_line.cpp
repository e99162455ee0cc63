// SPDX-License-Identifier: GPL-3.0-or-later
#include "instrument/pass/event_spec.h"
#include "profiles/layout.inc"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
using namespace llvm;

/* A line about an event, column by column. */
namespace scale
{

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
      .Case("sleep", SCALE_CLASS_SLEEP)
      .Case("io", SCALE_CLASS_IO)
      .Case("process", SCALE_CLASS_PROCESS)
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
  if (Flag.consume_front("name:")) {
    Out.Name = Flag.str();
    return true;
  }
  EventSpec::Condition If;
  if (Flag.consume_front("only:")) {
    if (!takeArgument(Flag, If.Argument) || !Flag.consume_front("="))
      return false;
    Out.Chosen = If.Argument;
    for (StringRef Value : split(Flag, '/')) {
      if (Value.getAsInteger(0, If.Value))
        return false;
      Out.Only.push_back(If.Value);
    }
    return true;
  }
  bool Sized = Flag.consume_front("sized:");
  if ((!Sized && !Flag.consume_front("shared_if:")) || !takeArgument(Flag, If.Argument) || !Flag.consume_front("=") ||
      Flag.getAsInteger(0, If.Value))
    return false;
  (Sized ? Out.Sized : Out.SharedIf) = If;
  return true;
}

/* from=to;from=to */
static bool parseAliases(StringRef Text, EventSpec &Out)
{
  if (Text.empty())
    return true;
  for (StringRef Alias : split(Text, ';')) {
    auto [From, To] = Alias.rsplit('=');
    if (From.empty() || To.empty())
      return false;
    Out.Aliases.push_back({From.str(), To.str()});
  }
  return true;
}

Error notUnderstood(StringRef Text, const char *What)
{
  constexpr size_t Shown = 60;
  std::string Escaped; // it is shown on a terminal
  raw_string_ostream Stream(Escaped);
  printEscapedString(Text.take_front(Shown), Stream);
  return createStringError("'" + Escaped + (Text.size() > Shown ? "...' " : "' ") + What);
}

/* The columns about the call. */
static Error parseCall(ArrayRef<StringRef> Column, EventSpec &Out)
{
  Out.Function = Column[0].str();
  if (Column[0].empty())
    return createStringError("there is no function");
  if (!(Out.Class = classOf(Column[1])))
    return notUnderstood(Column[1], "is no class");
  if (!(Out.Event = eventOf(Column[2])))
    return notUnderstood(Column[2], "is no event");
  if (!parseIdentity(Column[3], Out.Instance))
    return notUnderstood(Column[3], "is no identity");
  if (!parseUnits(Column[4], Out.Amount))
    return notUnderstood(Column[4], "is not a number of units");
  auto Success = outcomeOf(Column[5]);
  if (!Success)
    return notUnderstood(Column[5], "is no success");
  Out.Success = *Success;
  if (!parseWait(Column[6], Out))
    return notUnderstood(Column[6], "is no wait");
  for (StringRef Flag : split(Column[7], ','))
    if (!Flag.empty() && !parseFlag(Flag, Out))
      return notUnderstood(Flag, "is no flag");
  return Error::success();
}

Expected<EventSpec> parseEvent(StringRef Line)
{
  constexpr unsigned Columns = 12, Needed = 3;
  SmallVector<StringRef, Columns> Column;
  Line.split(Column, '\t');
  if (Column.size() < Needed || Column.size() > Columns)
    return notUnderstood(Line, "has not 3 to 12 columns, separated by tabs");
  Column.resize(Columns);
  EventSpec Out;
  if (Error E = parseCall(Column, Out))
    return E;
  if (!Column[8].empty())
    Out.Name = Column[8].str();
  if (!Column[9].empty() && Column[9].getAsInteger(10, Out.Capacity))
    return notUnderstood(Column[9], "is no capacity");
  if (!parseAliases(Column[10], Out))
    return notUnderstood(Column[10], "are no aliases");
  Out.Touched = Column[11].str();
  // Waiting without a function of the runtime's that does it is measured from outside.
  if (Out.Event == SCALE_EVENT_WAIT && Out.Wait == EventSpec::Never)
    Out.Wait = EventSpec::Timed;
  return Out;
}

} // namespace scale
