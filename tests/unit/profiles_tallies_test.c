/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Profiles with resource events: what is damaged, lost or half-written. */
#include "unit.h"

#define BUILDER_RECORDS 4096
#define BUILDER_ARENA   8192
#include "profiles/graph/usage.h"
#include "profiles/scprof/trace.h"
#include "profiles/scprof/validate.h"
#include "scprof_file.h"

struct fixture {
  struct builder b;
  uint32_t main_fn;
  uint64_t node, cells;
  uint64_t lock, instances[3], holder, ring;
  char path[TEMPORARY_PATH];
};

/* main, with a slot, a counter, a lock that is named, and one that three instances have. */
static void build(struct fixture *f)
{
  builder_free(&f->b);
  builder_begin(&f->b, "/usr/bin/demo", "demo", 5);
  builder_clock(&f->b, 1000, 5000, 0.5);
  struct builder_loc loc = {0, SCALE_LOC_FUNCTION, 1, 0, 0, 0, "main", "demo.c", {BUILDER_ENTRIES, 1}};
  struct builder_slot slot = {SCALE_SLOT_DIRECT, 0, "main", "demo.c", 0};
  struct builder_event events[] = {
      {SCALE_CLASS_MUTEX, SCALE_EVENT_ACQUIRE, 0, "lock", "m", "demo.c", 3, 4, SCALE_SITE_PROBE, 0},
      {SCALE_CLASS_MUTEX, SCALE_EVENT_RELEASE, 0, "unlock", NULL, NULL, 0, 5, SCALE_SITE_BY_INSTANCE, 0}};
  f->main_fn = builder_function_events(&f->b, &loc, 1, &slot, 1, 1, events, 2);
  f->node = builder_root(&f->b, builder_arena(&f->b), f->main_fn, 1);
  f->cells = f->node + f->b.functions[f->main_fn].cells;
  f->lock = builder_tally(&f->b, f->node, f->main_fn, 0, 0);
  builder_tally_at(&f->b, f->lock)->acquires = 3;
  for (uint64_t i = 0; i < 3; i++) {
    f->instances[i] = builder_tally(&f->b, f->node, f->main_fn, 1, 0x5000 + i);
    builder_tally_at(&f->b, f->instances[i])->releases = 1;
  }
  builder_tally_at(&f->b, f->instances[0])->named = builder_pointer(&f->b, f->lock);
  f->holder = builder_holder(&f->b, f->lock, f->lock, 1, 100);
  builder_holder(&f->b, f->lock, 0, 1, 100);
  f->ring = builder_ring(&f->b, 0, 8);
  for (uint64_t i = 0; i < 12; i++)
    builder_trace(&f->b, f->ring, 2000 + i, i % 2 ? f->instances[0] : f->lock,
                  i % 2 ? SCALE_EVENT_RELEASE : SCALE_EVENT_ACQUIRE, 0x5000, 1);
  builder_seal(&f->b);
}

SCPROF_FILE_SET_UP(build)
SCPROF_FILE_TEAR_DOWN

static void expect_damage(struct fixture *f, const char *part) { scprof_file_loses(&f->b, f->path, part); }

/* Everything that can be done with an opened profile. */
static void use(sc_reader *reader)
{
  sc_graph *graph;
  size_t run;
  sc_trace trace = {0};
  assert_int_equal(sc_graph_new(&graph), 0);
  assert_int_equal(sc_graph_begin_run(graph, &(sc_run){.n = 1}, &run), 0);
  assert_int_equal(sc_reader_trace(reader, &trace), 0);
  sc_trace_free(&trace);
  assert_int_equal(sc_validate_profiles(&reader, 1, graph), 0);
  assert_int_equal(sc_reader_merge(reader, graph, run), 0);
  sc_graph_free(graph);
}

FIXTURE_TEST(sound)
{
  sc_reader *reader;
  assert_int_equal(scprof_file_open(&f->b, f->path, &reader), 0);
  assert_int_equal(sc_reader_get_info(reader)->lost_records, 0);
  assert_true(sc_reader_get_info(reader)->timed);
  use(reader);
  sc_reader_close(reader);
}

FIXTURE_TEST(event_table_damage)
{
  uint64_t at = (uint64_t)f->b.functions[f->main_fn].ref * 8;
  uint32_t cells = f->b.functions[f->main_fn].cells;
#define SPOIL(change, part)         \
  do {                              \
    build(f);                       \
    SCPROF_FILE_TABLES(&f->b, at);  \
    change;                         \
    builder_seal_record(&f->b, at); \
    expect_damage(f, part);         \
  } while (0)
  SPOIL(sites->event_count = UINT32_MAX, "whose tables take");
  SPOIL(sites->event_count = 9, "whose tables take");
  SPOIL(events[0].offset += 4, "event 0 is at offset");
  SPOIL(events[0].offset = 40, "event 0 is at offset 40");
  SPOIL(events[1].offset = sites->node_bytes, "event 1 is at offset");
  SPOIL(events[1].offset = UINT32_MAX - 7, "event 1 is at offset");
  SPOIL(events[1].offset = cells, "two events at offset");
  SPOIL(events[1].offset = slots[0].offset, "slot 0, which shares its place");
  SPOIL(events[1].offset = slots[0].offset + 8, "slot 0, which shares its place");
  SPOIL(events[1].offset = refs[1].offset, "counter 1, which shares its place");
  SPOIL(events[1].resource_class = 0, "a resource of the class 0");
  SPOIL(events[1].resource_class = SCALE_CLASS_PROCESS + 1, "a resource of the class 16");
  SPOIL(events[1].event = 0, "the unknown kind 0");
  SPOIL(events[1].event = SCALE_EVENT_FAIL, "the unknown kind 8");
  SPOIL(events[1].loc = 1, "event 1 stands in loc 1 of 1");
  SPOIL(events[1].via = SCALE_NO_STRING, "outside the strings");
  SPOIL(events[1].via = sites->string_bytes, "outside the strings");
  SPOIL(events[1].name = 1 << 20, "outside the strings");
  SPOIL(events[1].file = UINT32_MAX - 1, "outside the strings");
#undef SPOIL
}

static uint64_t *pointer(struct fixture *f, uint64_t offset) { return builder_at(&f->b, offset); }

FIXTURE_TEST(tally_damage)
{
#define SPOIL(change, part)                                               \
  do {                                                                    \
    build(f);                                                             \
    struct scale_tally *lock = builder_tally_at(&f->b, f->lock);          \
    struct scale_tally *first = builder_tally_at(&f->b, f->instances[0]); \
    struct scale_holder *holder = builder_at(&f->b, f->holder);           \
    (void)lock, (void)first, (void)holder;                                \
    change;                                                               \
    expect_damage(f, part);                                               \
  } while (0)
  SPOIL(*pointer(f, f->cells) = 0x1000, "a pointer to 0x1000, which is in no arena");
  SPOIL(*pointer(f, f->cells) += 16, "where no block begins");
  SPOIL(*pointer(f, f->cells) = builder_pointer(&f->b, f->node), "a block which is no tally");
  SPOIL(*pointer(f, f->cells) = builder_pointer(&f->b, f->holder), "a block which is no tally");
  SPOIL(*pointer(f, f->cells) = *pointer(f, f->cells + 8), "a tally that belongs elsewhere");
  SPOIL(lock->creator += 8, "a tally that belongs elsewhere");
  SPOIL(lock->parent += 16, "a tally that belongs elsewhere");
  SPOIL(lock->bytes = 240, "a tally of 240 bytes");
  SPOIL(lock->bytes = 1 << 20, "a block of 1048576 bytes");
  SPOIL(first->next = builder_pointer(&f->b, f->instances[0]), "a tally that belongs elsewhere");
  SPOIL(first->next = builder_pointer(&f->b, f->instances[2]), "a tally that belongs elsewhere");
  SPOIL(lock->function = SCALE_HOLDER, "a block which is no tally");
  SPOIL(lock->function = f->b.functions[f->main_fn].ref, "a block which is no tally");
  SPOIL(first->named = 0x1000, "which is in no arena");
  SPOIL(first->named = builder_pointer(&f->b, f->node), "a block which is no tally");
  SPOIL(lock->holders = builder_pointer(&f->b, f->instances[0]), "a block which is no holder");
  SPOIL(lock->holders += 16, "where no block begins");
  SPOIL(holder->creator += 8, "a holder that belongs elsewhere");
  SPOIL(holder->next = builder_pointer(&f->b, f->holder), "a holder that belongs elsewhere");
  SPOIL(holder->bytes = 48, "a holder of 48 bytes");
  SPOIL(holder->tally = builder_pointer(&f->b, f->holder), "a block which is no tally");
  SPOIL(holder->tally = 0x2000, "which is in no arena");
  SPOIL((first->next = 0, holder->tally = builder_pointer(&f->b, f->instances[1])), "a tally outside the tree");
  /* a call that leads to a tally, made to look as if it was made by it */
  SPOIL((((struct scale_slot *)builder_at(&f->b, builder_slot_at(&f->b, f->node, f->main_fn, 0)))->child =
             builder_pointer(&f->b, f->lock),
         lock->creator = builder_pointer(&f->b, builder_slot_at(&f->b, f->node, f->main_fn, 0))),
        "which is no node");
#undef SPOIL
}

FIXTURE_TEST(ring_damage)
{
  struct scale_ring *ring = builder_at(&f->b, f->ring + sizeof(struct scale_chunk));
  ring->capacity = 4096;
  expect_damage(f, "a trace that is longer than its chunk");
  ring->capacity = UINT64_MAX;
  expect_damage(f, "a trace that is longer than its chunk");
}

FIXTURE_TEST(rings_without_events)
{
  static const uint64_t cases[][2] = {{0, 0}, {0, 8}, {UINT64_MAX, 0}};
  for (int i = 0; i < 3; i++) {
    sc_reader *reader;
    sc_trace trace = {0};
    struct scale_ring *ring = builder_at(&f->b, f->ring + sizeof(struct scale_chunk));
    ring->written = cases[i][0];
    ring->capacity = cases[i][1];
    assert_int_equal(scprof_file_open(&f->b, f->path, &reader), 0);
    assert_true(sc_reader_has_trace(reader));
    assert_int_equal(sc_reader_trace(reader, &trace), 0);
    assert_int_equal(trace.count, 0);
    assert_int_equal(trace.ring_count, 1);
    sc_trace_free(&trace);
    use(reader);
    sc_reader_close(reader);
  }
}

/* After a full disk, tallies are where no file is; the rest counts. */
FIXTURE_TEST(tallies_outside_the_file)
{
  sc_reader *reader;
  size_t count;
  ((struct scale_header *)builder_at(&f->b, 0))->lost_bytes = 65536;
  builder_tally_at(&f->b, f->instances[1])->next = 0x7fff00001000;
  builder_tally_at(&f->b, f->instances[1])->named = 0x7fff00002000;
  ((struct scale_holder *)builder_at(&f->b, f->holder))->tally = 0x7fff00003000;
  assert_int_equal(scprof_file_open(&f->b, f->path, &reader), 0);
  assert_int_equal(sc_reader_get_info(reader)->lost_records, 3);
  sc_graph *graph = scprof_file_graph(reader);
  const sc_usage *rows = sc_usage_rows(graph, 0, &count);
  double releases = 0;
  for (size_t i = 0; i < count; i++)
    releases += rows[i].values[SC_USAGE_RELEASES];
  assert_true(releases == 2);
  const sc_wait_pair *pairs = sc_usage_pairs(graph, 0, &count);
  assert_true(count == 1 && pairs->holder == SC_USAGE_NONE && pairs->waits == 2);
  sc_graph_free(graph);
  sc_reader_close(reader);
}

/* The record of the function whose event has the name could not be written: with its nodes, their tallies are lost. */
FIXTURE_TEST(named_by_a_lost_function)
{
  sc_reader *reader;
  struct builder_loc loc = {0, SCALE_LOC_FUNCTION, 1, 0, 0, 0, "init", "demo.c", {0}};
  struct builder_event event = {SCALE_CLASS_MUTEX, SCALE_EVENT_NAME, 0, "lock_init", "m", "demo.c", 3, 4, 0, 0};
  uint32_t number = builder_function_events(&f->b, &loc, 1, NULL, 0, 0, &event, 1);
  uint64_t node = builder_root(&f->b, builder_arena(&f->b), number, 1);
  builder_tally_at(&f->b, f->instances[2])->named = builder_pointer(&f->b, builder_tally(&f->b, node, number, 0, 0));
  ((struct scale_node *)builder_at(&f->b, node))->function = 0x80000001;
  uint64_t entry = node - BUILDER_OUTS - sizeof(struct scale_entry) * 2;
  ((struct scale_entry *)builder_at(&f->b, entry))->key = 0x80000001;
  builder_seal(&f->b);
  unit_ok(scprof_file_open(&f->b, f->path, &reader));
  assert_int_equal(sc_reader_get_info(reader)->lost_records, 2); /* the key's and the node's */
  use(reader);
  sc_reader_close(reader);
}

/* Any byte may be wrong: what is opened can be used. */
FIXTURE_TEST(every_byte_flipped)
{
  const uint64_t ranges[][2] = {{(uint64_t)f->b.functions[f->main_fn].ref * 8, f->b.chunks[0]},
                                {f->node, f->node + 2600},
                                {f->ring, f->ring + 400}};
  struct scprof_file_flips flips = {0};
  for (size_t r = 0; r < sizeof ranges / sizeof *ranges; r++) {
    const uint64_t range[] = {ranges[r][0], ranges[r][1] < ranges[r][0] + 2600 ? ranges[r][1] : ranges[r][0] + 2600};
    scprof_file_flip(&f->b, f->path, range, use, &flips);
  }
  if (flips.refused || flips.damaged < 400 || flips.opened < 1400)
    fail_msg("%d refused, %d opened, with losses %d", flips.refused, flips.opened, flips.damaged);
}
