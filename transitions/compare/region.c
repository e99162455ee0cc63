/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What has no counterpart: code that came, and code that went. Both are weighed for each matched context around them,
 * together with matched contexts that now stand inside or outside, so that code that was only rewritten, wrapped or
 * unwrapped is not a change. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "transitions/compare/internal.h"
#include "transitions/model/order.h"
#include "transitions/model/tuning.h"

typedef struct weight {
  double cost, work;
} weight;

typedef struct region_side {
  weight *own;     /* [contexts] of a matched context: what unmatched ones right in it take */
  uint32_t *steep; /* [contexts] the context of the highest order in the subtree that matters; SC_NONE: none */
} region_side;

typedef struct regions {
  sc_compared *c;
  region_side base, head;
  bool head_left_out; /* the head is a baseline */
  uint32_t *news;     /* [news_count] head contexts of new higher orders */
  uint32_t *olds;     /* their predecessors in the base */
  size_t news_count, news_capacity, olds_capacity;
} regions;

/* The higher order of two contexts, the outer one if they are the same. */
static uint32_t region_steeper(const sc_side *s, uint32_t a, uint32_t b)
{
  if (a == SC_NONE || b == SC_NONE)
    return a == SC_NONE ? b : a;
  int order = sc_model_compare_order(&sc_analysis_model(s->a, a)->order, &sc_analysis_model(s->a, b)->order);
  return order > 0 || (order == 0 && a < b) ? a : b;
}

/* What unmatched contexts take goes to the nearest matched one around. */
static int weigh_region_own(const sc_side *s, region_side *r)
{
  uint32_t *around;
  SC_TRY(SC_NEW(around, s->contexts));
  for (uint32_t c = 1; c < s->contexts; c++) {
    uint32_t parent = sc_graph_parent(s->graph, c);
    around[c] = s->mate[parent] != SC_COMPARE_NONE ? parent : around[parent];
    if (s->mate[c] != SC_COMPARE_NONE)
      continue;
    r->own[around[c]].cost += s->own_cost[c];
    r->own[around[c]].work += s->own_work[c];
  }
  free(around);
  return 0;
}

static int weigh_region(const sc_side *s, region_side *r)
{
  r->own = sc_mem_new(s->contexts, sizeof *r->own);
  r->steep = sc_mem_new(s->contexts, sizeof *r->steep);
  if (!r->own || !r->steep)
    return SC_E_NOMEM;
  memset(r->steep, 0xff, s->contexts * sizeof *r->steep);
  for (uint32_t c = s->contexts; c-- > 0;) {
    if (s->a->series[c] != SC_NONE && sc_analysis_known(s->a, c) && s->share[c] >= SC_COMPARE_SHARE)
      r->steep[c] = region_steeper(s, c, r->steep[c]);
    uint32_t parent = sc_graph_parent(s->graph, c);
    if (c)
      r->steep[parent] = region_steeper(s, r->steep[c], r->steep[parent]);
  }
  return weigh_region_own(s, r);
}

static double region_share_of(const sc_side *s, weight w)
{
  double cost = s->total_cost > 0 ? w.cost / s->total_cost : 0, work = s->total_work > 0 ? w.work / s->total_work : 0;
  return fmin(1, fmax(0, fmax(cost, work)));
}

static double cost_share(const sc_side *s, uint32_t context)
{
  return s->total_cost > 0   ? fmin(1, s->cost[context] / s->total_cost)
         : s->total_work > 0 ? fmin(1, s->work[context] / s->total_work)
                             : 0;
}

static double region_explained(const sc_compared *c, uint32_t head)
{
  const sc_model *h = sc_sides_model(&c->head, head), *b = sc_sides_model(&c->base, c->head.mate[head]);
  return h->verdict == SC_VERDICT_MODEL && b->verdict == SC_VERDICT_MODEL ? h->order.exponent - b->order.exponent : 0;
}

/* Whether what is in `head` grows faster than all that was in the context around it. *before: what grew fastest. */
static bool region_rises(const regions *r, uint32_t around, uint32_t steep, uint32_t *before)
{
  const sc_compared *c = r->c;
  uint32_t base = c->head.mate[around];
  *before = r->base.steep[base] == SC_NONE ? base : r->base.steep[base];
  return sc_behaviour_rise(sc_sides_model(&c->base, *before), sc_sides_model(&c->head, steep),
                           region_explained(c, around)) == 1;
}

static int note_new(regions *r, uint32_t head, uint32_t base)
{
  for (size_t i = 0; i < r->news_count; i++)
    if (r->news[i] == head)
      return 0;
  SC_TRY(sc_mem_grow(&r->news, &r->news_capacity, r->news_count + 1, sizeof *r->news));
  SC_TRY(sc_mem_grow(&r->olds, &r->olds_capacity, r->news_count + 1, sizeof *r->olds));
  r->news[r->news_count] = head;
  r->olds[r->news_count++] = base;
  return 0;
}

static int add_change(sc_compared *c, enum sc_rule rule, uint32_t base, uint32_t head, const uint32_t *contexts,
                      const uint32_t *others, size_t count, double share)
{
  return sc_change_add(c, &(sc_change_draft){.rule = rule,
                                             .of = SC_CHANGE_OF_COUNT,
                                             .base = base,
                                             .head = head,
                                             .contexts = contexts,
                                             .others = others,
                                             .count = count,
                                             .share = share});
}

/* The nearest context at or above it without a counterpart: what the change put there. */
static uint32_t region_culprit(const sc_side *s, uint32_t context, uint32_t top)
{
  while (context != top && s->mate[context] != SC_COMPARE_NONE)
    context = sc_graph_parent(s->graph, context);
  return context;
}

static bool region_told(const sc_comparison *out, uint32_t head)
{
  for (size_t i = 0; i < out->count; i++)
    for (size_t k = 0; k < out->list[i].context_count; k++)
      if (out->list[i].rule == SC_RULE_WORSE_ORDER && out->list[i].contexts[k] == head)
        return true;
  return false;
}

/* The part of it that is not made up for by what went from around it. */
static bool region_unreplaced(uint32_t around, const region_side *mine, const region_side *other, uint32_t other_around,
                              const sc_side *s, const weight *w)
{
  weight gone = other->own[other_around], came = mine->own[around];
  bool by_cost = s->total_cost > 0 && w->cost / s->total_cost >= (s->total_work > 0 ? w->work / s->total_work : 0);
  double mine_all = by_cost ? fmax(came.cost, w->cost) : fmax(came.work, w->work);
  double others = by_cost ? gone.cost : gone.work;
  return mine_all - others >= SC_REGION_UNREPLACED * mine_all;
}

static int judge_new(regions *r, uint32_t top)
{
  sc_compared *c = r->c;
  uint32_t around = sc_graph_parent(c->head.graph, top), steep = r->head.steep[top], before;
  if (steep != SC_NONE && region_rises(r, around, steep, &before)) {
    uint32_t at = region_culprit(&c->head, steep, top);
    return region_told(c->out, steep) ? 0 : note_new(r, at, before);
  }
  bool fast = steep != SC_NONE && sc_order_superlinear(&sc_sides_model(&c->head, steep)->order) &&
              sc_order_supported(sc_sides_model(&c->head, steep)) && c->head.mate[steep] == SC_COMPARE_NONE;
  weight added = {c->head.added_cost[top], c->head.added_work[top]};
  double share = region_share_of(&c->head, added);
  if (share < (fast ? SC_COMPARE_SHARE : SC_REGION_NEW) ||
      !region_unreplaced(around, &r->head, &r->base, c->head.mate[around], &c->head, &added))
    return 0;
  uint32_t at = steep == SC_NONE ? top : region_culprit(&c->head, steep, top), none = SC_COMPARE_NONE;
  return add_change(c, SC_RULE_NEW_COST, none, at, &at, &none, 1, cost_share(&c->head, at));
}

static int judge_gone(regions *r, uint32_t top)
{
  sc_compared *c = r->c;
  uint32_t around = sc_graph_parent(c->base.graph, top), head = c->base.mate[around], none = SC_COMPARE_NONE;
  uint32_t steep = r->base.steep[top], now = r->head.steep[head] == SC_NONE ? head : r->head.steep[head];
  if (steep != SC_NONE && sc_behaviour_rise(sc_sides_model(&c->head, now), sc_sides_model(&c->base, steep),
                                            -region_explained(c, head)) == 1) {
    for (size_t i = 0; i < c->out->count; i++)
      if (c->out->list[i].rule == SC_RULE_BETTER && c->out->list[i].base.context == steep)
        return 0;
    return add_change(c, SC_RULE_BETTER, steep, now, &now, &steep, 1, cost_share(&c->head, now));
  }
  if (r->head_left_out) /* it may be in what was left out */
    return 0;
  weight all = {c->base.cost[top], c->base.work[top]};
  weight net = {c->base.added_cost[top], c->base.added_work[top]};
  if (region_share_of(&c->base, net) < SC_REGION_NEW || region_share_of(&c->base, all) < SC_REGION_NEW ||
      !region_unreplaced(around, &r->base, &r->head, head, &c->base, &net))
    return 0;
  uint32_t at = steep == SC_NONE ? top : region_culprit(&c->base, r->base.steep[top], top);
  return add_change(c, SC_RULE_GONE, at, none, &at, &none, 1, cost_share(&c->base, at));
}

/* New contexts of one location are told together. */
static int tell_news(regions *r)
{
  int err = SC_E_NOMEM;
  sc_compared *c = r->c;
  uint32_t *heads = sc_mem_new(r->news_count + 1, sizeof *heads), *bases = sc_mem_new(r->news_count + 1, sizeof *bases);
  if (!heads || !bases)
    goto out;
  err = 0;
  for (size_t i = 0; i < r->news_count; i++) {
    double share = 0;
    size_t count = 0, worst = 0;
    if (r->news[i] == SC_NONE)
      continue;
    uint32_t location = sc_graph_location_of(c->head.graph, r->news[i]);
    for (size_t k = i; k < r->news_count; k++) {
      if (r->news[k] == SC_NONE || sc_graph_location_of(c->head.graph, r->news[k]) != location)
        continue;
      heads[count] = r->news[k];
      bases[count] = r->olds[k];
      share += cost_share(&c->head, heads[count]);
      worst = c->head.share[heads[count]] > c->head.share[heads[worst]] ? count : worst;
      r->news[k] = SC_NONE;
      count++;
    }
    uint32_t first = heads[worst], second = bases[worst];
    heads[worst] = heads[0], bases[worst] = bases[0];
    heads[0] = first, bases[0] = second;
    SC_GOTO(add_change(c, SC_RULE_WORSE_ORDER, second, first, heads, bases, count, fmin(1, share)));
  }
out:
  free(heads);
  free(bases);
  return err;
}

static void release_region(region_side *r)
{
  free(r->own);
  free(r->steep);
}

static bool is_top(const sc_side *s, uint32_t context)
{
  return s->mate[context] == SC_COMPARE_NONE && s->mate[sc_graph_parent(s->graph, context)] != SC_COMPARE_NONE &&
         sc_analysis_in_scope(s->a, context);
}

int sc_region_compare(sc_compared *c)
{
  int err;
  regions r = {.c = c};
  for (uint32_t h = 1; h < c->head.contexts; h++)
    r.head_left_out |= sc_sides_is_rest(&c->head, h);
  SC_GOTO(weigh_region(&c->base, &r.base));
  SC_GOTO(weigh_region(&c->head, &r.head));
  for (uint32_t h = 1; h < c->head.contexts; h++)
    if (is_top(&c->head, h) && !sc_sides_is_rest(&c->head, h))
      SC_GOTO(judge_new(&r, h));
  SC_GOTO(tell_news(&r));
  for (uint32_t b = 1; b < c->base.contexts; b++)
    if (is_top(&c->base, b) && !sc_sides_is_rest(&c->base, b))
      SC_GOTO(judge_gone(&r, b));
out:
  release_region(&r.base);
  release_region(&r.head);
  free(r.news);
  free(r.olds);
  return err;
}
