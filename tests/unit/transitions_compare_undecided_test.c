/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts of one version whose order is undecided, or that follow no model, beside those of another. */
#include "unit.h"

#include "transitions_compare_scene.h"

static uint32_t loop_of_values(sc_graph *graph, const double *values)
{
  sc_location location = {.kind = SC_LOCATION_LOOP, .name = "find", .file = "scene.c", .line = 5, .column = 3};
  uint32_t context = scene_context(graph, scene_main(graph), &location);
  for (size_t i = 0; i < 5; i++)
    assert_int_equal(sc_graph_add(graph, i, context, SC_METRIC_COUNT, values[i]), 0);
  return context;
}

/* Two versions of a loop with these counts, compared; the head's loop. */
static uint32_t compare_values(scene_pair *p, const double *base, const double *head)
{
  pair_new(p, "");
  loop_of_values(p->base, base);
  uint32_t loop = loop_of_values(p->head, head);
  pair_compare(p);
  return loop;
}

static void expect_no(const scene_pair *p, enum sc_rule rule)
{
  for (size_t i = 0; i < p->comparison.count; i++)
    assert_int_not_equal(p->comparison.list[i].rule, rule);
}

/* The chains of a hash table, whose last size fell on a full one: linear or quadratic, who knows. */
static const double chains[] = {30, 65, 125, 273, 1220};

/* Growth that the base's data leave possible is no excuse for growth that the head has. */
TEST(undecided_base)
{
  static const double list[] = {4950, 19900, 79800, 319600, 1279200};
  scene_pair p;
  uint32_t head = compare_values(&p, chains, list);
  const sc_change *change = pair_expect_one(&p, SC_RULE_WORSE_ORDER, head);
  assert_true(change->base.undecided && !change->head.undecided);
  assert_true(change->base.counts_as.exponent <= 1.2);
  assert_float_equal(change->head.counts_as.exponent, 2, 0.01);
  assert_non_null(strstr(change->evidence, "The base's order is undecided and counts as its lowest plausible one"));
  assert_non_null(strstr(change->evidence, "Before: of undecided order, "));
  pair_free(&p);
}

/* All that the base may be lies far below the head: what is not known of the base is no doubt about the change. */
TEST(far_above_an_undecided_base)
{
  static const double scattered[] = {30, 72, 150, 380, 1000}; /* n log n, or with a square */
  static const double list[] = {4950e4, 19900e4, 79800e4, 319600e4, 1279200e4};
  scene_pair p;
  uint32_t head = compare_values(&p, scattered, list);
  const sc_change *change = pair_expect_one(&p, SC_RULE_WORSE_ORDER, head);
  assert_true(change->base.undecided);
  assert_true(change->head.predictions[0].low > change->base.predictions[0].high);
  assert_true(change->confidence >= 0.9);
  assert_int_equal(change->severity, SC_SEVERITY_ERROR);
  pair_free(&p);
}

/* The head's counts as its highest. */
TEST(undecided_head)
{
  static const double few[] = {10, 20, 40, 80, 160};
  scene_pair p;
  uint32_t head = compare_values(&p, few, chains);
  const sc_change *change = pair_expect_one(&p, SC_RULE_WORSE_ORDER, head);
  assert_true(change->head.undecided && !change->base.undecided);
  assert_true(change->head.counts_as.exponent >= 1.5 && change->head.counts_as.exponent <= 2.01);
  assert_non_null(strstr(change->evidence, "The head's order is undecided and counts as its highest plausible one"));
  pair_free(&p);
}

/* Twice the counts at every size is no other order, however little is known of it. */
TEST(undecided_both)
{
  static const double twice[] = {60, 130, 250, 546, 2440};
  scene_pair p;
  compare_values(&p, chains, twice);
  expect_no(&p, SC_RULE_WORSE_ORDER);
  pair_free(&p);
  compare_values(&p, chains, chains);
  pair_expect_none(&p);
  pair_free(&p);
}

/* Counts that were exact and now scatter, or scattered and are exact now, have changed, but nobody can say how. Where
 * they scatter only a little, that is not said. */
TEST(exact_on_one_side)
{
  static const double line[] = {800, 1600, 3200, 6400, 12800}, bursts[] = {160, 5066, 880, 62541, 9145};
  static const double near_it[] = {800, 1600, 3200, 4400, 9000}; /* at most 1.46 times off */
  for (int reverse = 0; reverse < 2; reverse++) {
    scene_pair p;
    uint32_t head = compare_values(&p, reverse ? bursts : line, reverse ? line : bursts);
    pair_expect_one(&p, SC_RULE_CHANGE_UNKNOWN, head);
    pair_free(&p);
    compare_values(&p, reverse ? near_it : line, reverse ? line : near_it);
    expect_no(&p, SC_RULE_CHANGE_UNKNOWN);
    pair_free(&p);
  }
}

/* Above exact counts at the largest size, and ever more of them, is enough; not all larger sizes need to be. */
TEST(undecided_head_above_an_exact_base)
{
  static const double line[] = {100, 200, 400, 800, 1600}, above[] = {120, 260, 500, 1092, 4880};
  scene_pair p;
  uint32_t head = compare_values(&p, line, above);
  assert_true(pair_expect_one(&p, SC_RULE_WORSE_ORDER, head)->head.undecided);
  pair_free(&p);
}
