/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A unit's tables come back as they were written, and what they refer to but don't have is damage. */
#include "unit.h"

#include <stdlib.h>

#include "profiles/scprof/internal.h"
#include "tests/unit/scprof_unit.h"

enum { MAIN = 0, LOOP = 5, FILE_A = 10, STRLEN = 14, LONG = 21 };
static const char strings[] = "main\0loop\0a.c\0strlen\0strlen_of_all";

static const struct scale_loc locs[] = {
    {.kind = SCALE_LOC_FUNCTION, .flags = SCALE_LOC_LOCAL, .name = MAIN, .file = FILE_A, .line = 3, .ref_count = 2},
    {.kind = SCALE_LOC_LOOP,
     .flags = SCALE_LOC_RECURSIVE,
     .name = LOOP,
     .file = FILE_A,
     .line = 4294967295u,
     .column = 128,
     .nth = 127,
     .ordinal = 16384,
     .parent = 0,
     .first_ref = 2,
     .ref_count = 1},
    {.kind = SCALE_LOC_FUNCTION,
     .flags = SCALE_LOC_REMOVED | SCALE_LOC_SYSTEM,
     .name = LONG,
     .file = SCALE_NO_STRING,
     .line = 70,
     .nth = 2, /* line and column of the call */
     .ordinal = 9,
     .parent = 1,
     .first_ref = 3},
    {.kind = SCALE_LOC_WORK, .name = STRLEN, .file = FILE_A, .line = 80, .column = 7, .parent = 2, .first_ref = 3}};
static const uint32_t refs[] = {800, 8, 4294967288u};
static const struct scale_site_slot slots[] = {
    {.flags = 3, .loc = 1, .callee = STRLEN, .file = SCALE_NO_STRING, .callee_line = 300, .line = 70000, .column = 2},
    {.flags = 65535, .loc = 3, .callee = SCALE_NO_STRING, .file = FILE_A, .callee_line = 1, .line = 2, .column = 3}};
static const struct scale_site_event events[] = {{.resource_class = 1,
                                                  .flags = 2,
                                                  .event = 3,
                                                  .loc = 1,
                                                  .via = STRLEN,
                                                  .name = MAIN,
                                                  .file = FILE_A,
                                                  .declared = 4,
                                                  .line = 5,
                                                  .column = 6,
                                                  .capacity = 7000000}};
static const struct unit_tables tables = {
    .sites = {.loc_count = 4, .ref_count = 3, .slot_count = 2, .event_count = 1, .string_bytes = sizeof strings},
    .slots = slots,
    .events = events,
    .locs = locs,
    .refs = refs,
    .strings = strings};

static int read_unit(const unsigned char *payload, size_t bytes, struct sc_unit *unit)
{
  sc_reader reader = {.data = payload};
  *unit = (struct sc_unit){0};
  return sc_units_read(&reader, 0, bytes, unit);
}

static void is_loc(const struct scale_loc *x, const struct scale_loc *y)
{
  assert_true(x->kind == y->kind && x->flags == y->flags && x->name == y->name && x->file == y->file &&
              x->line == y->line && x->column == y->column && x->nth == y->nth && x->ordinal == y->ordinal &&
              x->parent == y->parent && x->first_ref == y->first_ref && x->ref_count == y->ref_count);
}

TEST(tables_come_back)
{
  for (int pack = 0; pack < 2; pack++) {
    size_t bytes;
    struct sc_unit unit;
    unsigned char *payload = unit_payload(&tables, pack, &bytes);
    assert_int_equal(read_unit(payload, bytes, &unit), 0);
    assert_true(unit.function_count == 1 && unit.string_bytes == sizeof strings);
    assert_memory_equal(unit.strings, strings, sizeof strings);
    const struct sc_unit_function *f = &unit.functions[0];
    assert_true(f->loc == 0 && f->loc_count == 4 && f->ref == 0 && f->ref_count == 3 && f->slot == 0 &&
                f->slot_count == 2 && f->event == 0 && f->event_count == 1);
    for (size_t i = 0; i < 4; i++)
      is_loc(&unit.locs[i], &locs[i]);
    for (size_t i = 0; i < 3; i++)
      assert_int_equal(unit.refs[i].offset, refs[i]);
    for (size_t i = 0; i < 2; i++)
      assert_true(unit.slots[i].flags == slots[i].flags && unit.slots[i].loc == slots[i].loc &&
                  unit.slots[i].callee == slots[i].callee && unit.slots[i].file == slots[i].file &&
                  unit.slots[i].callee_line == slots[i].callee_line && unit.slots[i].line == slots[i].line &&
                  unit.slots[i].column == slots[i].column);
    const struct scale_site_event *e = &unit.events[0];
    assert_true(e->resource_class == 1 && e->flags == 2 && e->event == 3 && e->loc == 1 && e->via == STRLEN &&
                e->name == MAIN && e->file == FILE_A && e->declared == 4 && e->line == 5 && e->column == 6 &&
                e->capacity == 7000000);
    sc_units_free(&unit);
    free(payload);
  }
}

/* Seven bytes behind the tables are padding; less than all of them, and more, is damage. */
TEST(a_record_has_its_tables)
{
  for (int pack = 0; pack < 2; pack++) {
    size_t bytes;
    struct sc_unit unit;
    unsigned char *payload = unit_payload(&tables, pack, &bytes);
    for (size_t less = 0; less < bytes; less++)
      assert_int_equal(read_unit(payload, less, &unit), SC_E_DAMAGED);
    for (size_t more = 0; more <= 8; more++) {
      unsigned char *padded = calloc(1, bytes + 8);
      memcpy(padded, payload, bytes);
      assert_int_equal(read_unit(padded, bytes + more, &unit), more < 8 ? 0 : SC_E_DAMAGED);
      sc_units_free(&unit);
      free(padded);
    }
    free(payload);
  }
}

/* One more or less of anything that the head counts, or of any column's bytes, doesn't add up. */
TEST(what_is_counted_is_there)
{
  static const size_t counts[] = {
      offsetof(struct scale_unit, unpacked_bytes), offsetof(struct scale_unit, string_count),
      offsetof(struct scale_unit, string_bytes),   offsetof(struct scale_unit, loc_count),
      offsetof(struct scale_unit, ref_count),      offsetof(struct scale_unit, slot_count),
      offsetof(struct scale_unit, event_count),    offsetof(struct scale_unit, function_count)};
  size_t bytes;
  struct sc_unit unit;
  unsigned char *payload = unit_payload(&tables, false, &bytes);
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
    static const uint32_t changes[] = {1, 1000, UINT32_MAX / 2};
    for (size_t k = 0; k < sizeof changes / sizeof *changes; k++) {
      uint32_t kept, now;
      memcpy(&kept, payload + counts[i], sizeof kept);
      now = kept + changes[k];
      memcpy(payload + counts[i], &now, sizeof now);
      bool enough =
          counts[i] == offsetof(struct scale_unit, loc_count) || counts[i] == offsetof(struct scale_unit, ref_count) ||
          counts[i] == offsetof(struct scale_unit, slot_count) || counts[i] == offsetof(struct scale_unit, event_count);
      int err = read_unit(payload, bytes, &unit);
      if (!enough || changes[k] > bytes) /* a function may leave some to others */
        assert_int_equal(err, SC_E_DAMAGED);
      sc_units_free(&unit);
      now = kept - 1;
      memcpy(payload + counts[i], &now, sizeof now);
      if (counts[i] != offsetof(struct scale_unit, function_count))
        assert_int_equal(read_unit(payload, bytes, &unit), SC_E_DAMAGED);
      sc_units_free(&unit);
      memcpy(payload + counts[i], &kept, sizeof kept);
    }
  }
  unsigned char *columns = payload + sizeof(struct scale_unit);
  for (uint32_t c = 0; c + 1 < SCALE_COLUMNS; c++) { /* the last byte of a column given to the next one */
    uint32_t sizes[2], changed[2];
    memcpy(sizes, columns + c * sizeof *sizes, sizeof sizes);
    if (!sizes[0] || c + 1 == SCALE_COLUMN_LOCS) /* a function of no locs needs none of them */
      continue;
    changed[0] = sizes[0] - 1, changed[1] = sizes[1] + 1;
    memcpy(columns + c * sizeof *sizes, changed, sizeof changed);
    if (read_unit(payload, bytes, &unit) != SC_E_DAMAGED)
      fail_msg("column %u of %u", c, sizes[0]);
    memcpy(columns + c * sizeof *sizes, sizes, sizeof sizes);
  }
  assert_int_equal(read_unit(payload, bytes, &unit), 0);
  sc_units_free(&unit);
  free(payload);
}

/* Strings share the beginning of the one before, no more than there is of it, and each ends. */
TEST(strings_share_what_is_there)
{
  enum { NUMBER = 5 };
  static const unsigned char shares[][NUMBER] = {{0, 0, 0, 0, 6}, {1, 0, 0, 0, 6}, {0, 6, 0, 0, 6}, {0, 0, 0, 0, 8}};
  size_t bytes;
  struct sc_unit unit;
  unsigned char *payload = unit_payload(&tables, false, &bytes), *columns = payload + sizeof(struct scale_unit);
  uint32_t sizes[SCALE_COLUMNS];
  memcpy(sizes, columns, sizeof sizes);
  unsigned char *shared = columns + sizeof sizes, *text = shared;
  for (int c = 0; c < SCALE_COLUMN_SHARED; c++)
    shared += sizes[c];
  for (int c = 0; c < SCALE_COLUMN_TEXT; c++)
    text += sizes[c];
  assert_int_equal(sizes[SCALE_COLUMN_SHARED], NUMBER);
  assert_memory_equal(shared, shares[0], NUMBER);
  for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
    uint32_t all = sizeof strings; /* and room for what they share */
    for (size_t k = 0; k < NUMBER; k++)
      all += shares[i][k] - shares[0][k];
    memcpy(shared, shares[i], NUMBER);
    memcpy(payload + offsetof(struct scale_unit, string_bytes), &all, sizeof all);
    if (read_unit(payload, bytes, &unit) != (i ? SC_E_DAMAGED : 0))
      fail_msg("case %zu", i);
    sc_units_free(&unit);
  }
  memcpy(shared, shares[0], NUMBER);
  memcpy(payload + offsetof(struct scale_unit, string_bytes), &(uint32_t){sizeof strings}, sizeof(uint32_t));
  text[sizes[SCALE_COLUMN_TEXT] - 1] = 'x';
  assert_int_equal(read_unit(payload, bytes, &unit), SC_E_DAMAGED);
  sc_units_free(&unit);
  free(payload);
}
