/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/text/rank.h"

#include <stdlib.h>

#include "transitions_scene.h"

static const double sizes[] = {100, 200, 400};
enum { CONTEXTS = 40 };
static double factor;

static double times_n(double n) { return factor * n; }

/* Loops in no order of size; those that are executed most cost least. */
static sc_analysis *rank_scene(sc_graph **graph, uint32_t *contexts)
{
  *graph = scene_new(sizes, sizeof sizes / sizeof *sizes, "task-clock");
  uint32_t top = scene_main(*graph);
  for (uint32_t i = 0; i < CONTEXTS; i++) {
    factor = 1 + i * 17 % CONTEXTS;
    contexts[i] = scene_loop(*graph, top, "main", i + 1, times_n, 1 / (factor * factor));
  }
  return scene_analyse(*graph, NULL, 0);
}

static void expect_same_largest(const sc_analysis *analysis, const uint32_t *contexts, size_t count, size_t most)
{
  const sc_rank_wanted all = {.contexts = contexts, .count = count, .most = 1000},
                       few = {.contexts = contexts, .count = count, .most = most};
  sc_rank_row *every, *kept;
  size_t every_count, kept_count;
  assert_int_equal(sc_rank_predict(analysis, 800, &all, &every, &every_count), 0);
  assert_int_equal(sc_rank_predict(analysis, 800, &few, &kept, &kept_count), 0);
  assert_true(kept_count <= 4 * most && kept_count <= every_count);
  for (int by = SC_RANK_COST; by <= SC_RANK_COUNT; by++) {
    sc_rank_sort(every, every_count, (enum sc_rank_by)by);
    sc_rank_sort(kept, kept_count, (enum sc_rank_by)by);
    for (size_t i = 0; i < most && i < every_count; i++) {
      assert_int_equal(kept[i].context, every[i].context);
      assert_true(kept[i].cost.value == every[i].cost.value && kept[i].executions == every[i].executions);
    }
  }
  free(every);
  free(kept);
}

TEST(the_largest_are_kept_by_cost_and_by_executions)
{
  sc_graph *graph;
  uint32_t contexts[CONTEXTS];
  sc_analysis *analysis = rank_scene(&graph, contexts);
  for (size_t most = 1; most <= CONTEXTS + 2; most++)
    expect_same_largest(analysis, NULL, 0, most);
  sc_analysis_free(analysis);
  sc_graph_free(graph);
}

TEST(only_wanted_contexts_are_predicted)
{
  sc_graph *graph;
  uint32_t contexts[CONTEXTS];
  sc_rank_row *rows;
  size_t count;
  sc_analysis *analysis = rank_scene(&graph, contexts);
  expect_same_largest(analysis, contexts + 3, 20, 2);
  const sc_rank_wanted one = {.contexts = contexts + 5, .count = 1, .most = 10}, none = {contexts, 0, 10};
  assert_int_equal(sc_rank_predict(analysis, 800, &one, &rows, &count), 0);
  assert_int_equal(count, 1);
  assert_int_equal(rows[0].context, contexts[5]);
  free(rows);
  assert_int_equal(sc_rank_predict(analysis, 800, &none, &rows, &count), 0);
  assert_int_equal(count, 0);
  free(rows);
  sc_analysis_free(analysis);
  sc_graph_free(graph);
}
