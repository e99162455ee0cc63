/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Growth that a change adds in many places, each below a hundredth of the whole: told once, from a twentieth on. Counts
 * are exact, and an execution costs a microsecond, or nothing is sampled and counts are weighed. */
#include "unit.h"

#include "transitions_compare_scene.h"

static double factor;
static double squares(double n) { return factor * n * n; }
static double lines(double n) { return factor * n * 100; }

static uint32_t add(sc_graph *graph, uint32_t top, const char *name, scene_curve curve, double times)
{
  factor = times;
  return scene_function(graph, top, name, curve, *sc_graph_run(graph, 0)->cost_event ? 1e-6 : 0);
}

/* A name of one letter, like no other. */
static const char *letter(size_t i)
{
  static char name[2];
  name[0] = (char)('a' + i);
  return name;
}

/* In thousandths of what the head takes: 1,000 less all others is in both versions and grows as n^2. So do the others:
 * `count` new ones of `each`, and `gone` that went from the base, of `gone_each`; of the new ones as many were there,
 * and grew as n. */
typedef struct change {
  size_t count, gone, there;
  double each, gone_each;
} change;

static scene_pair compare(const change *c, const char *event)
{
  scene_pair p;
  pair_new(&p, event);
  uint32_t base = scene_main(p.base), head = scene_main(p.head);
  double rest = 1000 - (double)c->count * c->each;
  add(p.base, base, "rest", squares, rest);
  add(p.head, head, "rest", squares, rest);
  for (size_t i = 0; i < c->count; i++)
    add(p.head, head, letter(i), squares, c->each);
  for (size_t i = 0; i < c->there; i++)
    add(p.base, base, letter(i), lines, c->each);
  for (size_t i = 0; i < c->gone; i++)
    add(p.base, base, letter(25 - i), squares, c->gone_each);
  pair_compare(&p);
  return p;
}

/* The share of the only change, 0 without one. */
static double told(const change *c, enum sc_rule rule, const char *event)
{
  scene_pair p = compare(c, event);
  double share = 0;
  if (p.comparison.count) {
    const sc_change *only = pair_expect_one(&p, rule, SC_COMPARE_NONE);
    assert_int_equal(only->context_count, c->count);
    share = only->share;
  }
  pair_free(&p);
  return share;
}

static const char *const events[] = {"task-clock", ""};

TEST(a_twentieth_of_new_growth_is_told)
{
  for (size_t e = 0; e < 2; e++) {
    assert_float_equal(told(&(change){.count = 6, .each = 8.42}, SC_RULE_NEW_COST, events[e]), 0.05052, 1e-4);
    assert_true(told(&(change){.count = 6, .each = 8.24}, SC_RULE_NEW_COST, events[e]) == 0);
    assert_float_equal(told(&(change){.count = 20, .each = 9.5}, SC_RULE_NEW_COST, events[e]), 0.19, 1e-4);
  }
}

/* What went is taken off, and half of the sum has to remain. */
TEST(growth_that_moved_is_not_told)
{
  for (size_t e = 0; e < 2; e++) {
    change c = {.count = 20, .each = 9, .gone = 3, .gone_each = 29.6};
    assert_float_equal(told(&c, SC_RULE_NEW_COST, events[e]), 0.18 - 0.0888, 1e-4);
    c.gone_each = 30.4;
    assert_true(told(&c, SC_RULE_NEW_COST, events[e]) == 0);
  }
}

TEST(a_twentieth_that_grows_faster_is_told)
{
  for (size_t e = 0; e < 2; e++) {
    assert_float_equal(told(&(change){.count = 6, .there = 6, .each = 8.42}, SC_RULE_WORSE_ORDER, events[e]), 0.05052,
                       1e-4);
    assert_true(told(&(change){.count = 6, .there = 6, .each = 8.24}, SC_RULE_WORSE_ORDER, events[e]) == 0);
    assert_float_equal(told(&(change){.count = 6, .there = 1, .each = 8.42}, SC_RULE_WORSE_ORDER, events[e]), 0.05052,
                       1e-4); /* the others are new */
  }
}

/* It stands at the largest of them, and has the predictions of all. */
TEST(the_largest_stands_for_all)
{
  scene_pair p;
  pair_new(&p, "task-clock");
  uint32_t base = scene_main(p.base), head = scene_main(p.head);
  add(p.base, base, "rest", squares, 900);
  add(p.head, head, "rest", squares, 900);
  uint32_t largest = 0;
  for (size_t i = 0; i < 12; i++) {
    uint32_t at = add(p.head, head, letter(i), squares, i == 7 ? 9.6 : 8);
    largest = i == 7 ? at : largest;
  }
  pair_compare(&p);
  const sc_change *c = pair_expect_one(&p, SC_RULE_NEW_COST, largest);
  assert_int_equal(c->context_count, 12);
  assert_int_equal(c->contexts[0], largest);
  bool seen[64] = {false};
  for (size_t i = 0; i < c->context_count; i++) {
    assert_false(seen[c->contexts[i]]);
    seen[c->contexts[i]] = true;
  }
  pair_free(&p);
}

/* One place is too small, or told by itself. */
TEST(one_place_is_no_sum)
{
  assert_true(told(&(change){.count = 1, .each = 9.9}, SC_RULE_NEW_COST, "task-clock") == 0);
  assert_float_equal(told(&(change){.count = 1, .each = 10.1}, SC_RULE_NEW_COST, "task-clock"), 0.0101, 1e-4);
}
