/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Both sides of a comparison: means of repeats, what locations and contexts take, and what one has more. */
#include "unit.h"

#include "transitions/compare/internal.h"
#include "transitions_resources_scene.h"

static const double sizes[] = {100, 200, 400, 800, 1600};
static const double targets[] = {16000, 3200};
enum { SIZES = 5 };

static double three_n(double n) { return 3 * n; }
static double half_n(double n) { return n / 2; }

/* main > work (n, 1 us each) > its loop (3 n or n / 2, 2 us each), and once more in another function. */
typedef struct side {
  sc_graph *graph;
  sc_analysis *analysis;
  uint32_t main, work, loop, other, again, once, rest;
} side;

static side make(scene_curve steps, bool more)
{
  side s = {.graph = scene_new(sizes, SIZES, "task-clock")};
  s.main = scene_main(s.graph);
  s.work = scene_function(s.graph, s.main, "work", scene_n, 1e-6);
  s.loop = scene_loop(s.graph, s.work, "work", 5, steps, 2e-6);
  s.other = scene_function(s.graph, s.main, "other", scene_one, 0);
  s.again = scene_function(s.graph, s.other, "work", scene_n, 1e-6);
  if (more)
    s.once = scene_loop(s.graph, s.again, "work", 5, scene_n, 2e-6);
  s.analysis = scene_analyse(s.graph, targets, 2);
  return s;
}

static sc_compared compared(const side *base, const side *head, sc_compare_side in[2], sc_comparison *out)
{
  in[0] = (sc_compare_side){.analysis = base->analysis};
  in[1] = (sc_compare_side){.analysis = head->analysis};
  sc_compared c = {.out = out, .targets = targets, .target_count = 2, .horizon = 16000};
  assert_int_equal(sc_sides_open(&c, &in[0], &in[1]), 0);
  return c;
}

TEST(a_side_has_what_its_contexts_take)
{
  side base = make(three_n, false), head = make(half_n, true);
  sc_compare_side in[2];
  sc_comparison out = {0};
  sc_compared c = compared(&base, &head, in, &out);
  const sc_side *s = &c.base;
  assert_true(s->size_count == SIZES && s->sizes[0] == 100 && s->sizes[4] == 1600 && s->contexts == 7);
  for (size_t i = 0; i < SIZES; i++) {
    assert_true(sc_sides_curve(s, base.loop)[i] == 3 * sizes[i]);
    assert_true(sc_sides_curve(s, 0)[i] == 1); /* what is not counted */
    uint32_t place = sc_graph_location_of(base.graph, base.work);
    assert_true(s->totals[place * SIZES + i] == 2 * sizes[i]); /* of both contexts */
  }
  assert_true(sc_model_value(sc_sides_model(s, 0), 5000) == 1);
  assert_true(sc_model_value(sc_sides_model(s, base.loop), 5000) == 15000);
  const sc_place *work = &s->places[sc_graph_location_of(base.graph, base.work)];
  const sc_place *loop = &s->places[sc_graph_location_of(base.graph, base.loop)];
  assert_true(work->count == 2 && work->first == base.work && s->next[base.work] == base.again &&
              s->next[base.again] == 0);
  assert_true(work->function == SC_NONE && loop->count == 1 &&
              loop->function == sc_graph_location_of(base.graph, base.work));
  assert_string_equal(loop->file, "scene.c");
  /* at 16,000: 16 ms of work itself, 96 ms of its loop, 16 ms once more */
  unit_near(s->own_cost[base.work], 16e-3);
  unit_near(s->own_cost[base.loop], 96e-3);
  unit_near(s->cost[base.work], 112e-3);
  unit_near(s->cost[base.other], 16e-3);
  unit_near(s->total_cost, 128e-3);
  unit_near(s->own_work[base.loop], 48000);
  unit_near(s->work[base.work], 64000);
  unit_near(s->total_work, 48000 + 2 * 16000 + 2);
  unit_near(s->share[base.work], fmax(112.0 / 128, 64000.0 / 80002)); /* the most at either target */
  unit_near(s->share[base.other], fmax(16.0 / 128, fmax(16001.0 / 80002, 3201.0 / (5 * 3200 + 2))));
  assert_true(s->share[0] == 1);
  assert_int_equal(sc_sides_matched_above(s, base.loop), 0); /* nothing is matched yet */
  sc_sides_close(&c);
  scene_end(base.graph, base.analysis, NULL);
  scene_end(head.graph, head.analysis, NULL);
}

/* At its own prices: of the loop the head has a sixth, of the other call a loop more. */
TEST(what_one_side_has_more)
{
  side base = make(three_n, false), head = make(half_n, true);
  sc_compare_side in[2];
  sc_comparison out = {0};
  sc_compared c = compared(&base, &head, in, &out);
  const uint32_t pairs[][2] = {{0, 0},
                               {1, 1},
                               {base.main, head.main},
                               {base.work, head.work},
                               {base.loop, head.loop},
                               {base.other, head.other},
                               {base.again, head.again}};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    c.base.mate[pairs[i][0]] = pairs[i][1];
    c.head.mate[pairs[i][1]] = pairs[i][0];
  }
  assert_int_equal(sc_sides_matched_above(&c.head, head.once), head.again);
  assert_int_equal(sc_sides_weigh_added(&c), 0);
  unit_near(c.head.added_work[head.loop], 8000 - 48000);
  unit_near(c.head.added_cost[head.loop], (1 - 48000.0 / 8000) * 16e-3);
  unit_near(c.head.added_work[head.once], 16000);
  unit_near(c.head.added_cost[head.once], 32e-3);
  unit_near(c.head.added_work[head.other], 16000);
  unit_near(c.head.added_cost[head.other], 32e-3);
  unit_near(c.head.added_work[head.main], 16000 - 40000);
  unit_near(c.base.added_work[base.loop], 40000);
  unit_near(c.base.added_cost[base.loop], 96e-3 * 5 / 6);
  unit_near(c.base.added_work[base.main], 40000); /* without the loop that only the head has */
  assert_true(fabs(c.base.added_cost[base.again]) < 1e-12);
  sc_sides_close(&c);
  scene_end(base.graph, base.analysis, NULL);
  scene_end(head.graph, head.analysis, NULL);
}

/* Repeats: the mean of each size. */
TEST(curves_are_means_of_repeats)
{
  sc_graph *graph = scene_repeats(sizes, SIZES, 2);
  uint32_t loop = scene_loop(graph, scene_main(graph), "main", 5, three_n, 0);
  for (size_t run = 1; run < 2 * SIZES; run += 2)
    assert_int_equal(sc_graph_add(graph, run, loop, SC_METRIC_COUNT, 10), 0);
  sc_analysis *analysis = scene_analyse(graph, targets, 2);
  side both = {.graph = graph, .analysis = analysis};
  sc_compare_side in[2];
  sc_comparison out = {0};
  sc_compared c = compared(&both, &both, in, &out);
  assert_int_equal(c.head.size_count, SIZES);
  for (size_t i = 0; i < SIZES; i++)
    assert_true(sc_sides_curve(&c.head, loop)[i] == 3 * sizes[i] + 5);
  sc_sides_close(&c);
  scene_end(graph, analysis, NULL);
}

/* What a baseline left out is there in full on the other side, and no addition to it. */
TEST(what_was_left_out_is_no_addition)
{
  side base = {.graph = scene_new(sizes, SIZES, "")}, head = {.graph = scene_new(sizes, SIZES, "")};
  base.main = scene_main(base.graph);
  base.rest = scene_function(base.graph, base.main, SC_COMPARE_REST, three_n, 0);
  head.main = scene_main(head.graph);
  head.loop = scene_loop(head.graph, head.main, "main", 5, three_n, 0);
  head.once = scene_loop(head.graph, head.main, "main", 9, scene_n, 0);
  base.analysis = scene_analyse(base.graph, targets, 2);
  head.analysis = scene_analyse(head.graph, targets, 2);
  sc_compare_side in[2];
  sc_comparison out = {0};
  sc_compared c = compared(&base, &head, in, &out);
  assert_true(sc_sides_is_rest(&c.base, base.rest) && !sc_sides_is_rest(&c.base, base.main));
  for (uint32_t i = 0; i <= 2; i++) /* root, process and main */
    c.base.mate[i] = c.head.mate[i] = i;
  assert_int_equal(sc_sides_weigh_added(&c), 0);
  unit_near(c.head.added_work[head.main], 4 * 16000 - 3 * 16000);
  unit_near(c.head.added_work[head.loop], 3 * 16000);
  sc_sides_close(&c);
  scene_end(base.graph, base.analysis, NULL);
  scene_end(head.graph, head.analysis, NULL);
}
