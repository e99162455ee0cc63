/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Intervals of time where the times do not tell whether an execution costs the same at every size: what the verdict
 * calls open, they hold. */
#include "unit.h"

#include "transitions/model/elapsed.h"
#include "transitions/model/predict.h"
#include "transitions/model/time_growth.h"
#include "transitions_scene.h"

static const double sizes[] = {10000, 20000, 40000, 80000, 160000};
enum { SIZES = 5 };
static const double TARGET = 1.6e6;

typedef struct told {
  enum sc_time_state state;
  sc_interval total, main, within, steady, elapsed, elapsed_within, farther;
  double dearer; /* as the page has it, for contexts that are added up there */
} told;

enum { FARTHER = 100 }; /* times the target */

/* A loop of `count` iterations that samples give 1 ms at the largest size, in proportion to them, and the process the
 * rest of the time of that size; runs take `seconds`. */
static told tell_of(const char *event, scene_curve count, scene_curve seconds, double target, enum sc_fit_engine engine)
{
  told t;
  sc_graph *graph = scene_new(sizes, SIZES, event);
  uint32_t main_context = scene_main(graph);
  scene_loop(graph, main_context, "main", 3, count, 1e-3 / count(sizes[SIZES - 1]));
  for (size_t i = 0; i < SIZES; i++) {
    sc_run *run = sc_graph_run(graph, i);
    double rest = seconds(sizes[SIZES - 1]) - 1e-3;
    assert_int_equal(sc_graph_add(graph, i, sc_graph_parent(graph, main_context), SC_METRIC_COST, rest), 0);
    run->samples = *event ? 100 : 0;
    run->user_seconds = seconds(sizes[i]);
    run->wall_seconds = 1.01 * seconds(sizes[i]);
  }
  sc_analysis_options options = scene_options(&target, 1);
  options.fit.engine = engine;
  sc_analysis *analysis = scene_analyse_with(graph, &options);
  t.state = sc_analysis_time_growth(analysis).state;
  assert_int_equal(sc_analysis_total(analysis, target, &t.total), 0);
  assert_int_equal(sc_predict_steady_total(analysis, target, &t.steady), 0);
  assert_int_equal(sc_analysis_total(analysis, sizes[SIZES - 1], &t.within), 0);
  assert_int_equal(sc_analysis_cost(analysis, sc_graph_first_child(graph, main_context), target, &t.main), 0);
  t.dearer = sc_analysis_dearer(analysis, target);
  assert_int_equal(sc_analysis_elapsed(analysis, target, &t.elapsed), 0);
  assert_int_equal(sc_analysis_elapsed(analysis, sizes[SIZES - 1], &t.elapsed_within), 0);
  assert_int_equal(sc_analysis_total(analysis, FARTHER * target, &t.farther), 0);
  sc_analysis_free(analysis);
  sc_graph_free(graph);
  return t;
}

static told tell(scene_curve count, scene_curve seconds, double target, enum sc_fit_engine engine)
{
  return tell_of("task-clock", count, seconds, target, engine);
}

static double linear(double n) { return 1e-3 * n / 160000; }
static double square(double n) { return 1e-3 * n / 160000 * n / 160000; }
static double start_and_linear(double n) { return 1.5e-3 + linear(n); }
static double start_and_square(double n) { return 1.5e-3 + square(n); }
static double start_and_cube(double n) { return 1.5e-3 + square(n) * n / 160000; }
static double long_linear(double n) { return 1e-3 + 5e-6 * n; }
static double long_square(double n) { return 1e-3 + 0.5 * n / 160000 * n / 160000; }

/* The loop around setenv(): n calls, each over all that the environment has. */
TEST(what_is_open_holds_a_walk_over_all_data)
{
  told t = tell(scene_n, start_and_square, TARGET, SC_FIT_DEFAULT);
  assert_true(t.state == SC_TIME_UNCHECKED || t.state == SC_TIME_UNDECIDED);
  assert_true(t.total.high >= square(TARGET) && t.steady.high < square(TARGET) / 3);
  assert_true(t.total.value == t.steady.value && t.total.low == t.steady.low);
  assert_true(t.main.high >= square(TARGET)); /* as its function, which is all that runs */
  assert_float_equal(t.dearer, t.total.high / t.total.value, 1e-9 * t.dearer);
}

/* Runs too short to check anything: nothing hints at it, and it is as open. */
TEST(runs_that_are_too_short_leave_it_open)
{
  told t = tell(scene_n, start_and_linear, TARGET, SC_FIT_DEFAULT);
  assert_int_equal(t.state, SC_TIME_UNCHECKED);
  assert_true(t.total.high > 3 * t.steady.high);
  assert_true(t.within.high < 2 * t.within.value); /* what was measured is known */
}

/* Of counts that are a square already a cube is as plausible. */
TEST(it_is_an_order_above_the_counts)
{
  told t = tell(scene_square, start_and_cube, TARGET, SC_FIT_DEFAULT);
  assert_true(t.state == SC_TIME_UNCHECKED || t.state == SC_TIME_UNDECIDED);
  assert_true(t.total.high >= 1000 * 1e-3 && t.total.high < 10 * 1000 * 1e-3);
}

TEST(growth_that_is_seen_is_in_the_interval)
{
  told t = tell(scene_n, long_square, TARGET, SC_FIT_DEFAULT);
  assert_int_equal(t.state, SC_TIME_GROWING);
  assert_true(t.total.high >= 100 * t.within.value);
}

TEST(what_was_checked_stays_narrow)
{
  told t = tell(scene_n, long_linear, TARGET, SC_FIT_DEFAULT);
  assert_int_equal(t.state, SC_TIME_CONSTANT);
  assert_true(t.total.high == t.steady.high && t.dearer == 1);
}

/* The paper knows averages alone. */
TEST(the_papers_engine_knows_nothing_of_it)
{
  told t = tell(scene_n, start_and_square, TARGET, SC_FIT_DELTA_INFER);
  assert_true(t.total.high == t.steady.high);
}

/* Without samples costs are executions, and only the elapsed time is one. */
TEST(the_elapsed_time_is_as_open_without_samples)
{
  told t = tell_of("", scene_n, start_and_square, TARGET, SC_FIT_DEFAULT);
  assert_true(t.state == SC_TIME_UNCHECKED || t.state == SC_TIME_UNDECIDED);
  assert_true(t.elapsed.high >= square(TARGET) && t.elapsed.value < square(TARGET) / 3);
  assert_true(t.elapsed_within.high < 2 * t.elapsed_within.value);
  assert_true(t.total.high == t.steady.high && t.dearer == 1); /* counts are exact */
  t = tell_of("", scene_n, long_linear, TARGET, SC_FIT_DEFAULT);
  assert_int_equal(t.state, SC_TIME_CONSTANT);
  assert_true(t.elapsed.high < 1.5 * t.elapsed.value);
}

/* What nobody would notice at the target is not checked: far beyond it is as open as if it were asked about alone. */
TEST(what_nobody_notices_at_the_target_is_open_beyond)
{
  static const double near = 320000;
  told t = tell(scene_n, start_and_linear, near, SC_FIT_DEFAULT);
  told far = tell(scene_n, start_and_linear, FARTHER * near, SC_FIT_DEFAULT);
  assert_int_equal(t.state, SC_TIME_CONSTANT);
  assert_int_equal(far.state, SC_TIME_UNCHECKED);
  assert_true(t.total.high == t.steady.high);
  assert_true(far.total.high > 3 * far.steady.high);
  assert_float_equal(t.farther.high, far.total.high, 1e-6 * far.total.high);
  t = tell(scene_n, long_linear, TARGET, SC_FIT_DEFAULT); /* was checked */
  assert_true(t.farther.high < 3 * t.farther.value);
}
