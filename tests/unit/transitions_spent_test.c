/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times of plain programs and of the work of libraries, computed by hand. */
#include "unit.h"

#include <gsl/gsl_cdf.h>
#include <stdlib.h>

#include "transitions/model/data.h"
#include "transitions/model/plain.h"
#include "transitions/model/spent.h"
#include "transitions/model/tuning.h"
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

/* ---- prices with noise ---- */

enum { RUNS = 6 };
typedef struct division_scene {
  sc_graph *graph;
  sc_analysis *a;
  uint32_t f, copy, move;
  double calls[RUNS], work[RUNS], cost[RUNS];
} division_scene;

static double weighty(double n) { return 64 * (n * n + 1000); }
static double weighty_too(double n) { return 128 * (n * n + 1000); }

/* Costs of f and of its two copies, in units of 64 bytes; the second copies two thirds of them. */
static division_scene *divided(const char *event, const double factors[RUNS])
{
  static const double sizes[RUNS] = {100, 200, 400, 800, 1600, 3200};
  division_scene *s = calloc(1, sizeof *s);
  assert_non_null(s);
  s->graph = scene_new(sizes, RUNS, event);
  s->f = scene_function(s->graph, scene_main(s->graph), "f", scene_n, 0);
  s->copy = scene_work(s->graph, s->f, "memcpy", 7, weighty, 0);
  s->move = scene_work(s->graph, s->f, "memmove", 8, weighty_too, 0);
  double unit = sc_location_weight(sc_graph_at(s->graph, s->copy));
  for (size_t i = 0; i < RUNS; i++) {
    s->calls[i] = sizes[i];
    s->work[i] = 3 * unit * weighty(sizes[i]);
    s->cost[i] = factors[i] * (2e-6 * s->calls[i] + 4e-9 * s->work[i]);
    assert_int_equal(sc_graph_add(s->graph, i, s->f, SC_METRIC_COST, s->cost[i]), 0);
    sc_graph_run(s->graph, i)->samples = (uint64_t)ceil(s->cost[i] * 1e5);
  }
  s->a = scene_analyse(s->graph, NULL, 0);
  sc_spent_free(s->a->spent);
  s->a->spent = NULL;
  return s;
}

static void divided_end(division_scene *s)
{
  sc_analysis_free(s->a);
  sc_graph_free(s->graph);
  free(s);
}

/* The least of sum((cost - x calls - y work)^2 / variance), with a guess of y, or of both, neither negative. */
static void solve_prices(const division_scene *s, const bool *priced, const double *per_sample, bool guess, double *x,
                         double *y)
{
  double a = 0, b = 0, c = 0, d = 0, e = 0, mean = 0, known = 0;
  for (size_t i = 0; i < RUNS; i++) {
    mean += per_sample[i];
    known += per_sample[i] > 0;
  }
  for (size_t i = 0; i < RUNS; i++) {
    double sample = per_sample[i] > 0 ? per_sample[i] : mean / known, cost = s->cost[i];
    double weight = 1 / (cost * sample + sample * sample + pow(SC_SPENT_SCATTER * cost, 2));
    if (!priced[i])
      continue;
    a += weight * s->calls[i] * s->calls[i];
    b += weight * s->calls[i] * s->work[i];
    c += weight * s->work[i] * s->work[i];
    d += weight * s->calls[i] * cost;
    e += weight * s->work[i] * cost;
  }
  if (guess) { /* one more observation: y is the guess, with a standard error of SC_SPENT_DOUBT times that */
    double weight = 1 / pow(SC_SPENT_DOUBT * SC_SPENT_GUESS, 2);
    c += weight;
    e += weight * SC_SPENT_GUESS;
  }
  *y = (e - b * d / a) / (c - b * b / a);
  *x = (d - b * *y) / a;
  if (*x < 0) {
    *x = 0;
    *y = e / c;
  }
}

TEST(prices_are_the_least_squares_of_what_samples_scatter)
{
  static const struct {
    double factors[RUNS], per_sample[RUNS];
    bool priced[RUNS];
  } cases[] = {{{1.05, 0.96, 1.02, 0.97, 1.04, 0.99}, {1e-5, 1e-5, 1e-5, 1e-5, 1e-5, 1e-5}, {1, 1, 1, 1, 1, 1}},
               {{1.05, 0.96, 1.02, 0.97, 1.04, 0.99}, {0, 1e-3, 1e-5, 0, 1e-4, 1e-4}, {1, 1, 0, 1, 1, 1}},
               {{0.9, 0.96, 1.02, 0.97, 1.04, 0.99}, {1e-4, 2e-4, 3e-4, 4e-4, 5e-4, 6e-4}, {0, 0, 1, 1, 1, 0}},
               {{0.01, 0.5, 1, 1, 1, 1}, {1e-5, 1e-5, 1e-5, 1e-5, 1e-5, 1e-5}, {1, 1, 1, 1, 1, 1}}};
  static const char *const events[] = {"cycles", "task-clock"};
  for (size_t e = 0; e < COUNT(events); e++)
    for (size_t i = 0; i < COUNT(cases); i++) {
      division_scene *s = divided(events[e], cases[i].factors);
      double x, y;
      solve_prices(s, cases[i].priced, cases[i].per_sample, sc_analysis_timed(s->a), &x, &y);
      unit_ok(sc_spent_load(s->a, cases[i].priced, cases[i].per_sample));
      for (size_t run = 0; run < RUNS; run++) {
        double own = s->cost[run] * y * s->work[run] / (x * s->calls[run] + y * s->work[run]);
        unit_near(sc_spent_at(s->a, run, s->copy), own / 3);
        unit_near(sc_spent_at(s->a, run, s->move), own * 2 / 3);
        unit_near_by(sc_spent_at(s->a, run, s->f) + own, s->cost[run], 1e-9);
      }
      divided_end(s);
    }
}

/* Two runs are too few for two prices, and of work that has samples of its own, or that grows as the executions do,
 * nothing is divided. */
TEST(what_cannot_be_told_apart_stays_the_callers)
{
  static const double same[RUNS] = {1, 1, 1, 1, 1, 1}, per_sample[RUNS] = {1e-5, 1e-5, 1e-5, 1e-5, 1e-5, 1e-5};
  for (int which = 0; which < 4; which++) {
    division_scene *s = divided("task-clock", same);
    bool priced[RUNS] = {which != 0, 1, 1, which != 0, which != 0, which != 0};
    if (which == 1) /* the caller's own cost is not known at all */
      for (size_t i = 0; i < RUNS; i++)
        assert_int_equal(sc_graph_add(s->graph, i, s->f, SC_METRIC_COST, -s->cost[i]), 0);
    if (which == 2)
      for (size_t i = 0; i < RUNS; i++)
        for (uint32_t c = s->copy;; c = s->move) {
          assert_int_equal(sc_graph_add(s->graph, i, c, SC_METRIC_COST, 1e-3), 0);
          if (c == s->move)
            break;
        }
    unit_ok(sc_spent_load(s->a, priced, per_sample));
    assert_true((sc_spent_at(s->a, 3, s->copy) > 1.5e-3) == (which == 3));
    if (which != 3)
      assert_true(sc_spent_at(s->a, 3, s->f) == sc_graph_value(s->graph, 3, s->f, SC_METRIC_COST));
    divided_end(s);
  }
}
