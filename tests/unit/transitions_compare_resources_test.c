/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "transitions/compare/compare.h"
#include "transitions_resources_scene.h"

static const double sizes[] = {1, 2, 4, 8, 16}, targets[] = {64, 1024};
enum { SIZES = 5, REPEATS = 3 };

typedef struct half {
  sc_graph *graph;
  uint32_t main, work;
  sc_analysis *analysis;
  sc_resources *resources;
} half;

static half begin(const char *function)
{
  half h = {.graph = scene_repeats(sizes, SIZES, REPEATS)};
  h.main = scene_main(h.graph);
  h.work = scene_function(h.graph, h.main, function, scene_n, 0);
  return h;
}

static void end(half *h)
{
  h->analysis = scene_analyse(h->graph, targets, 2);
  h->resources = scene_resources(h->analysis, SC_PARAMETER_THREADS);
}

static double size_of(const half *h, size_t run) { return sc_graph_run_const(h->graph, run)->n; }
static size_t runs(const half *h) { return sc_graph_run_count(h->graph); }

static sc_comparison compare(half *base, half *head, const char *head_machine)
{
  sc_comparison comparison;
  end(base);
  end(head);
  sc_compare_side before = {base->analysis, base->resources, "here"};
  sc_compare_side after = {head->analysis, head->resources, head_machine};
  if (sc_compare(&before, &after, &comparison) < 0)
    fail_msg("sc_compare: %s", sc_err_message());
  for (size_t i = 0; i < comparison.count; i++)
    print_message("  %s: %s\n", sc_rule_id(comparison.list[i].rule), comparison.list[i].evidence);
  return comparison;
}

static void drop(half *base, half *head, sc_comparison *comparison)
{
  sc_comparison_free(comparison);
  scene_drop(base->graph, base->analysis, base->resources);
  scene_drop(head->graph, head->analysis, head->resources);
}

/* n rounds of 64 KiB, of which `kept` stay, and the most at a time. */
static half memory(const char *resource, bool kept, bool all_at_once)
{
  half h = begin("work");
  uint32_t heap = scene_resource(h.graph, SC_RESOURCE_HEAP, resource, 0);
  for (size_t run = 0; run < runs(&h); run++) {
    double n = size_of(&h, run), units = 65536;
    scene_units_run(h.graph, run, h.work, heap,
                    (scene_units){n, units, kept ? 0 : n, kept || all_at_once ? n * units : units, 0, 0, 1e-4});
    scene_occupancy(h.graph, run, heap, 1, 1, 1, 1);
  }
  return h;
}

TEST(peak_grows)
{
  half base = memory("heap", false, false), head = memory("heap", false, true);
  sc_comparison c = compare(&base, &head, "there");
  assert_int_equal(c.count, 1);
  assert_int_equal(c.list[0].rule, SC_RULE_WORSE_ORDER);
  assert_int_equal(c.list[0].of, SC_CHANGE_OF_RESOURCE);
  assert_int_equal(c.list[0].metric, SC_RMETRIC_PEAK);
  assert_int_equal(c.list[0].head.context, head.work);
  assert_float_equal(c.list[0].factor, 1024, 1);
  assert_non_null(strstr(c.list[0].evidence, "n = 1: 65,536 bytes"));
  drop(&base, &head, &c);
}

TEST(leaks)
{
  half base = memory("heap", false, false), head = memory("heap", true, true);
  sc_comparison c = compare(&base, &head, "here");
  assert_int_equal(c.count, 1); /* what stays is out at a time, too */
  assert_int_equal(c.list[0].rule, SC_RULE_WORSE_ORDER);
  assert_int_equal(c.list[0].metric, SC_RMETRIC_OUTSTANDING);
  drop(&base, &head, &c);
  base = memory("heap", true, true), head = memory("heap", false, false);
  c = compare(&base, &head, "here");
  assert_int_equal(c.count, 1);
  assert_int_equal(c.list[0].rule, SC_RULE_BETTER);
  drop(&base, &head, &c);
}

/* n threads that hold a lock and think, with noise. */
static half locked(const char *name, double hold, double noise)
{
  half h = begin("work");
  uint32_t lock = scene_resource(h.graph, SC_RESOURCE_MUTEX, name, 0);
  for (size_t run = 0; run < runs(&h); run++) {
    double n = size_of(&h, run);
    scene_lock_run(h.graph, run, h.work, lock,
                   (scene_lock){n, 1000, hold * scene_noise(noise), 1e-3 * scene_noise(noise), 0, 1});
  }
  return h;
}

TEST(holds_longer)
{
  scene_seed = 1;
  half base = locked("m", 1e-5, 0.05), head = locked("m", 6e-5, 0.05);
  sc_comparison c = compare(&base, &head, "here");
  assert_int_equal(c.count, 1); /* and so it is busier, which follows */
  assert_int_equal(c.list[0].rule, SC_RULE_WORSE_COST);
  assert_int_equal(c.list[0].metric, SC_RMETRIC_HOLD);
  assert_float_equal(c.list[0].factor, 6, 0.6);
  drop(&base, &head, &c);
  base = locked("m", 1e-5, 0.05), head = locked("m", 6e-5, 0.05); /* another machine may be that slow */
  c = compare(&base, &head, "there");
  assert_int_equal(c.count, 0);
  drop(&base, &head, &c);
}

TEST(renamed_lock)
{
  scene_seed = 2;
  half base = locked("order_lock", 1e-5, 0.05), head = locked("orders_mutex", 1e-5, 0.05);
  sc_comparison c = compare(&base, &head, "here");
  assert_int_equal(c.count, 0);
  drop(&base, &head, &c);
}

/* The same program again, on a machine with moods. */
TEST(noise)
{
  size_t alarms = 0;
  enum { PAIRS = 200 };
  scene_seed = 3;
  for (int i = 0; i < PAIRS; i++) {
    double mood = 0.2;
    half base = locked("m", 2e-5 * scene_noise(mood), 0.15), head = locked("m", 2e-5 * scene_noise(mood), 0.15);
    sc_comparison c = compare(&base, &head, "here");
    alarms += c.count > 0;
    drop(&base, &head, &c);
  }
  print_message("%zu of %d diffs are not empty\n", alarms, PAIRS);
  assert_true(alarms <= PAIRS / 100);
}

/* Asked for more often because it is called more often: the call is told, not the lock. */
TEST(called_more_often)
{
  half base = begin("work"), head = begin("work");
  half *both[] = {&base, &head};
  for (int k = 0; k < 2; k++) {
    uint32_t heap = scene_resource(both[k]->graph, SC_RESOURCE_HEAP, "heap", 0);
    for (size_t run = 0; run < runs(both[k]); run++) {
      double n = size_of(both[k], run), calls = k ? 10 * n : n;
      if (k)
        assert_int_equal(sc_graph_add(head.graph, run, head.work, SC_METRIC_COUNT, 9 * n), 0);
      scene_units_run(both[k]->graph, run, both[k]->work, heap, (scene_units){calls, 16, calls, 16, 0, 0, 1e-6});
      scene_occupancy(both[k]->graph, run, heap, 1, 1, 1, 1);
    }
  }
  sc_comparison c = compare(&base, &head, "there");
  assert_int_equal(c.count, 1);
  assert_int_equal(c.list[0].of, SC_CHANGE_OF_COUNT);
  drop(&base, &head, &c);
}
