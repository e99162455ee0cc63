/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Changes of resources: what is held at a time, what stays, how often it is asked for, and, on one machine, how long it
 * is held and how busy that makes it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "transitions/compare/holdings.h"
#include "transitions/compare/internal.h"
#include "transitions/model/tuning.h"

/* What is looked at, and what it has to be for whom. */
typedef struct watched {
  enum sc_resource_metric metric;
  bool timed; /* compared on one machine only */
} watched;

/* Each before what follows from it. */
static const watched METRICS[] = {{SC_RMETRIC_OUTSTANDING, false}, {SC_RMETRIC_PEAK, false},
                                  {SC_RMETRIC_ACQUIRES, false},    {SC_RMETRIC_HOLD, true},
                                  {SC_RMETRIC_UTILISATION, true},  {SC_RMETRIC_WAIT, true}};

static const sc_resource *watched_at(const sc_side *s, uint32_t resource)
{
  return sc_usage_resource_at(s->graph, resource);
}

/* Metrics that mean something for a class. */
static bool watched_applies(const sc_resource *resource, enum sc_resource_metric metric)
{
  enum sc_resource_class c = resource->resource_class;
  bool waits = c == SC_RESOURCE_CONDITION || c == SC_RESOURCE_BARRIER || resource->idle;
  switch (metric) {
  case SC_RMETRIC_PEAK:
  case SC_RMETRIC_OUTSTANDING:
    return !sc_resource_class_locks(c) && !waits;
  case SC_RMETRIC_ACQUIRES:
    return !waits;
  default:
    return (sc_resource_class_locks(c) || c == SC_RESOURCE_OTHER || c == SC_RESOURCE_SEMAPHORE) && !waits;
  }
}

/* Whether that amount is worth a line. */
static bool watched_matters(const sc_holding *x, const sc_interval *value, enum sc_resource_metric metric)
{
  const sc_resource *resource = watched_at(&x->c->head, x->head);
  sc_interval busy = {0};
  switch (metric) {
  case SC_RMETRIC_PEAK:
  case SC_RMETRIC_OUTSTANDING:
    return value->value >= (sc_resource_class_memory(resource->resource_class) ? SC_HOLDINGS_BYTES : SC_HOLDINGS_UNITS);
  case SC_RMETRIC_ACQUIRES:
    return value->value >= SC_COMPARE_SHARE * x->c->head.total_work;
  case SC_RMETRIC_UTILISATION:
    return value->value >= SC_HOLDINGS_BUSY;
  default:
    if (sc_resources_predict(x->c->head.in->resources, x->head, SC_RMETRIC_UTILISATION, x->c->horizon, &busy) < 0)
      return false;
    return busy.value >= SC_HOLDINGS_WAITED;
  }
}

static bool watched_disjoint(const sc_interval *low, const sc_interval *high) { return low->high < high->low; }

/* The sizes measured show a good part of what is enough, and more than repeats differ: of times every one that both
 * sides have, as a busy machine makes more of them the more threads there are; else the upper half. */
static bool watched_seen(const sc_holding *x, const watched *w, double factor, double enough)
{
  if (w->timed)
    return x->apart >= fmax(SC_HOLDINGS_SEEN * log(enough), SC_BEHAVIOUR_SPREADS * x->spread);
  const sc_difference *d = &x->measured;
  return !d->points || (d->last * log(factor) > 0 &&
                        d->least >= fmax(SC_HOLDINGS_SEEN * log(enough), SC_BEHAVIOUR_SPREADS * x->spread));
}

/* The rule that a metric's change falls under; false: it did not change, or not enough. */
static bool judge_watched(const sc_holding *x, const watched *w, enum sc_rule *rule)
{
  const sc_interval *b = &x->before, *h = &x->after;
  double factor = (h->value + x->least) / (b->value + x->least);
  bool exact = x->base_series->model.exact && x->head_series->model.exact;
  double enough = w->timed ? SC_HOLDINGS_TIME : exact ? SC_HOLDINGS_EXACT : SC_HOLDINGS_NOISY;
  if (w->metric == SC_RMETRIC_UTILISATION)
    enough = SC_HOLDINGS_BUSIER;
  if (!isfinite(factor) || x->measured.equal)
    return false;
  if (factor >= enough && watched_disjoint(b, h) && (exact || watched_seen(x, w, factor, enough))) {
    bool order = sc_behaviour_rise(&x->base_series->model, &x->head_series->model, 0) == 1;
    *rule = order ? SC_RULE_WORSE_ORDER : SC_RULE_WORSE_COST;
    return watched_matters(x, h, w->metric);
  }
  *rule = SC_RULE_BETTER;
  return factor <= 1 / enough && watched_disjoint(h, b) && (exact || watched_seen(x, w, factor, enough)) &&
         watched_matters(x, b, w->metric);
}

/* Whether a change that was told already explains that it is asked for more often. */
static bool watched_explained(const sc_holding *x, uint32_t site)
{
  const sc_comparison *out = x->c->out;
  for (size_t i = 0; i < out->count; i++)
    for (size_t k = 0; out->list[i].of == SC_CHANGE_OF_COUNT && k < out->list[i].context_count; k++)
      for (uint32_t c = site; c; c = sc_graph_parent(x->c->head.graph, c))
        if (out->list[i].rule != SC_RULE_GONE && out->list[i].contexts[k] == c)
          return true;
  return false;
}

/* What stays is held at a time, too; what is held for longer is busier, and waited for. */
static bool watched_follows(const sc_holding *x, enum sc_resource_metric metric, enum sc_rule rule)
{
  const sc_comparison *out = x->c->out;
  for (size_t i = 0; i < out->count; i++) {
    const sc_change *t = &out->list[i];
    if (t->of != SC_CHANGE_OF_RESOURCE || t->head.resource != x->head ||
        (t->rule == SC_RULE_BETTER) != (rule == SC_RULE_BETTER))
      continue;
    if ((metric == SC_RMETRIC_PEAK && t->metric == SC_RMETRIC_OUTSTANDING) ||
        (metric == SC_RMETRIC_UTILISATION && t->metric == SC_RMETRIC_HOLD) ||
        (metric == SC_RMETRIC_WAIT && (t->metric == SC_RMETRIC_HOLD || t->metric == SC_RMETRIC_UTILISATION)))
      return true;
  }
  return false;
}

/* Whether calls were kept apart by their place when it was measured: peaks, which are summed over what is kept apart,
 * are higher then. Where nothing has a place there is nothing to tell. */
static bool knows_places(const sc_side *s, bool *any)
{
  size_t rows;
  const sc_usage *row = sc_usage_rows(s->graph, s->a->runs[s->a->run_count - 1], &rows);
  *any = rows > 0;
  for (; rows; rows--, row++)
    if (row->column)
      return true;
  return false;
}

static bool peaks_compare(const sc_compared *c)
{
  bool bases, heads, base = knows_places(&c->base, &bases), head = knows_places(&c->head, &heads);
  return base == head || !bases || !heads;
}

static int look_at(sc_holding *x, const watched *w)
{
  sc_compared *c = x->c;
  enum sc_rule rule;
  /* away from the base values times are predicted: what a busy machine adds to them is taken for the program's there */
  bool timed = c->out->same_machine && !sc_resources_moved(c->head.in->resources);
  if (!watched_applies(watched_at(&c->head, x->head), w->metric) || (w->timed && !timed) ||
      (w->metric == SC_RMETRIC_PEAK && !peaks_compare(c)))
    return 0;
  x->metric = w->metric;
  x->least = w->timed ? 0 : 0.5;
  bool known;
  SC_TRY(sc_holding_measure(x, &known));
  if (!known || !judge_watched(x, w, &rule) || watched_follows(x, w->metric, rule))
    return 0;
  sc_holding_place site;
  SC_TRY(sc_holding_site(x, &site));
  if (w->metric == SC_RMETRIC_ACQUIRES && (site.context == SC_COMPARE_NONE || watched_explained(x, site.context)))
    return 0;
  return sc_holding_tell(x, rule, &site);
}

/* What is new and is used up, or is never given back. */
static int look_at_new(sc_holding *x)
{
  static const watched metrics[] = {{SC_RMETRIC_UTILISATION, true}, {SC_RMETRIC_OUTSTANDING, false}};
  for (size_t i = 0; i < 2; i++) {
    const sc_resource_series *series =
        sc_resources_series(x->c->head.in->resources, x->head, SC_USAGE_NONE, metrics[i].metric);
    if (!series || !watched_applies(watched_at(&x->c->head, x->head), metrics[i].metric))
      continue;
    x->metric = metrics[i].metric;
    x->head_series = series;
    SC_TRY(sc_resources_predict(x->c->head.in->resources, x->head, x->metric, x->c->horizon, &x->after));
    bool grows = x->metric == SC_RMETRIC_UTILISATION ||
                 (series->model.verdict == SC_VERDICT_MODEL && series->model.order.exponent >= SC_ORDER_STEP);
    if (grows && watched_matters(x, &x->after, x->metric)) {
      sc_holding_place site;
      SC_TRY(sc_holding_site(x, &site));
      return sc_holding_tell(x, SC_RULE_NEW_COST, &site);
    }
  }
  return 0;
}

int sc_holdings_compare(sc_compared *c)
{
  if (!c->head.in->resources || !c->base.in->resources)
    return 0; /* one was built without events */
  uint32_t *mates;
  int err = sc_holding_match(c, &mates);
  for (uint32_t r = 0; err == 0 && r < sc_usage_resource_count(c->head.graph); r++) {
    sc_holding x = {.c = c, .base = mates[r], .head = r};
    if (x.base == SC_COMPARE_NONE) {
      err = look_at_new(&x);
      continue;
    }
    for (size_t i = 0; err == 0 && i < sizeof METRICS / sizeof *METRICS; i++)
      err = look_at(&x, &METRICS[i]);
  }
  free(mates);
  return err;
}
