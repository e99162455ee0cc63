/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Profiles of children of fork, whose nodes, entries and records name records as their parents called them. */
#include "unit.h"

#define BUILDER_RECORDS 4096
#define BUILDER_ARENA   4096
#include "graph_paths.h"
#include "scprof_file.h"

struct fixture {
  struct builder b;
  uint32_t main_fn, leaf_fn;
  char path[TEMPORARY_PATH];
};

static struct scale_header *header(struct fixture *f) { return builder_at(&f->b, 0); }

/* main, called once, and leaf, which it calls in a loop: members of units of their own. */
static void build(struct fixture *f)
{
  builder_free(&f->b);
  builder_begin(&f->b, "/usr/bin/demo", "demo", 5);
  f->b.units = true;
  struct builder_loc leaf[] = {{0, SCALE_LOC_FUNCTION, 9, 0, 0, 0, "leaf", "leaf.c", {BUILDER_ENTRIES}}};
  f->leaf_fn = builder_function(&f->b, leaf, 1, NULL, 0, 0);
  struct builder_loc locs[] = {{0, SCALE_LOC_FUNCTION, 1, 0, 0, 0, "main", "demo.c", {BUILDER_ENTRIES}},
                               {0, SCALE_LOC_LOOP, 3, 5, 0, 0, "main", "demo.c", {1}}};
  struct builder_slot slots[] = {{SCALE_SLOT_OPEN, 1, "leaf", "leaf.c", 0}};
  f->main_fn = builder_function(&f->b, locs, 2, slots, 1, 1);
  uint64_t node = builder_root(&f->b, builder_arena(&f->b), f->main_fn, 1);
  builder_count(&f->b, node, f->main_fn, 0, 10);
  builder_call(&f->b, node, f->main_fn, 0, f->leaf_fn, 10);
  builder_seal(&f->b);
}

SCPROF_FILE_SET_UP(build)
SCPROF_FILE_TEAR_DOWN

static void expect_loss(struct fixture *f, const char *part) { scprof_file_loses(&f->b, f->path, part); }

enum { PARENTS = 1 << 20 /* references below it are the parent's */ };
static void inherit(struct fixture *f)
{
  struct scale_chunk *chunk = builder_at(&f->b, f->b.records);
  header(f)->version = SCALE_FILE_VERSION;
  chunk->base = PARENTS;
  builder_seal(&f->b);
}

static void add_alias(struct fixture *f, uint32_t reference, uint32_t record)
{
  builder_record(&f->b, SCALE_RECORD_ALIAS, &(struct scale_alias){reference, record}, sizeof(struct scale_alias));
  builder_seal(&f->b);
}

static void add_aliases(struct fixture *f, uint32_t ref)
{
  const struct scale_record *record = builder_at(&f->b, (uint64_t)ref * 8);
  uint32_t unit = record->unit;
  add_alias(f, ref, PARENTS + ref);
  add_alias(f, unit, PARENTS + unit);
}

FIXTURE_TEST(aliases)
{
  sc_reader *reader;
  inherit(f);
  add_aliases(f, f->b.functions[f->main_fn].ref);
  add_aliases(f, f->b.functions[f->leaf_fn].ref);
  assert_int_equal(scprof_file_open(&f->b, f->path, &reader), 0);
  assert_string_equal(sc_reader_get_info(reader)->damage, "");
  assert_int_equal(sc_reader_get_info(reader)->lost_records, 0);
  sc_graph *graph = scprof_file_graph(reader);
  assert_float_equal(path_count(graph, 0, "demo/main"), 1, 0);
  assert_float_equal(path_count(graph, 0, "demo/main/main:3"), 10, 0);
  assert_float_equal(path_count(graph, 0, "demo/main/main:3/leaf"), 10, 0);
  sc_graph_free(graph);
  sc_reader_close(reader);
}

/* A reference that nothing in the file explains costs the names alone; so does one of version 8, which had none. */
FIXTURE_TEST(alias_damage)
{
  inherit(f);
  expect_loss(f, "a function of a unit that is not here");
  add_alias(f, PARENTS, PARENTS + 8);
  expect_loss(f, "an alias of a record that is not the file's own");
  build(f);
  inherit(f);
  add_alias(f, 8, 16);
  expect_loss(f, "an alias of a record that is not the file's own");
  build(f);
  inherit(f);
  builder_record(&f->b, SCALE_RECORD_ALIAS, "", 1);
  builder_seal(&f->b);
  struct scale_chunk *chunk = builder_at(&f->b, f->b.records);
  struct scale_record *record = builder_at(&f->b, f->b.records + chunk->used - sizeof *record - 8);
  assert_int_equal(record->type, SCALE_RECORD_ALIAS);
  record->bytes = sizeof *record;
  record->crc = 0;
  chunk->used -= 8;
  expect_loss(f, "an alias record that is too short");
  build(f);
  inherit(f);
  add_aliases(f, f->b.functions[f->main_fn].ref);
  add_aliases(f, f->b.functions[f->leaf_fn].ref);
  header(f)->version = SCALE_FILE_VERSION_LEAST;
  builder_seal(&f->b);
  expect_loss(f, "an alias of a record that is not the file's own");
}
