/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which loop of a function is which: held against all alignments there are, of small functions; and by place in large
 * ones. */
#include "unit.h"

#include "transitions/compare/internal.h"
#include "transitions_compare_scene.h"
#include "transitions_resources_scene.h"

enum { MOST = 4 };

/* A function that both sides have, and loops or calls of a library in it. */
typedef struct item {
  uint32_t line, column;
  double count;
  const char *work; /* NULL: a loop */
} item;

static sc_graph *build(const item *items, size_t count, const char *function, uint32_t *contexts)
{
  sc_graph *graph = scene_new(pair_sizes, 5, "");
  uint32_t f = scene_function_at(graph, scene_main(graph), function, function, "f.c", 1, scene_one, 0);
  for (size_t i = 0; i < count; i++) {
    sc_location at = {.kind = items[i].work ? SC_LOCATION_WORK : SC_LOCATION_LOOP,
                      .name = items[i].work ? items[i].work : function,
                      .file = "f.c",
                      .line = items[i].line,
                      .column = items[i].column,
                      .nth = items[i].work ? SC_UNIT_BYTES : 0};
    contexts[i] = scene_context(graph, f, &at);
    pair_times = items[i].count;
    scene_fill(graph, contexts[i], pair_lines, 0);
  }
  return graph;
}

typedef struct sides {
  sc_graph *graphs[2];
  sc_analysis *analyses[2];
  sc_compare_side in[2];
  sc_compared c;
  uint32_t *contexts[2]; /* of the items */
  size_t counts[2];
} sides;

/* Nothing but the function "f" has its counterpart yet. */
static void open_sides(sides *s, const item *base, size_t bases, const item *head, size_t heads)
{
  *s = (sides){.counts = {bases, heads}};
  for (int i = 0; i < 2; i++) {
    s->contexts[i] = calloc(s->counts[i] + 1, sizeof *s->contexts[i]);
    assert_non_null(s->contexts[i]);
    s->graphs[i] = build(i ? head : base, s->counts[i], "f", s->contexts[i]);
    s->analyses[i] = scene_analyse(s->graphs[i], pair_targets, 2);
    s->in[i].analysis = s->analyses[i];
  }
  s->c = (sc_compared){.targets = pair_targets, .target_count = 2, .horizon = 160000};
  unit_ok(sc_sides_open(&s->c, &s->in[0], &s->in[1]));
  uint32_t f[2];
  sc_side *side[] = {&s->c.base, &s->c.head};
  for (int i = 0; i < 2; i++)
    f[i] = sc_graph_location_of(s->graphs[i], sc_graph_parent(s->graphs[i], s->contexts[i][0]));
  side[0]->places[f[0]].mate = f[1];
  side[1]->places[f[1]].mate = f[0];
}

static void close_sides(sides *s)
{
  sc_sides_close(&s->c);
  for (int i = 0; i < 2; i++) {
    sc_analysis_free(s->analyses[i]);
    sc_graph_free(s->graphs[i]);
    free(s->contexts[i]);
  }
}

static uint32_t place(const sides *s, int side, size_t i)
{
  return sc_graph_location_of(s->graphs[side], s->contexts[side][i]);
}

/* The item of the head that one of the base is taken for, or -1. */
static int mate_of(const sides *s, size_t i)
{
  uint32_t mate = s->c.base.places[place(s, 0, i)].mate;
  for (size_t k = 0; k < s->counts[1]; k++)
    if (place(s, 1, k) == mate) {
      assert_int_equal(s->c.head.places[mate].mate, place(s, 0, i));
      return (int)k;
    }
  assert_int_equal(mate, SC_NONE);
  return -1;
}

/* The most that pairs in the same order come to, from these items on. */
static double best_from(const sides *s, size_t i, size_t k)
{
  if (i == s->counts[0] || k == s->counts[1])
    return 0;
  double both = sc_likeness_loops(&s->c, place(s, 0, i), place(s, 1, k)) + best_from(s, i + 1, k + 1);
  return fmax(both, fmax(best_from(s, i + 1, k), best_from(s, i, k + 1)));
}

/* Functions of up to four loops at random, in the order of their lines: pairs keep the order, and no other alignment
 * comes to more. */
TEST(loops_are_aligned_as_well_as_can_be)
{
  scene_seed = 11;
  size_t paired = 0, skipped = 0;
  for (int round = 0; round < 60; round++) {
    item items[2][MOST];
    size_t counts[2];
    for (int side = 0; side < 2; side++) {
      counts[side] = 1 + (size_t)(scene_uniform() * MOST);
      uint32_t line = 2;
      for (size_t i = 0; i < counts[side]; i++) {
        line += (uint32_t)(scene_uniform() * 3);
        bool same = i && items[side][i - 1].line == line;
        items[side][i] = (item){line, same ? items[side][i - 1].column + 2 : 3, floor(1 + 3 * scene_uniform()), NULL};
      }
    }
    sides s;
    open_sides(&s, items[0], counts[0], items[1], counts[1]);
    unit_ok(sc_loops_align(&s.c));
    double sum = 0;
    int last = -1;
    for (size_t i = 0; i < counts[0]; i++) {
      int mate = mate_of(&s, i);
      if (mate < 0) {
        skipped++;
        continue;
      }
      assert_true(mate > last);
      last = mate;
      sum += sc_likeness_loops(&s.c, place(&s, 0, i), place(&s, 1, (size_t)mate));
      paired++;
    }
    unit_near(sum, best_from(&s, 0, 0));
    close_sides(&s);
  }
  assert_true(paired > 50 && skipped > 10);
}

/* Calls of library functions are aligned by themselves: another function is another call, and loops are none. */
TEST(calls_are_aligned_apart_from_loops)
{
  static const item base[] = {{5, 1, 1, "strlen"}, {6, 1, 1, NULL}, {7, 1, 1, "memcpy"}, {8, 1, 1, "strlen"}};
  static const item head[] = {{4, 1, 1, NULL}, {5, 1, 1, "memcpy"}, {6, 1, 1, "strlen"}};
  sides s;
  open_sides(&s, base, 4, head, 3);
  unit_ok(sc_loops_align(&s.c));
  assert_int_equal(mate_of(&s, 0), -1); /* the two others keep their order */
  assert_int_equal(mate_of(&s, 1), 0);
  assert_int_equal(mate_of(&s, 2), 1);
  assert_int_equal(mate_of(&s, 3), 2);
  close_sides(&s);
}

/* Of up to 300 loops the moved ones are found; of more those at the same place alone, in the same line and column. */
TEST(loops_of_large_functions_are_the_same_where_they_stood)
{
  static const struct {
    size_t bases, heads;
    bool aligned;
  } cases[] = {{300, 300, true}, {301, 2, false}, {2, 301, false}};
  static item base[302], head[302];
  for (size_t i = 0; i < COUNT(cases); i++) {
    sides s;
    for (size_t k = 0; k < 302; k++) {
      base[k] = (item){10 + 10 * (uint32_t)k, 3, 1, NULL};
      head[k] = (item){10 + 10 * (uint32_t)k + (k ? 1 : 0), 3, 1, NULL}; /* but for the first one */
    }
    open_sides(&s, base, cases[i].bases, head, cases[i].heads);
    unit_ok(sc_loops_align(&s.c));
    assert_int_equal(mate_of(&s, 0), 0);
    assert_int_equal(mate_of(&s, 1), cases[i].aligned ? 1 : -1);
    close_sides(&s);
  }
}

/* The same place is that of the line, the column and the number there, whatever stands between. */
TEST(places_of_large_functions_are_compared_in_order)
{
  static item base[310], head[310];
  static const item own[] = {{5, 3, 1, NULL}, {5, 7, 1, NULL}, {9, 3, 1, NULL}, {11, 3, 1, NULL}};
  static const item others[] = {{4, 3, 1, NULL}, {5, 7, 1, NULL}, {9, 2, 1, NULL}, {11, 3, 1, NULL}, {12, 3, 1, NULL}};
  memcpy(base, own, sizeof own);
  memcpy(head, others, sizeof others);
  for (size_t k = 0; k < 300; k++)
    base[4 + k] = (item){100 + (uint32_t)k, 1, 1, NULL};
  sides s;
  open_sides(&s, base, 304, head, 5);
  unit_ok(sc_loops_align(&s.c));
  static const int mates[] = {-1, 1, -1, 3};
  for (size_t i = 0; i < 4; i++)
    assert_int_equal(mate_of(&s, i), mates[i]);
  close_sides(&s);
}

/* Calls there are of the same function, too. */
TEST(calls_of_large_functions_are_of_one_function)
{
  static item base[302];
  static const item head[] = {{10, 3, 1, "strlen"}, {20, 3, 1, "memcpy"}, {30, 3, 1, "strlen"}};
  for (size_t k = 0; k < 302; k++)
    base[k] = (item){10 + 10 * (uint32_t)k, 3, 1, "strlen"};
  sides s;
  open_sides(&s, base, 302, head, 3);
  unit_ok(sc_loops_align(&s.c));
  static const int mates[] = {0, -1, 2};
  for (size_t i = 0; i < 3; i++)
    assert_int_equal(mate_of(&s, i), mates[i]);
  close_sides(&s);
}

/* Loops of functions that are not the same are others, however alike they are. */
TEST(loops_of_other_functions_are_others)
{
  static const item loops[] = {{5, 3, 1, NULL}, {7, 3, 1, NULL}};
  sides s;
  open_sides(&s, loops, 2, loops, 2);
  uint32_t f = sc_graph_location_of(s.graphs[0], sc_graph_parent(s.graphs[0], s.contexts[0][0]));
  s.c.base.places[f].mate = SC_NONE;
  unit_ok(sc_loops_align(&s.c));
  assert_true(mate_of(&s, 0) == -1 && mate_of(&s, 1) == -1);
  close_sides(&s);
}
