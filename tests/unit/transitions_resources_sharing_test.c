/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which threads of a lock read, which write, and who gives back at intervals: counted by hand. */
#include "unit.h"

#include "transitions/model/data.h"
#include "transitions/model/tuning.h"
#include "transitions/resources/givers.h"
#include "transitions/resources/sharing.h"
#include "transitions_resources_made.h"

static const sc_resource kinds[] = {{SC_RESOURCE_RWLOCK, "table", "a.c", 1}, {SC_RESOURCE_MUTEX, "log", "a.c", 2}};

enum { RUNS = 4, ROLES = 17 };

/* Two sizes, each in two runs; functions that threads begin in. */
typedef struct scene {
  made_resources *m;
  sc_analysis analysis;
  size_t runs[RUNS];
  uint32_t process;
} scene;

static scene *begin(void)
{
  scene *s = calloc(1, sizeof *s);
  assert_non_null(s);
  s->m = made_new(kinds, 2, 2, 2);
  for (size_t run = 0; run < RUNS; run++) {
    sc_run one = {.n = s->m->run_sizes[run], .role = SC_RUN_TRAINING, .repeat = run % 2};
    assert_int_equal(sc_graph_begin_run(s->m->graph, &one, &s->runs[run]), 0);
    made_sum(s->m, 0, run, SC_RSUM_SHARED_ACQUIRES, 100);
  }
  sc_location process = {.kind = SC_LOCATION_PROCESS, .name = "program", .file = ""};
  s->process = scene_context(s->m->graph, 0, &process);
  s->m->r.graph_runs = s->analysis.runs = s->runs;
  s->m->r.analysis = &s->analysis;
  return s;
}

static void end(scene *s)
{
  made_free(s->m);
  free(s);
}

/* As many threads begin in a function, in each of the runs. */
static uint32_t threads_of(scene *s, const char *name, const double *threads)
{
  sc_location location = {.kind = SC_LOCATION_FUNCTION, .name = name, .file = "a.c", .line = 1};
  uint32_t context = scene_context(s->m->graph, s->process, &location);
  for (size_t run = 0; run < RUNS; run++)
    assert_int_equal(sc_graph_add(s->m->graph, run, context, SC_METRIC_COUNT, threads[run]), 0);
  return context;
}

static void use(scene *s, size_t run, uint32_t context, uint32_t resource, sc_usage usage)
{
  uint32_t index;
  usage.context = context;
  usage.resource = resource;
  usage.via = "lock";
  usage.line = usage.shared ? 20 : 10;
  if (!usage.event)
    usage.event = SC_USAGE_EVENT_ACQUIRE;
  assert_int_equal(sc_usage_add(s->m->graph, run, &usage, &index), 0);
}

static sc_usage taken(bool shared, double acquires, double waited, double held)
{
  return (sc_usage){.shared = shared,
                    .values = {[SC_USAGE_ACQUIRES] = acquires,
                               [SC_USAGE_WAITS] = waited > 0,
                               [SC_USAGE_WAIT_SECONDS] = waited,
                               [SC_USAGE_HOLD_SECONDS] = held}};
}

/* Threads that touch the lock, and for how long all of them are active. */
static void touch(scene *s, size_t run, double threads, double active)
{
  *made_occupancy(s->m, 0, run) = (sc_occupancy){0, 1, threads, active, active, 0};
}

/* Two, then three of the threads write (two and four), three, then six read (five and seven). A third function only
 * takes the other lock. */
static scene *table_of(bool writers_stay, bool readers_stay)
{
  const double few[] = {2, 2, writers_stay ? 1 : 2, writers_stay ? 3 : 4}, many[] = {3, 3, 5, readers_stay ? 1 : 7};
  const double idle[] = {9, 9, 9, 9};
  scene *s = begin();
  uint32_t write = threads_of(s, "write", few), read = threads_of(s, "read", many), log = threads_of(s, "log", idle);
  static const struct {
    sc_usage write, read;
    double active;
  } runs[RUNS] = {{{0}, {0}, 500}, {{0}, {0}, 500}, {{0}, {0}, 90}, {{0}, {0}, 72}};
  for (size_t run = 0; run < RUNS; run++) {
    bool second = run == 3;
    use(s, run, write, 0, run < 2 ? taken(false, 7, 0, 70) : taken(false, second ? 60 : 40, second ? 0.5 : 1.5, 2));
    use(s, run, read, 0, run < 2 ? taken(true, 7, 0, 70) : taken(true, 100, second ? 1 : 3, 5));
    use(s, run, log, 1, taken(false, 1000, 30, 30));
    touch(s, run, few[run] + many[run], runs[run].active);
  }
  sc_rsharing_find(&s->m->r);
  return s;
}

TEST(threads_are_told_apart_by_what_they_do)
{
  scene *s = table_of(false, false);
  const sc_rsharing *found = &s->m->cells[0].sharing;
  unit_near(found->writers, 3);
  unit_near(found->readers, 6);
  unit_near(found->threads, 9);
  assert_true(found->both == 0 && !found->writers_stay && !found->readers_stay);
  double active = (90.0 + 72) / 9; /* of one thread */
  unit_near(found->writer_think, (3 * active - 2 - 4) / 100);
  unit_near(found->reader_cycle, (6 * active - 4) / 200);
  assert_true(s->m->cells[1].sharing.threads == 0); /* which nobody shares */
  assert_true(sc_rsharing_apart(&s->m->cells[0]) && !sc_rsharing_apart(&s->m->cells[1]));
  end(s);
  for (int which = 0; which < 4; which++) {
    s = table_of(which & 1, which & 2);
    assert_true(s->m->cells[0].sharing.writers_stay == ((which & 1) != 0));
    assert_true(s->m->cells[0].sharing.readers_stay == ((which & 2) != 0));
    end(s);
  }
}

/* Two threads write, two read, and three do both. */
TEST(who_does_both_is_counted_once)
{
  const double two[] = {2, 2, 2, 2}, three[] = {3, 3, 3, 3};
  scene *s = begin();
  uint32_t write = threads_of(s, "write", two), read = threads_of(s, "read", two), both = threads_of(s, "both", three);
  for (size_t run = 0; run < RUNS; run++) {
    use(s, run, write, 0, (sc_usage){.values = {[SC_USAGE_FAILURES] = 1}}); /* who only tries */
    use(s, run, read, 0, (sc_usage){.shared = true, .values = {[SC_USAGE_WAITS] = 1}});
    use(s, run, both, 0, taken(true, 5, 0, 1));
    use(s, run, both, 0, taken(false, 5, 0, 1));
    touch(s, run, 7, 700);
  }
  sc_rsharing_find(&s->m->r);
  const sc_rsharing *found = &s->m->cells[0].sharing;
  unit_near(found->writers, 5);
  unit_near(found->readers, 5);
  unit_near(found->both, 3);
  unit_near(found->threads, 7);
  assert_true(found->writers_stay && found->readers_stay && found->writer_think == 0 && found->reader_cycle == 0);
  assert_false(sc_rsharing_apart(&s->m->cells[0]));
  unit_near(sc_rsharing_both(&s->m->cells[0]), 0.6);
  end(s);
}

/* Without a reader, or with threads that touch it beside those that begin there, nothing is known. */
TEST(what_does_not_add_up_is_not_known)
{
  static const struct {
    bool reads, writes, shared, exclusive;
    enum sc_usage_event event;
    double touched;
    bool known;
  } cases[] = {{1, 1, 1, 1, SC_USAGE_EVENT_ACQUIRE, 4, true},    {0, 1, 1, 1, SC_USAGE_EVENT_ACQUIRE, 4, false},
               {1, 0, 1, 1, SC_USAGE_EVENT_ACQUIRE, 4, false},   {1, 1, 0, 1, SC_USAGE_EVENT_ACQUIRE, 4, false},
               {1, 1, 1, 0, SC_USAGE_EVENT_ACQUIRE, 4, false},   {1, 1, 1, 1, SC_USAGE_EVENT_RELEASE, 4, false},
               {1, 1, 1, 1, SC_USAGE_EVENT_ACQUIRE, 4.99, true}, {1, 1, 1, 1, SC_USAGE_EVENT_ACQUIRE, 5, false},
               {1, 1, 1, 1, SC_USAGE_EVENT_ACQUIRE, 3.01, true}, {1, 1, 1, 1, SC_USAGE_EVENT_ACQUIRE, 3, false},
               {1, 1, 1, 1, SC_USAGE_EVENT_ACQUIRE, 2.01, false}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    const double two[] = {2, 2, 2, 2};
    scene *s = begin();
    uint32_t write = threads_of(s, "write", two), read = threads_of(s, "read", two);
    s->m->cells[0].exclusive = cases[i].exclusive;
    for (size_t run = 0; run < RUNS; run++) {
      sc_usage one = taken(false, 10, 0, 1), other = taken(true, 10, 0, 1);
      one.event = other.event = cases[i].event;
      if (cases[i].writes)
        use(s, run, write, 0, one);
      if (cases[i].reads)
        use(s, run, read, 0, other);
      if (!cases[i].shared)
        made_sum(s->m, 0, run, SC_RSUM_SHARED_ACQUIRES, 0);
      touch(s, run, cases[i].touched, 40);
    }
    sc_rsharing_find(&s->m->r);
    if ((s->m->cells[0].sharing.threads > 0) != cases[i].known)
      fail_msg("case %zu: %g threads", i, s->m->cells[0].sharing.threads);
    end(s);
  }
}

/* Of sixteen functions each reads and writes; of seventeen nobody keeps count. */
TEST(of_many_functions_nothing_is_known)
{
  for (size_t roles = ROLES - 1; roles <= ROLES; roles++) {
    const double one[] = {1, 1, 1, 1};
    scene *s = begin();
    for (size_t i = 0; i < roles; i++) {
      char name[16];
      snprintf(name, sizeof name, "role%zu", i);
      uint32_t context = threads_of(s, name, one);
      for (size_t run = 0; run < RUNS; run++) {
        use(s, run, context, 0, taken(false, 1, 0, 1));
        use(s, run, context, 0, taken(true, 1, 0, 1));
        touch(s, run, (double)roles, 40);
      }
    }
    sc_rsharing_find(&s->m->r);
    assert_true(s->m->cells[0].sharing.threads == (roles < ROLES ? 16 : 0));
    end(s);
  }
}

/* Of other numbers of threads: those that stay as many stay, all further ones are of the others, or shares stay. */
TEST(readers_and_writers_of_other_numbers_of_threads)
{
  static const struct {
    sc_rsharing known;
    double threads, writers, readers;
  } cases[] = {{{0}, 12, 12, 12},
               {{9, 3, 6, 0, .writers_stay = false, .readers_stay = false}, 18, 6, 12},
               {{9, 3, 6, 0, .writers_stay = true, .readers_stay = false}, 18, 3, 15},
               {{9, 3, 6, 0, .writers_stay = false, .readers_stay = true}, 18, 12, 6},
               {{9, 3, 6, 0, .writers_stay = true, .readers_stay = true}, 18, 3, 6},
               {{9, 3, 6, 0, .writers_stay = true, .readers_stay = true}, 2, 2, 2},
               {{9, 3, 6, 0, .writers_stay = true, .readers_stay = false}, 5, 3, 2},
               {{9, 3, 6, 0, .writers_stay = false, .readers_stay = true}, 5, 3, 5},
               {{9, 3, 6, 0, .writers_stay = true, .readers_stay = false}, 12, 3, 9},
               {{9, 3, 6, 0, .writers_stay = false, .readers_stay = true}, 8, 3, 6},
               {{8, 5, 6, 3, .writers_stay = true, .readers_stay = false}, 16, 5, 12},
               {{8, 5, 6, 3, .writers_stay = false, .readers_stay = true}, 16, 10, 6}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    sc_resource_cell cell = {.sharing = cases[i].known};
    double writers = sc_rsharing_writers(&cell, cases[i].threads),
           readers = sc_rsharing_readers(&cell, cases[i].threads);
    if (fabs(writers - cases[i].writers) > 1e-9 || fabs(readers - cases[i].readers) > 1e-9)
      fail_msg("case %zu: %g write and %g read", i, writers, readers);
  }
  sc_resource_cell cell = {.sharing = {9, 3, 6, 0, false, false, 0.5, 0.25}};
  unit_near(sc_rsharing_both(&cell), 0);
  unit_near(sc_rsharing_think(&cell, 18, 0.1), 3 * 0.6 - 0.1); /* each of six as often as three times as many */
  cell.sharing.writer_think = 0;
  unit_near(sc_rsharing_think(&cell, 18, 0.1), 0.2);
  cell.sharing.writers_stay = true;
  cell.sharing.writers = 0;
  assert_true(sc_rsharing_think(&cell, 18, 0.1) == 0);
  assert_true(sc_rsharing_both(&cell) == 1);
  assert_true(sc_rsharing_apart(&cell));
  cell.sharing.reader_cycle = 0;
  assert_false(sc_rsharing_apart(&cell));
}

/* Two threads take units that are out for 4 ms on average, a third one gives them back, all that are out by then, in
 * pauses of 8 ms: 125 a second. */
static bool at_intervals(double pauses, double out, bool lent, bool takes_too)
{
  const double two[] = {2, 2, 2, 2}, one[] = {1, 1, 1, 1};
  scene *s = begin();
  uint32_t take = threads_of(s, "take", two), give = threads_of(s, "give", one), rest = threads_of(s, "rest", two);
  const sc_usage sleep = {.via = "sleep", .event = SC_USAGE_EVENT_ACQUIRE, .values = {[SC_USAGE_WAITS] = pauses}};
  sc_resource blocks = {.resource_class = SC_RESOURCE_SLEEP, .name = "", .file = ""};
  uint32_t blocking;
  assert_int_equal(sc_usage_resource(s->m->graph, &blocks, &blocking), 0);
  for (size_t run = 0; run < RUNS; run++) {
    use(s, run, take, 0, taken(false, 100, 0, 0));
    use(s, run, give, 0, (sc_usage){.event = SC_USAGE_EVENT_RELEASE, .values = {[SC_USAGE_RELEASES] = 100}});
    if (takes_too)
      use(s, run, give, 0, taken(false, 1, 0, 0));
    use(s, run, give, blocking, sleep);
    use(s, run, rest, blocking, sleep); /* of somebody else */
    use(s, run, take, blocking, sleep);
    use(s, run, rest, 1, (sc_usage){.event = SC_USAGE_EVENT_RELEASE, .values = {[SC_USAGE_RELEASES] = 100}});
    made_sum(s->m, 0, run, SC_USAGE_ACQUIRES, 100);
    made_sum(s->m, 0, run, SC_USAGE_HOLDS, 100);
    made_sum(s->m, 0, run, SC_USAGE_HOLD_SECONDS, 100 * out);
    *made_occupancy(s->m, 0, run) = (sc_occupancy){0, 1, 3, 3, 1, 0};
  }
  s->m->cells[0].lent = lent;
  bool yes = sc_rgivers_at_intervals(&s->m->r, &s->m->cells[0]);
  end(s);
  return yes;
}

TEST(units_come_back_at_intervals)
{
  assert_true(at_intervals(125, 4e-3, true, false));
  assert_false(at_intervals(125, 4e-3, false, false));
  assert_false(at_intervals(125, 4e-3, true, true)); /* whoever takes as well is not told apart */
  assert_false(at_intervals(0, 4e-3, true, false));
  assert_false(at_intervals(125, 0, true, false));
  double most = SC_DEMAND_PAUSES;
  assert_true(at_intervals(125, 4e-3 * most * 0.999, true, false));
  assert_false(at_intervals(125, 4e-3 * most * 1.001, true, false));
  assert_true(at_intervals(125, 4e-3 / most * 1.001, true, false));
  assert_false(at_intervals(125, 4e-3 / most * 0.999, true, false));
}
