// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "instrument/pass/table.h"
#include "profiles/layout.inc"
#include <cstdint>

/*
 * The site table of one compiled function (struct scale_sites and what follows
 * it in profiles/layout.inc): which functions and loops the programmer wrote
 * are in it, one inside the other, and where in a node their counts stand.
 */
namespace scale
{

/* What is known about a call's target at compile time. */
struct Callee {
  std::string Name; /* linkage name; empty: called through a pointer */
  std::string File; /* empty: not known */
  unsigned Line = 0;
  bool Local = false;
};

/* A call that does something to a resource. */
struct EventSite {
  unsigned Class = 0, Flags = 0, Event = 0; /* enum scale_resource_class, scale_site_flag, scale_event */
  unsigned Loc = 0;
  std::string Via;        /* linkage name of the function called */
  std::string Name, File; /* of the resource, and where it is declared; empty: not known */
  unsigned Declared = 0;  /* line there */
  unsigned Line = 0, Column = 0;
  unsigned Capacity = 0;
  unsigned Offset = 0; /* of its cell in the node */
};

/* The finished table; strings by their offsets in Strings. */
struct SiteTables {
  unsigned NodeBytes = 0, Flags = 0; /* enum scale_sites_flag */
  std::vector<scale_loc> Locs;
  std::vector<scale_ref> Refs;
  std::vector<scale_site_slot> Slots;
  std::vector<scale_site_event> Events;
  std::vector<uint8_t> Strings;
};

class SiteTable
{
public:
  /* For the compiled function whose source row is OwnRow (loc 0). */
  SiteTable(const Table &Rows, unsigned OwnRow, bool Recursive);

  /* The loc an instruction stands in, from the inlined-at chain of its location: the innermost loop or function. */
  unsigned locOf(const llvm::DILocation *Location);
  /* The loc a marker counts, from its ID and the chain of its location. */
  unsigned locOf(Marker Mark, const llvm::DILocation *Location);

  /* The loc of work that a library's function does in a call there. */
  unsigned workOf(const llvm::DILocation *Call, const std::string &Function, unsigned Unit);

  /* A loc's count is the sum of the counters at its offsets (0: entries of the node). */
  void addRef(unsigned Loc, unsigned Offset);
  /* Whether something besides the function itself is counted by its entries alone, or is only named: then the record
   * must get into the profile with the first of them, or nobody would know. */
  bool dependsOnEntries() const;
  /* Out: what the call obtains leaves the function. */
  void addSlot(unsigned Offset, bool Open, unsigned Loc, const Callee &Target, const llvm::DILocation *Call,
               bool Out = false);
  /* The call as it stands in the function that its loc is. */
  const llvm::DILocation *callInContext(const llvm::DILocation *Call) const;

  void addEvent(EventSite Event) { Events.push_back(std::move(Event)); }

  /* What was found. Locs without a ref become SCALE_LOC_REMOVED, loops that have vanished without trace are added as
   * such. */
  SiteTables tables(unsigned NodeBytes);

private:
  struct Loc {
    unsigned Parent, Row, Ordinal;
    std::vector<unsigned> Refs;
    unsigned CallLine = 0, CallColumn = 0; /* of the first call that was inlined, in source order, or of the call that
                                              works; 0: unknown */
    std::string Worker = {}, File = {};    /* work: the function called, and where */
    unsigned Unit = 0;                     /* enum scale_work_unit; 0: no work */
  };
  struct Slot {
    unsigned Offset, Loc;
    bool Open, Out;
    Callee Target;
    unsigned Line, Column;
  };
  unsigned child(unsigned Parent, unsigned Row, unsigned Ordinal);
  std::optional<unsigned> repeated(unsigned Parent, unsigned Row) const;
  unsigned functionIn(unsigned Parent, unsigned Row, const llvm::DILocation *Call);
  unsigned loopIn(unsigned Function, unsigned Row, unsigned Ordinal);
  unsigned frameOf(const llvm::DILocation *Location);
  void addVanishedLoops();
  unsigned string(const std::string &Text);
  unsigned stringOrNone(const std::string &Text); /* SCALE_NO_STRING for an empty one */
  scale_loc describe(const Loc &L);
  scale_site_slot describe(const Slot &S);
  scale_site_event describe(const EventSite &E);

  const Table &Rows;
  bool Recursive;
  std::vector<Loc> Locs;
  std::vector<Slot> Slots;
  std::vector<EventSite> Events;
  std::map<std::tuple<unsigned, unsigned, unsigned>, unsigned> Children;
  std::map<std::tuple<unsigned, std::string, unsigned, unsigned>, unsigned> Work; /* by parent, function, place */
  std::vector<uint8_t> Strings;
  std::map<std::string, unsigned> StringOffsets;
};

} // namespace scale
