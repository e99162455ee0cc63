/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a comparison of two versions prints, below and above each threshold. Counts are exact, and costs a microsecond
 * each. */
#include "unit.h"

#include "transitions_compare_scene.h"

static double squares(double n) { return pair_squares(n) / 100; }

static uint32_t loop(sc_graph *graph, uint32_t parent, uint32_t line, double of_n)
{
  pair_times = of_n;
  return scene_loop(graph, parent, "main", line, pair_lines, 1e-6);
}

/* A loop of `rest` n beside one that goes from `before` n to `after` n (0: no loop). The rule of the only change,
 * or SC_RULE_COUNT. */
typedef struct edge {
  double rest, before, after;
} edge;

static enum sc_rule told(const edge *e, sc_change *copy)
{
  scene_pair p;
  pair_new(&p, "task-clock");
  uint32_t base = scene_main(p.base), head = scene_main(p.head);
  loop(p.base, base, 5, e->rest);
  loop(p.head, head, 5, e->rest);
  if (e->before > 0)
    loop(p.base, base, 50, e->before);
  if (e->after > 0)
    loop(p.head, head, 50, e->after);
  pair_compare(&p);
  if (p.comparison.count > 1)
    pair_print(&p);
  assert_true(p.comparison.count <= 1);
  enum sc_rule rule = p.comparison.count ? p.comparison.list[0].rule : SC_RULE_COUNT;
  if (copy && p.comparison.count)
    *copy = p.comparison.list[0];
  pair_free(&p);
  return rule;
}

TEST(edges_of_counts)
{
  static const struct {
    edge e;
    enum sc_rule rule;
  } cases[] = {
      /* exact counts: two in a hundred more or less */
      {{1000, 10000, 10190}, SC_RULE_COUNT},
      {{1000, 10000, 10210}, SC_RULE_WORSE_COST},
      {{1000, 10210, 10000}, SC_RULE_BETTER},
      {{1000, 10190, 10000}, SC_RULE_COUNT},
      /* a hundredth of the whole is added, or taken away */
      {{8900, 1000, 1101}, SC_RULE_WORSE_COST},
      {{8900, 1000, 1100}, SC_RULE_WORSE_COST},
      {{8901, 1000, 1099}, SC_RULE_COUNT},
      {{8900, 1100, 1000}, SC_RULE_BETTER},
      {{8901, 1099, 1000}, SC_RULE_COUNT},
      /* new or gone: a twentieth */
      {{9500, 0, 501}, SC_RULE_NEW_COST},
      {{9500, 0, 499}, SC_RULE_COUNT},
      {{9500, 501, 0}, SC_RULE_GONE},
      {{9500, 499, 0}, SC_RULE_COUNT},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    enum sc_rule rule = told(&cases[i].e, NULL);
    if (rule != cases[i].rule)
      fail_msg("case %zu: %s", i, rule == SC_RULE_COUNT ? "nothing" : sc_rule_id(rule));
  }
}

TEST(figures_of_a_change)
{
  sc_change c;
  assert_int_equal(told(&(edge){9000, 1000, 3000}, &c), SC_RULE_WORSE_COST);
  assert_float_equal(c.factor, 3, 1e-9);
  assert_float_equal(c.share, 0.25, 1e-3);
  assert_int_equal(told(&(edge){9000, 3000, 1000}, &c), SC_RULE_BETTER);
  assert_float_equal(c.factor, 1.0 / 3, 1e-9);
  assert_float_equal(c.share, 0.1, 1e-3);
  assert_int_equal(told(&(edge){9000, 0, 1000}, &c), SC_RULE_NEW_COST);
  assert_float_equal(c.share, 0.1, 1e-3);
  assert_int_equal(told(&(edge){9000, 1000, 0}, &c), SC_RULE_GONE);
  assert_float_equal(c.share, 0.1, 1e-3);
}

/* From 1,000 n to 10 n^2: more than a tenth above it from 110 on, which is between two sizes measured. */
TEST(a_worse_order_emerges_where_it_is_a_tenth_more)
{
  static const struct {
    double of_square, emerges;
  } cases[] = {{1000, 110}, {100, 1100}, {10, 11000}};
  for (size_t i = 0; i < 3; i++) {
    scene_pair p;
    pair_new(&p, "task-clock");
    loop(p.base, scene_main(p.base), 5, 1000);
    pair_times = cases[i].of_square;
    uint32_t head = scene_loop(p.head, scene_main(p.head), "main", 5, squares, 1e-6);
    pair_compare(&p);
    const sc_change *c = pair_expect_one(&p, SC_RULE_WORSE_ORDER, head);
    /* steps of a twentieth */
    assert_true(c->emergence >= cases[i].emerges * 0.999 && c->emergence <= cases[i].emerges * 1.051);
    assert_int_equal(c->severity, SC_SEVERITY_ERROR);
    pair_free(&p);
  }
}

/* Half of the cost at the largest size makes a worse order an error: n^2 beside r n at n = 160,000. */
TEST(half_of_the_cost_is_an_error)
{
  for (int more = 0; more < 2; more++) {
    scene_pair p;
    pair_new(&p, "task-clock");
    uint32_t base = scene_main(p.base), head = scene_main(p.head);
    double rest = more ? 159000 : 161000;
    loop(p.base, base, 5, rest);
    loop(p.head, head, 5, rest);
    loop(p.base, base, 50, 100);
    pair_times = 100;
    uint32_t worse = scene_loop(p.head, head, "main", 50, squares, 1e-6);
    pair_compare(&p);
    const sc_change *c = pair_expect_one(&p, SC_RULE_WORSE_ORDER, worse);
    assert_int_equal(c->severity, more ? SC_SEVERITY_ERROR : SC_SEVERITY_WARNING);
    assert_float_equal(c->share, 160000 / (160000 + rest), 1e-3);
    pair_free(&p);
  }
}

/* What went from around new code makes up for it, where it is half of that or more. */
TEST(half_of_what_came_was_there)
{
  static const struct {
    double gone;
    bool told;
  } cases[] = {{490, true}, {510, false}};
  for (size_t i = 0; i < 2; i++) {
    scene_pair p;
    pair_new(&p, "task-clock");
    uint32_t base = scene_main(p.base), head = scene_main(p.head);
    loop(p.base, base, 5, 9000);
    loop(p.head, head, 5, 9000);
    uint32_t old = scene_function(p.base, base, "old_one", scene_one, 0);
    pair_times = cases[i].gone;
    scene_loop(p.base, old, "old_one", 71, pair_lines, 1e-6);
    loop(p.head, head, 90, 1000);
    pair_compare(&p);
    bool found = false;
    for (size_t k = 0; k < p.comparison.count; k++)
      found = found || p.comparison.list[k].rule == SC_RULE_NEW_COST;
    assert_true(found == cases[i].told);
    pair_free(&p);
  }
}

/* Worst first: orders before costs, the larger share first, what got better last. */
TEST(changes_are_ranked)
{
  scene_pair p;
  pair_new(&p, "task-clock");
  uint32_t base = scene_main(p.base), head = scene_main(p.head);
  static const double before[] = {1000, 4000, 2000, 3000, 6000}, after[] = {2000, 2000, 4000, 3000, 3000};
  uint32_t heads[5];
  for (uint32_t i = 0; i < 5; i++) {
    loop(p.base, base, 10 * i + 5, before[i]);
    heads[i] = loop(p.head, head, 10 * i + 5, after[i]);
  }
  pair_compare(&p);
  static const uint32_t order[] = {2, 0, 4, 1};
  assert_int_equal(p.comparison.count, 4);
  for (size_t i = 0; i < 4; i++)
    assert_int_equal(p.comparison.list[i].head.context, heads[order[i]]);
  assert_int_equal(p.comparison.matched, 2 + 5); /* the process and main, too */
  assert_float_equal(p.comparison.base_total.value, 16000 * 160000 * 1e-6, 1);
  assert_float_equal(p.comparison.head_total.value, 14000 * 160000 * 1e-6, 1);
  assert_float_equal(p.comparison.totals[0].factor, 14.0 / 16, 1e-6);
  assert_string_equal(p.comparison.total_unit, "s");
  pair_free(&p);
}

/* Two standard deviations of a study's mood, 0.05 each on both sides, are 15.2%; counts have no moods. */
TEST(totals_differ_beyond_moods)
{
  for (int sampled = 0; sampled < 2; sampled++)
    for (int more = 0; more < 2; more++) {
      scene_pair p;
      pair_new(&p, sampled ? "task-clock" : "");
      loop(p.base, scene_main(p.base), 5, 100000);
      loop(p.head, scene_main(p.head), 5, more ? 116000 : 115000);
      pair_compare(&p);
      const sc_change_total *t = &p.comparison.totals[0];
      assert_float_equal(t->factor, more ? 1.16 : 1.15, 1e-3);
      assert_true(p.comparison.totals_cost == (sampled == 1));
      if (!sampled)
        assert_true(t->clear);
      else if (!more)
        assert_false(t->clear);
      pair_free(&p);
    }
}

/* Loops of 1,000 n iterations at a millisecond: hundreds of thousands of samples. One's iterations become dearer. */
typedef struct dearer {
  double factor, rest, rest_factor; /* rest: n of another function, 0: none */
  double loop_part;                 /* of the cost that is the loop's before; the function has the other part of it */
  double each;                      /* seconds of an iteration; 0: 1 ms */
} dearer;

static void fill_dearer(sc_graph *graph, const dearer *d, bool after)
{
  uint32_t main = scene_main(graph);
  double each = d->each > 0 ? d->each : 1e-3, loop_part = d->loop_part > 0 ? d->loop_part : 1;
  pair_times = 1000;
  uint32_t f = scene_function(graph, main, "f", pair_lines, each * (1 - loop_part));
  scene_loop(graph, f, "f", 5, pair_lines, each * loop_part * (after ? d->factor : 1));
  pair_times = d->rest;
  if (d->rest > 0)
    scene_loop(graph, scene_function(graph, main, "g", scene_one, 0), "g", 50, pair_lines,
               each * (after ? d->rest_factor : 1));
}

static enum sc_rule became_dearer(const dearer *d)
{
  scene_pair p;
  pair_new(&p, "task-clock");
  fill_dearer(p.base, d, false);
  fill_dearer(p.head, d, true);
  pair_compare(&p);
  enum sc_rule rule = SC_RULE_COUNT;
  for (size_t i = 0; i < p.comparison.count; i++)
    if (p.comparison.list[i].of == SC_CHANGE_OF_COST)
      rule = p.comparison.list[i].rule;
  pair_free(&p);
  return rule;
}

TEST(edges_of_the_cost_of_an_execution)
{
  static const struct {
    dearer d;
    enum sc_rule rule;
  } cases[] = {/* three standard deviations of both, 0.1 each: exp(0.3) is 1.35 */
               {{1.34, 1000, 1}, SC_RULE_COUNT},
               {{1.36, 1000, 1}, SC_RULE_WORSE_COST},
               {{1 / 1.34, 1000, 1}, SC_RULE_COUNT},
               {{1 / 1.36, 1000, 1}, SC_RULE_BETTER},
               /* alone half as much again */
               {{1.49, 0, 1}, SC_RULE_COUNT},
               {{1.51, 0, 1}, SC_RULE_WORSE_COST},
               /* where all got dearer alike it is the machine, but for what doubled */
               {{1.9, 1000, 1.9}, SC_RULE_COUNT},
               {{2.01, 1000, 2}, SC_RULE_WORSE_COST},
               /* a twentieth of the whole is added: 0.4 of 0.126 in 1 */
               {{1.4, 10500, 1}, SC_RULE_COUNT},
               {{1.4, 5500, 1}, SC_RULE_WORSE_COST},
               /* with what is the function's own by a fifth */
               {{1.45, 1000, 1, 0.42}, SC_RULE_COUNT},
               {{1.45, 1000, 1, 0.47}, SC_RULE_WORSE_COST},
               /* ten samples: 2,400,000 iterations are looked at */
               {{3, 0, 1, 1, 9.5e-3 / 2.4e6}, SC_RULE_COUNT},
               {{30, 0, 1, 1, 40e-3 / 2.4e6}, SC_RULE_WORSE_COST}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    enum sc_rule rule = became_dearer(&cases[i].d);
    if (rule != cases[i].rule)
      fail_msg("case %zu: %s", i, rule == SC_RULE_COUNT ? "nothing" : sc_rule_id(rule));
  }
}

/* Without targets the largest size measured is the horizon. */
TEST(without_targets_the_largest_size_is_compared)
{
  scene_pair p;
  pair_new(&p, "task-clock");
  loop(p.base, scene_main(p.base), 5, 1000);
  uint32_t head = loop(p.head, scene_main(p.head), 5, 3000);
  p.before = scene_analyse(p.base, NULL, 0);
  p.after = scene_analyse(p.head, NULL, 0);
  sc_compare_side base = {p.before, NULL, "here"}, other = {p.after, NULL, "here"};
  unit_ok(sc_compare(&base, &other, &p.comparison));
  const sc_change *c = pair_expect_one(&p, SC_RULE_WORSE_COST, head);
  assert_int_equal(p.comparison.target_count, 1);
  assert_true(p.comparison.targets[0] == 1600);
  unit_near(p.comparison.totals[0].factor, 3);
  unit_near(p.comparison.base_total.value, 1.6);
  unit_near(c->base.predictions[0].value, 1.6e6);
  unit_near(c->head.predictions[0].value, 4.8e6);
  pair_free(&p);
}

/* What an execution costs is compared at sizes from half of the largest on. */
TEST(costs_of_executions_are_those_of_large_sizes)
{
  scene_pair p;
  const dearer d = {3, 1000, 1};
  pair_new(&p, "task-clock");
  fill_dearer(p.base, &d, false);
  fill_dearer(p.head, &d, true);
  for (size_t i = 0; i < 3; i++) { /* at smaller ones it was a thousand times as dear before */
    uint32_t contexts = sc_graph_context_count(p.base);
    for (uint32_t c = 1; c < contexts; c++)
      if (sc_graph_at(p.base, c)->kind == SC_LOCATION_LOOP && strcmp(sc_graph_at(p.base, c)->name, "f") == 0)
        unit_ok(sc_graph_add(p.base, i, c, SC_METRIC_COST, 999 * sc_graph_value(p.base, i, c, SC_METRIC_COST)));
  }
  pair_compare(&p);
  const sc_change *told = NULL;
  for (size_t i = 0; i < p.comparison.count; i++)
    if (p.comparison.list[i].of == SC_CHANGE_OF_COST)
      told = &p.comparison.list[i];
  assert_non_null(told);
  assert_int_equal(told->rule, SC_RULE_WORSE_COST);
  unit_has(told->evidence, "One iteration cost 1 ms before");
  unit_has(told->evidence, "3 ms now");
  unit_has(told->evidence, "at n = 800 to 1,600 on the same machine.");
  pair_free(&p);
}

/* A program whose executions all take a ten-thousandth of the time, with as many samples, has become dearer as much. */
TEST(short_programs_become_dearer_alike)
{
  sc_change found[2] = {0};
  for (int brief = 0; brief < 2; brief++) {
    scene_pair p;
    const dearer d = {1.6, 1000, 1, .each = brief ? 1e-7 : 1e-3};
    pair_new(&p, "task-clock");
    fill_dearer(p.base, &d, false);
    fill_dearer(p.head, &d, true);
    for (size_t i = 0; i < 5; i++) {
      sc_graph_run(p.base, i)->samples = (uint64_t)pair_sizes[i] * 2000;
      sc_graph_run(p.head, i)->samples = (uint64_t)pair_sizes[i] * 2600;
    }
    pair_compare(&p);
    for (size_t i = 0; i < p.comparison.count; i++)
      if (p.comparison.list[i].of == SC_CHANGE_OF_COST)
        found[brief] = p.comparison.list[i];
    pair_free(&p);
  }
  assert_true(found[0].context_count == 1 && found[0].rule == SC_RULE_WORSE_COST);
  assert_true(found[1].context_count == 1 && found[1].rule == SC_RULE_WORSE_COST);
  assert_int_equal(found[0].severity, found[1].severity);
  unit_near_by(found[0].factor, 1.6, 1e-6);
  unit_near_by(found[1].factor, 1.6, 1e-6);
  unit_near_by(found[0].share, 1.6 / 2.6, 1e-6); /* of the loop, in what both cost now */
  unit_near_by(found[1].share, found[0].share, 1e-6);
  unit_near_by(found[1].confidence, found[0].confidence, 1e-6);
}
