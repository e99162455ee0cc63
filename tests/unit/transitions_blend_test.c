/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums of models, loads that contexts share, and what runs' seconds are made of: by hand. */
#include "unit.h"

#include <stdlib.h>

#include "transitions/model/data.h"
#include "transitions/model/elapsed_run.h"
#include "transitions/model/latency.h"
#include "transitions/model/loads.h"
#include "transitions/model/sums.h"
#include "transitions/model/time_points.h"
#include "transitions/model/untold.h"
#include "transitions_scene.h"

/* 0: n; 1: n^2; 2: nothing is known. */
static const sc_model models[] = {
    {.terms = {{1, 1, 0}}, .term_count = 1, .exact = true},
    {.terms = {{1, 2, 0}}, .term_count = 1, .exact = true},
    {.terms = {{1, 1, 0}}, .term_count = 1, .verdict = SC_VERDICT_CANNOT_TELL},
};

static void add(sc_blend *blend, uint32_t model, double value, double low, double high, double below, double above)
{
  assert_int_equal(sc_blend_add(blend, &(sc_blend_part){model, value, low, high, below, above}), 0);
}

TEST(blends_add_up)
{
  sc_blend blend = {0};
  sc_interval at;
  add(&blend, 1, 2, 1, 4, 0.25, 1);
  add(&blend, 0, 3, 3, 3, 4, 9);
  unit_near(sc_blend_value(&blend, models, 10), 230);
  assert_int_equal(sc_blend_predict(&blend, models, 10, 0.95, &at), 0);
  unit_near(at.value, 230);
  unit_near(at.low, 230 - hypot(100, sqrt(0.25 * 1e4 + 4 * 100)));
  unit_near(at.high, 230 + hypot(200, sqrt(1e4 + 9 * 100)));
  add(&blend, 0, -500, -500, -500, 0,
      0); /* a correction: below zero there is nothing, and it does not count by itself */
  unit_near(sc_blend_value(&blend, models, 10), 230);
  assert_int_equal(sc_blend_predict(&blend, models, 10, 0.95, &at), 0);
  unit_near(at.value, 230);
  add(&blend, 2, 1, 1, 1, 0, 0);
  assert_int_equal(sc_blend_predict(&blend, models, 10, 0.95, &at), 0);
  assert_true(at.value == 240 && isinf(at.high) && at.low < 230);
  assert_true(sc_blend_value(&(sc_blend){0}, models, 10) == 0);
  sc_blend_free(&blend);
  static const sc_blend_part parts[] = {{0, 0, 0, 0, 0, 0}, {0, 1}, {0, 0, 0, 1}, {0, 0, 0, 0, 0, 1}, {0, -1, -1, -1}};
  for (size_t i = 0; i < COUNT(parts); i++)
    assert_true(sc_blend_counts(&parts[i]) == (i > 0 && i < 4));
  sc_blend_sum sum = {0};
  sc_blend_sum_add(&sum, &(sc_blend_part){0, 2, 1, 3, 4, 5}, &(sc_interval){10, 9, 12}, 0.5);
  assert_true(sum.value == 10 && sum.low == 4.5 && sum.high == 18 && sum.below == 100 && sum.above == 125);
  sc_blend_sum_add(&sum, &(sc_blend_part){0, 2, 0, INFINITY, 4, 5}, &(sc_interval){10, 9, 12}, 0); /* nothing */
  assert_true(sum.value == 10 && sum.high == 18);
  sc_blend_sum_add(&sum, &(sc_blend_part){0, 0, 0, 0, 0, 0}, &(sc_interval){INFINITY, 0, INFINITY}, 1);
  assert_true(sum.value == 10 && sum.high == 18 && sum.below == 100);
  at = sc_blend_sum_interval(&(sc_blend_sum){5, 1, 7, 64, 0});
  assert_true(at.value == 5 && at.low == 0 && at.high == 7);
  at = sc_blend_sum_interval(&(sc_blend_sum){INFINITY, 1, 7, 0, 0});
  assert_true(isinf(at.low) && isinf(at.high));
  at = sc_blend_sum_interval(&(sc_blend_sum){5, 5, INFINITY, 9, 0});
  assert_true(at.low == 2 && isinf(at.high));
}

/* A half width as wide as the value leaves nothing, not what the root of its square rounds to. */
TEST(nothing_is_zero)
{
  double value = 2.7;
  for (int i = 0; i < 1000; i++) {
    sc_blend_sum sum = {.value = value, .low = value, .high = value, .below = value * value * (1 - 1e-15)};
    assert_true(sc_blend_sum_interval(&sum).low == 0);
    value *= 1.0137;
  }
  sc_blend_sum some = {.value = 1, .low = 2e-12, .high = 1};
  assert_true(sc_blend_sum_interval(&some).low > 1e-12);
}

/* Few parts and many are sorted by different means. */
TEST(parts_of_one_model_are_one)
{
  for (uint32_t count = 3; count <= 60; count += 19) {
    sc_blend blend = {0};
    for (uint32_t i = 0; i < count; i++)
      add(&blend, (i * 7) % 3, 1 + i, i, 2 + i, 3 * i, 4 * i);
    sc_blend_compact(&blend);
    assert_int_equal(blend.count, 3);
    for (uint32_t m = 0; m < 3; m++) {
      sc_blend_part sum = {0};
      for (uint32_t i = 0; i < count; i++)
        if ((i * 7) % 3 == m)
          sum.value += 1 + i, sum.low += i, sum.high += 2 + i, sum.below += 3 * i, sum.above += 4 * i;
      const sc_blend_part *p = &blend.parts[m];
      assert_true(p->model == m && p->value == sum.value && p->low == sum.low && p->high == sum.high &&
                  p->below == sum.below && p->above == sum.above);
    }
    sc_blend_free(&blend);
  }
}

TEST(whole_executions)
{
  static const struct {
    sc_interval in, out;
  } cases[] = {{{4.6, 4.2, 5.1}, {5, 5, 5}}, {{4.4, 4, 4.99}, {4, 4, 4}}, {{4.6, 4.1, 5.1}, {4.6, 4.1, 5.1}}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    sc_interval at = cases[i].in;
    sc_sums_whole(&at);
    assert_true(at.value == cases[i].out.value && at.low == cases[i].out.low && at.high == cases[i].out.high);
  }
}

TEST(contexts_share_loads)
{
  sc_loads loads;
  assert_int_equal(sc_loads_begin(&loads, 300), 0);
  for (uint32_t round = 0; round < 2; round++)
    for (uint32_t c = 0; c < 300; c++)
      assert_int_equal(sc_loads_set(&loads, c, &(sc_load){.each = c % 100, .model = c % 2}), 0);
  assert_int_equal(loads.count, 100); /* the first is that of zeros */
  for (uint32_t c = 0; c < 300; c++) {
    assert_true(sc_loads_at(&loads, c)->each == c % 100 && sc_loads_at(&loads, c)->model == c % 2);
    assert_true(sc_loads_at(&loads, c) == sc_loads_at(&loads, c % 100));
  }
  assert_int_equal(sc_loads_set(&loads, 7, sc_loads_at(&loads, 9)), 0);
  assert_true(sc_loads_at(&loads, 7)->each == 9 && sc_loads_at(&loads, 107)->each == 7);
  sc_loads_free(&loads);
}

/* A run is on a processor, or ready for one, or waits. */
TEST(elapsed_seconds_of_a_run)
{
  static const struct {
    double user, system, wall, runnable; /* runnable: of all threads */
    bool known;
    sc_elapsed_run is;
  } cases[] = {
      {3, 1, 10, 2, false, {.processor = 4, .on = 4, .waiting = 6}},
      {3, 1, 10, 2, true, {.processor = 4, .on = 4, .ready = 2, .waiting = 4}},
      {3, 1, 10, 7, true, {.processor = 4, .on = 4, .ready = 6}},
      {3, 1, 2.5, 7, true, {.processor = 4, .on = 2.5}},
      {1, 0.5, 4, 1, true, {.processor = 1.5, .on = 1.5, .ready = 1, .waiting = 1.5}},
      {1, 0.5, 4, 9, true, {.processor = 1.5, .on = 1.5, .ready = 2.5}},
      {1, 0.5, 4, 9, false, {.processor = 1.5, .on = 1.5, .waiting = 2.5}},
      {9, 0.5, 4, 9, false, {.processor = 9.5, .on = 4}},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    const sc_run run = {.user_seconds = cases[i].user,
                        .system_seconds = cases[i].system,
                        .wall_seconds = cases[i].wall,
                        .has_waits = cases[i].known,
                        .waits = {[SC_WAIT_RUNNABLE] = cases[i].runnable}};
    sc_elapsed_run r = sc_elapsed_of_run(&run), is = cases[i].is;
    if (r.processor != is.processor || r.on != is.on || r.ready != is.ready || r.waiting != is.waiting)
      fail_msg("case %zu: %g s, %g on a processor, %g ready, %g waiting", i, r.processor, r.on, r.ready, r.waiting);
  }
}

/* Between two sizes that were measured it goes with powers; beyond them it stays. */
TEST(steps_in_memory)
{
  sc_latency measured = {.page = 2e-6};
  for (int i = 0; i < SC_LATENCY_SIZES; i++)
    measured.steps[i] = (i + 1) * 1e-9, measured.fast[i] = (i + 1) * 0.5e-9;
  unit_near(sc_latency_step(&measured, 0), 1e-9);
  unit_near(sc_latency_step(&measured, 16384), 1e-9);
  unit_near(sc_latency_step(&measured, 32768), 2e-9);
  unit_near(sc_latency_step(&measured, 32768 * M_SQRT2), 1e-9 * sqrt(6));
  unit_near(sc_latency_step(&measured, 16384 * 2048), 12e-9);
  unit_near(sc_latency_step(&measured, 16384 * 2047.9), 12e-9 * pow(11.0 / 12, 1 - (log2(2047.9) - 10)));
  unit_near(sc_latency_step(&measured, 1e15), 12e-9);
  unit_near(sc_latency_fast_step(&measured, 32768), 1e-9);
  unit_near(sc_latency_page(&measured), 2e-6);
  static const sc_latency unknown = {.page = 0};
  unit_near(sc_latency_step(&unknown, 1), 1.5e-9);
  unit_near(sc_latency_step(&unknown, 1e15), 180e-9);
  unit_near(sc_latency_page(&unknown), 1.25e-6);
}

/* Times of runs: 1, 2 and 4 s of one size, 8 s twice of another. */
TEST(points_of_times)
{
  static const double sizes[] = {10, 10, 10, 20, 20, 40, 80, 80}, seconds[] = {4, 1, 2, 8, 8, 0, 8, 8};
  sc_graph *graph = scene_new(sizes, COUNT(sizes), "");
  sc_power_point points[8];
  size_t count;
  for (size_t i = 0; i < COUNT(sizes); i++) {
    sc_graph_run(graph, i)->user_seconds = seconds[i] / 4;
    sc_graph_run(graph, i)->system_seconds = 3 * seconds[i] / 4;
    sc_graph_run(graph, i)->wall_seconds = 2 * seconds[i];
    sc_graph_run(graph, i)->has_waits = true;
    sc_graph_run(graph, i)->waits[SC_WAIT_RUNNABLE] = sizes[i] == 80 ? 2 : 5;
  }
  (void)scene_main(graph);
  sc_analysis *a = scene_analyse(graph, NULL, 0);
  assert_int_equal(sc_time_points(a, points, &count), 0);
  /* logarithms of 1, 2, 4 about their mean, over 2 + 1 + 1 degrees of freedom */
  double scatter = 1.35 * sqrt(2 * M_LN2 * M_LN2 / 4);
  assert_int_equal(count, 3);
  assert_true(points[0].n == 10 && points[0].y == 1 && points[1].n == 20 && points[1].y == 8 && points[2].n == 80);
  unit_near(points[0].error, hypot(scatter / sqrt(3), 2e-4));
  unit_near(points[1].error, hypot(scatter / sqrt(2), 2e-4 / 8));
  unit_near(sc_time_busy(a), 2 / 10.0); /* the two largest: 8 s on a processor, 2 s waiting for it */
  sc_analysis_free(a);
  sc_graph_free(graph);
}

static double few(double n) { return n < 1000 ? 0 : 1; }
static double rises(double n) { return n <= 400 ? 20 : 30; }
static double rises_less(double n) { return n <= 400 ? 20 : 29; }

TEST(what_grows_without_a_model)
{
  static const double sizes[] = {100, 200, 400, 800, 1600};
  static const struct {
    scene_curve curve;
    bool grows;
  } cases[] = {{rises, true}, {rises_less, false}, {few, false}, {scene_n, true}, {scene_one, false}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    sc_graph *graph = scene_new(sizes, COUNT(sizes), "");
    uint32_t loop = scene_loop(graph, scene_main(graph), "main", 3, cases[i].curve, 0);
    sc_analysis *a = scene_analyse(graph, NULL, 0);
    if (sc_untold_grows(a, loop) != cases[i].grows)
      fail_msg("case %zu", i);
    sc_analysis_free(a);
    sc_graph_free(graph);
  }
}

TEST(shares_of_what_is_untold)
{
  static const double sizes[] = {100, 200, 400};
  static const struct {
    double count, cost;
    bool credible, unbounded, most;
  } cases[] = {{5, 0, true, true, false},   {4.9, 4.9, true, false, false}, {0, 5, true, true, false},
               {0, 51, true, true, true},   {51, 50, true, true, false},    {51, 50, false, true, true},
               {50, 51, false, true, false}};
  sc_graph *graph = scene_new(sizes, COUNT(sizes), "");
  (void)scene_main(graph);
  sc_analysis *a = scene_analyse(graph, NULL, 0);
  for (size_t i = 0; i < COUNT(cases); i++) {
    a->untold = (sc_untold){.count = 1};
    assert_int_equal(sc_untold_weigh(a, cases[i].count, 100, cases[i].cost, 100, cases[i].credible), 0);
    const sc_untold *u = sc_analysis_untold(a);
    if (u->unbounded != cases[i].unbounded || (u->most && !u->slow) != (cases[i].most && !u->slow))
      fail_msg("case %zu", i);
    unit_near(u->count_share, cases[i].count / 100);
    unit_near(u->cost_share, cases[i].cost / 100);
    a->untold.count = 0;
    assert_int_equal(sc_untold_weigh(a, cases[i].count, 100, cases[i].cost, 100, cases[i].credible), 0);
    assert_false(u->unbounded || u->most);
  }
  assert_int_equal(sc_untold_weigh(a, 5, 0, 5, 0, true), 0);
  assert_true(a->untold.count_share == 0 && a->untold.cost_share == 0);
  sc_analysis_free(a);
  sc_graph_free(graph);
}
