// SPDX-License-Identifier: GPL-3.0-or-later
#include "instrument/pass/sites.h"
#include "llvm/ADT/STLExtras.h"
using namespace llvm;

namespace scale
{

/* Of locs that are neither a function (0) nor a loop. */
static constexpr unsigned NoOrdinal = UINT_MAX;

SiteTable::SiteTable(const Table &T, unsigned OwnRow, bool IsRecursive) : Rows(T), Recursive(IsRecursive)
{
  Locs.push_back({0, OwnRow, 0, {}});
}

unsigned SiteTable::child(unsigned Parent, unsigned Row, unsigned Ordinal)
{
  auto [It, New] = Children.try_emplace({Parent, Row, Ordinal}, Locs.size());
  if (New)
    Locs.push_back({Parent, Row, Ordinal, {}});
  return It->second;
}

/* Frames that are no contexts lie in between. */
const DILocation *SiteTable::callInContext(const DILocation *Call) const
{
  while (Call && Call->getInlinedAt() && !Rows.rowOf(Call->getScope()->getSubprogram()))
    Call = Call->getInlinedAt();
  return Call;
}

/* The loc at or above Parent that a call of the function repeats. A function of a system's header that the program's
 * own code calls again does something else there (std::function), as for the runtime. */
std::optional<unsigned> SiteTable::repeated(unsigned Parent, unsigned Row) const
{
  auto IsFunction = [&](unsigned L) { return Locs[L].Ordinal == 0; };
  unsigned Above = Parent;
  while (Above && !(IsFunction(Above) && Rows.isSame(Locs[Above].Row, Row)))
    Above = Locs[Above].Parent;
  if (!Rows.isSame(Locs[Above].Row, Row))
    return std::nullopt;
  if (isSystemHeader(Rows[Row].File))
    for (unsigned L = Parent; L != Above; L = Locs[L].Parent)
      if (IsFunction(L) && !isSystemHeader(Rows[Locs[L].Row].File))
        return std::nullopt;
  return Above;
}

/* Recursion collapses. Several calls make one loc: the first of them in source order names it, whatever order the
 * optimiser left them in. */
unsigned SiteTable::functionIn(unsigned Parent, unsigned Row, const DILocation *Call)
{
  if (auto Above = repeated(Parent, Row))
    return *Above;
  Loc &Made = Locs[child(Parent, Row, 0)];
  Call = callInContext(Call);
  if (Call && Call->getLine() &&
      (!Made.CallLine || std::pair(Call->getLine(), Call->getColumn()) < std::pair(Made.CallLine, Made.CallColumn))) {
    Made.CallLine = Call->getLine();
    Made.CallColumn = Call->getColumn();
  }
  return child(Parent, Row, 0);
}

unsigned SiteTable::loopIn(unsigned Function, unsigned Row, unsigned Ordinal)
{
  if (Ordinal == 0 || Ordinal > Rows[Row].Loops.size())
    return Function;
  return child(loopIn(Function, Row, Rows[Row].Loops[Ordinal - 1].Parent), Row, Ordinal);
}

/* The function a location's innermost frame belongs to; frames that are no contexts belong to their callers. */
unsigned SiteTable::frameOf(const DILocation *Location)
{
  auto Row = Rows.rowOf(Location->getScope()->getSubprogram());
  const DILocation *Call = Location->getInlinedAt();
  unsigned Parent = Call ? locOf(Call) : 0;
  return Row ? functionIn(Parent, *Row, Call) : Parent;
}

unsigned SiteTable::locOf(const DILocation *Location)
{
  if (!Location)
    return 0;
  unsigned Frame = frameOf(Location);
  auto Row = Rows.rowOf(Location->getScope()->getSubprogram());
  return Row ? loopIn(Frame, *Row, Location->getDiscriminator()) : Frame;
}

unsigned SiteTable::locOf(Marker Mark, const DILocation *Location)
{
  unsigned Function;
  if (!Location)
    Function = functionIn(0, Mark.Row, nullptr);
  else if (Rows.rowOf(Location->getScope()->getSubprogram()) == std::optional<unsigned>(Mark.Row))
    Function = frameOf(Location);
  else // without debug information the inliner gives the marker the place of the call
    Function = functionIn(locOf(Location), Mark.Row, Location);
  return loopIn(Function, Mark.Row, Mark.Ordinal);
}

unsigned SiteTable::workOf(const DILocation *Call, const std::string &Function, unsigned Unit)
{
  unsigned Parent = locOf(Call);
  Call = callInContext(Call);
  unsigned Line = Call ? Call->getLine() : 0, Column = Call ? Call->getColumn() : 0;
  auto [It, New] = Work.try_emplace({Parent, Function, Line, Column}, Locs.size());
  if (New)
    Locs.push_back({Parent,
                    Locs[Parent].Row,
                    NoOrdinal,
                    {},
                    Line,
                    Column,
                    Function,
                    Call ? sourceFile(Call->getScope()) : Rows[Locs[Parent].Row].File,
                    Unit});
  return It->second;
}

void SiteTable::addRef(unsigned Loc, unsigned Offset) { Locs[Loc].Refs.push_back(Offset); }

bool SiteTable::dependsOnEntries() const
{
  return any_of(drop_begin(Locs), [](const Loc &L) { return is_contained(L.Refs, 0u); }) ||
         any_of(Events, [](const EventSite &E) { return E.Event == SCALE_EVENT_SEEN; });
}

void SiteTable::addSlot(unsigned Offset, bool Open, unsigned Loc, const Callee &Target, const DILocation *Call,
                        bool Out)
{
  Call = callInContext(Call);
  Slots.push_back({Offset, Loc, Open, Out, Target, Call ? Call->getLine() : 0, Call ? Call->getColumn() : 0});
}

void SiteTable::addVanishedLoops()
{
  for (unsigned L = 0; L < Locs.size(); L++)
    if (Locs[L].Ordinal == 0)
      for (unsigned Row = Locs[L].Row, O = 1; O <= Rows[Row].Loops.size(); O++)
        loopIn(L, Row, O);
}

unsigned SiteTable::string(const std::string &Text)
{
  auto [It, New] = StringOffsets.try_emplace(Text, Strings.size());
  if (New) {
    Strings.insert(Strings.end(), Text.begin(), Text.end());
    Strings.push_back(0);
  }
  return It->second;
}

unsigned SiteTable::stringOrNone(const std::string &Text) { return Text.empty() ? SCALE_NO_STRING : string(Text); }

scale_loc SiteTable::describe(const Loc &L)
{
  const FunctionRow &R = Rows[L.Row];
  scale_loc Out = {};
  Out.parent = L.Parent;
  Out.ref_count = L.Refs.size();
  Out.flags = isSystemHeader(R.File) ? SCALE_LOC_SYSTEM : 0;
  if (L.Unit) {
    Out.kind = SCALE_LOC_WORK;
    Out.name = string(L.Worker);
    Out.file = stringOrNone(L.File);
    Out.line = L.CallLine;
    Out.column = L.CallColumn;
    Out.nth = L.Unit;
    return Out;
  }
  Out.kind = L.Ordinal ? SCALE_LOC_LOOP : SCALE_LOC_FUNCTION;
  Out.flags |= (R.Local ? SCALE_LOC_LOCAL : 0) | (L.Refs.empty() ? SCALE_LOC_REMOVED : 0);
  Out.name = string(R.Name);
  Out.file = string(R.File);
  Out.line = R.Line;
  if (L.Ordinal) {
    const LoopRow &Loop = R.Loops[L.Ordinal - 1];
    Out.line = Loop.Line;
    Out.column = Loop.Column;
    Out.nth = Loop.Nth;
    Out.ordinal = L.Ordinal;
  } else {
    Out.nth = L.CallLine;
    Out.ordinal = L.CallColumn;
  }
  return Out;
}

scale_site_event SiteTable::describe(const EventSite &E)
{
  scale_site_event Out = {};
  Out.offset = E.Offset;
  Out.resource_class = E.Class;
  Out.flags = E.Flags;
  Out.event = E.Event;
  Out.loc = E.Loc;
  Out.via = string(E.Via);
  Out.name = stringOrNone(E.Name);
  Out.file = stringOrNone(E.File);
  Out.declared = E.Declared;
  Out.line = E.Line;
  Out.column = E.Column;
  Out.capacity = E.Capacity;
  return Out;
}

scale_site_slot SiteTable::describe(const Slot &S)
{
  scale_site_slot Out = {};
  Out.offset = S.Offset;
  Out.kind = S.Open ? SCALE_SLOT_OPEN : SCALE_SLOT_DIRECT;
  Out.flags = (S.Target.Local ? SCALE_LOC_LOCAL : 0) | (S.Out ? SCALE_SLOT_OUT : 0);
  Out.loc = S.Loc;
  Out.callee = stringOrNone(S.Target.Name);
  Out.file = stringOrNone(S.Target.File);
  Out.callee_line = S.Target.Line;
  Out.line = S.Line;
  Out.column = S.Column;
  return Out;
}

SiteTables SiteTable::tables(unsigned NodeBytes)
{
  if (Locs[0].Refs.empty())
    addRef(0, 0); // the entry's own marker is gone, its entries are counted all the same
  addVanishedLoops();
  SiteTables Out;
  Out.NodeBytes = NodeBytes;
  for (const Loc &L : Locs) {
    Out.Locs.push_back(describe(L));
    Out.Locs.back().first_ref = Out.Refs.size();
    for (unsigned Offset : L.Refs)
      Out.Refs.push_back({Offset});
  }
  Out.Locs[0].flags |= Recursive ? SCALE_LOC_RECURSIVE : 0;
  for (const Slot &S : Slots)
    Out.Slots.push_back(describe(S));
  for (const EventSite &E : Events)
    Out.Events.push_back(describe(E));
  bool IsSystem = all_of(Out.Locs, [](const scale_loc &L) { return L.flags & SCALE_LOC_SYSTEM; });
  Out.Flags = IsSystem ? SCALE_SITES_SYSTEM : 0;
  Out.Strings = Strings;
  return Out;
}

} // namespace scale
