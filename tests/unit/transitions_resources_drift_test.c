/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whose growth a mean hold time's is: the program's, whose counts grow with it or whose holds are long, or that of a
 * machine that gets slower while the sizes are measured. */
#include "unit.h"

#include "transitions/resources/queue.h"
#include "transitions_resources_scene.h"

static const double sizes[] = {50, 100, 150, 200, 300, 400}, target = 100000;
enum { SIZES = 6, REPEATS = 3, ROUNDS = 200, PROGRAMS = 20 };

static double each_round(double n) { return n > 0 ? 2.0 * ROUNDS : 0; }
static double each_row(double n) { return 2 * ROUNDS * n; }

typedef struct program {
  double hold, think; /* at the smallest size; holds rise to `rise` times as much */
  double rise;
  bool stepped;     /* at the largest size alone */
  scene_curve rows; /* of a loop below the function that holds the lock; NULL: no loop */
  bool elsewhere;   /* that loop is beside it */
  bool wrapped;     /* obtained and given back by functions of their own */
} program;

typedef struct outcome {
  sc_graph *graph;
  sc_analysis *analysis;
  sc_resources *resources;
  const sc_resource_finding *finding;
  uint32_t lock;
} outcome;

static double hold_at(const program *p, double n)
{
  if (p->stepped)
    return n < sizes[SIZES - 1] ? p->hold : p->rise * p->hold;
  return p->hold * pow(p->rise, log(n / sizes[0]) / log(sizes[SIZES - 1] / sizes[0]));
}

static outcome judge(const program *p, unsigned seed)
{
  outcome o = {.graph = scene_repeats(sizes, SIZES, REPEATS)};
  uint32_t top = scene_function(o.graph, scene_main(o.graph), "serve", scene_one, 0);
  uint32_t work = scene_function(o.graph, top, "work", each_round, 0), obtain = work, back = work;
  if (p->wrapped) {
    obtain = scene_function(o.graph, work, "obtain", each_round, 0);
    back = scene_function(o.graph, work, "give_back", each_round, 0);
  }
  if (p->rows)
    scene_loop(o.graph, p->elsewhere ? top : work, "work", 12, p->rows, 0);
  o.lock = scene_resource(o.graph, SC_RESOURCE_MUTEX, "lock", 0);
  scene_seed = 1000 * seed + 3;
  for (size_t run = 0; run < (size_t)SIZES * REPEATS; run++) {
    scene_lock is = {2, ROUNDS, hold_at(p, sizes[run / REPEATS]) * scene_noise(0.05), p->think * scene_noise(0.05),
                     0, 1};
    const sc_queue queue = {is.hold, is.think, is.threads, 1, 1};
    is.wait = sc_queue_solve(&queue).wait;
    const sc_usage release = {
        .via = "pthread_mutex_unlock", .event = SC_USAGE_EVENT_RELEASE, .values = {[SC_USAGE_RELEASES] = 2 * ROUNDS}};
    scene_lock_run(o.graph, run, obtain, o.lock, is);
    scene_usage(o.graph, run, back, o.lock, &release);
  }
  o.analysis = scene_analyse(o.graph, &target, 1);
  o.resources = scene_resources(o.analysis, SC_PARAMETER_WORK);
  o.finding = scene_resource_finding(o.resources, SC_RULE_CONTENTION, o.lock);
  return o;
}

static void outcome_free(outcome *o) { scene_drop(o->graph, o->analysis, o->resources); }

static size_t times_found(const program *p)
{
  size_t found = 0;
  for (unsigned seed = 0; seed < PROGRAMS; seed++) {
    outcome o = judge(p, seed);
    found += o.finding != NULL;
    if (o.finding) /* what rests on times and is 250 times as far away is never certain */
      assert_true(o.finding->confidence > 0.3 && o.finding->confidence < 0.9);
    outcome_free(&o);
  }
  print_message("%zu of %d\n", found, PROGRAMS);
  return found;
}

static const program short_lock = {.hold = 1e-6, .think = 300e-6, .rise = 5};

TEST(short_holds_that_drift_are_level)
{
  program p = short_lock;
  assert_int_equal(times_found(&p), 0);
  p.rows = each_round; /* counted, but not more of it */
  assert_int_equal(times_found(&p), 0);
  p.rows = each_row; /* more and more, but not where it is held */
  p.elsewhere = true;
  assert_int_equal(times_found(&p), 0);
}

static double each_two(double n) { return 2 * ROUNDS * sqrt(n / 50); }

/* A hold of a microsecond that gets longer is believed for a call under it that is made more often: but far beyond the
 * sizes it takes no longer than those calls may, 20 us each, whatever power of n goes through so few sizes. */
TEST(a_growth_that_counts_explain_is_no_longer_than_they_may_take)
{
  program p = {.hold = 1e-6, .think = 300e-6, .rise = 20, .rows = each_two};
  for (unsigned seed = 0; seed < PROGRAMS; seed++) {
    sc_interval hold;
    outcome o = judge(&p, seed);
    assert_int_equal(sc_resources_predict(o.resources, o.lock, SC_RMETRIC_HOLD, target, &hold), 0);
    assert_true(hold.value <= p.rise * p.hold * 1.3 + 20e-6 * (sqrt(target / 50) - sqrt(400. / 50)) * 1.3);
    outcome_free(&o);
  }
}

/* A size at which all repeats were disturbed makes no trend. */
TEST(short_holds_that_jump_are_level)
{
  program p = short_lock;
  p.stepped = true;
  p.rise = 10;
  for (unsigned seed = 0; seed < PROGRAMS; seed++) {
    sc_interval hold;
    outcome o = judge(&p, seed);
    assert_null(o.finding);
    assert_int_equal(sc_resources_predict(o.resources, o.lock, SC_RMETRIC_HOLD, target, &hold), 0);
    assert_true(hold.value < 2 * p.hold);
    outcome_free(&o);
  }
}

TEST(short_holds_with_a_count_grow)
{
  program p = {.hold = 1e-6, .think = 300e-6, .rise = 8, .rows = each_row};
  assert_int_equal(times_found(&p), PROGRAMS);
  p.wrapped = true;
  assert_int_equal(times_found(&p), PROGRAMS);
  p.rows = NULL;
  assert_int_equal(times_found(&p), 0);
}

/* A tenth more at the largest size than at the smallest one is no power of n: at 250 times the largest size the machine
 * may be in another state, and no more. */
TEST(a_drift_is_not_extrapolated)
{
  const program p = {.hold = 1e-3, .think = 100e-3, .rise = 1.1};
  size_t narrow = 0;
  for (unsigned seed = 0; seed < PROGRAMS; seed++) {
    sc_interval hold;
    outcome o = judge(&p, seed);
    assert_null(o.finding);
    assert_int_equal(sc_resources_predict(o.resources, o.lock, SC_RMETRIC_HOLD, target, &hold), 0);
    assert_true(hold.low < p.hold && hold.high > 1.1 * p.hold);
    narrow += hold.high < 2.5 * hold.low;
    outcome_free(&o);
  }
  assert_true(narrow >= PROGRAMS * 4 / 5); /* where the repeats scatter most, they leave more open */
}

TEST(long_holds_grow)
{
  const program p = {.hold = 1e-3, .think = 100e-3, .rise = 5};
  assert_true(times_found(&p) >= PROGRAMS - 1); /* of 300 7 were left open: by chance the last two sizes alone rose */
}

/* Two to six of 400 holds of 400 ns lose the processor for eight milliseconds; the more, the later. */
static bool finds_lost_slices(bool regular)
{
  sc_graph *graph = scene_repeats(sizes, SIZES, REPEATS);
  uint32_t work = scene_function(graph, scene_main(graph), "work", scene_one, 0);
  uint32_t lock = scene_resource(graph, SC_RESOURCE_MUTEX, "lock", 0);
  for (size_t run = 0; run < (size_t)SIZES * REPEATS; run++) {
    double slices = 2 + (double)run / 4, each = 8e-3;
    if (regular) { /* every tenth hold, as long in all */
      each *= slices / 40;
      slices = 40;
    }
    sc_usage usage = {
        .values = {[SC_USAGE_ACQUIRES] = 400, [SC_USAGE_HOLDS] = 400, [SC_USAGE_HOLD_SECONDS] = slices * each + 160e-6},
        .buckets = {[8] = 400 - slices}};
    usage.buckets[(int)log2(each * 1e9)] = slices;
    scene_usage(graph, run, work, lock, &usage);
    scene_occupancy(graph, run, lock, 2, 1, 0.8, 0.4);
  }
  sc_analysis *a = scene_analyse(graph, &target, 1);
  sc_resources *r = scene_resources(a, SC_PARAMETER_WORK);
  sc_interval hold;
  assert_int_equal(sc_resources_predict(r, lock, SC_RMETRIC_HOLD, target, &hold), 0);
  print_message("hold %g (%g to %g)\n", hold.value, hold.low, hold.high);
  sc_resources_free(r);
  scene_end(graph, a, NULL);
  return hold.value > 300e-6;
}

TEST(lost_time_slices_are_the_machine_s)
{
  assert_false(finds_lost_slices(false));
  assert_true(finds_lost_slices(true));
}

/* A think time of microseconds that falls is the machine's; what if it is not lies within its interval. */
TEST(short_think_times_do_not_fall)
{
  sc_graph *graph = scene_repeats(sizes, SIZES, REPEATS);
  uint32_t work = scene_function(graph, scene_main(graph), "work", scene_one, 0);
  uint32_t lock = scene_resource(graph, SC_RESOURCE_MUTEX, "lock", 0);
  sc_interval think;
  for (size_t run = 0; run < (size_t)SIZES * REPEATS; run++) {
    double falling = 20e-6 * sqrt(sizes[0] / sizes[run / REPEATS]) * scene_noise(0.02);
    scene_lock_run(graph, run, work, lock, (scene_lock){2, ROUNDS, 5e-6, falling, 0, 1});
  }
  sc_analysis *a = scene_analyse(graph, &target, 1);
  sc_resources *r = scene_resources(a, SC_PARAMETER_WORK);
  assert_int_equal(sc_resources_predict(r, lock, SC_RMETRIC_THINK, target, &think), 0);
  assert_true(think.value > 8e-6 && think.value < 12e-6);
  assert_true(think.low < 1e-6);
  scene_drop(graph, a, r);
}
