/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "transitions_scene.h"

static const double SIZES[] = {100, 200, 400, 800, 1600};
static const double TARGETS[] = {16000, 160000};
#define NEW_SCENE(event) scene_new(SIZES, 5, event)
#define ANALYSE(graph)   scene_analyse(graph, TARGETS, 2)

/* With everything reported, however small. */
static sc_analysis *analyse_all(const sc_graph *graph, enum sc_fit_engine engine)
{
  sc_analysis_options options = {
      .fit = {engine, 0.9}, .targets = TARGETS, .target_count = 2, .level = 0.95, .negligible = -1};
  sc_analysis *analysis;
  assert_int_equal(sc_analysis_new(graph, &options, &analysis), 0);
  return analysis;
}

static double linear_plus(double n) { return 3 * n + 5; }
static double ten_n(double n) { return 10 * n; }
static double hundred(double n) { return n > 0 ? 100 : 0; }
static double hundred_n(double n) { return 100 * n; }
static double cube(double n) { return n * n * n; }
static double power_three_halves(double n) { return floor(pow(n, 1.5)); }
static double eighth(double n) { return floor(n * n / 1000); }
static double few(double n) { return floor(n / 200); }
static double million_n(double n) { return 1e6 * n; }
static double two_n(double n) { return 2 * n - 1; }
static double log_n(double n) { return floor(20 * log2(n)); }

/* delta-infer section 3: the status bar is refreshed once per item by the list view (foreign), and each time all items
 * are scanned. */
TEST(file_manager)
{
  static const double sizes[] = {50, 100, 200}, targets[] = {500, 5000};
  sc_graph *graph = scene_new(sizes, 3, "task-clock");
  uint32_t main = scene_main(graph);
  uint32_t fill = scene_loop(graph, main, "main", 10, scene_n, 1e-5);
  uint32_t view = scene_foreign(graph, main, "list_view_deselect");
  uint32_t refresh = scene_function(graph, view, "on_refresh_status_bar", scene_n, 2e-3);
  uint32_t operated = scene_function(graph, refresh, "get_operated_items", scene_n, 1e-6);
  uint32_t selected = scene_function(graph, operated, "get_selected_items", scene_n, 1e-6);
  uint32_t scan = scene_loop(graph, selected, "get_selected_items", 11, scene_square, 1e-6);
  sc_analysis *analysis = scene_analyse(graph, targets, 2);
  sc_findings findings = scene_infer(analysis);
  const sc_finding *pb1 = scene_find(&findings, refresh), *pb2 = scene_find(&findings, scan);
  assert_non_null(pb1);
  assert_non_null(pb2);
  assert_ptr_equal(pb2, &findings.list[0]);
  assert_ptr_equal(pb1, &findings.list[1]);
  assert_int_equal(pb1->rule, SC_RULE_IMPLICIT_LOOP);
  assert_int_equal(pb1->kind, SC_FINDING_IMPLICIT);
  assert_false(pb1->superlinear);
  assert_int_equal(pb2->rule, SC_RULE_SUPERLINEAR_LOOP);
  assert_true(pb2->superlinear);
  assert_int_equal(pb2->to.integer, 2);
  assert_non_null(strstr(pb1->advice, "list_view_deselect"));
  /* costs are apart: PB1 carries the functions, PB2 the loop alone */
  assert_int_equal(pb1->member_count, 4);
  assert_true(scene_has_member(pb1, operated) && scene_has_member(pb1, selected) && !scene_has_member(pb1, scan));
  assert_int_equal(pb2->member_count, 1);
  assert_float_equal(pb1->predictions[1].cost.value, 5000 * 2.002e-3, 0.02);
  assert_float_equal(pb2->predictions[1].cost.value, 25e6 * 1e-6, 0.05);
  assert_float_equal(pb2->predictions[1].count.value, 25e6, 1);
  assert_float_equal(pb2->predictions[1].share, 25 / (25 + 10.01 + 0.05), 1e-3);
  /* 1e-6 n^2 = half of it and 2.012e-3 n */
  assert_float_equal(pb2->emergence, 2012, 5);
  assert_null(scene_find(&findings, fill)); /* 0.1 % of the cost, 0.02 % of the executions */
  assert_int_equal(findings.suppressed, 1);
  scene_end(graph, analysis, &findings);
}

/* Benign twin: the same program that refreshes once. */
TEST(linear_program)
{
  sc_graph *graph = NEW_SCENE("task-clock");
  uint32_t main = scene_main(graph);
  uint32_t read = scene_loop(graph, main, "read_items", 5, scene_n, 1e-5);
  uint32_t parse = scene_function(graph, read, "parse", scene_n, 1e-6);
  uint32_t digits = scene_loop(graph, parse, "parse", 8, ten_n, 1e-7);
  uint32_t scan = scene_loop(graph, main, "scan", 20, linear_plus, 1e-6);
  scene_loop(graph, main, "setup", 30, hundred, 1e-4);
  sc_analysis *analysis = ANALYSE(graph);
  sc_findings findings = scene_infer(analysis);
  assert_int_equal(scene_superlinear(&findings), 0);
  assert_int_equal(findings.count, 2);
  for (size_t i = 0; i < findings.count; i++) {
    assert_int_equal(findings.list[i].rule, SC_RULE_LINEAR_TRANSITION);
    assert_int_equal(findings.list[i].severity, SC_SEVERITY_NOTE);
  }
  assert_ptr_equal(scene_find(&findings, read), &findings.list[0]);
  assert_non_null(scene_find(&findings, scan));
  assert_true(scene_has_member(&findings.list[0], digits)); /* ten digits an item: inherits the order */
  scene_end(graph, analysis, &findings);
}

/* Counts that wander without growing, and counts too small to mean anything. */
TEST(noise)
{
  static const double wander[] = {1041, 987, 1013, 958, 1022};
  sc_graph *graph = NEW_SCENE("");
  uint32_t main = scene_main(graph);
  uint32_t poll = scene_loop(graph, main, "poll", 3, hundred, 0);
  scene_loop(graph, main, "retry", 9, few, 0);
  for (size_t i = 0; i < 5; i++)
    assert_int_equal(sc_graph_add(graph, i, poll, SC_METRIC_COUNT, wander[i]), 0);
  sc_analysis *analysis = ANALYSE(graph);
  sc_findings findings = scene_infer(analysis);
  assert_int_equal(findings.count, 0);
  assert_string_equal(sc_analysis_cost_unit(analysis), "iterations");
  scene_end(graph, analysis, &findings);
}

TEST(sort_callback)
{
  sc_graph *graph = NEW_SCENE("task-clock");
  uint32_t main = scene_main(graph);
  uint32_t sort = scene_foreign(graph, main, "qsort");
  uint32_t compare = scene_function(graph, sort, "compare_items", scene_sorting, 1e-6);
  for (size_t i = 0; i < 5; i++) /* qsort's own time */
    assert_int_equal(sc_graph_add(graph, i, sort, SC_METRIC_COST, scene_sorting(SIZES[i]) * 1e-6), 0);
  sc_analysis *analysis = ANALYSE(graph);
  sc_findings findings = scene_infer(analysis);
  assert_int_equal(findings.count, 1);
  const sc_finding *f = &findings.list[0];
  assert_int_equal(f->context, compare);
  assert_int_equal(f->parent, sort);
  assert_int_equal(f->kind, SC_FINDING_IMPLICIT);
  assert_int_equal(f->rule, SC_RULE_IMPLICIT_LOOP);
  assert_false(f->superlinear); /* n log n */
  assert_int_equal(f->to.integer, 1);
  assert_float_equal(f->to.log_exponent, 1, 0.01);
  assert_non_null(strstr(f->advice, "qsort calls compare_items back"));
  assert_true(scene_has_member(f, sort));
  assert_float_equal(f->predictions[0].share, 1, 0.01);
  scene_end(graph, analysis, &findings);
}

/* The same loop is quadratic under one caller and linear under the other. */
TEST(two_contexts)
{
  sc_graph *graph = NEW_SCENE("task-clock");
  uint32_t main = scene_main(graph);
  uint32_t once = scene_function(graph, main, "load", scene_one, 1e-6);
  uint32_t benign = scene_loop(graph, scene_function(graph, once, "find", scene_one, 0), "find", 7, scene_n, 1e-6);
  uint32_t each = scene_loop(graph, main, "main", 30, scene_n, 1e-6);
  uint32_t bad = scene_loop(graph, scene_function(graph, each, "find", scene_n, 0), "find", 7, scene_triangle, 1e-6);
  sc_analysis *analysis = ANALYSE(graph);
  sc_findings findings = scene_infer(analysis);
  const sc_finding *f = &findings.list[0];
  assert_true(findings.count >= 1);
  assert_int_equal(f->context, bad);
  assert_int_equal(f->rule, SC_RULE_SUPERLINEAR_LOOP);
  assert_int_equal(f->severity, SC_SEVERITY_ERROR);
  assert_int_equal(f->site_count, 2);
  assert_int_equal(f->sites[0].context, bad);
  assert_int_equal(f->sites[1].context, benign);
  assert_int_equal(f->sites[1].to->integer, 1);
  assert_true(f->sites[1].share < 0.001);
  assert_null(scene_find(&findings, benign));
  assert_true(f->model.exact);
  assert_float_equal(f->predictions[0].count.value, scene_triangle(16000), 0.5);
  assert_float_equal(f->predictions[1].count.value, scene_triangle(160000), 10);
  assert_string_equal(f->evidence, "Iterations at n = 100: 4,950; n = 200: 19,900; n = 400: 79,800; n = 800: 319,600; "
                                   "n = 1,600: 1,279,200. The model reproduces every one of them exactly.");
  scene_end(graph, analysis, &findings);
}

/* C++ names are shortened to what tells them apart, and nothing in a name reaches the terminal as a command. */
TEST(names_in_advice)
{
  static const struct {
    const char *display, *advice;
  } cases[] = {{"panel::changed(void*, int (*)(int)) const", "qsort calls panel::changed back"},
               {"less::operator()(item const&)", "qsort calls less::operator() back"},
               {"less::operator()", "qsort calls less::operator() back"},
               {"(anonymous namespace)::f()", "qsort calls (anonymous namespace)::f back"},
               {"plain", "qsort calls plain back"},
               {"\x1b[2Jf", "qsort calls ?[2Jf back"},
               {")", "qsort calls ) back"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sc_graph *graph = NEW_SCENE("");
    sc_location location = {
        .kind = SC_LOCATION_FUNCTION, .name = "linkage", .display = cases[i].display, .file = "scene.c"};
    uint32_t sort = scene_foreign(graph, scene_main(graph), "qsort");
    scene_fill(graph, scene_context(graph, sort, &location), scene_n, 0);
    sc_analysis *analysis = ANALYSE(graph);
    sc_findings findings = scene_infer(analysis);
    assert_int_equal(findings.count, 1);
    if (strncmp(findings.list[0].advice, cases[i].advice, strlen(cases[i].advice)) != 0)
      fail_msg("%s, not %s", findings.list[0].advice, cases[i].advice);
    scene_end(graph, analysis, &findings);
  }
}

TEST(recursion)
{
  sc_graph *graph = NEW_SCENE("");
  uint32_t main = scene_main(graph);
  sc_location location = {.kind = SC_LOCATION_FUNCTION, .name = "walk", .file = "scene.c", .recursive = true};
  uint32_t walk = scene_context(graph, main, &location);
  scene_fill(graph, walk, two_n, 0);
  uint32_t children = scene_loop(graph, walk, "walk", 4, scene_n, 0);
  for (size_t i = 0; i < 5; i++)
    assert_int_equal(sc_graph_add(graph, i, walk, SC_METRIC_DEPTH, SIZES[i]), 0);
  sc_analysis *analysis = ANALYSE(graph);
  sc_findings findings = scene_infer(analysis);
  assert_int_equal(findings.count, 1);
  assert_int_equal(findings.list[0].context, walk);
  assert_int_equal(findings.list[0].kind, SC_FINDING_RECURSION);
  assert_int_equal(findings.list[0].rule, SC_RULE_RECURSION);
  assert_true(scene_has_member(&findings.list[0], children));
  assert_non_null(strstr(findings.list[0].evidence, "1,600 levels"));
  assert_non_null(strstr(findings.list[0].advice, "deeper"));
  scene_end(graph, analysis, &findings);
}

/* Three nested loops with calls between: one finding each, nothing twice, and the costs add up. */
TEST(nested_once_each)
{
  sc_graph *graph = NEW_SCENE("");
  uint32_t main = scene_main(graph);
  uint32_t outer = scene_loop(graph, main, "main", 3, scene_n, 0);
  uint32_t f = scene_function(graph, outer, "f", scene_n, 0);
  uint32_t middle = scene_loop(graph, f, "f", 13, scene_square, 0);
  uint32_t g = scene_function(graph, middle, "g", scene_triangle, 0);
  uint32_t fixed = scene_loop(graph, g, "g", 20, scene_square, 0);
  uint32_t inner = scene_loop(graph, g, "g", 23, cube, 0);
  sc_analysis *analysis = analyse_all(graph, SC_FIT_DEFAULT);
  sc_findings findings = scene_infer(analysis);
  assert_int_equal(findings.count, 3);
  assert_int_equal(findings.list[0].context, inner);
  assert_int_equal(findings.list[1].context, middle);
  assert_int_equal(findings.list[2].context, outer);
  assert_true(scene_has_member(&findings.list[1], g) && scene_has_member(&findings.list[1], fixed));
  assert_true(scene_has_member(&findings.list[2], f));
  double shares = 0;
  for (size_t i = 0; i < 3; i++)
    shares += findings.list[i].predictions[0].share;
  assert_float_equal(shares, 1, 1e-6);
  scene_end(graph, analysis, &findings);
}

/* A call made once inside a linear loop is no part of what the loop carries; a function called a few times from a loop
 * body is no implicit loop. */
TEST(calls_are_no_loops)
{
  sc_graph *graph = NEW_SCENE("");
  uint32_t main = scene_main(graph);
  uint32_t loop = scene_loop(graph, main, "main", 3, scene_n, 0);
  uint32_t first = scene_function(graph, loop, "first_time", scene_one, 0);
  scene_loop(graph, first, "first_time", 9, hundred, 0);
  uint32_t emit = scene_function(graph, loop, "emit", linear_plus, 0);
  uint32_t often =
      scene_function(graph, loop, "more_and_more_often", eighth, 0); /* at most 1.6 times in an iteration */
  scene_loop(graph, often, "more_and_more_often", 9, eighth, 0);
  sc_analysis *analysis = ANALYSE(graph);
  sc_findings findings = scene_infer(analysis);
  assert_int_equal(findings.count, 1);
  assert_int_equal(findings.list[0].context, loop);
  assert_true(scene_has_member(&findings.list[0], emit));
  assert_false(scene_has_member(&findings.list[0], first));
  scene_end(graph, analysis, &findings);
}

/* The call in `i < size()` is made n + 1 times; where it is seen beside the loop, it is still no callback. */
TEST(loop_condition)
{
  sc_graph *graph = NEW_SCENE("");
  uint32_t main = scene_main(graph);
  uint32_t loop = scene_loop(graph, main, "main", 3, scene_n, 0);
  uint32_t size = scene_function(graph, main, "size", scene_n, 0);
  scene_fill(graph, size, scene_one, 0);
  sc_analysis *analysis = ANALYSE(graph);
  sc_findings findings = scene_infer(analysis);
  assert_int_equal(findings.count, 1);
  assert_int_equal(findings.list[0].context, loop);
  assert_true(scene_has_member(&findings.list[0], size));
  scene_end(graph, analysis, &findings);
}

/* Without a loop or a foreign function in sight, a function that runs once per item is an implicit loop too. */
TEST(callback_without_name)
{
  sc_graph *graph = NEW_SCENE("");
  uint32_t main = scene_main(graph);
  uint32_t handler = scene_function(graph, main, "on_event", scene_n, 0);
  uint32_t thread = scene_function(graph, sc_graph_parent(graph, main), "worker", scene_n, 0);
  sc_analysis *analysis = ANALYSE(graph);
  sc_findings findings = scene_infer(analysis);
  assert_int_equal(findings.count, 2);
  assert_int_equal(scene_find(&findings, handler)->kind, SC_FINDING_IMPLICIT);
  assert_int_equal(scene_find(&findings, thread)->kind, SC_FINDING_IMPLICIT);
  scene_end(graph, analysis, &findings);
}

TEST(fractions_and_logs)
{
  sc_graph *graph = NEW_SCENE("");
  uint32_t main = scene_main(graph);
  uint32_t outer = scene_loop(graph, main, "main", 3, scene_n, 0);
  uint32_t slow = scene_loop(graph, outer, "slow", 5, power_three_halves, 0);
  uint32_t tree = scene_loop(graph, outer, "tree", 15, scene_sorting, 0);
  scene_loop(graph, main, "search", 25, log_n, 0);
  sc_analysis *analysis = ANALYSE(graph);
  sc_findings findings = scene_infer(analysis);
  const sc_finding *f = scene_find(&findings, slow);
  assert_non_null(f);
  assert_int_equal(f->rule, SC_RULE_SUPERLINEAR_LOOP);
  assert_float_equal(f->to.exponent, 1.5, 0.05);
  assert_null(scene_find(&findings, tree)); /* under 10 % of the executions beside n^1.5 at 160,000 */
  assert_true(scene_has_member(scene_find(&findings, outer), tree));
  scene_end(graph, analysis, &findings);
}

/* Where a log factor of linear growth is most of what happens it is reported, but not as superlinear. */
TEST(log_factor)
{
  sc_graph *graph = NEW_SCENE("");
  uint32_t main = scene_main(graph);
  uint32_t outer = scene_loop(graph, main, "main", 3, scene_n, 0);
  uint32_t tree = scene_loop(graph, outer, "tree", 15, scene_sorting, 0);
  sc_analysis *analysis = ANALYSE(graph);
  sc_findings findings = scene_infer(analysis);
  const sc_finding *f = scene_find(&findings, tree);
  assert_non_null(f);
  assert_int_equal(f->rule, SC_RULE_LOG_FACTOR);
  assert_int_equal(f->severity, SC_SEVERITY_NOTE);
  assert_int_equal(scene_superlinear(&findings), 0);
  assert_non_null(scene_find(&findings, outer));
  scene_end(graph, analysis, &findings);
}

static double square_log_n(double n) { return n * scene_sorting(n); }

/* On top of squares a log factor is no linear growth: n^2 log n is superlinear, and its cost is the finding's. */
TEST(log_factor_on_squares)
{
  sc_graph *graph = NEW_SCENE("");
  uint32_t main = scene_main(graph);
  uint32_t outer = scene_loop(graph, main, "main", 3, scene_n, 0);
  uint32_t square = scene_loop(graph, outer, "rows", 9, scene_square, 0);
  uint32_t tree = scene_loop(graph, square, "tree", 15, square_log_n, 0);
  sc_analysis *analysis = ANALYSE(graph);
  sc_findings findings = scene_infer(analysis);
  const sc_finding *f = scene_find(&findings, tree);
  assert_non_null(f);
  assert_int_equal(f->rule, SC_RULE_LOG_FACTOR);
  assert_true(f->superlinear && !f->linear);
  assert_int_not_equal(f->severity, SC_SEVERITY_NOTE);
  scene_end(graph, analysis, &findings);
}

/* A superlinear finding stands before linear growth, whatever that costs. */
TEST(ranking)
{
  static const double targets[] = {16000};
  static const double linear_cost[] = {20e-3, 200e-3};
  for (int dominates = 0; dominates < 2; dominates++) {
    sc_graph *graph = NEW_SCENE("task-clock");
    uint32_t main = scene_main(graph);
    uint32_t linear[3];
    for (uint32_t i = 0; i < 3; i++) /* 37 % together, or one with 83 % */
      linear[i] = scene_loop(graph, main, "linear", 3 + i, scene_n, i == 0 ? linear_cost[dominates] : 10e-3);
    uint32_t pairs = scene_loop(graph, linear[2], "pairs", 13, scene_square, 1e-6);
    scene_loop(graph, linear[2], "cheap", 15, million_n, 0); /* most of the executions */
    sc_analysis *analysis = scene_analyse(graph, targets, 1);
    sc_findings findings = scene_infer(analysis);
    assert_int_equal(findings.count, 4);
    assert_int_equal(findings.linear, 3);
    assert_int_equal(findings.list[0].context, pairs);
    assert_int_equal(findings.list[1].context, linear[0]);
    assert_true(!findings.list[0].linear && findings.list[1].linear && findings.list[3].linear);
    scene_end(graph, analysis, &findings);
  }
}

/* What the node budget cut off has no known callers: only what rises inside it can be judged. */
TEST(truncated)
{
  sc_graph *graph = NEW_SCENE("");
  scene_main(graph);
  uint32_t cut = scene_context(graph, 0, &(sc_location){.kind = SC_LOCATION_TRUNCATED, .name = "", .file = ""});
  uint32_t f = scene_function(graph, cut, "f", scene_n, 0);
  uint32_t loop = scene_loop(graph, f, "f", 3, scene_square, 0);
  sc_analysis *analysis = analyse_all(graph, SC_FIT_DEFAULT);
  sc_findings findings = scene_infer(analysis);
  assert_int_equal(findings.count, 1);
  assert_int_equal(findings.list[0].context, loop);
  scene_end(graph, analysis, &findings);
}

/* The paper's own procedure: integer orders, linear and power law alone. */
TEST(paper_engine)
{
  sc_graph *graph = NEW_SCENE("");
  uint32_t main = scene_main(graph);
  uint32_t outer = scene_loop(graph, main, "main", 3, scene_n, 0);
  uint32_t inner = scene_loop(graph, outer, "main", 4, scene_triangle, 0);
  uint32_t more = scene_function(graph, outer, "more", hundred_n, 0);
  sc_analysis *analysis = analyse_all(graph, SC_FIT_DELTA_INFER);
  sc_findings findings = scene_infer(analysis);
  assert_int_equal(findings.count, 2);
  assert_int_equal(findings.list[0].context, inner);
  assert_int_equal(findings.list[1].context, outer);
  assert_true(scene_has_member(&findings.list[1], more));
  scene_end(graph, analysis, &findings);
}

/* Among the contexts of one loop the one that grows fastest leads, even where another still costs more. */
TEST(worst_context_first)
{
  static const double targets[] = {16000};
  sc_graph *graph = NEW_SCENE("task-clock");
  uint32_t main = scene_main(graph);
  uint32_t costly = scene_loop(graph, scene_function(graph, main, "find", scene_one, 0), "find", 7, scene_n, 0.1);
  uint32_t each = scene_loop(graph, main, "main", 30, scene_n, 1e-6);
  uint32_t bad = scene_loop(graph, scene_function(graph, each, "find", scene_n, 0), "find", 7, scene_square, 1e-6);
  sc_analysis *analysis = scene_analyse(graph, targets, 1);
  sc_findings findings = scene_infer(analysis);
  const sc_finding *f = &findings.list[0];
  assert_int_equal(findings.count, 1);
  assert_int_equal(f->context, bad);
  assert_int_equal(f->sites[1].context, costly);
  assert_float_equal(f->sites[1].cost, 1600, 1);
  assert_float_equal(f->predictions[0].cost.value, 1600 + 256, 2); /* of both */
  assert_float_equal(f->predictions[0].count.value, 256e6, 1);     /* of the worst */
  scene_end(graph, analysis, &findings);
}

/* Logarithmic growth is not a finding, and the evidence shows where growth starts and where it has got to. */
TEST(logarithm_alone)
{
  static const double sizes[] = {10, 20, 40, 80, 160, 320, 640, 1280};
  sc_graph *graph = scene_new(sizes, 8, "");
  uint32_t main = scene_main(graph);
  scene_loop(graph, main, "search", 25, log_n, 0);
  sc_analysis *analysis = ANALYSE(graph);
  sc_findings findings = scene_infer(analysis);
  assert_int_equal(findings.count, 0);
  sc_findings_free(&findings);
  sc_analysis_free(analysis);
  scene_loop(graph, main, "main", 3, ten_n, 0);
  analysis = ANALYSE(graph);
  findings = scene_infer(analysis);
  assert_int_equal(findings.count, 1);
  assert_string_equal(findings.list[0].evidence,
                      "Iterations at n = 10: 100; n = 20: 200; ...; n = 160: 1,600; n = 320: 3,200; n = 640: 6,400; "
                      "n = 1,280: 12,800. The model reproduces every one of them exactly.");
  scene_end(graph, analysis, &findings);
}

static sc_findings judge(sc_graph *graph, double budget, double *emergence)
{
  sc_analysis_options options = {
      .fit = SC_FIT_OPTIONS_DEFAULT, .targets = TARGETS, .target_count = 2, .level = 0.95, .time_budget = budget};
  sc_analysis *analysis;
  assert_int_equal(sc_analysis_new(graph, &options, &analysis), 0);
  sc_findings findings = scene_infer(analysis);
  assert_true(findings.count > 0);
  *emergence = findings.list[0].emergence;
  sc_analysis_free(analysis);
  return findings;
}

/* Emergence: half of the total, or the budget, from the start, later, or never. */
TEST(emergence_and_severity)
{
  double emergence;
  sc_graph *graph = NEW_SCENE("task-clock");
  uint32_t main = scene_main(graph);
  scene_loop(graph, main, "main", 3, scene_n, 1e-4);
  sc_findings findings = judge(graph, 0, &emergence); /* all there is */
  assert_float_equal(emergence, 100, 0);
  assert_int_equal(findings.list[0].severity, SC_SEVERITY_NOTE);
  sc_findings_free(&findings);
  findings = judge(graph, 1, &emergence); /* 1 s at 10,000: over budget at both targets, though linear */
  assert_float_equal(emergence, 10000, 1);
  assert_int_equal(findings.list[0].severity, SC_SEVERITY_ERROR);
  sc_findings_free(&findings);
  findings = judge(graph, 100, &emergence); /* not within the targets */
  assert_float_equal(emergence, 1e6, 100);
  assert_int_equal(findings.list[0].severity, SC_SEVERITY_NOTE);
  sc_findings_free(&findings);
  uint32_t hundred_loop = scene_loop(graph, main, "main", 9, hundred, 1e-2);
  findings = judge(graph, 0, &emergence); /* 1e-4 n takes half of the total when it reaches the constant 1 s */
  assert_int_not_equal(findings.list[0].context, hundred_loop);
  assert_float_equal(emergence, 10000, 1);
  sc_findings_free(&findings);
  sc_graph_free(graph);
}
