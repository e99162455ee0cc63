/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where programs wait that are known: seconds of each place at any size, and findings for what they wait in. */
#include "unit.h"

#include "transitions/findings/findings.h"
#include "transitions/model/elapsed.h"
#include "transitions/model/waiting.h"
#include "transitions_resources_scene.h"

static const double sizes[] = {10, 20, 40, 80, 160, 320};
static const double target[] = {3200};
static const double PER_ITEM = 1e-2; /* seconds of processor time */

typedef struct world {
  sc_graph *graph;
  sc_analysis *analysis;
  uint32_t main, items, pairs;
} world;

/* Seconds that a call from the loop waits at n. */
typedef double (*waited)(double n);

static double never(double n) { return 0 * n; }
static double per_item(double n) { return 1e-3 * n; }
static double per_pair(double n) { return 1e-4 * n * n; }
static double longer_each(double n) { return 1e-5 * n * n; }
static double a_little(double n) { return 1e-7 * n * n; }

static void add_waits(world *w, uint32_t context, enum sc_resource_class is, const char *via, waited of)
{
  static const double factors[] = {1.03, 0.98, 1.01, 0.97, 1.02, 0.99};
  uint32_t what = scene_resource(w->graph, is, sc_resource_class_name(is), 0);
  for (size_t i = 0; i < COUNT(sizes) && of != never; i++) {
    double seconds = of(sizes[i]) * factors[i];
    sc_usage usage = {.via = via, .event = SC_USAGE_EVENT_WAIT, .line = 41};
    usage.values[SC_USAGE_WAITS] = sizes[i];
    usage.values[SC_USAGE_WAIT_SECONDS] = seconds;
    scene_usage(w->graph, i, context, what, &usage);
    sc_run *run = sc_graph_run(w->graph, i);
    run->waits[is == SC_RESOURCE_SLEEP ? SC_WAIT_SLEEP : SC_WAIT_IO] += seconds;
    run->wall_seconds += seconds;
  }
}

/* A loop over n items that computes, and one over all pairs that costs next to nothing. */
static world begin(void)
{
  world w = {.graph = scene_new(sizes, COUNT(sizes), "task-clock")};
  w.main = scene_main(w.graph);
  w.items = scene_loop(w.graph, w.main, "main", 3, scene_n, PER_ITEM);
  w.pairs = scene_loop(w.graph, w.main, "main", 5, scene_square, 1e-9);
  for (size_t i = 0; i < COUNT(sizes); i++) {
    sc_run *run = sc_graph_run(w.graph, i);
    run->user_seconds = PER_ITEM * sizes[i];
    run->wall_seconds = run->user_seconds;
    run->has_waits = true;
    run->threads = 1;
  }
  return w;
}

static void analyse(world *w) { w->analysis = scene_analyse(w->graph, target, 1); }

static void end(world *w) { scene_end(w->graph, w->analysis, NULL); }

static const sc_waiting_place *only_place(const world *w)
{
  size_t count;
  const sc_waiting_place *places = sc_waiting_places(w->analysis, &count);
  assert_int_equal(count, 1);
  return places;
}

static void expect_seconds(const world *w, const sc_waiting_place *place, double truth)
{
  sc_interval at;
  assert_int_equal(sc_waiting_predict(w->analysis, place, 3200, &at), 0);
  if (!(fabs(at.value / truth - 1) < 0.1 && at.low <= truth && at.high >= truth))
    fail_msg("%g (%g to %g) instead of %g", at.value, at.low, at.high, truth);
}

TEST(seconds_go_with_the_executions_of_their_place)
{
  world w = begin();
  add_waits(&w, w.items, SC_RESOURCE_SLEEP, "usleep", per_item);
  analyse(&w);
  const sc_waiting_place *place = only_place(&w);
  assert_true(place->context == w.items && place->line == 41 && place->spot_line == 41);
  assert_true(place->kind == SC_WAIT_SLEEP && place->blocks && place->waits == 320);
  assert_string_equal(place->via, "usleep");
  expect_seconds(&w, place, per_item(3200));
  assert_true(sc_waiting_model(w.analysis, place, 3200)->order.exponent == 1);
  assert_false(sc_waiting_overlaps(w.analysis));
  assert_int_not_equal(sc_waiting_predict(w.analysis, place, 0, &(sc_interval){0}), 0);
  end(&w);
}

/* As often as there are items, and each time longer. */
TEST(waits_that_get_longer_grow_faster_than_their_calls)
{
  world w = begin();
  add_waits(&w, w.items, SC_RESOURCE_IO, "read", longer_each);
  analyse(&w);
  expect_seconds(&w, only_place(&w), longer_each(3200));
  assert_true(sc_waiting_model(w.analysis, only_place(&w), 3200)->order.exponent == 2);
  end(&w);
}

/* A busy machine makes calls last until there is a processor again: with one thread that is taken out, and the place is
 * predicted like the time that passes. */
TEST(ready_time_is_not_waited_at_a_place)
{
  static const double ready[] = {0.02, 0, 0.05, 0.01, 0.2, 0.9};
  for (unsigned threads = 1; threads < 3; threads++) {
    world w = begin();
    sc_interval at;
    add_waits(&w, w.items, SC_RESOURCE_SLEEP, "usleep", longer_each);
    for (size_t i = 0; i < COUNT(sizes); i++) {
      sc_run *run = sc_graph_run(w.graph, i);
      sc_usage usage = {.via = "usleep", .event = SC_USAGE_EVENT_WAIT, .line = 41};
      usage.values[SC_USAGE_WAIT_SECONDS] = ready[i];
      scene_usage(w.graph, i, w.items,
                  scene_resource(w.graph, SC_RESOURCE_SLEEP, sc_resource_class_name(SC_RESOURCE_SLEEP), 0), &usage);
      run->waits[SC_WAIT_RUNNABLE] = ready[i];
      run->wall_seconds += ready[i];
      run->threads = threads;
    }
    analyse(&w);
    const sc_waiting_place *place = only_place(&w);
    assert_int_equal(sc_waiting_predict(w.analysis, place, 3200, &at), 0);
    if ((fabs(at.value / longer_each(3200) - 1) < 0.1) != (threads == 1))
      fail_msg("%u threads: %g instead of %g", threads, at.value, longer_each(3200));
    if (threads == 1)
      assert_true(sc_waiting_model(w.analysis, place, 3200)->order.exponent == 2);
    end(&w);
  }
}

static const sc_finding *finding_at(const sc_findings *findings, uint32_t context)
{
  for (size_t i = 0; i < findings->count; i++)
    if (findings->list[i].context == context)
      return &findings->list[i];
  return NULL;
}

/* The loop over pairs is nothing to the processor: what is waited in it decides. */
TEST(a_loop_is_a_finding_by_what_it_waits)
{
  static const struct {
    waited of;
    bool found;
  } cases[] = {{never, false}, {a_little, false}, {per_pair, true}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    world w = begin();
    sc_findings findings;
    add_waits(&w, w.pairs, SC_RESOURCE_SLEEP, "nanosleep", cases[i].of);
    analyse(&w);
    assert_int_equal(sc_findings_infer(w.analysis, &findings), 0);
    const sc_finding *f = finding_at(&findings, w.pairs);
    assert_true(f && f->superlinear);
    assert_true((f->severity == SC_SEVERITY_ERROR) == cases[i].found);
    assert_true((strstr(f->evidence, "calls in it wait") != NULL) == cases[i].found);
    assert_true((f->waiting_share > 0.9) == cases[i].found);
    if (cases[i].found)
      assert_true(fabs(f->predictions[0].waiting / per_pair(3200) - 1) < 0.1 && f->predictions[0].waiting_share > 0.9);
    sc_findings_free(&findings);
    end(&w);
  }
}

/* Two threads: their seconds are twice those that pass. Waits for threads to end are told by what those wait for. */
TEST(threads_overlap_and_joins_are_no_cause)
{
  world w = begin();
  double seconds, share;
  add_waits(&w, w.items, SC_RESOURCE_IO, "fsync", per_item);
  add_waits(&w, w.main, SC_RESOURCE_THREAD, "pthread_join", per_item);
  add_waits(&w, w.items, SC_RESOURCE_MUTEX, "pthread_mutex_lock", a_little);
  for (size_t i = 0; i < COUNT(sizes); i++)
    sc_graph_run(w.graph, i)->threads = 2;
  analyse(&w);
  size_t count;
  const sc_waiting_place *places = sc_waiting_places(w.analysis, &count);
  assert_int_equal(count, 2);
  assert_true(places[0].kind == SC_WAIT_IO && places[1].kind == SC_WAIT_LOCK && !places[1].blocks);
  assert_true(sc_waiting_overlaps(w.analysis));
  assert_int_equal(sc_elapsed_waited(w.analysis, &w.items, 1, 3200, &seconds, &share), 0);
  assert_true(fabs(seconds / per_item(3200) - 1) < 0.1 && share < 0.5);
  assert_int_equal(sc_elapsed_waited(w.analysis, &w.pairs, 1, 3200, &seconds, &share), 0);
  assert_true(seconds == 0 && share == 0);
  end(&w);
}

/* What waits behind something that takes longer at the sizes measured passes by itself beyond; not where there are as
 * many more threads. */
TEST(hidden_waits_pass_beyond)
{
  for (unsigned more = 0; more < 2; more++) {
    world w = begin();
    sc_interval at;
    sc_elapsed_parts parts;
    add_waits(&w, w.items, SC_RESOURCE_SLEEP, "usleep", per_item);
    for (size_t i = 0; i < COUNT(sizes); i++) {
      sc_run *run = sc_graph_run(w.graph, i);
      run->threads = 2 + more * i;
      run->waits[SC_WAIT_SLEEP] = 0.5;
      run->wall_seconds = run->user_seconds + 0.5;
    }
    analyse(&w);
    assert_int_equal(sc_analysis_elapsed(w.analysis, 3200, &at), 0);
    assert_int_equal(sc_analysis_elapsed_parts(w.analysis, 3200, &parts), 0);
    double waiting = more ? 0.5 : 3.2, truth = PER_ITEM * 3200 + waiting;
    assert_true(fabs(parts.waits[SC_WAIT_SLEEP] / waiting - 1) < 0.05);
    assert_true(fabs(at.value / truth - 1) < 0.05 && at.low <= truth && at.high >= truth);
    end(&w);
  }
}

/* What calls wait for is no resource: nobody holds it, and no rule is about it. */
TEST(waits_of_calls_are_no_resources)
{
  world w = begin();
  size_t count;
  add_waits(&w, w.items, SC_RESOURCE_SLEEP, "usleep", per_pair);
  analyse(&w);
  sc_resources *r = scene_resources(w.analysis, SC_PARAMETER_WORK);
  (void)sc_resources_findings(r, &count);
  assert_int_equal(count, 0);
  const sc_resource_series *series = sc_resources_series(r, 0, SC_USAGE_NONE, SC_RMETRIC_WAIT_TOTAL);
  for (size_t i = 0; series && i < series->count; i++)
    assert_true(series->values[i] == 0);
  sc_resources_free(r);
  end(&w);
}

TEST(nothing_waits)
{
  world w = begin();
  size_t count;
  analyse(&w);
  (void)sc_waiting_places(w.analysis, &count);
  assert_int_equal(count, 0);
  end(&w);
}
