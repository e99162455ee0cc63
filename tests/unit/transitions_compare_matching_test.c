/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which context is which where functions came or went around it. */
#include "unit.h"

#include "transitions/compare/internal.h"
#include "transitions_compare_scene.h"

static uint32_t function(sc_graph *graph, uint32_t parent, const char *name, double count)
{
  pair_times = count;
  return scene_function(graph, parent, name, pair_lines, 0);
}

/* This number of new functions around it, named by letters that nothing else has; the head's if `extracted`. */
static bool found_through(int levels, bool extracted)
{
  scene_pair p;
  pair_new(&p, "");
  uint32_t base = scene_main(p.base), head = scene_main(p.head), *deep = extracted ? &head : &base;
  for (int i = 0; i < levels; i++)
    *deep = scene_function(extracted ? p.head : p.base, *deep, (char[]){(char)('a' + i), 0}, scene_one, 0);
  base = function(p.base, base, "work", 5);
  head = function(p.head, head, "work", 5);
  pair_compare(&p);
  bool found = p.comparison.base_of[head] == base;
  assert_true(found == (p.comparison.head_of[base] == head));
  assert_int_equal(p.comparison.matched, found ? 3 : 2); /* the process and main, too */
  assert_int_equal(p.comparison.renamed, found && levels > 0);
  pair_free(&p);
  return found;
}

/* Five levels are looked through: four that came and the one that was there. */
TEST(functions_are_found_through_four_that_came)
{
  for (int levels = 0; levels < 7; levels++) {
    assert_true(found_through(levels, true) == (levels < 5));
    assert_true(found_through(levels, false) == (levels < 5));
  }
}

/* Of several in reach that which is as deep, or nearest to it. */
TEST(the_nearest_of_several_is_the_same)
{
  static const struct {
    int base, heads[2], nearest; /* levels of new functions around each */
  } cases[] = {{3, {2, 4}, 0}, {3, {1, 4}, 1}, {2, {4, 2}, 1}, {1, {3, 1}, 1}, {3, {3, 2}, 0}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    scene_pair p;
    pair_new(&p, "");
    uint32_t base = scene_main(p.base), main = scene_main(p.head), heads[2];
    for (int k = 0; k < cases[i].base; k++)
      base = scene_function(p.base, base, (char[]){'p', (char)('a' + k), 0}, scene_one, 0);
    base = function(p.base, base, "work", 5);
    for (int h = 0; h < 2; h++) {
      heads[h] = main;
      for (int k = 0; k < cases[i].heads[h]; k++)
        heads[h] =
            function(p.head, heads[h], (char[]){h ? 'x' : 'y', (char)('a' + k), 0}, h ? 70 : 90); /* not renamed */
      heads[h] = function(p.head, heads[h], "work", 5);
    }
    pair_compare(&p);
    assert_int_equal(p.comparison.head_of[base], heads[cases[i].nearest]);
    assert_int_equal(p.comparison.base_of[heads[1 - cases[i].nearest]], SC_COMPARE_NONE);
    pair_free(&p);
  }
}

static uint32_t loop(sc_graph *graph, uint32_t parent, const char *name, uint32_t line, double count)
{
  pair_times = count;
  return scene_loop(graph, parent, name, line, pair_lines, 0);
}

/* A loop that moved into a function that came: as it runs as often, up to a tenth of a logarithm, or makes the same
 * calls. */
TEST(a_loop_may_have_moved_into_another_function)
{
  static const struct {
    double count;
    const char *base, *head; /* what it calls */
    bool found;
  } cases[] = {{1000, "", "", true},      {1104, "", "", true},           {1107, "", "", false},
               {905, "", "", true},       {903, "", "", false},           {5000, "x", "x", true},
               {5000, "xy", "yz", false}, {5000, "xyzab", "xyzcd", true}, {5000, "xyz", "xab", false},
               {1000, "x", "y", true}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    scene_pair p;
    pair_new(&p, "");
    uint32_t base = loop(p.base, scene_main(p.base), "main", 5, 1000);
    uint32_t head = scene_function(p.head, scene_main(p.head), "helper", scene_one, 0);
    head = loop(p.head, head, "helper", 3, cases[i].count);
    for (const char *c = cases[i].base; *c; c++)
      function(p.base, base, (char[]){*c, 0}, 1000);
    for (const char *c = cases[i].head; *c; c++)
      function(p.head, head, (char[]){*c, 0}, cases[i].count);
    pair_compare(&p);
    if ((p.comparison.base_of[head] == base) != cases[i].found)
      fail_msg("case %zu", i);
    pair_free(&p);
  }
}

/* Of several loops the one that is most alike: as often exactly before nearly, and with the same calls before others.
 */
TEST(the_loop_most_alike_has_moved)
{
  static const struct {
    double counts[2];
    const char *calls[2];
    int found;
  } cases[] = {{{1050, 1000}, {"", ""}, 1},
               {{1000, 1050}, {"", ""}, 0},
               {{1000, 1000}, {"y", "x"}, 1},
               {{1000, 1050}, {"", "x"}, 1},
               {{1000, 1050}, {"x", "x"}, 0}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    scene_pair p;
    pair_new(&p, "");
    bool calls = *cases[i].calls[0] || *cases[i].calls[1];
    uint32_t base = loop(p.base, scene_main(p.base), "main", 5, 1000), heads[2];
    if (calls)
      function(p.base, base, "x", 1000);
    uint32_t helper = scene_function(p.head, scene_main(p.head), "helper", scene_one, 0);
    for (size_t k = 0; k < 2; k++) {
      heads[k] = loop(p.head, helper, "helper", 30 + (uint32_t)k, cases[i].counts[k]);
      for (const char *c = cases[i].calls[k]; *c; c++)
        function(p.head, heads[k], (char[]){*c, 0}, cases[i].counts[k]);
    }
    pair_compare(&p);
    assert_int_equal(p.comparison.head_of[base], heads[cases[i].found]);
    assert_int_equal(p.comparison.base_of[heads[1 - cases[i].found]], SC_COMPARE_NONE);
    pair_free(&p);
  }
}

/* Whatever is below what was found is found with it. */
TEST(what_is_below_comes_along)
{
  scene_pair p;
  pair_new(&p, "");
  uint32_t base = loop(p.base, scene_main(p.base), "main", 5, 1000);
  uint32_t helper = scene_function(p.head, scene_main(p.head), "helper", scene_one, 0);
  uint32_t head = loop(p.head, helper, "helper", 3, 1000);
  uint32_t before = function(p.base, function(p.base, base, "work", 1000), "deep", 3000);
  uint32_t after = function(p.head, function(p.head, head, "work", 1000), "deep", 3000);
  pair_compare(&p);
  assert_int_equal(p.comparison.base_of[after], before);
  assert_int_equal(p.comparison.base_of[sc_graph_parent(p.head, after)], sc_graph_parent(p.base, before));
  assert_int_equal(p.comparison.matched, 5);
  assert_int_equal(p.comparison.renamed, 1); /* the loop stands in another function now */
  pair_free(&p);
}
