/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What of the elapsed time is waiting, and where: parts that are set by hand. */
#include "unit.h"

#include <stdlib.h>

#include "profiles/graph/usage.h"
#include "transitions/model/data.h"
#include "transitions/model/elapsed.h"
#include "transitions/model/waiting.h"
#include "transitions_scene.h"

enum { SIZES = 5 };
static const double sizes[] = {100, 200, 400, 800, 1600};

TEST(mostly_is_more_than_half)
{
  for (int more = 0; more < 2; more++) {
    sc_elapsed_parts parts = {.processor = 6};
    parts.waits[SC_WAIT_RUNNABLE] = 1;
    parts.waits[SC_WAIT_SLEEP] = 2;
    parts.waits[SC_WAIT_KINDS - 1] = more ? 3.01 : 3;
    assert_true(sc_elapsed_parts_mostly_wait(&parts) == more);
  }
}

/* Below 10 ms waiting is chance: a start and a time slice of others. */
TEST(short_runs_tell_no_share)
{
  for (int longer = 0; longer < 2; longer++) {
    sc_elapsed_parts parts = {.processor = 0.001};
    parts.waits[SC_WAIT_RUNNABLE] = longer ? 0.0091 : 0.0089;
    assert_true(sc_elapsed_parts_mostly_wait(&parts) == longer);
  }
}

TEST(kinds_of_waits)
{
  static const struct {
    enum sc_resource_class of;
    bool waits;
    enum sc_wait_kind kind;
  } cases[] = {{SC_RESOURCE_SLEEP, true, SC_WAIT_SLEEP},
               {SC_RESOURCE_IO, true, SC_WAIT_IO},
               {SC_RESOURCE_PROCESS, true, SC_WAIT_PROCESS},
               {SC_RESOURCE_OTHER, true, SC_WAIT_OTHER},
               {SC_RESOURCE_THREAD, false, 0},
               {SC_RESOURCE_MUTEX, true, SC_WAIT_LOCK},
               {SC_RESOURCE_BARRIER, true, SC_WAIT_LOCK}};
  sc_graph *graph = scene_new(sizes, SIZES, "");
  for (size_t i = 0; i < COUNT(cases); i++) {
    sc_usage row = {.values = {[SC_USAGE_WAIT_SECONDS] = 1}};
    enum sc_wait_kind kind = 0;
    assert_int_equal(sc_usage_resource(graph, &(sc_resource){cases[i].of, "r", "", 0}, &row.resource), 0);
    assert_true(sc_waiting_kind(graph, &row, &kind) == cases[i].waits && (!cases[i].waits || kind == cases[i].kind));
    row.values[SC_USAGE_WAIT_SECONDS] = i % 2 ? 0 : INFINITY;
    assert_false(sc_waiting_kind(graph, &row, &kind));
  }
  sc_graph_free(graph);
}

/* main > outer (n) > inner (n, the same counts) and other (n^2). */
typedef struct scene {
  sc_graph *graph;
  uint32_t outer, inner, other;
  sc_analysis *a;
} scene;

static scene open_scene(void)
{
  scene s = {.graph = scene_new(sizes, SIZES, "")};
  uint32_t main = scene_main(s.graph);
  s.outer = scene_loop(s.graph, main, "main", 3, scene_n, 0);
  s.inner = scene_function(s.graph, s.outer, "inner", scene_n, 0);
  s.other = scene_loop(s.graph, main, "main", 9, scene_square, 0);
  s.a = scene_analyse(s.graph, (double[]){1000}, 1);
  return s;
}

static void close_scene(scene *s)
{
  sc_analysis_free(s->a);
  sc_graph_free(s->graph);
}

static void add(sc_blend *blend, uint32_t model, double value)
{
  assert_int_equal(sc_blend_add(blend, &(sc_blend_part){.model = model, .value = value, .low = value, .high = value}),
                   0);
}

/* Of 1,000 n is 4 s, n^2 3 s, and 0.9 or 1.1 s are ready time: more than half goes with n, or not. */
TEST(waiting_goes_with_the_innermost_of_a_count)
{
  for (int more = 0; more < 2; more++) {
    scene s = open_scene();
    sc_elapsed_place place;
    struct sc_elapsed *e = &s.a->elapsed;
    add(&e->waiting, SC_SERIES_ONE, 0.5);
    add(&e->waiting, s.a->series[s.other], 2.5e-6);
    add(&e->waiting, s.a->series[s.inner], 4e-3);
    add(&e->ready, SC_SERIES_ONE, more ? 1.1 : 0.9);
    assert_false(sc_elapsed_goes_with(s.a, 1000, &place)); /* nothing is known */
    e->known = true;
    assert_true(sc_elapsed_goes_with(s.a, 1000, &place) == !more);
    if (!more)
      assert_true(place.context == s.inner && place.others == 1 && place.each == 4e-3);
    assert_ptr_equal(sc_elapsed_model(s.a, 1000), &s.a->models[s.a->series[s.inner]]);
    assert_ptr_equal(sc_elapsed_model(s.a, 10000), &s.a->models[s.a->series[s.other]]);
    assert_ptr_equal(sc_elapsed_model(s.a, 1), &s.a->models[SC_SERIES_ONE]);
    close_scene(&s);
  }
}

TEST(parts_of_the_elapsed_time)
{
  scene s = open_scene();
  struct sc_elapsed *e = &s.a->elapsed;
  sc_elapsed_parts parts;
  sc_interval at;
  e->known = e->measured = true;
  e->rate = e->rate_low = e->rate_high = 1;
  add(&e->processor, s.a->series[s.outer], 2e-3);
  add(&e->waiting, s.a->series[s.outer], 1e-3);
  add(&e->ready, s.a->series[s.outer], 5e-4);
  e->shares[SC_WAIT_SLEEP] = 0.75;
  e->shares[SC_WAIT_IO] = 0.25;
  assert_int_equal(sc_analysis_elapsed_parts(s.a, 1000, &parts), 0);
  unit_near(parts.processor, 2);
  unit_near(parts.waits[SC_WAIT_SLEEP], 0.75);
  unit_near(parts.waits[SC_WAIT_IO], 0.25);
  unit_near(parts.waits[SC_WAIT_RUNNABLE], 0.5);
  assert_true(parts.measured && !sc_elapsed_mostly_waits(s.a, 1000));
  assert_int_equal(sc_analysis_elapsed(s.a, 1000, &at), 0);
  unit_near(at.value, 3.5);
  unit_near(sc_elapsed_expected(s.a, 1000), 3.5);
  /* of it what waits in a finding's contexts, by all threads */
  static const struct {
    uint32_t contexts[3];
    size_t count;
    double seconds;
  } cases[] = {{{0, 0, 0}, 3, 0},   {{1, 2, 3}, 3, 0.7}, {{2, 3, 9}, 3, 0.7}, {{3, 0, 0}, 1, 0.7},
               {{3, 4, 5}, 3, 0.9}, {{5, 6, 7}, 3, 0},   {{4, 0, 0}, 1, 0.2}, {{1, 2, 0}, 2, 0}};
  assert_true(s.outer == 3 && s.inner == 4);
  e->places = calloc(3, sizeof *e->places);
  e->place_count = 3;
  e->threads = 4;
  static const uint32_t at_context[] = {3, 4, 3};
  for (size_t i = 0; i < 3; i++) {
    e->places[i].context = at_context[i];
    e->places[i].blocks = i < 2; /* a lock's wait is another matter */
    add(&e->places[i].blend, s.a->series[s.outer], i == 0 ? 7e-4 : i == 1 ? 2e-4 : 9e-4);
  }
  for (size_t i = 0; i < COUNT(cases); i++) {
    double seconds, share;
    assert_int_equal(sc_elapsed_waited(s.a, cases[i].contexts, cases[i].count, 1000, &seconds, &share), 0);
    unit_near(seconds, cases[i].seconds);
    unit_near(share, cases[i].seconds / (3.5 * 4));
  }
  e->known = false;
  double seconds, share;
  assert_int_equal(sc_elapsed_waited(s.a, cases[1].contexts, 3, 1000, &seconds, &share), 0);
  assert_true(seconds == 0 && share == 0 && sc_elapsed_expected(s.a, 1000) == -1);
  close_scene(&s);
}
