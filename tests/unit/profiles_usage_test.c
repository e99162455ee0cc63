/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include <math.h>

#include "profiles/graph/internal.h"

static int set_up(void **state)
{
  sc_graph *graph;
  uint32_t location, context;
  size_t run;
  assert_int_equal(sc_graph_new(&graph), 0);
  assert_int_equal(sc_graph_location(graph, &(sc_location){.kind = SC_LOCATION_FUNCTION, .name = "main"}, &location),
                   0);
  assert_int_equal(sc_graph_context(graph, 0, location, &context), 0);
  assert_int_equal(context, 1);
  for (int i = 0; i < 2; i++)
    assert_int_equal(sc_graph_begin_run(graph, &(sc_run){.n = i + 1}, &run), 0);
  *state = graph;
  return 0;
}

static int tear_down(void **state)
{
  sc_graph_free(*state);
  return 0;
}

static uint32_t intern(sc_graph *graph, sc_resource resource)
{
  uint32_t number;
  assert_int_equal(sc_usage_resource(graph, &resource, &number), 0);
  return number;
}

static uint32_t mutex(sc_graph *graph, const char *name)
{
  return intern(graph, (sc_resource){.resource_class = SC_RESOURCE_MUTEX, .name = name});
}

TEST_OF(sc_graph *graph, resources_are_one_by_class_name_file_and_line)
{
  char name[] = "queue";
  uint32_t first = intern(graph, (sc_resource){.resource_class = SC_RESOURCE_MUTEX, .name = name, .file = "a.c"});
  name[0] = '?'; /* it was copied */
  assert_int_equal(first, 0);
  assert_int_equal(
      intern(graph, (sc_resource){.resource_class = SC_RESOURCE_MUTEX, .name = "queue", .file = "a.c", .probe = true}),
      first);
  assert_int_equal(intern(graph, (sc_resource){.resource_class = SC_RESOURCE_RWLOCK, .name = "queue", .file = "a.c"}),
                   1);
  assert_int_equal(intern(graph, (sc_resource){.resource_class = SC_RESOURCE_MUTEX, .name = "queue", .file = "b.c"}),
                   2);
  assert_int_equal(
      intern(graph, (sc_resource){.resource_class = SC_RESOURCE_MUTEX, .name = "queue", .file = "a.c", .line = 7}), 3);
  assert_int_equal(intern(graph, (sc_resource){.resource_class = SC_RESOURCE_MUTEX, .name = "other", .file = "a.c"}),
                   4);
  assert_int_equal(sc_usage_resource_count(graph), 5);
  const sc_resource *resource = sc_usage_resource_at(graph, first);
  assert_string_equal(resource->name, "queue");
  assert_string_equal(resource->file, "a.c");
  assert_true(resource->probe);
  assert_true(resource->capacity == 0);
  intern(graph, (sc_resource){.resource_class = SC_RESOURCE_MUTEX, .name = "queue", .file = "a.c", .capacity = 8});
  assert_true(resource->capacity == 8);
  uint32_t number;
  assert_int_equal(sc_usage_resource(graph, &(sc_resource){.name = "nothing"}, &number), SC_E_INTERNAL);
}

/* A semaphore of the same name, file and line has a condition's waits. */
TEST_OF(sc_graph *graph, conditions_have_units_of_their_name)
{
  static const sc_resource condition = {
      .resource_class = SC_RESOURCE_CONDITION, .name = "free", .file = "a.c", .line = 7};
  sc_resource others[] = {condition, condition, condition, condition, condition};
  uint32_t number = intern(graph, condition);
  others[0].resource_class = SC_RESOURCE_MUTEX;
  for (int i = 1; i < 5; i++)
    others[i].resource_class = SC_RESOURCE_SEMAPHORE;
  others[1].name = "full";
  others[2].file = "b.c";
  others[3].line = 8;
  for (int i = 0; i < 5; i++) {
    assert_false(sc_usage_condition_has_units(graph, number));
    assert_false(sc_usage_condition_has_units(graph, intern(graph, others[i]))); /* no condition */
  }
  assert_true(sc_usage_condition_has_units(graph, number));
}

TEST_OF(sc_graph *graph, many_resources)
{
  char name[16];
  for (uint32_t twice = 0; twice < 2; twice++)
    for (uint32_t i = 0; i < 3000; i++) {
      snprintf(name, sizeof name, "lock %u", i);
      assert_int_equal(mutex(graph, name), i);
    }
  assert_string_equal(sc_usage_resource_at(graph, 2999)->name, "lock 2999");
}

TEST(words)
{
  assert_string_equal(sc_resource_class_name(SC_RESOURCE_MUTEX), "mutex");
  assert_string_equal(sc_resource_class_name(SC_RESOURCE_OTHER), "other");
  assert_string_equal(sc_resource_class_name(SC_RESOURCE_PROCESS), "process");
  assert_true(sc_resource_class_blocks(SC_RESOURCE_SLEEP) && !sc_resource_class_blocks(SC_RESOURCE_OTHER));
  assert_string_equal(sc_resource_class_unit(SC_RESOURCE_HEAP), "byte");
  assert_string_equal(sc_resource_class_unit(SC_RESOURCE_RWLOCK), "lock");
  assert_string_equal(sc_resource_class_plural(SC_RESOURCE_DESCRIPTOR), "descriptors");
  assert_string_equal(sc_usage_event_name(SC_USAGE_EVENT_RELEASE), "release");
}

static sc_usage usage(uint32_t context, uint32_t resource, const char *via, double acquires)
{
  sc_usage row = {.context = context, .resource = resource, .via = via, .event = SC_USAGE_EVENT_ACQUIRE};
  row.values[SC_USAGE_ACQUIRES] = acquires;
  row.buckets[5] = acquires;
  return row;
}

TEST_OF(sc_graph *graph, rows_add_up)
{
  uint32_t a = mutex(graph, "a"), b = mutex(graph, "b"), row;
  sc_usage first = usage(1, a, "lock", 3);
  assert_int_equal(sc_usage_add(graph, 0, &first, &row), 0);
  assert_int_equal(row, 0);
  sc_usage others[] = {
      usage(0, a, "lock", 1), usage(1, b, "lock", 1), usage(1, a, "trylock", 1), first, first, first, first};
  others[3].shared = true;
  others[4].event = SC_USAGE_EVENT_RELEASE;
  others[5].line = 12;
  others[6].line = 12, others[6].column = 3;
  for (uint32_t i = 0; i < 7; i++) {
    assert_int_equal(sc_usage_add(graph, 0, &others[i], &row), 0);
    assert_int_equal(row, i + 1);
  }
  sc_usage again = usage(1, a, "lock", 4);
  assert_int_equal(sc_usage_add(graph, 0, &again, &row), 0);
  assert_int_equal(row, 0);
  assert_int_equal(sc_usage_add(graph, 1, &again, NULL), 0);
  size_t count;
  const sc_usage *rows = sc_usage_rows(graph, 0, &count);
  assert_int_equal(count, 8);
  assert_true(rows[0].values[SC_USAGE_ACQUIRES] == 7);
  assert_true(rows[0].buckets[5] == 7);
  assert_string_equal(rows[3].via, "trylock");
  (void)sc_usage_rows(graph, 1, &count);
  assert_int_equal(count, 1);
  sc_graph_drop_run(graph);
  (void)sc_usage_rows(graph, 1, &count);
  assert_int_equal(count, 0);
}

/* A process that lived from event `began` to `ended` got 10 blocks, had most of them at a time and gave some back. */
static void add_process(sc_graph *graph, uint64_t began, uint64_t ended, double peak, double returned)
{
  sc_usage row = usage(1, mutex(graph, "blocks"), "malloc", 10);
  row.values[SC_USAGE_UNITS] = 100;
  row.values[SC_USAGE_PEAK] = peak;
  row.values[SC_USAGE_RETURNED] = returned;
  row.values[SC_USAGE_RETURNED_UNITS] = 10 * returned;
  sc_usage_begin_process(graph, 0, began, ended);
  assert_int_equal(sc_usage_add(graph, 0, &row, NULL), 0);
}

static void assert_out(const sc_graph *graph, double acquires, double peak, double kept)
{
  size_t count;
  const double *v = sc_usage_rows(graph, 0, &count)->values;
  assert_int_equal(count, 1);
  assert_float_equal(v[SC_USAGE_ACQUIRES], acquires, 0);
  assert_float_equal(v[SC_USAGE_PEAK], peak, 0);
  assert_float_equal(v[SC_USAGE_ACQUIRES] - v[SC_USAGE_RETURNED], kept, 0);
  assert_float_equal(v[SC_USAGE_UNITS] - v[SC_USAGE_RETURNED_UNITS], 10 * kept, 0);
}

TEST_OF(sc_graph *graph, processes_that_never_meet_are_not_added_up)
{
  for (uint64_t i = 0; i < 50; i++)
    add_process(graph, 2 * i + 1, 2 * i + 2, 8, 9);
  sc_usage_end_processes(graph, 0);
  assert_out(graph, 500, 8, 1);
}

/* The first lives all along; of the others two at a time, and the last ends first. */
TEST_OF(sc_graph *graph, processes_that_meet_are)
{
  add_process(graph, 1, UINT64_MAX, 1, 9);
  add_process(graph, 2, 5, 4, 10);
  add_process(graph, 3, 4, 5, 8);
  assert_out(graph, 30, 10, 3);
  add_process(graph, 6, 8, 7, 10);
  add_process(graph, 7, 9, 1, 8);
  assert_out(graph, 50, 10, 3);
  add_process(graph, 10, 11, 10, 6);
  assert_out(graph, 60, 11, 5);
}

/* Its threads have a row of the same key each. */
TEST_OF(sc_graph *graph, threads_of_a_process_are_added_up)
{
  add_process(graph, 1, 2, 3, 9);
  add_process(graph, 3, 4, 3, 9);
  add_process(graph, 3, 4, 3, 9);
  assert_out(graph, 30, 6, 2);
}

TEST_OF(sc_graph *graph, what_is_shared_stays_when_its_process_ends)
{
  (void)intern(graph, (sc_resource){.resource_class = SC_RESOURCE_MUTEX, .name = "blocks", .global = true});
  for (uint64_t i = 0; i < 3; i++)
    add_process(graph, 2 * i + 1, 2 * i + 2, 5, 8);
  assert_out(graph, 30, 15, 6);
}

TEST_OF(sc_graph *graph, where_nobody_knows_all_count_as_alive)
{
  for (int i = 0; i < 3; i++)
    add_process(graph, 0, 0, 5, 8);
  assert_out(graph, 30, 15, 6);
}

TEST_OF(sc_graph *graph, a_column_is_told_where_it_tells_calls_apart)
{
  sc_usage row = usage(1, mutex(graph, "a"), "lock", 3);
  row.line = 12;
  assert_false(sc_usage_lacks_columns(graph));
  assert_int_equal(sc_usage_add(graph, 0, &row, NULL), 0);
  assert_true(sc_usage_lacks_columns(graph)); /* as an earlier version saved it */
  row.column = 3;
  assert_int_equal(sc_usage_add(graph, 0, &row, NULL), 0);
  assert_false(sc_usage_lacks_columns(graph));
  assert_int_equal(sc_usage_telling_column(graph, 1, 12, 3), 0);
  row.column = 20;
  assert_int_equal(sc_usage_add(graph, 0, &row, NULL), 0);
  assert_int_equal(sc_usage_telling_column(graph, 1, 12, 3), 3);
  assert_int_equal(sc_usage_telling_column(graph, 1, 12, 20), 20);
  assert_int_equal(sc_usage_telling_column(graph, 1, 13, 3), 0);
  assert_int_equal(sc_usage_telling_column(graph, 0, 12, 3), 0);
}

TEST_OF(sc_graph *graph, impossible_rows)
{
  uint32_t a = mutex(graph, "a");
  sc_usage bad[] = {usage(2, a, "lock", 1), usage(1, a + 1, "lock", 1), usage(1, a, "lock", 1)};
  bad[2].event = (enum sc_usage_event)0;
  for (int i = 0; i < 3; i++)
    assert_int_equal(sc_usage_add(graph, 0, &bad[i], NULL), SC_E_INTERNAL);
  sc_usage good = usage(1, a, "lock", 1);
  assert_int_equal(sc_usage_add(graph, 2, &good, NULL), SC_E_INTERNAL);
  assert_int_equal(sc_usage_add_pair(graph, 0, &(sc_wait_pair){.waiter = 0, .holder = SC_USAGE_NONE}), SC_E_INTERNAL);
  assert_int_equal(sc_usage_add(graph, 0, &good, NULL), 0);
  assert_int_equal(sc_usage_add_pair(graph, 0, &(sc_wait_pair){.waiter = 0, .holder = 1}), SC_E_INTERNAL);
  assert_int_equal(sc_usage_add_occupancy(graph, 0, &(sc_occupancy){.resource = 1}), SC_E_INTERNAL);
}

TEST_OF(sc_graph *graph, pairs_add_up)
{
  uint32_t a = mutex(graph, "a");
  sc_usage rows[] = {usage(1, a, "lock", 1), usage(0, a, "lock", 1)};
  for (int i = 0; i < 2; i++)
    assert_int_equal(sc_usage_add(graph, 0, &rows[i], NULL), 0);
  const sc_wait_pair pairs[] = {{0, 1, 2, 0.5}, {1, 0, 1, 0.25}, {0, SC_USAGE_NONE, 4, 1}, {0, 1, 3, 0.5}};
  for (int i = 0; i < 4; i++)
    assert_int_equal(sc_usage_add_pair(graph, 0, &pairs[i]), 0);
  size_t count;
  const sc_wait_pair *all = sc_usage_pairs(graph, 0, &count);
  assert_int_equal(count, 3);
  assert_true(all[0].waits == 5 && all[0].seconds == 1);
  assert_true(all[2].holder == SC_USAGE_NONE && all[2].waits == 4);
}

/* Of 256 bits, the first `count` in an order that spreads. */
static struct sc_usage_extent extent(unsigned first_bit, unsigned count, double first, double last)
{
  struct sc_usage_extent made = {.first = first, .last = last};
  for (unsigned i = first_bit; i < first_bit + count; i++)
    made.bits[i * 97 % 256 / 64] |= UINT64_C(1) << i * 97 % 64;
  return made;
}

TEST_OF(sc_graph *graph, processes_of_a_run_occupy_together)
{
  uint32_t own = mutex(graph, "own");
  uint32_t global = intern(graph, (sc_resource){.resource_class = SC_RESOURCE_OTHER, .name = "pool", .global = true});
  struct sc_usage_extent one = extent(0, 3, 2e9, 5e9), two = extent(0, 5, 4e9, 7.5e9), none = extent(9, 1, 1, 0);
  for (uint32_t resource = own; resource <= global; resource++) {
    assert_int_equal(sc_usage_occupy(graph, 0, resource, 2, 1.5, &one), 0);
    assert_int_equal(sc_usage_occupy(graph, 0, resource, 1, 2, &two), 0);
  }
  size_t count;
  const sc_occupancy *rows = sc_usage_occupancies(graph, 0, &count);
  assert_int_equal(count, 2);
  assert_true(rows[0].instances == 8);
  assert_true(rows[1].instances == 5); /* the same ones */
  for (int i = 0; i < 2; i++)
    assert_true(rows[i].threads == 3 && rows[i].active_seconds == 3.5 && rows[i].span_seconds == 5.5);
  assert_int_equal(sc_usage_occupy(graph, 0, own, 1, 0, &none), 0); /* a process whose times are not known */
  rows = sc_usage_occupancies(graph, 0, &count);
  assert_true(rows[0].instances == 9 && rows[0].span_seconds == 5.5);
}

/* Of locks that exclude each other one is out for each instance; other peaks add up. */
TEST(peaks_of_locks_are_bounded)
{
  sc_resource mutex = {.resource_class = SC_RESOURCE_MUTEX}, semaphore = {.resource_class = SC_RESOURCE_SEMAPHORE};
  assert_true(sc_usage_most_out(&mutex, 10, 1.002) == 1);
  assert_true(sc_usage_most_out(&mutex, 10, 4.03) == 5);
  assert_true(sc_usage_most_out(&mutex, 3, 40) == 3);
  assert_true(sc_usage_most_out(&mutex, 1e5, 1400) == 1e5); /* an estimate this large says little */
  assert_true(sc_usage_most_out(&mutex, 3, 0) == 3);
  assert_true(sc_usage_most_out(&semaphore, 3, 1) == 3);
  sc_resource spinlock = {.resource_class = SC_RESOURCE_SPINLOCK};
  assert_true(sc_usage_most_out(&spinlock, 10, 1.49) == 1 && sc_usage_most_out(&spinlock, 10, 1.5) == 2);
  assert_true(sc_usage_most_out(&mutex, 1000, 128) == ceil(128 * (1 + 3 / sqrt(512)))); /* three standard errors */
  assert_true(sc_usage_most_out(&mutex, 1000, 128.5) == 1000);
}

/* Of several processes the busiest instance is one of theirs, and its process has the hot ones. */
TEST_OF(sc_graph *graph, the_busiest_process_has_the_hot_ones)
{
  uint32_t a = mutex(graph, "a");
  struct sc_usage_extent one = extent(0, 3, 1e9, 2e9), two = extent(0, 3, 1e9, 2e9);
  one.busiest_seconds = 5, one.hot = 2, one.hot_seconds = 8, one.instances = 7;
  two.busiest_seconds = 4, two.hot = 3, two.hot_seconds = 9;
  assert_int_equal(sc_usage_occupy(graph, 0, a, 1, 1, &one), 0);
  assert_int_equal(sc_usage_occupy(graph, 0, a, 1, 1, &two), 0);
  size_t count;
  const sc_occupancy *row = sc_usage_occupancies(graph, 0, &count);
  assert_true(row->busiest_seconds == 5 && row->hot == 2 && row->hot_seconds == 8);
  assert_true(row->instances == 7 + 3); /* known, and as many as bits */
  sc_occupancy saved = {.resource = a, .busiest_seconds = 6, .hot = 1, .hot_seconds = 6, .peak = 4};
  for (int twice = 0; twice < 2; twice++)
    assert_int_equal(sc_usage_add_occupancy(graph, 0, &saved), 0);
  row = sc_usage_occupancies(graph, 0, &count);
  assert_true(row->busiest_seconds == 6 && row->hot == 1 && row->hot_seconds == 6 && row->peak == 8);
}

/* Peaks of processes add up while they live at a time; where nobody knows, always. */
TEST_OF(sc_graph *graph, whole_peaks_of_lives)
{
  uint32_t a = mutex(graph, "a");
  size_t count;
  assert_int_equal(sc_usage_peak(graph, 1, a, 3), 0);
  assert_int_equal(sc_usage_peak(graph, 1, a, 4), 0);
  assert_true(sc_usage_occupancies(graph, 1, &count)->peak == 7);
  static const uint64_t lives[][2] = {{1, 2}, {3, 6}, {4, 5}, {7, 8}};
  static const double peaks[] = {5, 3, 4, 6}, most[] = {5, 5, 7, 7};
  for (size_t i = 0; i < 4; i++) {
    sc_usage_begin_process(graph, 0, lives[i][0], lives[i][1]);
    assert_int_equal(sc_usage_peak(graph, 0, a, peaks[i]), 0);
    assert_true(sc_usage_occupancies(graph, 0, &count)->peak == most[i]);
  }
  assert_int_equal(sc_usage_peak(graph, 2, a, 1), SC_E_INTERNAL);
  assert_int_equal(sc_usage_occupy(graph, 0, a + 1, 1, 1, &(struct sc_usage_extent){0}), SC_E_INTERNAL);
}

TEST_OF(sc_graph *graph, rows_are_found_again)
{
  uint32_t a = mutex(graph, "a");
  sc_usage row = usage(1, a, "lock", 3), release = usage(1, a, "unlock", 0);
  release.event = SC_USAGE_EVENT_RELEASE, release.line = 12, release.column = 7;
  assert_int_equal(sc_usage_add(graph, 0, &row, NULL), 0);
  assert_int_equal(sc_usage_add(graph, 0, &release, NULL), 0);
  size_t count;
  const sc_usage *rows = sc_usage_rows(graph, 0, &count);
  assert_true(sc_usage_find(graph, 0, &rows[0]) == &rows[0] && sc_usage_find(graph, 0, &rows[1]) == &rows[1]);
  sc_usage other = rows[0];
  other.column = 5;
  assert_null(sc_usage_find(graph, 0, &other));
  assert_null(sc_usage_find(graph, 1, &rows[0])); /* another run has none */
  assert_null(sc_usage_find(graph, 2, &rows[0]));
  (void)sc_usage_rows(graph, 2, &count);
  assert_int_equal(count, 0);
  (void)sc_usage_pairs(graph, 2, &count);
  assert_int_equal(count, 0);
  (void)sc_usage_occupancies(graph, 2, &count);
  assert_int_equal(count, 0);
  assert_int_equal(sc_usage_telling_column(graph, 1, 12, 3), 0); /* a release doesn't obtain */
}

/* A hundred and more set fewer bits than they are. */
TEST_OF(sc_graph *graph, many_instances_are_estimated)
{
  uint32_t a = mutex(graph, "a");
  struct sc_usage_extent half = extent(0, 128, 0, 0);
  assert_int_equal(sc_usage_occupy(graph, 0, a, 1, 0, &half), 0);
  size_t count;
  assert_true(sc_usage_occupancies(graph, 0, &count)->instances == 177); /* 256 ln 2 */
  struct sc_usage_extent full = extent(0, 256, 0, 0);
  assert_int_equal(sc_usage_occupy(graph, 1, a, 1, 0, &full), 0);
  assert_true(sc_usage_occupancies(graph, 1, &count)->instances == 1420); /* at least: 256 ln 256 */
}

TEST_OF(sc_graph *graph, saved_occupancies_add_up)
{
  uint32_t own = mutex(graph, "own");
  uint32_t global = intern(graph, (sc_resource){.resource_class = SC_RESOURCE_OTHER, .name = "pool", .global = true});
  const sc_occupancy rows[] = {{own, 2, 1, 3, 4}, {global, 2, 1, 3, 4}, {own, 3, 1, 1, 2}, {global, 3, 1, 1, 2}};
  for (int i = 0; i < 4; i++)
    assert_int_equal(sc_usage_add_occupancy(graph, 0, &rows[i]), 0);
  size_t count;
  const sc_occupancy *all = sc_usage_occupancies(graph, 0, &count);
  assert_int_equal(count, 2);
  assert_true(all[0].instances == 5 && all[1].instances == 3);
  assert_true(all[0].threads == 2 && all[0].active_seconds == 4 && all[0].span_seconds == 4);
}

TEST_OF(sc_graph *graph, discarded_events)
{
  char via[] = "take";
  assert_int_equal(sc_usage_add_discarded(graph, &(sc_discarded_event){via, "pool", "never given back"}), 0);
  via[0] = '?';
  assert_int_equal(sc_usage_add_discarded(graph, &(sc_discarded_event){"take", "pool", "something else"}), 0);
  assert_int_equal(sc_usage_add_discarded(graph, &(sc_discarded_event){"take", "cache", "used first"}), 0);
  size_t count;
  const sc_discarded_event *all = sc_usage_discarded(graph, &count);
  assert_int_equal(count, 2);
  assert_string_equal(all[0].via, "take");
  assert_string_equal(all[0].why, "never given back");
  assert_true(sc_usage_is_discarded(graph, "take", "cache"));
  assert_false(sc_usage_is_discarded(graph, "give", "cache"));
}

/* What a later run shows to be wrong was wrong before, too. */
TEST_OF(sc_graph *graph, discarding_takes_rows_back)
{
  uint32_t a = mutex(graph, "a"), b = mutex(graph, "b"), number;
  const sc_usage rows[] = {usage(1, b, "lock", 1), usage(1, a, "lock", 2), usage(1, a, "trylock", 4),
                           usage(0, a, "lock", 8), usage(0, b, "lock", 16)};
  for (size_t run = 0; run < 2; run++)
    for (size_t i = 0; i < 5; i++)
      assert_int_equal(sc_usage_add(graph, run, &rows[i], NULL), 0);
  const sc_wait_pair pairs[] = {{0, 1, 1, 0}, {1, 0, 2, 0}, {4, 2, 4, 0}, {0, 3, 8, 0}, {0, SC_USAGE_NONE, 16, 0}};
  for (int i = 0; i < 5; i++)
    assert_int_equal(sc_usage_add_pair(graph, 1, &pairs[i]), 0);
  assert_int_equal(sc_usage_add_discarded(graph, &(sc_discarded_event){"lock", "a", "no lock"}), 0);
  size_t count;
  for (size_t run = 0; run < 2; run++) {
    const sc_usage *left = sc_usage_rows(graph, run, &count);
    assert_int_equal(count, 3);
    assert_true(left[0].values[SC_USAGE_ACQUIRES] == 1 && left[1].values[SC_USAGE_ACQUIRES] == 4 &&
                left[2].values[SC_USAGE_ACQUIRES] == 16);
  }
  const sc_wait_pair *left = sc_usage_pairs(graph, 1, &count);
  assert_int_equal(count, 2);
  assert_true(left[0].waiter == 0 && left[0].holder == SC_USAGE_NONE && left[0].waits == 25);
  assert_true(left[1].waiter == 2 && left[1].holder == 1 && left[1].waits == 4);
  assert_int_equal(sc_usage_add(graph, 0, &rows[4], &number), 0);
  assert_int_equal(number, 2);
  assert_true(sc_usage_rows(graph, 0, &count)[2].values[SC_USAGE_ACQUIRES] == 32);
}

/* 256 ln(256 / zeros): none, one, half of the bits, all but one, and all, which is taken for that. */
TEST(instances_are_counted_by_bits)
{
  uint64_t bits[SC_USAGE_BITMAP] = {0};
  assert_int_equal(SC_USAGE_BITMAP, 4);
  assert_true(sc_usage_instances(bits) == 0);
  bits[3] = 16;
  assert_true(sc_usage_instances(bits) == 1);
  bits[0] = bits[3] = UINT64_MAX;
  assert_true(sc_usage_instances(bits) == 177);
  bits[1] = bits[2] = UINT64_MAX;
  bits[2] ^= 1;
  assert_true(sc_usage_instances(bits) == 1420);
  bits[2] ^= 1;
  assert_true(sc_usage_instances(bits) == 1420);
}
