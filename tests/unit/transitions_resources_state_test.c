/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From where on failures, and holds that are of no use, are a finding: one below and one above each threshold. */
#include "unit.h"

#include "transitions_resources_scene.h"

static const double sizes[] = {100, 200, 300, 450, 600, 800};
enum { SIZES = 6 };

/* What a site does at n: (n / 100) to these powers. */
typedef struct site {
  double acquires, failures, faster; /* at 100, and the power of the failures */
  double uses, fewer;                /* reads, and their power */
  double hold, longer;               /* seconds of one, and their power */
} site;

/* Whether there is a finding of the rule, and from which size on. */
static bool emerges(const site *s, enum sc_rule rule, double *from)
{
  double target = 1e12;
  sc_graph *graph = scene_repeats(sizes, SIZES, 1);
  uint32_t context = scene_function(graph, scene_main(graph), "site", scene_n, 0);
  uint32_t resource = scene_resource(graph, SC_RESOURCE_OTHER, "units", 0);
  for (size_t run = 0; run < SIZES; run++) {
    double times = sizes[run] / 100, hold = s->hold * pow(times, s->longer);
    sc_usage usage = {.via = "take", .line = 42};
    usage.values[SC_USAGE_ACQUIRES] = usage.values[SC_USAGE_UNITS] = s->acquires;
    usage.values[SC_USAGE_RETURNED] = usage.values[SC_USAGE_RETURNED_UNITS] = s->acquires;
    usage.values[SC_USAGE_FAILURES] = round(s->failures * pow(times, s->faster));
    double reads = round(s->uses * pow(times, s->fewer));
    usage.values[SC_USAGE_PEAK] = 1;
    usage.values[SC_USAGE_HOLDS] = s->acquires;
    usage.values[SC_USAGE_HOLD_SECONDS] = s->acquires * hold;
    usage.buckets[(int)log2(hold * 1e9)] = s->acquires;
    scene_usage(graph, run, context, resource, &usage);
    if (s->uses > 0)
      scene_usage(graph, run, context, resource,
                  &(sc_usage){.via = "use", .event = SC_USAGE_EVENT_READ, .values = {[SC_USAGE_READS] = reads}});
    scene_occupancy(graph, run, resource, 1, 1, 1, 1);
  }
  sc_analysis *analysis = scene_analyse(graph, &target, 1);
  sc_resources *resources = scene_resources(analysis, SC_PARAMETER_DATA);
  const sc_resource_finding *f = scene_resource_finding(resources, rule, resource);
  *from = f ? f->emergence.value : INFINITY;
  bool found = f != NULL;
  scene_drop(graph, analysis, resources);
  return found;
}

static bool fails(double acquires, double failures, double faster, double *from)
{
  return emerges(&(site){acquires, failures, faster, .hold = 1e-6}, SC_RULE_INCONSISTENT_STATE, from);
}

/* 0.1% that grow: looked for where a fifth of all attempts fail if they grow by 0.4 or more faster, else a half. */
TEST(failures_that_grow_much_faster_reach_a_fifth)
{
  double from;
  assert_true(fails(1e7, 1e4, 0.42, &from));
  assert_true(fabs(log(from / (100 * pow(0.25 / 1e-3, 1 / 0.42)))) < 0.2);
  assert_true(fails(1e7, 1e4, 0.38, &from));
  assert_true(fabs(log(from / (100 * pow(1 / 1e-3, 1 / 0.38)))) < 0.2);
}

/* By 0.2, and by a quarter from the lower to the upper half of the sizes; four of them at the largest. */
TEST(failures_that_hardly_grow_are_none)
{
  double from;
  assert_true(fails(1e7, 1e5, 0.22, &from));
  assert_false(fails(1e7, 1e5, 0.14, &from));
  assert_false(fails(1e7, 1e5, 0, &from));
  assert_false(fails(10, 0.4, 1, &from)); /* 0, 1, 1, 2, 2, 3 */
}

static bool is_unused(double acquires, double uses, double fewer, double hold)
{
  double from;
  return emerges(&(site){acquires, 0, 0, uses, fewer, hold, 0}, SC_RULE_INEFFICIENT_POLICY, &from);
}

/* Held for half of the second on average. */
TEST(units_that_are_less_and_less_used)
{
  assert_true(is_unused(100, 400, -1, 0.0051));  /* 0.5 uses of each at the end, falling as 1 / n */
  assert_false(is_unused(100, 900, -1, 0.0051)); /* above 1 */
  assert_false(is_unused(100, 400, -1, 0.0049));
  assert_false(is_unused(100, 60, -0.2, 0.0051)); /* falls to 0.73 of what it was */
  assert_true(is_unused(4, 16, -1, 0.13));
  assert_false(is_unused(3, 12, -1, 0.18));
}

/* From the lower to the upper half of the sizes, whose medians are 200 and 600, uses that fall as n^-p fall to 3^-p: to
 * 0.506 and 0.495. */
TEST(uses_vanish_that_fall_to_a_half)
{
  assert_false(is_unused(10000, 10000, -0.62, 0.0051));
  assert_true(is_unused(10000, 10000, -0.64, 0.0051));
}

static bool is_held_longer(double uses, double hold, double longer)
{
  double from;
  return emerges(&(site){100, 0, 0, 100 * uses, 0, hold, longer}, SC_RULE_INEFFICIENT_POLICY, &from);
}

TEST(units_that_are_held_longer_for_the_same_use)
{
  assert_true(is_held_longer(2, 1e-3, 0.5));
  assert_true(is_held_longer(2, 1e-3, 0.42));
  assert_false(is_held_longer(2, 1e-3, 0.15));
  assert_true(is_held_longer(10, 1e-3, 0.5));
  assert_false(is_held_longer(10.1, 1e-3, 0.5));                    /* worth it */
  assert_false(is_held_longer(2, 0.9 * 0.05 / 100 / sqrt(8), 0.5)); /* 0.045 units out at the end */
  assert_true(is_held_longer(2, 1.1 * 0.05 / 100 / sqrt(8), 0.5));
}

/* A hold that grows as a power of n reaches four times what it was at the smallest size. */
TEST(holds_are_long_from_where_they_reach_the_bar)
{
  static const double powers[] = {0.45, 0.5, 0.6};
  for (size_t i = 0; i < COUNT(powers); i++) {
    double from;
    assert_true(emerges(&(site){100, 0, 0, 200, 0, 1e-3, powers[i]}, SC_RULE_INEFFICIENT_POLICY, &from));
    unit_near_by(from, 100 * pow(4, 1 / powers[i]), 0.02);
  }
}

/* A use of every second one, and fewer, from where a falling power comes to that: at 800 there were 0.6 of each. */
TEST(units_are_unused_from_where_half_are_used)
{
  static const double powers[] = {0.9, 1, 1.1};
  for (size_t i = 0; i < COUNT(powers); i++) {
    double from, uses = 0.6 * pow(8, powers[i]);
    assert_true(emerges(&(site){1e5, 0, 0, 1e5 * uses, -powers[i], 1e-5, 0}, SC_RULE_INEFFICIENT_POLICY, &from));
    unit_near_by(from, 100 * pow(uses / 0.5, 1 / powers[i]), 0.01);
  }
}

/* Eight units at a time, obtained again and again: acquires for each unit of the workload are four times as many as at
 * the smallest size. */
TEST(units_are_obtained_again_from_where_four_times_as_many_are)
{
  static const double powers[] = {1.42, 1.5, 1.6, 2};
  double target = 1e6;
  for (size_t i = 0; i < COUNT(powers); i++) {
    sc_graph *graph = scene_repeats(sizes, SIZES, 1);
    uint32_t context = scene_function(graph, scene_main(graph), "site", scene_n, 0);
    uint32_t resource = scene_resource(graph, SC_RESOURCE_OTHER, "units", 0);
    for (size_t run = 0; run < SIZES; run++) {
      double acquires = round(1e5 * pow(sizes[run] / 100, powers[i]));
      scene_units_run(graph, run, context, resource, (scene_units){acquires, 1, acquires, 8, .hold = 1e-7});
      scene_occupancy(graph, run, resource, 1, 1, 1, 1);
    }
    sc_analysis *analysis = scene_analyse(graph, &target, 1);
    sc_resources *resources = scene_resources(analysis, SC_PARAMETER_DATA);
    const sc_resource_finding *f = scene_resource_finding(resources, SC_RULE_INSUFFICIENT_ALLOCATION, resource);
    assert_non_null(f);
    double expected = 100 * pow(4, 1 / (powers[i] - 1));
    if (expected < 800) /* the first one of those measured */
      assert_true(powers[i] == 2 && f->emergence.value == 450 && f->emergence.low == 300);
    else
      unit_near_by(f->emergence.value, expected, 1e-3);
    scene_drop(graph, analysis, resources);
  }
}
