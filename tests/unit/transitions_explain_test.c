/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What evidence and advice say, word for word, of findings that are put together by hand. */
#include "unit.h"

#include <stdlib.h>

#include "transitions/findings/explain.h"
#include "transitions_scene.h"

static const double six[] = {100, 200, 400, 800, 1600, 3200}, seven[] = {100, 200, 400, 800, 1600, 3200, 6400};

/* main > loop, main > qsort > compare, main > walk (recursive), main > twice > walk again. */
typedef struct scene {
  sc_graph *graph;
  sc_analysis *analysis;
  uint32_t process, main, loop, sort, compare, walk;
  sc_finding_prediction predictions[1];
} scene;

static scene open_scene(const double *sizes, size_t count, const char *event, double each)
{
  scene s = {.graph = scene_new(sizes, count, event)};
  s.main = scene_main(s.graph);
  s.process = sc_graph_parent(s.graph, s.main);
  s.loop = scene_loop(s.graph, s.main, "main", 10, scene_square, each);
  s.sort = scene_foreign(s.graph, s.main, "qsort");
  s.compare = scene_function(s.graph, s.sort, "compare", scene_sorting, each);
  s.walk = scene_function(s.graph, s.main, "walk", scene_n, each);
  s.analysis = scene_analyse(s.graph, NULL, 0);
  return s;
}

static void close_scene(scene *s)
{
  sc_analysis_free(s->analysis);
  sc_graph_free(s->graph);
}

static sc_finding finding_at(scene *s, enum sc_rule rule, enum sc_finding_kind kind, uint32_t context)
{
  return (sc_finding){.rule = rule,
                      .kind = kind,
                      .context = context,
                      .parent = sc_graph_parent(s->graph, context),
                      .to = {2, 0, 2},
                      .predictions = s->predictions};
}

static void expect_evidence(const scene *s, const sc_finding *f, const char *expected)
{
  sc_buf text = {0};
  sc_explain_evidence(s->analysis, f, &text);
  scene_says(&text, expected);
}

/* `remedy`: how it ends, and what is returned. */
static void expect_advice(const scene *s, const sc_finding *f, const char *expected, const char *remedy)
{
  sc_buf text = {0};
  const char *returned = sc_explain_advice(s->analysis, f, &text);
  assert_int_equal(sc_buf_finish(&text), 0);
  assert_true(strncmp(returned, remedy, strlen(remedy)) == 0);
  size_t length = text.length - strlen(returned);
  assert_string_equal(text.text + length, returned);
  if (length)
    text.text[length - 1] = '\0'; /* the blank between them */
  assert_string_equal(length ? text.text : "", expected);
  sc_buf_free(&text);
}

TEST(evidence_has_six_sizes)
{
  scene s = open_scene(six, COUNT(six), "", 0);
  sc_finding f = finding_at(&s, SC_RULE_SUPERLINEAR_LOOP, SC_FINDING_LOOP, s.loop);
  expect_evidence(&s, &f,
                  "Iterations at n = 100: 10,000; n = 200: 40,000; n = 400: 160,000; n = 800: 640,000; n = 1,600: "
                  "2,560,000; n = 3,200: 10,240,000.");
  f.model.exact = true;
  f.context = s.walk;
  expect_evidence(
      &s, &f,
      "Calls at n = 100: 100; n = 200: 200; n = 400: 400; n = 800: 800; n = 1,600: 1,600; n = 3,200: 3,200. "
      "The model reproduces every one of them exactly.");
  close_scene(&s);
  s = open_scene(seven, COUNT(seven), "", 0);
  f = finding_at(&s, SC_RULE_SUPERLINEAR_LOOP, SC_FINDING_LOOP, s.walk);
  expect_evidence(&s, &f,
                  "Calls at n = 100: 100; n = 200: 200; ...; n = 800: 800; n = 1,600: 1,600; n = 3,200: 3,200; n = "
                  "6,400: 6,400.");
  close_scene(&s);
}

/* 3 and 6 of two runs are 4.5; costs are those of one execution, over all runs of a size. */
TEST(evidence_of_repeats_and_costs)
{
  static const double twice[] = {10, 10, 20, 40};
  scene s = {.graph = scene_new(twice, COUNT(twice), "task-clock")};
  s.main = scene_main(s.graph);
  s.loop = scene_loop(s.graph, s.main, "main", 10, scene_one, 0);
  s.walk = scene_function(s.graph, s.main, "walk", scene_one, 0);
  static const double counts[] = {3, 6, 8, 10}, costs[] = {0.006, 0.003, 0.016, 1};
  for (size_t i = 0; i < COUNT(twice); i++)
    for (int walk = 0; walk < 2; walk++) {
      assert_int_equal(sc_graph_add(s.graph, i, walk ? s.walk : s.loop, SC_METRIC_COUNT, counts[i] - 1), 0);
      assert_int_equal(sc_graph_add(s.graph, i, walk ? s.walk : s.loop, SC_METRIC_COST, costs[i]), 0);
    }
  s.analysis = scene_analyse(s.graph, NULL, 0);
  sc_finding f = finding_at(&s, SC_RULE_SUPERLINEAR_LOOP, SC_FINDING_LOOP, s.loop);
  expect_evidence(&s, &f, "Iterations at n = 10: 4.5; n = 20: 8; n = 40: 10.");
  f.has_cost_model = true;
  expect_evidence(&s, &f, "Own cost of one iteration at n = 10: 1 ms; n = 20: 2 ms; n = 40: 100 ms.");
  f.context = s.walk;
  expect_evidence(&s, &f, "Own cost of one call at n = 10: 1 ms; n = 20: 2 ms; n = 40: 100 ms.");
  close_scene(&s);
}

TEST(evidence_of_recursion_and_waiting)
{
  static const double sizes[] = {10, 20, 40, 40};
  static const struct {
    double depth[4];
    const char *text;
  } cases[] = {{{9, 9, 3, 5}, " Deepest recursion at the largest size: 5 levels."},
               {{9, 9, 1, 1}, " Deepest recursion at the largest size: 1 level."},
               {{9, 9, 0, 0}, ""}};
  for (size_t c = 0; c < COUNT(cases); c++) {
    char expected[200];
    scene s = open_scene(sizes, COUNT(sizes), "", 0);
    for (size_t i = 0; i < COUNT(sizes); i++)
      assert_int_equal(sc_graph_add(s.graph, i, s.walk, SC_METRIC_DEPTH, cases[c].depth[i]), 0);
    sc_finding f = finding_at(&s, SC_RULE_RECURSION, SC_FINDING_RECURSION, s.walk);
    snprintf(expected, sizeof expected, "Calls at n = 10: 10; n = 20: 20; n = 40: 40.%s", cases[c].text);
    expect_evidence(&s, &f, expected);
    f.kind = SC_FINDING_LOOP; /* has none */
    expect_evidence(&s, &f, "Calls at n = 10: 10; n = 20: 20; n = 40: 40.");
    s.predictions[0] = (sc_finding_prediction){.n = 5000, .waiting = 1234.5, .waiting_share = 0.049};
    expect_evidence(&s, &f, "Calls at n = 10: 10; n = 20: 20; n = 40: 40.");
    s.predictions[0] = (sc_finding_prediction){.n = 5000, .waiting = 0.0049, .waiting_share = 0.5}; /* of 9.8 ms */
    expect_evidence(&s, &f, "Calls at n = 10: 10; n = 20: 20; n = 40: 40.");
    s.predictions[0].waiting = 0.005;
    assert_true(sc_explain_waits(&s.predictions[0]));
    s.predictions[0] = (sc_finding_prediction){.n = 5000, .waiting = 1234.5, .waiting_share = 0.05};
    expect_evidence(&s, &f,
                    "Calls at n = 10: 10; n = 20: 20; n = 40: 40. At n = 5,000 calls in it wait 1,234 s: 5% of the "
                    "elapsed time.");
    close_scene(&s);
  }
}

TEST(advice_about_loops)
{
  static const struct {
    sc_order from, to;
    const char *text, *remedy;
  } cases[] = {
      {{0}, {2, 0, 2}, "One pass of this loop in main already makes n^2 iterations.", "Check what bounds it"},
      {{0.39, 0, 0}, {2, 0, 2}, "One pass of this loop in main already makes n^2 iterations.", "Check what bounds it"},
      {{0.4, 0, 0},
       {2, 0, 2},
       "main gets here about n^0.4 times, and each time this loop makes about n^1.6 steps.",
       "Replace the walk"},
      {{0, 1, 0},
       {2, 0, 2},
       "main gets here about log n times, and each time this loop makes almost n^2 steps.",
       "Replace the walk"},
      {{1, 0, 1},
       {2, 0, 2},
       "main gets here about n times, and each time this loop makes about n steps.",
       "Replace the walk"},
      {{1, 1, 1},
       {2.04, 0, 2},
       "main gets here about n log n times, and each time this loop makes almost n steps.",
       "Replace the walk"},
      {{1, 0, 1},
       {2.06, 1, 2},
       "main gets here about n times, and each time this loop makes about n^1.06 log n steps.",
       "Replace the walk"},
      {{1, 0, 1},
       {SC_ORDER_EXPONENTIAL, 0, SC_ORDER_EXPONENTIAL, 2},
       "main gets here about n times, and each time this loop makes about 2^n steps.",
       "Replace the walk"}};
  scene s = open_scene(six, COUNT(six), "", 0);
  for (size_t i = 0; i < COUNT(cases); i++) {
    sc_finding f = finding_at(&s, SC_RULE_SUPERLINEAR_LOOP, SC_FINDING_LOOP, s.loop);
    f.from = cases[i].from;
    f.to = cases[i].to;
    expect_advice(&s, &f, cases[i].text, cases[i].remedy);
  }
  sc_finding f = finding_at(&s, SC_RULE_EXPONENTIAL, SC_FINDING_LOOP, s.loop);
  f.to.base = 1.618;
  expect_advice(&s, &f, "This loop in main does 1.62 times the work when n grows by 1.", "If it tries all subsets");
  f = finding_at(&s, SC_RULE_EXPONENTIAL, SC_FINDING_RECURSION, s.walk);
  f.to.base = 2;
  expect_advice(&s, &f, "walk does 2 times the work when n grows by 1.", "If the same arguments");
  f = finding_at(&s, SC_RULE_LOG_FACTOR, SC_FINDING_LOOP, s.loop);
  expect_advice(&s, &f, "", "A logarithmic factor");
  f = finding_at(&s, SC_RULE_GROWING_COST, SC_FINDING_IMPLICIT, s.loop);
  expect_advice(&s, &f, "The cost of one iteration grows as n^2, though no loop of the program runs in it.",
                "Look for library or system calls");
  f.from = (sc_order){1, 0, 1};
  f.context = s.walk;
  expect_advice(&s, &f, "The cost of one call grows as n, though no loop of the program runs in it.",
                "Look for library or system calls");
  f = finding_at(&s, SC_RULE_LINEAR_TRANSITION, SC_FINDING_LOOP, s.loop);
  expect_advice(&s, &f, "Linear growth is often intended.", "If the caller must answer at once");
  close_scene(&s);
  s = open_scene(six, COUNT(six), "task-clock", 2e-6);
  f = finding_at(&s, SC_RULE_LINEAR_TRANSITION, SC_FINDING_LOOP, s.loop);
  expect_advice(&s, &f, "Linear growth is often intended. An iteration takes 2 us of its own, without what it calls.",
                "If the caller must answer at once");
  close_scene(&s);
  s = open_scene(six, COUNT(six), "page-faults", 2);
  expect_advice(&s, &f, "Linear growth is often intended.", "If the caller must answer at once");
  close_scene(&s);
}

TEST(advice_about_calls)
{
  scene s = open_scene(six, COUNT(six), "", 0);
  sc_finding f = finding_at(&s, SC_RULE_IMPLICIT_LOOP, SC_FINDING_IMPLICIT, s.compare);
  expect_advice(&s, &f, "qsort calls compare back about n^2 times.", "Gather the notifications");
  f.to = (sc_order){1, 1, 1};
  expect_advice(&s, &f, "qsort calls compare back about n log n times.", "That is what sorting needs");
  f.parent = s.process;
  expect_advice(&s, &f,
                "Code without instrumentation (thread start, signal, event) enters compare about n log n times.",
                "That is what sorting needs");
  f = finding_at(&s, SC_RULE_IMPLICIT_LOOP, SC_FINDING_IMPLICIT, s.walk);
  f.to = (sc_order){1, 0, 1};
  expect_advice(&s, &f, "Without a loop in the program, walk is called under main about n times.",
                "Gather the notifications");
  f = finding_at(&s, SC_RULE_RECURSION, SC_FINDING_RECURSION, s.walk);
  expect_advice(&s, &f,
                "walk calls itself about n^2 times in all. Look for parts that are visited again and again, and "
                "remember their results.",
                "Check that its depth");
  f.to = (sc_order){1, 0, 1};
  expect_advice(&s, &f, "walk calls itself about n times in all.", "Check that its depth");
  for (size_t i = 0; i < COUNT(six); i++) /* as deep everywhere, then one deeper at the largest size */
    assert_int_equal(sc_graph_add(s.graph, i, s.walk, SC_METRIC_DEPTH, 3), 0);
  expect_advice(&s, &f, "walk calls itself about n times in all.", "Check that its depth");
  assert_int_equal(sc_graph_add(s.graph, COUNT(six) - 1, s.walk, SC_METRIC_DEPTH, 4), 0);
  expect_advice(&s, &f, "walk calls itself about n times in all.", "It also goes deeper");
  close_scene(&s);
}

/* Functions that were counted without their callers: nobody knows who calls them, whatever stands above. */
TEST(advice_about_functions_counted_alone)
{
  scene s = open_scene(six, COUNT(six), "", 0);
  sc_analysis_free(s.analysis);
  const sc_analysis_options options = {.fit = SC_FIT_OPTIONS_DEFAULT, .variable = "n", .level = 0.95, .entries = true};
  assert_int_equal(sc_analysis_new(s.graph, &options, &s.analysis), 0);
  const uint32_t contexts[] = {s.compare, s.walk};
  static const char *const told[] = {"compare is called about n^2 times; who calls it was not counted.",
                                     "walk is called about n^2 times; who calls it was not counted."};
  for (size_t i = 0; i < COUNT(contexts); i++) {
    sc_finding f = finding_at(&s, SC_RULE_IMPLICIT_LOOP, SC_FINDING_IMPLICIT, contexts[i]);
    expect_advice(&s, &f, told[i], "Count its callers as well (--uprobes)");
  }
  close_scene(&s);
}

/* A context below no function is the program's. */
TEST(advice_without_a_function)
{
  scene s = {.graph = scene_new(six, COUNT(six), "")};
  s.main = scene_main(s.graph);
  s.process = sc_graph_parent(s.graph, s.main);
  s.loop = scene_loop(s.graph, s.process, "", 10, scene_square, 0);
  s.analysis = scene_analyse(s.graph, NULL, 0);
  sc_finding f = finding_at(&s, SC_RULE_SUPERLINEAR_LOOP, SC_FINDING_LOOP, s.loop);
  expect_advice(&s, &f, "One pass of this loop in the program already makes n^2 iterations.", "Check what bounds it");
  close_scene(&s);
}
