/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The packed tables of a translation unit: strings, locations and sites, column by column. */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "profiles/scprof/internal.h"

/* A unit's columns while they are read. */
struct columns {
  struct {
    const unsigned char *at, *end;
  } column[SCALE_COLUMNS];
  struct scale_unit head;
  struct scale_loc *rows; /* [row_count] */
  uint32_t row_count;     /* of those, read */
  uint32_t *strings;      /* [string_count + 1] offsets by number */
  bool bad;               /* a number, string or row that is not there was asked for */
};

static uint32_t take_column(struct columns *c, enum scale_column column)
{
  uint64_t number = 0;
  const unsigned char *at = c->column[column].at, *end = c->column[column].end;
  unsigned shift = 0;
  while (at < end && *at & 0x80 && shift < 28) {
    number |= (uint64_t)(*at++ & 0x7f) << shift;
    shift += 7;
  }
  if (at >= end || *at >> (shift == 28 ? 4 : 7)) {
    c->bad = true;
    return 0;
  }
  c->column[column].at = at + 1;
  return (uint32_t)(number | (uint64_t)*at << shift);
}

/* A difference, added to `from`. */
static uint32_t take_from(struct columns *c, enum scale_column column, uint32_t from)
{
  uint32_t number = take_column(c, column);
  return from + (number & 1 ? ~(number >> 1) : number >> 1);
}

/* The offset of the string with that number. */
static uint32_t string_at(struct columns *c, uint32_t number)
{
  if (number > c->head.string_count) {
    c->bad = true;
    return SCALE_NO_STRING;
  }
  return number ? c->strings[number] : SCALE_NO_STRING;
}

static uint32_t take_string(struct columns *c, enum scale_column column)
{
  return string_at(c, take_column(c, column));
}

/* Each string begins with what it shares with the one before: linkage names of one unit differ in their tails. */
static void read_strings(struct columns *c, char *to)
{
  uint32_t before = 0, at = 0;
  for (uint32_t i = 1; i <= c->head.string_count; i++) {
    uint32_t shared = take_column(c, SCALE_COLUMN_SHARED);
    const unsigned char *text = c->column[SCALE_COLUMN_TEXT].at;
    const unsigned char *end = memchr(text, 0, (size_t)(c->column[SCALE_COLUMN_TEXT].end - text));
    uint64_t bytes = end ? (uint64_t)(end - text) + 1 : 0;
    if (!end || shared > SCALE_SHARED_MOST || shared > at - before || shared + bytes > c->head.string_bytes - at) {
      c->bad = true;
      return;
    }
    memcpy(to + at, to + before, shared);
    memcpy(to + at + shared, text, bytes);
    c->column[SCALE_COLUMN_TEXT].at = end + 1;
    c->strings[i] = before = at;
    at += shared + (uint32_t)bytes;
  }
  if (at != c->head.string_bytes)
    c->bad = true;
}

/* Rows keep the number of their name in first_ref. */
static const struct scale_loc *read_unit_row(struct columns *c)
{
  if (c->row_count >= c->head.row_count) {
    c->bad = true;
    return NULL;
  }
  uint32_t before = c->row_count ? c->rows[c->row_count - 1].first_ref : 0;
  struct scale_loc *row = &c->rows[c->row_count++];
  uint32_t kind = take_column(c, SCALE_COLUMN_ROW_KIND);
  row->kind = kind & 3;
  row->flags = (uint16_t)(kind >> 2 & (SCALE_LOC_LOCAL | SCALE_LOC_SYSTEM));
  row->first_ref = take_from(c, SCALE_COLUMN_ROW_NAME, before);
  row->name = string_at(c, row->first_ref);
  row->file = take_string(c, SCALE_COLUMN_ROW_FILE);
  row->line = take_column(c, SCALE_COLUMN_ROW_LINE);
  row->column = take_column(c, SCALE_COLUMN_ROW_COLUMN);
  row->nth = take_column(c, SCALE_COLUMN_ROW_NTH);
  row->ordinal = take_column(c, SCALE_COLUMN_ROW_ORDINAL);
  return row;
}

static const struct scale_loc *take_row(struct columns *c)
{
  uint32_t number = take_column(c, SCALE_COLUMN_LOC_ROW);
  if (!number)
    return read_unit_row(c);
  if (number > c->row_count) {
    c->bad = true;
    return NULL;
  }
  return &c->rows[number - 1];
}

/* Loc `i` of `locs`, whose refs begin with `*ref`. */
static void read_loc(struct columns *c, struct scale_loc *locs, uint32_t i, uint32_t *ref)
{
  struct scale_loc *loc = &locs[i];
  const struct scale_loc *row = take_row(c);
  uint32_t up = take_column(c, SCALE_COLUMN_LOC_UP), flags = take_column(c, SCALE_COLUMN_LOC_FLAGS);
  uint32_t refs = take_column(c, SCALE_COLUMN_LOC_REFS);
  if (!row || (i ? up < 1 || up > i : up)) {
    c->bad = true;
    return;
  }
  *loc = *row;
  loc->parent = i - up;
  loc->flags |= (uint16_t)(flags * 2 & (SCALE_LOC_REMOVED | SCALE_LOC_RECURSIVE));
  loc->first_ref = *ref;
  loc->ref_count = refs;
  *ref += refs; /* too many are found when the table is checked */
  if (!i || loc->kind == SCALE_LOC_LOOP)
    return;
  uint32_t line = take_from(c, SCALE_COLUMN_CALL_LINE, locs[loc->parent].line);
  uint32_t column = take_column(c, SCALE_COLUMN_CALL_COLUMN);
  *(loc->kind == SCALE_LOC_WORK ? &loc->line : &loc->nth) = line;
  *(loc->kind == SCALE_LOC_WORK ? &loc->column : &loc->ordinal) = column;
}

static void read_slot(struct columns *c, struct scale_site_slot *slot)
{
  slot->flags = (uint16_t)take_column(c, SCALE_COLUMN_SLOT_FLAGS);
  slot->loc = take_column(c, SCALE_COLUMN_SLOT_LOC);
  slot->callee = take_string(c, SCALE_COLUMN_SLOT_CALLEE);
  slot->file = take_string(c, SCALE_COLUMN_SLOT_FILE);
  slot->callee_line = take_column(c, SCALE_COLUMN_SLOT_CALLEE_LINE);
  slot->line = take_column(c, SCALE_COLUMN_SLOT_LINE);
  slot->column = take_column(c, SCALE_COLUMN_SLOT_COLUMN);
}

static void read_event(struct columns *c, struct scale_site_event *event)
{
  event->resource_class = (uint16_t)take_column(c, SCALE_COLUMN_EVENT_CLASS);
  event->flags = (uint16_t)take_column(c, SCALE_COLUMN_EVENT_FLAGS);
  event->event = take_column(c, SCALE_COLUMN_EVENT_EVENT);
  event->loc = take_column(c, SCALE_COLUMN_EVENT_LOC);
  event->via = take_string(c, SCALE_COLUMN_EVENT_VIA);
  event->name = take_string(c, SCALE_COLUMN_EVENT_NAME);
  event->file = take_string(c, SCALE_COLUMN_EVENT_FILE);
  event->declared = take_column(c, SCALE_COLUMN_EVENT_DECLARED);
  event->line = take_column(c, SCALE_COLUMN_EVENT_LINE);
  event->column = take_column(c, SCALE_COLUMN_EVENT_COLUMN);
  event->capacity = take_column(c, SCALE_COLUMN_EVENT_CAPACITY);
}

/* Takes as many as the column says of those that `*left` has. */
static uint32_t take_part(struct columns *c, enum scale_column column, uint32_t *left)
{
  uint32_t count = take_column(c, column);
  if (count > *left) {
    c->bad = true;
    count = 0;
  }
  *left -= count;
  return count;
}

/* The tables of all functions, one behind the other. What is taken from `locs`, `refs`, `slots` and `events` is
 * taken off what is left of them, so that functions together cannot have more than the unit says. */
static void read_functions(struct columns *c, struct sc_unit *unit)
{
  uint32_t locs = c->head.loc_count, refs = c->head.ref_count, slots = c->head.slot_count, events = c->head.event_count;
  for (uint32_t f = 0; f < c->head.function_count && !c->bad; f++) {
    struct sc_unit_function *function = &unit->functions[f];
    *function = (struct sc_unit_function){.loc = c->head.loc_count - locs,
                                          .ref = c->head.ref_count - refs,
                                          .slot = c->head.slot_count - slots,
                                          .event = c->head.event_count - events};
    function->loc_count = take_part(c, SCALE_COLUMN_LOCS, &locs);
    function->slot_count = take_part(c, SCALE_COLUMN_SLOTS, &slots);
    function->event_count = take_part(c, SCALE_COLUMN_EVENTS, &events);
    for (uint32_t i = 0; i < function->loc_count && !c->bad; i++) {
      uint32_t before = function->ref_count;
      read_loc(c, unit->locs + function->loc, i, &function->ref_count);
      c->bad |= function->ref_count < before;
    }
    if (function->ref_count > refs)
      c->bad = true;
    uint32_t offset = 0;
    for (uint32_t i = 0; i < function->ref_count && !c->bad; i++) {
      offset = take_from(c, SCALE_COLUMN_REF, offset);
      unit->refs[function->ref + i].offset = offset * 8;
    }
    refs -= c->bad ? 0 : function->ref_count;
    for (uint32_t i = 0; i < function->slot_count; i++)
      read_slot(c, &unit->slots[function->slot + i]);
    for (uint32_t i = 0; i < function->event_count; i++)
      read_event(c, &unit->events[function->event + i]);
  }
}

/* Finds the columns in the unpacked bytes. Returns false if they don't add up. */
static bool find_unit_columns(struct columns *c, const unsigned char *data)
{
  uint64_t at = SCALE_COLUMNS * sizeof(uint32_t);
  if (c->head.unpacked_bytes < at)
    return false;
  for (uint32_t i = 0; i < SCALE_COLUMNS; i++) {
    uint32_t bytes;
    memcpy(&bytes, data + i * sizeof bytes, sizeof bytes);
    if (bytes > c->head.unpacked_bytes - at)
      return false;
    c->column[i].at = data + at;
    c->column[i].end = data + at + bytes;
    at += bytes;
  }
  return at == c->head.unpacked_bytes;
}

/* Each of what is counted takes at least a byte, so that little can't say that it is much. Every string's offset is
 * less than SCALE_NO_STRING. */
static bool is_plausible(const struct scale_unit *head, uint64_t stream)
{
  uint32_t most = head->unpacked_bytes;
  return (head->packed_bytes ? most <= stream * SCALE_UNIT_MOST : most == stream) &&
         head->string_bytes <= (uint64_t)most * SCALE_UNIT_MOST && head->string_bytes < SCALE_NO_STRING &&
         head->string_count <= most && head->row_count <= most && head->loc_count <= most && head->ref_count <= most &&
         head->slot_count <= most && head->event_count <= most && head->function_count <= most;
}

static int new_tables(struct columns *c, struct sc_unit *unit)
{
  const struct scale_unit *head = &c->head;
  unit->function_count = head->function_count;
  unit->string_bytes = head->string_bytes;
  c->rows = sc_mem_new((size_t)head->row_count + 1, sizeof *c->rows);
  c->strings = sc_mem_new((size_t)head->string_count + 1, sizeof *c->strings);
  unit->functions = sc_mem_new((size_t)head->function_count + 1, sizeof *unit->functions);
  unit->locs = sc_mem_new((size_t)head->loc_count + 1, sizeof *unit->locs);
  unit->refs = sc_mem_new((size_t)head->ref_count + 1, sizeof *unit->refs);
  unit->slots = sc_mem_new((size_t)head->slot_count + 1, sizeof *unit->slots);
  unit->events = sc_mem_new((size_t)head->event_count + 1, sizeof *unit->events);
  unit->strings = sc_mem_new((size_t)head->string_bytes + 1, 1);
  return c->rows && c->strings && unit->functions && unit->locs && unit->refs && unit->slots && unit->events &&
                 unit->strings
             ? 0
             : SC_E_NOMEM;
}

/* The columns' bytes, unpacked if need be; `*made` is to be freed. */
static int unpack_unit(const struct sc_reader *reader, uint64_t offset, const struct scale_unit *head,
                       unsigned char **made, const unsigned char **data)
{
  uLongf length = head->unpacked_bytes;
  *data = reader->data + offset + sizeof *head;
  if (!head->packed_bytes)
    return 0;
  *made = sc_mem_new((size_t)length + 1, 1);
  if (!*made)
    return SC_E_NOMEM;
  int err = uncompress(*made, &length, *data, head->packed_bytes);
  *data = *made;
  if (err == Z_MEM_ERROR)
    return sc_err_set(SC_E_NOMEM, "out of memory");
  if (err != Z_OK || length != head->unpacked_bytes)
    return sc_reader_damaged(reader, offset, "a unit's tables don't unpack to %u bytes", head->unpacked_bytes);
  return 0;
}

/* `bad` is sticky and asked at the end: a check at each of some forty columns would hide what is read. */
int sc_units_read(const struct sc_reader *reader, uint64_t offset, uint64_t bytes, struct sc_unit *unit)
{
  struct columns c = {0};
  unsigned char *made = NULL;
  const unsigned char *data = NULL;
  int err = 0;
  if (bytes < sizeof c.head)
    return sc_reader_damaged(reader, offset, "a unit record of %llu bytes", (unsigned long long)bytes);
  memcpy(&c.head, reader->data + offset, sizeof c.head);
  uint64_t stream = c.head.packed_bytes ? c.head.packed_bytes : c.head.unpacked_bytes;
  uint64_t left = bytes - sizeof c.head;
  if (stream > left || left - stream >= 8 || !is_plausible(&c.head, stream))
    return sc_reader_damaged(reader, offset, "a unit record of %llu bytes whose tables take %llu, and %u unpacked",
                             (unsigned long long)bytes, (unsigned long long)stream, c.head.unpacked_bytes);
  SC_GOTO(unpack_unit(reader, offset, &c.head, &made, &data));
  SC_GOTO(new_tables(&c, unit));
  c.bad = !find_unit_columns(&c, data);
  if (!c.bad)
    read_strings(&c, unit->strings);
  if (!c.bad)
    read_functions(&c, unit);
  if (c.bad)
    err =
        sc_reader_damaged(reader, offset, "a unit's tables end before what they say, or refer to what is not in them");
out:
  free(c.rows);
  free(c.strings);
  free(made);
  if (err < 0)
    sc_units_free(unit);
  return err;
}

void sc_units_free(struct sc_unit *unit)
{
  free(unit->functions);
  free(unit->locs);
  free(unit->refs);
  free(unit->slots);
  free(unit->events);
  free(unit->strings);
  *unit = (struct sc_unit){0};
}
