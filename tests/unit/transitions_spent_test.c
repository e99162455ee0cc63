/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times of plain programs and of the work of libraries, computed by hand. */
#include "unit.h"

#include <gsl/gsl_cdf.h>
#include <stdlib.h>

#include "transitions/model/data.h"
#include "transitions/model/plain.h"
#include "transitions/model/spent.h"
#include "transitions_scene.h"

/* ---- the plain program ---- */
typedef struct timed {
  double n, user, system, wall;
  int64_t id;
} timed;

static sc_graph *runs_of(const timed *list, size_t count, const char *build, enum sc_run_role role)
{
  sc_graph *graph;
  assert_int_equal(sc_graph_new(&graph), 0);
  for (size_t i = 0; i < count; i++) {
    sc_run run = {.n = list[i].n,
                  .user_seconds = list[i].user,
                  .system_seconds = list[i].system,
                  .wall_seconds = list[i].wall,
                  .id = list[i].id,
                  .role = role,
                  .cost_event = "task-clock"};
    size_t index;
    snprintf(run.build, sizeof run.build, "%s", build);
    assert_int_equal(sc_graph_begin_run(graph, &run, &index), 0);
  }
  return graph;
}

/* 1 s beside 1.25 s, and 4 s twice beside 5 s and 5.5 s: of two runs of a size the nearest in time. */
TEST(plain_runs_stand_beside_the_nearest)
{
  static const timed instrumented[] = {{10, 1, 0.25, 2, 1}, {40, 4, 1, 8, 10}, {40, 5, 0.5, 8, 20}, {40, 0, 0, 1, 30}};
  static const timed plain[] = {{10, 0.75, 0.25, 1.5, 2}, {40, 3, 1, 6, 11}, {40, 3, 1, 6, 24}, {77, 1, 1, 1, 25}};
  sc_graph *graph = runs_of(instrumented, 4, "", SC_RUN_TRAINING), *runs = runs_of(plain, 4, "a", SC_RUN_PLAIN);
  sc_plain p;
  assert_int_equal(sc_plain_find(graph, runs, &p), 0);
  assert_true(p.runs == 3 && p.low == 10 && p.high == 40);
  /* lines through 1.25 -> 1 and 5.25 -> 4, whatever the weights */
  unit_near(p.factor, 3 / 4.0);
  unit_near(p.start, 1 - 0.75 * 1.25);
  unit_near(p.slowdown, 5.25 / 4);
  double apart = log(5.5 / 5) / 2; /* the standard error of the mean of two logarithms */
  double error = gsl_cdf_tdist_Pinv(0.975, 1) * apart;
  unit_near(p.slowdown_low, exp(-error) * 5.25 / 4);
  unit_near(p.slowdown_high, exp(error) * 5.25 / 4);
  unit_near(p.doubt, hypot(error, (0.75 - 4 / 5.25) / (4 / 5.25)));
  unit_near(p.waits, (0.5 + 2 + 2) / (0.75 + 3 + 2.5));
  /* all times are turned, and what belongs to no function is the process's */
  uint32_t main = scene_main(graph), process = sc_graph_parent(graph, main);
  assert_int_equal(sc_graph_add(graph, 1, main, SC_METRIC_COST, 4), 0);
  assert_int_equal(sc_graph_add(graph, 1, process, SC_METRIC_COST, 1), 0);
  assert_int_equal(sc_plain_apply(&p, runs, graph), 0);
  unit_near(sc_graph_value(graph, 1, main, SC_METRIC_COST), 3);
  unit_near(sc_graph_value(graph, 1, process, SC_METRIC_COST), 0.75 + p.start);
  const sc_run *run = sc_graph_run_const(graph, 1);
  double share = 0.75 + p.start / 5;
  unit_near(run->user_seconds, 4 * share);
  unit_near(run->system_seconds, share);
  unit_near(run->wall_seconds, 5 * share + p.waits * 3);
  sc_graph_free(runs);
  sc_graph_free(graph);
}

/* Sizes whose times differ by less than three times have one ratio; and so have slopes that are an accident. */
TEST(when_a_line_is_drawn)
{
  static const struct {
    double instrumented[2], plain[2], factor;
  } cases[] = {{{1, 3.01}, {0.9, 2.4}, 1.5 / 2.01}, {{1, 2.99}, {0.9, 2.4}, 2.4 / 2.99}, {{1, 4}, {1, 5.49}, 4.49 / 3},
               {{1, 4}, {1, 5.51}, 5.51 / 4},       {{1, 4}, {1, 1.16}, 0.16 / 3},       {{1, 4}, {1, 1.14}, 1.14 / 4}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    const timed a[] = {{10, cases[i].instrumented[0], 0, 9, 1}, {40, cases[i].instrumented[1], 0, 9, 2}};
    const timed b[] = {{10, cases[i].plain[0], 0, 9, 1}, {40, cases[i].plain[1], 0, 9, 2}};
    sc_graph *graph = runs_of(a, 2, "", SC_RUN_TRAINING), *runs = runs_of(b, 2, "a", SC_RUN_PLAIN);
    sc_plain p;
    assert_int_equal(sc_plain_find(graph, runs, &p), 0);
    unit_near(p.factor, cases[i].factor);
    assert_true(p.doubt >= 0.1 - 1e-12); /* one pair of a size */
    sc_graph_free(runs);
    sc_graph_free(graph);
  }
}

/* ---- work of a library without samples of its own: 2 us a call of the caller, and 5 ns for 64 bytes ---- */
static double bytes(double n) { return 64 * n * n; }

TEST(work_is_priced_by_what_its_caller_costs)
{
  static const double sizes[] = {100, 200, 400, 800, 1600, 3200};
  sc_graph *graph = scene_new(sizes, COUNT(sizes), "task-clock");
  uint32_t f = scene_function(graph, scene_main(graph), "f", scene_n, 0);
  uint32_t copy = scene_work(graph, f, "memcpy", 7, bytes, 0), move = scene_work(graph, f, "memmove", 8, bytes, 0);
  for (size_t i = 0; i < COUNT(sizes); i++) {
    double n = sizes[i], cost = 2e-6 * n + 2 * 5e-9 * n * n;
    assert_int_equal(sc_graph_add(graph, i, f, SC_METRIC_COST, cost), 0);
    sc_graph_run(graph, i)->samples = (uint64_t)ceil(cost * 1e5);
  }
  sc_analysis *a = scene_analyse(graph, NULL, 0);
  for (size_t i = 0; i < COUNT(sizes); i++) {
    double n = sizes[i], all = 2e-6 * n + 1e-8 * n * n, work = sc_spent_at(a, i, copy);
    assert_true(work == sc_spent_at(a, i, move));
    assert_true(fabs(work / (5e-9 * n * n) - 1) < 0.02);
    unit_near(sc_spent_at(a, i, f) + 2 * work, all);
  }
  sc_analysis_free(a);
  sc_graph_free(graph);
}
