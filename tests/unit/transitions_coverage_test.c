/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How much of the total the findings explain, and what the rest is: programs whose shares are known. */
#include "unit.h"

#include "transitions_scene.h"

#include "transitions/findings/coverage.h"

#define TARGET 16000
static const double SIZES[] = {100, 200, 400, 800, 1600};
static const double TARGETS[] = {TARGET};

static double sixty_four_thousand_n(double n) { return 64000 * n; }
static double a_million(double n) { return n > 0 ? 1e6 : 0; }
static double cube(double n) { return n * n * n; }
static double logarithm(double n) { return floor(1000 * log2(n)); }
/* Jumps up and down by more than any function of n says, ever higher. */
static double wild(double n) { return 1 + floor(n * n * (lround(log2(n / 100)) % 2 ? 50 : 1)); }
static double many_n(double n) { return 1e7 * n; } /* beside which n^2 / 2 is less than 1% */
static double rare_square(double n) { return floor(n * n / 1000); }
static double rare_work(double n) { return 100 * rare_square(n); }

static scene_program open_scene(const char *event) { return scene_open(SIZES, 5, event); }

static void judge_scene(scene_program *s) { scene_judge(s, TARGETS, 1); }

/* Every part in its bounds, and all of them the total. */
static sc_coverage cover(const scene_program *s, enum sc_coverage_metric metric)
{
  sc_coverage c;
  sc_interval total = {0};
  double value = 0, share = 0;
  assert_int_equal(sc_coverage_at(s->analysis, &s->findings, metric, TARGET, &c), 0);
  for (int i = 0; i < SC_COVERAGE_CLASSES; i++) {
    value += c.parts[i].value;
    share += c.parts[i].share;
    assert_true(c.parts[i].place_share <= c.parts[i].share * (1 + 1e-9));
  }
  assert_float_equal(share, 1, 1e-9);
  assert_float_equal(value, c.total, 1e-9 * c.total);
  if (metric == SC_COVERAGE_COST)
    assert_int_equal(sc_analysis_total(s->analysis, TARGET, &total), 0);
  for (uint32_t i = 0; metric == SC_COVERAGE_EXECUTIONS && i < sc_graph_context_count(s->graph); i++) {
    sc_interval one = {0};
    enum sc_location_kind kind = sc_graph_at(s->graph, i)->kind;
    if (kind == SC_LOCATION_FUNCTION || kind == SC_LOCATION_LOOP)
      assert_int_equal(sc_analysis_count(s->analysis, i, TARGET, &one), 0);
    total.value += one.value;
  }
  assert_float_equal(c.total, total.value, 1e-9 * total.value);
  return c;
}

TEST(one_quadratic_loop_is_everything)
{
  scene_program s = open_scene("task-clock");
  uint32_t loop = scene_loop(s.graph, s.main, "main", 3, scene_square, 1e-6);
  judge_scene(&s);
  sc_coverage time = cover(&s, SC_COVERAGE_COST), executions = cover(&s, SC_COVERAGE_EXECUTIONS);
  assert_int_equal(s.findings.list[0].context, loop);
  assert_true(sc_analysis_has_costs(s.analysis));
  assert_true(time.parts[SC_COVERAGE_FINDINGS].share > 0.999);
  assert_true(executions.parts[SC_COVERAGE_FINDINGS].share > 0.999);
  scene_close(&s);
}

/* n^2 is a fifth of it at the target; 64,000 n the rest. Of the executions, where both cost the same, too. */
TEST(a_fifth_and_a_linear_rest)
{
  scene_program s = open_scene("task-clock");
  uint32_t read = scene_loop(s.graph, s.main, "main", 3, sixty_four_thousand_n, 1e-6);
  scene_loop(s.graph, s.main, "main", 9, scene_square, 1e-6);
  judge_scene(&s);
  for (int metric = 0; metric < 2; metric++) {
    sc_coverage c = cover(&s, (enum sc_coverage_metric)metric);
    assert_float_equal(c.parts[SC_COVERAGE_FINDINGS].share, 0.2, 1e-6);
    assert_float_equal(c.parts[SC_COVERAGE_LINEAR].share, 0.8, 1e-6);
    assert_float_equal(c.parts[SC_COVERAGE_LINEAR].place_share, 0.8, 1e-6);
    assert_int_equal(c.parts[SC_COVERAGE_LINEAR].context, read);
    assert_int_equal(c.parts[SC_COVERAGE_FINDINGS].context, SC_COVERAGE_NOWHERE); /* they are listed anyway */
  }
  scene_close(&s);
}

/* An array that the loop appends to is copied seldom, in a function that is called as seldom: what that costs is the
 * loop's all the same. */
TEST(copies_of_a_growing_array_are_the_loops)
{
  scene_program s = open_scene("task-clock");
  uint32_t loop = scene_loop(s.graph, s.main, "main", 3, scene_square, 1e-6);
  uint32_t grow = scene_function(s.graph, loop, "grow", logarithm, 0);
  scene_work(s.graph, grow, "memcpy", 9, scene_square, 1e-6);
  judge_scene(&s);
  sc_coverage c = cover(&s, SC_COVERAGE_COST);
  assert_int_equal(scene_superlinear(&s.findings), 1);
  assert_int_equal(s.findings.list[0].context, loop);
  assert_true(s.findings.list[0].predictions[0].share > 0.999);
  assert_true(c.parts[SC_COVERAGE_FINDINGS].share > 0.999);
  scene_close(&s);
}

/* A cubic loop in a quadratic one in a linear one: each has what is its own, and together they have it once. */
TEST(nested_findings_count_once)
{
  scene_program s = open_scene("task-clock");
  uint32_t outer = scene_loop(s.graph, s.main, "main", 3, scene_n, 1e-3);
  uint32_t middle = scene_loop(s.graph, scene_function(s.graph, outer, "f", scene_n, 1e-3), "f", 5, scene_square, 1e-3);
  scene_loop(s.graph, scene_function(s.graph, middle, "g", scene_square, 1e-3), "g", 7, cube, 1e-9);
  judge_scene(&s);
  sc_coverage c = cover(&s, SC_COVERAGE_COST);
  double shares = 0, linear = 0;
  assert_int_equal(scene_superlinear(&s.findings), 2);
  for (size_t i = 0; i < s.findings.count; i++)
    *(s.findings.list[i].linear ? &linear : &shares) += s.findings.list[i].predictions[0].share;
  assert_float_equal(c.parts[SC_COVERAGE_FINDINGS].share, shares, 1e-9);
  assert_true(shares > 0.99 && shares <= 1);
  assert_true(c.parts[SC_COVERAGE_LINEAR].share + c.parts[SC_COVERAGE_SMALL].share < 1e-3);
  scene_close(&s);
}

TEST(without_findings_it_is_what_it_is)
{
  scene_program s = open_scene("");
  uint32_t constant = scene_loop(s.graph, s.main, "main", 3, a_million, 0);
  scene_loop(s.graph, s.main, "main", 5, sixty_four_thousand_n, 0);
  uint32_t search = scene_loop(s.graph, s.main, "main", 7, logarithm, 0);
  judge_scene(&s);
  assert_false(sc_analysis_has_costs(s.analysis));
  assert_int_equal(s.findings.count - s.findings.linear, 0);
  sc_coverage c = cover(&s, SC_COVERAGE_EXECUTIONS);
  assert_true(c.parts[SC_COVERAGE_FINDINGS].value == 0);
  assert_float_equal(c.parts[SC_COVERAGE_LINEAR].value, 64000.0 * TARGET, 1);
  assert_float_equal(c.parts[SC_COVERAGE_CONSTANT].value, 1e6 + 1, 1e-3);
  assert_int_equal(c.parts[SC_COVERAGE_CONSTANT].context, constant);
  assert_float_equal(c.parts[SC_COVERAGE_SUBLINEAR].value, 1000 * log2(TARGET), 1000);
  assert_int_equal(c.parts[SC_COVERAGE_SUBLINEAR].context, search);
  /* Where every execution counts 1, both metrics are the same. */
  sc_coverage cost = cover(&s, SC_COVERAGE_COST);
  assert_float_equal(cost.total, c.total, 1e-6);
  scene_close(&s);
}

/* What no rule may name is not linear because the loop around it is. */
TEST(growth_that_is_in_no_list)
{
  scene_program s = open_scene("");
  for (uint32_t i = 0; i < 300; i++)
    scene_loop(s.graph, s.main, "main", 10 + i, scene_n, 0);
  scene_loop(s.graph, s.main, "main", 400, scene_triangle, 0);
  uint32_t read = scene_loop(s.graph, s.main, "main", 5, many_n, 0);
  uint32_t odd = scene_loop(s.graph, read, "main", 6, wild, 0);
  uint32_t rare = scene_function(s.graph, read, "rare", rare_square, 0); /* fewer than four calls a step */
  uint32_t work = scene_loop(s.graph, rare, "rare", 9, rare_work, 0);
  judge_scene(&s);
  sc_coverage c = cover(&s, SC_COVERAGE_EXECUTIONS);
  assert_int_equal(sc_analysis_model(s.analysis, odd)->verdict, SC_VERDICT_CANNOT_TELL);
  assert_int_equal(c.parts[SC_COVERAGE_UNMODELLED].context, odd);
  assert_true(c.parts[SC_COVERAGE_UNMODELLED].share > 0);
  assert_int_equal(c.parts[SC_COVERAGE_OTHER].context, work);
  assert_float_equal(c.parts[SC_COVERAGE_OTHER].value, 101 * rare_square(TARGET), 0.01 * 101 * rare_square(TARGET));
  assert_float_equal(c.parts[SC_COVERAGE_SMALL].value, scene_triangle(TARGET), 1);
  assert_float_equal(c.parts[SC_COVERAGE_LINEAR].value, (1e7 + 300) * TARGET, TARGET);
  assert_int_equal(c.parts[SC_COVERAGE_SMALL].context, SC_COVERAGE_NOWHERE);
  scene_close(&s);
}

TEST(undecided_places_are_a_part)
{
  scene_program s = scene_open(scene_driven, 5, "");
  uint32_t burst = scene_loop(s.graph, s.main, "main", 3, scene_bursts, 0);
  scene_function(s.graph, burst, "within", scene_bursts, 0);
  judge_scene(&s);
  sc_coverage c = cover(&s, SC_COVERAGE_COST);
  assert_int_equal(s.findings.undecided_count, 1);
  assert_float_equal(c.parts[SC_COVERAGE_UNDECIDED].share, s.findings.undecided[0].share, 1e-9);
  assert_true(c.parts[SC_COVERAGE_UNDECIDED].share > 0.99);
  assert_int_equal(c.parts[SC_COVERAGE_UNDECIDED].context, burst);
  scene_close(&s);
}

/* A loop of n whose iterations cost more and more: the finding is about the time, the n iterations are linear. */
TEST(growing_cost_explains_no_executions)
{
  scene_program s = open_scene("task-clock");
  uint32_t loop = scene_loop(s.graph, s.main, "main", 3, scene_n, 0);
  for (size_t i = 0; i < 5; i++) {
    assert_int_equal(sc_graph_add(s.graph, i, loop, SC_METRIC_COST, 1e-6 * SIZES[i] * SIZES[i]), 0);
    sc_graph_run(s.graph, i)->samples = (uint64_t)(1e-3 * SIZES[i] * SIZES[i]) + 20;
  }
  scene_function(s.graph, loop, "inside", scene_n, 0);
  judge_scene(&s);
  assert_int_equal(s.findings.list[0].rule, SC_RULE_GROWING_COST);
  assert_true(cover(&s, SC_COVERAGE_COST).parts[SC_COVERAGE_FINDINGS].share > 0.99);
  sc_coverage executions = cover(&s, SC_COVERAGE_EXECUTIONS);
  assert_true(executions.parts[SC_COVERAGE_FINDINGS].value == 0);
  assert_true(executions.parts[SC_COVERAGE_LINEAR].share > 0.99);
  scene_close(&s);
}

/* Samples in no function, and the start of a run whose samples are too few to say where they fell. */
TEST(time_without_a_count)
{
  scene_program s = open_scene("task-clock");
  scene_loop(s.graph, s.main, "main", 3, scene_square, 1e-6);
  for (size_t i = 0; i < 5; i++)
    assert_int_equal(sc_graph_add(s.graph, i, sc_graph_parent(s.graph, s.main), SC_METRIC_COST, 256), 0);
  judge_scene(&s);
  sc_coverage c = cover(&s, SC_COVERAGE_COST);
  assert_float_equal(c.parts[SC_COVERAGE_UNCOUNTED].share, 0.5, 1e-3); /* 256 s beside 16,000^2 us */
  assert_int_equal(c.parts[SC_COVERAGE_UNCOUNTED].context, SC_COVERAGE_NOWHERE);
  assert_true(cover(&s, SC_COVERAGE_EXECUTIONS).parts[SC_COVERAGE_UNCOUNTED].value == 0);
  scene_close(&s);

  s = open_scene("task-clock");
  scene_loop(s.graph, s.main, "main", 3, scene_n, 0);
  for (size_t i = 0; i < 5; i++)
    sc_graph_run(s.graph, i)->user_seconds = 0.16 + 1e-5 * SIZES[i];
  assert_int_equal(sc_graph_add(s.graph, 4, s.main, SC_METRIC_COST, 0.001), 0);
  sc_graph_run(s.graph, 4)->samples = 1;
  judge_scene(&s);
  c = cover(&s, SC_COVERAGE_COST);
  assert_float_equal(c.parts[SC_COVERAGE_UNCOUNTED].share, 0.5, 0.01); /* 0.16 s beside 16,000 times 10 us */
  scene_close(&s);
}

/* Two loops of a library's header are one place: the user's function that calls them. */
TEST(a_place_is_the_users)
{
  static const char header[] = "/usr/include/c++/12/bits/stl_algo.h";
  scene_program s = open_scene("");
  uint32_t user = scene_function(s.graph, s.main, "sort_all", scene_one, 0);
  for (uint32_t i = 0; i < 2; i++) {
    sc_location function = {.kind = SC_LOCATION_FUNCTION, .name = i ? "copy" : "fill", .file = header};
    sc_location loop = {.kind = SC_LOCATION_LOOP, .name = function.name, .file = header, .line = 9 + i, .column = 3};
    uint32_t callee = scene_context(s.graph, user, &function);
    scene_fill(s.graph, callee, scene_one, 0);
    scene_fill(s.graph, scene_context(s.graph, callee, &loop), scene_n, 0);
  }
  scene_loop(s.graph, s.main, "main", 3, scene_n, 0);
  judge_scene(&s);
  sc_coverage_part linear = cover(&s, SC_COVERAGE_EXECUTIONS).parts[SC_COVERAGE_LINEAR];
  assert_int_equal(sc_graph_written(s.graph, linear.context, NULL), user);
  assert_float_equal(linear.place_share, 2.0 / 3, 1e-3);
  assert_float_equal(linear.share, 1, 1e-3);
  scene_close(&s);
}

TEST(exponentials_are_all_there_is)
{
  static const double sizes[] = {10, 14, 18, 22, 26, 30};
  scene_program s = scene_open(sizes, 6, "");
  scene_loop(s.graph, s.main, "main", 3, exp2, 0);
  scene_loop(s.graph, s.main, "main", 9, scene_n, 0);
  judge_scene(&s);
  sc_coverage c;
  assert_int_equal(sc_coverage_at(s.analysis, &s.findings, SC_COVERAGE_COST, TARGET, &c), 0); /* 2^16,000 */
  assert_true(isinf(c.total) && c.parts[SC_COVERAGE_FINDINGS].share == 1 && c.parts[SC_COVERAGE_LINEAR].share == 0);
  assert_true(sc_coverage_at(s.analysis, &s.findings, SC_COVERAGE_COST, 0, &c) < 0);
  assert_true(sc_coverage_at(s.analysis, &s.findings, SC_COVERAGE_COST, INFINITY, &c) < 0);
  scene_close(&s);
}

TEST(enough_is_three_quarters)
{
  assert_true(sc_coverage_enough(0.75) && sc_coverage_enough(1));
  assert_false(sc_coverage_enough(nextafter(0.75, 0)) || sc_coverage_enough(0));
}
