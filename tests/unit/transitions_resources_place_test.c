/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Resources at other values of further parameters. */
#include "unit.h"

#include "transitions/resources/place.h"
#include "transitions/resources/typical.h"
#include "transitions_resources_made.h"
#include "transitions_resources_place_scene.h"

static const double sizes[] = {2, 4, 6, 8, 12};
enum { SIZES = 5, VALUES = 2 };

typedef struct place {
  scene_place in;
  uint32_t main, lock;
} place;

/* n threads that hold a lock for `hold` seconds, always, and are away for 20 us. */
static void use(sc_graph *graph, size_t run, double n, double hold, place *p)
{
  enum { ROUNDS = 1000 };
  double acquires = n * ROUNDS, span = ROUNDS * (hold + 20e-6);
  sc_usage usage = scene_holds(acquires, hold);
  usage.values[SC_USAGE_PEAK] = n;
  usage.buckets[hold > 1e-6 ? 10 : 9] = acquires;
  p->lock = scene_resource(graph, SC_RESOURCE_MUTEX, "lock", 0);
  scene_usage(graph, run, p->main, p->lock, &usage);
  scene_occupancy(graph, run, p->lock, n, 1, n * span, span);
}

static void begin(place *p)
{
  static const double values[VALUES] = {1, 2};
  scene_place *in = &p->in;
  place_open(in, sizes, SIZES, values, VALUES);
  p->main = scene_main(in->graph);
  assert_int_equal(scene_main(in->all), p->main);
  for (size_t i = 0; i < in->count; i++) {
    double n = in->at[i][0], t = in->at[i][1];
    use(in->all, i, n, 1e-6 * t, p);
    if (t == 1)
      use(in->graph, i, n, 1e-6, p);
  }
  place_analyse(in, SC_PARAMETER_WORK);
}

static void end(place *p) { place_close(&p->in); }

/* Holds are as alike as in the runs there, or at the nearest values. */
TEST(holds_are_as_alike_as_in_the_nearest_runs)
{
  static const double values[] = {1, 1.2, 2, 8};
  place p;
  begin(&p);
  const sc_resource_options options = {.kind = SC_PARAMETER_THREADS};
  sc_resources *base = scene_resources(p.in.analysis, SC_PARAMETER_THREADS);
  double alike = sc_rtypical_steadiness(base, &base->cells[p.lock]);
  assert_true(alike > 0.8);
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
    sc_resources *there;
    assert_int_equal(sc_resources_move(p.in.analysis, &options, p.in.everywhere, &values[i], &there), 0);
    assert_float_equal(sc_rtypical_steadiness(there, &there->cells[p.lock]), alike, 1e-9);
    sc_resources_free(there);
  }
  sc_resources_free(base);
  end(&p);
}

/* Four runs of n and one further parameter, seen from other values of that. By factors, whichever way: 4 and 16 are as
 * far from 8. Of those the nearest n counts. */
TEST(the_nearest_run_is_of_the_nearest_values)
{
  static const double at[] = {100, 1, 100, 4, 200, 4, 800, 16};
  sc_resources_place there = {.runs = {.at = at, .count = 4, .parameters = 2}, .others = {8}};
  double run_sizes[] = {100, 150, 800, 20};
  sc_resources r = {.place = &there, .run_sizes = run_sizes, .run_count = 4};
  unit_near(sc_rplace_distance(&there, 0), log(8));
  for (size_t i = 1; i < 4; i++)
    unit_near(sc_rplace_distance(&there, i), M_LN2);
  assert_true(sc_rplace_run(&r, 0) == 1 && sc_rplace_run(&r, 1) == 2 && sc_rplace_run(&r, 2) == 3);
  assert_true(sc_rplace_run(&r, 3) == 1);
  assert_false(sc_rplace_ran(&r, 1, 100));
  there.others[0] = 4;
  assert_true(sc_rplace_run(&r, 2) == 2);
  assert_true(sc_rplace_ran(&r, 1, 100) && !sc_rplace_ran(&r, 1, 101) && !sc_rplace_ran(&r, 3, 800));
  there.others[0] = 1;
  assert_true(sc_rplace_run(&r, 2) == 0 && sc_rplace_ran(&r, 0, 100));
}

/* A part that is more than all of it in any run is no part; what is not known of all cannot be above. */
TEST(a_part_is_never_above_the_whole)
{
  static const sc_resource kinds[] = {{SC_RESOURCE_HEAP, "first", "a.c", 1}, {SC_RESOURCE_HEAP, "heap", "a.c", 2}};
  static const double peaks[][4] = {{10, 20, 30, 40}, {10, 20, 30, 41}, {11, 20, 30, 40}, {0, 0, 0, 0}};
  for (size_t i = 0; i < 4; i++) {
    made_resources *all = made_new(kinds, 2, 4, 1), *here = made_new(kinds, 2, 4, 1);
    sc_resources_place there = {.all = &all->r};
    here->r.place = &there;
    for (size_t run = 0; run < 4; run++) {
      made_sum(all, 1, run, SC_USAGE_ACQUIRES, 1);
      made_sum(all, 1, run, SC_USAGE_UNITS, 10 * (double)(run + 1));
      made_sum(all, 1, run, SC_USAGE_PEAK, peaks[i][run]);
      made_occupancy(all, 1, run)->peak = peaks[i][run];
    }
    bool never = sc_rplace_never_above(&here->r, &here->cells[1], SC_RMETRIC_PEAK, SC_RMETRIC_UNITS);
    assert_true(never == (i == 0 || i == 3));
    made_free(all);
    made_free(here);
  }
}
