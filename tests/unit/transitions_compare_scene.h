/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
/* Two versions of a program whose difference is known. */
#include "transitions/compare/compare.h"
#include "transitions_scene.h"

static const double pair_sizes[] = {100, 200, 400, 800, 1600};
static const double pair_targets[] = {16000, 160000};

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
  if (sc_compare(&base, &head, &p->comparison) < 0)
    fail_msg("sc_compare: %s", sc_err_message());
}

static inline void pair_compare(scene_pair *p) { pair_compare_on(p, "here", "here"); }

static inline void pair_free(scene_pair *p)
{
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
