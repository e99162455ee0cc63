/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#define BUILDER_ARENA 8192
#include "profiles/graph/usage.h"
#include "profiles/scprof/validate.h"
#include "scprof_builder.h"

enum { GET, LOOK, CHANGE, PUT, WAIT, PEEK, TAKE, EVENTS, ROOM = 100, MOST = 2 };

/* Up to two processes with two threads each; their ticks are nanoseconds. */
struct fixture {
  struct builder b[MOST];
  char path[MOST][64];
  uint64_t tallies[MOST][2][EVENTS], rings[MOST][2];
  uint64_t now;
  sc_graph *graph;
};

static void build(struct fixture *f, int process, uint32_t resource_class, uint32_t flags)
{
  struct builder *b = &f->b[process];
  builder_free(b);
  builder_begin(b, "/usr/bin/demo", "demo", 5);
  builder_clock(b, 0, 1000000, 1);
  ((struct scale_header *)builder_at(b, 0))->pid = (uint32_t)(42 + process);
  static const struct {
    uint32_t event;
    const char *via;
  } events[EVENTS] = {[GET] = {SCALE_EVENT_ACQUIRE, "get"},     [LOOK] = {SCALE_EVENT_READ, "look"},
                      [CHANGE] = {SCALE_EVENT_WRITE, "change"}, [PUT] = {SCALE_EVENT_RELEASE, "put"},
                      [WAIT] = {SCALE_EVENT_WAIT, "wait_for"},  [PEEK] = {SCALE_EVENT_RELEASE, "peek"},
                      [TAKE] = {SCALE_EVENT_ACQUIRE, "take"}};
  struct builder_event sites[EVENTS];
  for (uint32_t i = 0; i < EVENTS; i++)
    sites[i] = (struct builder_event){resource_class, events[i].event, 0, events[i].via, "pool", NULL, 0, i, flags, 0};
  struct builder_loc loc = {0, SCALE_LOC_FUNCTION, 7, 0, 0, 0, "main", "demo.c", {0}};
  uint32_t number = builder_function_events(b, &loc, 1, NULL, 0, 0, sites, EVENTS);
  for (uint32_t thread = 0; thread < 2; thread++) {
    uint64_t node = builder_root(b, builder_arena(b), number, 1);
    for (uint32_t i = 0; i < EVENTS; i++)
      f->tallies[process][thread][i] = builder_tally(b, node, number, i, 0);
  }
  for (uint32_t thread = 0; thread < 2; thread++)
    f->rings[process][thread] = builder_ring(b, thread, ROOM);
}

static int set_up(void **state)
{
  struct fixture *f = calloc(1, sizeof *f);
  for (int i = 0; i < MOST; i++) {
    snprintf(f->path[i], sizeof f->path[i], "/tmp/scale-validate-XXXXXX");
    close(mkstemp(f->path[i]));
  }
  build(f, 0, SCALE_CLASS_OTHER, SCALE_SITE_PROBE);
  assert_int_equal(sc_graph_new(&f->graph), 0);
  f->now = 1000000;
  *state = f;
  return 0;
}

static int tear_down(void **state)
{
  struct fixture *f = *state;
  for (int i = 0; i < MOST; i++) {
    unlink(f->path[i]);
    builder_free(&f->b[i]);
  }
  sc_graph_free(f->graph);
  free(f);
  return 0;
}

static void happens(struct fixture *f, int process, uint32_t thread, int event, uint64_t identity, uint32_t units)
{
  static const uint32_t kinds[EVENTS] = {
      [GET] = SCALE_EVENT_ACQUIRE, [LOOK] = SCALE_EVENT_READ, [CHANGE] = SCALE_EVENT_WRITE,
      [PUT] = SCALE_EVENT_RELEASE, [WAIT] = SCALE_EVENT_WAIT, [PEEK] = SCALE_EVENT_RELEASE,
      [TAKE] = SCALE_EVENT_ACQUIRE};
  builder_tally_at(&f->b[process], f->tallies[process][thread][event])->acquires = 1;
  builder_trace(&f->b[process], f->rings[process][thread], f->now += 1000, f->tallies[process][thread][event],
                kinds[event], identity, units);
}

/* In the first process, events one after another by one thread, of one unit. */
#define HAPPEN(f, thread, identity, ...)                               \
  do {                                                                 \
    const int happens_[] = {__VA_ARGS__};                              \
    for (size_t i_ = 0; i_ < sizeof happens_ / sizeof *happens_; i_++) \
      happens(f, 0, thread, happens_[i_], identity, 1);                \
  } while (0)

static const sc_discarded_event *validate(struct fixture *f, int processes, size_t expected)
{
  sc_reader *readers[MOST];
  size_t count;
  for (int i = 0; i < processes; i++) {
    builder_seal(&f->b[i]);
    builder_write(&f->b[i], f->path[i]);
    unit_ok(sc_reader_open(f->path[i], &readers[i]));
  }
  unit_ok(sc_validate_profiles(readers, (size_t)processes, f->graph));
  for (int i = 0; i < processes; i++)
    sc_reader_close(readers[i]);
  const sc_discarded_event *all = sc_usage_discarded(f->graph, &count);
  if (count != expected)
    fail_msg("%zu are discarded instead of %zu: %s: %s", count, expected, count ? all[0].via : "",
             count ? all[0].why : "");
  return all;
}

static void expect(struct fixture *f, const char *via, const char *why)
{
  const sc_discarded_event *event = validate(f, 1, 1);
  assert_string_equal(event->via, via);
  assert_string_equal(event->resource, "pool");
  assert_string_equal(event->why, why);
}

FIXTURE_TEST(a_life_in_order)
{
  for (uint64_t i = 1; i <= 5; i++) {
    HAPPEN(f, 0, i, GET, LOOK, CHANGE, PUT);
    HAPPEN(f, 0, i, GET, PUT); /* again */
    HAPPEN(f, 0, 100 + i, GET, LOOK);
    HAPPEN(f, 1, 100 + i, LOOK, PUT); /* handed over */
  }
  validate(f, 1, 0);
}

FIXTURE_TEST(a_release_that_is_none)
{
  for (uint64_t i = 1; i <= 5; i++)
    HAPPEN(f, 0, i, GET, LOOK, PEEK, LOOK, CHANGE, PUT);
  expect(f, "peek", "5 of 5 times the same thread used the unit again after peek had released it");
}

FIXTURE_TEST(uses_before)
{
  for (uint64_t i = 1; i <= 5; i++)
    HAPPEN(f, 0, i, CHANGE, GET, LOOK, PUT);
  /* the second life: used after the release, by the use of the next */
  expect(f, "change", "5 of 5 times nobody had acquired the unit that change used");
}

FIXTURE_TEST(releases_of_nothing)
{
  for (uint64_t i = 1; i <= 5; i++)
    HAPPEN(f, 0, i, GET, LOOK, PUT, PEEK);
  expect(f, "peek", "5 of 5 times nobody had acquired the unit that peek released");
}

FIXTURE_TEST(acquires_of_what_is_held)
{
  for (uint64_t i = 1; i <= 5; i++)
    HAPPEN(f, 0, i, GET, TAKE, LOOK, PUT);
  expect(f, "take",
         "5 of 5 times the unit that take acquired was held already; if several may hold it, the event has to say that "
         "it is shared");
}

FIXTURE_TEST(shared_units_and_recursive_locks)
{
  build(f, 0, SCALE_CLASS_OTHER, SCALE_SITE_PROBE | SCALE_SITE_SHARED);
  for (uint64_t i = 1; i <= 5; i++) {
    HAPPEN(f, 0, i, GET, TAKE);
    HAPPEN(f, 1, i, GET, LOOK, PUT);
    HAPPEN(f, 0, i, PUT, LOOK, PUT);
  }
  validate(f, 1, 0);
  build(f, 0, SCALE_CLASS_MUTEX, SCALE_SITE_PROBE);
  for (uint64_t i = 1; i <= 5; i++)
    HAPPEN(f, 0, i, GET, TAKE, LOOK, PUT, LOOK, PUT);
  validate(f, 1, 0);
  build(f, 0, SCALE_CLASS_MUTEX, SCALE_SITE_PROBE);
  for (uint64_t i = 1; i <= 5; i++) {
    HAPPEN(f, 0, i, GET);
    HAPPEN(f, 1, i, TAKE, PUT); /* a lock that two threads hold */
  }
  assert_string_equal(validate(f, 1, 1)->via, "take");
}

/* One of ten, or two of twenty, may be due to what nobody saw. */
FIXTURE_TEST(a_tenth_is_forgiven)
{
  for (uint64_t i = 0; i < 18; i++)
    HAPPEN(f, 0, 1, GET, PUT);
  HAPPEN(f, 0, 1, PUT, PUT);
  validate(f, 1, 0);
  HAPPEN(f, 0, 1, PUT);
  expect(f, "put", "3 of 21 times nobody had acquired the unit that put released");
}

FIXTURE_TEST(once_is_never)
{
  HAPPEN(f, 0, 1, PUT, GET);
  validate(f, 1, 0);
}

/* The runtime says that it missed two events. */
FIXTURE_TEST(lost_events_are_forgiven)
{
  ((struct scale_header *)builder_at(&f->b[0], 0))->lost_events = 2;
  HAPPEN(f, 0, 1, GET, PUT, PUT, PUT, PUT);
  validate(f, 1, 0);
  HAPPEN(f, 0, 1, PUT);
  validate(f, 1, 1);
}

FIXTURE_TEST(waits_for_somebody)
{
  for (uint64_t i = 1; i <= 5; i++) {
    HAPPEN(f, 0, i, GET);
    f->now += 50000;
    HAPPEN(f, 0, i, PUT);
    happens(f, 0, 1, WAIT, 0, 40); /* any unit of the pool would do */
    HAPPEN(f, 1, i, GET, PUT);
  }
  validate(f, 1, 0);
}

FIXTURE_TEST(waits_for_nobody)
{
  for (uint64_t i = 1; i <= 5; i++) {
    HAPPEN(f, 0, i, GET, PUT);
    f->now += 50000; /* long after */
    happens(f, 0, 1, WAIT, 0, 40);
    HAPPEN(f, 1, i, GET);
    happens(f, 0, 1, WAIT, 0, 0); /* less than half of them */
    HAPPEN(f, 1, i, PUT);
    f->now += 50000;
    happens(f, 0, 1, WAIT, 0, 1);
  }
  expect(f, "wait_for", "15 of 15 times nobody else had the resource while wait_for waited for it");
}

FIXTURE_TEST(waits_of_no_time)
{
  HAPPEN(f, 0, 1, GET);
  for (uint32_t i = 0; i < 5; i++)
    happens(f, 0, 1, WAIT, 1, i / 3);
  expect(f, "wait_for", "3 of 5 waits in wait_for took less than a microsecond");
}

/* One alone shows nothing, and half of them may be short. The other thread has the unit. */
FIXTURE_TEST(half_of_the_waits_may_be_short)
{
  HAPPEN(f, 1, 1, GET);
  happens(f, 0, 0, WAIT, 1, 0);
  validate(f, 1, 0);
  happens(f, 0, 0, WAIT, 1, 1);
  validate(f, 1, 0);
  happens(f, 0, 0, WAIT, 1, 0);
  expect(f, "wait_for", "2 of 3 waits in wait_for took less than a microsecond");
}

/* What happens at one time happens in the order of the threads. */
FIXTURE_TEST(equal_times_are_in_order)
{
  for (uint64_t i = 1; i <= 5; i++) {
    HAPPEN(f, 0, i, GET);
    f->now -= 1000;
    HAPPEN(f, 1, i, PUT);
  }
  validate(f, 1, 0);
}

FIXTURE_TEST(idling_needs_no_holder)
{
  build(f, 0, SCALE_CLASS_OTHER, SCALE_SITE_PROBE | SCALE_SITE_IDLE);
  HAPPEN(f, 0, 1, GET, PUT);
  for (uint32_t i = 0; i < 5; i++)
    happens(f, 0, 1, WAIT, 0, 1);
  validate(f, 1, 0);
}

/* Units without identity: as many as there are. */
FIXTURE_TEST(counted_units)
{
  for (uint32_t i = 0; i < 5; i++) {
    happens(f, 0, 0, GET, 0, 10);
    happens(f, 0, 0, TAKE, 0, 5);
    for (uint32_t k = 0; k < 5; k++)
      happens(f, 0, 1, PUT, 0, 3);
  }
  validate(f, 1, 0);
  happens(f, 0, 1, PUT, 0, 1);
  for (uint32_t i = 0; i < 9; i++)
    happens(f, 0, 1, PUT, 0, 1);
  expect(f, "put", "10 of 35 times nobody had acquired the unit that put released");
}

/* References to one thing: as many are given back at once. */
FIXTURE_TEST(counted_references)
{
  build(f, 0, SCALE_CLASS_OTHER, SCALE_SITE_PROBE | SCALE_SITE_SHARED);
  for (uint32_t i = 0; i < 5; i++) {
    HAPPEN(f, 0, 7, GET, GET, LOOK);
    HAPPEN(f, 1, 7, TAKE);
    happens(f, 0, 1, PUT, 7, i % 2 ? 3 : UINT32_MAX);
  }
  validate(f, 1, 0);
  for (uint32_t i = 0; i < 5; i++)
    HAPPEN(f, 0, 7, PUT);
  expect(f, "put", "5 of 10 times nobody had acquired the unit that put released");
}

/* When the trace begins, others may share the lock: only who has it alone tells that nobody does. */
FIXTURE_TEST(readers_from_before)
{
  build(f, 0, SCALE_CLASS_RWLOCK, SCALE_SITE_PROBE | SCALE_SITE_SHARED);
  ((struct scale_header *)builder_at(&f->b[0], 0))->forked = 1;
  HAPPEN(f, 0, 7, GET);
  for (uint32_t i = 0; i < 4; i++)
    HAPPEN(f, 1, 7, PUT);
  validate(f, 1, 0);
  build(f, 0, SCALE_CLASS_RWLOCK, SCALE_SITE_PROBE);
  ((struct scale_header *)builder_at(&f->b[0], 0))->forked = 1;
  HAPPEN(f, 0, 7, GET);
  for (uint32_t i = 0; i < 4; i++)
    HAPPEN(f, 1, 7, PUT);
  expect(f, "put", "3 of 4 times nobody had acquired the unit that put released");
}

/* What was overwritten may have been the acquires. */
FIXTURE_TEST(overwritten_history)
{
  for (uint64_t i = 0; i < ROOM + 10; i++)
    HAPPEN(f, 1, 1000 + i, GET);
  for (uint64_t i = 0; i < 10; i++)
    HAPPEN(f, 0, 1000 + i, LOOK, PUT);
  validate(f, 1, 0);
  for (uint64_t i = 0; i < 10; i++)
    HAPPEN(f, 0, 1000 + i, PUT); /* but that these are free now is known */
  expect(f, "put", "10 of 20 times nobody had acquired the unit that put released");
}

FIXTURE_TEST(a_thread_without_trace)
{
  for (uint64_t i = 1; i <= 5; i++)
    HAPPEN(f, 0, i, PUT, LOOK, GET);
  builder_tally_at(&f->b[0], f->tallies[0][1][GET])->acquires = 7;
  struct scale_chunk *chunk = builder_at(&f->b[0], f->rings[0][1]);
  chunk->arena = 0;
  validate(f, 1, 0);
  chunk->arena = 1;
  validate(f, 1, 1);
}

FIXTURE_TEST(what_a_child_inherits)
{
  struct scale_header *header = builder_at(&f->b[0], 0);
  header->forked = 1;
  for (uint64_t i = 1; i <= 5; i++)
    HAPPEN(f, 0, i, LOOK, PUT);
  HAPPEN(f, 0, 9, GET);
  validate(f, 1, 0);
  header->forked = 0;
  assert_int_equal(header->lost_events, 0);
  assert_string_equal(validate(f, 1, 2)->why, "5 of 5 times nobody had acquired the unit that look used");
}

/* Built-in events are known to be right. */
FIXTURE_TEST(only_claims_are_checked)
{
  build(f, 0, SCALE_CLASS_MUTEX, 0);
  for (uint64_t i = 1; i <= 5; i++)
    HAPPEN(f, 0, i, PUT, LOOK, GET, GET);
  validate(f, 1, 0);
}

static void between_processes(struct fixture *f, uint32_t flags)
{
  f->now = 1000000;
  for (int i = 0; i < MOST; i++)
    build(f, i, SCALE_CLASS_RWLOCK, SCALE_SITE_PROBE | flags);
  for (uint64_t i = 1; i <= 5; i++) {
    happens(f, 0, 0, GET, i, 1);
    f->now += 50000;
    happens(f, 0, 0, PUT, i, 1);
    happens(f, 1, 0, WAIT, i, 40);
    happens(f, 1, 0, GET, i, 1);
    happens(f, 1, 0, PUT, i, 1);
  }
}

FIXTURE_TEST(processes_share_what_is_global)
{
  between_processes(f, SCALE_SITE_GLOBAL);
  validate(f, 2, 0);
  happens(f, 0, 0, GET, 7, 1);
  happens(f, 1, 0, PUT, 7, 1);
  validate(f, 2, 0);
  between_processes(f, 0);
  assert_string_equal(validate(f, 2, 1)->via, "wait_for");
}

FIXTURE_TEST(no_trace_no_verdict)
{
  f->b[0].size = f->rings[0][0];
  f->b[0].ring_count = 0;
  validate(f, 1, 0);
}
