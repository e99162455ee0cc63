/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A change with what it costs before and after, its severity and its rank among all. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/compare.h"
#include "transitions/compare/internal.h"
#include "transitions/model/confidence.h"
#include "transitions/model/tuning.h"

/* At one size, summed over contexts; of costs the own one of an execution. */
static int change_predict_at(const sc_side *s, enum sc_change_of of, const uint32_t *contexts, size_t count, double n,
                             sc_interval *out)
{
  sc_interval costs = {0};
  for (size_t i = 0; i < count; i++) {
    sc_interval one;
    if (contexts[i] == SC_COMPARE_NONE)
      continue;
    SC_TRY(sc_analysis_count(s->a, contexts[i], n, &one));
    sc_interval_add(out, &one);
    if (of == SC_CHANGE_OF_COST) {
      SC_TRY(sc_analysis_cost(s->a, contexts[i], n, &one));
      sc_interval_add(&costs, &one);
    }
  }
  double executions = out->value;
  if (of == SC_CHANGE_OF_COST)
    *out = executions > 0 ? (sc_interval){costs.value / executions, costs.low / executions, costs.high / executions}
                          : (sc_interval){0};
  return 0;
}

static int fill_change_state(const sc_compared *c, const sc_side *s, enum sc_change_of of, uint32_t worst,
                             const uint32_t *contexts, size_t count, sc_change_state *state)
{
  *state = (sc_change_state){.context = worst, .resource = SC_COMPARE_NONE};
  if (worst == SC_COMPARE_NONE)
    return 0;
  state->model = of == SC_CHANGE_OF_COST ? NULL : sc_analysis_model(s->a, worst);
  if (state->model)
    state->counts_as = sc_plausible_order(s, worst, s == &c->head, &state->undecided);
  SC_TRY(SC_NEW(state->predictions, c->target_count + 1));
  for (size_t t = 0; t < c->target_count; t++)
    SC_TRY(change_predict_at(s, of, contexts, count, c->targets[t], &state->predictions[t]));
  return 0;
}

static const sc_location *change_location_of(const sc_side *s, const sc_change_state *state)
{
  return sc_graph_at(s->graph, state->context);
}

/* Calls and iterations are executions alike. */
static bool differs_in_unit(const sc_compared *c, const sc_change *change)
{
  if (change->of != SC_CHANGE_OF_COUNT || change->base.context == SC_COMPARE_NONE ||
      change->head.context == SC_COMPARE_NONE)
    return false;
  const sc_location *base = change_location_of(&c->base, &change->base),
                    *head = change_location_of(&c->head, &change->head);
  bool work = base->kind == SC_LOCATION_WORK || head->kind == SC_LOCATION_WORK;
  return work && strcmp(sc_location_unit(base), sc_location_unit(head)) != 0;
}

/* Executions that one of the counts stands for, where those of both sides are not the same. */
static double change_weight_of(const sc_side *s, const sc_change *change, const sc_change_state *state)
{
  return change->other_unit ? sc_location_weight(change_location_of(s, state)) : 1;
}

static sc_interval at_horizon(const sc_compared *c, const sc_change_state *state)
{
  sc_interval at = {0};
  for (size_t t = 0; state->predictions && t < c->target_count; t++)
    if (c->targets[t] == c->horizon)
      at = state->predictions[t];
  return at;
}

static double change_factor_of(const sc_compared *c, const sc_change *change)
{
  double before = at_horizon(c, &change->base).value * change_weight_of(&c->base, change, &change->base);
  double after = at_horizon(c, &change->head).value * change_weight_of(&c->head, change, &change->head);
  if (isinf(before) && isinf(after))
    return NAN;
  return before > 0 ? after / before : after > 0 ? INFINITY : 1;
}

/* The smallest size from which on the head has more than the base, up to what is looked at. */
static double emergence_of(const sc_compared *c, const sc_change *change)
{
  const sc_model *b = change->base.model, *h = change->head.model;
  double from = NAN;
  if (!b || !h || b->verdict != SC_VERDICT_MODEL || h->verdict != SC_VERDICT_MODEL)
    return NAN;
  double base = change_weight_of(&c->base, change, &change->base),
         head = change_weight_of(&c->head, change, &change->head);
  for (double n = c->head.sizes[0]; n <= c->horizon * SC_CHANGE_FAR; n *= 1.05) {
    bool more = head * sc_model_value(h, n) > SC_CHANGE_EXCEEDS * base * sc_model_value(b, n);
    from = more ? (isnan(from) ? n : from) : NAN;
  }
  return isnan(from) ? INFINITY : from;
}

/* Whether the head is worse than all that the base may be at the horizon: how closely the base is known is then no
 * doubt about the change. */
static bool above_base(const sc_compared *c, const sc_change *change)
{
  bool worse = change->rule == SC_RULE_WORSE_ORDER || change->rule == SC_RULE_WORSE_COST;
  double base = at_horizon(c, &change->base).high * change_weight_of(&c->base, change, &change->base);
  double head = at_horizon(c, &change->head).low * change_weight_of(&c->head, change, &change->head);
  return worse && change->base.model && change->head.model && change->base.context != SC_COMPARE_NONE &&
         change->head.context != SC_COMPARE_NONE && head > base;
}

static double confidence_of(const sc_compared *c, const sc_change *change)
{
  double least = 1;
  for (int i = above_base(c, change) ? 1 : 0; i < 2; i++) {
    const sc_change_state *state = i ? &change->head : &change->base;
    sc_interval at = at_horizon(c, state);
    if (state->model && state->context != SC_COMPARE_NONE)
      least = fmin(least, sc_confidence(i ? c->head.a : c->base.a, state->model, &at));
  }
  return least;
}

enum sc_severity sc_change_severity(const sc_change *change)
{
  switch (change->rule) {
  case SC_RULE_WORSE_ORDER:
    return change->share >= SC_CHANGE_LARGE && change->confidence >= SC_CHANGE_SURE ? SC_SEVERITY_ERROR
                                                                                    : SC_SEVERITY_WARNING;
  case SC_RULE_WORSE_COST:
  case SC_RULE_NEW_COST:
    return SC_SEVERITY_WARNING;
  default:
    return SC_SEVERITY_NOTE;
  }
}

int sc_change_add(sc_compared *c, const sc_change_draft *draft)
{
  sc_comparison *out = c->out;
  SC_TRY(sc_mem_grow(&out->list, &c->capacity, out->count + 1, sizeof *out->list));
  sc_change *change = &out->list[out->count++];
  *change = (sc_change){.rule = draft->rule, .of = draft->of, .share = draft->share, .emergence = NAN};
  bool gone = draft->rule == SC_RULE_GONE;
  SC_TRY(SC_NEW(change->contexts, draft->count + 1));
  memcpy(change->contexts, draft->contexts, draft->count * sizeof *change->contexts);
  change->context_count = draft->count;
  SC_TRY(fill_change_state(c, &c->base, draft->of, draft->base, gone ? draft->contexts : draft->others, draft->count,
                           &change->base));
  SC_TRY(fill_change_state(c, &c->head, draft->of, draft->head, gone ? draft->others : draft->contexts, draft->count,
                           &change->head));
  change->other_unit = differs_in_unit(c, change);
  change->factor = change_factor_of(c, change);
  if (draft->of == SC_CHANGE_OF_COUNT && (draft->rule == SC_RULE_WORSE_ORDER || draft->rule == SC_RULE_WORSE_COST))
    change->emergence = emergence_of(c, change);
  change->confidence = draft->confidence > 0 ? draft->confidence : confidence_of(c, change);
  change->severity = sc_change_severity(change);
  return sc_tell_change(c, draft->evidence, change);
}

void sc_change_clear(sc_change *change)
{
  free(change->base.predictions);
  free(change->head.predictions);
  free(change->contexts);
  free(change->evidence);
  *change = (sc_change){0};
}

/* Times that it is more, or less. */
static double change_by(const sc_change *change)
{
  return isnan(change->factor) ? 0 : fmax(change->factor, 1 / change->factor);
}

/* Worse ones first: rules stand in this order in their table. Resources have no share: the larger change first. */
static int compare_changes(const void *a, const void *b)
{
  const sc_change *x = a, *y = b;
  uint32_t p = x->head.context == SC_COMPARE_NONE ? x->base.context : x->head.context;
  uint32_t q = y->head.context == SC_COMPARE_NONE ? y->base.context : y->head.context;
  return SC_COMPARE(y->severity, x->severity) ?: SC_COMPARE(x->rule, y->rule) ?: SC_COMPARE(y->share, x->share) ?:
         SC_COMPARE(change_by(y), change_by(x)) ?: SC_COMPARE(p, q) ?: SC_COMPARE(x->metric, y->metric);
}

int sc_change_rank(sc_comparison *out)
{
  if (out->count)
    qsort(out->list, out->count, sizeof *out->list, compare_changes);
  return 0;
}
