/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What one execution costs: the runs that it is taken from, and how surely, computed by hand. */
#include "unit.h"

#include "transitions/model/cost_each.h"
#include "transitions/model/data.h"
#include "transitions_scene.h"

enum { SIZES = 5 };
static const double sizes[] = {100, 200, 400, 800, 1600}, target[] = {16000};

/* main > loop, which iterates n times, or always 1,000 times; sampled by an event that is no clock. */
typedef struct scene {
  sc_graph *graph;
  uint32_t main, loop;
  sc_analysis *a;
  sc_measured m;
  sc_cost_point points[SIZES];
} scene;

static double thousand(double n) { return 1000; }

/* `each`: of an iteration in each run; a sample costs as much as gives `samples` in each run. */
static scene *open_scene(scene_curve count, const double *each, const double *samples, enum sc_fit_engine engine)
{
  scene *s = calloc(1, sizeof *s);
  assert_non_null(s);
  s->graph = scene_new(sizes, SIZES, "page-faults");
  s->main = scene_main(s->graph);
  s->loop = scene_loop(s->graph, s->main, "main", 3, count, 0);
  for (size_t i = 0; i < SIZES; i++) {
    unit_ok(sc_graph_add(s->graph, i, s->loop, SC_METRIC_COST, each[i] * count(sizes[i])));
    sc_graph_run(s->graph, i)->samples = 1000;
  }
  sc_analysis_options options = scene_options(target, 1);
  options.fit.engine = engine;
  s->a = scene_analyse_with(s->graph, &options);
  unit_ok(sc_measured_take(s->a, &s->m));
  for (size_t i = 0; i < SIZES; i++) {
    assert_true(s->m.priced[i]);
    unit_near(s->m.per_sample[i], each[i] * count(sizes[i]) / 1000);
    s->m.per_sample[i] = samples[i] > 0 ? each[i] * count(sizes[i]) / samples[i] : 0;
  }
  return s;
}

static void close_scene(scene *s)
{
  sc_measured_free(&s->m);
  sc_analysis_free(s->a);
  sc_graph_free(s->graph);
  free(s);
}

static sc_load load_of(scene *s, double one_sample)
{
  sc_load load = {.weight = 1};
  sc_cost_each_load(&s->m, s->loop, one_sample, s->points, &load);
  return load;
}

static const double ones[SIZES] = {1, 1, 1, 1, 1}, many[SIZES] = {1000, 1000, 1000, 1000, 1000};
static const double z = 1.959963984540054; /* of 95% */

/* What caches may add from where it was measured, at n on average, up to 16,000. */
static double caches(double each, double n) { return each * expm1(0.14 * log(16000 / n)); }

/* The least that is expected of a number of samples, as Wilson and Hilferty have it. */
static double least(double samples) { return pow(1 - 1 / (9 * samples) - z / (3 * sqrt(samples)), 3); }

/* Runs from half of the largest size on, and smaller ones up to a hundred samples. */
TEST(the_largest_sizes_say_what_an_execution_costs)
{
  static const struct {
    double samples[SIZES];
    size_t runs;
  } cases[] = {{{500, 500, 500, 70, 30}, 2}, {{500, 500, 500, 69, 30}, 3},
               {{500, 500, 21, 50, 30}, 3},  {{500, 500, 19, 50, 30}, 4},
               {{500, 1, 1, 1, 1}, 5},       {{500, 500, 500, 0, 0}, 2}}; /* of costs that are no samples */
  static const double each[SIZES] = {16, 8, 4, 2, 1};
  for (size_t i = 0; i < COUNT(cases); i++) {
    scene *s = open_scene(scene_n, each, cases[i].samples, SC_FIT_DEFAULT);
    double cost = 0, count = 0;
    for (size_t k = SIZES - cases[i].runs; k < SIZES; k++) {
      cost += each[k] * sizes[k];
      count += sizes[k];
    }
    unit_near(load_of(s, 1).each, cost / count);
    close_scene(s);
  }
}

/* Samples scatter as their number has it, and caches are open above. */
TEST(few_samples_are_less_sure)
{
  static const double samples[SIZES] = {1e3, 1e3, 1e3, 60, 120};
  scene *s = open_scene(scene_n, ones, samples, SC_FIT_DEFAULT);
  sc_load load = load_of(s, 1);
  unit_near(load.each, 1);
  unit_near(load.below, 1 - least(180));
  double n = (800. * 800 + 1600. * 1600) / 2400;
  unit_near(load.above, hypot(z * sqrt(181) / 180, caches(1, n)));
  close_scene(s);
  static const double few[SIZES] = {0.1, 0.1, 0.1, 0.1, 0.1};
  s = open_scene(scene_n, ones, few, SC_FIT_DEFAULT);
  load = load_of(s, 1);
  unit_near(load.below, 1 - pow(fmax(0, 1 - 1.0 / 9 - z / 3), 3)); /* as one */
  n = (100. * 100 + 200. * 200 + 400. * 400 + 800. * 800 + 1600. * 1600) / 3100;
  unit_near(load.above, hypot(z * sqrt(1.5), caches(1, n)));
  close_scene(s);
  s = open_scene(scene_n, ones, (const double[SIZES]){0}, SC_FIT_DEFAULT); /* counters do not scatter */
  load = load_of(s, 1);
  assert_true(load.below == 0);
  unit_near(load.above, caches(1, (800. * 800 + 1600. * 1600) / 2400));
  close_scene(s);
}

/* Runs of another event, or that did not get there, say nothing. */
TEST(runs_without_prices_do_not_count)
{
  static const double each[SIZES] = {16, 8, 4, 2, 1};
  scene *s = open_scene(scene_n, each, many, SC_FIT_DEFAULT);
  s->m.priced[SIZES - 1] = false;
  unit_near(load_of(s, 1).each, 2);
  s->m.priced[SIZES - 2] = false; /* then smaller ones do, until there are samples enough */
  unit_near(load_of(s, 1).each, 4);
  close_scene(s);
}

/* What no sample hit may have taken what three missed; what never ran, nothing. */
TEST(what_was_never_sampled_may_cost_something)
{
  scene *s = open_scene(scene_n, ones, many, SC_FIT_DEFAULT);
  s->m.cost[s->loop] = 0;
  sc_load load = load_of(s, 0.5);
  assert_true(load.each == 0 && load.below == 0);
  unit_near(load.above, 3 * 0.5 / 3100);
  s->m.counts[s->a->series[s->loop]] = 0;
  load = load_of(s, 0.5);
  assert_true(load.each == 0 && load.below == 0 && load.above == 0);
  s->a->sampled = false; /* executions are what there is to count */
  load = load_of(s, 0.5);
  assert_true(load.each == 1 && load.below == 0 && load.above == 0);
  close_scene(s);
}

/* With what is below it, that has no place of its own, all runs are summed. */
TEST(what_includes_others_is_summed)
{
  static const double each[SIZES] = {16, 8, 4, 2, 1};
  scene *s = open_scene(scene_n, each, many, SC_FIT_DEFAULT);
  s->m.folded[s->loop] = true;
  s->m.cost[s->loop] = 6200;
  sc_load load = load_of(s, 62);
  unit_near(load.each, 2);
  unit_near(load.below, 2 * (1 - least(100)));
  unit_near(load.above, 2 * z * sqrt(101) / 100);
  load = load_of(s, 0); /* no samples: counted */
  assert_true(load.each == 2 && load.below == 0 && load.above == 0);
  close_scene(s);
}

/* The paper's average of the runs' ratios, of 30 samples each. */
TEST(the_paper_averages_ratios)
{
  static const double each[SIZES] = {3, 1, 2, 2, 4};
  for (int more = 0; more < 2; more++) {
    double samples[SIZES] = {30, 50, 60, 70, more ? 30 : 29};
    scene *s = open_scene(scene_n, each, samples, SC_FIT_DELTA_INFER);
    sc_load load = load_of(s, 100);
    double mean = 2.4, squares = 0, cost = 300 + 200 + 800 + 1600 + 6400;
    for (size_t i = 0; i < SIZES; i++)
      squares += (each[i] - mean) * (each[i] - mean);
    if (more) {
      unit_near(load.each, mean);
      unit_near(load.below, z * sqrt(squares / 4 / 5));
      unit_near(load.above, load.below);
      for (size_t i = 0; i < SIZES - 1; i++)
        s->m.priced[i] = i == 0;
      load = load_of(s, 100);
      unit_near(load.each, (3 + 4) / 2.0);
      unit_near(load.below, fmin(load.each, z * sqrt(0.5 / 2)));
      s->m.priced[0] = false; /* of one run there is no average */
      unit_near(load_of(s, 100).each, cost / 3100);
    } else {
      unit_near(load.each, cost / 3100);
      unit_near(load.below, load.each * (1 - least(cost / 100)));
    }
    close_scene(s);
  }
}

static double late(double n) { return n > 100 ? n : 0; }

/* A run that did not get there has no ratio. */
TEST(runs_without_executions_have_no_ratio)
{
  static const double each[SIZES] = {9, 1, 3, 1, 3};
  scene *s = open_scene(late, each, many, SC_FIT_DELTA_INFER);
  s->m.per_sample[0] = 1;
  sc_load load = load_of(s, 100);
  unit_near(load.each, 2);
  unit_near(load.below, z * sqrt(4.0 / 3 / 4));
  close_scene(s);
}

/* A power law through the prices of runs with samples enough widens the interval to its side, up to an exponent of one,
 * or of two together with the count's. */
TEST(trends_widen_to_their_side)
{
  static const double powers[] = {0.5, -0.5, 1.5, 3};
  for (size_t i = 0; i < COUNT(powers); i++)
    for (int steady = 0; steady < 2; steady++) {
      double each[SIZES];
      for (size_t k = 0; k < SIZES; k++)
        each[k] = pow(sizes[k] / 1600, powers[i]);
      scene *s = open_scene(steady ? thousand : scene_n, each, many, SC_FIT_DEFAULT);
      double weights[] = {steady ? 1 : 800, steady ? 1 : 1600};
      double n = (weights[0] * 800 + weights[1] * 1600) / (weights[0] + weights[1]);
      double mean = (weights[0] * each[3] + weights[1]) / (weights[0] + weights[1]), reach = log(16000 / n);
      double error = 1 / sqrt(1000 * 10 * log(2) * log(2)); /* of five sizes a doubling apart */
      double steepest = steady ? 2 : 1, low = mean * least(2000);
      sc_load load = load_of(s, 1);
      double high = fmax(mean + hypot(mean * z * sqrt(2001) / 2000, caches(mean, n)),
                         mean + mean * expm1(reach * fmin(powers[i] + error, steepest)));
      if (powers[i] < 0) {
        unit_near(load.each, mean);
        unit_near_by(load.below, -mean * expm1(reach * (powers[i] - error)), 1e-6);
      } else {
        double middle = mean * exp(reach * fmin(powers[i], steepest) / 2);
        unit_near_by(load.each, steady ? fmin(middle, high) : mean, 1e-6);
        unit_near_by(load.each + load.above, high, 1e-6);
        unit_near_by(load.each - load.below, low, 1e-6);
      }
      close_scene(s);
    }
}

/* Five samples have to be expected of a run. */
TEST(runs_that_happen_to_have_a_sample_show_no_trend)
{
  static const double each[SIZES] = {1.0 / 4, 1.0 / 4, 1.0 / 2, 1, 1};
  for (int more = 0; more < 2; more++) {
    double samples[SIZES] = {0, 0, 0, 1e4, 1e4};
    scene *s = open_scene(scene_n, each, samples, SC_FIT_DEFAULT);
    s->m.per_sample[2] = 400 / (more ? 5.01 : 4.99); /* 400 executions that cost one each */
    sc_load load = load_of(s, 1);
    double n = (800. * 800 + 1600. * 1600) / 2400;
    double sure = hypot(z * sqrt(20001) / 20000, caches(1, n));
    /* three sizes give a slope, which is too uncertain; two give no slope */
    unit_near(load.above, sure);
    assert_true(load.each == 1);
    close_scene(s);
  }
}

/* ---- points of runs ---- */

TEST(runs_of_few_samples_are_points_together)
{
  static const double repeated[] = {100, 100, 100, 200, 200};
  scene s = {.graph = scene_new(repeated, 5, "page-faults")};
  s.loop = scene_loop(s.graph, scene_main(s.graph), "main", 3, scene_n, 0);
  static const double each[] = {1, 2, 4, 8, 16};
  for (size_t i = 0; i < 5; i++)
    unit_ok(sc_graph_add(s.graph, i, s.loop, SC_METRIC_COST, each[i] * repeated[i]));
  for (size_t i = 0; i < 5; i++)
    sc_graph_run(s.graph, i)->samples = 10;
  s.a = scene_analyse(s.graph, NULL, 0);
  unit_ok(sc_measured_take(s.a, &s.m)); /* ten samples in each run */
  assert_int_equal(sc_cost_each_points(&s.m, s.loop, 10, s.points), 5);
  for (size_t i = 0; i < 5; i++) {
    unit_near(s.points[i].n, repeated[i]);
    unit_near(s.points[i].each, each[i]);
    unit_near(s.points[i].samples, 10);
  }
  s.m.per_sample[1] *= 2, s.m.per_sample[2] *= 2; /* five samples each: one point together */
  assert_int_equal(sc_cost_each_points(&s.m, s.loop, 10, s.points), 4);
  unit_near(s.points[0].each, 1);
  unit_near(s.points[1].each, 3);
  unit_near(s.points[1].samples, 10);
  unit_near(s.points[2].each, 8);
  s.m.per_sample[2] *= 2; /* 7.5 are too few, even together */
  assert_int_equal(sc_cost_each_points(&s.m, s.loop, 10, s.points), 3);
  s.m.priced[3] = false;
  assert_int_equal(sc_cost_each_points(&s.m, s.loop, 10, s.points), 2);
  unit_near(s.points[1].each, 16);
  s.m.per_sample[4] = 0; /* unknown */
  assert_int_equal(sc_cost_each_points(&s.m, s.loop, 0, s.points), 3);
  sc_measured_free(&s.m);
  sc_analysis_free(s.a);
  sc_graph_free(s.graph);
}

/* ---- the power law through points ---- */

TEST(a_power_law_through_points_is_itself)
{
  static const sc_cost_point points[] = {{10, 3, 7}, {20, 6, 100}, {20, 6, 5}, {80, 24, 1000}};
  sc_cost_slope s;
  assert_int_equal(sc_cost_slope_sizes(points, 4), 3);
  assert_true(sc_cost_slope_fit(points, 4, &s));
  double weight = 1112, x = (7 * log(10) + 105 * log(20) + 1000 * log(80)) / weight, xx = 0;
  for (size_t i = 0; i < 4; i++)
    xx += points[i].samples * pow(log(points[i].n) - x, 2);
  unit_near(s.slope, 1);
  unit_near(s.centre, x);
  unit_near(s.level, x + log(0.3));
  unit_near(s.error, 1 / sqrt(xx));
  unit_near(s.level_error, 1 / sqrt(weight));
  assert_true(s.residual < 1e-9 && s.worst < 1e-9);
  assert_true(sc_cost_slope_certain(&s) == (1 - 2 / sqrt(xx) >= 0.6));
  assert_false(sc_cost_slope_fit(points, 3, &s)); /* two sizes */
}

/* Points beside it, by e^off, weighted by their samples: those in the middle lie above, those outside below. */
TEST(points_beside_a_power_law_make_it_uncertain)
{
  static const double off = 0.2;
  const sc_cost_point points[] = {
      {10, exp(-off), 400}, {100, exp(off), 400}, {1000, exp(off), 400}, {10000, exp(-off), 400}};
  sc_cost_slope s;
  assert_true(sc_cost_slope_fit(points, 4, &s));
  assert_true(fabs(s.slope) < 1e-12 && fabs(s.level) < 1e-12);
  double squares = 4 * 400 * off * off, excess = sqrt(squares / 2), decade = log(10);
  unit_near(s.error, excess / sqrt(400 * 2 * (2.25 + 0.25) * decade * decade));
  unit_near(s.level_error, excess / sqrt(1600));
  unit_near(s.worst, off - 3 / sqrt(400));
  unit_near(s.residual, (expm1(off) - expm1(-off)) / 2);
}

TEST(a_slope_is_certain_from_six_tenths_on)
{
  const sc_cost_slope good = {.slope = 0.81, .error = 0.1, .worst = 0.249};
  sc_cost_slope s = good;
  assert_true(sc_cost_slope_certain(&s));
  s.slope = 0.79;
  assert_false(sc_cost_slope_certain(&s));
  s = good, s.error = 0.11;
  assert_false(sc_cost_slope_certain(&s));
  s = good, s.worst = 0.251;
  assert_false(sc_cost_slope_certain(&s));
}
