/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
/* Two versions of a program whose difference is known. */
#include "transitions/compare/compare.h"
#include "transitions_scene.h"

static const double pair_sizes[] = {100, 200, 400, 800, 1600};
static const double pair_targets[] = {16000, 160000};

/* pair_times n, or n^2: to be set before a context is filled, which looks at it at once. */
static double pair_times;
static inline double pair_lines(double n) { return pair_times * n; }
static inline double pair_squares(double n) { return pair_times * n * n; }

typedef struct scene_pair {
  sc_graph *base, *head;
  sc_analysis *before, *after;
  sc_comparison comparison;
} scene_pair;

static inline void pair_new(scene_pair *p, const char *event)
{
  *p = (scene_pair){scene_new(pair_sizes, 5, event), scene_new(pair_sizes, 5, event)};
}

static inline void pair_compare_on(scene_pair *p, const char *base_machine, const char *head_machine)
{
  p->before = scene_analyse(p->base, pair_targets, 2);
  p->after = scene_analyse(p->head, pair_targets, 2);
  sc_compare_side base = {p->before, NULL, base_machine}, head = {p->after, NULL, head_machine};
  if (sc_compare(&base, &head, &p->comparison))
    fail_msg("sc_compare: %s", sc_err_message());
}

static inline void pair_compare(scene_pair *p) { pair_compare_on(p, "here", "here"); }

/* Contexts have their counterparts in both directions. */
static inline void pair_law_mates(const scene_pair *p, const sc_comparison *c, bool back)
{
  const sc_graph *base = back ? p->head : p->base, *head = back ? p->base : p->head;
  size_t matched = 0;
  for (uint32_t h = 1; h < sc_graph_context_count(head); h++)
    if (c->base_of[h] != SC_COMPARE_NONE) {
      assert_true(c->base_of[h] < sc_graph_context_count(base) && c->head_of[c->base_of[h]] == h);
      matched++;
    }
  for (uint32_t b = 1; b < sc_graph_context_count(base); b++)
    matched -= c->head_of[b] != SC_COMPARE_NONE;
  assert_int_equal(matched, 0);
  assert_true(c->renamed <= c->matched);
}

static inline void pair_law_change(const sc_comparison *c, const sc_change *change)
{
  bool gone = change->rule == SC_RULE_GONE, fresh = change->rule == SC_RULE_NEW_COST;
  law_share("a change", change->share);
  law_share("a change's confidence", change->confidence);
  assert_true(change->context_count > 0 && *change->evidence);
  assert_true(change->contexts[0] == (gone ? change->base.context : change->head.context));
  assert_true(gone == (change->factor == 0) && (!fresh || isinf(change->factor)));
  for (size_t i = 0; i < change->context_count; i++)
    for (size_t k = 0; k < i; k++)
      assert_true(change->contexts[i] != change->contexts[k]);
  for (size_t t = 0; t < c->target_count; t++) {
    if (change->base.predictions)
      law_interval("the base's", c->targets[t], &change->base.predictions[t]);
    if (change->head.predictions)
      law_interval("the head's", c->targets[t], &change->head.predictions[t]);
  }
}

/* What was compared says as much backwards; of each version and itself nothing. */
static inline void pair_law(const scene_pair *p)
{
  const sc_compare_side base = {p->before, NULL, "here"}, head = {p->after, NULL, "here"};
  sc_comparison back, same, there;
  int err = sc_compare(&base, &head, &there);
  if (err == SC_E_MISMATCH) {
    sc_comparison_free(&there);
    return;
  }
  assert_int_equal(err, 0);
  assert_int_equal(sc_compare(&head, &base, &back), 0);
  pair_law_mates(p, &there, false);
  pair_law_mates(p, &back, true);
  assert_int_equal(there.matched, back.matched);
  for (size_t t = 0; t < there.target_count; t++) {
    if (isfinite(there.totals[t].factor) && there.totals[t].factor > 0)
      unit_near_by(there.totals[t].factor * back.totals[t].factor, 1, 1e-9);
    assert_true(there.totals[t].clear == back.totals[t].clear);
    law_interval("the base's total", there.targets[t], &there.totals[t].base);
    unit_near_by(there.totals[t].head.value, back.totals[t].base.value, 1e-9);
  }
  for (size_t i = 0; i < there.count; i++)
    pair_law_change(&there, &there.list[i]);
  for (size_t i = 0; i < back.count; i++)
    pair_law_change(&back, &back.list[i]);
  assert_int_equal(sc_compare(&head, &head, &same), 0);
  assert_true(same.count == 0 && same.renamed == 0);
  for (uint32_t h = 1; h < sc_graph_context_count(p->head); h++)
    assert_true(same.base_of[h] == h);
  sc_comparison_free(&there);
  sc_comparison_free(&back);
  sc_comparison_free(&same);
}

static inline void pair_free(scene_pair *p)
{
  pair_law(p);
  sc_comparison_free(&p->comparison);
  sc_analysis_free(p->before);
  scene_end(p->base, p->after, NULL);
  sc_graph_free(p->head);
}

static inline void pair_print(const scene_pair *p)
{
  for (size_t i = 0; i < p->comparison.count; i++) {
    const sc_change *c = &p->comparison.list[i];
    bool there = c->head.context != SC_COMPARE_NONE;
    const sc_location *at = sc_graph_at(there ? p->head : p->base, there ? c->head.context : c->base.context);
    print_message("%s %s %s:%u x%g share %.3f: %s\n", sc_rule_id(c->rule), sc_severity_name(c->severity), at->name,
                  at->line, c->factor, c->share, c->evidence);
  }
}

static inline void pair_expect_none(const scene_pair *p)
{
  if (p->comparison.count)
    pair_print(p);
  assert_int_equal(p->comparison.count, 0);
}

/* The only change; `head` SC_COMPARE_NONE: not looked at. */
static inline const sc_change *pair_expect_one(const scene_pair *p, enum sc_rule rule, uint32_t head)
{
  if (p->comparison.count != 1 || p->comparison.list[0].rule != rule ||
      (head != SC_COMPARE_NONE && p->comparison.list[0].head.context != head))
    pair_print(p);
  assert_int_equal(p->comparison.count, 1);
  assert_int_equal(p->comparison.list[0].rule, rule);
  if (head != SC_COMPARE_NONE)
    assert_int_equal(p->comparison.list[0].head.context, head);
  return &p->comparison.list[0];
}

static inline uint32_t scene_function_at(sc_graph *graph, uint32_t parent, const char *name, const char *display,
                                         const char *file, uint32_t line, scene_curve count, double each)
{
  sc_location location = {.kind = SC_LOCATION_FUNCTION, .name = name, .display = display, .file = file, .line = line};
  uint32_t context = scene_context(graph, parent, &location);
  scene_fill(graph, context, count, each);
  return context;
}
