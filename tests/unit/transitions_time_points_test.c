/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The times of whole runs, and what memory makes of them: computed by hand. */
#include "unit.h"

#include "transitions/model/time_caches.h"
#include "transitions/model/time_mix.h"
#include "transitions/model/time_points.h"
#include "transitions_resources_scene.h"

static sc_analysis *analyse(const sc_graph *graph)
{
  static const double target[] = {10000};
  return scene_analyse(graph, target, 1);
}

/* Processor seconds of runs of three sizes. */
typedef struct times {
  double of[3][5];
  unsigned repeats;
} times;

static const double three[] = {100, 200, 400};

static void points_are(const times *t, size_t count, const double *quartiles, double scatter)
{
  sc_graph *graph = scene_repeats(three, 3, t->repeats);
  scene_loop(graph, scene_main(graph), "main", 3, scene_n, 0);
  for (size_t run = 0; run < 3 * t->repeats; run++) {
    sc_graph_run(graph, run)->user_seconds = t->of[run / t->repeats][run % t->repeats] / 4;
    sc_graph_run(graph, run)->system_seconds = t->of[run / t->repeats][run % t->repeats] * 3 / 4;
  }
  sc_analysis *a = analyse(graph);
  sc_power_point points[15];
  size_t found;
  unit_ok(sc_time_points(a, points, &found));
  assert_int_equal(found, count);
  for (size_t i = 0; i < count; i++) {
    unit_near(points[i].n, three[i + 3 - count]);
    unit_near(points[i].y, quartiles[i]);
    unit_near(points[i].error, hypot(fmax(0.03, scatter / sqrt(t->repeats)), 2e-4 / quartiles[i]));
  }
  scene_end(graph, a, NULL);
}

/* Of one to four runs the least, of five the second. */
TEST(a_size_has_the_lower_quartile_of_its_runs)
{
  points_are(&(times){{{1}, {2}, {4}}, 1}, 3, (double[]){1, 2, 4}, 0.05);
  points_are(&(times){{{3, 1}, {2, 2.5}, {4, 5}}, 2}, 3, (double[]){1, 2, 4},
             1.35 * sqrt((pow(log(3), 2) + pow(log(1.25), 2) * 2) / 2 / 3));
  points_are(&(times){{{3, 1, 2, 4, 5}, {9, 9, 9, 9, 9}, {7, 6, 5, 4, 3}}, 5}, 3, (double[]){2, 9, 4}, ({
    double mean[2] = {0}, squares = 0;
    static const double of[2][5] = {{3, 1, 2, 4, 5}, {7, 6, 5, 4, 3}};
    for (int k = 0; k < 2; k++) {
      for (int i = 0; i < 5; i++)
        mean[k] += log(of[k][i]) / 5;
      for (int i = 0; i < 5; i++)
        squares += pow(log(of[k][i]) - mean[k], 2);
    }
    1.35 * sqrt(squares / 12);
  }));
  points_are(&(times){{{1, 1, 1, 1}, {2, 2, 2, 2}, {3, 3, 3, 3}}, 4}, 3, (double[]){1, 2, 3}, 0.03);
}

/* Sizes without a time are left out; one that has a run without a time says nothing of how runs scatter. */
TEST(times_that_are_not_known_are_left_out)
{
  points_are(&(times){{{0}, {2}, {4}}, 1}, 2, (double[]){2, 4}, 0.05);
  points_are(&(times){{{0, 1, 2, 3, 4}, {2, 2, 2, 2, 2}, {4, 4, 4, 4, 4}}, 5}, 3, (double[]){1, 2, 4}, 0.03);
  points_are(&(times){{{0, 0, 0, 0, 4}, {2, 2, 2, 2, 2}, {4, 4, 4, 4, 4}}, 5}, 2, (double[]){2, 4}, 0.03);
}

/* Of the runs from half of the largest size on. */
TEST(a_machine_is_busy_as_large_runs_see_it)
{
  static const double sizes[] = {100, 199, 200, 400};
  sc_graph *graph = scene_repeats(sizes, 4, 1);
  scene_loop(graph, scene_main(graph), "main", 3, scene_n, 0);
  for (size_t run = 0; run < 4; run++) {
    sc_run *r = sc_graph_run(graph, run);
    r->has_waits = true;
    r->user_seconds = 1, r->wall_seconds = 10;
    r->waits[SC_WAIT_RUNNABLE] = run < 2 ? 8 : run == 2 ? 1 : 2;
  }
  sc_analysis *a = analyse(graph);
  unit_near(sc_time_busy(a), 3.0 / 5);
  scene_end(graph, a, NULL);
  graph = scene_repeats(sizes, 4, 1);
  scene_loop(graph, scene_main(graph), "main", 3, scene_n, 0);
  a = analyse(graph);
  assert_true(sc_time_busy(a) == 0);
  scene_end(graph, a, NULL);
}

/* ---- what memory makes of them: 16 KiB at n = 1, as much more as n; a step takes 1 ns there, and twice as long in
 * twice as much, and half to twice that at another moment ---- */

static sc_analysis in_memory(sc_analysis *room, const double *sizes, size_t count)
{
  *room = (sc_analysis){.sizes = (double *)sizes, .run_count = count};
  room->footprint = (struct sc_footprint){.grows = true, .size = 1, .at_size = 16384, .exponent = 1};
  for (size_t i = 0; i < SC_LATENCY_SIZES; i++) {
    room->options.latency.steps[i] = room->options.latency.fast[i] = ldexp(1e-9, (int)i);
    room->options.latency.least[i] = ldexp(0.5e-9, (int)i);
    room->options.latency.most[i] = ldexp(2e-9, (int)i);
  }
  return *room;
}

TEST(points_get_dearer_as_steps_in_memory_do)
{
  static const double sizes[] = {1, 2, 4, 8};
  sc_power_point points[4] = {{.n = 1}, {.n = 2}, {.n = 4}, {.n = 8}};
  sc_analysis a;
  in_memory(&a, sizes, 4);
  sc_time_caches_measured(&a, points, 4);
  for (size_t i = 0; i < 4; i++)
    unit_near(points[i].dearer + 1, sizes[i] / 8);
}

/* Four powers of what most is to least, about each of the sizes: none of it one doubling before, half of it there, all
 * one behind. */
TEST(caches_may_end_about_any_size)
{
  static const double sizes[] = {1, 2, 4, 8};
  sc_power_point points[4] = {{.n = 1}, {.n = 2}, {.n = 4}, {.n = 8}};
  sc_analysis a;
  in_memory(&a, sizes, 4);
  assert_int_equal(sc_time_caches_ways(4), 16);
  for (size_t way = 0; way < 16; way++) {
    double step[4], power = (double)(way % 4 + 1) / 4;
    for (size_t i = 0; i < 4; i++) {
      double beyond = 0.5 + ((double)i - (double)(way / 4)) / 2;
      step[i] = 0.5e-9 * sizes[i] * pow(4, power * fmin(1, fmax(0, beyond)));
    }
    sc_time_caches_shared(&a, way, points, 4);
    for (size_t i = 0; i < 4; i++)
      unit_near(points[i].dearer + 1, step[i] / step[3]);
  }
}

/* ---- a part of the times that grows by an order more than the counts ---- */

enum { POINTS = 6 };
static const double doubling[POINTS] = {100, 200, 400, 800, 1600, 3200};

/* Times of a start, what grows as the counts do, and a share at the largest size that grows by an order more. */
static sc_time_mix mixed(double share, double error, size_t count, double target)
{
  sc_power_point points[POINTS];
  sc_analysis a = {.sizes = (double *)doubling, .run_count = POINTS};
  double targets[] = {target};
  a.options.targets = targets, a.options.target_count = 1;
  for (size_t i = 0; i < count; i++) {
    double x = doubling[i] / doubling[count - 1];
    points[i] = (sc_power_point){.n = doubling[i], .y = 0.001 + (1 - share) * x + share * x * x, .error = error};
  }
  return sc_time_mix_find(&a, points, count, 1, false);
}

TEST(times_of_an_order_more_hint_at_it)
{
  sc_time_mix half = mixed(0.5, 0.001, POINTS, 32000), none = mixed(0, 0.001, POINTS, 32000);
  assert_true(half.hints && half.share > 0.2 && half.share <= 0.5); /* caches may have made a part of it */
  assert_true(!none.hints && none.share < 0.01 && !none.open);
  assert_false(mixed(0.5, 0.001, POINTS, 3200).hints); /* nobody asks for more than was measured */
  double share = half.share;                           /* from a factor of 1.5 at the target on */
  assert_true(mixed(0.5, 0.001, POINTS, 3200 * (1 + 0.5001 / share)).hints);
  assert_false(mixed(0.5, 0.001, POINTS, 3200 * (1 + 0.4999 / share)).hints);
  assert_true(mixed(0.3, 0.3, POINTS, 32000).open); /* scatter hides anything */
  sc_time_mix few = mixed(0.5, 0.001, 4, 32000);
  assert_true(!few.hints && !few.open && few.share == 0);
  assert_true(mixed(0.5, 0.001, 5, 32000).hints);
}

TEST(the_most_of_a_mix_lies_above_the_mix)
{
  sc_power_point points[POINTS];
  for (size_t i = 0; i < POINTS; i++) {
    double x = doubling[i] / 3200;
    points[i] = (sc_power_point){.n = doubling[i], .y = 0.01 + 0.5 * x + 0.5 * x * x, .error = 1e-6};
  }
  for (double n = 3200; n < 1e5; n *= 2) {
    double x = n / 3200;
    unit_near_by(sc_time_mix_most(points, POINTS, 1, n), 0.01 + 0.5 * x + 0.5 * x * x, 1e-3);
  }
  assert_true(sc_time_mix_most(points, 4, 1, 1e5) == 0);
  for (size_t i = 0; i < POINTS; i++)
    points[i].error = 0.05;
  assert_true(sc_time_mix_most(points, POINTS, 1, 1e5) > 1.05 * (0.01 + 0.5 * 31.25 + 0.5 * 31.25 * 31.25));
}
