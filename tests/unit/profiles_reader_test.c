/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#define BUILDER_RECORDS 4096
#define BUILDER_ARENA   4096
#include "graph_paths.h"
#include "scprof_file.h"

struct fixture {
  struct builder b;
  uint64_t root, node, callee, slot;
  uint32_t main_fn, leaf_fn;
  char path[TEMPORARY_PATH];
  bool units, packs; /* struct builder's */
};

/* main, with a loop and a direct, an open and a second direct slot; the first leads to leaf's node. */
static void build(struct fixture *f)
{
  builder_free(&f->b);
  builder_begin(&f->b, "/usr/bin/demo", "demo\0-n\0a b\0", 13);
  f->b.units = f->units;
  f->b.packs = f->packs;
  struct builder_loc leaf[] = {
      {0, SCALE_LOC_FUNCTION, 9, 0, 0, SCALE_LOC_LOCAL, "leaf", "leaf.c", {0}},
      {0, SCALE_LOC_LOOP, 11, 2, 0, SCALE_LOC_REMOVED | SCALE_LOC_LOCAL, "leaf", "leaf.c", {0}}};
  f->leaf_fn = builder_function(&f->b, leaf, 2, NULL, 0, 0);
  struct builder_loc locs[] = {
      {0, SCALE_LOC_FUNCTION, 1, 0, 0, 0, "main", "demo.c", {BUILDER_ENTRIES}},
      {0, SCALE_LOC_LOOP, 3, 5, 0, 0, "main", "demo.c", {1}},
      {1, SCALE_LOC_FUNCTION, 9, 0, 0, SCALE_LOC_LOCAL, "leaf", "leaf.c", {1}},
      {2, SCALE_LOC_LOOP, 11, 2, 0, SCALE_LOC_REMOVED | SCALE_LOC_LOCAL, "leaf", "leaf.c", {0}}};
  struct builder_slot slots[] = {{SCALE_SLOT_DIRECT, 1, "leaf", "leaf.c", SCALE_LOC_LOCAL},
                                 {SCALE_SLOT_OPEN, 0, NULL, NULL, 0},
                                 {SCALE_SLOT_DIRECT, 0, "main", "demo.c", 0}};
  f->main_fn = builder_function(&f->b, locs, 4, slots, 3, 1);
  f->root = builder_arena(&f->b);
  f->node = builder_root(&f->b, f->root, f->main_fn, 1);
  builder_count(&f->b, f->node, f->main_fn, 0, 10);
  f->callee = builder_call(&f->b, f->node, f->main_fn, 0, f->leaf_fn, 10);
  f->slot = builder_slot_at(&f->b, f->node, f->main_fn, 0);
  uint64_t block = f->node, open = builder_slot_at(&f->b, f->node, f->main_fn, 1);
  builder_add(&f->b, builder_entry(&f->b, &block, open, f->leaf_fn), 2);
  block = f->node;
  builder_add(&f->b, builder_entry(&f->b, &block, open, f->main_fn), 0);
  builder_seal(&f->b);
}

SCPROF_FILE_SET_UP(build)
SCPROF_FILE_TEAR_DOWN

FIXTURE_TEST(provenance)
{
  sc_reader *reader;
  assert_int_equal(scprof_file_open(&f->b, f->path, &reader), 0);
  const sc_reader_info *info = sc_reader_get_info(reader);
  assert_int_equal(info->pid, 42);
  assert_int_equal(info->parent_pid, 7);
  assert_int_equal(info->forked, 0);
  assert_int_equal(info->exited, 1);
  assert_string_equal(info->exe, "/usr/bin/demo");
  assert_string_equal(info->command, "demo -n 'a b' ''");
  assert_int_equal(info->nodes, 2);
  assert_int_equal(sc_reader_module_count(reader), 1);
  assert_string_equal(sc_reader_module(reader, 0)->path, "/usr/bin/demo");
  assert_string_equal(sc_reader_module(reader, 0)->build_id, "abcd");
  sc_reader_close(reader);
}

static int see_removed(void *user, const sc_location *location)
{
  assert_int_equal(location->kind, SC_LOCATION_LOOP);
  assert_string_equal(location->name, "leaf");
  assert_int_equal(location->line, 11);
  ++*(int *)user;
  return 0;
}

FIXTURE_TEST(removed_locations_once)
{
  sc_reader *reader;
  int seen = 0;
  assert_int_equal(scprof_file_open(&f->b, f->path, &reader), 0);
  assert_int_equal(sc_reader_removed(reader, see_removed, &seen), 0);
  assert_int_equal(seen, 1);
  sc_reader_close(reader);
}

static void expect_error(struct fixture *f, int err, const char *part)
{
  scprof_file_refused(&f->b, f->path, err, part);
}

static void expect_loss(struct fixture *f, const char *part) { scprof_file_loses(&f->b, f->path, part); }

static struct scale_header *header(struct fixture *f) { return builder_at(&f->b, 0); }

FIXTURE_TEST(no_profile)
{
  f->b.size = 0;
  expect_error(f, SC_E_DAMAGED, "the file is empty");
  build(f);
  f->b.size = 100;
  expect_error(f, SC_E_DAMAGED, "the raw profile is truncated: 100 bytes");
  build(f);
  memcpy(f->b.data,
         "\x7f"
         "ELF",
         4);
  expect_error(f, SC_E_DAMAGED, "not a raw profile");
  build(f);
  header(f)->endian = 0x04030201;
  expect_error(f, SC_E_DAMAGED, "byte order");
  sc_reader *reader = (sc_reader *)f;
  assert_int_equal(sc_reader_open("/nonexistent/x.scprof", &reader), SC_E_IO);
  assert_null(reader);
  assert_int_equal(sc_reader_open("/tmp", &reader), SC_E_DAMAGED);
}

FIXTURE_TEST(header_damage)
{
  header(f)->version = SCALE_FILE_VERSION_LEAST - 1;
  expect_error(f, SC_E_VERSION, "version 7");
  header(f)->version = SCALE_FILE_VERSION + 1;
  expect_error(f, SC_E_VERSION, "version 10; this scale-run reads versions 8 to 9");
  build(f);
  header(f)->pid++;
  expect_error(f, SC_E_DAMAGED, "the header's checksum");
  build(f);
  f->b.size -= 4096;
  expect_loss(f, "the file ends after");
  build(f);
  header(f)->used += 8;
  expect_loss(f, "impossible length");
}

FIXTURE_TEST(chunk_damage)
{
  uint64_t at = f->b.chunks[0];
  struct scale_chunk *chunk = builder_at(&f->b, at);
  char where[32];
  snprintf(where, sizeof where, "0x%llx", (unsigned long long)at);
  chunk->address += 16;
  expect_loss(f, "a chunk header's checksum");
  expect_loss(f, where);
  build(f);
  ((struct scale_chunk *)builder_at(&f->b, at))->magic = 0x12345678;
  expect_loss(f, "0x12345678 where a chunk should begin");
#define SPOIL_CHUNK(field, value, part) \
  do {                                  \
    build(f);                           \
    chunk = builder_at(&f->b, at);      \
    chunk->field = (value);             \
    builder_seal_chunk(&f->b, at);      \
    expect_loss(f, part);               \
  } while (0)
  SPOIL_CHUNK(bytes, chunk->bytes * 2, "a chunk of");
  SPOIL_CHUNK(bytes, 100, "impossible length of 100 bytes");
  SPOIL_CHUNK(type, 77, "unknown type 77");
  SPOIL_CHUNK(bitmap_bytes, 8, "a block bitmap of 8 bytes");
  SPOIL_CHUNK(bitmap_bytes, UINT32_MAX, "a block bitmap");
  SPOIL_CHUNK(address, 7, "impossible address");
  SPOIL_CHUNK(address, UINT64_MAX - 15, "impossible address");
  SPOIL_CHUNK(used, 3, "3 bytes in use");
}

FIXTURE_TEST(record_damage)
{
  uint64_t at = (uint64_t)f->b.functions[f->main_fn].ref * 8;
  ((unsigned char *)builder_at(&f->b, at))[40]++;
  expect_loss(f, "a record's checksum");
#define SPOIL_RECORD(field, value, part)                 \
  do {                                                   \
    build(f);                                            \
    struct scale_record *record = builder_at(&f->b, at); \
    record->field = (value);                             \
    expect_loss(f, part);                                \
  } while (0)
  SPOIL_RECORD(magic, 1, "where a record should begin");
  SPOIL_RECORD(bytes, 16, "a record of 16 bytes");
  SPOIL_RECORD(bytes, 1 << 30, "a record of 1073741824 bytes");
  SPOIL_RECORD(type, 9, "unknown type 9");
  SPOIL_RECORD(version, SCALE_FORMAT_VERSION + 1, "a record of version 9");
}

/* What only readers need reads the same in a unit's record, packed or not. */
FIXTURE_TEST(unit_tables)
{
  for (int packs = 0; packs < 2; packs++) {
    sc_reader *reader;
    int removed = 0;
    f->units = true;
    f->packs = packs;
    build(f);
    assert_int_equal(scprof_file_open(&f->b, f->path, &reader), 0);
    assert_string_equal(sc_reader_get_info(reader)->damage, "");
    assert_int_equal(sc_reader_removed(reader, see_removed, &removed), 0);
    assert_int_equal(removed, 1);
    sc_graph *graph = scprof_file_graph(reader);
    assert_float_equal(path_count(graph, 0, "demo/main"), 1, 0);
    assert_float_equal(path_count(graph, 0, "demo/main/main:3"), 10, 0);
    assert_float_equal(path_count(graph, 0, "demo/main/main:3/leaf"), 20, 0);
    sc_graph_free(graph);
    sc_reader_close(reader);
  }
}

/* Of the newest unit, and of main, which is its only member. */
FIXTURE_TEST(unit_damage)
{
#define SPOIL_UNIT(pack, change, part)                                                        \
  do {                                                                                        \
    f->units = true;                                                                          \
    f->packs = pack;                                                                          \
    build(f);                                                                                 \
    uint64_t at = (uint64_t)f->b.unit * 8, of = (uint64_t)f->b.functions[f->main_fn].ref * 8; \
    struct scale_record *record = builder_at(&f->b, of);                                      \
    struct scale_unit *unit = builder_at(&f->b, at + sizeof *record);                         \
    struct scale_member *member = (void *)(record + 1);                                       \
    unsigned char *stream = (unsigned char *)(unit + 1);                                      \
    uint32_t *lengths = (void *)stream;                                                       \
    (void)member, (void)lengths;                                                              \
    change;                                                                                   \
    builder_seal_record(&f->b, at);                                                           \
    builder_seal_record(&f->b, of);                                                           \
    expect_loss(f, part);                                                                     \
  } while (0)
  SPOIL_UNIT(true, unit->packed_bytes += 8, "whose tables take");
  SPOIL_UNIT(true, unit->unpacked_bytes = unit->packed_bytes * SCALE_UNIT_MOST + 1, "whose tables take");
  SPOIL_UNIT(false, unit->unpacked_bytes++, "unit");
  SPOIL_UNIT(true, stream[0] ^= 1, "don't unpack");
  SPOIL_UNIT(true, stream[unit->packed_bytes / 2] ^= 1, "don't unpack");
  SPOIL_UNIT(true, unit->unpacked_bytes--, "don't unpack");
  SPOIL_UNIT(false, unit->string_bytes = unit->unpacked_bytes * SCALE_UNIT_MOST + 1, "whose tables take");
  SPOIL_UNIT(false, unit->loc_count = unit->unpacked_bytes + 1, "whose tables take");
  SPOIL_UNIT(false, unit->string_bytes++, "refer to what");
  SPOIL_UNIT(false, unit->string_count--, "refer to what");
  SPOIL_UNIT(false, unit->row_count--, "refer to what");
  SPOIL_UNIT(false, unit->loc_count--, "refer to what");
  SPOIL_UNIT(false, unit->ref_count--, "refer to what");
  SPOIL_UNIT(false, unit->slot_count--, "refer to what");
  SPOIL_UNIT(false, unit->function_count++, "refer to what");
  SPOIL_UNIT(false, lengths[SCALE_COLUMN_TEXT]++, "refer to what");
  SPOIL_UNIT(false, stream[SCALE_COLUMNS * sizeof(uint32_t)] = 1, "refer to what"); /* shared with no string before */
  SPOIL_UNIT(false, unit->function_count = 0, "which its unit does not have");
  SPOIL_UNIT(false, member->number = 1, "which its unit does not have");
  SPOIL_UNIT(false, member->slot_count = 0, "whose tables take");
  SPOIL_UNIT(false, (member->slot_count--, member->event_count++), "which its unit does not have");
  SPOIL_UNIT(false, member->node_bytes = 8, "with nodes of 8 bytes");
  SPOIL_UNIT(false, ((uint32_t *)(member + 1))[0] = 12, "slot 0 is at offset 12");
  SPOIL_UNIT(false, record->unit++, "of a unit that is not here");
}

/* As many bytes of strings as no string's offset can be, in a record that is large enough to have them. */
FIXTURE_TEST(unit_of_too_many_strings)
{
  enum { PACKED = 1 << 24 };
  struct scale_unit unit = {
      .string_bytes = UINT32_MAX, .unpacked_bytes = PACKED * SCALE_UNIT_MOST, .packed_bytes = PACKED};
  unsigned char *payload = calloc(1, sizeof unit + PACKED);
  assert_non_null(payload);
  memcpy(payload, &unit, sizeof unit);
  f->b.records = builder_chunk(&f->b, SCALE_CHUNK_RECORDS, 0, PACKED + 8192, 0);
  builder_record(&f->b, SCALE_RECORD_UNIT, payload, sizeof unit + PACKED);
  free(payload);
  builder_seal(&f->b);
  expect_loss(f, "whose tables take");
}

static int see(void *user, const sc_reader_seen *seen)
{
  assert_string_equal(seen->what, "lock_it");
  ++*(int *)user;
  return 0;
}

/* A function in a unit, and its MEMBER record again, which the nodes refer to. */
static void build_twice(struct fixture *f)
{
  struct builder_loc locs[] = {{0, SCALE_LOC_FUNCTION, 1, 0, 0, 0, "main", "demo.c", {BUILDER_ENTRIES}},
                               {0, SCALE_LOC_LOOP, 3, 5, 0, 0, "main", "demo.c", {1}}};
  struct builder_slot slots[] = {{SCALE_SLOT_DIRECT, 1, "leaf", "leaf.c", SCALE_LOC_LOCAL}};
  struct builder_event event = {SCALE_CLASS_MUTEX, SCALE_EVENT_SEEN, 0, "lock_it", NULL, NULL, 0, 2, 0, 0};
  unsigned char payload[64];
  builder_free(&f->b);
  builder_begin(&f->b, "/usr/bin/demo", "demo", 5);
  f->b.units = true;
  f->main_fn = builder_function_events(&f->b, locs, 2, slots, 1, 1, &event, 1);
  struct builder_function *main_fn = &f->b.functions[f->main_fn];
  const struct scale_record *first = builder_at(&f->b, (uint64_t)main_fn->ref * 8);
  size_t bytes = first->bytes - sizeof *first;
  assert_true(bytes <= sizeof payload);
  struct scale_member *member = (void *)(first + 1);
  ((uint32_t *)(member + 1))[1] = 0; /* what is only seen has no cell */
  builder_seal_record(&f->b, (uint64_t)main_fn->ref * 8);
  memcpy(payload, member, bytes);
  main_fn->ref = builder_record(&f->b, SCALE_RECORD_MEMBER, payload, bytes);
  ((struct scale_record *)builder_at(&f->b, (uint64_t)main_fn->ref * 8))->unit = f->b.unit;
  f->root = builder_arena(&f->b);
  f->node = builder_root(&f->b, f->root, f->main_fn, 1);
  builder_count(&f->b, f->node, f->main_fn, 0, 10);
  builder_seal(&f->b);
}

/* Threads that enter a function first at the same time may each write its record: it is one function. */
FIXTURE_TEST(records_of_one_function)
{
  sc_reader *reader;
  int seen = 0;
  build_twice(f);
  assert_int_equal(scprof_file_open(&f->b, f->path, &reader), 0);
  assert_string_equal(sc_reader_get_info(reader)->damage, "");
  assert_int_equal(sc_reader_visit_seen(reader, see, &seen), 0);
  assert_int_equal(seen, 1);
  sc_graph *graph = scprof_file_graph(reader);
  assert_float_equal(path_count(graph, 0, "demo/main/main:3"), 10, 0);
  sc_graph_free(graph);
  sc_reader_close(reader);
}

/* Records of one function that differ, and one more behind a damaged one, which is not checked again. */
FIXTURE_TEST(records_of_one_function_differ)
{
  struct scale_member *first, *again;
  for (int i = 0; i < 4; i++) {
    build_twice(f);
    uint64_t at = (uint64_t)f->b.functions[f->main_fn].ref * 8;
    again = builder_at(&f->b, at + sizeof(struct scale_record));
    first = (void *)((unsigned char *)again - ((struct scale_record *)again - 1)->bytes);
    if (i == 0)
      again->node_bytes += 8;
    else if (i == 1)
      again->flags ^= SCALE_SITES_SYSTEM;
    else if (i == 2)
      ((uint32_t *)(again + 1))[0] += 8;
    else
      first->node_bytes = 8;
    builder_seal_record(&f->b, at);
    builder_seal_record(&f->b, at - ((struct scale_record *)again - 1)->bytes);
    expect_loss(f, i < 3 ? "has other places than in a record before" : "with nodes of 8 bytes");
    if (i < 3)
      continue;
    sc_reader *reader;
    assert_int_equal(sc_reader_open(f->path, &reader), 0);
    assert_true(sc_reader_get_info(reader)->lost_records >= 2);
    sc_reader_close(reader);
  }
}

FIXTURE_TEST(site_table_damage)
{
  uint64_t at = (uint64_t)f->b.functions[f->main_fn].ref * 8;
#define SPOIL_SITES(change, part)   \
  do {                              \
    build(f);                       \
    SCPROF_FILE_TABLES(&f->b, at);  \
    change;                         \
    builder_seal_record(&f->b, at); \
    expect_loss(f, part);           \
  } while (0)
  SPOIL_SITES(sites->loc_count = UINT32_MAX, "whose tables take");
  SPOIL_SITES(sites->ref_count += 8, "whose tables take");
  SPOIL_SITES(sites->node_bytes = 40, "nodes of 40 bytes");
  SPOIL_SITES(((char *)(refs + sites->ref_count))[sites->string_bytes - 1] = 'x', "don't end in NUL");
  SPOIL_SITES(locs[0].parent = 1, "loc 0 has the parent 1");
  SPOIL_SITES(locs[2].parent = 2, "loc 2 has the parent 2");
  SPOIL_SITES(locs[0].kind = SCALE_LOC_LOOP, "loc 0 has the kind 2");
  SPOIL_SITES(locs[1].kind = 4, "loc 1 has the kind 4");
  SPOIL_SITES((locs[1].kind = SCALE_LOC_WORK, locs[1].nth = 0), "loc 1 is work of the unit 0");
  SPOIL_SITES((locs[1].kind = SCALE_LOC_WORK, locs[1].nth = 5), "loc 1 is work of the unit 5");
  SPOIL_SITES((locs[1].kind = SCALE_LOC_WORK, locs[1].nth = SCALE_UNIT_BYTES, locs[2].parent = 1),
              "loc 2 stands in loc 1, which is work");
  SPOIL_SITES(locs[1].name = sites->string_bytes, "outside the strings");
  SPOIL_SITES(locs[1].file = 1 << 20, "outside the strings");
  SPOIL_SITES(locs[1].first_ref = UINT32_MAX, "counters outside the table");
  SPOIL_SITES(locs[1].ref_count = 3, "counters outside the table");
  SPOIL_SITES(slots[0].kind = 3, "slot 0 has the kind 3");
  SPOIL_SITES(slots[0].offset = 52, "slot 0 is at offset 52");
  SPOIL_SITES(slots[1].offset = sites->node_bytes - 24, "slot 1 is at offset");
  SPOIL_SITES(slots[2].offset = 0, "slot 2 is at offset 0");
  SPOIL_SITES(slots[0].loc = 4, "slot 0 stands in loc 4 of 4");
  SPOIL_SITES(slots[0].callee = UINT32_MAX - 1, "outside the strings");
  SPOIL_SITES(refs[1].offset = 44, "counter 1 is at offset 44");
  SPOIL_SITES(refs[1].offset = sites->node_bytes, "counter 1 is at offset");
}

/* Where a table's entry stands in the file; one byte before, at and behind where things may be. */
FIXTURE_TEST(site_table_damage_is_placed)
{
  uint64_t at = (uint64_t)f->b.functions[f->main_fn].ref * 8;
  char where[100];
#define SPOIL_AT(change, entry, what)                                                                 \
  do {                                                                                                \
    build(f);                                                                                         \
    SCPROF_FILE_TABLES(&f->b, at);                                                                    \
    change;                                                                                           \
    snprintf(where, sizeof where, what ", at offset 0x%llx",                                          \
             (unsigned long long)((unsigned char *)(entry) - (unsigned char *)builder_at(&f->b, 0))); \
    builder_seal_record(&f->b, at);                                                                   \
    expect_loss(f, where);                                                                            \
  } while (0)
  SPOIL_AT(locs[2].parent = 2, &locs[2], "loc 2 has the parent 2");
  SPOIL_AT(locs[1].kind = 0, &locs[1], "loc 1 has the kind 0");
  SPOIL_AT(locs[3].name = sites->string_bytes, &locs[3], "loc 3 has a name or file outside the strings");
  SPOIL_AT(locs[2].first_ref = sites->ref_count + 1, &locs[2], "loc 2 has counters outside the table");
  SPOIL_AT((locs[2].first_ref = sites->ref_count, locs[2].ref_count = 1), &locs[2],
           "loc 2 has counters outside the table");
  SPOIL_AT(slots[2].loc = sites->loc_count, &slots[2], "slot 2 stands in loc 4 of 4");
  SPOIL_AT(slots[1].kind = 0, &slots[1], "slot 1 has the kind 0");
  SPOIL_AT(slots[2].callee = sites->string_bytes, &slots[2], "slot 2 has a callee or file outside the strings");
}

/* Counters and slots at the very end of a node are in it. */
FIXTURE_TEST(site_tables_to_the_last_byte)
{
  uint64_t at = (uint64_t)f->b.functions[f->main_fn].ref * 8;
  for (int beyond = 0; beyond < 2; beyond++) {
    build(f);
    SCPROF_FILE_TABLES(&f->b, at);
    refs[1].offset = sites->node_bytes - (beyond ? 4 : 8);
    locs[1].file = sites->string_bytes - 1;
    builder_seal_record(&f->b, at);
    if (beyond) {
      expect_loss(f, "counter 1 is at offset");
      continue;
    }
    sc_reader *reader;
    assert_int_equal(scprof_file_open(&f->b, f->path, &reader), 0);
    assert_string_equal(sc_reader_get_info(reader)->damage, "");
    sc_reader_close(reader);
  }
}

/* Node, slot and entry pointers. */
FIXTURE_TEST(tree_damage)
{
#define SPOIL(change, part)                                   \
  do {                                                        \
    build(f);                                                 \
    struct scale_node *node = builder_at(&f->b, f->node);     \
    struct scale_node *callee = builder_at(&f->b, f->callee); \
    struct scale_slot *slot = builder_at(&f->b, f->slot);     \
    struct scale_entry *open = (void *)(slot + 1);            \
    (void)node, (void)callee, (void)open;                     \
    change;                                                   \
    expect_loss(f, part);                                     \
  } while (0)
  SPOIL(slot->child = 0x1000, "a pointer to 0x1000, which is in no arena");
  SPOIL(slot->child = builder_pointer(&f->b, f->callee) + 16, "where no block begins");
  SPOIL(slot->child = builder_pointer(&f->b, f->callee) + 8, "where no block begins");
  SPOIL(slot->child = builder_address(f->b.chunks[0]), "which is in no arena");
  SPOIL(slot->child = builder_pointer(&f->b, f->root), "a node outside the tree");
  SPOIL(callee->bytes = 1 << 20, "a block of 1048576 bytes");
  SPOIL(callee->bytes = 8, "a block of 8 bytes");
  SPOIL(node->bytes = 64, "a node of 64 bytes instead of");
  SPOIL(callee->parent = builder_pointer(&f->b, f->root), "whose parent is not the block");
  SPOIL(callee->creator += 8, "a node outside the tree");
  SPOIL(callee->function = 0, "which is no node");
  SPOIL(open->next = builder_pointer(&f->b, f->callee) + 48, "a block which is not its own");
  SPOIL(open->next += 16, "where no block begins");
  SPOIL(((struct scale_node *)builder_at(&f->b, f->root))->parent = 16, "doesn't begin with a root block");
  /* leads to the node of a function that is not above it, and was not made through it */
  SPOIL(((struct scale_slot *)builder_at(&f->b, f->root + sizeof(struct scale_node) + sizeof(struct scale_entry)))
            ->child = builder_pointer(&f->b, f->node),
        "which is not above it");
  SPOIL((open->child = builder_pointer(&f->b, f->node), open->count = 1), "a node of another function");
}

FIXTURE_TEST(entries_in_a_circle)
{
  struct scale_entry *open = builder_at(&f->b, builder_slot_at(&f->b, f->node, f->main_fn, 1));
  uint64_t second = open->next;
  assert_true(second != 0);
  struct scale_entry *next =
      builder_at(&f->b, f->b.chunks[0] + (second - builder_address(f->b.chunks[0]))); /* one chunk: easy */
  next->next = second;
  expect_loss(f, "runs in a circle");
}

/* A killed process leaves chunks and records that were not begun; the rest counts, and what is missing is said. */
FIXTURE_TEST(killed_process)
{
  sc_reader *reader;
  builder_chunk(&f->b, SCALE_CHUNK_ARENA, 0, 8192, 0);
  memset(f->b.data + f->b.size - 8192, 0, 8192);
  struct scale_chunk *records = builder_at(&f->b, f->b.records);
  struct scale_record *half = builder_at(&f->b, f->b.records + records->used);
  half->bytes = 64;
  records->used += 64 + 40; /* and one whose very size is unknown */
  header(f)->exited = 0;
  builder_seal(&f->b);
  assert_int_equal(scprof_file_open(&f->b, f->path, &reader), 0);
  const sc_reader_info *info = sc_reader_get_info(reader);
  assert_int_equal(info->lost_bytes, 8192);
  assert_int_equal(info->lost_records, 2);
  assert_int_equal(info->exited, 0);
  sc_reader_close(reader);
}

/* After a full disk nodes are in memory that was never in the file: the calls through the slot are still known. */
FIXTURE_TEST(nodes_outside_the_file)
{
  sc_reader *reader;
  header(f)->lost_bytes = 65536;
  ((struct scale_slot *)builder_at(&f->b, f->slot))->child = 0x7fff00001000;
  assert_int_equal(scprof_file_open(&f->b, f->path, &reader), 0);
  assert_int_equal(sc_reader_get_info(reader)->lost_bytes, 65536);
  assert_int_equal(sc_reader_get_info(reader)->lost_records, 1);
  sc_graph *graph = scprof_file_graph(reader);
  assert_true(path_count(graph, 0, "demo/main/main:3/leaf") == 20); /* 10 called, 10 inlined */
  assert_int_equal(sc_graph_run_const(graph, 0)->lost_records, 1);
  sc_graph_free(graph);
  sc_reader_close(reader);
}

/* A function whose record could not be written has a number that is no reference; one may also be damaged. Its name is
 * lost, the calls of it are not. */
FIXTURE_TEST(lost_record)
{
  static const uint32_t references[] = {0x80000001, 5};
  for (int i = 0; i < 2; i++) {
    sc_reader *reader;
    ((struct scale_node *)builder_at(&f->b, f->callee))->function = references[i];
    assert_int_equal(scprof_file_open(&f->b, f->path, &reader), 0);
    assert_int_equal(sc_reader_get_info(reader)->lost_records, 1);
    assert_string_equal(sc_reader_get_info(reader)->damage, "");
    sc_graph *graph = scprof_file_graph(reader);
    assert_true(path_count(graph, 0, "demo/main/main:3/leaf") == 20); /* 10 called, 10 inlined */
    sc_graph_free(graph);
    sc_reader_close(reader);
  }
}

/* One record of another version is damage; several come from a part of the program that was built otherwise. */
FIXTURE_TEST(other_version)
{
  const uint32_t functions[] = {f->main_fn, f->leaf_fn};
  for (int i = 0; i < 2; i++)
    ((struct scale_record *)builder_at(&f->b, (uint64_t)f->b.functions[functions[i]].ref * 8))->version = 3;
  expect_error(f, SC_E_VERSION, "a record of version 3");
}

static void use(sc_reader *reader) { sc_graph_free(scprof_file_graph(reader)); }

/* Any byte may be wrong: opening and merging then give an error or numbers, and nothing else. */
FIXTURE_TEST(every_byte_flipped)
{
  uint64_t ranges[][2] = {{0, sizeof(struct scale_header)},
                          {f->b.records, f->b.records + 64},
                          {f->b.records + 64, f->b.records + 64 + 900},
                          {f->b.chunks[0], f->b.chunks[0] + 96},
                          {f->root, f->root + 1024}};
  struct scprof_file_flips flips = {0};
  for (size_t r = 0; r < sizeof ranges / sizeof *ranges; r++)
    scprof_file_flip(&f->b, f->path, ranges[r], use, &flips);
  if (flips.damaged < 700 || flips.opened - flips.damaged < 100 /* counts, and bytes that mean nothing */)
    fail_msg("%d opened, with losses %d", flips.opened, flips.damaged);
  assert_int_equal(flips.refused, offsetof(struct scale_header, used)); /* what the header's checksum covers */
}
