/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Superlinear growth, or new code, that a change adds in many places, each too small to be told alone: told once for
 * each of the two reasons, by its sum. */
#include <math.h>
#include <stdlib.h>

#include "base/buf.h"
#include "transitions/compare/internal.h"
#include "transitions/model/order.h"
#include "transitions/model/tuning.h"

enum reason { STEEPER, NEW, REASONS };

typedef struct small {
  enum reason reason;
  uint32_t *heads, *bases; /* [count] */
  size_t count, worst;
  double cost, work;
} small;

/* The outermost context of the new code that it is in; itself if it is not new. */
static uint32_t outermost_new(const sc_side *s, uint32_t context)
{
  while (context && s->mate[context] == SC_COMPARE_NONE &&
         s->mate[sc_graph_parent(s->graph, context)] == SC_COMPARE_NONE)
    context = sc_graph_parent(s->graph, context);
  return context;
}

/* What stands in the changes told so far, with all below; of new code all that is new around it, which was weighed with
 * it. */
static void mark_told(const sc_compared *c, int reason, bool *told)
{
  for (size_t i = 0; i < c->out->count; i++)
    for (size_t k = 0; k < c->out->list[i].context_count && c->out->list[i].head.context != SC_COMPARE_NONE; k++) {
      uint32_t context = c->out->list[i].contexts[k];
      told[reason == NEW ? outermost_new(&c->head, context) : context] = true;
    }
  for (uint32_t h = 1; h < c->head.contexts; h++)
    told[h] = told[h] || told[sc_graph_parent(c->head.graph, h)];
}

static bool is_steep(const sc_side *s, uint32_t context)
{
  if (s->a->series[context] == SC_NONE || !sc_analysis_known(s->a, context))
    return false;
  const sc_model *model = sc_analysis_model(s->a, context);
  return sc_order_superlinear(&model->order) && sc_order_supported(model);
}

/* New and superlinear, or superlinear by a higher order than before. */
static int small_rose(const sc_compared *c, uint32_t head, bool *yes)
{
  enum sc_behaviour what = SC_BEHAVES_SAME;
  *yes = is_steep(&c->head, head);
  if (!*yes || c->head.mate[head] == SC_COMPARE_NONE)
    return 0;
  int err = sc_behaviour_judge(c, head, &what);
  *yes = what == SC_BEHAVES_WORSE_ORDER;
  return err;
}

static int small_belongs(const sc_compared *c, enum reason reason, uint32_t head, bool *yes)
{
  if (reason == STEEPER)
    return small_rose(c, head, yes);
  *yes = c->head.mate[head] == SC_COMPARE_NONE && sc_analysis_in_scope(c->head.a, head) &&
         !sc_sides_is_rest(&c->head, head);
  return 0;
}

static double small_weight_of(const sc_side *s, uint32_t context)
{
  return s->total_cost > 0 ? s->own_cost[context] : s->own_work[context];
}

static int gather_small(const sc_compared *c, const bool *told, small *s)
{
  for (uint32_t h = 1; h < c->head.contexts; h++) {
    bool yes;
    if (told[h])
      continue;
    SC_TRY(small_belongs(c, s->reason, h, &yes));
    if (!yes)
      continue;
    if (s->count == 0 || small_weight_of(&c->head, h) > small_weight_of(&c->head, s->heads[s->worst]))
      s->worst = s->count;
    s->heads[s->count] = h;
    s->bases[s->count++] = c->head.mate[h];
    s->cost += c->head.own_cost[h];
    s->work += c->head.own_work[h];
  }
  return 0;
}

/* What has no counterpart in the base (of superlinear growth: what was superlinear there) may have moved, or was
 * replaced. */
static void take_gone(const sc_compared *c, small *s)
{
  double cost = s->cost, work = s->work;
  for (uint32_t b = 1; b < c->base.contexts; b++)
    if (c->base.mate[b] == SC_COMPARE_NONE && (s->reason == NEW || is_steep(&c->base, b))) {
      s->cost -= c->base.own_cost[b];
      s->work -= c->base.own_work[b];
    }
  s->cost = s->cost >= SC_SMALL_REMAINS * cost ? s->cost : 0;
  s->work = s->work >= SC_SMALL_REMAINS * work ? s->work : 0;
}

static double small_share(double part, double whole) { return part > 0 && whole > 0 ? fmin(1, part / whole) : 0; }

static int add_small_change(sc_compared *c, small *s)
{
  uint32_t head = s->heads[s->worst], base = s->bases[s->worst];
  bool new = true;
  for (size_t i = 0; i < s->count; i++)
    new = new && s->bases[i] == SC_COMPARE_NONE;
  s->heads[s->worst] = s->heads[0], s->bases[s->worst] = s->bases[0];
  s->heads[0] = head, s->bases[0] = base;
  double of_cost = small_share(s->cost, c->head.total_cost);
  return sc_change_add(
      c, &(sc_change_draft){.rule = new ? SC_RULE_NEW_COST : SC_RULE_WORSE_ORDER,
                            .of = SC_CHANGE_OF_COUNT,
                            .base = base,
                            .head = head,
                            .contexts = s->heads,
                            .others = s->bases,
                            .count = s->count,
                            .share = c->head.total_cost > 0 ? of_cost : small_share(s->work, c->head.total_work)});
}

static int sum_small(sc_compared *c, const bool *told, small *s)
{
  SC_TRY(gather_small(c, told, s));
  take_gone(c, s);
  bool matters =
      fmax(small_share(s->cost, c->head.total_cost), small_share(s->work, c->head.total_work)) >= SC_SMALL_TOGETHER;
  return s->count > 1 && matters ? add_small_change(c, s) : 0;
}

int sc_small_compare(sc_compared *c)
{
  int err = SC_E_NOMEM;
  uint32_t *heads = sc_mem_new(c->head.contexts + 1, sizeof *heads);
  uint32_t *bases = sc_mem_new(c->head.contexts + 1, sizeof *bases);
  bool *told = sc_mem_new(c->head.contexts + 1, sizeof *told);
  if (!heads || !bases || !told)
    goto out;
  for (int reason = 0; reason < REASONS; reason++) {
    mark_told(c, reason, told);
    SC_GOTO(sum_small(c, told, &(small){.reason = (enum reason)reason, .heads = heads, .bases = bases}));
  }
out:
  free(heads);
  free(bases);
  free(told);
  return err;
}
