/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Elapsed time of programs that are known: what they compute, and what they wait for. */
#include "unit.h"

#include "transitions/model/data.h"
#include "transitions/model/elapsed.h"
#include "transitions_scene.h"

static const double sizes[] = {10, 20, 40, 80, 160, 320};
static const double target[] = {3200};

/* Seconds of a run at n: processor, and waiting by kind. */
typedef void (*behaviour)(double n, sc_run *run);

/* Disturbances that no model knows: some percent, and a fraction of a millisecond. */
static double disturb(double seconds, size_t run)
{
  static const double factors[] = {1.03, 0.98, 1.01, 0.96, 1.02, 0.99}, starts[] = {3e-4, 1e-4, 4e-4, 2e-4, 0, 1e-4};
  return seconds * factors[run % COUNT(factors)] + starts[run % COUNT(starts)];
}

static sc_graph *make(behaviour of, const char *event, double each)
{
  sc_graph *graph = scene_new(sizes, COUNT(sizes), event);
  uint32_t main_context = scene_main(graph);
  scene_loop(graph, main_context, "main", 3, scene_n, 0);
  scene_loop(graph, main_context, "main", 5, scene_square, each);
  for (size_t i = 0; i < COUNT(sizes); i++) {
    sc_run *run = sc_graph_run(graph, i);
    of(sizes[i], run);
    for (int k = 0; k < SC_WAIT_KINDS; k++) {
      run->waits[k] = run->waits[k] > 0 ? disturb(run->waits[k], i) : 0;
      run->wall_seconds += run->waits[k];
    }
    run->wall_seconds += run->user_seconds;
    run->has_waits = true;
  }
  return graph;
}

static const double PER_PAIR = 1e-6; /* processor seconds */

/* 1 ms for each item, 1 us of computing for each pair of them. */
static void sleeps_per_item(double n, sc_run *run)
{
  run->user_seconds = PER_PAIR * n * n;
  run->waits[SC_WAIT_SLEEP] = 4e-3 * n;
  run->waits[SC_WAIT_IO] = 1e-3 * n;
}

TEST(waiting_is_predicted_with_the_count_that_explains_it)
{
  sc_graph *graph = make(sleeps_per_item, "task-clock", PER_PAIR);
  sc_analysis *analysis = scene_analyse(graph, target, 1);
  sc_interval at;
  sc_elapsed_parts parts;
  assert_true(sc_analysis_elapsed_known(analysis));
  double truth = 5e-3 * 3200 + PER_PAIR * 3200 * 3200;
  assert_int_equal(sc_analysis_elapsed(analysis, 3200, &at), 0);
  assert_true(fabs(at.value / truth - 1) < 0.05 && at.low < truth && at.high > truth && at.high < 1.5 * truth);
  assert_int_equal(sc_analysis_elapsed_parts(analysis, 3200, &parts), 0);
  assert_true(parts.measured);
  assert_true(fabs(parts.processor / 10.24 - 1) < 0.05);
  assert_true(fabs(parts.waits[SC_WAIT_SLEEP] / 12.8 - 1) < 0.05);
  assert_true(fabs(parts.waits[SC_WAIT_IO] / 3.2 - 1) < 0.05);
  assert_true(parts.waits[SC_WAIT_LOCK] == 0 && parts.waits[SC_WAIT_RUNNABLE] == 0);
  scene_end(graph, analysis, NULL);
}

/* The place whose count waiting is proportional to: of several the innermost. */
TEST(waiting_goes_with_a_place)
{
  sc_graph *graph = make(sleeps_per_item, "task-clock", PER_PAIR);
  uint32_t loop = 0;
  while (sc_graph_at(graph, loop)->line != 3)
    loop++;
  uint32_t callee = scene_function(graph, loop, "wait_for_one", scene_n, 0);
  sc_analysis *analysis = scene_analyse(graph, target, 1);
  sc_elapsed_place place;
  assert_true(sc_elapsed_goes_with(analysis, 3200, &place));
  assert_int_equal(place.context, callee);
  assert_true(fabs(place.each / 5e-3 - 1) < 0.05 && place.others == 1);
  scene_end(graph, analysis, NULL);
}

/* What is waited for once goes with nothing. */
static void only_computes(double n, sc_run *run);

TEST(a_start_goes_with_no_place)
{
  sc_graph *graph = make(only_computes, "task-clock", PER_PAIR);
  sc_analysis *analysis = scene_analyse(graph, target, 1);
  sc_elapsed_place place;
  assert_false(sc_elapsed_goes_with(analysis, 3200, &place));
  scene_end(graph, analysis, NULL);
}

/* The same where the cost is no time: processor time has a model of its own. */
TEST(elapsed_time_needs_no_sampled_time)
{
  sc_graph *graph = make(sleeps_per_item, "", 0);
  sc_analysis *analysis = scene_analyse(graph, target, 1);
  sc_interval at;
  assert_false(sc_elapsed_has_costs(analysis));
  double truth = 5e-3 * 3200 + PER_PAIR * 3200 * 3200;
  assert_int_equal(sc_analysis_elapsed(analysis, 3200, &at), 0);
  assert_true(fabs(at.value / truth - 1) < 0.05 && at.low < truth && at.high > truth);
  scene_end(graph, analysis, NULL);
}

static void only_computes(double n, sc_run *run)
{
  run->user_seconds = PER_PAIR * n * n;
  run->waits[SC_WAIT_OTHER] = 2e-4;
}

/* What a process waits for at its start does not grow because the program computes more. */
TEST(a_start_does_not_grow)
{
  sc_graph *graph = make(only_computes, "task-clock", PER_PAIR);
  sc_analysis *analysis = scene_analyse(graph, target, 1);
  sc_interval at, total;
  assert_int_equal(sc_analysis_elapsed(analysis, 3200, &at), 0);
  assert_int_equal(sc_analysis_total(analysis, 3200, &total), 0);
  assert_true(fabs(at.value / total.value - 1) < 0.02);
  scene_end(graph, analysis, NULL);
}

/* Another program takes a third of the processor. */
static void computes_on_a_busy_machine(double n, sc_run *run)
{
  run->user_seconds = PER_PAIR * n * n;
  run->waits[SC_WAIT_RUNNABLE] = run->user_seconds / 2;
}

TEST(waiting_for_a_processor_goes_with_processor_time)
{
  sc_graph *graph = make(computes_on_a_busy_machine, "task-clock", PER_PAIR);
  sc_analysis *analysis = scene_analyse(graph, target, 1);
  sc_interval at;
  sc_elapsed_parts parts;
  assert_int_equal(sc_analysis_elapsed(analysis, 3200, &at), 0);
  assert_true(fabs(at.value / 15.36 - 1) < 0.05 && at.low < 10.5); /* an idle machine is inside the interval */
  assert_int_equal(sc_analysis_elapsed_parts(analysis, 3200, &parts), 0);
  assert_true(fabs(parts.waits[SC_WAIT_RUNNABLE] / 5.12 - 1) < 0.1 && fabs(parts.processor / 10.24 - 1) < 0.05);
  scene_end(graph, analysis, NULL);
}

static void computes_and_sleeps_on_a_busy_machine(double n, sc_run *run)
{
  computes_on_a_busy_machine(n, run);
  run->waits[SC_WAIT_SLEEP] = 1e-4 * n;
}

/* What other programs take goes with no place, and what little else is waited for is not where to look first. */
TEST(waiting_for_a_processor_goes_with_no_place)
{
  sc_graph *graph = make(computes_and_sleeps_on_a_busy_machine, "task-clock", PER_PAIR);
  sc_analysis *analysis = scene_analyse(graph, target, 1);
  sc_elapsed_place place;
  assert_false(sc_elapsed_goes_with(analysis, 3200, &place));
  scene_end(graph, analysis, NULL);
}

/* Four threads that compute all the time. */
static void four_threads(double n, sc_run *run)
{
  run->user_seconds = PER_PAIR * n * n;
  run->wall_seconds = -0.75 * run->user_seconds;
}

TEST(threads_compute_at_the_same_time)
{
  sc_graph *graph = make(four_threads, "task-clock", PER_PAIR);
  sc_analysis *analysis = scene_analyse(graph, target, 1);
  sc_interval at;
  assert_int_equal(sc_analysis_elapsed(analysis, 3200, &at), 0);
  assert_true(fabs(at.value / 2.56 - 1) < 0.05);
  scene_end(graph, analysis, NULL);
}

/* Studies of earlier versions have no kinds, and baselines no elapsed time at all. */
TEST(what_was_not_measured_is_said)
{
  sc_graph *graph = make(sleeps_per_item, "task-clock", PER_PAIR);
  for (size_t i = 0; i < COUNT(sizes); i++)
    sc_graph_run(graph, i)->has_waits = false;
  sc_analysis *analysis = scene_analyse(graph, target, 1);
  sc_elapsed_parts parts;
  sc_interval at;
  assert_int_equal(sc_analysis_elapsed_parts(analysis, 3200, &parts), 0);
  assert_true(!parts.measured && fabs(parts.waits[SC_WAIT_OTHER] / 16 - 1) < 0.05);
  sc_analysis_free(analysis);
  sc_graph_run(graph, 2)->wall_seconds = 0;
  analysis = scene_analyse(graph, target, 1);
  assert_false(sc_analysis_elapsed_known(analysis));
  assert_int_equal(sc_analysis_elapsed(analysis, 3200, &at), SC_E_TOOLITTLE);
  scene_end(graph, analysis, NULL);
}

/* Small runs compute with one processor and sleep, larger ones with more, and wait for input a lot: those from half of
 * the largest on say what is what. */
TEST(large_runs_say_what_time_is_made_of)
{
  sc_graph *graph = scene_new(sizes, COUNT(sizes), "task-clock");
  scene_loop(graph, scene_main(graph), "main", 3, scene_n, 1e-2);
  for (size_t i = 0; i < COUNT(sizes); i++) {
    sc_run *run = sc_graph_run(graph, i);
    bool large = sizes[i] >= 160;
    run->user_seconds = 1e-2 * sizes[i];
    run->wall_seconds = run->user_seconds * (!large ? 3 : i == 4 ? 0.5 : 0.75);
    run->waits[SC_WAIT_SLEEP] = large ? 1e-3 * sizes[i] : 2e-2 * sizes[i];
    run->waits[SC_WAIT_IO] = large ? 3e-3 * sizes[i] : 0;
    run->has_waits = large; /* of the small ones nobody knows */
  }
  sc_analysis *a = scene_analyse(graph, target, 1);
  const struct sc_elapsed *e = &a->elapsed;
  assert_true(e->known && e->measured);
  unit_near(e->shares[SC_WAIT_IO], 0.75);
  unit_near(e->shares[SC_WAIT_SLEEP], 0.25);
  assert_true(e->shares[SC_WAIT_OTHER] == 0 && e->shares[SC_WAIT_LOCK] == 0);
  unit_near(e->rate, (0.5 * 160 + 0.75 * 320) / 480);
  unit_near(e->rate_low, 0.5);
  unit_near(e->rate_high, 0.75);
  sc_graph_run(graph, 4)->has_waits = false;
  sc_analysis_free(a);
  a = scene_analyse(graph, target, 1);
  assert_false(a->elapsed.measured);
  assert_true(a->elapsed.shares[SC_WAIT_OTHER] == 1 && a->elapsed.shares[SC_WAIT_IO] == 0);
  scene_end(graph, a, NULL);
}

static void put_seconds(sc_blend *blend, double value, double low, double high)
{
  sc_blend_free(blend);
  unit_ok(sc_blend_add(blend, &(sc_blend_part){.model = SC_SERIES_ONE, .value = value, .low = low, .high = high}));
}

/* On a processor, ready for one, and waiting: what the ends are off by adds as squares. */
TEST(parts_err_on_their_own)
{
  static const sc_interval cost = {100, 80, 130};
  sc_interval at;
  sc_graph *graph = make(sleeps_per_item, "task-clock", PER_PAIR);
  sc_analysis *a = scene_analyse(graph, target, 1);
  a->elapsed.of_costs = true;
  a->elapsed.rate = 0.5, a->elapsed.rate_low = 0.575, a->elapsed.rate_high = 60.0 / 130; /* 50: 46 to 60 */
  put_seconds(&a->elapsed.ready, 3, 0, 3);
  put_seconds(&a->elapsed.waiting, 40, 28, 64);
  unit_ok(sc_elapsed_predict(a, 3200, &cost, &at));
  unit_near(at.value, 50 + 3 + 40);
  unit_near(at.low, at.value - 13);  /* 4, 3 and 12 */
  unit_near(at.high, at.value + 26); /* 10, 0 and 24 */
  sc_analysis_free(a);
  sc_graph_free(graph);
}
