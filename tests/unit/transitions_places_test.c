/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What many places have in common, and what is said of it. */
#include "unit.h"

#include <stdlib.h>

#include "transitions/findings/explain.h"
#include "transitions/findings/spread.h"
#include "transitions_scene.h"

enum { MOST = 6 };
static const double sizes[] = {100, 200, 400};

/* A place: a loop in a function that another one, or main itself, calls. */
typedef struct place {
  const char *caller, *function, *file;
  uint32_t line;
  double share, exponent, log_exponent;
} place;

typedef struct scene {
  sc_graph *graph;
  sc_analysis *analysis;
  sc_finding finding;
  sc_order *orders; /* of its sites */
} scene;

static scene open_scene(const place *places, size_t count)
{
  scene s = {.graph = scene_new(sizes, COUNT(sizes), "")};
  uint32_t top = scene_main(s.graph);
  s.finding.sites = calloc(count, sizeof *s.finding.sites);
  s.finding.site_count = count;
  s.orders = calloc(count, sizeof *s.orders);
  for (size_t i = 0; i < count; i++) {
    const place *p = &places[i];
    const sc_location function = {
        .kind = SC_LOCATION_FUNCTION, .name = p->function, .display = p->function, .file = p->file};
    const sc_location loop = {.kind = SC_LOCATION_LOOP,
                              .name = p->function,
                              .display = p->function,
                              .file = p->file,
                              .line = p->line,
                              .column = 1};
    uint32_t caller = p->caller ? scene_function(s.graph, top, p->caller, scene_one, 0) : top;
    uint32_t context = scene_context(s.graph, scene_context(s.graph, caller, &function), &loop);
    scene_fill(s.graph, context, scene_one, 0);
    s.orders[i] = (sc_order){p->exponent, p->log_exponent, (int)p->exponent};
    s.finding.sites[i] = (sc_finding_site){.context = context, .to = &s.orders[i], .weight = 1, .share = p->share};
  }
  s.analysis = scene_analyse(s.graph, NULL, 0);
  s.finding.spread = sc_spread_new(s.analysis, s.finding.sites, count);
  assert_non_null(s.finding.spread);
  return s;
}

static void close_scene(scene *s)
{
  sc_spread_free(s->finding.spread);
  free(s->finding.sites);
  free(s->orders);
  sc_analysis_free(s->analysis);
  sc_graph_free(s->graph);
}

static void expect_groups(const sc_spread *spread, enum sc_spread_by by, const char *expected)
{
  char text[512] = "";
  for (size_t i = 0; i < spread->group_count[by]; i++) {
    const sc_spread_group *g = &spread->groups[by][i];
    snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s %zu %.3g", i ? ", " : "", g->name, g->places,
             g->share);
  }
  assert_string_equal(text, expected);
}

static void expect_text(void (*write)(const sc_analysis *, const sc_finding *, sc_buf *), const scene *s,
                        const char *expected)
{
  sc_buf text = {0};
  write(s->analysis, &s->finding, &text);
  scene_says(&text, expected);
}

static const char nothing_common[] =
    "Look for what they have in common: the data they all go over, or the code they were "
    "made by. No single place is worth mending for this alone; report --details lists "
    "them.";

/* The largest share first, then most places, then by name. */
TEST(places_are_grouped)
{
  static const place places[] = {
      {"one", "f", "/src/a/x.c", 10, 0.01, 2, 0},  {"two", "f", "/src/a/x.c", 10, 0.02, 2, 0},
      {"one", "f", "/src/a/x.c", 20, 0.005, 2, 1}, {"two", "g", "/src/ab/y.c", 10, 0.005, 2, 0},
      {"six", "h", "/src/a/z.c", 30, 0.004, 3, 0}, {"ten", "k", "/src/a/w.c", 30, 0.004, 3, 0}};
  scene s = open_scene(places, COUNT(places));
  const sc_spread *spread = s.finding.spread;
  assert_int_equal(spread->places, 5);
  assert_int_equal(spread->functions, 4);
  expect_groups(spread, SC_SPREAD_FILE,
                "/src/a/x.c 2 0.035, /src/ab/y.c 1 0.005, /src/a/w.c 1 0.004, /src/a/z.c 1 0.004");
  expect_groups(spread, SC_SPREAD_CALLER, "two 2 0.025, one 2 0.015, six 1 0.004, ten 1 0.004");
  expect_groups(spread, SC_SPREAD_ORDER, "n^2 2 0.035, n^3 2 0.008, n^2 log n 1 0.005");
  assert_string_equal(spread->title, "5 places in 4 files");
  assert_string_equal(spread->common, "/src");
  expect_text(
      sc_spread_evidence, &s,
      " No place alone takes 1% of the cost or of the executions. Order: n^2 (2), n^3 (2), n^2 log n (1); in 4 "
      "functions; files: x.c (2), y.c (1), w.c (1) and 1 more; called by: two (2), one (2), six (1) and 1 more. "
      "Most in f (x.c:10) 1%, f (x.c:10) 2%, f (x.c:20) 0.5%.");
  expect_text(sc_spread_advice, &s, nothing_common);
  close_scene(&s);
}

TEST(places_of_one_function)
{
  static const place places[] = {{NULL, "f", "dir/a.c", 10, 0, 2, 0}, {NULL, "f", "dir/a.c", 20, 0, 2, 0}};
  scene s = open_scene(places, COUNT(places));
  assert_string_equal(s.finding.spread->title, "2 places in f");
  assert_string_equal(s.finding.spread->common, "f");
  expect_text(sc_spread_evidence, &s,
              " No place alone takes 1% of the cost or of the executions. Order: all n^2; in 1 function, all called by "
              "main. Most in f (a.c:10), f (a.c:20).");
  expect_text(sc_spread_advice, &s,
              "Look at main, which runs them all: call fewer of them, or give each less to go over. No single place is "
              "worth mending for this alone; report --details lists them.");
  close_scene(&s);
}

/* Titles and what stays of them when a place is added. */
TEST(titles)
{
  static const struct {
    place places[3];
    size_t count;
    const char *title, *common;
    bool instances;
  } cases[] = {{{{"a", "f", "dir/t.h", 7}, {"b", "f", "dir/t.h", 7}}, 2, "1 place in f", "f", false},
               {{{"a", "f", "dir/t.h", 7}, {"b", "g", "dir/t.h", 7}}, 2, "2 instances of t.h:7", "t.h", true},
               {{{"a", "f", "dir/t.h", 7}, {"b", "g", "dir/t.h", 8}}, 2, "2 places in t.h", "t.h", false},
               {{{"a", "f", "dir/t.h", 0}, {"b", "g", "dir/t.h", 0}}, 2, "2 places in t.h", "t.h", false},
               {{{"a", "f", "dir/t.h", 7}, {"b", "g", "dir/u.h", 7}}, 2, "2 places in 2 files", "dir", false},
               {{{"a", "f", "dir/t.h", 7}, {"a", "g", "dir/u.h", 7}}, 2, "2 places in 2 files", "a", false},
               {{{"a", "f", "/t.h", 7}, {"b", "g", "/u.h", 7}}, 2, "2 places in 2 files", "the program", false},
               {{{"a", "f", "t.h", 7}, {"b", "g", "u.h", 7}}, 2, "2 places in 2 files", "the program", false},
               {{{"a", "f", "d/t.h", 7}, {"b", "g", "d/u.h", 7}, {"c", "h", "d/e/v.h", 7}},
                3,
                "3 places in 3 files",
                "d",
                false},
               {{{"a", "f", "de/t.h", 7}, {"b", "g", "df/t.h", 7}}, 2, "2 places in 2 files", "the program", false},
               {{{"a", "f", "", 7}, {"b", "g", "", 8}}, 2, "2 places in the program", "the program", false},
               {{{"a", "f", "", 7}, {"a", "g", "", 8}}, 2, "2 places in the program", "a", false}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    scene s = open_scene(cases[i].places, cases[i].count);
    assert_string_equal(s.finding.spread->title, cases[i].title);
    assert_string_equal(s.finding.spread->common, cases[i].common);
    if (cases[i].instances)
      expect_text(sc_spread_advice, &s,
                  "All are instances of the same line: mend the template or the macro once. No single place is worth "
                  "mending for this alone; report --details lists them.");
    close_scene(&s);
  }
}

/* What has no file and no known caller is unknown; of three or fewer all are named. */
TEST(places_without_names)
{
  static const place places[] = {{"a", "f", "", 5, 0, 2, 0}, {"b", "g", "x.c", 0, 0.1234, 2, 0}};
  scene s = open_scene(places, COUNT(places));
  expect_text(
      sc_spread_evidence, &s,
      " No place alone takes 1% of the cost or of the executions. Order: all n^2; in 2 functions; files: x.c (1), "
      "unknown (1); called by: b (1), a (1). Most in f, g 12%.");
  close_scene(&s);
}

static double twice(double n) { return 2 * n; }
static double squares(double n) { return n * n; }

/* 3 executions for each of 2 n, and 1 for each of n^2. */
TEST(the_sum_of_all_has_a_model)
{
  static const double more[] = {100, 200, 400, 800, 1600};
  sc_graph *graph = scene_new(more, COUNT(more), "");
  uint32_t top = scene_main(graph);
  sc_finding_site sites[] = {{.context = scene_loop(graph, top, "main", 3, twice, 0), .weight = 3},
                             {.context = scene_loop(graph, top, "main", 9, squares, 0), .weight = 1}};
  sc_analysis *analysis = scene_analyse(graph, NULL, 0);
  sc_model model;
  assert_int_equal(sc_spread_fit(analysis, sites, 2, &model), 0);
  assert_true(model.exact && sc_model_value(&model, 1000) == 1006000);
  sc_analysis_free(analysis);
  sc_graph_free(graph);
}

TEST(numbers_and_durations)
{
  static const struct {
    double value;
    const char *number, *duration;
  } cases[] = {{0, "0", "0 ns"},
               {0.5, "0.5", "500 ms"},
               {12.34567, "12.35", "12.3 s"},
               {999, "999", "999 s"},
               {1000, "1,000", "1e+03 s"},
               {999.5, "999.5", "1e+03 s"},
               {1234567, "1,234,567", NULL},
               {123456, "123,456", NULL},
               {-1234, "-1,234", NULL},
               {-0.25, "-0.25", NULL},
               {1000.7, "1,001", NULL},
               {999999999999999, "999,999,999,999,999", NULL},
               {1e15, "1e+15", NULL},
               {-1e15, "-1e+15", NULL},
               {INFINITY, "inf", NULL},
               {0.9996, NULL, "1 s"},
               {0.9994, NULL, "999 ms"},
               {9.996e-4, NULL, "1 ms"},
               {9.994e-4, NULL, "999 us"},
               {9.996e-7, NULL, "1 us"},
               {9.994e-7, NULL, "999 ns"},
               {1e-10, NULL, "0.1 ns"}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    sc_buf text = {0};
    if (cases[i].number)
      sc_explain_number(&text, cases[i].value);
    sc_buf_puts(&text, "|");
    if (cases[i].duration)
      sc_explain_duration(cases[i].value, &text);
    assert_int_equal(sc_buf_finish(&text), 0);
    char expected[80];
    snprintf(expected, sizeof expected, "%s|%s", cases[i].number ? cases[i].number : "",
             cases[i].duration ? cases[i].duration : "");
    assert_string_equal(text.text, expected);
    sc_buf_free(&text);
  }
}

TEST(names_of_rules_kinds_and_severities)
{
  static const char *const kinds[] = {"loop", "implicit", "recursion", "spread", "work"};
  static const char *const severities[] = {"note", "warning", "error"};
  for (size_t i = 0; i < COUNT(kinds); i++)
    assert_string_equal(sc_finding_kind_name((enum sc_finding_kind)i), kinds[i]);
  for (size_t i = 0; i < COUNT(severities); i++)
    assert_string_equal(sc_severity_name((enum sc_severity)i), severities[i]);
  assert_string_equal(sc_rule_id(SC_RULE_SUPERLINEAR_LOOP), "superlinear-loop");
  assert_string_equal(sc_rule_title(SC_RULE_SUPERLINEAR_LOOP), "Loop grows faster than the workload");
  assert_non_null(strstr(sc_rule_help(SC_RULE_SUPERLINEAR_LOOP), "hoisted"));
  assert_string_equal(sc_rule_id(SC_RULE_COUNT), "unknown");
  assert_string_equal(sc_rule_title(SC_RULE_COUNT), "Unknown rule");
  assert_string_equal(sc_rule_help(SC_RULE_COUNT), "");
}
