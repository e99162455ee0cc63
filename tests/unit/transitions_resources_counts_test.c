/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any number of sizes and of repeats: nothing that holds a sample of them overflows, or looks at the first ones alone.
 * What is beyond the end of an array shows under AddressSanitizer at the latest. */
#include "unit.h"

#include "base/sample.h"
#include "transitions/compare/compare.h"
#include "transitions/resources/metrics.h"
#include "transitions_resources_scene.h"

enum { MOST = 600 };

/* Sizes 1 ... count, or each `repeats` times. */
static sc_graph *sizes_upto(size_t count, unsigned repeats)
{
  static double sizes[MOST];
  for (size_t i = 0; i < count; i++)
    sizes[i] = (double)i + 1;
  return scene_repeats(sizes, count, repeats);
}

/* A lock that is held for hold(n) by two threads. */
static sc_resources *lock_held(sc_graph *graph, double (*hold)(double n), sc_analysis **analysis, uint32_t *lock)
{
  uint32_t main = scene_main(graph);
  *lock = scene_resource(graph, SC_RESOURCE_MUTEX, "lock", 0);
  for (size_t run = 0; run < sc_graph_run_count(graph); run++)
    scene_lock_run(graph, run, main, *lock,
                   (scene_lock){2, 100, hold(sc_graph_run_const(graph, run)->n), 1e-4, 1e-6, 1});
  *analysis = scene_analyse(graph, (double[]){1e4}, 1);
  return scene_resources(*analysis, SC_PARAMETER_DATA);
}

static double growing(double n) { return 1e-6 * sqrt(n); }

/* Grows at the end alone: what even_out() of series.c is for. */
static double bent(double n) { return n < 500 ? 30e-6 : 30e-6 * (1 + (n - 500) / 20); }

TEST(samples_are_spread_over_all)
{
  for (size_t room = 1; room <= 65; room += 8)
    for (size_t count = 0; count <= MOST; count++) {
      double values[65];
      sc_sample sample = sc_sample_begin(values, room);
      for (size_t i = 0; i < count; i++)
        sc_sample_add(&sample, (double)i);
      assert_true(sample.count <= room && 2 * sample.count >= (count < room ? 2 * count : room));
      for (size_t i = 0; i < sample.count; i++)
        assert_true(values[i] == (double)(i * sample.stride));
      assert_true((sample.count + 1) * sample.stride >= count);
      size_t step = sc_sample_step(count, room);
      assert_true(step >= 1 && (count + step - 1) / step <= room && (step == 1 || count > room));
    }
}

TEST(slopes_of_every_number_of_sizes)
{
  for (size_t count = 3; count <= MOST; count++) {
    double *n = test_malloc(count * sizeof *n), *y = test_malloc(count * sizeof *y);
    for (size_t i = 0; i < count; i++) {
      n[i] = (double)i + 1;
      y[i] = growing(n[i]);
    }
    assert_float_equal(sc_trend_slope(n, y, count), 0.5, 1e-9);
    test_free(n);
    test_free(y);
  }
}

TEST(series_of_every_number_of_sizes)
{
  for (size_t count = 1; count <= MOST; count += count < 300 ? 1 : 7) {
    sc_analysis *a;
    uint32_t lock;
    sc_interval hold;
    sc_graph *graph = sizes_upto(count, 1);
    sc_resources *r = lock_held(graph, count % 2 ? growing : bent, &a, &lock);
    for (int m = 0; m < SC_RMETRIC_COUNT; m++)
      (void)sc_resources_series(r, lock, SC_USAGE_NONE, (enum sc_resource_metric)m);
    assert_int_equal(sc_resources_predict(r, lock, SC_RMETRIC_HOLD, 1e4, &hold), 0);
    assert_true(hold.low <= hold.value && hold.value <= hold.high);
    sc_resources_free(r); /* predictions of all metrics at all sizes would take long */
    scene_end(graph, a, NULL);
  }
}

TEST(studies_of_many_sizes_are_compared)
{
  static const size_t counts[] = {63, 64, 65, 128, 129, 192, 193, 194, 257, MOST};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
    sc_analysis *a, *b;
    uint32_t lock;
    sc_comparison c;
    sc_graph *base = sizes_upto(counts[i], 1), *head = sizes_upto(counts[i], 1);
    sc_resources *before = lock_held(base, growing, &a, &lock), *after = lock_held(head, bent, &b, &lock);
    assert_int_equal(sc_compare(&(sc_compare_side){a, before, "here"}, &(sc_compare_side){b, after, "here"}, &c), 0);
    sc_comparison_free(&c);
    scene_drop(base, a, before);
    scene_drop(head, b, after);
  }
}

/* 64 runs of a size, or of half of the sizes, that differ from the hundreds behind them do not speak for all. */
TEST(medians_are_of_all_runs)
{
  enum { COUNT = 4, REPEATS = 200, ODD = 64 };
  sc_graph *graph = sizes_upto(COUNT, REPEATS);
  uint32_t main = scene_main(graph), lock = scene_resource(graph, SC_RESOURCE_MUTEX, "lock", 0);
  for (size_t run = 0; run < COUNT * REPEATS; run++) {
    bool upper = run >= COUNT / 2 * REPEATS, odd = run % (COUNT / 2 * REPEATS) < ODD;
    double hold = (upper != odd ? 4e-3 : 1e-3);
    scene_lock_run(graph, run, main, lock, (scene_lock){2, 100, hold, 1e-4, hold, 1});
  }
  sc_analysis *a = scene_analyse(graph, (double[]){100}, 1);
  sc_resources *r = scene_resources(a, SC_PARAMETER_DATA);
  double hold;
  assert_float_equal(sc_rmetric_rise(r, &r->cells[lock], SC_RMETRIC_HOLD), 4, 1e-9);
  assert_true(sc_rmetric_at(r, &r->cells[lock], 2, SC_RMETRIC_HOLD, &hold));
  assert_float_equal(hold, 4e-3, 1e-9);
  scene_drop(graph, a, r);
}
