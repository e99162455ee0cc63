/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What many small places have in common: groups against sums over all sites, at random, and what is said of them. */
#include "unit.h"

#include "transitions/findings/spread.h"
#include "transitions/model/data.h"
#include "transitions_resources_scene.h"

enum { FILES = 4, FUNCTIONS = 6, MOST = 40, ROUNDS = 40 };
static const double five[] = {100, 200, 400, 800, 1600};
static const char *const files[FILES] = {"/src/a/one.c", "/src/a/two.c", "/src/b/one.c", ""};
static const sc_order orders[] = {{2, 0, 2, 0, 0}, {1, 1, 1, 0, 0}, {1.5, 0, 2, 0, 0}, {2, 0, 2, 0, 0}};

/* Loops in functions in files, called by main or by another function; each with an order and a share. */
typedef struct world {
  sc_graph *graph;
  sc_analysis *a;
  sc_finding_site sites[MOST];
  uint32_t callers[MOST]; /* of the site's function; 0: none */
  size_t count;
} world;

static uint32_t add_function(sc_graph *graph, uint32_t parent, const char *name, const char *file, uint32_t line)
{
  sc_location at = {.kind = SC_LOCATION_FUNCTION, .name = name, .file = file, .line = line};
  uint32_t context = scene_context(graph, parent, &at);
  scene_fill(graph, context, scene_one, 0);
  return context;
}

static uint32_t add_loop(sc_graph *graph, uint32_t parent, uint32_t line)
{
  const sc_location *f = sc_graph_at(graph, parent);
  sc_location at = {.kind = SC_LOCATION_LOOP, .name = f->name, .file = f->file, .line = line, .column = 1};
  uint32_t context = scene_context(graph, parent, &at);
  scene_fill(graph, context, scene_n, 0);
  return context;
}

static void add_site(world *w, uint32_t context, uint32_t caller, const sc_order *to, double share)
{
  w->callers[w->count] = caller;
  w->sites[w->count++] = (sc_finding_site){.context = context, .to = to, .share = share, .weight = 1};
}

static void analyse(world *w) { w->a = scene_analyse(w->graph, NULL, 0); }

static void drop(world *w, sc_spread *s)
{
  sc_spread_free(s);
  sc_analysis_free(w->a);
  sc_graph_free(w->graph);
}

static world random_world(uint64_t seed)
{
  scene_seed = seed;
  world w = {.graph = scene_new(five, 5, "")};
  uint32_t main = scene_main(w.graph), callers[3], functions[3][FUNCTIONS];
  callers[0] = main;
  callers[1] = add_function(w.graph, main, "open", "/src/a/main.c", 3);
  callers[2] = add_function(w.graph, main, "close", "/src/a/main.c", 9);
  for (uint32_t c = 0; c < 3; c++)
    for (uint32_t f = 0; f < FUNCTIONS; f++)
      functions[c][f] = add_function(w.graph, callers[c], (char[]){(char)('f' + f), 0}, files[f % FILES], 10 * f);
  size_t count = 2 + (size_t)(scene_uniform() * (MOST - 2));
  bool used[3][FUNCTIONS][3] = {{{false}}};
  for (size_t i = 0; i < count; i++) {
    uint32_t c = (uint32_t)(scene_uniform() * 3), f = (uint32_t)(scene_uniform() * FUNCTIONS),
             l = (uint32_t)(scene_uniform() * 3);
    if (used[c][f][l])
      continue;
    used[c][f][l] = true;
    add_site(&w, add_loop(w.graph, functions[c][f], 10 * f + 1 + l), callers[c],
             &orders[(size_t)(scene_uniform() * COUNT(orders))], 0.001 * floor(1 + 8 * scene_uniform()));
  }
  analyse(&w);
  return w;
}

/* What a site is grouped by, as text. */
static void key_of(const world *w, size_t i, enum sc_spread_by by, char *key, size_t size)
{
  const sc_location *at = sc_graph_at(w->graph, w->sites[i].context);
  if (by == SC_SPREAD_FILE)
    snprintf(key, size, "%s", at->file);
  else if (by == SC_SPREAD_CALLER)
    snprintf(key, size, "%s", w->callers[i] ? sc_graph_at(w->graph, w->callers[i])->name : "");
  else
    sc_model_format_order(w->sites[i].to, "n", key, size);
}

TEST(groups_have_the_places_that_agree)
{
  for (uint64_t round = 0; round < ROUNDS; round++) {
    world w = random_world(round);
    sc_spread *s = sc_spread_new(w.a, w.sites, w.count);
    assert_non_null(s);
    for (int by = 0; by < SC_SPREAD_BY_COUNT; by++) {
      double all = 0, told = 0;
      for (size_t i = 0; i < w.count; i++)
        all += w.sites[i].share;
      for (size_t g = 0; g < s->group_count[by]; g++) {
        const sc_spread_group *group = &s->groups[by][g], *last = g ? group - 1 : NULL;
        double share = 0;
        size_t places = 0;
        for (size_t i = 0; i < w.count; i++) {
          char key[80];
          bool again = false;
          key_of(&w, i, (enum sc_spread_by)by, key, sizeof key);
          if (strcmp(key, group->name) != 0)
            continue;
          for (size_t k = 0; k < i; k++) {
            char other[80];
            key_of(&w, k, (enum sc_spread_by)by, other, sizeof other);
            again = again || (strcmp(other, key) == 0 && sc_graph_location_of(w.graph, w.sites[i].context) ==
                                                             sc_graph_location_of(w.graph, w.sites[k].context));
          }
          share += w.sites[i].share;
          places += !again;
        }
        unit_near(group->share, share);
        assert_int_equal(group->places, places);
        told += group->share;
        if (last && fabs(last->share - group->share) > 1e-12)
          assert_true(last->share > group->share);
        for (size_t k = 0; k < g; k++)
          assert_int_not_equal(strcmp(s->groups[by][k].name, group->name), 0);
      }
      unit_near(told, all);
    }
    size_t places = 0, functions = 0;
    for (size_t i = 0; i < w.count; i++) {
      bool place = true, function = true;
      for (size_t k = 0; k < i; k++) {
        const sc_location *x = sc_graph_at(w.graph, w.sites[i].context), *y = sc_graph_at(w.graph, w.sites[k].context);
        place = place && x != y;
        function = function && strcmp(x->name, y->name) != 0;
      }
      places += place, functions += function;
    }
    assert_true(s->places == places && s->functions == functions);
    drop(&w, s);
  }
}

/* Sums of all sites in each run: of counts, or of executions by their weight. */
TEST(sums_are_of_all_sites)
{
  world w = random_world(77);
  double weights = 0;
  for (size_t i = 0; i < w.count; i++) {
    w.sites[i].weight = (double)(i + 1) / 4;
    weights += w.sites[i].weight;
  }
  for (int executions = 0; executions < 2; executions++) {
    double *sum = sc_spread_sum(w.a, w.sites, w.count, executions);
    assert_non_null(sum);
    for (size_t i = 0; i < 5; i++)
      unit_near(sum[i], five[i] * (executions ? weights : (double)w.count));
    free(sum);
  }
  sc_model model;
  unit_ok(sc_spread_fit(w.a, w.sites, w.count, &model));
  assert_true(model.verdict == SC_VERDICT_MODEL && model.order.exponent == 1);
  unit_near_by(sc_model_value(&model, 1e5), weights * 1e5, 1e-3);
  drop(&w, NULL);
}

/* ---- what is said ---- */

static void says(world *w, const char *title, const char *common, const char *evidence, const char *advice)
{
  analyse(w);
  sc_spread *s = sc_spread_new(w->a, w->sites, w->count);
  assert_non_null(s);
  assert_string_equal(s->title, title);
  assert_string_equal(s->common, common);
  sc_finding f = {.spread = s, .sites = w->sites, .site_count = w->count};
  sc_buf text = {0};
  sc_spread_evidence(w->a, &f, &text);
  scene_says(&text, evidence);
  text = (sc_buf){0};
  sc_spread_advice(w->a, &f, &text);
  assert_int_equal(sc_buf_finish(&text), 0);
  unit_has(text.text, advice);
  unit_has(text.text, " No single place is worth mending for this alone; report --details lists them.");
  sc_buf_free(&text);
  drop(w, s);
}

TEST(loops_of_one_function_have_it_in_common)
{
  world w = {.graph = scene_new(five, 5, "")};
  uint32_t main = scene_main(w.graph), f = add_function(w.graph, main, "walk", "/src/a/one.c", 3);
  add_site(&w, add_loop(w.graph, f, 5), main, &orders[0], 0.004);
  says(&w, "1 place in walk", "walk",
       " No place alone takes 1% of the cost or of the executions. Order: all n^2; in 1 function, all called by main. "
       "Most in walk (one.c:5) 0.4%.",
       "Look at main, which runs them all: call fewer of them, or give each less to go over.");
  w = (world){.graph = scene_new(five, 5, "")};
  main = scene_main(w.graph), f = add_function(w.graph, main, "walk", "/src/a/one.c", 3);
  add_site(&w, add_loop(w.graph, f, 5), main, &orders[0], 0.004);
  add_site(&w, add_loop(w.graph, f, 6), main, &orders[1], 0);
  says(&w, "2 places in walk", "walk",
       " No place alone takes 1% of the cost or of the executions. Order: n^2 (1), n log n (1); in 1 function, all "
       "called "
       "by main. Most in walk (one.c:5) 0.4%, walk (one.c:6).",
       "Look at main, which runs them all");
}

TEST(instances_of_one_line_are_said_to_be)
{
  world w = {.graph = scene_new(five, 5, "")};
  uint32_t main = scene_main(w.graph), other = add_function(w.graph, main, "open", "/src/a/main.c", 3);
  for (uint32_t i = 0; i < 3; i++) {
    uint32_t caller = i ? main : other;
    uint32_t f = add_function(w.graph, caller, (char[]){'f', (char)('a' + i), 0}, "/src/a/list.h", 3);
    add_site(&w, add_loop(w.graph, f, 5), caller, &orders[0], 0.001);
  }
  says(
      &w, "3 instances of list.h:5", "list.h",
      " No place alone takes 1% of the cost or of the executions. Order: all n^2; in 3 functions; called by: main (2), "
      "open (1). Most in fa (list.h:5) 0.1%, fb (list.h:5) 0.1%, fc (list.h:5) 0.1%.",
      "All are instances of the same line: mend the template or the macro once.");
}

/* Five files in folders, two of them common; four callers, three of them named. */
TEST(the_folder_of_all_files_is_common)
{
  static const char *const names[] = {"/src/abc/one.c", "/src/abd/two.c", "/src/abd/x/three.c", "/src/ab/four.c"};
  world w = {.graph = scene_new(five, 5, "")};
  uint32_t main = scene_main(w.graph);
  for (uint32_t i = 0; i < 4; i++) {
    uint32_t caller = add_function(w.graph, main, (char[]){'c', (char)('a' + i), 0}, "/src/main.c", 3);
    uint32_t f = add_function(w.graph, caller, (char[]){'f', (char)('a' + i), 0}, names[i], 3);
    add_site(&w, add_loop(w.graph, f, 5 + i), caller, &orders[0], 0.004 - 0.001 * i);
  }
  says(&w, "4 places in 4 files", "/src",
       " No place alone takes 1% of the cost or of the executions. Order: all n^2; in 4 functions; files: one.c (1), "
       "two.c "
       "(1), three.c (1) and 1 more; called by: ca (1), cb (1), cc (1) and 1 more. Most in fa (one.c:5) 0.4%, fb "
       "(two.c:6) 0.3%, fc (three.c:7) 0.2%.",
       "Look for what they have in common: the data they all go over, or the code they were made by.");
}

/* Without a folder, a file or a caller it is the program; with one caller, that. */
TEST(nothing_in_common_is_the_program)
{
  for (int same = 0; same < 2; same++) {
    world w = {.graph = scene_new(five, 5, "")};
    uint32_t main = scene_main(w.graph), other = add_function(w.graph, main, "open", "main.c", 3);
    for (uint32_t i = 0; i < 2; i++) {
      uint32_t caller = i && !same ? main : other;
      uint32_t f = add_function(w.graph, caller, (char[]){'f', (char)('a' + i), 0}, i ? "one.c" : "two.c", 3);
      add_site(&w, add_loop(w.graph, f, 5 + i), caller, &orders[0], 0.002);
    }
    says(
        &w, "2 places in 2 files", same ? "open" : "the program",
        same
            ? " No place alone takes 1% of the cost or of the executions. Order: all n^2; in 2 functions; files: one.c "
              "(1), two.c (1), all called by open. Most in fa (two.c:5) 0.2%, fb (one.c:6) 0.2%."
            : " No place alone takes 1% of the cost or of the executions. Order: all n^2; in 2 functions; files: one.c "
              "(1), two.c (1); called by: main (1), open (1). Most in fa (two.c:5) 0.2%, fb (one.c:6) 0.2%.",
        same ? "Look at open, which runs them all" : "Look for what they have in common");
  }
}
