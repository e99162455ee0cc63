/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "transitions/suppose/suppose.h"

#include <math.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "regress/core/growth.h"
#include "transitions/suppose/internal.h"

static const sc_suppose *comparing; /* tsearch hands no context to its comparison; not thread-safe, as the graph */

static int compare_supposed_groups(const void *a, const void *b)
{
  const sc_suppose_group *x = &comparing->groups[(uintptr_t)a], *y = &comparing->groups[(uintptr_t)b];
  const uint32_t xs[] = {x->kind, x->supposition, x->outer, x->model, x->caller, x->own};
  const uint32_t ys[] = {y->kind, y->supposition, y->outer, y->model, y->caller, y->own};
  return memcmp(xs, ys, sizeof xs);
}

/* Executions of a context at a size that was measured, a mean over its runs. */
static double measured_at(const sc_analysis *a, uint32_t context, double n)
{
  double sum = 0, runs = 0;
  for (size_t i = 0; i < a->run_count; i++)
    if (a->sizes[i] == n) {
      sum += sc_analysis_values(a, context)[i];
      runs++;
    }
  return runs > 0 ? sum / runs : 0;
}

/* The smallest size measured at which there are executions to compare with. */
static double anchor_of(const sc_suppose *s, const sc_suppose_group *group)
{
  const sc_analysis *a = s->analysis;
  double least = s->list[group->supposition].order.log_exponent != 0 ? 2 : 0;
  for (size_t i = 0; i < a->run_count; i++)
    if (a->sizes[i] >= least && sc_model_value(&a->models[group->model], a->sizes[i]) > 0 &&
        sc_model_value(&a->models[group->caller], a->sizes[i]) > 0 &&
        (!group->own || measured_at(a, group->own, a->sizes[i]) > 0))
      return a->sizes[i];
  return INFINITY;
}

/* The number of a group, which is new or there already. */
static int find_group(sc_suppose *s, sc_suppose_group group, uint32_t *number)
{
  SC_TRY(sc_mem_grow(&s->groups, &s->group_capacity, s->group_count + 1, sizeof *s->groups));
  group.anchor = group.kind == SC_SUPPOSE_TIMES ? INFINITY : anchor_of(s, &group);
  s->groups[s->group_count] = group;
  comparing = s;
  void **place = tsearch((void *)(uintptr_t)s->group_count, &s->tree, compare_supposed_groups);
  if (!place)
    return sc_err_set(SC_E_NOMEM, "out of memory");
  *number = (uint32_t)(uintptr_t)*place;
  s->group_count += *number == s->group_count;
  return 0;
}

static uint32_t function_around(const sc_analysis *a, uint32_t context)
{
  while (context && sc_graph_at(a->graph, context)->kind != SC_LOCATION_FUNCTION)
    context = sc_graph_parent(a->graph, context);
  return context && a->series[context] != SC_NONE ? context : 0;
}

static uint32_t caller_model(const sc_analysis *a, uint32_t context)
{
  uint32_t function = function_around(a, sc_graph_parent(a->graph, context));
  return function ? sc_analysis_load(a, function)->model : SC_SERIES_ONE;
}

static bool may_change(const sc_analysis *a, const sc_supposition *what, uint32_t context)
{
  return context < a->contexts && a->series[context] != SC_NONE && sc_analysis_in_scope(a, context) &&
         !(what->per_call && sc_graph_at(a->graph, context)->kind == SC_LOCATION_FUNCTION);
}

/* The order that a supposition replaces: of the executions, or of those in each call. */
static sc_order replaced_order(const sc_analysis *a, const sc_supposition *what, uint32_t context)
{
  sc_order order = a->models[sc_analysis_load(a, context)->model].order;
  if (!what->per_call || order.base > 0)
    return order;
  const sc_order *calls = &a->models[caller_model(a, context)].order;
  order.exponent -= calls->exponent;
  order.log_exponent -= calls->log_exponent;
  return order;
}

static int choose_places(sc_suppose *s, const sc_supposition *what, unsigned char *changed)
{
  const sc_analysis *a = s->analysis;
  size_t possible = 0, faster = 0;
  sc_order most = {.exponent = -INFINITY};
  for (size_t i = 0; i < what->context_count; i++) {
    uint32_t c = what->contexts[i];
    if (!may_change(a, what, c))
      continue;
    sc_order order = replaced_order(a, what, c);
    possible++;
    changed[c] = sc_model_compare_order(&order, &what->order) > 0 || sc_analysis_load(a, c)->open;
    faster += changed[c];
    if (sc_model_compare_order(&order, &most) > 0)
      most = order;
  }
  for (size_t i = 0; !faster && i < what->context_count; i++) {
    uint32_t c = what->contexts[i];
    if (!may_change(a, what, c))
      continue;
    sc_order order = replaced_order(a, what, c);
    changed[c] = sc_model_compare_order(&order, &most) >= 0;
  }
  return possible ? 0
                  : sc_err_set(SC_E_USAGE, what->per_call ? "no loop or call of a library function is there"
                                                          : "nothing is counted there");
}

/* The outermost contexts: what is inside another one of the place is changed with it. */
static int choose_outermost(sc_suppose *s, const sc_supposition *what, unsigned char *changed)
{
  const sc_graph *graph = s->analysis->graph;
  for (size_t i = 0; i < what->context_count; i++)
    changed[what->contexts[i]] = what->contexts[i] < s->analysis->contexts;
  for (uint32_t c = s->analysis->contexts; c-- > 1;)
    for (uint32_t p = sc_graph_parent(graph, c); p && changed[c]; p = sc_graph_parent(graph, p))
      if (changed[p])
        changed[c] = false;
  return what->context_count ? 0 : sc_err_set(SC_E_USAGE, "nothing is counted there");
}

static int scale_group(sc_suppose *s, uint32_t number, uint32_t *group)
{
  return find_group(s, (sc_suppose_group){.kind = SC_SUPPOSE_TIMES, .supposition = number, .outer = *group}, group);
}

static int change_suppositions(sc_suppose *s, uint32_t number, uint32_t context, uint32_t *group)
{
  const sc_analysis *a = s->analysis;
  const sc_supposition *what = &s->list[number];
  if (what->scaled) {
    SC_TRY(scale_group(s, number, &s->times[context]));
    return scale_group(s, number, group);
  }
  sc_suppose_group wanted = {.kind = SC_SUPPOSE_ORDER,
                             .supposition = number,
                             .outer = s->times[context],
                             .model = sc_analysis_load(a, context)->model,
                             .caller = SC_SERIES_ONE};
  if (what->per_call) {
    wanted.kind = SC_SUPPOSE_PER_CALL;
    wanted.caller = caller_model(a, context);
    wanted.outer = s->group[function_around(a, sc_graph_parent(a->graph, context))];
  } else if (!sc_analysis_known(a, context)) {
    wanted.own = context;
  }
  return find_group(s, wanted, group);
}

static int assign_supposed(sc_suppose *s)
{
  uint32_t contexts = s->analysis->contexts;
  for (uint32_t c = 1; c < contexts; c++) {
    s->group[c] = s->group[sc_graph_parent(s->analysis->graph, c)];
    s->times[c] = s->times[sc_graph_parent(s->analysis->graph, c)];
    for (uint32_t i = 0; i < s->count; i++)
      if (s->changed[(size_t)i * contexts + c])
        SC_TRY(change_suppositions(s, i, c, &s->group[c]));
  }
  return 0;
}

static int fill_suppositions(sc_suppose *s, const sc_supposition *list)
{
  uint32_t nothing, contexts = s->analysis->contexts;
  s->list = sc_mem_new(s->count + 1, sizeof *s->list);
  s->changed = sc_mem_new(s->count + 1, contexts);
  s->group = sc_mem_new(contexts, sizeof *s->group);
  s->times = sc_mem_new(contexts, sizeof *s->times);
  if (!s->list || !s->changed || !s->group || !s->times)
    return SC_E_NOMEM;
  for (size_t i = 0; i < s->count; i++) {
    unsigned char *changed = s->changed + i * contexts;
    s->list[i] = list[i];
    SC_TRY(list[i].scaled ? choose_outermost(s, &list[i], changed) : choose_places(s, &list[i], changed));
    s->list[i].contexts = NULL;
  }
  SC_TRY(find_group(s, (sc_suppose_group){.kind = SC_SUPPOSE_NOTHING}, &nothing));
  return assign_supposed(s);
}

int sc_suppose_new(const sc_analysis *analysis, const sc_supposition *list, size_t count, sc_suppose **suppose)
{
  SC_TRY(SC_NEW(*suppose, 1));
  **suppose = (sc_suppose){.analysis = analysis, .count = count};
  int err = fill_suppositions(*suppose, list);
  if (err < 0) {
    sc_suppose_free(*suppose);
    *suppose = NULL;
  }
  return err;
}

static void keep_supposed(void *number) { (void)number; }

void sc_suppose_free(sc_suppose *suppose)
{
  if (!suppose)
    return;
  tdestroy(suppose->tree, keep_supposed);
  free(suppose->list);
  free(suppose->changed);
  free(suppose->group);
  free(suppose->times);
  free(suppose->groups);
  free(suppose);
}

/* What is supposed over what was: 1 at the anchor and below. */
static double supposed_replaced(const sc_suppose *s, const sc_suppose_group *g, double n)
{
  const sc_model *models = s->analysis->models;
  const sc_order *order = &s->list[g->supposition].order;
  double was = sc_model_value(&models[g->model], n) / sc_model_value(&models[g->caller], n);
  double there = sc_model_value(&models[g->model], g->anchor) / sc_model_value(&models[g->caller], g->anchor);
  double factor = sc_growth_value(order, n) / sc_growth_value(order, g->anchor) / (was / there);
  if (g->own) /* what its carrier says there is a mean over all sizes */
    factor *= measured_at(s->analysis, g->own, g->anchor) /
              (sc_analysis_load(s->analysis, g->own)->ratio * sc_model_value(&models[g->model], g->anchor));
  return n > g->anchor && isfinite(factor) ? factor : 1;
}

static double supposed_factor_of(const sc_suppose *s, const sc_suppose_group *g, double outer, double n)
{
  switch (g->kind) {
  case SC_SUPPOSE_TIMES:
    return outer * s->list[g->supposition].times;
  case SC_SUPPOSE_ORDER:
  case SC_SUPPOSE_PER_CALL:
    return outer * supposed_replaced(s, g, n);
  case SC_SUPPOSE_NOTHING:
    break;
  }
  return 1;
}

void sc_suppose_factors(const sc_suppose *suppose, double n, double *factors)
{
  for (size_t i = 0; i < suppose->group_count; i++) /* outer ones have smaller numbers */
    factors[i] = supposed_factor_of(suppose, &suppose->groups[i], factors[suppose->groups[i].outer], n);
}

bool sc_suppose_changes(const sc_suppose *suppose, size_t index, uint32_t context)
{
  uint32_t contexts = suppose->analysis->contexts;
  return index < suppose->count && context < contexts && suppose->changed[index * contexts + context];
}

int sc_suppose_count(const sc_suppose *suppose, uint32_t group, uint32_t model, double n, double factor,
                     sc_interval *count)
{
  const sc_analysis *a = suppose->analysis;
  const sc_suppose_group *g = &suppose->groups[group];
  bool per_call = g->kind == SC_SUPPOSE_PER_CALL;
  if ((!per_call && g->kind != SC_SUPPOSE_ORDER) || g->model != model || !(n > g->anchor))
    return 0;
  sc_interval sure;
  double value = factor * sc_model_value(&a->models[model], n);
  SC_TRY(sc_model_predict(&a->models[per_call ? g->caller : model], per_call ? n : g->anchor, a->options.level, &sure));
  if (!isfinite(value) || !(sure.value > 0))
    return 0;
  *count = (sc_interval){value, value * (sure.low / sure.value), value * (sure.high / sure.value)};
  return 1;
}
