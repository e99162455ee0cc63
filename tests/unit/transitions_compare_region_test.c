/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Code that came and code that went: below, at and above each threshold, and what is reported of it. Counts are exact,
 * and an execution costs a microsecond, or nothing is sampled and counts are weighed. */
#include "unit.h"

#include "transitions_compare_scene.h"

static uint32_t add_loop(sc_graph *graph, uint32_t parent, uint32_t line, scene_curve curve, double times)
{
  pair_times = times;
  return scene_loop(graph, parent, "f", line, curve, *sc_graph_run(graph, 0)->cost_event ? 1e-6 : 0);
}

static uint32_t add_function(sc_graph *graph, uint32_t parent, const char *name)
{
  return scene_function(graph, parent, name, scene_one, 0);
}

/* Both versions have a loop of `rest`; the head, or with `gone` the base, another one in a function of its own. Both
 * grow alike: their shares are the same at any size. The rule of the only change, or SC_RULE_COUNT. */
static enum sc_rule told_of(scene_curve curve, double rest, double other, bool gone, const char *event)
{
  scene_pair p;
  pair_new(&p, event);
  uint32_t base = scene_main(p.base), head = scene_main(p.head);
  add_loop(p.base, base, 5, curve, rest);
  add_loop(p.head, head, 5, curve, rest);
  uint32_t own = add_function(gone ? p.base : p.head, gone ? base : head, "dump");
  uint32_t loop = add_loop(gone ? p.base : p.head, own, 50, curve, other);
  pair_compare(&p);
  assert_true(p.comparison.count <= 1);
  enum sc_rule rule = SC_RULE_COUNT;
  if (p.comparison.count) {
    const sc_change *c = &p.comparison.list[0];
    rule = c->rule;
    assert_int_equal(c->contexts[0], loop);
    assert_int_equal(c->context_count, 1);
    unit_near_by(c->share, other / (rest + other), 1e-3);
    assert_int_equal(gone ? c->head.context : c->base.context, SC_COMPARE_NONE);
    assert_int_equal(gone ? c->base.context : c->head.context, loop);
  }
  pair_free(&p);
  return rule;
}

/* New code that grows faster than its size from a hundredth of the whole on, other code from a twentieth on; whether
 * costs are known or executions alone. */
TEST(new_code_is_told_by_its_share)
{
  static const char *events[] = {"task-clock", ""};
  for (size_t i = 0; i < 2; i++) {
    assert_int_equal(told_of(pair_squares, 9901, 99, false, events[i]), SC_RULE_COUNT);
    assert_int_equal(told_of(pair_squares, 9899, 101, false, events[i]), SC_RULE_NEW_COST);
    assert_int_equal(told_of(pair_lines, 9899, 101, false, events[i]), SC_RULE_COUNT);
    assert_int_equal(told_of(pair_lines, 9501, 499, false, events[i]), SC_RULE_COUNT);
    assert_int_equal(told_of(pair_lines, 9499, 501, false, events[i]), SC_RULE_NEW_COST);
  }
}

/* What went counts from a twentieth on, however it grew: it is no news that something grows less. */
TEST(gone_code_is_told_by_its_share)
{
  static const char *events[] = {"task-clock", ""};
  for (size_t i = 0; i < 2; i++) {
    assert_int_equal(told_of(pair_squares, 9501, 499, true, events[i]), SC_RULE_COUNT);
    assert_int_equal(told_of(pair_squares, 9499, 501, true, events[i]), SC_RULE_GONE);
    assert_int_equal(told_of(pair_lines, 9501, 499, true, events[i]), SC_RULE_COUNT);
    assert_int_equal(told_of(pair_lines, 9499, 501, true, events[i]), SC_RULE_GONE);
  }
}

/* A program of rest n, and of n^2 somewhere in a function of its own: at n = 160,000 a share of 1 / (1 + rest /
 * 160,000) of all. In `around`, where a loop goes n times. */
static scene_pair with_square(double rest, bool gone, uint32_t *steep, uint32_t *before, uint32_t *now)
{
  scene_pair p;
  pair_new(&p, "task-clock");
  uint32_t base = scene_main(p.base), head = scene_main(p.head);
  add_loop(p.base, base, 5, pair_lines, rest);
  add_loop(p.head, head, 5, pair_lines, rest);
  base = add_function(p.base, base, "around");
  head = add_function(p.head, head, "around");
  *before = add_loop(p.base, base, 7, pair_lines, rest);
  *now = add_loop(p.head, head, 7, pair_lines, rest);
  sc_graph *graph = gone ? p.base : p.head;
  *steep = add_loop(graph, add_function(graph, gone ? base : head, "dump"), 50, pair_squares, 1);
  pair_compare(&p);
  return p;
}

/* An order more than all there was around it, from a hundredth of the whole on. */
TEST(new_code_of_a_higher_order_is_worse)
{
  for (int more = 0; more < 2; more++) {
    uint32_t steep, before, now;
    double rest = 160000 * (more ? 98.9 : 99.1) / 2;
    scene_pair p = with_square(rest, false, &steep, &before, &now);
    if (more) {
      const sc_change *c = pair_expect_one(&p, SC_RULE_WORSE_ORDER, steep);
      assert_int_equal(c->base.context, before);
      assert_int_equal(c->context_count, 1);
      unit_near_by(c->share, 1 / 99.9, 1e-3);
      unit_near(c->factor, 160000 / rest);
    } else {
      pair_expect_none(&p);
    }
    pair_free(&p);
  }
}

TEST(code_of_a_higher_order_that_went_is_better)
{
  for (int more = 0; more < 2; more++) {
    uint32_t steep, before, now;
    double rest = 160000 * (more ? 98.9 : 99.1) / 2;
    scene_pair p = with_square(rest, true, &steep, &before, &now);
    if (more) {
      const sc_change *c = pair_expect_one(&p, SC_RULE_BETTER, now);
      assert_int_equal(c->base.context, steep);
      unit_near_by(c->share, 0.5, 1e-3);
      unit_near(c->factor, rest / 160000);
    } else {
      pair_expect_none(&p);
    }
    pair_free(&p);
  }
}

enum { CALLERS = 3 };

/* Functions that both versions have; in the head each calls one that is new, and quadratic. Beside them `rest` n. */
static scene_pair with_callers(const double *times, double rest, uint32_t *loops, uint32_t *around,
                               const char *const *names)
{
  static const char *callers[CALLERS] = {"open", "parse", "write"};
  scene_pair p;
  pair_new(&p, "task-clock");
  uint32_t base = scene_main(p.base), head = scene_main(p.head);
  for (uint32_t i = 0; i < CALLERS; i++) {
    around[i] = add_function(p.base, base, callers[i]);
    uint32_t there = add_function(p.head, head, callers[i]);
    uint32_t own = add_function(p.head, there, names[i]);
    pair_times = times[i];
    loops[i] = scene_loop(p.head, own, names[i], 50, pair_squares, 1e-6);
  }
  if (rest > 0) {
    add_loop(p.base, base, 5, pair_lines, rest);
    add_loop(p.head, head, 5, pair_lines, rest);
  }
  pair_compare(&p);
  return p;
}

/* All contexts of one place are one change, with the largest first; the sum of their shares. Nothing was in the
 * functions around before: they themselves stand for it. */
TEST(contexts_of_one_place_are_told_together)
{
  static const char *const helper[CALLERS] = {"helper", "helper", "helper"};
  static const struct {
    double times[CALLERS];
    uint32_t order[CALLERS];
  } cases[] = {{{3, 1, 2}, {0, 1, 2}}, {{1, 3, 2}, {1, 0, 2}}, {{1, 2, 3}, {2, 1, 0}}, {{2, 2, 2}, {0, 1, 2}}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    uint32_t loops[CALLERS], around[CALLERS];
    scene_pair p = with_callers(cases[i].times, 100, loops, around, helper);
    const sc_change *c = pair_expect_one(&p, SC_RULE_WORSE_ORDER, loops[cases[i].order[0]]);
    assert_int_equal(c->context_count, CALLERS);
    for (size_t k = 0; k < CALLERS; k++)
      assert_int_equal(c->contexts[k], loops[cases[i].order[k]]);
    assert_int_equal(c->base.context, around[cases[i].order[0]]);
    unit_near_by(c->share, 1, 1e-3);
    unit_near(c->head.predictions[0].value, 6 * 16000. * 16000);
    unit_near(c->base.predictions[0].value, CALLERS);
    pair_free(&p);
  }
}

/* Those of other places are others, and the two of one place one, whatever stands between them. */
TEST(places_are_told_apart)
{
  static const char *const names[CALLERS] = {"helper", "other", "helper"};
  static const double times[CALLERS] = {1, 5, 2};
  uint32_t loops[CALLERS], around[CALLERS];
  scene_pair p = with_callers(times, 0, loops, around, names);
  assert_int_equal(p.comparison.count, 2);
  const sc_change *one = &p.comparison.list[0], *two = &p.comparison.list[1];
  assert_true(one->rule == SC_RULE_WORSE_ORDER && two->rule == SC_RULE_WORSE_ORDER);
  assert_true(one->context_count == 1 && one->contexts[0] == loops[1] && one->base.context == around[1]);
  assert_true(two->context_count == 2 && two->contexts[0] == loops[2] && two->contexts[1] == loops[0]);
  assert_int_equal(two->base.context, around[2]);
  unit_near_by(one->share, 5.0 / 8, 1e-6);
  unit_near_by(two->share, 3.0 / 8, 1e-6);
  pair_free(&p);
}

/* Of several contexts of the highest order the outermost stands for the code that came. */
TEST(the_outermost_of_one_order_is_told)
{
  for (int outer = 0; outer < 2; outer++) {
    scene_pair p;
    pair_new(&p, "task-clock");
    uint32_t base = scene_main(p.base), head = scene_main(p.head);
    add_loop(p.base, base, 5, pair_lines, 1);
    add_loop(p.head, head, 5, pair_lines, 1);
    uint32_t dump = add_function(p.head, head, "dump");
    uint32_t first = add_loop(p.head, dump, 50, outer ? pair_squares : pair_lines, 1);
    uint32_t second = add_loop(p.head, first, 51, pair_squares, 3);
    add_loop(p.head, dump, 60, pair_squares, 2);
    pair_compare(&p);
    pair_expect_one(&p, SC_RULE_WORSE_ORDER, outer ? first : second);
    pair_free(&p);
  }
}

/* What is new around code that was there, and runs as often as before, is no change; if that code grew by an order with
 * it, what is new is to blame. */
TEST(wrapped_code_is_not_new)
{
  for (int worse = 0; worse < 2; worse++) {
    scene_pair p;
    pair_new(&p, "task-clock");
    uint32_t base = scene_main(p.base), head = scene_main(p.head);
    uint32_t work = scene_function(p.base, base, "work", scene_n, 1e-6);
    add_loop(p.base, work, 9, pair_lines, 10);
    uint32_t wrap = add_function(p.head, head, "wrap");
    uint32_t loop = add_loop(p.head, wrap, 40, worse ? pair_squares : pair_lines, 1);
    pair_times = 1;
    work = scene_function(p.head, loop, "work", worse ? pair_squares : pair_lines, 1e-6);
    add_loop(p.head, work, 9, worse ? pair_squares : pair_lines, 10);
    pair_compare(&p);
    bool told = false;
    for (size_t i = 0; i < p.comparison.count; i++)
      told = told || (p.comparison.list[i].rule == SC_RULE_WORSE_ORDER && p.comparison.list[i].share > 0.5);
    assert_true(told == (worse == 1));
    for (size_t i = 0; i < p.comparison.count; i++)
      assert_int_not_equal(p.comparison.list[i].rule, SC_RULE_GONE);
    pair_free(&p);
  }
}

/* Code in code that was there, which stands in other new code: one change, of what rises. */
TEST(new_code_in_old_code_in_new_code_is_told_once)
{
  scene_pair p;
  pair_new(&p, "task-clock");
  uint32_t base = scene_main(p.base), head = scene_main(p.head);
  uint32_t work = scene_function(p.base, base, "work", scene_one, 1e-6);
  add_loop(p.base, work, 9, pair_lines, 10);
  uint32_t wrap = add_function(p.head, head, "wrap");
  work = scene_function(p.head, wrap, "work", scene_one, 1e-6);
  add_loop(p.head, work, 9, pair_lines, 10);
  uint32_t steep = add_loop(p.head, work, 90, pair_squares, 1);
  pair_compare(&p);
  const sc_change *c = pair_expect_one(&p, SC_RULE_WORSE_ORDER, steep);
  assert_int_equal(c->context_count, 1);
  unit_near_by(c->share, 1, 1e-3);
  pair_free(&p);
}
