/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What executions cost that no sample fell on: what the system's account of processor time leaves for them. */
#include "unit.h"

#include "transitions/model/data.h"
#include "transitions_scene.h"

static const double SIZES[] = {100, 200, 400, 800, 1600, 3200};
static const double TARGET[] = {3200};
enum { EXECUTIONS = 6300 }; /* of a loop of n steps, in all runs */
static double two_n(double n) { return 2 * n; }
static double one_more(double n) { return n + 1; }

/* main with two loops. A run takes 1 ms and 10 us for each step; main costs `cost` in it, on which `samples` fell, and
 * so does a step of the second loop, if it was sampled. */
typedef struct program {
  double cost;
  uint64_t samples;
  scene_curve first, second;
  double step;  /* of the second loop */
  double times; /* the time, as many times as above; 0: as above */
} program;

typedef struct priced {
  sc_load main, first, second;
  sc_blend_part once;
  double start;
  bool few;
} priced;

static priced price(program p)
{
  sc_graph *graph = scene_new(SIZES, COUNT(SIZES), "task-clock");
  uint32_t top = scene_main(graph), first = scene_loop(graph, top, "main", 3, p.first, 0),
           second = scene_loop(graph, top, "main", 5, p.second, p.step);
  for (size_t i = 0; i < COUNT(SIZES); i++) {
    sc_run *run = sc_graph_run(graph, i);
    run->user_seconds = (0.001 + 1e-5 * (p.first(run->n) + p.second(run->n))) * (p.times > 0 ? p.times : 1);
    run->samples = p.samples;
    assert_int_equal(sc_graph_add(graph, i, top, SC_METRIC_COST, p.cost), 0);
  }
  sc_analysis *a = scene_analyse(graph, TARGET, 1);
  priced result = {*sc_analysis_load(a, top),
                   *sc_analysis_load(a, first),
                   *sc_analysis_load(a, second),
                   a->once,
                   a->start,
                   a->few_samples};
  scene_end(graph, a, NULL);
  return result;
}

#define near_to(value, expected) unit_near_by(value, expected, 1e-6)

static void load_is(const sc_load *load, double each, double below, double above)
{
  near_to(load->each, each);
  near_to(load->below, below);
  near_to(load->above, above);
}

/* main is one execution more: 10 us of its millisecond. */
TEST(few_samples_leave_the_time_to_all)
{
  priced p = price((program){0.01, 1, scene_n, two_n, 0, 0});
  assert_true(p.few);
  load_is(&p.first, 1e-5, 0.3e-5, 0.3e-5);
  load_is(&p.second, 1e-5, 0.3e-5, 0.3e-5);
  load_is(&p.main, 1e-5, 0.3e-5, 0.097 - 1e-5); /* once it may be all that the largest run took */
  near_to(p.start, 0.00099);
  near_to(p.once.value, 0.00099);
  near_to(p.once.low, 0.00099 / 2);
  near_to(p.once.high, 0.097);
}

/* A step is at most the whole time of the largest run over its steps. */
TEST(a_step_is_within_the_time)
{
  priced p = price((program){1, 1, scene_n, two_n, 0, 0});
  load_is(&p.first, 1e-5, 0.3e-5, 0.097 / 3200 - 1e-5);
  load_is(&p.second, 1e-5, 0.3e-5, 0.097 / 6400 - 1e-5);
}

/* All runs take 195 ms; below a fifth of that, samples leave open whether steps cost anything. */
TEST(where_samples_miss_most_of_the_time_nothing_is_certain)
{
  priced p = price((program){0.0389 / COUNT(SIZES), 1, scene_n, two_n, 0, 0});
  load_is(&p.first, 1e-5, 1e-5, 0.3e-5);
  assert_true(p.once.low == 0);
  p = price((program){0.0391 / COUNT(SIZES), 1, scene_n, two_n, 0, 0});
  load_is(&p.first, 1e-5, 0.3e-5, 0.3e-5);
  near_to(p.once.low, 0.00099 / 2);
}

/* Ten samples at each of the two largest sizes are enough: where none fell, three may have been missed at most. */
TEST(enough_samples_bound_what_they_miss)
{
  priced p = price((program){0.001, 9, scene_n, two_n, 0, 0});
  assert_true(p.few);
  p = price((program){0.001, 10, scene_n, two_n, 0, 0});
  assert_false(p.few);
  double each = 3 * 0.0001 / EXECUTIONS;
  load_is(&p.first, each, each, 0.3 * each);
  load_is(&p.second, each / 2, each / 2, 0.3 * each / 2);
  assert_true(p.start == 0);
}

/* The time that the second loop's samples leave is for the first, if that has half of the executions. */
TEST(half_of_the_executions_need_a_price)
{
  double missed = 3 * 1e-5 / EXECUTIONS;
  priced p = price((program){1e-4, 10, scene_n, scene_n, 1e-5, 0});
  assert_true(p.first.each == 0 && p.first.above > missed && !(p.once.value > 0));
  p = price((program){1e-4, 10, one_more, scene_n, 1e-5, 0});
  assert_true(p.first.each > 0 && p.once.value > 0);
}

/* What is less than half of what was sampled is no account of it. */
TEST(times_below_the_samples_are_not_used)
{
  priced p = price((program){0.195, 10, scene_n, two_n, 0, 3.01});
  assert_true(p.first.each > 0);
  p = price((program){0.195, 10, scene_n, two_n, 0, 2.99});
  assert_true(p.first.each == 0);
}
