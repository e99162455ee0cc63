/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What bounds predictions of counts where no model and no trend is known: two sizes show neither. */
#include "unit.h"

#include <math.h>

#include "transitions/resources/series.h"
#include "transitions_resources_scene.h"

static const double sizes[] = {10, 20};

/* Of two repeats of each size, in the order of the runs. */
typedef struct counted {
  double acquires[4], waits[4], units[4], peak[4];
} counted;

static scene_world make(const counted *c)
{
  scene_world w = {.graph = scene_repeats(sizes, 2, 2)};
  uint32_t work = scene_function(w.graph, scene_main(w.graph), "work", scene_one, 0);
  w.resource = scene_resource(w.graph, SC_RESOURCE_OTHER, "pool", 0);
  for (size_t run = 0; run < 4; run++) {
    sc_usage usage = {.via = "take",
                      .values = {[SC_USAGE_ACQUIRES] = c->acquires[run],
                                 [SC_USAGE_UNITS] = c->units[run],
                                 [SC_USAGE_PEAK] = c->peak[run],
                                 [SC_USAGE_WAITS] = c->waits[run]}};
    scene_usage(w.graph, run, work, w.resource, &usage);
    scene_occupancy(w.graph, run, w.resource, 1, 1, 1, 1);
  }
  w.analysis = scene_analyse(w.graph, (double[]){100}, 1);
  w.resources = scene_resources(w.analysis, SC_PARAMETER_DATA);
  return w;
}

static void predicts(const scene_world *w, int metric, double n, double value, double low, double high)
{
  sc_interval i;
  assert_int_equal(sc_rseries_predict(w->resources, &w->resources->cells[w->resource], metric, n, &i), 0);
  if (i.value != value || i.low != low || i.high != high)
    fail_msg("metric %d at %g: %g (%g to %g), not %g (%g to %g)", metric, n, i.value, i.low, i.high, value, low, high);
}

/* Between the sizes what all runs had, and the last of them; outside anything. */
TEST(what_nothing_is_known_of_stays_as_it_was)
{
  scene_world w = make(&(counted){.acquires = {90, 90, 90, 90}, .waits = {5, 9, 7, 3}});
  predicts(&w, SC_RMETRIC_WAITS, 15, 3, 3, 9);
  predicts(&w, SC_RMETRIC_WAITS, 10, 3, 3, 9);
  predicts(&w, SC_RMETRIC_WAITS, 20, 3, 3, 9);
  predicts(&w, SC_RMETRIC_WAITS, 20.5, 3, 0, INFINITY);
  predicts(&w, SC_RMETRIC_WAITS, 9.5, 3, 0, INFINITY);
  scene_world_drop(&w);
}

/* Numbers of acquires whose medians rise are no less than the median of a smaller size, and its least repeat. */
TEST(what_never_fell_does_not_fall)
{
  scene_world w = make(&(counted){.acquires = {5, 9, 7, 12}});
  predicts(&w, SC_RMETRIC_ACQUIRES, 25, 12, 7, INFINITY); /* 9.5 in the middle of 20's */
  predicts(&w, SC_RMETRIC_ACQUIRES, 20, 12, 5, 12);       /* below it is 10 */
  predicts(&w, SC_RMETRIC_ACQUIRES, 10, 12, 5, 12);       /* nothing is below */
  scene_world_drop(&w);
  w = make(&(counted){.acquires = {5, 9, 12, 7}});
  predicts(&w, SC_RMETRIC_ACQUIRES, 25, 9.5, 7, INFINITY); /* the last, 7, is less */
  predicts(&w, SC_RMETRIC_ACQUIRES, 11, 7, 5, 12);
  scene_world_drop(&w);
  w = make(&(counted){.acquires = {6, 12, 6, 12}}); /* the same is no fall */
  predicts(&w, SC_RMETRIC_ACQUIRES, 25, 12, 6, INFINITY);
  scene_world_drop(&w);
  w = make(&(counted){.acquires = {7, 12, 6, 12}});
  predicts(&w, SC_RMETRIC_ACQUIRES, 25, 12, 0, INFINITY);
  scene_world_drop(&w);
  w = make(&(counted){.acquires = {90, 90, 90, 90}, .waits = {5, 9, 7, 12}}); /* waits may fall */
  predicts(&w, SC_RMETRIC_WAITS, 25, 12, 0, INFINITY);
  scene_world_drop(&w);
}

/* No more units are out at once than were acquired in all; where more were, some were there before. */
TEST(a_peak_is_no_more_than_all)
{
  scene_world w = make(&(counted){.acquires = {90, 90, 90, 90}, .units = {40, 50, 60, 70}, .peak = {30, 20, 40, 65}});
  predicts(&w, SC_RMETRIC_PEAK, 15, 65, 20, 65); /* of 65, 20 to 65; of units 70, 40 to 70 */
  predicts(&w, SC_RMETRIC_PEAK, 25, 65, 0, INFINITY);
  scene_world_drop(&w);
  w = make(&(counted){.acquires = {90, 90, 90, 90}, .units = {40, 50, 70, 60}, .peak = {40, 20, 65, 60}});
  predicts(&w, SC_RMETRIC_PEAK, 15, 60, 20, 65);
  scene_world_drop(&w);
  w = make(&(counted){.acquires = {90, 90, 90, 90}, .units = {40, 50, 70, 60}, .peak = {41, 20, 65, 75}});
  predicts(&w, SC_RMETRIC_PEAK, 15, 75, 20, 75);
  scene_world_drop(&w);
}
