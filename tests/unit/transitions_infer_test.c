/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a transition begins, and its severity and rank: one below, at and one above each threshold. */
#include "unit.h"

#include <stdlib.h>

#include "transitions/findings/conditions.h"
#include "transitions/findings/infer.h"
#include "transitions/findings/recursion.h"
#include "transitions/model/order.h"
#include "transitions_scene.h"

static const double sizes[] = {100, 200, 400, 800, 1600};
static const double target = 16000;
enum { SIZES = 5 };

static scene_program open_with(const char *event) { return scene_open(sizes, SIZES, event); }

static void judge_with(scene_program *s, const sc_analysis_options *more)
{
  sc_analysis_options options = *more;
  options.fit = SC_FIT_OPTIONS_DEFAULT;
  options.variable = "n";
  options.targets = &target;
  options.target_count = 1;
  options.level = 0.95;
  assert_int_equal(sc_analysis_new(s->graph, &options, &s->analysis), 0);
  s->findings = scene_infer(s->analysis);
}

static double factor;
static double times(double n) { return round(factor * n); }
static double times_square(double n) { return round(factor * n * n); }

/* No place: what is executed ten times at most. */
TEST(ten_executions_are_noise)
{
  for (int more = 0; more < 2; more++) {
    scene_program s = open_with("");
    factor = (10 + more) / 1600.0;
    uint32_t loop = scene_loop(s.graph, s.main, "main", 3, times, 0);
    judge_with(&s, &(sc_analysis_options){.negligible = 0});
    assert_true(sc_infer_is_tiny(s.analysis, loop) == !more);
    scene_close(&s);
  }
}

/* A call without a loop of its own is one from four times for each execution around on. */
TEST(four_calls_each_are_a_loop)
{
  for (int more = 0; more < 2; more++) {
    scene_program s = open_with("");
    uint32_t f = scene_function(s.graph, s.main, "f", scene_n, 0);
    factor = more ? 4.0 / 1600 : 3.9 / 1600;
    uint32_t g = scene_function(s.graph, f, "g", times_square, 0);
    judge_with(&s, &(sc_analysis_options){.negligible = 0});
    const sc_finding *found = scene_find(&s.findings, g);
    assert_true((found != NULL) == more);
    if (found)
      assert_true(found->kind == SC_FINDING_IMPLICIT && found->parent == f);
    scene_close(&s);
  }
}

/* n / 100 blocks of 100 are the loop over n. */
TEST(a_hundred_in_a_block)
{
  static const struct {
    double blocks;
    bool inner;
  } cases[] = {{100, true}, {95, false}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    scene_program s = open_with("");
    factor = 1 / cases[i].blocks;
    uint32_t outer = scene_loop(s.graph, s.main, "main", 3, times, 0);
    uint32_t inner = scene_loop(s.graph, outer, "main", 4, scene_n, 0);
    judge_with(&s, &(sc_analysis_options){.negligible = 0});
    assert_true((scene_find(&s.findings, inner) != NULL) == cases[i].inner);
    scene_close(&s);
  }
}

/* A hundredth of the cost and of the executions is a place. */
TEST(a_hundredth_is_told)
{
  for (int more = 0; more < 2; more++) {
    scene_program s = open_with("");
    scene_loop(s.graph, s.main, "big", 3, scene_square, 0);
    factor = more ? 0.0102 : 0.0100;
    uint32_t place = scene_loop(s.graph, s.main, "small", 9, times_square, 0);
    judge_with(&s, &(sc_analysis_options){.negligible = 0.01});
    assert_true((scene_find(&s.findings, place) != NULL) == more);
    assert_int_equal(s.findings.suppressed, !more);
    if (!more)
      assert_true(s.findings.negligible[0].context == place && s.findings.negligible[0].superlinear);
    scene_close(&s);
  }
}

/* A further logarithm is reported from a tenth of all on; else it belongs to what it stands in. */
static double log_times(double n) { return floor(factor * n * log2(n)); }
TEST(a_tenth_is_a_logarithm)
{
  for (int more = 0; more < 2; more++) {
    scene_program s = open_with("");
    uint32_t loop = scene_loop(s.graph, s.main, "main", 3, scene_n, 0);
    uint32_t rest = scene_loop(s.graph, loop, "rest", 5, scene_n, 0);
    for (int i = 0; i < 999; i++)
      scene_fill(s.graph, rest, scene_n, 0);
    factor = more ? 8.2 : 7.5; /* log2 16,000 is 14: 115 or 105 of 1,115 or 1,105 n */
    uint32_t search = scene_loop(s.graph, loop, "search", 7, log_times, 0);
    judge_with(&s, &(sc_analysis_options){.negligible = 0.001});
    const sc_finding *f = scene_find(&s.findings, search);
    assert_true((f != NULL) == more);
    if (f)
      assert_int_equal(f->rule, SC_RULE_LOG_FACTOR);
    else
      assert_true(scene_has_member(scene_find(&s.findings, loop), search));
    scene_close(&s);
  }
}

/* Half of the cost makes a superlinear place an error; the budget does of any. */
TEST(severities)
{
  static const struct {
    double part, budget;
    enum sc_severity severity;
  } cases[] = {{0.51, 0, SC_SEVERITY_ERROR},
               {0.49, 0, SC_SEVERITY_WARNING},
               {0.2, 50, SC_SEVERITY_ERROR},
               {0.2, 52, SC_SEVERITY_WARNING}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    scene_program s = open_with("task-clock");
    factor = cases[i].part;
    uint32_t place = scene_loop(s.graph, s.main, "one", 3, times_square, 1e-6); /* 256 s times the part */
    factor = 1 - cases[i].part;
    scene_loop(s.graph, s.main, "other", 9, times_square, 1e-6);
    judge_with(&s, &(sc_analysis_options){.negligible = 0.01, .time_budget = cases[i].budget});
    const sc_finding *f = scene_find(&s.findings, place);
    assert_non_null(f);
    if (f->severity != cases[i].severity)
      fail_msg("case %zu: %s of %g s", i, sc_severity_name(f->severity), f->predictions[0].cost.value);
    if (cases[i].budget > 0) /* 2e-7 n^2 s reach it */
      assert_true(fabs(f->emergence / sqrt(cases[i].budget / 2e-7) - 1) < 0.02);
    scene_close(&s);
  }
}

/* From which size on the place has half of the total: 1,000 n beside n^2, all executions alike. */
static double thousand(double n) { return 1000 * n; }
TEST(emergence_is_half_of_the_total)
{
  scene_program s = open_with("");
  scene_loop(s.graph, s.main, "read", 3, thousand, 0);
  uint32_t place = scene_loop(s.graph, s.main, "join", 9, scene_square, 0);
  judge_with(&s, &(sc_analysis_options){.negligible = 0.01});
  const sc_finding *f = scene_find(&s.findings, place);
  assert_true(f && fabs(f->emergence / 1000 - 1) < 0.01);
  assert_true(fabs(f->predictions[0].share - 16.0 / 17) < 1e-3);
  assert_true(s.findings.linear == 1 && s.findings.list[s.findings.count - 1].linear);
  scene_close(&s);
}

/* Superlinear places with a twentieth of the cost stand before linear ones with less than half, and by cost. */
TEST(ranks)
{
  scene_program s = open_with("task-clock");
  factor = 0.06;
  uint32_t small = scene_loop(s.graph, s.main, "a", 3, times_square, 1e-6);
  factor = 0.3;
  uint32_t large = scene_loop(s.graph, s.main, "b", 4, times_square, 1e-6);
  factor = 0.03;
  uint32_t tiny = scene_loop(s.graph, s.main, "c", 5, times_square, 1e-6);
  factor = 16000 * 0.61;
  uint32_t linear = scene_loop(s.graph, s.main, "d", 6, times, 1e-6);
  judge_with(&s, &(sc_analysis_options){.negligible = 0.01});
  assert_int_equal(s.findings.count, 4);
  assert_true(s.findings.list[0].context == large && s.findings.list[1].context == small &&
              s.findings.list[2].context == tiny && s.findings.list[3].context == linear);
  assert_true(s.findings.list[3].linear && s.findings.linear == 1);
  scene_close(&s);
}

/* ---- calls in conditions: once more for each entry than the body runs ---- */
static double one_more(double n) { return n + 1; }
static double two_more(double n) { return n + 2; }
static double one_less(double n) { return n - 1; }
static double four_entries(double n) { return n + 4; }
static double five_more(double n) { return n + 5; }
static double four(double n) { return 4; }

TEST(conditions_run_once_more_each)
{
  static const struct {
    scene_curve around, call;
    bool found;
  } cases[] = {{scene_one, one_more, true},  {scene_one, scene_n, true}, {scene_one, one_less, true},
               {scene_one, two_more, false}, {four, four_entries, true}, {four, five_more, false}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    scene_program s = open_with("");
    uint32_t f = scene_function(s.graph, s.main, "f", cases[i].around, 0);
    uint32_t other = scene_loop(s.graph, f, "f", 2, scene_square, 0), loop = scene_loop(s.graph, f, "f", 3, scene_n, 0);
    uint32_t twin = scene_loop(s.graph, f, "f", 4, scene_n, 0);
    uint32_t call = scene_function(s.graph, f, "size", cases[i].call, 0);
    uint32_t elsewhere = scene_function(s.graph, s.main, "size", cases[i].call, 0);
    s.analysis = scene_analyse(s.graph, NULL, 0);
    sc_conditions *conditions = sc_conditions_new(s.analysis);
    uint32_t found = sc_conditions_find(conditions, call, f);
    if (found != (cases[i].found ? loop : SC_NONE))
      fail_msg("case %zu: %u", i, found);
    assert_true(sc_conditions_find(conditions, elsewhere, s.main) == SC_NONE);
    (void)other, (void)twin;
    sc_conditions_free(conditions);
    scene_close(&s);
  }
}

/* ---- recursion by a loop: as deep as before, and an iteration for four calls ---- */
TEST(loops_that_recurse)
{
  static const struct {
    double first, last, iterations;
    bool loop;
    enum sc_finding_kind kind;
  } cases[] = {{5, 5, 0.26, true, SC_FINDING_LOOP},
               {5, 5, 0.24, false, SC_FINDING_RECURSION},
               {5, 6, 0.26, false, SC_FINDING_RECURSION},
               {0, 0, 0.26, false, SC_FINDING_IMPLICIT}, /* it never calls itself */
               {5, 4, 0.26, true, SC_FINDING_LOOP}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    static const sc_order constant;
    scene_program s = open_with("");
    factor = 1;
    uint32_t walk = scene_function(s.graph, s.main, "walk", times_square, 0);
    factor = cases[i].iterations;
    uint32_t loop = scene_loop(s.graph, walk, "walk", 3, times_square, 0);
    scene_loop(s.graph, walk, "walk", 9, scene_n, 0);
    for (size_t r = 0; r < SIZES; r++)
      assert_int_equal(sc_graph_add(s.graph, r, walk, SC_METRIC_DEPTH, r == SIZES - 1 ? cases[i].last : cases[i].first),
                       0);
    s.analysis = scene_analyse(s.graph, NULL, 0);
    assert_true(sc_recursion_depth(s.analysis, walk, false) == cases[i].first);
    assert_true(sc_recursion_depth(s.analysis, walk, true) == cases[i].last);
    if (sc_recursion_loop(s.analysis, walk, &constant) != (cases[i].loop ? loop : SC_NONE))
      fail_msg("case %zu", i);
    sc_analysis_free(s.analysis);
    judge_with(&s, &(sc_analysis_options){0});
    assert_int_equal(s.findings.count, 1);
    assert_int_equal(s.findings.list[0].kind, cases[i].kind);
    assert_int_equal(s.findings.list[0].context, cases[i].loop ? loop : walk);
    scene_close(&s);
  }
}

/* ---- what is undecided says why: by its rival, by the steps, or by how badly it fits ---- */
static const sc_model *slow_rival(const sc_model *m, sc_model *out)
{
  const sc_model *found = NULL;
  double slowest = 1.4;
  for (size_t i = 0; i < m->rival_count; i++) {
    const sc_rival *r = &m->rivals[i];
    double exponent = r->term_count ? r->terms[0].exponent : 0;
    if (r->weight < 0.05 || exponent >= slowest)
      continue;
    slowest = exponent;
    *out = (sc_model){.term_count = r->term_count};
    memcpy(out->terms, r->terms, sizeof r->terms);
    found = out;
  }
  return found;
}

TEST(undecided_places_say_why)
{
  static const double bursts[][SIZES] = {{1244, 2137, 4978, 10691, 29563},
                                         {500, 600, 2900, 3100, 14000},
                                         {100, 250, 250, 1200, 6000},
                                         {1000, 2500, 8000, 21000, 70000}};
  size_t seen = 0;
  for (size_t i = 0; i < COUNT(bursts); i++) {
    scene_program s = scene_open(scene_driven, SIZES, "");
    uint32_t loop = scene_loop(s.graph, s.main, "main", 3, scene_one, 0);
    for (size_t r = 0; r < SIZES; r++)
      assert_int_equal(sc_graph_add(s.graph, r, loop, SC_METRIC_COUNT, bursts[i][r] - 1), 0);
    judge_with(&s, &(sc_analysis_options){.negligible = 0.01});
    for (size_t u = 0; u < s.findings.undecided_count; u++, seen++) {
      const sc_undecided *one = &s.findings.undecided[u];
      char best[160], other[160], expected[500];
      sc_model rival;
      sc_model_format_brief(&one->model, "n", 0, best, sizeof best);
      double missed = 100 * fmax(one->model.fit_error, one->model.error);
      if (slow_rival(&one->model, &rival)) {
        sc_model_format_brief(&rival, "n", 0, other, sizeof other);
        snprintf(expected, sizeof expected, "The counts fit %s, and about as well %s.", best, other);
      } else if (one->exponent_low < 1.4) {
        snprintf(expected, sizeof expected, "The counts come in steps or bursts: %s misses them by %.2g%% on average.",
                 best, missed);
      } else {
        snprintf(expected, sizeof expected, "%s misses the counts by %.2g%% on average, at 5 sizes.", best, missed);
      }
      assert_string_equal(one->reason, expected);
      assert_true(one->context == loop && one->sites == 1 && one->kind == SC_FINDING_LOOP && !one->of_cost);
      double decides = sc_model_deciding_size(&one->model);
      assert_true(one->deciding == (isfinite(decides) ? decides : 4 * 8000));
      assert_true(fabs(one->share - one->cost / (one->cost + 1)) < 1e-3); /* beside main's one */
    }
    scene_close(&s);
  }
  assert_true(seen >= 1);
}
