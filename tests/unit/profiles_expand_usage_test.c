/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include <math.h>

#include "expand_scene.h"
#include "profiles/graph/usage.h"

#define LOCK(loc, name)                                                                                \
  {                                                                                                    \
    SCALE_CLASS_MUTEX, SCALE_EVENT_ACQUIRE, loc, "pthread_mutex_lock", name, (name) ? "book.c" : NULL, \
        (name) ? 41 : 0, 12, (name) ? 0 : SCALE_SITE_BY_INSTANCE, 0                                    \
  }
enum { FIRST_TICK = 5000000, FIRST_CLOCK = 70000000 };

static int set_up(void **state)
{
  struct fixture *f = expand_new("demo", 5);
  builder_clock(&f->b, FIRST_TICK, FIRST_CLOCK, 0.5);
  *state = f;
  return 0;
}

static uint32_t define(struct fixture *f, const char *name, const struct builder_event *events, uint32_t count)
{
  struct builder_loc loc = FUNCTION(name);
  return builder_function_events(&f->b, &loc, 1, NULL, 0, 0, events, count);
}

/* A function with one call that locks a mutex, entered from nowhere; returns the tally of its node. */
static uint64_t one_lock(struct fixture *f, const char *function, const char *mutex, uint64_t key)
{
  struct builder_event events[] = {LOCK(0, mutex)};
  uint32_t number = define(f, function, events, 1);
  uint64_t node = builder_root(&f->b, builder_arena(&f->b), number, 1);
  uint64_t tally = builder_tally(&f->b, node, number, 0, key);
  builder_tally_at(&f->b, tally)->acquires = 1;
  return tally;
}

static const sc_usage *rows(struct fixture *f, size_t expected)
{
  size_t count;
  const sc_usage *all = sc_usage_rows(f->graph, f->run, &count);
  if (count != expected)
    fail_msg("%zu rows instead of %zu", count, expected);
  return all;
}

static const sc_resource *resource_of(struct fixture *f, const sc_usage *row)
{
  return sc_usage_resource_at(f->graph, row->resource);
}

static void expect_name(struct fixture *f, size_t row, size_t count, const char *name)
{
  assert_string_equal(resource_of(f, &rows(f, count)[row])->name, name);
}

/* main { loop { put (inlined) { mutex lock } } malloc } */
FIXTURE_TEST(rows_stand_where_their_calls_do)
{
  struct builder_loc locs[] = {FUNCTION("main"),
                               {0, SCALE_LOC_LOOP, 3, 5, 0, 0, "main", "demo.c", {1}},
                               {1, SCALE_LOC_FUNCTION, 20, 0, 0, 0, "put", "demo.c", {1}}};
  struct builder_event events[] = {
      LOCK(2, "order_book::mutex"),
      {SCALE_CLASS_HEAP, SCALE_EVENT_ACQUIRE, 0, "malloc", NULL, NULL, 0, 30, 0, 0},
      {SCALE_CLASS_RWLOCK, SCALE_EVENT_ACQUIRE, 0, "pthread_rwlock_rdlock", "table", NULL, 0, 31, SCALE_SITE_SHARED, 0},
      {SCALE_CLASS_OTHER, SCALE_EVENT_READ, 0, "read_page", "buffer pool", "pool.json", 3, 32,
       SCALE_SITE_PROBE | SCALE_SITE_GLOBAL | SCALE_SITE_IDLE, 64},
      {SCALE_CLASS_BARRIER, SCALE_EVENT_WAIT, 0, "pthread_barrier_wait", "start", NULL, 0, 33, 0, 0}};
  uint32_t number = builder_function_events(&f->b, locs, 3, NULL, 0, 1, events, 5);
  uint64_t node = builder_root(&f->b, builder_arena(&f->b), number, 1);
  builder_count(&f->b, node, number, 0, 100);
  uint64_t tallies[5];
  for (uint32_t i = 0; i < 5; i++) {
    tallies[i] = builder_tally(&f->b, node, number, i, 0);
    builder_tally_at(&f->b, tallies[i])->acquires = 1;
  }
  struct scale_tally *tally = builder_tally_at(&f->b, tallies[0]);
  tally->acquires = 100;
  tally->failures = 2;
  tally->waits = 10;
  tally->releases = 3;
  tally->reads = 4;
  tally->writes = 5;
  tally->units = 101;
  tally->units_released = 6;
  tally->returned = 90;
  tally->foreign = 5;
  tally->unseen = 2;
  tally->returned_units = 91;
  tally->foreign_units = 6;
  tally->unseen_units = 3;
  tally->strangers = 7;
  tally->peak = 8;
  tally->wait_ticks = 4000000000;
  tally->holds = 97;
  tally->hold_ticks = 6000000000;
  uint32_t *buckets = (uint32_t *)(tally + 1);
  buckets[0] = 1;
  buckets[39] = 96;
  merge(f);
  const sc_usage *row = rows(f, 5);
  assert_int_equal(row->context, path_find(f->graph, "demo/main/main:3/put"));
  assert_string_equal(row->via, "pthread_mutex_lock");
  assert_int_equal(row->line, 12);
  assert_int_equal(row->event, SC_USAGE_EVENT_ACQUIRE);
  static const double values[] = {100, 2, 10, 3, 4, 5, 101, 6, 97, 100, 2, 7, 8, 2, 97, 3};
  for (int i = 0; i < SC_USAGE_VALUES; i++)
    if (row->values[i] != values[i])
      fail_msg("value %d is %g instead of %g", i, row->values[i], values[i]);
  assert_true(row->buckets[0] == 1 && row->buckets[38] == 0 && row->buckets[39] == 96);
  const sc_resource *mutex = resource_of(f, row);
  assert_int_equal(mutex->resource_class, SC_RESOURCE_MUTEX);
  assert_string_equal(mutex->name, "order_book::mutex");
  assert_string_equal(mutex->file, "book.c");
  assert_true(mutex->line == 41 && !mutex->probe && !mutex->global && !mutex->idle && mutex->capacity == 0);
  for (int i = 1; i < 5; i++)
    assert_int_equal(row[i].context, path_find(f->graph, "demo/main"));
  assert_string_equal(resource_of(f, &row[1])->name, "heap");
  assert_int_equal(resource_of(f, &row[1])->resource_class, SC_RESOURCE_HEAP);
  assert_true(!row[1].shared && row[2].shared);
  const sc_resource *pool = resource_of(f, &row[3]);
  assert_true(pool->probe && pool->global && pool->idle && pool->capacity == 64);
  assert_int_equal(row[3].event, SC_USAGE_EVENT_READ);
  assert_true(resource_of(f, &row[4])->idle); /* waiting is what a barrier is for */
}

/* For the heap, units out are reported for the whole, for two threads their sum; what has a name of its own is not. */
FIXTURE_TEST(most_out_of_a_class)
{
  static const struct builder_event events[] = {
      {SCALE_CLASS_HEAP, SCALE_EVENT_ACQUIRE, 0, "malloc", NULL, NULL, 0, 12, 0, 0},
      {SCALE_CLASS_HEAP, SCALE_EVENT_ACQUIRE, 0, "get", "slabs", NULL, 0, 13, 0, 0}};
  struct builder_loc locs[] = {FUNCTION("main")};
  uint32_t number = builder_function_events(&f->b, locs, 1, NULL, 0, 1, events, 2);
  for (uint32_t i = 0; i < 2; i++) {
    uint64_t arena = builder_arena(&f->b), node = builder_root(&f->b, arena, number, 1);
    builder_out(&f->b, arena, SCALE_CLASS_HEAP, 100 + i);
    for (uint32_t event = 0; event < 2; event++)
      builder_tally_at(&f->b, builder_tally(&f->b, node, number, event, 0))->acquires = 1;
  }
  merge(f);
  size_t count;
  const sc_occupancy *occupancies = sc_usage_occupancies(f->graph, f->run, &count);
  assert_int_equal(count, 2);
  for (size_t i = 0; i < 2; i++) {
    bool named = !strcmp(sc_usage_resource_at(f->graph, occupancies[i].resource)->name, "slabs");
    assert_float_equal(occupancies[i].peak, named ? 0 : 201, 0);
  }
}

/* a calls b, into which a was inlined; and the node budget cut off c. */
FIXTURE_TEST(recursion_and_truncation)
{
  struct builder_loc b_locs[] = {FUNCTION("b"), {0, SCALE_LOC_FUNCTION, 1, 0, 0, 0, "a", "demo.c", {1}}};
  struct builder_event b_events[] = {LOCK(1, "m")}, events[] = {LOCK(0, "m")};
  uint32_t b_fn = builder_function_events(&f->b, b_locs, 2, NULL, 0, 1, b_events, 1);
  struct builder_loc a_locs[] = {FUNCTION("a")};
  struct builder_slot a_slots[] = {{SCALE_SLOT_DIRECT, 0, "b", "demo.c", 0}};
  uint32_t a_fn = builder_function_events(&f->b, a_locs, 1, a_slots, 1, 0, events, 1), c_fn = define(f, "c", events, 1);
  uint64_t root = builder_arena(&f->b), node = builder_root(&f->b, root, a_fn, 2);
  uint64_t b_node = builder_call(&f->b, node, a_fn, 0, b_fn, 2);
  builder_tally_at(&f->b, builder_tally(&f->b, node, a_fn, 0, 0))->acquires = 2;
  builder_tally_at(&f->b, builder_tally(&f->b, b_node, b_fn, 0, 0))->acquires = 40;
  uint64_t block = root, truncated = root + sizeof(struct scale_node) + sizeof(struct scale_entry);
  uint64_t entry = builder_entry(&f->b, &block, truncated, c_fn);
  builder_add(&f->b, entry, 3);
  uint64_t cut = builder_node(&f->b, block, entry, c_fn);
  builder_tally_at(&f->b, builder_tally(&f->b, cut, c_fn, 0, 0))->acquires = 3;
  merge(f);
  const sc_usage *row = rows(f, 2);
  for (int i = 0; i < 2; i++) {
    bool in_a = row[i].context == path_find(f->graph, "demo/a");
    assert_true(in_a || row[i].context == path_find(f->graph, "demo/.../c"));
    assert_true(row[i].values[SC_USAGE_ACQUIRES] == (in_a ? 42 : 3));
  }
  assert_int_equal(sc_usage_resource_count(f->graph), 1);
}

/* Threads of the same kind: counts and peaks add up, times are those of all, instances seen by both are counted once.
 */
FIXTURE_TEST(arenas_add_up)
{
  struct builder_event events[] = {
      LOCK(0, "m"), {SCALE_CLASS_MUTEX, SCALE_EVENT_RELEASE, 0, "pthread_mutex_unlock", "m", "book.c", 41, 13, 0, 0}};
  uint32_t worker = define(f, "worker", events, 2);
  for (uint64_t i = 0; i < 2; i++) {
    uint64_t node = builder_root(&f->b, builder_arena(&f->b), worker, 1);
    struct scale_tally *lock = builder_tally_at(&f->b, builder_tally(&f->b, node, worker, 0, 0));
    lock->acquires = 10 + i;
    lock->peak = 1;
    lock->first_tick = FIRST_TICK + i * 1000000000;
    lock->last_tick = lock->first_tick + 600000000;
    lock->instances_0 = 1 | UINT64_C(1) << (20 + i);
    struct scale_tally *unlock = builder_tally_at(&f->b, builder_tally(&f->b, node, worker, 1, 0));
    unlock->releases = 10 + i;
    unlock->first_tick = lock->first_tick + 100;
    unlock->last_tick = lock->last_tick + 400000000;
    unlock->instances_3 = 1;
  }
  merge(f);
  const sc_usage *row = rows(f, 2);
  assert_true(row[0].values[SC_USAGE_ACQUIRES] == 21 && row[0].values[SC_USAGE_PEAK] == 2);
  assert_true(row[1].values[SC_USAGE_RELEASES] == 21);
  size_t count;
  const sc_occupancy *occupancy = sc_usage_occupancies(f->graph, f->run, &count);
  assert_int_equal(count, 1);
  assert_true(occupancy->instances == 4 && occupancy->threads == 2);
  assert_true(occupancy->active_seconds > 0.999999 && occupancy->active_seconds < 1.000001);
  assert_true(occupancy->span_seconds > 0.999999 && occupancy->span_seconds < 1.000001);
  /* another process of the run: its clock is the same one, its instances are its own */
  struct scale_header *header = builder_at(&f->b, 0);
  header->clock_start += 3000000000;
  header->clock_last += 3000000000;
  merge(f);
  occupancy = sc_usage_occupancies(f->graph, f->run, &count);
  assert_int_equal(count, 1);
  assert_true(occupancy->instances == 8 && occupancy->threads == 4);
  assert_true(occupancy->span_seconds > 3.999999 && occupancy->span_seconds < 4.000001);
}

/* Sixteen locks: the first is held for most of the time in both threads, or, `even`, all alike. */
static void hold_sixteen(struct fixture *f, bool even)
{
  struct builder_event events[] = {LOCK(0, "stripes[]")};
  uint32_t worker = define(f, "worker", events, 1);
  for (uint64_t thread = 0; thread < 2; thread++) {
    uint64_t at = builder_lock_tally(&f->b, builder_root(&f->b, builder_arena(&f->b), worker, 1), worker, 0);
    struct scale_tally *tally = builder_tally_at(&f->b, at);
    struct scale_share *shares = builder_shares_at(&f->b, at);
    for (uint64_t i = 0; i < SCALE_SHARES; i++) {
      shares[(i + thread) % SCALE_SHARES] = (struct scale_share){
          .identity = 4096 + 40 * i, .holds = i || even ? 10 : 350, .hold_ticks = i || even ? 10000 : 350000};
      tally->holds += i || even ? 10 : 350;
      tally->hold_ticks += i || even ? 10000 : 350000;
      tally->instances_0 |= UINT64_C(1) << i;
    }
    tally->acquires = tally->holds;
    tally->first_tick = FIRST_TICK;
    tally->last_tick = FIRST_TICK + 1000000;
  }
  merge(f);
}

FIXTURE_TEST(the_busiest_of_many_locks)
{
  hold_sixteen(f, false);
  size_t count;
  const sc_occupancy *o = sc_usage_occupancies(f->graph, f->run, &count);
  const sc_usage *row = rows(f, 1);
  assert_int_equal(count, 1);
  assert_true(o->instances == 16 && o->hot == 1 && o->hot_seconds == o->busiest_seconds);
  assert_true(fabs(o->busiest_seconds / row->values[SC_USAGE_HOLD_SECONDS] - 0.7) < 1e-6);
}

FIXTURE_TEST(locks_alike_have_no_hot_one)
{
  hold_sixteen(f, true);
  size_t count;
  const sc_occupancy *o = sc_usage_occupancies(f->graph, f->run, &count);
  assert_true(count == 1 && o->hot == 0 && o->hot_seconds == 0 && o->busiest_seconds > 0);
}

/* A place that locks `mutex`, in a thread of its own, from one second to another one. */
static void lock_from_to(struct fixture *f, const char *function, uint64_t calls, uint64_t first, uint64_t last)
{
  struct scale_tally *tally = builder_tally_at(&f->b, one_lock(f, function, "table", 4096));
  tally->acquires = calls;
  tally->first_tick = FIRST_TICK + first * 2000000000;
  tally->last_tick = FIRST_TICK + last * 2000000000;
}

static void expect_loaded(struct fixture *f, double span, double loaded)
{
  size_t count;
  merge(f);
  const sc_occupancy *o = sc_usage_occupancies(f->graph, f->run, &count);
  assert_int_equal(count, 1);
  assert_true(fabs(o->span_seconds - span) < 1e-6 && fabs(o->loaded_seconds - loaded) < 1e-6);
}

/* What is done once at the beginning and at the end is no load. */
FIXTURE_TEST(load_is_where_most_is_done)
{
  lock_from_to(f, "begin", 1, 0, 0);
  lock_from_to(f, "end", 9, 9, 10);
  lock_from_to(f, "serve", 100, 3, 7);
  expect_loaded(f, 10, 4);
}

/* A tenth of the calls is enough: the threshold's edge. */
FIXTURE_TEST(a_tenth_is_load_too)
{
  lock_from_to(f, "begin", 1, 0, 0);
  lock_from_to(f, "end", 10, 9, 10);
  lock_from_to(f, "serve", 100, 3, 7);
  expect_loaded(f, 10, 7);
}

/* A condition is under load while it is signalled, not while it is waited for. */
FIXTURE_TEST(a_condition_is_loaded_by_signals)
{
  struct builder_event event = LOCK(0, "work");
  event.resource_class = SCALE_CLASS_CONDITION;
  for (uint64_t i = 0; i < 3; i++) {
    static const uint64_t writes[] = {100, 1, 0};
    static const uint64_t from[] = {2, 9, 0}, to[] = {6, 9, 10};
    static const char *const names[] = {"ask", "end", "wait"};
    event.event = writes[i] ? SCALE_EVENT_WRITE : SCALE_EVENT_WAIT;
    uint32_t number = define(f, names[i], &event, 1);
    uint64_t at = builder_tally(&f->b, builder_root(&f->b, builder_arena(&f->b), number, 1), number, 0, 4096);
    struct scale_tally *tally = builder_tally_at(&f->b, at);
    tally->writes = writes[i];
    tally->waits = writes[i] ? 0 : 500;
    tally->first_tick = FIRST_TICK + from[i] * 2000000000;
    tally->last_tick = FIRST_TICK + to[i] * 2000000000;
  }
  expect_loaded(f, 10, 4);
}

/* Of a few holds one lock may have several by chance. */
FIXTURE_TEST(few_holds_have_no_hot_one)
{
  struct builder_event events[] = {LOCK(0, "stripes[]")};
  uint32_t worker = define(f, "worker", events, 1);
  uint64_t at = builder_lock_tally(&f->b, builder_root(&f->b, builder_arena(&f->b), worker, 1), worker, 0);
  struct scale_tally *tally = builder_tally_at(&f->b, at);
  for (uint64_t i = 0; i < SCALE_SHARES; i++) {
    uint64_t holds = i ? 1 : 7;
    builder_shares_at(&f->b, at)[i] = (struct scale_share){4096 + 40 * i, holds, 1000 * holds};
    tally->holds += holds;
    tally->hold_ticks += 1000 * holds;
    tally->instances_0 |= UINT64_C(1) << i;
  }
  tally->acquires = tally->holds;
  merge(f);
  size_t count;
  const sc_occupancy *o = sc_usage_occupancies(f->graph, f->run, &count);
  assert_true(count == 1 && o->instances == 16 && o->hot == 0);
}

FIXTURE_TEST(waiters_and_holders)
{
  uint64_t holder = one_lock(f, "holder", "m", 0), waiter = one_lock(f, "waiter", "m", 0);
  struct builder_event named[] = {{SCALE_CLASS_MUTEX, SCALE_EVENT_NAME, 0, "pthread_mutex_init", "m", "book.c", 41, 3}};
  uint32_t number = define(f, "init", named, 1);
  uint64_t node = builder_root(&f->b, builder_arena(&f->b), number, 1);
  uint64_t name = builder_tally(&f->b, node, number, 0, 0);
  builder_tally_at(&f->b, name)->acquires = 1; /* even so it is no use of anything */
  builder_holder(&f->b, waiter, holder, 5, 2000000000);
  builder_holder(&f->b, waiter, 0, 2, 4000000000);
  builder_holder(&f->b, waiter, waiter, 1, 0);
  builder_holder(&f->b, waiter, name, 1, 0);
  struct scale_holder *empty = builder_at(&f->b, builder_holder(&f->b, waiter, 0, 0, 0));
  empty->tally = 0x123450; /* of the parent before a fork */
  merge(f);
  const sc_usage *row = rows(f, 2);
  uint32_t first = row[0].context == path_find(f->graph, "demo/holder") ? 0 : 1;
  size_t count;
  const sc_wait_pair *pair = sc_usage_pairs(f->graph, f->run, &count);
  assert_int_equal(count, 3);
  assert_true(pair[0].waiter == 1 - first && pair[0].holder == first && pair[0].waits == 5 && pair[0].seconds == 1);
  assert_true(pair[1].holder == SC_USAGE_NONE && pair[1].waits == 3 && pair[1].seconds == 2);
  assert_true(pair[2].holder == 1 - first && pair[2].waits == 1);
}

/* A wait inside of the hold of another lock is a pair without a number of waits; locks of one name have no such pair.
 */
FIXTURE_TEST(waits_inside_of_holds)
{
  uint64_t outer = one_lock(f, "outer", "a", 0), inner = one_lock(f, "inner", "b", 0),
           other = one_lock(f, "other", "b", 0);
  ((struct scale_holder *)builder_at(&f->b, builder_holder(&f->b, inner, outer, 0, 0)))->inside_ticks = 4000000000;
  ((struct scale_holder *)builder_at(&f->b, builder_holder(&f->b, inner, other, 3, 2000000000)))->inside_ticks = 7;
  merge(f);
  size_t count;
  const sc_usage *row = rows(f, 3);
  const sc_wait_pair *pair = sc_usage_pairs(f->graph, f->run, &count);
  assert_int_equal(count, 2);
  assert_true(row[pair[0].waiter].context == path_find(f->graph, "demo/inner") &&
              row[pair[0].holder].context == path_find(f->graph, "demo/outer"));
  assert_true(pair[0].waits == 0 && pair[0].seconds == 2 && sc_usage_pair_nested(f->graph, row, &pair[0]));
  assert_true(row[pair[1].holder].context == path_find(f->graph, "demo/other"));
  assert_true(pair[1].waits == 3 && pair[1].seconds == 1 && !sc_usage_pair_nested(f->graph, row, &pair[1]));
}

/* A child begins with empty tallies; what it gives back without having acquired it makes no negative units. */
FIXTURE_TEST(forked_child)
{
  uint64_t empty = one_lock(f, "parent_only", "a", 0), used = one_lock(f, "both", "b", 0);
  ((struct scale_header *)builder_at(&f->b, 0))->forked = 1;
  builder_tally_at(&f->b, empty)->acquires = 0;
  builder_tally_at(&f->b, empty)->returned = 4;
  struct scale_tally *tally = builder_tally_at(&f->b, used);
  tally->units = 10;
  tally->returned = 2;
  tally->returned_units = UINT64_MAX;
  tally->unseen = 9;
  tally->unseen_units = UINT64_MAX;
  merge(f);
  const sc_usage *row = rows(f, 1);
  assert_true(row->values[SC_USAGE_RETURNED] == 1 && row->values[SC_USAGE_UNSEEN] == 1);
  assert_true(row->values[SC_USAGE_RETURNED_UNITS] == 10);
  assert_int_equal(row->context, path_find(f->graph, "demo/both"));
}

/* In a child, nothing but the event may have been counted: the calls were before the fork. */
FIXTURE_TEST(events_make_contexts)
{
  struct builder_event events[] = {LOCK(0, "m")};
  uint32_t number = define(f, "main", events, 1);
  uint64_t node = builder_root(&f->b, builder_arena(&f->b), number, 0);
  builder_tally_at(&f->b, builder_tally(&f->b, node, number, 0, 0))->strangers = 1;
  merge(f);
  assert_int_equal(rows(f, 1)->context, path_find(f->graph, "demo/main"));
}

FIXTURE_TEST(ticks_that_tell_no_time)
{
  static const uint64_t pairs[][4] = {/* ticks, clock; ticks, clock */
                                      {0, 0, 0, 0},          {5, 9, 5, 9},
                                      {5, 9, 4, 1000000009}, {5, 1000000009, 5000000, 9},
                                      {5, 9, 6, 1000000009}, {5, 9, 1000000000005, 10009},
                                      {5, 9, 505, 259}};
  struct scale_tally *tally = builder_tally_at(&f->b, one_lock(f, "main", "m", 0));
  tally->hold_ticks = tally->wait_ticks = 1000000;
  tally->first_tick = 10;
  tally->last_tick = 1000010;
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    struct scale_header *header = builder_at(&f->b, 0);
    header->ticks_start = pairs[i][0];
    header->clock_start = pairs[i][1];
    header->ticks_last = pairs[i][2];
    header->clock_last = pairs[i][3];
    header->lost_events = 3;
    merge(f);
    const sc_run *run = sc_graph_run_const(f->graph, f->run);
    assert_int_equal(run->untimed, i + 1);
    assert_int_equal(run->lost_events, 3 * (i + 1));
    const sc_usage *row = rows(f, 1);
    assert_true(row->values[SC_USAGE_HOLD_SECONDS] == 0 && row->values[SC_USAGE_WAIT_SECONDS] == 0);
    size_t count;
    const sc_occupancy *occupancy = sc_usage_occupancies(f->graph, f->run, &count);
    assert_true(occupancy->active_seconds == 0 && occupancy->span_seconds == 0 && occupancy->threads > 0);
  }
}

FIXTURE_TEST(discarded_events_make_no_rows)
{
  uint64_t holder = one_lock(f, "holder", "bad", 0), waiter = one_lock(f, "waiter", "good", 0);
  builder_holder(&f->b, waiter, holder, 5, 0);
  builder_holder(&f->b, holder, waiter, 5, 0);
  assert_int_equal(
      sc_usage_add_discarded(f->graph, &(sc_discarded_event){"pthread_mutex_lock", "bad", "never given back"}), 0);
  merge(f);
  expect_name(f, 0, 1, "good");
  size_t count;
  const sc_wait_pair *pair = sc_usage_pairs(f->graph, f->run, &count);
  assert_int_equal(count, 1);
  assert_true(pair->waiter == 0 && pair->holder == SC_USAGE_NONE && pair->waits == 5);
  (void)sc_usage_occupancies(f->graph, f->run, &count);
  assert_int_equal(count, 1);
}

/* ---- names of instances that are known by their address only ---- */

FIXTURE_TEST(named_by_those_who_know)
{
  uint64_t known = one_lock(f, "known", "order_book::mutex", 0);
  uint64_t pointer = one_lock(f, "pointer", NULL, 0x7000), again = one_lock(f, "again", NULL, 0x7000);
  builder_tally_at(&f->b, pointer)->named = builder_pointer(&f->b, known);
  (void)again; /* met before the name was known */
  merge(f);
  for (size_t i = 0; i < 3; i++)
    expect_name(f, i, 3, "order_book::mutex");
  assert_int_equal(sc_usage_resource_count(f->graph), 1);
}

/* Nobody knows: all functions that share the instance call it after one of those that obtain it, whatever the order
 * in which they came. */
FIXTURE_TEST(named_after_a_function)
{
  struct builder_event unlock[] = {{SCALE_CLASS_MUTEX, SCALE_EVENT_RELEASE, 0, "pthread_mutex_unlock", NULL, NULL, 0,
                                    20, SCALE_SITE_BY_INSTANCE, 0}};
  uint32_t number = define(f, "a_releases", unlock, 1);
  uint64_t node = builder_root(&f->b, builder_arena(&f->b), number, 1);
  builder_tally_at(&f->b, builder_tally(&f->b, node, number, 0, 0x7000))->releases = 2;
  one_lock(f, "z_obtains", NULL, 0x7000);
  one_lock(f, "_ZN3app3putEPi", NULL, 0x7000);
  one_lock(f, "z_obtains", NULL, 0x8000);
  merge(f);
  for (size_t i = 0; i < 3; i++)
    expect_name(f, i, 4, "mutex in app::put()");
  expect_name(f, 3, 4, "mutex in z_obtains()");
  assert_string_equal(resource_of(f, rows(f, 4))->file, "demo.c");
  assert_int_equal(resource_of(f, rows(f, 4))->line, 7);
}

FIXTURE_TEST(the_rest_of_a_cell)
{
  struct builder_event events[] = {LOCK(0, NULL)};
  uint32_t number = define(f, "visit", events, 1);
  uint64_t known[] = {one_lock(f, "a", "node::lock", 0), one_lock(f, "b", "list::lock", 0)};
  for (uint64_t i = 0; i < 2; i++) {
    uint64_t node = builder_root(&f->b, builder_arena(&f->b), number, 1);
    for (uint64_t k = 0; k < 3; k++) {
      uint64_t tally = builder_tally(&f->b, node, number, 0, k == 2 ? UINT64_MAX : 0x7000 + 0x100 * i + k);
      builder_tally_at(&f->b, tally)->acquires = 1;
      if (k < 2) /* in the second node, of two kinds */
        builder_tally_at(&f->b, tally)->named = builder_pointer(&f->b, known[i * k]);
    }
  }
  merge(f);
  const sc_usage *row = rows(f, 5); /* a, b; visit: node's, list's, and the rest of the second node */
  const char *const names[] = {"node::lock", "list::lock", "node::lock", "list::lock", "mutex in visit()"};
  const double acquires[] = {1, 1, 4, 1, 1};
  for (size_t i = 0; i < 5; i++) {
    expect_name(f, i, 5, names[i]);
    assert_true(row[i].values[SC_USAGE_ACQUIRES] == acquires[i]);
  }
}

FIXTURE_TEST(only_the_rest)
{
  struct builder_event events[] = {LOCK(0, NULL)};
  uint32_t number = define(f, "visit", events, 1);
  uint64_t node = builder_root(&f->b, builder_arena(&f->b), number, 1);
  for (int i = 0; i < 2; i++)
    builder_tally_at(&f->b, builder_tally(&f->b, node, number, 0, UINT64_MAX))->acquires = 1;
  merge(f);
  expect_name(f, 0, 1, "mutex in visit()");
}

extern const char __ehdr_start[] __attribute__((visibility("hidden")));
struct shared_book {
  long pages;
  pthread_mutex_t mutex;
};
struct shared_book shared_book_of_this_test;
struct shelf {
  char name[24];
  struct {
    long pages;
    pthread_rwlock_t locks[3];
  } rows[4];
  union {
    int number;
    pthread_mutex_t mutex;
  } either;
} shelf_of_this_test[2];

static void add_this_program(struct fixture *f, const char *build_id)
{
  unsigned char record[512];
  char path[256];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  assert_true(length > 0 && length < 256);
  struct scale_module module = {.base = (uint64_t)(uintptr_t)__ehdr_start,
                                .path_bytes = (uint32_t)length,
                                .build_id_bytes = (uint32_t)strlen(build_id)};
  memcpy(record, &module, sizeof module);
  memcpy(record + sizeof module, path, (size_t)length);
  memcpy(record + sizeof module + length, build_id, module.build_id_bytes);
  builder_record(&f->b, SCALE_RECORD_MODULE, record, sizeof module + (size_t)length + module.build_id_bytes);
}

FIXTURE_TEST(named_by_the_variable_there)
{
  const void *const places[] = {&shared_book_of_this_test,
                                &shared_book_of_this_test.mutex,
                                &shelf_of_this_test[1].rows[2].locks[1],
                                &shelf_of_this_test[0].rows[0].locks[0],
                                &shelf_of_this_test[0].either,
                                (const char *)&shelf_of_this_test[0].rows[0].locks[0] + 1};
  char part[128];
  add_this_program(f, "");
  for (size_t i = 0; i < 6; i++)
    one_lock(f, "main", NULL, (uint64_t)(uintptr_t)places[i]);
  one_lock(f, "behind", NULL, (uint64_t)(uintptr_t)(&shared_book_of_this_test + 1) + 0x10000000);
  merge(f);
  snprintf(part, sizeof part, "shelf_of_this_test+%zu",
           (size_t)((const char *)places[5] - (const char *)shelf_of_this_test));
  const char *const names[] = {"shared_book_of_this_test.pages",
                               "shared_book_of_this_test.mutex",
                               "shelf_of_this_test[].rows[].locks[]",
                               "shelf_of_this_test[].either",
                               part,
                               "mutex in behind()"};
  for (size_t i = 0; i < 6; i++)
    expect_name(f, i, 6, names[i]);
  const sc_resource *mutex = resource_of(f, &rows(f, 6)[1]);
  assert_non_null(strstr(mutex->file, "profiles_expand_usage_test.c"));
  assert_true(mutex->line > 0);
  assert_true(rows(f, 6)[2].values[SC_USAGE_ACQUIRES] == 2);
}

/* The file was built again since. */
FIXTURE_TEST(another_build_tells_nothing)
{
  add_this_program(f, "\x12\x34");
  one_lock(f, "first", NULL, (uint64_t)(uintptr_t)&shared_book_of_this_test);
  merge(f);
  expect_name(f, 0, 1, "mutex in first()");
}
