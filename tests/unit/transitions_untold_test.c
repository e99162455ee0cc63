/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What cannot be predicted is not predicted: growth without a model, and costs on which few samples fell. */
#include "unit.h"

#include "transitions_scene.h"

static const double sizes[] = {10, 14, 18, 22, 26, 30};
static const double far_away[] = {45};

static double doubling(double n) { return exp2(n); }
/* Jumps up and down by more than any function of n says, ever higher. */
static double wild(double n) { return 1 + floor(n * n * (fmod(n, 8) < 4 ? 50 : 1)); }
static double scattered_still(double n) { return fmod(n, 8) < 4 ? 50 : 10; }

TEST(exponentials_are_findings)
{
  sc_graph *graph = scene_new(sizes, COUNT(sizes), "");
  uint32_t main_context = scene_main(graph), loop = scene_loop(graph, main_context, "main", 3, doubling, 0);
  scene_loop(graph, main_context, "main", 9, scene_square, 0);
  sc_analysis *analysis = scene_analyse(graph, far_away, 1);
  sc_findings findings = scene_infer(analysis);
  sc_interval total, limit;
  assert_true(findings.count >= 1);
  assert_int_equal(findings.list[0].context, loop);
  assert_int_equal(findings.list[0].rule, SC_RULE_EXPONENTIAL);
  assert_int_equal(findings.list[0].severity, SC_SEVERITY_ERROR);
  assert_true(findings.list[0].superlinear);
  assert_int_equal(sc_analysis_total(analysis, 45, &total), 0);
  assert_true(total.low <= exp2(45) + 45 * 45 + 1 && total.high >= exp2(45) + 45 * 45 + 1 && total.high < exp2(46));
  assert_int_equal(scene_limit(analysis, exp2(40), 10, &limit), 0);
  assert_true(fabs(limit.value - 40) < 0.01);
  assert_int_equal(sc_analysis_untold(analysis)->count, 0);
  scene_end(graph, analysis, &findings);
}

TEST(growth_without_a_model_is_unbounded)
{
  sc_graph *graph = scene_new(sizes, COUNT(sizes), "");
  uint32_t main_context = scene_main(graph), loop = scene_loop(graph, main_context, "main", 3, wild, 0);
  sc_analysis *analysis = scene_analyse(graph, far_away, 1);
  const sc_untold *untold = sc_analysis_untold(analysis);
  sc_interval at;
  assert_int_equal(sc_analysis_model(analysis, loop)->verdict, SC_VERDICT_CANNOT_TELL);
  assert_true(untold->count == 1 && untold->context == loop && untold->unbounded && untold->most);
  assert_true(untold->count_share > 0.9);
  assert_int_equal(sc_analysis_total(analysis, 45, &at), 0);
  assert_true(isinf(at.high));
  assert_int_equal(sc_analysis_count(analysis, loop, 45, &at), 0);
  assert_true(isinf(at.high));
  assert_int_equal(sc_analysis_total(analysis, 30, &at), 0);
  assert_true(isfinite(at.high));
  assert_int_equal(scene_limit(analysis, 1e12, 10, &at), 0);
  assert_true(at.low <= 31);
  scene_end(graph, analysis, NULL);
}

/* Up and down around a power of n by more than any model leaves. */
static double scattered(double n, double exponent)
{
  static const double off[] = {2, 0.5, 1.7, 0.4, 1.1, 0.45, 2.1, 0.9, 1.6, 0.42, 0.6};
  return floor(pow(n, exponent) * off[(int)round(log2(n) * 2) % (int)COUNT(off)] * 10);
}
static double scattered_line(double n) { return scattered(n, 1); }
static double scattered_below(double n) { return scattered(n, 1.1); }
static double scattered_above(double n) { return scattered(n, 1.3); }
static double scattered_square(double n) { return scattered(n, 2); }
static double scattered_late(double n) { return n < 30000 ? scattered(n, 0.5) : scattered(n, 1.5) / 30000; }

TEST(scattered_growth_is_no_reason_for_doubt_unless_it_may_be_superlinear)
{
  static const double target[] = {1e9};
  static const struct {
    double (*count)(double n);
    bool slow;
  } cases[] = {{scattered_line, true},
               {scattered_below, true},
               {scattered_above, false},
               {scattered_square, false},
               {scattered_late, false}};
  double wide[40];
  for (size_t i = 0; i < COUNT(wide); i++)
    wide[i] = round(16 * exp2((double)i / 2));
  for (size_t i = 0; i < COUNT(cases); i++) {
    sc_graph *graph = scene_new(wide, COUNT(wide), "");
    scene_loop(graph, scene_main(graph), "main", 3, cases[i].count, 0);
    sc_analysis *analysis = scene_analyse(graph, target, 1);
    const sc_untold *untold = sc_analysis_untold(analysis);
    assert_int_equal(untold->count, 1);
    assert_true(untold->unbounded && untold->slow == cases[i].slow && untold->most == !cases[i].slow);
    scene_end(graph, analysis, NULL);
  }
}

/* Two runs of each size, or of the last sizes alone: by `apart` less and by `apart` more than `of_chance`. */
static double (*of_chance)(double n);
static double apart;
static int turns, once; /* runs so far; the first ones, alone of their size */
static double by_chance(double n)
{
  double value = 1e6 * of_chance(n);
  int turn = turns++ - once;
  return turn < 0 ? value : turn % 2 ? value * apart : value / apart;
}
static double steep_by_chance(double n) { return pow(n, 5) * (fmod(log2(n), 4) < 2 ? 40 : 1); }

TEST(what_differs_from_run_to_run_of_one_size_is_of_chance)
{
  static const struct {
    double (*count)(double n);
    double factor; /* standard deviation of the runs of one size */
    int repeated;  /* sizes */
    bool chance, most;
  } cases[] = {{wild, 1, 6, false, true},
               {wild, 1.98, 6, false, true},
               {wild, 2.02, 6, true, true},
               {wild, 1000, 6, true, true},
               {wild, 1000, 3, true, true},
               {wild, 1000, 2, false, true},
               {steep_by_chance, 2.5, 6, false, true}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    double runs[2 * COUNT(sizes)];
    size_t count = 0;
    once = (int)COUNT(sizes) - cases[i].repeated;
    bool wide = cases[i].count == steep_by_chance; /* over ten doublings it shows through any such scatter */
    for (int k = 0; k < (int)COUNT(sizes); k++)
      for (int r = 0; r < 1 + (k >= once); r++)
        runs[count++] = wide ? exp2(2 * k + 3) : sizes[k];
    of_chance = cases[i].count;
    apart = pow(cases[i].factor, sqrt(0.5));
    turns = 0;
    sc_graph *graph = scene_new(runs, count, "");
    (void)scene_loop(graph, scene_main(graph), "main", 3, by_chance, 0);
    sc_analysis *analysis = scene_analyse(graph, (const double[]){1e6}, 1);
    const sc_untold *untold = sc_analysis_untold(analysis);
    if (untold->count != 1 || !untold->unbounded || untold->chance != cases[i].chance || untold->most != cases[i].most)
      fail_msg("%zu: count %zu, unbounded %d, slow %d, chance %d, most %d", i, untold->count, untold->unbounded,
               untold->slow, untold->chance, untold->most);
    scene_end(graph, analysis, NULL);
  }
}

/* An index that some runs of a size make and others do not. */
static double at_times(double n)
{
  static const double drawn[] = {0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1};
  return floor(n * log2(n)) * drawn[turns++ % (int)COUNT(drawn)];
}
TEST(what_one_run_does_and_the_next_does_not_is_of_chance)
{
  static const double runs[] = {100, 100, 238, 566, 1345, 1345, 1345, 1345, 2735, 2735, 2735, 3200, 3200, 3200, 3200};
  turns = 0;
  sc_graph *graph = scene_new(runs, COUNT(runs), "");
  (void)scene_loop(graph, scene_main(graph), "main", 3, at_times, 0);
  sc_analysis *analysis = scene_analyse(graph, (const double[]){1e6}, 1);
  const sc_untold *untold = sc_analysis_untold(analysis);
  if (untold->count != 1 || !untold->unbounded || !untold->most || !untold->chance)
    fail_msg("count %zu, unbounded %d, slow %d, chance %d, most %d", untold->count, untold->unbounded, untold->slow,
             untold->chance, untold->most);
  scene_end(graph, analysis, NULL);
}

TEST(scatter_without_growth_stays_bounded)
{
  sc_graph *graph = scene_new(sizes, COUNT(sizes), "");
  scene_loop(graph, scene_main(graph), "main", 3, scattered_still, 0);
  sc_analysis *analysis = scene_analyse(graph, far_away, 1);
  sc_interval at;
  assert_int_equal(sc_analysis_untold(analysis)->count, 0);
  assert_int_equal(sc_analysis_total(analysis, 45, &at), 0);
  assert_true(isfinite(at.high));
  scene_end(graph, analysis, NULL);
}

/* Two samples in all, but the system accounted 1 ms and 10 us for each of the iterations. */
TEST(few_samples_leave_the_processor_time)
{
  static const double wide[] = {100, 200, 400, 800, 1600, 3200};
  static const double target[] = {100000};
  sc_graph *graph = scene_new(wide, COUNT(wide), "task-clock");
  uint32_t main_context = scene_main(graph), loop = scene_loop(graph, main_context, "main", 3, scene_n, 0);
  for (size_t i = 0; i < COUNT(wide); i++)
    sc_graph_run(graph, i)->user_seconds = 0.001 + 1e-5 * wide[i];
  for (size_t i = 4; i < COUNT(wide); i++) {
    assert_int_equal(sc_graph_add(graph, i, main_context, SC_METRIC_COST, 0.001), 0);
    sc_graph_run(graph, i)->samples = 1;
  }
  sc_analysis *analysis = scene_analyse(graph, target, 1);
  sc_interval at;
  assert_int_equal(sc_analysis_total(analysis, 100000, &at), 0);
  assert_true(fabs(at.value - 1.001) < 0.02 && at.low < 1 && at.high > 1.001 && at.high < 3);
  assert_int_equal(sc_analysis_cost(analysis, loop, 100000, &at), 0);
  assert_true(fabs(at.value - 1) < 0.02);
  scene_end(graph, analysis, NULL);
}
