/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is added up of a resource's rows: of signals, and of holds that lasted. */
#include "unit.h"

#include "transitions_resources_made.h"
#include "transitions_resources_scene.h"

/* A semaphore most of whose units are never given back by anybody tells of something: fewer than half were held. Of a
 * lock that is no signal. */
TEST(a_semaphore_held_less_than_half_the_time_it_is_taken_signals)
{
  static const sc_resource both[] = {{SC_RESOURCE_SEMAPHORE, "done", "a.c", 1}, {SC_RESOURCE_MUTEX, "lock", "a.c", 2}};
  static const double holds[] = {4, 5, 6};
  for (size_t i = 0; i < COUNT(holds); i++) {
    made_resources *m = made_new(both, 2, 2, 2);
    for (uint32_t resource = 0; resource < 2; resource++) {
      for (size_t run = 0; run < 2; run++) { /* of smaller sizes nothing counts */
        made_sum(m, resource, run, SC_USAGE_ACQUIRES, 1000);
        made_sum(m, resource, run, SC_USAGE_HOLDS, i ? 0 : 1000);
      }
      made_sum(m, resource, 2, SC_USAGE_ACQUIRES, 4); /* both runs of the largest size together */
      made_sum(m, resource, 3, SC_USAGE_ACQUIRES, 6);
      made_sum(m, resource, 3, SC_USAGE_HOLDS, holds[i]);
    }
    assert_int_equal(sc_resource_cell_signal(&m->r, &m->cells[0]), holds[i] < 5);
    assert_false(sc_resource_cell_signal(&m->r, &m->cells[1]));
    made_free(m);
  }
}

/* The holds counted as lasting, of 7 of [2^20, 2^21) ns where the resource was used for `span` seconds. */
static double lasting(double span)
{
  static const double sizes[] = {100, 200, 300, 400};
  sc_graph *graph = scene_repeats(sizes, COUNT(sizes), 1);
  uint32_t main = scene_main(graph), resource = scene_resource(graph, SC_RESOURCE_OTHER, "units", 0);
  for (size_t run = 0; run < COUNT(sizes); run++) {
    sc_usage usage = {.values = {[SC_USAGE_ACQUIRES] = 7, [SC_USAGE_HOLDS] = 7}, .buckets = {[20] = 7}};
    scene_usage(graph, run, main, resource, &usage);
    scene_occupancy(graph, run, resource, 1, 1, span, span);
  }
  sc_analysis *analysis = scene_analyse(graph, NULL, 0);
  sc_resources *resources = scene_resources(analysis, SC_PARAMETER_DATA);
  double sum = sc_resource_cell_sum(&resources->cells[resource], COUNT(sizes) - 1, SC_RSUM_LASTING);
  scene_drop(graph, analysis, resources);
  return sum;
}

/* That may be a quarter of the span: up to 2^21 ns, of four times as much. */
TEST(holds_of_a_quarter_of_the_span_last)
{
  double four_times = 4 * ldexp(1e-9, 21);
  assert_true(lasting(0.999 * four_times) == 7);
  assert_true(lasting(four_times) == 7);
  assert_true(lasting(1.001 * four_times) == 0);
  assert_true(lasting(0) == 0); /* not known */
}
