/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What contexts add to a sum of costs or executions, computed by hand. */
#include "unit.h"

#include "transitions/model/costs.h"
#include "transitions_scene.h"

enum { SIZES = 6 };
static const double sizes[] = {10, 14, 18, 22, 26, 30};
static const double targets[] = {300};

static void part_is(sc_blend_part part, uint32_t model, const double *expected)
{
  assert_int_equal(part.model, model);
  unit_near(part.value, expected[0]);
  unit_near(part.low, expected[1]);
  unit_near(part.high, expected[2]);
  unit_near(part.below, expected[3]);
  unit_near(part.above, expected[4]);
}

/* A context that runs 3 times as often as its carrier, 2 to 5 times; an execution costs 0.5, 0.1 less to 0.2 more by
 * chance, and all of them a fifth less or a half more together. */
TEST(a_context_adds_executions_times_their_cost)
{
  const sc_load load = {.model = 7,
                        .ratio = 3,
                        .ratio_low = 2,
                        .ratio_high = 5,
                        .each = 0.5,
                        .below = 0.1,
                        .above = 0.2,
                        .cheaper = 0.2,
                        .dearer = 0.5,
                        .weight = 0.25,
                        .counted = true};
  part_is(sc_costs_part(&load), 7, (double[]){3 * 0.5, 2 * 0.5 * 0.8, 5 * 0.5 * 1.5, 0.3 * 0.3, 0.6 * 0.6});
  part_is(sc_costs_count_part(&load), 7, (double[]){3, 2, 5, 0, 0});
  part_is(sc_costs_executions_part(&load), 7, (double[]){0.75, 0.5, 1.25, 0, 0});
}

/* Where the cost has a model of its own, that model's value; its errors are relative to it. */
TEST(a_growing_cost_adds_its_model)
{
  sc_load load = {.growing = true,
                  .model = 7,
                  .cost_model = 9,
                  .ratio = 3,
                  .each = 0.5,
                  .growth_sum = 0.4,
                  .growth_error = 0.3,
                  .cheaper = 0.2,
                  .dearer = 0.5};
  part_is(sc_costs_part(&load), 9, (double[]){1, 0.6 * 0.8, 1.4 * 1.5, 0.09, 0.09});
  load.growth_sum = 1.5;
  part_is(sc_costs_part(&load), 9, (double[]){1, 0, 2.5 * 1.5, 0.09, 0.09});
}

/* Up and down by more than any function of n says. */
static double wild(double n) { return 1 + floor(n * n * (fmod(n, 8) < 4 ? 50 : 1)); }
static double wilder(double n) { return 2 * wild(n); }

/* main > loop (n) > wild > wilder: both go with the loop, the nearest one that has a model. */
TEST(what_has_no_model_goes_with_what_calls_it)
{
  sc_graph *graph = scene_new(sizes, SIZES, "");
  uint32_t top = scene_main(graph), loop = scene_loop(graph, top, "main", 3, scene_n, 0),
           first = scene_function(graph, loop, "first", wild, 0),
           second = scene_function(graph, first, "second", wilder, 0),
           alone = scene_loop(graph, top, "main", 9, wild, 0);
  sc_analysis *a = scene_analyse(graph, targets, 1);
  double sum = 0, base = 0, least = INFINITY, most = 0, fewest = INFINITY;
  for (size_t i = 0; i < SIZES; i++) {
    sum += wild(sizes[i]);
    base += sizes[i];
    fewest = fmin(fewest, wild(sizes[i]));
    least = fmin(least, wild(sizes[i]) / sizes[i]);
    most = fmax(most, wild(sizes[i]) / sizes[i]);
  }
  sc_load load;
  assert_false(sc_analysis_known(a, first));
  sc_costs_load_count(a, loop, &load);
  assert_true(load.model == a->series[loop] && load.counted && load.ratio == 1 && load.ratio_low == 1 &&
              load.ratio_high == 1 && load.weight == 1);
  for (double times = 1; times <= 2; times++) {
    sc_costs_load_count(a, times > 1 ? second : first, &load);
    assert_true(load.model == a->series[loop] && load.counted && load.weight == 1);
    unit_near(load.ratio, times * sum / base);
    unit_near(load.ratio_low, times * least);
    unit_near(load.ratio_high, times * most);
  }
  sc_costs_load_count(a, alone, &load); /* main runs once */
  unit_near(load.ratio, sum / SIZES);
  unit_near(load.ratio_low, fewest);
  assert_int_equal(load.model, a->series[top]);
  scene_end(graph, a, NULL);
}

/* What a process costs by itself scatters too much for a model. It is the same in all runs unless those above the
 * middle of the sizes, 17, cost 1.5 times as much: then it goes with what costs most, which here grows as the square.
 */
TEST(cost_without_counts_goes_with_the_rest_if_it_rises)
{
  static const double last[] = {4.97, 5.03}; /* above the middle 2.99 and 3.01 on average, below 2 */
  double squares = 0;
  for (size_t i = 0; i < SIZES; i++)
    squares += sizes[i] * sizes[i];
  for (size_t k = 0; k < 2; k++) {
    sc_graph *graph = scene_new(sizes, SIZES, "page-faults");
    uint32_t top = scene_main(graph), process = sc_graph_parent(graph, top),
             loop = scene_loop(graph, top, "main", 3, scene_square, 0.01);
    const double cost[SIZES] = {3, 1, 5, 1, 1, last[k]};
    double sum = 0;
    for (size_t i = 0; i < SIZES; i++) {
      assert_int_equal(sc_graph_add(graph, i, process, SC_METRIC_COST, cost[i]), 0);
      sum += cost[i];
    }
    sc_analysis *a = scene_analyse(graph, targets, 1);
    const sc_load *load = sc_analysis_load(a, process);
    assert_int_equal(load->model, k ? a->series[loop] : SC_SERIES_ONE);
    unit_near(load->each, k ? sum / squares : sum / SIZES);
    assert_true(load->ratio == 1 && load->ratio_low == 0 && load->ratio_high == 2 && !load->counted);
    scene_end(graph, a, NULL);
  }
}

/* A foreign function's own cost is of the calls that it makes: of those that most executions are of. */
TEST(cost_of_foreign_code_goes_with_what_it_calls)
{
  sc_graph *graph = scene_new(sizes, SIZES, "page-faults");
  uint32_t top = scene_main(graph), foreign = scene_foreign(graph, top, "sort");
  scene_function(graph, foreign, "seldom", scene_one, 0);
  uint32_t often = scene_function(graph, foreign, "compare", scene_square, 0.01);
  double squares = 0;
  for (size_t i = 0; i < SIZES; i++) {
    squares += sizes[i] * sizes[i];
    assert_int_equal(sc_graph_add(graph, i, foreign, SC_METRIC_COST, 0.5 * sizes[i] * sizes[i] + 1), 0);
  }
  sc_analysis *a = scene_analyse(graph, targets, 1);
  const sc_load *load = sc_analysis_load(a, foreign);
  assert_true(load->model == a->series[often] && !load->counted && load->below == 0 && load->above == 0);
  unit_near(load->each, (0.5 * squares + SIZES) / squares);
  scene_end(graph, a, NULL);
}
