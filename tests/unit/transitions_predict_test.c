/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What one execution costs and what becomes of it at other sizes, with the ends of its interval, by hand. */
#include "unit.h"

#include <gsl/gsl_cdf.h>
#include <stdlib.h>

#include "transitions/model/confidence.h"
#include "transitions/model/data.h"
#include "transitions/model/predict.h"
#include "transitions_scene.h"

enum { SIZES = 5 };
static const double sizes[] = {100, 200, 400, 800, 1600};
static const double target[] = {16000};

/* A loop of n that costs costs[i] in run i, 1,000 samples to the unit; an `event` that is not a clock has no bounds.
 */
static sc_analysis *analyse_costs(sc_graph **graph, const double costs[SIZES], const char *event, double goal,
                                  uint32_t *loop)
{
  *graph = scene_new(sizes, SIZES, event);
  *loop = scene_loop(*graph, scene_main(*graph), "main", 3, scene_n, 0);
  for (size_t i = 0; i < SIZES; i++) {
    assert_int_equal(sc_graph_add(*graph, i, *loop, SC_METRIC_COST, costs[i]), 0);
    sc_graph_run(*graph, i)->samples = (uint64_t)llround(costs[i] * 1000);
  }
  return scene_analyse(*graph, &goal, 1);
}

/* 1 ms each; 2,400 samples in the runs from 800 on, at a mean size of (800^2 + 1600^2) / 2400. */
TEST(the_interval_of_one_execution)
{
  static const double steady[] = {0.1, 0.2, 0.4, 0.8, 1.6};
  double z = gsl_cdf_ugaussian_Pinv(0.975), samples = 2400, centre = (800 * 800 + 1600.0 * 1600) / 2400;
  sc_graph *graph;
  uint32_t loop;
  sc_analysis *a = analyse_costs(&graph, steady, "task-clock", 16000, &loop);
  const sc_load *l = sc_analysis_load(a, loop);
  unit_near(l->each, 1e-3);
  unit_near(l->below, 1e-3 * (1 - pow(1 - 1 / (9 * samples) - z / (3 * sqrt(samples)), 3)));
  unit_near(l->above, 1e-3 * hypot(z * sqrt(samples + 1) / samples, expm1(0.14 * log(16000 / centre))));
  sc_analysis_free(a);
  sc_graph_free(graph);
  a = analyse_costs(&graph, steady, "task-clock", 1000, &loop); /* caches: beyond the sizes alone */
  unit_near(sc_analysis_load(a, loop)->above, 1e-3 * z * sqrt(samples + 1) / samples);
  sc_analysis_free(a);
  sc_graph_free(graph);
}

/* The lower end is the quantile of a gamma distribution, 2.5%: few samples are not nearly none. */
TEST(few_samples_are_not_none)
{
  static const double counts[] = {2, 4, 10, 30, 100, 1000};
  for (size_t i = 0; i < COUNT(counts); i++) {
    double costs[SIZES] = {0, 0, 0, 0, counts[i] / 1000};
    sc_graph *graph;
    uint32_t loop;
    sc_analysis *a = analyse_costs(&graph, costs, "task-clock", 1000, &loop);
    const sc_load *l = sc_analysis_load(a, loop);
    double least = gsl_cdf_gamma_Pinv(0.025, counts[i], 1) / counts[i];
    assert_float_equal(1 - l->below / l->each, least, counts[i] < 4 ? 0.02 : 0.005);
    sc_analysis_free(a);
    sc_graph_free(graph);
  }
}

/* Below half of the largest size only as far as it takes to have a hundred samples. */
TEST(recent_runs_have_a_hundred_samples)
{
  static const struct {
    double costs[SIZES], each;
  } cases[] = {{{9, 9, 9, 0.06, 0.04}, 0.1 / 2400},      /* 100 samples */
               {{9, 9, 0.5, 0.06, 0.039}, 0.599 / 2800}, /* 99 */
               {{9, 9, 0, 0.06, 0.039}, 9.099 / 3000},   /* and 99 still */
               {{0, 0, 0, 0.02, 0.01}, 0.03 / 3100}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    sc_graph *graph;
    uint32_t loop;
    sc_analysis *a = analyse_costs(&graph, cases[i].costs, "page-faults", 1600, &loop);
    unit_near(sc_analysis_load(a, loop)->each, cases[i].each);
    sc_analysis_free(a);
    sc_graph_free(graph);
  }
}

/* Falls to a third where n grows tenfold: the lower end goes on falling. Rises by n^0.3: the upper one goes on rising.
 */
TEST(trends_widen_one_side)
{
  for (int rises = 0; rises < 2; rises++) {
    double costs[SIZES], power = rises ? 0.3 : -0.3, reach = 0, n = 0, all = 0;
    sc_graph *graph;
    uint32_t loop;
    for (size_t i = 0; i < SIZES; i++)
      costs[i] = 10 * pow(sizes[i], 1 + power);
    sc_analysis *a = analyse_costs(&graph, costs, "page-faults", 16000, &loop);
    const sc_load *l = sc_analysis_load(a, loop);
    for (size_t i = 3; i < SIZES; i++)
      n += sizes[i] * sizes[i], all += sizes[i];
    reach = log(16000 / (n / all));
    double each = (costs[3] + costs[4]) / 2400, end = fabs(expm1(reach * power));
    unit_near(l->each, each);
    double most = rises ? l->above / each : l->below / each;
    assert_true(most > end && most < 1.1 * end + 0.02); /* and a standard error */
    assert_true(rises ? l->below < 0.02 * each : l->above < 0.45 * each);
    sc_analysis_free(a);
    sc_graph_free(graph);
  }
}

TEST(doubt_and_moments_widen_times)
{
  static const double steady[] = {0.1, 0.2, 0.4, 0.8, 1.6};
  sc_graph *graph;
  uint32_t loop;
  sc_analysis *a = analyse_costs(&graph, steady, "task-clock", 16000, &loop);
  sc_interval at = {10, 9, 12};
  sc_predict_allow_for_doubt(a, &at);
  assert_true(at.low == 9 && at.high == 12);
  a->options.doubt = 0.3;
  sc_predict_allow_for_doubt(a, &at);
  unit_near(at.low, 10 - hypot(1, 3));
  unit_near(at.high, 10 + hypot(2, 3));
  at = (sc_interval){10, 1, INFINITY};
  sc_predict_allow_for_doubt(a, &at);
  assert_true(at.low > 0 && isinf(at.high));
  at = (sc_interval){1, 1, 2};
  sc_predict_open_end(a, true, 1600, &at);
  assert_true(at.high == 2);
  sc_predict_open_end(a, false, 1601, &at);
  assert_true(at.high == 2);
  sc_predict_open_end(a, true, 1601, &at);
  assert_true(isinf(at.high));
  /* beyond the sizes a moment of the machine: 8%, and a quarter of what it was busy */
  a->options.doubt = 0;
  const sc_load *l = sc_analysis_load(a, loop);
  sc_interval inside, beyond;
  assert_int_equal(sc_predict_steady_cost(a, loop, 1600, &inside), 0);
  unit_near(inside.low, 1600 * (l->each - l->below));
  double busy[] = {0, 0.4};
  for (size_t i = 0; i < 2; i++) {
    a->busy = busy[i];
    double moment = 0.08 + 0.25 * busy[i];
    assert_int_equal(sc_predict_steady_cost(a, loop, 1700, &beyond), 0);
    unit_near(beyond.low, 1700 * (l->each - hypot(l->below, l->each * moment)));
  }
  assert_int_equal(sc_predict_steady_cost(a, loop, 0, &beyond), SC_E_INPUT);
  assert_int_equal(sc_predict_steady_cost(a, loop, INFINITY, &beyond), SC_E_INPUT);
  assert_int_equal(sc_predict_steady_cost(a, 999, 100, &beyond), SC_E_INPUT);
  sc_analysis_free(a);
  sc_graph_free(graph);
}

TEST(shares)
{
  static const struct {
    double part, whole, share;
  } cases[] = {{1, 4, 0.25},    {5, 4, 1}, {0, 4, 0}, {-1, 4, 0}, {1, 0, 0}, {1, INFINITY, 0}, {INFINITY, INFINITY, 1},
               {INFINITY, 4, 1}};
  for (size_t i = 0; i < COUNT(cases); i++)
    assert_true(sc_predict_share(cases[i].part, cases[i].whole) == cases[i].share);
}

static double thousand_n(double n) { return 1000 * n; }
static double cube(double n) { return n * n * n / 1000; }

/* n^2 beside 1,000 n has half of it from 1,000 on, and a tenth from 111; with n^3 / 1,000 beside both, too. */
TEST(sizes_from_which_on_a_share_is_taken)
{
  for (int more = 0; more < 2; more++) {
    sc_graph *graph = scene_new(sizes, SIZES, "");
    uint32_t main = scene_main(graph), square = scene_loop(graph, main, "a", 3, scene_square, 0);
    scene_loop(graph, main, "b", 4, thousand_n, 0);
    if (more)
      scene_loop(graph, main, "c", 5, cube, 0);
    sc_analysis *a = scene_analyse(graph, target, 1);
    sc_blend_part part = {.model = a->series[square], .value = 1, .low = 1, .high = 1};
    sc_blend blend = {.parts = &part, .count = 1};
    double half = sc_predict_share_size(a, &blend, 0.5);
    if (more)
      assert_true(isinf(half)); /* never as much as both */
    else
      assert_true(fabs(half / 1000 - 1) < 0.002);
    double tenth = sc_predict_share_size(a, &blend, 0.05);
    /* n^2 = 0.05 (1,000 n + n^2 [+ n^3 / 1,000] + 1) */
    double wanted = more ? (19 - sqrt(19 * 19 - 4)) / 2 * 1000 : 1000 / 19.0;
    assert_true(tenth == sizes[0] || fabs(tenth / fmax(wanted, 100) - 1) < 0.01);
    sc_interval limit;
    assert_int_equal(sc_predict_limit(a, &blend, 4e6, 100, &limit), 0);
    assert_true(fabs(limit.value / 2000 - 1) < 1e-6);
    sc_analysis_free(a);
    sc_graph_free(graph);
  }
}

/* ---- confidence: each factor alone ---- */
TEST(factors_of_confidence)
{
  sc_graph *graph = scene_new(sizes, SIZES, "");
  (void)scene_main(graph);
  sc_analysis *a = scene_analyse(graph, target, 1);
  const sc_interval known = {10, 10, 10};
  sc_model m = {.points = 5, .term_count = 1, .terms = {{1, 2, 0}}, .order = {2, 0, 2}, .n_max = 16000};
  unit_near(sc_confidence(a, &m, &known), 1);
  for (size_t points = 1; points <= 7; points++) {
    m.points = points;
    unit_near(sc_confidence_in_order(&m), fmin(1, ((double)points - 1) / 4));
  }
  m.points = 3; /* exact with two sizes more than terms */
  m.exact = true;
  unit_near(sc_confidence_in_order(&m), 1);
  m.term_count = 2;
  unit_near(sc_confidence_in_order(&m), 0.5);
  m = (sc_model){.points = 5, .error = 0.25, .fit_error = 0.1, .n_max = 16000};
  unit_near(sc_confidence_in_order(&m), 0.5);
  m.fit_error = 0.5;
  unit_near(sc_confidence_in_order(&m), 1 / 3.0);
  m.error = m.fit_error = -1;
  unit_near(sc_confidence_in_order(&m), 1);
  m.error = INFINITY;
  assert_true(sc_confidence_in_order(&m) == 0);
  m = (sc_model){.points = 5, .n_max = 16000};
  unit_near(sc_confidence(a, &m, &(sc_interval){10, 0, 40}), 0.5); /* twice the value to each side */
  unit_near(sc_confidence(a, &m, &(sc_interval){10, 0, INFINITY}), 0.5);
  unit_near(sc_confidence(a, &m, &(sc_interval){0, 0, 1}), 0.5);
  m.n_max = 1600;
  unit_near(sc_confidence(a, &m, &known), 1 / 1.05);
  unit_near(sc_confidence_in_growth(a, &m), 1 / 1.05);
  unit_near(sc_confidence_in_reach(100), 1 / 1.1);
  unit_near(sc_confidence_in_reach(0.5), 1);
  m = (sc_model){.points = 5,
                 .order = {2, 0, 2},
                 .rivals = {{.terms = {{1, 1.5, 0}}, .term_count = 1, .weight = 0.05}},
                 .rival_count = 1};
  unit_near(sc_confidence_in_order(&m), 0.7);
  m.rivals[0].terms[0].exponent = 1.51;
  unit_near(sc_confidence_in_order(&m), 1);
  m.rivals[0].terms[0].exponent = 1;
  m.rivals[0].weight = 0.049;
  unit_near(sc_confidence_in_order(&m), 1);
  m.verdict = SC_VERDICT_CANNOT_TELL;
  assert_true(sc_confidence_in_order(&m) == 0 && sc_confidence_in_growth(a, &m) == 0 &&
              sc_confidence(a, &m, &known) == 0);
  sc_analysis_free(a);
  sc_graph_free(graph);
}

/* Executions at the largest size whose counts are exact, of all: 8,000 steps, 8,000 bytes and main's one, beside 29,563
 * in bursts. */
TEST(exact_counts_have_their_share_of_the_executions)
{
  for (int bursts = 0; bursts < 2; bursts++) {
    sc_graph *graph = scene_new(scene_driven, COUNT(scene_driven), "");
    uint32_t top = scene_main(graph), loop = scene_loop(graph, top, "main", 3, scene_n, 0);
    uint32_t work = scene_work(graph, loop, "memcpy", 4, scene_n, 0);
    scene_foreign(graph, loop, "callback"); /* which nobody counts */
    if (bursts)
      scene_loop(graph, top, "main", 9, scene_bursts, 0);
    sc_analysis *a = scene_analyse(graph, target, 1);
    double exact = 1 + 8000 + 8000 * sc_location_weight(sc_graph_at(graph, work));
    unit_near(sc_analysis_exact_share(a), exact / (exact + (bursts ? 29563 : 0)));
    unit_near(sc_analysis_exact_share(a), exact / (exact + (bursts ? 29563 : 0))); /* which is kept */
    assert_true(sc_analysis_dearer(a, 1e6) == 1);
    scene_end(graph, a, NULL);
  }
}

/* A moment of the machine matters to times alone, and beyond the sizes; doubt about a plain program, everywhere. */
TEST(doubt_of_all_costs)
{
  static const double steady[] = {0.1, 0.2, 0.4, 0.8, 1.6};
  static const struct {
    const char *event;
    double n, doubt, less;
    enum sc_fit_engine engine;
  } cases[] = {{"task-clock", 1600, 0, 0, SC_FIT_DEFAULT},     {"task-clock", 1601, 0, 0.18, SC_FIT_DEFAULT},
               {"task-clock", 1600, 0.3, 0.3, SC_FIT_DEFAULT}, {"cycles", 1601, 0.3, 0, SC_FIT_DEFAULT},
               {"task-clock", 1601, 0, 0, SC_FIT_DELTA_INFER}, {"task-clock", 1601, -1, 0.18, SC_FIT_DEFAULT},
               {"task-clock", 1601, 0.3, 0, SC_FIT_DEFAULT}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    sc_graph *graph;
    uint32_t loop;
    sc_analysis *a = analyse_costs(&graph, steady, cases[i].event, 16000, &loop);
    a->options.doubt = cases[i].doubt;
    a->options.fit.engine = cases[i].engine;
    a->busy = 0.4;
    sc_cost_doubt doubt = sc_analysis_cost_doubt(a, cases[i].n);
    double less = i + 1 < COUNT(cases) ? cases[i].less : hypot(0.3, 0.18);
    unit_near(doubt.less, less);
    unit_near(doubt.more, less);
    assert_true(doubt.open == 1);
    sc_analysis_free(a);
    sc_graph_free(graph);
  }
}
