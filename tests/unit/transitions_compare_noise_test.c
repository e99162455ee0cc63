/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How often two studies of the same program differ by chance: costs are made of samples, and the machine has its moods.
 * docs/diff.md has the figures that this prints. */
#include "unit.h"

#include <stdlib.h>

#include "transitions_compare_scene.h"

enum { LOCATIONS = 40, PAIRS = 300 };
static const double SAMPLE = 1e-3; /* seconds */

static uint64_t seed = 20240607;
static double uniform(void)
{
  seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return ((double)(seed >> 11) + 0.5) / 9007199254740992.0;
}
static double normal(void) { return sqrt(-2 * log(uniform())) * cos(6.283185307179586 * uniform()); }
static double poisson(double mean)
{
  if (mean > 50)
    return fmax(0, round(mean + sqrt(mean) * normal()));
  double limit = exp(-mean), product = uniform(), count = 0;
  for (; product > limit; product *= uniform())
    count++;
  return count;
}

typedef struct noise {
  double samples; /* in the largest run */
  double mood;    /* deviation of a study's speed */
  double apart;   /* the same of each location in a study */
  double dearer;  /* the first location's factor in the head */
} noise;

/* A program of many loops, sampled; some of them take most of the time. */
static sc_graph *sampled(const noise *what, double dearer)
{
  sc_graph *graph = scene_new(pair_sizes, 5, "task-clock");
  uint32_t main = scene_main(graph);
  double speed = exp(what->mood * normal()), total = 0;
  for (int i = 0; i < LOCATIONS; i++)
    total += 1.0 / (i + 1);
  for (uint32_t i = 0; i < LOCATIONS; i++) {
    char name[32];
    snprintf(name, sizeof name, "work%u", i);
    uint32_t function = scene_function(graph, main, name, scene_one, 0);
    uint32_t loop = scene_loop(graph, function, name, 10 * i + 3, scene_n, 0);
    double each = speed * exp(what->apart * normal()) * (i ? 1 : dearer) / (i + 1) / total;
    for (size_t run = 0; run < 5; run++) {
      double count = poisson(what->samples * each * pair_sizes[run] / pair_sizes[4]);
      assert_int_equal(sc_graph_add(graph, run, loop, SC_METRIC_COST, count * SAMPLE), 0);
      sc_graph_run(graph, run)->samples += (uint64_t)count;
    }
  }
  return graph;
}

typedef struct outcome {
  int alarms; /* diffs that are not empty */
  int found;  /* with the first location's cost in it */
} outcome;

static outcome simulate(const noise *what)
{
  outcome o = {0};
  for (int i = 0; i < PAIRS; i++) {
    scene_pair p = {sampled(what, 1), sampled(what, what->dearer)};
    pair_compare(&p);
    o.alarms += p.comparison.count > 0;
    for (size_t k = 0; k < p.comparison.count; k++)
      o.found += p.comparison.list[k].rule == SC_RULE_WORSE_COST && p.comparison.list[k].of == SC_CHANGE_OF_COST &&
                 strcmp(sc_graph_at(p.head, p.comparison.list[k].head.context)->name, "work0") == 0;
    pair_free(&p);
  }
  return o;
}

TEST(false_alarms)
{
  static const noise cases[] = {
      {100, 0, 0, 1}, {1000, 0, 0, 1}, {10000, 0, 0, 1}, {300, 0.15, 0.05, 1}, {3000, 0.15, 0.05, 1}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    outcome o = simulate(&cases[i]);
    print_message("%g samples, mood %g, apart %g: %d of %d diffs are not empty\n", cases[i].samples, cases[i].mood,
                  cases[i].apart, o.alarms, PAIRS);
    assert_true(o.alarms <= PAIRS / 100);
  }
}

/* What got dearer by more than noise is found, the surer the more samples there are. */
TEST(power)
{
  static const struct {
    noise what;
    int least; /* percent */
  } cases[] = {{{300, 0.05, 0.03, 2}, 60}, {{1000, 0.05, 0.03, 2}, 95}, {{3000, 0.02, 0.02, 1.6}, 90}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    outcome o = simulate(&cases[i].what);
    print_message("%g times the cost, %g samples: found in %d of %d\n", cases[i].what.dearer, cases[i].what.samples,
                  o.found, PAIRS);
    assert_true(o.found * 100 >= PAIRS * cases[i].least);
  }
}

/* What is said of it. */
TEST(dearer)
{
  static const noise what = {10000, 0, 0, 3};
  scene_pair p = {sampled(&what, 1), sampled(&what, what.dearer)};
  pair_compare(&p);
  const sc_change *change = pair_expect_one(&p, SC_RULE_WORSE_COST, SC_COMPARE_NONE);
  assert_int_equal(change->of, SC_CHANGE_OF_COST);
  assert_null(change->head.model);
  assert_true(change->factor > 2.6 && change->factor < 3.4);
  assert_true(change->confidence > 0.7 && change->confidence < 1);
  /* 10 s / 4.28 (the sum of 1/i up to 40) / 1,600 iterations */
  assert_true(change->base.predictions[0].value > 1.3e-3 && change->base.predictions[0].value < 1.6e-3);
  assert_non_null(strstr(change->evidence, "One iteration cost 1.4"));
  pair_free(&p);
}

/* Times of two machines are no news. */
TEST(other_machine)
{
  static const noise none = {10000, 0, 0, 1};
  static const char *const machines[][2] = {{"here", "there"}, {NULL, NULL}, {"here", NULL}};
  for (size_t i = 0; i < 3; i++) {
    scene_pair p = {sampled(&none, 1), sampled(&none, 3)};
    pair_compare_on(&p, machines[i][0], machines[i][1]);
    pair_expect_none(&p);
    assert_false(p.comparison.same_machine);
    pair_free(&p);
  }
}
