/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "transitions_scene.h"

static const double SIZES[] = {100, 200, 400, 800, 1600};
#define NEW_SCENE(event) scene_new(SIZES, 5, event)

static double ten(double n) { return n > 0 ? 10 : 0; }
static double falling(double n) { return floor(1e6 / n); }

static sc_analysis *analyse(const sc_graph *graph) { return scene_analyse(graph, NULL, 0); }

/* The largest sizes rule; with few samples all runs together, so that one stray sample in a small run does not. */
TEST(cost_each)
{
  sc_graph *graph = NEW_SCENE("task-clock");
  uint32_t main = scene_main(graph);
  uint32_t often = scene_loop(graph, main, "often", 3, scene_n, 1e-2);
  uint32_t rare = scene_loop(graph, main, "rare", 5, scene_n, 0);
  uint32_t never = scene_loop(graph, main, "never", 7, scene_n, 0);
  assert_int_equal(sc_graph_add(graph, 0, rare, SC_METRIC_COST, 0.001), 0); /* one sample at n = 100 */
  assert_int_equal(sc_graph_add(graph, 0, often, SC_METRIC_COST, 1), 0);    /* a slow first run: 0.02 each */
  sc_graph_run(graph, 0)->samples += 1001;
  sc_analysis *a = analyse(graph);
  assert_string_equal(sc_analysis_cost_unit(a), "s");
  assert_float_equal(sc_analysis_cost_each(a, often), 1e-2, 1e-9);
  assert_float_equal(sc_analysis_cost_each(a, rare), 0.001 / 3100, 1e-12);
  assert_float_equal(sc_analysis_cost_each(a, never), 0, 0);
  sc_interval cost;
  assert_int_equal(sc_analysis_cost(a, never, 1600, &cost), 0);
  assert_float_equal(cost.value, 0, 0);
  assert_true(cost.high > 0 && cost.high < 0.01); /* three samples may have been missed */
  assert_int_equal(sc_analysis_cost(a, rare, 1600, &cost), 0);
  assert_true(cost.low < 0.001 * 1600 / 3100 && cost.high > 0.001 * 1600 / 3100);
  scene_end(graph, a, NULL);
}

/* The paper's engine: the mean of cost / count over the runs, unless samples are few. */
TEST(cost_each_of_the_paper)
{
  sc_graph *graph = NEW_SCENE("task-clock");
  uint32_t main = scene_main(graph);
  uint32_t often = scene_loop(graph, main, "often", 3, scene_n, 1e-2);
  uint32_t rare = scene_loop(graph, main, "rare", 5, scene_n, 0);
  sc_analysis_options options = {.fit = {SC_FIT_DELTA_INFER, 0.9}};
  sc_analysis *a;
  assert_int_equal(sc_graph_add(graph, 0, rare, SC_METRIC_COST, 0.001), 0);
  assert_int_equal(sc_graph_add(graph, 0, often, SC_METRIC_COST, 1), 0);
  sc_graph_run(graph, 0)->samples += 1001;
  assert_int_equal(sc_analysis_new(graph, &options, &a), 0);
  assert_float_equal(sc_analysis_cost_each(a, often), (4 * 1e-2 + 2e-2) / 5, 1e-9);
  assert_float_equal(sc_analysis_cost_each(a, rare), 0.001 / 3100, 1e-12);
  scene_end(graph, a, NULL);
}

/* Both runs from half of the largest size on count, and smaller ones as far as samples are wanting. */
TEST(cost_each_is_recent)
{
  static const double each[] = {9e-2, 8e-2, 7e-2, 2e-2, 1e-2};
  for (int rich = 0; rich < 2; rich++) {
    sc_graph *graph = NEW_SCENE("task-clock");
    uint32_t loop = scene_loop(graph, scene_main(graph), "main", 3, scene_n, 0);
    for (size_t i = 0; i < 5; i++) {
      assert_int_equal(sc_graph_add(graph, i, loop, SC_METRIC_COST, SIZES[i] * each[i]), 0);
      sc_graph_run(graph, i)->samples = rich ? 200 : 45;
    }
    sc_analysis *a = analyse(graph);
    double cost = 16 + 16 + (rich ? 0 : 28), count = 2400 + (rich ? 0 : 400);
    assert_float_equal(sc_analysis_cost_each(a, loop), cost / count, 1e-9);
    scene_end(graph, a, NULL);
  }
}

/* Cost that belongs to nobody and follows no credible model stays, or grows as what costs most does if it rises. What
 * is seen to outgrow the counts, as machine code made at run time may, has a model of its own. */
TEST(unattributed_cost)
{
  static const double whims[] = {0.3, 0, 0.2, 0, 0.4};
  for (int steep = 0; steep < 2; steep++) {
    sc_graph *graph = NEW_SCENE("task-clock");
    uint32_t main = scene_main(graph), process = sc_graph_parent(graph, main);
    scene_loop(graph, main, "main", 3, scene_n, 1e-3);
    double sum = 0;
    for (size_t i = 0; i < 5; i++) {
      double cost = steep ? SIZES[i] * SIZES[i] * SIZES[i] * 1e-9 : whims[i];
      sum += cost;
      assert_int_equal(sc_graph_add(graph, i, process, SC_METRIC_COST, cost), 0);
    }
    sc_analysis *a = analyse(graph);
    sc_interval cost;
    assert_int_equal(sc_analysis_cost(a, process, 16000, &cost), 0);
    if (steep) {
      assert_float_equal(cost.value, 4096, 1);
      assert_true(cost.low > 1000 && cost.high >= cost.value);
    } else {
      assert_float_equal(cost.value, sum / 5, 1e-6);
      assert_float_equal(cost.low, 0, 1e-6);
      assert_float_equal(cost.high / cost.value, 2, 0.01);
    }
    scene_end(graph, a, NULL);
  }
}

static double ever_dearer(double n) { return 1e-4 * pow(n, 0.3); }

/* Caches: the estimate is that of the largest sizes, and the interval goes on where the trend leads. */
TEST(cost_each_with_a_trend)
{
  static const double target[] = {16000};
  sc_graph *graph = NEW_SCENE("task-clock");
  uint32_t loop = scene_loop(graph, scene_main(graph), "main", 3, scene_n, 0);
  for (size_t i = 0; i < 5; i++) {
    assert_int_equal(sc_graph_add(graph, i, loop, SC_METRIC_COST, SIZES[i] * ever_dearer(SIZES[i])), 0);
    sc_graph_run(graph, i)->samples = 10000;
  }
  sc_analysis *a = scene_analyse(graph, target, 1);
  sc_interval cost;
  assert_true(sc_analysis_cost_each(a, loop) > ever_dearer(800) && sc_analysis_cost_each(a, loop) < ever_dearer(1600));
  assert_int_equal(sc_analysis_cost(a, loop, 16000, &cost), 0);
  assert_true(cost.high > 16000 * ever_dearer(16000) && cost.high < 16000 * ever_dearer(32000));
  assert_true(cost.low > 0.9 * cost.value);
  scene_end(graph, a, NULL);
}

/* A cliff is no power law that goes on: ten times as much at ten times the size, at most. But what runs as often at
 * each size may hide loops that are not counted: a hundred times. */
TEST(cost_each_with_a_cliff)
{
  static const double target[] = {16000};
  for (int steady = 0; steady < 2; steady++) {
    sc_graph *graph = NEW_SCENE("task-clock");
    uint32_t loop = scene_loop(graph, scene_main(graph), "main", 3, steady ? ten : scene_n, 0);
    for (size_t i = 0; i < 5; i++) {
      double each = SIZES[i] < 500 ? 1e-4 : 4e-3;
      assert_int_equal(sc_graph_add(graph, i, loop, SC_METRIC_COST, SIZES[i] * each), 0);
      sc_graph_run(graph, i)->samples = 10000;
    }
    sc_analysis *a = scene_analyse(graph, target, 1);
    sc_interval cost;
    assert_int_equal(sc_analysis_cost(a, loop, 16000, &cost), 0);
    double last = steady ? (SIZES[3] + SIZES[4]) * 4e-3 / 2 : cost.value;
    assert_true(cost.high > (steady ? 50 : 5) * last && cost.high < (steady ? 14 * 14 : 14) * last);
    assert_true(!steady || (cost.value > 5 * last && cost.value < 15 * last)); /* between them */
    scene_end(graph, a, NULL);
  }
}

static double measured_total(const sc_graph *graph, size_t run)
{
  double sum = 0;
  for (uint32_t c = 0; c < sc_graph_context_count(graph); c++)
    sum += sc_graph_value(graph, run, c, SC_METRIC_COST);
  return sum;
}

/* At measured sizes the predicted total is what was measured, unattributed cost, foreign cost and that of loops the
 * optimiser replaced included. */
TEST(total_is_real)
{
  sc_graph *graph = NEW_SCENE("cpu-clock");
  uint32_t main = scene_main(graph), process = sc_graph_parent(graph, main);
  uint32_t outer = scene_loop(graph, main, "main", 3, scene_n, 1e-4);
  scene_loop(graph, outer, "main", 4, scene_square, 1e-7);
  uint32_t sort = scene_foreign(graph, main, "qsort");
  scene_function(graph, sort, "compare", scene_sorting, 1e-6);
  uint32_t replaced = scene_context(
      graph, outer,
      &(sc_location){.kind = SC_LOCATION_LOOP, .name = "main", .file = "scene.c", .line = 5, .column = 3});
  for (size_t i = 0; i < 5; i++) {
    assert_int_equal(sc_graph_add(graph, i, process, SC_METRIC_COST, 0.005), 0);
    assert_int_equal(sc_graph_add(graph, i, sort, SC_METRIC_COST, scene_sorting(SIZES[i]) * 2e-6), 0);
    assert_int_equal(sc_graph_add(graph, i, replaced, SC_METRIC_COST, SIZES[i] * 5e-5), 0);
  }
  sc_analysis *a = analyse(graph);
  for (size_t i = 0; i < 5; i++) {
    sc_interval total;
    double real = measured_total(graph, i);
    assert_int_equal(sc_analysis_total(a, SIZES[i], &total), 0);
    assert_float_equal(total.value, real, 0.02 * real);
    assert_true(total.low <= real && real <= total.high);
  }
  assert_true(sc_analysis_modelled_share(a) > 0.9);
  scene_end(graph, a, NULL);
}

TEST(iterations_without_samples)
{
  sc_graph *graph = NEW_SCENE("");
  uint32_t loop = scene_loop(graph, scene_main(graph), "main", 3, scene_square, 0);
  sc_analysis *a = analyse(graph);
  sc_interval value;
  assert_string_equal(sc_analysis_cost_unit(a), "iterations");
  assert_float_equal(sc_analysis_cost_each(a, loop), 1, 0);
  assert_int_equal(sc_analysis_total(a, 10000, &value), 0);
  assert_float_equal(value.value, 1e8 + 1, 1e-3);
  assert_int_equal(sc_analysis_cost(a, loop, 10000, &value), 0);
  assert_float_equal(value.value, 1e8, 1e-3);
  scene_end(graph, a, NULL);
}

/* An event without a sample in any run is as good as none. */
TEST(iterations_when_too_short)
{
  sc_graph *graph = NEW_SCENE("task-clock");
  scene_loop(graph, scene_main(graph), "main", 3, scene_square, 0);
  sc_analysis *a = analyse(graph);
  assert_string_equal(sc_analysis_cost_unit(a), "iterations");
  scene_end(graph, a, NULL);
}

TEST(events_keep_their_name)
{
  sc_graph *graph = NEW_SCENE("LLC_MISSES");
  scene_loop(graph, scene_main(graph), "main", 3, scene_square, 2);
  sc_analysis *a = analyse(graph);
  assert_string_equal(sc_analysis_cost_unit(a), "LLC_MISSES");
  scene_end(graph, a, NULL);
}

TEST(clocks_are_seconds)
{
  static const char *const names[] = {"task-clock", "cpu-clock", "PERF_COUNT_SW_TASK_CLOCK", "task-clock:u"};
  for (size_t i = 0; i < 4; i++) {
    sc_graph *graph = NEW_SCENE(names[i]);
    scene_loop(graph, scene_main(graph), "main", 3, scene_square, 2);
    sc_analysis *a = analyse(graph);
    assert_string_equal(sc_analysis_cost_unit(a), "s");
    scene_end(graph, a, NULL);
  }
}

TEST(limit_is_found)
{
  sc_graph *graph = NEW_SCENE("");
  scene_loop(graph, scene_main(graph), "main", 3, scene_square, 0);
  sc_analysis *a = analyse(graph);
  sc_interval size;
  assert_int_equal(scene_limit(a, 1e8 + 1, 100, &size), 0);
  assert_float_equal(size.value, 10000, 0.01);
  assert_true(size.low <= size.value && size.value <= size.high);
  assert_int_equal(scene_limit(a, 1e8 + 1, 0, &size), SC_E_INPUT); /* from nothing */
  assert_int_equal(scene_limit(a, 50, 100, &size), 0);             /* already past it */
  assert_float_equal(size.value, 100, 0);
  assert_int_equal(scene_limit(a, 0, 100, &size), 0);
  assert_float_equal(size.value, 100, 0);
  assert_int_equal(scene_limit(a, INFINITY, 100, &size), 0);
  assert_true(isinf(size.value));
  assert_int_equal(scene_limit(a, 1e300, 100, &size), 0); /* beyond any workload */
  assert_true(isinf(size.value) && isinf(size.high));
  assert_int_equal(scene_limit(a, NAN, 100, &size), SC_E_INPUT);
  scene_end(graph, a, NULL);
}

/* Of an exact model it is the first size at which the limit is reached, to the last digit. */
TEST(limit_is_exact)
{
  static const scene_curve curves[] = {scene_n, scene_square, scene_triangle};
  static const double limits[] = {1e9, 1e9 + 1, 1e9 + 2, 123456789, 1e12, 1e12 + 1, 999999999999, 5e14, 3e15 + 7};
  for (size_t c = 0; c < sizeof curves / sizeof *curves; c++) {
    sc_graph *graph = NEW_SCENE("");
    scene_loop(graph, scene_main(graph), "main", 3, curves[c], 0);
    sc_analysis *a = analyse(graph);
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
      sc_interval size;
      assert_int_equal(scene_limit(a, limits[i], 100, &size), 0);
      double n = size.value;
      if (n != floor(n) || !(1 + curves[c](n) >= limits[i]) || !(1 + curves[c](n - 1) < limits[i]))
        fail_msg("curve %zu reaches %.0f at %.3f", c, limits[i], n);
      assert_true(size.low == n && size.high == n);
    }
    scene_end(graph, a, NULL);
  }
}

/* Little sampled: the interval brackets the size. */
TEST(limit_has_an_interval)
{
  sc_graph *graph = NEW_SCENE("task-clock");
  scene_loop(graph, scene_main(graph), "main", 3, scene_n, 1e-5); /* 31 samples */
  sc_analysis *a = analyse(graph);
  sc_interval size;
  assert_int_equal(scene_limit(a, 1, 100, &size), 0);
  assert_float_equal(size.value, 1e5, 1);
  assert_true(size.low < 0.9 * size.value && size.high > 1.1 * size.value && isfinite(size.high));
  scene_end(graph, a, NULL);
}

TEST(limit_never)
{
  static const scene_curve curves[] = {ten, falling};
  for (size_t i = 0; i < 2; i++) {
    sc_graph *graph = NEW_SCENE("");
    scene_loop(graph, scene_main(graph), "main", 3, curves[i], 0);
    sc_analysis *a = analyse(graph);
    sc_interval size;
    assert_int_equal(scene_limit(a, 2e4, 100, &size), 0);
    assert_true(isinf(size.value) && isinf(size.high));
    sc_findings findings = scene_infer(a);
    assert_int_equal(findings.count, 0);
    scene_end(graph, a, &findings);
  }
}

/* Roots: only what is below counts, and how often the root itself is called is taken as given. */
TEST(roots)
{
  static const char *const names[] = {"on_click"};
  static const char *const unknown[] = {"on_clack"};
  sc_graph *graph = NEW_SCENE("");
  uint32_t main = scene_main(graph);
  uint32_t elsewhere = scene_loop(graph, main, "main", 3, scene_square, 0);
  uint32_t click = scene_function(graph, scene_foreign(graph, main, "dispatch"), "on_click", scene_n, 0);
  uint32_t scan = scene_loop(graph, click, "on_click", 8, scene_square, 0);
  sc_analysis_options options = {.fit = SC_FIT_OPTIONS_DEFAULT, .roots = names, .root_count = 1, .negligible = -1};
  sc_analysis *a;
  sc_interval total;
  assert_int_equal(sc_analysis_new(graph, &options, &a), 0);
  assert_false(sc_analysis_in_scope(a, elsewhere));
  assert_true(sc_analysis_in_scope(a, scan));
  assert_int_equal(sc_analysis_model(a, elsewhere)->verdict, SC_VERDICT_CANNOT_TELL);
  assert_int_equal(sc_analysis_total(a, 100, &total), 0);
  assert_float_equal(total.value, 100 * 100 + 100, 0.01);
  assert_int_equal(sc_analysis_count(a, elsewhere, 100, &total), SC_E_INPUT);
  sc_findings findings = scene_infer(a);
  assert_int_equal(findings.count, 1);
  assert_int_equal(findings.list[0].context, scan);
  sc_findings_free(&findings);
  sc_analysis_free(a);
  options.roots = unknown;
  assert_int_equal(sc_analysis_new(graph, &options, &a), SC_E_INPUT);
  assert_null(a);
  assert_non_null(strstr(sc_err_message(), "on_clack"));
  sc_graph_free(graph);
}

TEST(bad_input)
{
  static const double targets[] = {1000, -5};
  sc_analysis_options options = {.fit = SC_FIT_OPTIONS_DEFAULT, .targets = targets, .target_count = 2};
  sc_analysis *a;
  sc_interval value;
  sc_graph *graph = NEW_SCENE("");
  uint32_t main = scene_main(graph);
  assert_int_equal(sc_analysis_new(graph, &options, &a), SC_E_INPUT);
  options.target_count = 1;
  assert_int_equal(sc_analysis_new(graph, &options, &a), 0);
  assert_int_equal(sc_analysis_count(a, main, 0, &value), SC_E_INPUT);
  assert_int_equal(sc_analysis_count(a, 4711, 10, &value), SC_E_INPUT);
  assert_int_equal(sc_analysis_total(a, NAN, &value), SC_E_INPUT);
  sc_analysis_free(a);
  snprintf(sc_graph_run(graph, 0)->build, 65, "one");
  snprintf(sc_graph_run(graph, 4)->build, 65, "other");
  assert_int_equal(sc_analysis_new(graph, &options, &a), SC_E_MISMATCH);
  snprintf(sc_graph_run(graph, 0)->build, 65, "1"); /* of one letter, too */
  snprintf(sc_graph_run(graph, 4)->build, 65, "2");
  assert_int_equal(sc_analysis_new(graph, &options, &a), SC_E_MISMATCH);
  snprintf(sc_graph_run(graph, 4)->build, 65, "1");
  assert_int_equal(sc_analysis_new(graph, &options, &a), 0);
  sc_analysis_free(a);
  sc_graph_free(graph);
  graph = scene_new(NULL, 0, "");
  assert_int_equal(sc_analysis_new(graph, &options, &a), SC_E_TOOLITTLE);
  sc_graph_free(graph);
}

/* Two sizes tell nothing: no findings, and the total falls back to what was seen. */
TEST(too_few_sizes)
{
  sc_graph *graph = scene_new(SIZES, 2, "");
  scene_loop(graph, scene_main(graph), "main", 3, scene_square, 0);
  sc_analysis *a = analyse(graph);
  sc_findings findings = scene_infer(a);
  sc_interval total;
  assert_int_equal(findings.count, 0);
  assert_int_equal(sc_analysis_total(a, 200, &total), 0);
  assert_true(total.value > 1e4 && total.value < 4e4);
  scene_end(graph, a, &findings);
}

/* A context of whims is predicted in proportion to what it stands in. */
TEST(unknown_follows_its_parent)
{
  static const double whims[] = {3, 900, 2, 70, 1100};
  sc_graph *graph = NEW_SCENE("");
  uint32_t loop = scene_loop(graph, scene_main(graph), "main", 3, scene_n, 0);
  uint32_t whim = scene_function(graph, loop, "sometimes", ten, 0);
  for (size_t i = 0; i < 5; i++)
    assert_int_equal(sc_graph_add(graph, i, whim, SC_METRIC_COUNT, whims[i] - 10), 0);
  sc_analysis *a = analyse(graph);
  sc_interval count;
  assert_int_equal(sc_analysis_model(a, whim)->verdict, SC_VERDICT_CANNOT_TELL);
  assert_int_equal(sc_analysis_count(a, whim, 31000, &count), 0);
  assert_float_equal(count.value, 31000 * 2075.0 / 3100, 1);
  assert_float_equal(count.high, 31000 * 900.0 / 200, 1);
  assert_true(sc_analysis_modelled_share(a) < 0.7);
  scene_end(graph, a, NULL);
}

TEST(roles)
{
  sc_graph *graph = NEW_SCENE("");
  scene_main(graph);
  double n_min, n_max;
  sc_analysis_options options = {.fit = SC_FIT_OPTIONS_DEFAULT};
  sc_analysis *a;
  sc_graph_run(graph, 4)->role = SC_RUN_TARGET;
  sc_graph_run(graph, 3)->role = SC_RUN_VALIDATION;
  for (int with = 0; with < 2; with++) {
    options.include_validation = with;
    assert_int_equal(sc_analysis_new(graph, &options, &a), 0);
    sc_analysis_range(a, &n_min, &n_max);
    assert_float_equal(n_min, 100, 0);
    assert_float_equal(n_max, with ? 800 : 400, 0);
    assert_float_equal(sc_analysis_horizon(a), n_max, 0);
    sc_analysis_free(a);
  }
  sc_graph_free(graph);
}
