/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What calls that were caught make of a graph: known happenings, known rows. No rights are needed. */
#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "profiles/graph/usage.h"
#include "runner/process/caught.h"
#include "runner/process/uprobes_events.h"
#include "runner/text/tuning.h"

static const char set[] =
    "{\"schema_version\": 1, \"resources\": ["
    "{\"name\": \"slots\", \"class\": \"pool\", \"events\": ["
    "{\"function\": \"get\", \"event\": \"acquire\", \"unit\": {\"return\": true}, \"success\": \"nonzero\"},"
    "{\"function\": \"put\", \"event\": \"release\", \"unit\": {\"argument\": 1}},"
    "{\"function\": \"look\", \"event\": \"read\", \"unit\": {\"argument\": 0}, \"touches\": \"bytes\"}]},"
    "{\"name\": \"bytes\", \"class\": \"memory\", \"events\": ["
    "{\"function\": \"more\", \"event\": \"acquire\", \"units\": {\"argument\": [0, 1]}, \"success\": \"nonnegative\"},"
    "{\"function\": \"less\", \"event\": \"release\", \"units\": {\"return\": true}}]},"
    "{\"name\": \"big\", \"class\": \"lock\", \"events\": ["
    "{\"function\": \"lock\", \"event\": \"acquire\", \"unit\": {\"argument\": 0}, \"wait\": {\"when\": \"nonzero\"},"
    " \"shared\": {\"argument\": 1, \"equals\": -1}},"
    "{\"function\": \"unlock\", \"event\": \"release\", \"unit\": {\"argument\": 0}}]},"
    "{\"name\": \"door\", \"class\": \"lock\", \"events\": ["
    "{\"function\": \"open_door\", \"event\": \"acquire\", \"unit\": {\"argument\": 0}, \"wait\": {\"when\": "
    "\"nonzero\"}},"
    "{\"function\": \"close_door\", \"event\": \"release\", \"unit\": {\"argument\": 0}}]},"
    "{\"name\": \"night\", \"class\": \"pool\", \"events\": [{\"function\": \"rest\", \"event\": \"wait\"}]}]}";

enum { GET, PUT, LOOK, MORE, LESS, LOCK, UNLOCK, OPEN, CLOSE, REST, FUNCTIONS };

struct fixture {
  sc_uprobes_events events;
  sc_functions functions;
  sc_function list[FUNCTIONS];
  sc_caught *tallies;
  sc_graph *graph;
  size_t run;
  uint64_t now;
};

static void place_all(struct fixture *f, sc_uprobes_place *places)
{
  for (size_t i = 0; i < FUNCTIONS; i++)
    places[i] = (sc_uprobes_place){.function = (uint32_t)i};
  f->functions = (sc_functions){f->list, FUNCTIONS, FUNCTIONS};
  assert_int_equal(sc_probes_parse(&f->events.probes, set, strlen(set), "set.json"), 0);
  assert_int_equal(f->events.probes.event_count, FUNCTIONS);
}

static int begin(void **state)
{
  struct fixture *f = calloc(1, sizeof *f);
  sc_uprobes_place places[FUNCTIONS];
  const sc_run run = {.n = 1};
  *state = f;
  place_all(f, places);
  assert_int_equal(sc_uprobes_events_choose(&f->events, places, &f->functions), 0);
  assert_int_equal(f->events.uncaught.length, 0);
  f->tallies = sc_caught_new(&f->events.caught, FUNCTIONS);
  assert_non_null(f->tallies);
  assert_int_equal(sc_graph_new(&f->graph), 0);
  assert_int_equal(sc_graph_begin_run(f->graph, &run, &f->run), 0);
  f->now = 1000;
  return 0;
}

static int end(void **state)
{
  struct fixture *f = *state;
  sc_caught_free(f->tallies);
  sc_graph_free(f->graph);
  sc_uprobes_events_free(&f->events);
  free(f);
  return 0;
}

static void happen(struct fixture *f, unsigned kind, unsigned process, unsigned thread, unsigned function,
                   uint64_t began, uint64_t result, uint64_t first, uint64_t second)
{
  const struct scale_happened what = {.time = f->now += 100,
                                      .began = began,
                                      .process = process,
                                      .thread = thread,
                                      .kind = kind,
                                      .function = function,
                                      .result = result,
                                      .values = {first, second}};
  sc_caught_take(f->tallies, &what);
}

static void enter(struct fixture *f, unsigned thread, unsigned function, uint64_t first)
{
  happen(f, SCALE_HAPPENED_ENTRY, 1, thread, function, 0, 0, first, 0);
}

static void leave(struct fixture *f, unsigned thread, unsigned function, uint64_t result, uint64_t first,
                  uint64_t second)
{
  happen(f, SCALE_HAPPENED_RETURN, 1, thread, function, f->now, result, first, second);
}

static int one_context(void *user, uint32_t image, uint32_t function, uint32_t *context)
{
  const sc_location process = {.kind = SC_LOCATION_PROCESS, .name = "prog"};
  uint32_t location;
  (void)image, (void)function;
  SC_TRY(sc_graph_location(user, &process, &location));
  return sc_graph_context(user, 0, location, context);
}

static void add_all(struct fixture *f)
{
  assert_int_equal(sc_caught_add(f->tallies, f->graph, f->run, one_context, f->graph), 0);
}

static const sc_usage *row_of(struct fixture *f, const char *via, enum sc_usage_event event, bool shared)
{
  size_t count;
  const sc_usage *rows = sc_usage_rows(f->graph, f->run, &count);
  for (size_t i = 0; i < count; i++)
    if (strcmp(rows[i].via, via) == 0 && rows[i].shared == shared && rows[i].event == event)
      return &rows[i];
  fail_msg("no row of %s", via);
  return NULL;
}

#define assert_close(value, expected) assert_true(fabs((value) - (expected)) < 1e-15)
#define VALUE(row, name)              ((row)->values[SC_USAGE_##name])

TEST_WITH(units_are_held_once, begin, end)
{
  struct fixture *f = *state;
  leave(f, 1, GET, 0xa0, 0, 0);
  leave(f, 1, GET, 0, 0, 0); /* failed */
  enter(f, 2, PUT, 0xa0);    /* by another thread */
  enter(f, 1, PUT, 0xa0);    /* nobody has it */
  leave(f, 1, GET, 0xb0, 0, 0);
  leave(f, 1, GET, 0xb0, 0, 0); /* it was given back unseen */
  leave(f, 1, GET, 0xc0, 0, 0);
  enter(f, 1, LOOK, 0xc0);
  add_all(f);
  const sc_usage *get = row_of(f, "get", SC_USAGE_EVENT_ACQUIRE, false);
  const sc_usage *put = row_of(f, "put", SC_USAGE_EVENT_RELEASE, false);
  assert_close(VALUE(get, ACQUIRES), 4);
  assert_close(VALUE(get, FAILURES), 1);
  assert_close(VALUE(get, RETURNED), 2);
  assert_close(VALUE(get, UNSEEN), 1);
  assert_close(VALUE(get, PEAK), 2);
  assert_close(VALUE(get, HOLDS), 1);
  assert_close(VALUE(get, HOLD_SECONDS), 200e-9);
  assert_close(get->buckets[7], 1);
  assert_close(VALUE(put, RELEASES), 2);
  assert_close(VALUE(put, STRANGERS), 1);
  size_t count;
  assert_non_null(sc_usage_occupancies(f->graph, f->run, &count));
  assert_int_equal(count, 2);
  assert_close(sc_usage_occupancies(f->graph, f->run, &count)[0].instances, 3);
  assert_close(sc_usage_occupancies(f->graph, f->run, &count)[0].threads, 2);
}

TEST_WITH(amounts_are_added, begin, end)
{
  struct fixture *f = *state;
  leave(f, 1, MORE, 0, 10, 24);
  leave(f, 1, MORE, 0xffffffff, 10, 24); /* an int: -1 */
  leave(f, 1, LESS, 100, 0, 0);
  leave(f, 1, LESS, 1000, 0, 0);
  leave(f, 1, LESS, 5, 0, 0);
  add_all(f);
  const sc_usage *more = row_of(f, "more", SC_USAGE_EVENT_ACQUIRE, false);
  const sc_usage *less = row_of(f, "less", SC_USAGE_EVENT_RELEASE, false);
  assert_close(VALUE(more, ACQUIRES), 1);
  assert_close(VALUE(more, FAILURES), 1);
  assert_close(VALUE(more, UNITS), 240);
  assert_close(VALUE(more, RETURNED_UNITS), 240);
  assert_close(VALUE(less, UNITS_RELEASED), 245);
  assert_close(VALUE(less, STRANGERS), 1);
}

TEST_WITH(locks_recur_and_are_waited_for, begin, end)
{
  struct fixture *f = *state;
  enter(f, 1, LOCK, 8);
  leave(f, 1, LOCK, 0, 8, 0);
  enter(f, 1, LOCK, 8);
  leave(f, 1, LOCK, 0, 8, 0);
  enter(f, 2, OPEN, 16); /* thread 2 holds the door while it waits */
  leave(f, 2, OPEN, 0, 16, 0);
  enter(f, 2, LOCK, 8);
  uint64_t began = f->now;
  enter(f, 1, UNLOCK, 8);
  enter(f, 1, UNLOCK, 8);
  happen(f, SCALE_HAPPENED_RETURN, 1, 2, LOCK, began, 1, 8, 0);
  enter(f, 3, UNLOCK, 8); /* in its place */
  enter(f, 3, UNLOCK, 8); /* nobody has it */
  enter(f, 1, LOCK, 8);
  leave(f, 1, LOCK, 0, 8, 0xffffffff); /* shared */
  add_all(f);
  const sc_usage *lock = row_of(f, "lock", SC_USAGE_EVENT_ACQUIRE, false);
  const sc_usage *unlock = row_of(f, "unlock", SC_USAGE_EVENT_RELEASE, false);
  assert_close(VALUE(lock, ACQUIRES), 3);
  assert_close(VALUE(lock, RETURNED), 3);
  assert_close(VALUE(lock, HOLDS), 2);
  assert_close(VALUE(lock, WAITS), 1);
  assert_close(VALUE(lock, WAIT_SECONDS), 300e-9);
  assert_close(VALUE(unlock, RELEASES), 4);
  assert_close(VALUE(unlock, STRANGERS), 1);
  assert_close(VALUE(row_of(f, "lock", SC_USAGE_EVENT_ACQUIRE, true), ACQUIRES), 1);
  size_t count, rows;
  const sc_wait_pair *pairs = sc_usage_pairs(f->graph, f->run, &count);
  const sc_usage *all = sc_usage_rows(f->graph, f->run, &rows);
  assert_int_equal(count, 2);
  assert_string_equal(all[pairs[0].waiter].via, "lock");
  assert_string_equal(all[pairs[0].holder].via, "lock");
  assert_close(pairs[0].waits, 1);
  assert_true(sc_usage_pair_nested(f->graph, all, &pairs[1]));
  assert_string_equal(all[pairs[1].holder].via, "open_door");
}

/* What one process has is not another one's, and a child has nothing of its parent's. */
TEST_WITH(processes_are_apart, begin, end)
{
  struct fixture *f = *state;
  leave(f, 1, GET, 0xa0, 0, 0);
  happen(f, SCALE_HAPPENED_BEGIN, 2, 2, 0, 0, 0, 0, 0);
  happen(f, SCALE_HAPPENED_ENTRY, 2, 2, PUT, 0, 0, 0xa0, 0);
  happen(f, SCALE_HAPPENED_END, 2, 2, 0, 0, 0, 0, 0);
  happen(f, SCALE_HAPPENED_BEGIN, 2, 2, 0, 0, 0, 0, 0); /* the number again */
  happen(f, SCALE_HAPPENED_RETURN, 2, 2, GET, f->now, 0xa0, 0, 0);
  happen(f, SCALE_HAPPENED_END, 2, 2, 0, 0, 0, 0, 0);
  enter(f, 1, PUT, 0xa0);
  add_all(f);
  assert_close(VALUE(row_of(f, "put", SC_USAGE_EVENT_RELEASE, false), STRANGERS), 1);
  assert_close(VALUE(row_of(f, "get", SC_USAGE_EVENT_ACQUIRE, false), ACQUIRES), 2);
  sc_caught_clear(f->tallies);
  assert_int_equal(sc_graph_begin_run(f->graph, &(sc_run){.n = 2}, &f->run), 0);
  add_all(f);
  size_t count;
  (void)sc_usage_rows(f->graph, f->run, &count);
  assert_int_equal(count, 0);
}

/* A call that does not tell whether it waited has where it was delayed. */
TEST_WITH(who_was_delayed_has_waited, begin, end)
{
  struct fixture *f = *state;
  static const struct {
    uint64_t took;
    unsigned switches;
  } calls[] = {{3999, 1}, {4000, 0}, {4000, 1}, {99999, 0}, {100000, 0}}; /* the third and the last one waited */
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
    const uint64_t began = f->now;
    f->now += calls[i].took;
    const struct scale_happened back = {.time = f->now,
                                        .began = began,
                                        .process = 1,
                                        .thread = 1,
                                        .kind = SCALE_HAPPENED_RETURN,
                                        .function = REST,
                                        .switches = calls[i].switches,
                                        .result = 1};
    sc_caught_take(f->tallies, &back);
  }
  add_all(f);
  const sc_usage *rest = row_of(f, "rest", SC_USAGE_EVENT_WAIT, false);
  assert_close(VALUE(rest, WAITS), 2);
  assert_close(VALUE(rest, WAIT_SECONDS), 104e-6);
}

TEST_WITH(unread_values_are_lost, begin, end)
{
  struct fixture *f = *state;
  const struct scale_happened what = {
      .time = 5, .process = 1, .thread = 1, .kind = SCALE_HAPPENED_ENTRY, .function = PUT, .unread = 1};
  sc_caught_take(f->tallies, &what);
  assert_int_equal(sc_caught_lost(f->tallies), 1);
  struct scale_happened back = what; /* which another event of the function asks for: nothing more is lost */
  back.kind = SCALE_HAPPENED_RETURN;
  sc_caught_take(f->tallies, &back);
  assert_int_equal(sc_caught_lost(f->tallies), 1);
  const struct scale_happened strange = {.time = 5, .process = 1, .kind = SCALE_HAPPENED_ENTRY, .function = 1000};
  sc_caught_take(f->tallies, &strange);
}

/* ---- choosing ---- */

static int choose(struct fixture *f, const sc_uprobes_place *places)
{
  return sc_uprobes_events_choose(&f->events, places, &f->functions);
}

/* ---- a process that was there before ---- */

TEST_WITH(what_was_acquired_before_is_no_event_of_the_run, begin, end)
{
  struct fixture *f = *state;
  sc_caught_set_running(f->tallies);
  enter(f, 1, PUT, 0xa0); /* got before anybody looked */
  enter(f, 1, PUT, 0xa0); /* twice is once too often */
  leave(f, 1, GET, 0xb0, 0, 0);
  enter(f, 1, PUT, 0xb0);
  enter(f, 1, PUT, 0xb0); /* the same: its acquire was seen */
  enter(f, 1, UNLOCK, 0x10);
  leave(f, 1, LOCK, 0, 0x10, 0);
  enter(f, 1, UNLOCK, 0x10);
  assert_int_equal(sc_caught_earlier(f->tallies), 2);
  assert_int_equal(sc_caught_lost(f->tallies), 0);
  add_all(f);
  const sc_usage *put = row_of(f, "put", SC_USAGE_EVENT_RELEASE, false);
  assert_close(VALUE(put, RELEASES), 3);
  assert_close(VALUE(put, STRANGERS), 2);
  const sc_usage *unlock = row_of(f, "unlock", SC_USAGE_EVENT_RELEASE, false);
  assert_close(VALUE(unlock, RELEASES), 1);
  assert_close(VALUE(unlock, STRANGERS), 0);
}

TEST_WITH(units_may_have_been_acquired_before_any_number_of_times, begin, end)
{
  struct fixture *f = *state;
  sc_caught_set_running(f->tallies);
  leave(f, 1, MORE, 0, 5, 1);
  leave(f, 1, LESS, 5, 0, 0);
  leave(f, 1, LESS, 3, 0, 0); /* of units without identity nobody can tell */
  leave(f, 1, LESS, 3, 0, 0);
  assert_int_equal(sc_caught_earlier(f->tallies), 2);
  add_all(f);
  assert_close(VALUE(row_of(f, "less", SC_USAGE_EVENT_RELEASE, false), STRANGERS), 0);
  assert_close(VALUE(row_of(f, "more", SC_USAGE_EVENT_ACQUIRE, false), RETURNED_UNITS), 5);
}

TEST_WITH(a_part_of_the_window_stands_for_all_of_it, begin, end)
{
  struct fixture *f = *state;
  leave(f, 1, GET, 0xa0, 0, 0);
  enter(f, 1, PUT, 0xa0);
  leave(f, 1, GET, 0xb0, 0, 0);
  sc_caught_set_scale(f->tallies, 2.5);
  add_all(f);
  const sc_usage *get = row_of(f, "get", SC_USAGE_EVENT_ACQUIRE, false);
  assert_close(VALUE(get, ACQUIRES), 5);
  assert_close(VALUE(get, RETURNED), 3); /* 2.5 */
  assert_close(VALUE(get, PEAK), 1);     /* what is out at a time does not grow with the window */
  assert_close(VALUE(get, HOLD_SECONDS), 2.5 * 1e-7);
  size_t count;
  const sc_occupancy *occupancy = sc_usage_occupancies(f->graph, f->run, &count);
  assert_int_equal(count, 1);
  assert_close(occupancy->active_seconds, 2.5 * 2e-7);
  assert_close(occupancy->span_seconds, 2.5 * 2e-7);
}

TEST_WITH(instances_are_told_apart_up_to_a_limit, begin, end)
{
  struct fixture *f = *state;
  for (uint64_t i = 1; i < SC_CAUGHT_MOST; i++) /* one more is of the bytes that it touches */
    enter(f, 1, LOOK, i);
  assert_int_equal(sc_caught_lost(f->tallies), 0);
  enter(f, 1, LOOK, SC_CAUGHT_MOST);
  assert_int_equal(sc_caught_lost(f->tallies), 1);
  enter(f, 1, LOOK, 1); /* those that are known stay so */
  assert_int_equal(sc_caught_lost(f->tallies), 1);
}

TEST(what_cannot_be_caught_is_said)
{
  struct fixture f = {0};
  sc_uprobes_place places[FUNCTIONS];
  place_all(&f, places);
  places[PUT] = (sc_uprobes_place){.function = UINT32_MAX, .why = "no such function"};
  f.list[MORE].copied = true;
  f.list[LOCK].values = (sc_values){.known = true, .result_bytes = 4, .count = 2, .arguments = {{1, 8}, {0, 4}}};
  places[CLOSE].harm = "it would harm"; /* nothing of it is needed after the call */
  places[OPEN].harm = "seeing it return would break exceptions of its file";
  assert_int_equal(choose(&f, places), 0);
  assert_int_equal(f.events.caught.count, 3); /* of the big lock, and the rest */
  assert_string_equal(f.events.uncaught.text,
                      "acquire: others of its resource are not\tget\tslots\t0\n"
                      "release: no such function\tput\tslots\t0\n"
                      "read: others of its resource are not\tlook\tslots\t0\n"
                      "acquire: the compiler made a copy of it with other arguments\tmore\tbytes\t0\n"
                      "release: others of its resource are not\tless\tbytes\t0\n"
                      "acquire: seeing it return would break exceptions of its file\topen_door\tdoor\t0\n"
                      "release: others of its resource are not\tclose_door\tdoor\t0\n");
  const struct scale_capture *lock = &f.events.captures[LOCK];
  assert_int_equal(lock->tells, SCALE_TELLS_ENTRY | SCALE_TELLS_RETURN);
  assert_int_equal(lock->values, 2);
  assert_int_equal(lock->value[0].argument, 1); /* by debug information in the second register */
  assert_int_equal(f.events.captures[UNLOCK].tells, SCALE_TELLS_ENTRY);
  sc_uprobes_events_free(&f.events);
}

TEST(nothing_is_an_error)
{
  struct fixture f = {0};
  sc_uprobes_place places[FUNCTIONS];
  place_all(&f, places);
  for (size_t i = 0; i < FUNCTIONS; i++)
    places[i] = (sc_uprobes_place){.function = UINT32_MAX, .why = "no such symbol"};
  assert_int_equal(choose(&f, places), SC_E_INPUT);
  sc_uprobes_events_free(&f.events);
}
