/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "profiles/graph/usage.h"
#include "transitions/model/added.h"
#include "transitions_scene.h"

/* 0.2 ns a call, 0.02 ns an iteration, 4 ns a block, 20 ns another event, 0.5 us a node, 40 us a thread, 0.3 ms a
 * process. */
TEST(what_instrumentation_adds)
{
  static const double sizes[] = {10, 20};
  sc_graph *graph = scene_new(sizes, 2, "task-clock");
  uint32_t heap, main = scene_main(graph);
  assert_true(sc_added_share(graph) < 0); /* no times */
  sc_graph_run(graph, 0)->user_seconds = 5;
  assert_int_equal(sc_usage_resource(graph, &(sc_resource){SC_RESOURCE_HEAP, "heap", "", 0}, &heap), 0);
  sc_run *run = sc_graph_run(graph, 1);
  run->user_seconds = run->system_seconds = 1;
  run->processes = 3, run->threads = 8, run->nodes = 1000;
  double expected = 2 * 0.3e-3 + 5 * 40e-6 + 1000 * 0.5e-6;
  assert_int_equal(sc_graph_add(graph, 1, main, SC_METRIC_COUNT, 1e8 - 1), 0);
  unit_near(sc_added_share(graph), (expected + 0.02) / 2);
  uint32_t loop = scene_context(graph, main, &(sc_location){.kind = SC_LOCATION_LOOP, .name = "main", .line = 3});
  assert_int_equal(sc_graph_add(graph, 1, loop, SC_METRIC_COUNT, 2e8), 0);
  unit_near(sc_added_share(graph), (expected + 0.024) / 2);
  /* compiled into its caller: once to four times for each; or as often as what stands beside it */
  static const double shared[] = {2e8, 4e8, 6e8, 8e8};
  for (size_t i = 0; i < 4; i++) {
    char name[8];
    snprintf(name, sizeof name, "in%zu", i);
    uint32_t c = scene_context(graph, loop, &(sc_location){.kind = SC_LOCATION_FUNCTION, .name = name, .file = "a"});
    assert_int_equal(sc_graph_add(graph, 1, c, SC_METRIC_COUNT, shared[i]), 0);
  }
  unit_near(sc_added_share(graph), (expected + 0.024) / 2);
  uint32_t more = scene_context(graph, loop, &(sc_location){.kind = SC_LOCATION_FUNCTION, .name = "five", .file = "a"});
  assert_int_equal(sc_graph_add(graph, 1, more, SC_METRIC_COUNT, 1.1e8), 0);
  unit_near(sc_added_share(graph), (expected + 0.046) / 2);
  uint32_t twin = scene_context(graph, loop, &(sc_location){.kind = SC_LOCATION_FUNCTION, .name = "twin", .file = "a"});
  assert_int_equal(sc_graph_add(graph, 1, twin, SC_METRIC_COUNT, 1.1e8), 0);
  unit_near(sc_added_share(graph), (expected + 0.046) / 2);
  /* at most a quarter of the time */
  assert_int_equal(sc_graph_add(graph, 1, more, SC_METRIC_COUNT, 1e10), 0);
  unit_near(sc_added_share(graph), (expected + 0.5) / 2);
  sc_usage usage = {.context = main,
                    .resource = heap,
                    .via = "malloc",
                    .event = SC_USAGE_EVENT_ACQUIRE,
                    .values = {[SC_USAGE_ACQUIRES] = 1e5,
                               [SC_USAGE_FAILURES] = 2e5,
                               [SC_USAGE_RELEASES] = 3e5,
                               [SC_USAGE_READS] = 4e5,
                               [SC_USAGE_WRITES] = 5e5,
                               [SC_USAGE_WAITS] = 1e9}};
  assert_int_equal(sc_usage_add(graph, 1, &usage, NULL), 0);
  unit_near(sc_added_share(graph), (expected + 0.5 + 15e5 * 4e-9) / 2);
  uint32_t scan = scene_context(
      graph, main,
      &(sc_location){.kind = SC_LOCATION_WORK, .name = "sscanf", .file = "a", .line = 9, .nth = SC_UNIT_BYTES});
  assert_int_equal(sc_graph_add(graph, 1, scan, SC_METRIC_COUNT, 6.4e9), 0);
  unit_near(sc_added_share(graph), (expected + 0.5 + 0.006 + 0.06) / 2);
  assert_int_equal(sc_usage_resource(graph, &(sc_resource){SC_RESOURCE_MUTEX, "lock", "", 0}, &usage.resource), 0);
  assert_int_equal(sc_usage_add(graph, 1, &usage, NULL), 0);
  unit_near(sc_added_share(graph), (expected + 0.5 + 0.006 + 0.06 + 0.03) / 2);
  unit_near(sc_added_seconds(graph, 1), expected + 0.5 + 0.006 + 0.06 + 0.03);
  assert_int_equal(sc_graph_add(graph, 1, scan, SC_METRIC_COUNT, 6.4e12), 0);
  unit_near(sc_added_share(graph), 0.5);
  sc_graph_free(graph);
}
