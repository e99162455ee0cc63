/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Of two findings of one rule and severity, the one that weighs more comes first, whichever was seen first. */
#include "unit.h"

#include "transitions_resources_scene.h"

static const double sizes[] = {100, 200, 300, 400, 500, 600};
enum { SIZES = 6 };

/* Two sites of one resource; the one that weighs more is the first, or the second. What a third one takes comes back.
 * Whether that one comes first. */
typedef scene_units (*units_at)(double n, double part);
static bool is_heavier_first(enum sc_rule rule, units_at at, const double parts[2], bool second)
{
  double target = 1e5;
  sc_graph *graph = scene_repeats(sizes, SIZES, 2);
  uint32_t main = scene_main(graph);
  uint32_t sites[] = {scene_function(graph, main, "one", scene_n, 0), scene_function(graph, main, "two", scene_n, 0)};
  uint32_t scratch = scene_function(graph, main, "scratch", scene_n, 0);
  uint32_t resource = scene_resource(graph, SC_RESOURCE_HEAP, "heap", 0);
  for (size_t run = 0; run < 2 * SIZES; run++) {
    double n = sizes[run / 2];
    for (int i = 0; i < 2; i++)
      scene_units_run(graph, run, sites[i], resource, at(n, parts[second ? 1 - i : i]));
    scene_units_run(graph, run, scratch, resource,
                    (scene_units){.acquires = 1e4 * n, .each = 1, .returned = 1e4 * n, .peak = 1, .hold = 1e-9});
    scene_occupancy(graph, run, resource, 1, 1, 1, 1);
  }
  sc_analysis *analysis = scene_analyse(graph, &target, 1);
  sc_resources *resources = scene_resources(analysis, SC_PARAMETER_WORK);
  size_t count = scene_finding_count(resources);
  const sc_resource_finding *list = sc_resources_findings(resources, &count);
  assert_int_equal(count, 2);
  assert_true(list[0].rule == rule && list[1].rule == rule && list[0].severity == list[1].severity);
  bool first = list[0].context == sites[second];
  scene_drop(graph, analysis, resources);
  return first;
}

static scene_units keeps(double n, double part)
{
  return (scene_units){.acquires = 100 * n, .each = 1, .returned = (100 - part) * n, .peak = part * n, .hold = 1e-6};
}
static scene_units grows(double n, double part)
{
  return (scene_units){.acquires = 100 * n, .each = 1, .returned = 100 * n, .peak = part * n, .hold = 0.1};
}
/* From 1e-3 on, by the 0.9th power: at 100,000 each fails in a third, or in half of all cases and more. */
static scene_units fails(double n, double part)
{
  return (scene_units){
      .acquires = 1e6, .each = 1, .returned = 1e6, .peak = 1, .failures = round(part * pow(n, 0.9)), .hold = 1e-6};
}

TEST(the_larger_leak_comes_first)
{
  static const double parts[] = {30, 10};
  for (int second = 0; second < 2; second++)
    assert_true(is_heavier_first(SC_RULE_LEAK, keeps, parts, second));
}

TEST(the_larger_growth_comes_first)
{
  static const double parts[] = {30, 10};
  for (int second = 0; second < 2; second++)
    assert_true(is_heavier_first(SC_RULE_UNBOUNDED_GROWTH, grows, parts, second));
}

TEST(what_fails_more_often_comes_first)
{
  static const double parts[] = {90, 30};
  for (int second = 0; second < 2; second++)
    assert_true(is_heavier_first(SC_RULE_INCONSISTENT_STATE, fails, parts, second));
}

/* Descriptors and streams cannot be held against each other, however many of them leak: a resource as a whole weighs 1,
 * and of those that weigh the same the one that was seen first comes first. */
TEST(units_of_different_resources_are_not_compared)
{
  for (int second = 0; second < 2; second++) {
    double target = 1e5;
    sc_graph *graph = scene_repeats(sizes, SIZES, 2);
    uint32_t site = scene_function(graph, scene_main(graph), "site", scene_n, 0);
    uint32_t resources[] = {scene_resource(graph, SC_RESOURCE_DESCRIPTOR, "descriptors", 0),
                            scene_resource(graph, SC_RESOURCE_STREAM, "streams", 0)};
    for (size_t run = 0; run < 2 * SIZES; run++)
      for (int i = 0; i < 2; i++) {
        scene_units_run(graph, run, site, resources[i], keeps(sizes[run / 2], i == second ? 90 : 1));
        scene_occupancy(graph, run, resources[i], 1, 1, 1, 1);
      }
    sc_analysis *analysis = scene_analyse(graph, &target, 1);
    sc_resources *all = scene_resources(analysis, SC_PARAMETER_WORK);
    size_t count;
    const sc_resource_finding *list = sc_resources_findings(all, &count);
    assert_int_equal(count, 2);
    assert_true(list[0].rule == SC_RULE_LEAK && list[1].rule == SC_RULE_LEAK);
    assert_true(list[0].resource == resources[0] && list[1].resource == resources[1]);
    scene_drop(graph, analysis, all);
  }
}
