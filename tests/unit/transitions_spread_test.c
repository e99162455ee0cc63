/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Growth that is negligible place by place, but not as a sum. */
#include "unit.h"

#include <stdlib.h>

#include "transitions_scene.h"

static const double SIZES[] = {100, 200, 400, 800, 1600};
static const double TARGETS[] = {16000, 160000};

static double twenty_thousand_n(double n) { return 20000 * n; }
static double ten_squares(double n) { return 10 * n * n; }
/* Fewer than four for each step of a loop of n, while it is measured. */
static double rare_square(double n) { return floor(n * n / 1000); }
/* By chance like n^4. */
static double scattered(double n)
{
  static const double counts[] = {5, 140, 106, 1406, 29648};
  for (size_t i = 0; i < 5; i++)
    if (n == SIZES[i])
      return counts[i];
  return 0;
}
static double rare_work(double n) { return 100 * rare_square(n); }

/* Functions "f<first>" to "f<first + count - 1>" of `file`, each with a loop that grows as `inner`, on lines of their
 * own or on one. */
static void add_places(sc_graph *graph, uint32_t parent, const char *file, size_t first, size_t count, bool one_line,
                       scene_curve inner)
{
  for (size_t i = first; i < first + count; i++) {
    char name[32];
    snprintf(name, sizeof name, "f%zu", i);
    sc_location function = {.kind = SC_LOCATION_FUNCTION, .name = name, .file = file};
    sc_location loop = {.kind = SC_LOCATION_LOOP,
                        .name = name,
                        .file = file,
                        .line = one_line ? 7 : (uint32_t)(10 * i + 1),
                        .column = 3};
    uint32_t f = scene_context(graph, parent, &function);
    scene_fill(graph, f, scene_one, 0);
    uint32_t context = scene_context(graph, f, &loop);
    scene_fill(graph, context, inner, 0);
  }
}

static scene_program open_scene(void) { return scene_open(SIZES, 5, ""); }

static void judge_scene(scene_program *s) { scene_judge(s, TARGETS, 2); }

static const sc_finding *find_spread(const sc_findings *findings)
{
  for (size_t i = 0; i < findings->count; i++)
    if (findings->list[i].spread)
      return &findings->list[i];
  return NULL;
}

TEST(many_squares_are_one_finding)
{
  scene_program s = open_scene();
  add_places(s.graph, s.main, "src/many.c", 0, 150, false, scene_square);
  judge_scene(&s);
  assert_int_equal(s.findings.count, 1);
  const sc_finding *f = &s.findings.list[0];
  assert_non_null(f->spread);
  assert_int_equal(f->rule, SC_RULE_SPREAD_GROWTH);
  assert_int_equal(f->kind, SC_FINDING_SPREAD);
  assert_true(f->superlinear);
  assert_int_equal(f->severity, SC_SEVERITY_ERROR); /* all there is, and sure */
  assert_int_equal(f->site_count, 150);
  assert_int_equal(f->member_count, 150);
  assert_true(f->model.exact);
  assert_float_equal(f->model.terms[0].coefficient, 150, 1e-9);
  assert_float_equal(f->predictions[1].count.value, 150 * 160000.0 * 160000, 1);
  assert_true(f->predictions[1].share > 0.99);
  assert_int_equal(f->spread->places, 150);
  assert_int_equal(f->spread->functions, 150);
  assert_string_equal(f->spread->title, "150 places in many.c");
  assert_string_equal(f->spread->common, "many.c");
  assert_int_equal(f->spread->group_count[SC_SPREAD_CALLER], 1);
  assert_string_equal(f->spread->groups[SC_SPREAD_CALLER][0].name, "main");
  assert_string_equal(f->spread->groups[SC_SPREAD_ORDER][0].name, "n^2");
  assert_non_null(strstr(f->advice, "main"));
  assert_int_equal(s.findings.suppressed, 0);
  assert_true(s.findings.unexplained == 0);
  scene_close(&s);
}

/* Thousands of places that grow no faster than n log n are nobody's concern. */
TEST(many_linear_places_are_silent)
{
  static const scene_curve curves[] = {scene_n, scene_sorting};
  for (int i = 0; i < 2; i++) {
    scene_program s = open_scene();
    add_places(s.graph, s.main, "many.c", 0, 3000, false, curves[i]);
    judge_scene(&s);
    assert_int_equal(s.findings.count, 0);
    assert_int_equal(s.findings.undecided_count, 0);
    assert_int_equal(s.findings.suppressed, 3000);
    assert_true(s.findings.unexplained == 0);
    scene_close(&s);
  }
}

/* Half of it in one place: that is a finding, and the rest is the group. */
TEST(the_rest_of_a_finding_is_the_group)
{
  scene_program s = open_scene();
  uint32_t big = scene_loop(s.graph, scene_function(s.graph, s.main, "big", scene_one, 0), "big", 3, ten_squares, 0);
  add_places(s.graph, s.main, "a.c", 0, 5, false, scene_square);
  for (size_t i = 0; i < 10; i++) /* 1,490 more */
    add_places(s.graph, s.main, i % 2 ? "src/b.c" : "src/c.c", 1000 * (i + 1), 149, false, scene_square);
  judge_scene(&s);
  const sc_finding *f = find_spread(&s.findings);
  assert_non_null(f);
  assert_int_equal(s.findings.count, 1); /* 10 of 1,505 are one more small place */
  assert_int_equal(f->context, big);
  assert_int_equal(f->spread->places, 1496);
  assert_int_equal(f->spread->group_count[SC_SPREAD_FILE], 4);
  assert_string_equal(f->spread->title, "1496 places in 4 files");
  assert_string_equal(f->spread->common, "main");
  scene_close(&s);

  s = open_scene();
  big = scene_loop(s.graph, s.main, "big", 3, ten_squares, 0);
  for (size_t i = 0; i < 14; i++)
    scene_fill(s.graph, big, ten_squares, 0);
  add_places(s.graph, s.main, "a.c", 0, 150, false, scene_square);
  judge_scene(&s);
  f = find_spread(&s.findings);
  assert_non_null(scene_find(&s.findings, big));
  assert_non_null(f);
  assert_int_equal(s.findings.count, 2);
  assert_float_equal(f->predictions[1].share, 0.5, 0.01);
  assert_float_equal(scene_find(&s.findings, big)->predictions[1].share, 0.5, 0.01);
  scene_close(&s);
}

TEST(instances_of_a_template)
{
  scene_program s = open_scene();
  add_places(s.graph, s.main, "table.h", 0, 120, true, scene_square);
  judge_scene(&s);
  const sc_finding *f = find_spread(&s.findings);
  assert_non_null(f);
  assert_string_equal(f->spread->title, "120 instances of table.h:7");
  assert_non_null(strstr(f->advice, "template"));
  scene_close(&s);
}

/* One place under many callers is one place: its own finding, with a site for each. */
TEST(one_place_under_many_callers)
{
  scene_program s = open_scene();
  for (size_t i = 0; i < 150; i++) {
    char name[32];
    snprintf(name, sizeof name, "caller%zu", i);
    uint32_t caller = scene_function(s.graph, s.main, name, scene_one, 0);
    scene_loop(s.graph, scene_function(s.graph, caller, "search", scene_one, 0), "search", 5, scene_square, 0);
  }
  judge_scene(&s);
  assert_int_equal(s.findings.count, 1);
  assert_null(s.findings.list[0].spread);
  assert_int_equal(s.findings.list[0].site_count, 150);
  scene_close(&s);
}

/* At the edge of 5%: `linear` n beside 20 squares of n at 160,000. */
static void judge_at_edge(size_t places, bool expected)
{
  scene_program s = open_scene();
  static const double target = 160000;
  uint32_t read = scene_loop(s.graph, s.main, "read", 3, scene_one, 0);
  for (size_t i = 0; i < 5; i++) /* the loop makes 1,000 times the executions of a square at the target */
    assert_int_equal(sc_graph_add(s.graph, i, read, SC_METRIC_COUNT, 1000 * target * SIZES[i] - 1), 0);
  add_places(s.graph, s.main, "many.c", 0, places, false, scene_square);
  s.analysis = scene_analyse(s.graph, &target, 1);
  s.findings = scene_infer(s.analysis);
  const sc_finding *f = find_spread(&s.findings);
  assert_true((f != NULL) == expected);
  scene_close(&s);
}

TEST(edge_of_the_share)
{
  judge_at_edge(51, false); /* 51 / 1,051 = 4.9 % */
  judge_at_edge(54, true);  /* 54 / 1,054 = 5.1 % */
}

/* What no rule may name is still no reason to claim that nothing grows. */
/* What no rule may name is still no reason to claim that nothing grows. */
TEST(an_unexplained_total)
{
  scene_program s = open_scene();
  uint32_t read = scene_loop(s.graph, s.main, "main", 3, scene_n, 0);
  uint32_t rare = scene_function(s.graph, read, "rare", rare_square, 0);
  scene_loop(s.graph, rare, "rare", 9, rare_work, 0);
  judge_scene(&s);
  assert_int_equal(scene_superlinear(&s.findings), 0);
  assert_float_equal(s.findings.unexplained, 2, 0.1);
  scene_close(&s);
  s = open_scene();
  scene_loop(s.graph, s.main, "read", 3, twenty_thousand_n, 0);
  judge_scene(&s);
  assert_true(s.findings.unexplained == 0);
  scene_close(&s);
}

/* Nor is a power that scattered counts happen to look like a reason to claim that something does. */
TEST(a_total_that_may_not_grow)
{
  scene_program s = open_scene();
  sc_interval total;
  uint32_t read = scene_loop(s.graph, s.main, "read", 3, twenty_thousand_n, 0);
  scene_function(s.graph, read, "rare", scattered, 0);
  judge_scene(&s);
  assert_int_equal(sc_analysis_total(s.analysis, TARGETS[1], &total), 0);
  assert_true(total.value > 100 * twenty_thousand_n(TARGETS[1]) && total.low < 2 * twenty_thousand_n(TARGETS[1]));
  assert_int_equal(scene_superlinear(&s.findings), 0);
  assert_true(s.findings.unexplained == 0);
  scene_close(&s);
}
