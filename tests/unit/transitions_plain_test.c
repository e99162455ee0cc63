/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times of an instrumented program turned into those of the plain one, where both are known. */
#include "unit.h"

#include "transitions/model/plain.h"

#include "transitions/model/elapsed.h"
#include "transitions_scene.h"

static const double sizes[] = {100, 200, 400, 800, 1600, 3200};
static const double target[] = {32000};
static const double PER_PAIR = 1e-7;
/* Instrumentation makes everything 1.25 times as slow, and takes a while at the start. */
static const double SLOWER = 1.25, START = 3e-4;

static double truth(double n) { return 5e-4 + PER_PAIR * n * n; }
static double quarter_more(double n) { return START + SLOWER * truth(n); }

static void set_times(sc_run *run, double processor, double slept)
{
  run->user_seconds = 0.75 * processor;
  run->system_seconds = 0.25 * processor;
  run->has_waits = true;
  run->waits[SC_WAIT_SLEEP] = slept;
  run->wall_seconds = processor + slept;
}

static sc_graph *instrumented(double (*seconds)(double n), const char *event)
{
  sc_graph *graph = scene_new(sizes, COUNT(sizes), event);
  uint32_t main_context = scene_main(graph), process = sc_graph_parent(graph, main_context);
  uint32_t loop = scene_loop(graph, main_context, "main", 5, scene_square, 0);
  for (size_t i = 0; i < COUNT(sizes); i++) {
    sc_run *run = sc_graph_run(graph, i);
    double all = seconds(sizes[i]), outside = fmin(all, 1e-3);
    run->id = (int64_t)(10 * i + 1);
    run->samples = (uint64_t)(all * 1000) + 1;
    set_times(run, all, 1e-3 * sizes[i]);
    assert_int_equal(sc_graph_add(graph, i, process, SC_METRIC_COST, outside), 0);
    assert_int_equal(sc_graph_add(graph, i, loop, SC_METRIC_COST, all - outside), 0);
  }
  return graph;
}

/* `pairs` runs of the plain program at each of the sizes from `from` on, that scatter by 1 %. */
static sc_graph *plain_runs(size_t from, unsigned pairs, const char *build, int64_t id)
{
  sc_graph *graph;
  assert_int_equal(sc_graph_new(&graph), 0);
  for (size_t i = from; i < COUNT(sizes); i++)
    for (unsigned p = 0; p < pairs; p++) {
      size_t index;
      sc_run run = {.n = sizes[i], .role = SC_RUN_PLAIN, .repeat = p, .id = id++};
      snprintf(run.build, sizeof run.build, "%s", build);
      set_times(&run, truth(sizes[i]) * (1 + 0.005 * ((int)(p % 3) - 1)), 1e-3 * sizes[i]);
      assert_int_equal(sc_graph_begin_run(graph, &run, &index), 0);
    }
  return graph;
}

static double cost_of(const sc_graph *graph, size_t run)
{
  double sum = 0;
  for (uint32_t c = 0; c < sc_graph_context_count(graph); c++)
    sum += sc_graph_value(graph, run, c, SC_METRIC_COST);
  return sum;
}

static sc_analysis *analyse(const sc_graph *graph, double doubt)
{
  sc_analysis_options options = scene_options(target, 1);
  options.doubt = doubt;
  return scene_analyse_with(graph, &options);
}

TEST(times_become_those_of_the_plain_program)
{
  sc_graph *graph = instrumented(quarter_more, "task-clock"), *runs = plain_runs(3, 3, "a", 5);
  sc_plain plain;
  sc_interval at;
  assert_int_equal(sc_plain_find(graph, runs, &plain), 0);
  assert_int_equal(plain.runs, 9);
  assert_true(plain.low == 800 && plain.high == 3200);
  assert_true(fabs(plain.factor * SLOWER - 1) < 0.01 && fabs(plain.slowdown / SLOWER - 1) < 0.01);
  assert_true(plain.slowdown_low < SLOWER && plain.slowdown_high > SLOWER);
  assert_true(plain.doubt > 0 && plain.doubt < 0.05 && fabs(plain.waits - 1) < 1e-9);
  assert_int_equal(sc_plain_apply(&plain, runs, graph), 0);
  for (size_t i = 0; i < COUNT(sizes); i++) {
    const sc_run *run = sc_graph_run_const(graph, i);
    double seconds = truth(sizes[i]), off = 0.02 * seconds + 1e-4;
    assert_true(fabs(cost_of(graph, i) - seconds) < off);
    assert_true(fabs(run->user_seconds + run->system_seconds - seconds) < off);
    assert_true(fabs(run->wall_seconds - seconds - 1e-3 * sizes[i]) < off);
  }
  sc_analysis *analysis = analyse(graph, plain.doubt);
  assert_int_equal(sc_analysis_total(analysis, 32000, &at), 0);
  assert_true(fabs(at.value / truth(32000) - 1) < 0.02 && at.low < truth(32000) && at.high > truth(32000));
  assert_int_equal(sc_analysis_elapsed(analysis, 32000, &at), 0);
  assert_true(fabs(at.value / (truth(32000) + 32) - 1) < 0.05);
  scene_end(runs, analysis, NULL);
  sc_graph_free(graph);
}

/* The factor's error is one of all times at once: it widens the total's interval by as much, and no count's. */
TEST(the_doubt_widens_times_alone)
{
  sc_graph *graph = instrumented(quarter_more, "task-clock");
  sc_analysis *sure = analyse(graph, 0), *unsure = analyse(graph, 0.3);
  sc_interval a, b;
  assert_int_equal(sc_analysis_total(sure, 3200, &a), 0);
  assert_int_equal(sc_analysis_total(unsure, 3200, &b), 0);
  assert_true(a.value == b.value && b.high >= 1.29 * b.value && b.low <= 0.71 * b.value && a.low > b.low);
  assert_int_equal(sc_analysis_count(sure, 3, 3200, &a), 0);
  assert_int_equal(sc_analysis_count(unsure, 3, 3200, &b), 0);
  assert_true(a.low == b.low && a.high == b.high);
  sc_analysis_free(sure);
  scene_end(graph, unsure, NULL);
}

/* More and more of the time goes into what instrumentation slows down. */
static double dearer_and_dearer(double n) { return truth(n) * (1 + n / 6400); }

TEST(a_ratio_that_changes_is_doubted)
{
  sc_graph *graph = instrumented(dearer_and_dearer, "task-clock"), *runs = plain_runs(3, 3, "a", 5);
  sc_plain plain;
  assert_int_equal(sc_plain_find(graph, runs, &plain), 0);
  assert_true(plain.doubt > 0.03);
  sc_graph_free(runs);
  sc_graph_free(graph);
}

/* Costs that are no times stay; processor time, which the elapsed time is made of, does not. */
TEST(events_are_not_times)
{
  sc_graph *graph = instrumented(quarter_more, "instructions"), *runs = plain_runs(3, 3, "a", 5);
  sc_plain plain;
  double before = cost_of(graph, 5);
  assert_int_equal(sc_plain_find(graph, runs, &plain), 0);
  assert_int_equal(sc_plain_apply(&plain, runs, graph), 0);
  assert_true(cost_of(graph, 5) == before);
  const sc_run *run = sc_graph_run_const(graph, 5);
  assert_true(fabs((run->user_seconds + run->system_seconds) / truth(3200) - 1) < 0.02);
  sc_graph_free(runs);
  sc_graph_free(graph);
}

TEST(runs_of_an_older_build_do_not_count)
{
  sc_graph *graph = instrumented(quarter_more, "task-clock"), *runs = plain_runs(5, 3, "old", 5);
  sc_plain plain;
  size_t index;
  for (size_t r = 0; r < 3; r++) /* it was three times as fast */
    set_times(sc_graph_run(runs, r), truth(3200) / 3, 3.2);
  sc_run newer = {.n = 3200, .role = SC_RUN_PLAIN, .id = 60, .build = "new"};
  set_times(&newer, truth(3200), 3.2);
  assert_int_equal(sc_graph_begin_run(runs, &newer, &index), 0);
  assert_int_equal(sc_plain_find(graph, runs, &plain), 0);
  assert_int_equal(plain.runs, 1);
  assert_true(fabs(plain.slowdown / SLOWER - 1) < 0.01 && plain.doubt >= 0.1); /* a single pair */
  sc_graph_free(runs);
  sc_graph_free(graph);
}

/* A target that the plain program ran at, too, has that run's times, whatever the factor. */
TEST(a_target_has_what_was_measured)
{
  sc_graph *graph = instrumented(quarter_more, "task-clock"), *runs = plain_runs(3, 3, "a", 5), *targets;
  sc_plain plain;
  size_t index;
  assert_int_equal(sc_plain_find(graph, runs, &plain), 0);
  targets = instrumented(quarter_more, "task-clock");
  sc_run *ran = sc_graph_run(targets, 5);
  ran->role = SC_RUN_TARGET;
  ran->n = 6400;
  sc_run there = {.n = 6400, .role = SC_RUN_PLAIN, .id = 99, .build = "a"};
  set_times(&there, 1, 0.5);
  assert_int_equal(sc_graph_begin_run(runs, &there, &index), 0);
  assert_int_equal(sc_plain_apply(&plain, runs, targets), 0);
  assert_true(fabs(cost_of(targets, 5) - 1) < 1e-9 && fabs(ran->wall_seconds - 1.5) < 1e-9);
  sc_graph_free(targets);
  sc_graph_free(runs);
  sc_graph_free(graph);
}

/* Locks that are held longer are waited for longer. */
TEST(waiting_gets_shorter_with_it)
{
  sc_graph *graph = instrumented(truth, "task-clock"), *runs = plain_runs(3, 3, "a", 5);
  sc_plain plain;
  for (size_t r = 0; r < sc_graph_run_count(runs); r++) {
    sc_run *run = sc_graph_run(runs, r);
    set_times(run, truth(run->n), 0.5e-3 * run->n);
  }
  assert_int_equal(sc_plain_find(graph, runs, &plain), 0);
  assert_true(fabs(plain.waits - 0.5) < 0.01);
  assert_int_equal(sc_plain_apply(&plain, runs, graph), 0);
  const sc_run *run = sc_graph_run_const(graph, 5);
  assert_true(fabs(run->waits[SC_WAIT_SLEEP] - 1.6) < 0.02);
  assert_true(fabs(run->wall_seconds - 1.6 - truth(3200)) < 0.03);
  sc_graph_free(runs);
  sc_graph_free(graph);
}

/* A fifth of all times at every size, and the truth lies between nothing and twice as much. */
TEST(without_plain_runs_an_estimate_is_taken_out)
{
  sc_graph *graph = instrumented(truth, "task-clock"), *runs = plain_runs(0, 0, "a", 5);
  uint32_t main_context = scene_main(graph), loop = sc_graph_first_child(graph, main_context);
  double all = truth(3200), cost = sc_graph_value(graph, 0, loop, SC_METRIC_COST);
  sc_graph_run(graph, 5)->threads = (uint32_t)(0.2 * all / 40e-6);
  sc_graph_run(graph, 5)->processes = 0;
  sc_plain plain;
  assert_int_equal(sc_plain_find(graph, runs, &plain), 0);
  assert_true(plain.runs == 0);
  assert_float_equal(plain.estimated, 0.2, 0.001);
  assert_float_equal(plain.factor, 1 - plain.estimated, 1e-12);
  assert_float_equal(plain.doubt, plain.estimated / plain.factor, 1e-12);
  assert_int_equal(sc_plain_apply(&plain, runs, graph), 0);
  const sc_run *run = sc_graph_run_const(graph, 0);
  unit_near(run->user_seconds, 0.75 * truth(100) * plain.factor);
  unit_near(run->system_seconds, 0.25 * truth(100) * plain.factor);
  unit_near(run->wall_seconds, truth(100) * plain.factor + 0.1);
  unit_near(sc_graph_value(graph, 0, loop, SC_METRIC_COST), cost * plain.factor);
  sc_graph_free(runs);
  sc_graph_free(graph);
}

/* From a twentieth of the elapsed time on, in both. */
TEST(little_waiting_tells_nothing_of_waits)
{
  static const struct {
    double instrumented, plain, waits; /* seconds beside one of the processor, of a run */
  } cases[] = {{0.1, 0.056, 0.56}, {0.1, 0.054, 1}, {0.05, 0.5, 1}, {0.06, 0.5, 0.5 / 0.06}, {0.5, 0, 1}, {0, 0, 1}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    sc_graph *graph = instrumented(quarter_more, "task-clock"), *runs = plain_runs(3, 3, "a", 5);
    sc_plain plain;
    for (size_t r = 0; r < COUNT(sizes); r++)
      set_times(sc_graph_run(graph, r), 1, cases[i].instrumented);
    for (size_t r = 0; r < sc_graph_run_count(runs); r++)
      set_times(sc_graph_run(runs, r), 1, cases[i].plain);
    unit_ok(sc_plain_find(graph, runs, &plain));
    assert_int_equal(plain.runs, 9);
    unit_near(plain.waits, cases[i].waits);
    sc_graph_free(graph);
    sc_graph_free(runs);
  }
}
