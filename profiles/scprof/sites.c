/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sites of a function's record: where its loops, calls and events stand in the source. */
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "profiles/scprof/internal.h"

/* Where the tables stand in the file, for messages; those of a unit: the function's record. */
struct place {
  const struct sc_reader *reader;
  uint64_t locs, slots, refs, events;
};

static bool string_ok(const struct sc_function *function, uint32_t string)
{
  return string == SCALE_NO_STRING || string < function->sites.string_bytes;
}

/* Parents come first, which makes walking up finite whatever the file says. The first location is the function
 * itself. */
static int check_locs(const struct place *place, const struct sc_function *function)
{
  const struct scale_sites *sites = &function->sites;
  for (uint32_t i = 0; i < sites->loc_count; i++) {
    const struct scale_loc *loc = &function->locs[i];
    uint64_t at = place->locs + (uint64_t)i * sizeof *loc;
    if (i ? loc->parent >= i : loc->parent != 0)
      return sc_reader_damaged(place->reader, at, "loc %u has the parent %u", i, loc->parent);
    if (i ? loc->kind < SCALE_LOC_FUNCTION || loc->kind > SCALE_LOC_WORK : loc->kind != SCALE_LOC_FUNCTION)
      return sc_reader_damaged(place->reader, at, "loc %u has the kind %u", i, loc->kind);
    if (loc->kind == SCALE_LOC_WORK && (loc->nth < SCALE_UNIT_BYTES || loc->nth > SCALE_UNIT_OPERATIONS))
      return sc_reader_damaged(place->reader, at, "loc %u is work of the unit %u", i, loc->nth);
    if (function->locs[loc->parent].kind == SCALE_LOC_WORK)
      return sc_reader_damaged(place->reader, at, "loc %u stands in loc %u, which is work", i, loc->parent);
    if (loc->name == SCALE_NO_STRING || !string_ok(function, loc->name) || !string_ok(function, loc->file))
      return sc_reader_damaged(place->reader, at, "loc %u has a name or file outside the strings", i);
    if (loc->first_ref > sites->ref_count || loc->ref_count > sites->ref_count - loc->first_ref)
      return sc_reader_damaged(place->reader, at, "loc %u has counters outside the table", i);
  }
  return 0;
}

/* Offsets lead into nodes that are read by millions: checked here once a function, not once a node. */
static int check_slots(const struct place *place, const struct sc_function *function)
{
  const struct scale_sites *sites = &function->sites;
  for (uint32_t i = 0; i < sites->slot_count; i++) {
    const struct scale_site_slot *slot = &function->slots[i];
    uint64_t at = place->slots + (uint64_t)i * sizeof *slot;
    if (slot->kind != SCALE_SLOT_DIRECT && slot->kind != SCALE_SLOT_OPEN)
      return sc_reader_damaged(place->reader, at, "slot %u has the kind %u", i, slot->kind);
    uint32_t bytes = slot->kind == SCALE_SLOT_OPEN ? sizeof(struct scale_entry) : sizeof(struct scale_slot);
    if (slot->offset % 8 || slot->offset < sizeof(struct scale_node) || bytes > sites->node_bytes ||
        slot->offset > sites->node_bytes - bytes)
      return sc_reader_damaged(place->reader, at, "slot %u is at offset %u of a node of %u bytes", i, slot->offset,
                               sites->node_bytes);
    if (slot->loc >= sites->loc_count)
      return sc_reader_damaged(place->reader, at, "slot %u stands in loc %u of %u", i, slot->loc, sites->loc_count);
    if (!string_ok(function, slot->callee) || !string_ok(function, slot->file))
      return sc_reader_damaged(place->reader, at, "slot %u has a callee or file outside the strings", i);
  }
  return 0;
}

/* An offset of 0 counts entries (sc_sites_count) and needs no place in the node. */
static int check_refs(const struct place *place, const struct sc_function *function)
{
  const struct scale_sites *sites = &function->sites;
  for (uint32_t i = 0; i < sites->ref_count; i++) {
    uint32_t offset = function->refs[i].offset;
    if (offset &&
        (offset % 8 || offset < sizeof(struct scale_node) || sites->node_bytes < 8 || offset > sites->node_bytes - 8))
      return sc_reader_damaged(place->reader, place->refs + 4 * (uint64_t)i,
                               "counter %u is at offset %u of a node of %u bytes", i, offset, sites->node_bytes);
  }
  return 0;
}

bool sc_sites_has_cell(const struct scale_site_event *event)
{
  return event->event != SCALE_EVENT_SEEN && event->event != SCALE_EVENT_UNCOUNTED;
}

static int check_event(const struct place *place, const struct sc_function *function, uint32_t number)
{
  const struct scale_sites *sites = &function->sites;
  const struct scale_site_event *event = &function->events[number];
  uint64_t at = place->events + (uint64_t)number * sizeof *event;
  bool cell = sc_sites_has_cell(event);
  if (cell ? event->offset % 8 || event->offset < sizeof(struct scale_node) || event->offset > sites->node_bytes - 8
           : event->offset != 0)
    return sc_reader_damaged(place->reader, at, "event %u is at offset %u of a node of %u bytes", number, event->offset,
                             sites->node_bytes);
  if (event->resource_class < SCALE_CLASS_MUTEX || event->resource_class > SCALE_CLASS_PROCESS)
    return sc_reader_damaged(place->reader, at, "event %u is of a resource of the class %u", number,
                             event->resource_class);
  if (cell && (event->event < SCALE_EVENT_ACQUIRE || event->event > SCALE_EVENT_RESIZE))
    return sc_reader_damaged(place->reader, at, "event %u is of the unknown kind %u", number, event->event);
  if (event->loc >= sites->loc_count)
    return sc_reader_damaged(place->reader, at, "event %u stands in loc %u of %u", number, event->loc,
                             sites->loc_count);
  if (event->via == SCALE_NO_STRING || !string_ok(function, event->via) || !string_ok(function, event->name) ||
      !string_ok(function, event->file))
    return sc_reader_damaged(place->reader, at, "event %u has a function, name or file outside the strings", number);
  return 0;
}

static int compare_offsets(const void *left, const void *right)
{
  uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
  return SC_COMPARE(a, b);
}

/* Whether one of the sorted cells, 8 bytes each, lies in these bytes of the node. */
static bool has_cell(const uint32_t *cells, uint32_t count, uint64_t offset, uint64_t bytes)
{
  uint32_t low = 0, high = count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if ((uint64_t)cells[middle] + 8 <= offset)
      low = middle + 1;
    else
      high = middle;
  }
  return low < count && cells[low] < offset + bytes;
}

/* The cells of events hold pointers: nothing else may be there. */
static int check_cells(const struct place *place, const struct sc_function *function, const uint32_t *cells)
{
  const struct scale_sites *sites = &function->sites;
  static const char shared[] = "%s %u, which shares its place in the node with an event";
  for (uint32_t i = 1; i < sites->event_count; i++)
    if (cells[i] && cells[i] == cells[i - 1])
      return sc_reader_damaged(place->reader, place->events, "two events at offset %u of the node", cells[i]);
  for (uint32_t i = 0; i < sites->slot_count; i++) {
    const struct scale_site_slot *slot = &function->slots[i];
    uint32_t bytes = slot->kind == SCALE_SLOT_OPEN ? sizeof(struct scale_entry) : sizeof(struct scale_slot);
    if (has_cell(cells, sites->event_count, slot->offset, bytes))
      return sc_reader_damaged(place->reader, place->slots + (uint64_t)i * sizeof *slot, shared, "slot", i);
  }
  for (uint32_t i = 0; i < sites->ref_count; i++)
    if (function->refs[i].offset && has_cell(cells, sites->event_count, function->refs[i].offset, 8))
      return sc_reader_damaged(place->reader, place->refs + 4 * (uint64_t)i, shared, "counter", i);
  return 0;
}

/* Sorted, two cells of a node that overlap are neighbours. */
static int check_events(const struct place *place, const struct sc_function *function)
{
  uint32_t count = function->sites.event_count;
  if (!count)
    return 0;
  for (uint32_t i = 0; i < count; i++)
    SC_TRY(check_event(place, function, i));
  uint32_t *cells = sc_mem_new(count, sizeof *cells);
  if (!cells)
    return SC_E_NOMEM;
  for (uint32_t i = 0; i < count; i++)
    cells[i] = function->events[i].offset;
  qsort(cells, count, sizeof *cells, compare_offsets);
  int err = check_cells(place, function, cells);
  free(cells);
  return err;
}

static bool site_counts_entries(const struct sc_function *function)
{
  for (uint32_t i = 1; i < function->sites.loc_count; i++)
    for (uint32_t r = 0; r < function->locs[i].ref_count; r++)
      if (function->refs[function->locs[i].first_ref + r].offset == 0)
        return true;
  return false;
}

/* Where the tables are that the record itself has. */
static int find_tables(struct place *place, uint64_t offset, uint64_t bytes, struct sc_function *function)
{
  const struct scale_sites *sites = &function->sites;
  const unsigned char *data = place->reader->data;
  place->slots = offset + sizeof *sites;
  place->events = place->slots + (uint64_t)sites->slot_count * sizeof *function->slots;
  place->locs = place->events + (uint64_t)sites->event_count * sizeof *function->events;
  place->refs = place->locs + (uint64_t)sites->loc_count * sizeof *function->locs;
  uint64_t strings = place->refs + (uint64_t)sites->ref_count * sizeof *function->refs;
  uint64_t end = strings + sites->string_bytes;
  if (end > offset + bytes || offset + bytes - end >= 8)
    return sc_reader_damaged(place->reader, offset, "a function record of %llu bytes whose tables take %llu",
                             (unsigned long long)bytes, (unsigned long long)(end - offset));
  function->slots = (const void *)(data + place->slots);
  function->events = (const void *)(data + place->events);
  function->locs = (const void *)(data + place->locs);
  function->refs = (const void *)(data + place->refs);
  function->strings = (const char *)data + strings;
  return 0;
}

/* place->locs: of the record, for messages. What is checked here once holds for every node of the function: with
 * these offsets no count is read beyond its block. */
static int check_tables(const struct place *place, struct sc_function *function)
{
  const struct scale_sites *sites = &function->sites;
  if (sites->loc_count == 0 || sites->node_bytes < sizeof(struct scale_node))
    return sc_reader_damaged(place->reader, place->locs,
                             "a function record without the function, or with nodes of %u bytes", sites->node_bytes);
  if (sites->string_bytes == 0 || function->strings[sites->string_bytes - 1] != '\0')
    return sc_reader_damaged(place->reader, place->locs, "a function's strings don't end in NUL");
  SC_TRY(check_locs(place, function));
  SC_TRY(check_slots(place, function));
  SC_TRY(check_refs(place, function));
  SC_TRY(check_events(place, function));
  function->entries_inside = site_counts_entries(function);
  return 0;
}

int sc_sites_check(const struct sc_reader *reader, uint64_t offset, uint64_t bytes, struct sc_function *function)
{
  struct place place = {.reader = reader, .locs = offset};
  if (bytes < sizeof function->sites)
    return sc_reader_damaged(reader, offset, "a function record of %llu bytes", (unsigned long long)bytes);
  memcpy(&function->sites, reader->data + offset, sizeof function->sites);
  SC_TRY(find_tables(&place, offset, bytes, function));
  return check_tables(&place, function);
}

/* Puts where slots and events are in the node into the unit's tables, once: another record must say the same. */
static bool take_places(struct sc_unit *unit, const struct sc_unit_function *of, const uint32_t *places)
{
  bool same = true;
  for (uint32_t i = 0; i < of->slot_count; i++) {
    struct scale_site_slot *slot = &unit->slots[of->slot + i];
    uint32_t offset = places[i] & ~(uint32_t)SCALE_PLACE_OPEN;
    uint16_t kind = places[i] & SCALE_PLACE_OPEN ? SCALE_SLOT_OPEN : SCALE_SLOT_DIRECT;
    same &= !of->function || (slot->offset == offset && slot->kind == kind);
    if (!of->function) {
      slot->offset = offset;
      slot->kind = kind;
    }
  }
  for (uint32_t i = 0; i < of->event_count; i++) {
    struct scale_site_event *event = &unit->events[of->event + i];
    same &= !of->function || event->offset == places[of->slot_count + i];
    if (!of->function)
      event->offset = places[of->slot_count + i];
  }
  return same;
}

/* Functions of a unit share tables that are in the profile once; a member adds its own places in a node. A member that
 * comes again must agree with the first one. */
int sc_sites_check_member(const struct sc_reader *reader, uint64_t offset, uint64_t bytes, struct sc_unit *unit,
                          struct sc_function *function, uint32_t **known)
{
  struct scale_member head;
  if (bytes < sizeof head)
    return sc_reader_damaged(reader, offset, "a member record of %llu bytes", (unsigned long long)bytes);
  memcpy(&head, reader->data + offset, sizeof head);
  uint64_t end = sizeof head + ((uint64_t)head.slot_count + head.event_count) * sizeof(uint32_t);
  if (end > bytes || bytes - end >= 8)
    return sc_reader_damaged(reader, offset, "a member record of %llu bytes whose tables take %llu",
                             (unsigned long long)bytes, (unsigned long long)end);
  struct sc_unit_function *of = head.number < unit->function_count ? &unit->functions[head.number] : NULL;
  if (!of || of->slot_count != head.slot_count || of->event_count != head.event_count)
    return sc_reader_damaged(reader, offset, "function %u with %u slots and %u events, which its unit does not have",
                             head.number, head.slot_count, head.event_count);
  if (of->function == SC_NONE)
    return sc_reader_damaged(reader, offset, "function %u again, whose record before is damaged", head.number);
  const struct scale_sites *before = of->function ? &reader->functions[of->function - 1].sites : NULL;
  if (!take_places(unit, of, (const void *)(reader->data + offset + sizeof head)) ||
      (before && (before->node_bytes != head.node_bytes || before->flags != head.flags)))
    return sc_reader_damaged(reader, offset, "function %u has other places than in a record before", head.number);
  *known = &of->function;
  if (before)
    return 0;
  of->function = SC_NONE;
  function->sites = (struct scale_sites){.node_bytes = head.node_bytes,
                                         .loc_count = of->loc_count,
                                         .slot_count = of->slot_count,
                                         .ref_count = of->ref_count,
                                         .string_bytes = unit->string_bytes,
                                         .event_count = of->event_count,
                                         .flags = head.flags};
  function->locs = unit->locs + of->loc;
  function->refs = unit->refs + of->ref;
  function->slots = unit->slots + of->slot;
  function->events = unit->events + of->event;
  function->strings = unit->strings;
  struct place place = {reader, offset, offset, offset, offset};
  SC_TRY(check_tables(&place, function));
  of->function = 0;
  return 0;
}

const char *sc_sites_string(const struct sc_function *function, uint32_t string)
{
  return string == SCALE_NO_STRING ? "" : function->strings + string;
}

sc_location sc_sites_location(const struct sc_function *function, uint32_t number)
{
  const struct scale_loc *loc = &function->locs[number];
  static const enum sc_location_kind kinds[] = {[SCALE_LOC_FUNCTION] = SC_LOCATION_FUNCTION,
                                                [SCALE_LOC_LOOP] = SC_LOCATION_LOOP,
                                                [SCALE_LOC_WORK] = SC_LOCATION_WORK};
  bool placed = loc->kind != SCALE_LOC_FUNCTION;
  return (sc_location){
      .kind = kinds[loc->kind],
      .local = loc->flags & SCALE_LOC_LOCAL,
      .recursive = !placed && loc->flags & SCALE_LOC_RECURSIVE,
      .system = loc->flags & SCALE_LOC_SYSTEM,
      .name = sc_sites_string(function, loc->name),
      .file = sc_sites_string(function, loc->file),
      .line = loc->line,
      .column = placed ? loc->column : 0,
      .nth = placed ? loc->nth : 0,
      .ordinal = loc->kind == SCALE_LOC_LOOP ? loc->ordinal : 0,
  };
}

sc_location sc_sites_callee(const struct sc_function *function, uint32_t number)
{
  const struct scale_site_slot *slot = &function->slots[number];
  return (sc_location){
      .kind = SC_LOCATION_FUNCTION,
      .local = slot->flags & SCALE_LOC_LOCAL,
      .name = sc_sites_string(function, slot->callee),
      .file = sc_sites_string(function, slot->file),
      .line = slot->callee_line,
  };
}

/* The sum of its counters: a location that was compiled several times has one for each. An offset of 0 is not a
 * counter, but how often the node was entered, which slots know already. */
uint64_t sc_sites_count(const struct sc_function *function, uint32_t number, const unsigned char *node,
                        uint64_t entries)
{
  const struct scale_loc *loc = &function->locs[number];
  if (!number && (!node || !loc->ref_count))
    return entries; /* no more is known */
  uint64_t sum = 0;
  for (uint32_t i = 0; i < loc->ref_count; i++) {
    uint32_t offset = function->refs[loc->first_ref + i].offset;
    uint64_t count = 0;
    if (!offset)
      count = entries;
    else if (node)
      memcpy(&count, node + offset, sizeof count);
    sum += count;
  }
  return sum;
}
