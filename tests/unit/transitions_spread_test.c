/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Growth that is negligible place by place, but not as a sum. */
#include "unit.h"

#include <stdlib.h>

#include "transitions/findings/spread.h"
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

/* Bursts that may be linear are undecided; so are 150 of them, each of them negligible, with the cost of all. */
TEST(many_doubtful_places_are_one_doubt)
{
  double cost[2];
  for (int many = 0; many < 2; many++) {
    scene_program s = scene_open(scene_driven, 5, "");
    add_places(s.graph, s.main, "src/many.c", 0, many ? 150 : 1, false, scene_bursts);
    judge_scene(&s);
    assert_int_equal(s.findings.count, 0);
    assert_int_equal(s.findings.undecided_count, 1);
    const sc_undecided *u = &s.findings.undecided[0];
    assert_int_equal(u->kind, many ? SC_FINDING_SPREAD : SC_FINDING_LOOP);
    assert_int_equal(u->sites, many ? 150 : 1);
    assert_true(u->share > 0.99);
    cost[many] = u->cost;
    scene_close(&s);
  }
  assert_true(fabs(cost[1] / cost[0] - 150) < 1e-6);
}

/* ---- what places have in common, of sites made by hand ---- */

enum { MOST_SITES = 8 };
typedef struct made_sites {
  sc_graph *graph;
  sc_analysis *analysis;
  uint32_t callers[2];
  sc_finding_site list[MOST_SITES];
  sc_order orders[MOST_SITES];
  size_t count;
} made_sites;

/* A loop in a function of a file, called by one of two callers. */
static void add_site(made_sites *s, size_t caller, const char *name, const char *file, uint32_t line, double exponent,
                     double share)
{
  sc_location function = {.kind = SC_LOCATION_FUNCTION, .name = name, .file = file};
  uint32_t f = scene_context(s->graph, s->callers[caller], &function);
  sc_location loop = {.kind = SC_LOCATION_LOOP, .name = name, .file = file, .line = line, .column = 3};
  uint32_t context = scene_context(s->graph, f, &loop);
  scene_fill(s->graph, context, ten_squares, 0);
  s->orders[s->count] = (sc_order){.exponent = exponent, .integer = (int)exponent};
  s->list[s->count] =
      (sc_finding_site){.context = context, .parent = f, .to = &s->orders[s->count], .weight = 1, .share = share};
  s->count++;
}

static void begin_sites(made_sites *s)
{
  *s = (made_sites){.graph = scene_new(SIZES, 5, "")};
  uint32_t main = scene_main(s->graph);
  s->callers[0] = scene_function(s->graph, main, "draw", scene_one, 0);
  s->callers[1] = scene_function(s->graph, main, "load", scene_one, 0);
}

/* The first loop is `a`, called by the first caller, on line 5 of its file; both are squares. */
static void two_sites(made_sites *s, const char *first_file, size_t caller, const char *name, const char *file,
                      uint32_t line)
{
  begin_sites(s);
  add_site(s, 0, "a", first_file, 5, 2, 0.004);
  add_site(s, caller, name, file, line, 2, 0.003);
}

/* Everything is freed. */
static void expect_spread(made_sites *s, const char *title, const char *common, const char *evidence,
                          const char *advice)
{
  sc_buf text = {0};
  s->analysis = scene_analyse(s->graph, TARGETS, 2);
  sc_finding f = {.sites = s->list, .site_count = s->count, .spread = sc_spread_new(s->analysis, s->list, s->count)};
  assert_non_null(f.spread);
  assert_string_equal(f.spread->title, title);
  assert_string_equal(f.spread->common, common);
  sc_spread_evidence(s->analysis, &f, &text);
  scene_says(&text, evidence);
  sc_spread_advice(s->analysis, &f, &text);
  assert_int_equal(sc_buf_finish(&text), 0);
  assert_int_equal(strncmp(text.text, advice, strlen(advice)), 0);
  unit_has(text.text, " No single place is worth mending for this alone; report --details lists them.");
  sc_buf_free(&text);
  sc_spread_free(f.spread);
  scene_end(s->graph, s->analysis, NULL);
}

TEST(places_in_files_of_a_folder)
{
  made_sites s;
  begin_sites(&s);
  add_site(&s, 0, "a", "/src/lib/one.c", 5, 2, 0.004);
  add_site(&s, 0, "b", "/src/lib/one.c", 6, 2, 0.003);
  add_site(&s, 1, "c", "/src/lib/two.c", 7, 3, 0.009);
  add_site(&s, 1, "c", "/src/lib/two.c", 7, 2, 0.001); /* the same place once more */
  add_site(&s, 0, "d", "/src/line.c", 8, 2, 0);
  add_site(&s, 0, "e", "/src/more.c", 9, 2, 0.001);
  s.analysis = scene_analyse(s.graph, TARGETS, 2);
  sc_spread *spread = sc_spread_new(s.analysis, s.list, s.count);
  assert_true(spread->places == 5 && spread->functions == 5);
  static const struct {
    const char *name;
    size_t places;
    double share;
  } files[] = {
      {"/src/lib/two.c", 1, 0.01}, {"/src/lib/one.c", 2, 0.007}, {"/src/more.c", 1, 0.001}, {"/src/line.c", 1, 0}};
  assert_int_equal(spread->group_count[SC_SPREAD_FILE], 4);
  for (size_t i = 0; i < 4; i++) {
    const sc_spread_group *g = &spread->groups[SC_SPREAD_FILE][i];
    assert_string_equal(g->name, files[i].name);
    assert_true(g->places == files[i].places && fabs(g->share - files[i].share) < 1e-12);
  }
  assert_int_equal(spread->group_count[SC_SPREAD_CALLER], 2);
  assert_string_equal(spread->groups[SC_SPREAD_CALLER][0].name, "load");
  assert_true(spread->groups[SC_SPREAD_CALLER][1].places == 4);
  assert_int_equal(spread->group_count[SC_SPREAD_ORDER], 2);
  assert_string_equal(spread->groups[SC_SPREAD_ORDER][0].name, "n^2"); /* as much of both, and more places */
  assert_true(spread->groups[SC_SPREAD_ORDER][0].places == 5 && spread->groups[SC_SPREAD_ORDER][1].places == 1);
  sc_spread_free(spread);
  sc_analysis_free(s.analysis);
  expect_spread(&s, "5 places in 4 files", "/src",
                " No place alone takes 1% of the cost or of the executions. Order: n^2 (5), n^3 (1); in 5 functions; "
                "files: two.c (1), one.c (2), more.c (1) and 1 more; called by: load (1), draw (4). Most in a "
                "(one.c:5) 0.4%, b (one.c:6) 0.3%, c (two.c:7) 0.9%.",
                "Look for what they have in common");
}

TEST(places_of_one_caller_or_file)
{
  made_sites s;
  two_sites(&s, "/src/one.c", 0, "b", "/src/one.c", 6);
  expect_spread(&s, "2 places in one.c", "one.c",
                " No place alone takes 1% of the cost or of the executions. Order: all n^2; in 2 functions, all called "
                "by draw. Most in a (one.c:5) 0.4%, b (one.c:6) 0.3%.",
                "Look at draw, which runs them all");
  two_sites(&s, "/src/one.c", 0, "b", "/lib/two.c", 6);
  expect_spread(&s, "2 places in 2 files", "draw",
                " No place alone takes 1% of the cost or of the executions. Order: all n^2; in 2 functions; files: "
                "one.c (1), two.c (1), all called by draw. Most in a (one.c:5) 0.4%, b (two.c:6) 0.3%.",
                "Look at draw, which runs them all");
  two_sites(&s, "/src/one.c", 1, "a", "/src/one.c", 5);
  expect_spread(&s, "1 place in a", "a",
                " No place alone takes 1% of the cost or of the executions. Order: all n^2; in 1 function; called by: "
                "draw (1), load (1). Most in a (one.c:5) 0.4%, a (one.c:5) 0.3%.",
                "Look for what they have in common");
  two_sites(&s, "/src/one.c", 1, "b", "/src/one.c", 5);
  expect_spread(&s, "2 instances of one.c:5", "one.c",
                " No place alone takes 1% of the cost or of the executions. Order: all n^2; in 2 functions; called by: "
                "draw (1), load (1). Most in a (one.c:5) 0.4%, b (one.c:5) 0.3%.",
                "All are instances of the same line");
  two_sites(&s, "/one.c", 1, "b", "/two.c", 6); /* nothing but the root */
  expect_spread(&s, "2 places in 2 files", "the program",
                " No place alone takes 1% of the cost or of the executions. Order: all n^2; in 2 functions; files: "
                "one.c (1), two.c (1); called by: draw (1), load (1). Most in a (one.c:5) 0.4%, b (two.c:6) 0.3%.",
                "Look for what they have in common");
}

/* The model of all sites is that of their sum. */
TEST(a_spread_has_the_sum_of_its_sites)
{
  made_sites s;
  sc_model m;
  two_sites(&s, "/src/one.c", 0, "b", "/src/one.c", 6);
  s.list[1].weight = 3;
  s.analysis = scene_analyse(s.graph, TARGETS, 2);
  assert_int_equal(sc_spread_fit(s.analysis, s.list, 2, &m), 0);
  assert_true(m.exact && m.order.exponent == 2);
  assert_float_equal(sc_model_value(&m, 1000), 40e6, 1);
  scene_end(s.graph, s.analysis, NULL);
}
