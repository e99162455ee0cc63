/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "transitions/compare/internal.h"
#include "transitions_compare_scene.h"

/* A function with a loop of n steps; in head it begins at another line and may have further such loops. Whether that at
 * `line` is taken for the loop of base. */
static bool is_the_loop(uint32_t function, uint32_t line, uint32_t before, uint32_t behind)
{
  scene_pair p;
  pair_new(&p, "");
  uint32_t f = scene_function_at(p.base, scene_main(p.base), "walk", "walk", "/a/walk.c", 3, scene_one, 0);
  uint32_t loop = scene_loop(p.base, f, "walk", 10, scene_n, 0);
  f = scene_function_at(p.head, scene_main(p.head), "walk", "walk", "/a/walk.c", function, scene_one, 0);
  if (before)
    scene_loop(p.head, f, "walk", before, scene_n, 0);
  uint32_t same = scene_loop(p.head, f, "walk", line, scene_n, 0);
  if (behind)
    scene_loop(p.head, f, "walk", behind, scene_n, 0);
  pair_compare(&p);
  bool found = p.comparison.base_of[same] == loop;
  pair_free(&p);
  return found;
}

TEST(loops_that_moved_with_their_function_are_the_same)
{
  assert_true(is_the_loop(103, 110, 0, 0));
  assert_true(is_the_loop(103, 110, 106, 0));
  assert_true(is_the_loop(103, 110, 0, 120));
  assert_true(is_the_loop(103, 110, 106, 120));
}

TEST(loops_that_stayed_where_they_were_are_the_same)
{
  assert_true(is_the_loop(2, 10, 8, 0));
  assert_true(is_the_loop(2, 10, 0, 20));
}

static double three_n(double n) { return 3 * n; }
static double three_squares(double n) { return 3 * n * n; }
static double nearly_n(double n) { return n * 1.1; }
static double further_n(double n) { return n * 1.11; }

/* A function called by main, `called` the letters of the functions that it calls. */
typedef struct function {
  const char *name, *display, *file, *called;
  uint32_t line, loops;
  scene_curve count;
  bool elsewhere; /* called by another function than main */
} function;

static uint32_t add_function(sc_graph *graph, const function *f)
{
  uint32_t caller = scene_main(graph);
  if (f->elsewhere)
    caller = scene_function(graph, caller, "elsewhere", scene_one, 0);
  uint32_t at = scene_function_at(graph, caller, f->name, f->display, f->file, f->line, f->count, 0), last = at;
  for (uint32_t i = 0; i < f->loops; i++)
    last = scene_loop(graph, at, f->name, f->line + 1 + i, f->count, 0);
  for (const char *c = f->called; *c; c++)
    scene_function(graph, last, (char[]){*c, '\0'}, f->count, 0);
  return at;
}

/* Functions of one letter and main have their counterparts. */
static void pair_known(sc_compared *c)
{
  for (uint32_t i = 0; i < c->base.place_count; i++)
    for (uint32_t k = 0; k < c->head.place_count; k++) {
      sc_place *b = &c->base.places[i], *h = &c->head.places[k];
      if (!b->at || !h->at || b->at->kind != SC_LOCATION_FUNCTION || strcmp(b->at->name, h->at->name) != 0 ||
          (b->at->name[1] && strcmp(b->at->name, "main") != 0))
        continue;
      b->mate = k;
      h->mate = i;
    }
}

typedef double (*points_of)(const sc_compared *c, uint32_t base, uint32_t head);

/* Of two contexts, or of where they stand. */
static double points(scene_pair *p, points_of of, uint32_t base, uint32_t head)
{
  p->before = scene_analyse(p->base, pair_targets, 2);
  p->after = scene_analyse(p->head, pair_targets, 2);
  sc_compare_side in[] = {{.analysis = p->before}, {.analysis = p->after}};
  sc_compared c = {.out = &p->comparison, .targets = pair_targets, .target_count = 2, .horizon = 160000};
  assert_int_equal(sc_sides_open(&c, &in[0], &in[1]), 0);
  pair_known(&c);
  if (of != sc_likeness_children)
    base = sc_graph_location_of(p->base, base), head = sc_graph_location_of(p->head, head);
  double result = of(&c, base, head);
  sc_sides_close(&c);
  pair_free(p);
  return result;
}

static double likeness(function base, function head)
{
  scene_pair p;
  pair_new(&p, "");
  return points(&p, sc_likeness_functions, add_function(p.base, &base), add_function(p.head, &head));
}

static void has(double value, double expected)
{
  if (!(fabs(value - expected) < 1e-9))
    fail_msg("%.9g points instead of %.9g", value, expected);
}

/* docs/diff.md has the table. Of the same caller: 1.5; of counts that are equal: 2.5; calling nothing: 1. */
TEST(where_a_function_stands_makes_points)
{
  const function f = {"alpha", "alpha", "/one/a.c", "", 10, 0, scene_n, false};
  function g = {"omega", "omega", "/two/a.c", "", 10, 0, scene_n, false};
  has(likeness(f, g), 1.5 + 2.5 + 1 + 1 + 1);
  g.line = 50;
  has(likeness(f, g), 1.5 + 2.5 + 1 + 1 + 1);
  g.line = 51;
  has(likeness(f, g), 1.5 + 2.5 + 1 + 1);
  g.line = 10, g.file = "/one/b.c";
  has(likeness(f, g), 1.5 + 2.5 + 1);
  g.elsewhere = true;
  has(likeness(f, g), 0);
}

TEST(how_often_a_function_runs_makes_points)
{
  const function f = {"alpha", "alpha", "a.c", "", 10, 0, scene_n, false};
  function g = {"omega", "omega", "a.c", "", 10, 0, nearly_n, false};
  has(likeness(f, g), 1.5 + 1.5 + 1 + 1 + 1);
  g.count = further_n;
  has(likeness(f, g), 0);
}

/* The share of pairs of letters that both have, 2 points for all of them; 0.6 is evidence without the counts. */
TEST(names_alike_make_points)
{
  static const struct {
    const char *base, *head;
    double share;
  } cases[] = {{"night", "nacht", 0.25}, {"abcdef", "abcdxy", 0.6}, {"abcde", "abcxy", 0.5}, {"aaaa", "aaa", 0.8},
               {"aaaa", "aa", 0.5},      {"same", "same", 1},       {"no", "n", 0},          {"n", "no", 0},
               {"ab", "abc", 2.0 / 3},   {"abc", "ab", 2.0 / 3}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    function f = {cases[i].base, "f", "a.c", "", 10, 0, scene_n, false};
    function g = {cases[i].head, "g", "a.c", "", 10, 0, scene_n, false};
    has(likeness(f, g), 1.5 + 2.5 + 1 + 1 + 1 + 2 * cases[i].share);
    g.count = three_n;
    has(likeness(f, g), cases[i].share < 0.6 ? 0 : 1.5 + 1 + 1 + 1 + 2 * cases[i].share);
  }
}

/* Names of more than 128 letters are not compared by pairs, on either side. */
TEST(long_names_are_the_same_or_not)
{
  char longest[129], longer[130], almost[128];
  memset(longest, 'a', 128);
  memset(longer, 'a', 129);
  memset(almost, 'a', 127);
  longest[128] = longer[129] = almost[127] = '\0';
  static const double rest = 1.5 + 2.5 + 1 + 1 + 1;
  const function f = {almost, "f", "a.c", "", 10, 0, scene_n, false};
  function g = {longest, "g", "a.c", "", 10, 0, scene_n, false};
  has(likeness(f, g), rest + 2 * 2 * 126.0 / (126 + 127));
  has(likeness(g, f), rest + 2 * 2 * 126.0 / (126 + 127));
  g.name = longer;
  has(likeness(f, g), rest);
  has(likeness(g, f), rest);
  has(likeness(g, g), rest + 2);
}

TEST(the_same_calls_make_points)
{
  static const struct {
    const char *base, *head;
    double share;
    bool evidence;
  } cases[] = {{"xy", "yx", 1, true},    {"x", "x", 1, false},        {"xyzab", "xyzcd", 0.6, true},
               {"xy", "yz", 0.5, false}, {"xyz", "xyzab", 0.6, true}, {"xyzab", "xyz", 0.6, true},
               {"xxyy", "xy", 1, true},  {"xy", "ab", 0, false},      {"xy", "", 0, false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    function f = {"alpha", "alpha", "a.c", cases[i].base, 10, 0, scene_n, false};
    function g = {"omega", "omega", "a.c", cases[i].head, 10, 0, scene_n, false};
    has(likeness(f, g), 1.5 + 2.5 + 1 + 1 + 3 * cases[i].share);
    g.count = three_n;
    has(likeness(f, g), cases[i].evidence ? 1.5 + 1 + 1 + 3 * cases[i].share : 0);
    f.loops = g.loops = 2; /* as many, and calls stand in them */
    has(likeness(f, g), cases[i].evidence ? 1.5 + 1 + 1 + 3 * cases[i].share + 1 : 0);
  }
}

/* 64 calls of a function are looked at: of one more on each side one does not count, whichever it is. */
TEST(calls_beyond_sixty_four_are_not_compared)
{
  for (size_t count = 64; count <= 65; count++) {
    char base[66] = "", head[66] = "";
    for (size_t i = 0; i < count; i++)
      base[i] = head[i] = (char)('0' + i);
    head[0] = '!';
    function f = {"alpha", "alpha", "a.c", base, 10, 0, scene_n, false};
    function g = {"omega", "omega", "a.c", head, 10, 0, scene_n, false};
    double share = (likeness(f, g) - (1.5 + 2.5 + 1 + 1)) / 3;
    assert_true(fabs(share - 63.0 / 64) < 1e-9 || (count == 65 && fabs(share - 1) < 1e-9));
  }
}

TEST(as_many_loops_make_a_point)
{
  function f = {"alpha", "alpha", "a.c", "", 10, 2, scene_n, false};
  function g = {"omega", "omega", "a.c", "", 10, 2, scene_n, false};
  has(likeness(f, g), 1.5 + 2.5 + 1 + 1 + 1 + 1);
  g.loops = 1; /* nor do both call as little */
  has(likeness(f, g), 1.5 + 2.5 + 1 + 1);
}

/* Of C++, the name without parameters and template arguments; whoever calls it, and however often. */
TEST(the_same_name_but_for_parameters_makes_points)
{
  static const struct {
    const char *base, *head;
    bool same;
  } cases[] = {{"ns::list<int>::push(int)", "ns::list<long>::push(long, int)", true},
               {"ns::list<a<b>>::push(int)", "ns::list<c>::push()", true},
               {"run(f<int>)", "run()", true},
               {"push", "push()", true},
               {"push()", "pull()", false},
               {"push", "push", false},
               {"(int)", "(int)", false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    function f = {"alpha", cases[i].base, "a.c", "", 10, 0, scene_n, false};
    function g = {"omega", cases[i].head, "b.c", "", 10, 0, three_n, true};
    has(likeness(f, g), cases[i].same ? 3 + 1 : 0);
  }
}

/* A loop in a function that both sides have, perhaps with a loop around it and a call in it. */
typedef struct place {
  uint32_t function, line, column;
  scene_curve calls, count;
  const char *callee;
  bool inside;
} place;

static uint32_t add_place(sc_graph *graph, const place *at)
{
  uint32_t around = scene_function_at(graph, scene_main(graph), "f", "f", "a.c", at->function, at->calls, 0);
  if (at->inside)
    around = scene_loop(graph, around, "f", at->line - 1, at->calls, 0);
  sc_location location = {.kind = SC_LOCATION_LOOP, .name = "f", .file = "a.c", .line = at->line, .column = at->column};
  uint32_t loop = scene_context(graph, around, &location);
  scene_fill(graph, loop, at->count, 0);
  if (at->callee)
    scene_function(graph, loop, at->callee, at->count, 0);
  return loop;
}

static double loop_points(place base, place head)
{
  scene_pair p;
  pair_new(&p, "");
  return points(&p, sc_likeness_loops, add_place(p.base, &base), add_place(p.head, &head));
}

/* Each loop has 0.5; steps for each call that are equal make 1.2 times 2.5, as many in all 1; as far behind the
 * function's beginning 2, in the same line 1.5, the same column 0.5; as deep 1, else -1; of calls in common 2, and a
 * quarter of them where neither calls anything. */
TEST(where_a_loop_stands_makes_points)
{
  const place b = {10, 12, 3, scene_one, scene_n, NULL, false};
  const double all = 0.5 + 1.2 * 2.5 + 1 + 2 + 0.5 + 1 + 2 * 0.25;
  place h = b;
  has(loop_points(b, h), all);
  h.function = 20, h.line = 22;
  has(loop_points(b, h), all);
  h.line = 12, h.function = 8;
  has(loop_points(b, h), all - 2 + 1.5);
  h.line = 13;
  has(loop_points(b, h), all - 2);
  h = b, h.column = 4;
  has(loop_points(b, h), all - 0.5);
  h = b, h.inside = true;
  has(loop_points(b, h), all - 2);
}

TEST(how_often_a_loop_runs_makes_points)
{
  const place b = {10, 12, 3, scene_one, scene_n, NULL, false};
  const double rest = 0.5 + 2 + 0.5 + 1 + 2 * 0.25;
  place h = b;
  h.count = three_n;
  has(loop_points(b, h), rest);
  h.count = nearly_n;
  has(loop_points(b, h), rest + 1.2 * 1.5 + 1);
  h.count = further_n;
  has(loop_points(b, h), rest);
  place one = b, three = b;
  one.calls = scene_n, three.calls = three_n, one.count = scene_square, three.count = three_squares;
  has(loop_points(one, three), rest + 1.2 * 2.5);
}

TEST(what_a_loop_calls_makes_points)
{
  place b = {10, 12, 3, scene_one, scene_n, "x", false}, h = b;
  const double rest = 0.5 + 1.2 * 2.5 + 1 + 2 + 0.5 + 1;
  has(loop_points(b, h), rest + 2);
  h.callee = "y";
  has(loop_points(b, h), rest);
  h.callee = NULL;
  has(loop_points(b, h), rest);
}

TEST(contexts_are_alike_by_the_share_of_their_calls)
{
  static const struct {
    const char *base, *head;
    double share;
  } cases[] = {{"", "", -1}, {"x", "", 0}, {"", "x", 0}, {"xy", "yx", 1}, {"xyz", "x", 1.0 / 3}, {"x", "xyz", 1.0 / 3}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    function f = {"f", "f", "a.c", cases[i].base, 10, 1, scene_n, false}, g = f;
    scene_pair p;
    pair_new(&p, "");
    g.called = cases[i].head;
    has(points(&p, sc_likeness_children, add_function(p.base, &f), add_function(p.head, &g)), cases[i].share);
  }
}
