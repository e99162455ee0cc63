/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What transitions carry, as slices of one list of contexts. Sums go over loads and how many contexts have each, not
 * over contexts: of these a program may have a million, with a few hundred loads. */
#include "transitions/findings/carried.h"

#include <gsl/gsl_sort.h>
#include <stdlib.h>

#include "base/buf.h"
#include "transitions/model/costs.h"
#include "transitions/model/predict.h"
#include "transitions/model/sums.h"
#include "transitions/model/waiting.h"

enum { FEW = 24 };

/* Costs at the horizon are computed once for each load, as every transition asks for those of its members, and a
 * million contexts have few loads. */
int sc_carried_begin(const sc_analysis *analysis, const sc_transitions *transitions, sc_carried *c)
{
  const sc_loads *loads = &analysis->loads;
  *c = (sc_carried){.analysis = analysis, .transitions = transitions, .horizon = sc_analysis_horizon(analysis)};
  SC_TRY(sc_load_counts_begin(&c->members, loads));
  SC_TRY(sc_load_counts_begin(&c->sites, loads));
  SC_TRY(SC_NEW(c->worth, loads->count));
  SC_TRY(SC_NEW(c->counts, loads->count));
  for (size_t i = 0; i < loads->count; i++) {
    sc_blend_part part = sc_costs_part(&loads->list[i]);
    c->counts[i].low = -1;
    if (part.value > 0) /* treat 0 * inf as 0 */
      c->worth[i] = part.value * sc_model_value(&analysis->models[part.model], c->horizon);
  }
  return sc_carried_index(c);
}

void sc_carried_free(sc_carried *c)
{
  free(c->start);
  free(c->contexts);
  free(c->worth);
  free(c->counts);
  sc_load_counts_free(&c->members);
  sc_load_counts_free(&c->sites);
  *c = (sc_carried){0};
}

/* Counting sort by owner: the members of a transition lie together, in the order of the tree. Done again when owners
 * have changed. */
int sc_carried_index(sc_carried *c)
{
  const uint32_t *owner = c->transitions->owner;
  size_t transitions = c->transitions->count, contexts = c->analysis->contexts;
  free(c->start);
  free(c->contexts);
  c->start = sc_mem_new(transitions + 2, sizeof *c->start);
  c->contexts = sc_mem_new(contexts + 1, sizeof *c->contexts);
  if (!c->start || !c->contexts)
    return SC_E_NOMEM;
  for (uint32_t i = 0; i < contexts; i++)
    if (owner[i] != SC_NONE)
      c->start[owner[i] + 2]++;
  for (size_t i = 2; i < transitions + 2; i++)
    c->start[i] += c->start[i - 1];
  for (uint32_t i = 0; i < contexts; i++)
    if (owner[i] != SC_NONE)
      c->contexts[c->start[owner[i] + 1]++] = i; /* leaves start[t + 1] where t + 1 begins */
  return 0;
}

/* Of the lowest one first, so that what carries the same costs the same, to the last bit. */
static double sum_few(const sc_carried *c, const uint32_t *contexts, size_t count)
{
  double sorted[FEW], sum = 0;
  for (size_t i = 0; i < count; i++)
    sorted[i] = sc_carried_worth(c, contexts[i]);
  gsl_sort(sorted, 1, count);
  for (size_t i = 0; i < count; i++)
    sum += sorted[i];
  return sum;
}

/* Few members are added up one by one; for many it is quicker to count equal loads and add each once. */
double sc_carried_cost(sc_carried *c, uint32_t transition)
{
  const uint32_t *contexts = c->contexts + c->start[transition];
  size_t count = c->start[transition + 1] - c->start[transition];
  double sum = 0;
  if (count <= FEW)
    return sum_few(c, contexts, count);
  for (size_t i = 0; i < count; i++)
    sc_load_counts_add(&c->members, &c->analysis->loads, contexts[i]);
  sc_load_counts_sort(&c->members);
  for (size_t i = 0; i < c->members.used_count; i++)
    sum += c->worth[c->members.used[i]] * c->members.times[c->members.used[i]];
  sc_load_counts_clear(&c->members);
  return sum;
}

int sc_carried_count(const sc_carried *c, uint32_t context, sc_interval *count)
{
  sc_interval *known = &c->counts[c->analysis->loads.numbers[context]];
  if (known->low < 0)
    SC_TRY(sc_analysis_count(c->analysis, context, c->horizon, known));
  *count = *known;
  return 0;
}

int sc_carried_blend(sc_carried *c, const uint32_t *transitions, size_t count, sc_blend *cost)
{
  const sc_loads *loads = &c->analysis->loads;
  for (size_t t = 0; t < count; t++)
    for (size_t i = c->start[transitions[t]]; i < c->start[transitions[t] + 1]; i++)
      sc_load_counts_add(&c->members, loads, c->contexts[i]);
  int err = sc_load_counts_blend(&c->members, loads, sc_costs_part, cost);
  sc_load_counts_clear(&c->members);
  return err;
}

static bool is_listed(const uint32_t *transitions, size_t count, uint32_t transition)
{
  size_t low = 0;
  for (size_t high = count; low < high;) {
    size_t middle = low + (high - low) / 2;
    if (transitions[middle] < transition)
      low = middle + 1;
    else
      high = middle;
  }
  return low < count && transitions[low] == transition;
}

static bool carried_waits(const sc_carried *c, const uint32_t *transitions, size_t count)
{
  const struct sc_elapsed *elapsed = &c->analysis->elapsed;
  for (size_t i = 0; elapsed->known && i < elapsed->place_count; i++)
    if (elapsed->places[i].blocks && is_listed(transitions, count, c->transitions->owner[elapsed->places[i].context]))
      return true;
  return false;
}

/* At one size: `cost` of what is carried, `executions` of the sites. */
static int is_reached(const sc_carried *c, const sc_blend *cost, const sc_blend *executions, double n, double least,
                      bool *reached)
{
  const sc_analysis *a = c->analysis;
  sc_interval own, total, count;
  SC_TRY(sc_sums_blend(a, cost, n, &own));
  SC_TRY(sc_analysis_total(a, n, &total));
  SC_TRY(sc_sums_blend(a, executions, n, &count));
  *reached = sc_predict_share(own.value, total.value) >= least ||
             sc_predict_share(count.value, sc_sums_executions(a, n)) >= least;
  return 0;
}

/* At any target, not only the last: what matters at a million and is lost among others at ten million still is a
 * finding. */
int sc_carried_is_negligible(sc_carried *c, const uint32_t *transitions, size_t count, bool *negligible)
{
  const sc_analysis *a = c->analysis;
  const sc_transition *list = c->transitions->list;
  static const double rounding = 1e-9; /* what is that near is judged as it is printed */
  double least = a->options.negligible * (1 - rounding);
  size_t targets = a->options.target_count;
  sc_blend cost = {0}, executions = {0};
  bool reached = a->options.negligible <= 0 || carried_waits(c, transitions, count);
  int err = 0;
  *negligible = !reached;
  if (reached)
    return 0;
  for (size_t t = 0; t < count; t++)
    if (!list[transitions[t]].of_cost)
      sc_load_counts_add(&c->sites, &a->loads, list[transitions[t]].context);
  SC_GOTO(sc_load_counts_blend(&c->sites, &a->loads, sc_costs_executions_part, &executions));
  SC_GOTO(sc_carried_blend(c, transitions, count, &cost));
  for (size_t i = 0; i < targets + !targets && !reached; i++)
    SC_GOTO(is_reached(c, &cost, &executions, targets ? a->options.targets[i] : c->horizon, least, &reached));
  *negligible = !reached;
out:
  sc_load_counts_clear(&c->sites);
  sc_blend_free(&cost);
  sc_blend_free(&executions);
  return err;
}
