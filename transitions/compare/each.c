/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What one execution costs: of a location, over the runs of sizes that both sides have measured. Only of one machine,
 * and only where the difference is beyond what samples and the machine's moods make. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "transitions/compare/internal.h"
#include "transitions/findings/explain.h"
#include "transitions/model/spent.h"
#include "transitions/model/tuning.h"

typedef struct spent {
  double cost, count, samples;
} spent;

/* The runs of a side that are looked at: from half of the largest common size on. */
typedef struct window {
  double *per_sample; /* [run_count] cost of a sample; 0: the run is not looked at */
} window;

/* The analysis of the runs: what an execution costs was not measured at other values of further parameters. */
static const sc_analysis *priced_measured(const sc_side *s) { return s->in->measured ? s->in->measured : s->a; }

static int open_window(const sc_side *s, double low, double high, window *w)
{
  const sc_analysis *a = priced_measured(s);
  SC_TRY(SC_NEW(w->per_sample, a->run_count));
  for (size_t i = 0; i < a->run_count; i++) {
    const sc_run *run = sc_graph_run_const(s->graph, a->runs[i]);
    double sum = 0;
    if (a->sizes[i] < low || a->sizes[i] > high || !run->samples || strcmp(run->cost_event, a->event) != 0)
      continue;
    for (uint32_t c = 0; c < s->contexts; c++)
      sum += sc_graph_value(s->graph, a->runs[i], c, SC_METRIC_COST);
    w->per_sample[i] = sum / (double)run->samples;
  }
  return 0;
}

static void add_spent(const sc_side *s, const window *w, uint32_t context, spent *to)
{
  const sc_analysis *a = priced_measured(s);
  for (size_t i = 0; i < a->run_count; i++) {
    if (!(w->per_sample[i] > 0))
      continue;
    double cost = sc_spent_at(a, i, context);
    to->cost += cost;
    to->samples += cost / w->per_sample[i];
    to->count += sc_analysis_values(a, context)[i];
  }
}

/* A location that both sides have. `expected`: what the head's counts cost at the base's prices. */
typedef struct priced {
  spent before, after;
  double expected;
} priced;

typedef struct prices {
  sc_compared *c;
  window base, head;
  double low, high;  /* sizes */
  priced *places;    /* [places of the head] */
  priced *functions; /* [places of the head] the function's own, with its loops */
  priced all;
} prices;

static void priced_price(prices *p, uint32_t location)
{
  const sc_compared *c = p->c;
  priced *x = &p->places[location];
  if (c->head.places[location].at && c->head.places[location].at->kind == SC_LOCATION_WORK)
    return; /* a byte's price hangs on how many there are in a call */
  for (uint32_t h = c->head.places[location].first; h; h = c->head.next[h]) {
    uint32_t b = c->head.mate[h];
    if (b == SC_COMPARE_NONE || c->head.a->series[h] == SC_NONE || c->base.a->series[b] == SC_NONE)
      continue;
    add_spent(&c->base, &p->base, b, &x->before);
    add_spent(&c->head, &p->head, h, &x->after);
  }
  x->expected = x->before.count > 0 ? x->before.cost / x->before.count * x->after.count : 0;
}

static void sum_priced(priced *to, const priced *x)
{
  to->before.samples += x->before.samples;
  to->after.samples += x->after.samples;
  to->after.cost += x->after.cost;
  to->expected += x->expected;
}

/* ln of what the head's executions cost over what they would have cost at the base's prices. */
static double priced_logarithm(const priced *x)
{
  return x->expected > 0 && x->after.cost > 0 ? log(x->after.cost / x->expected) : 0;
}

static double priced_deviation(const priced *x)
{
  return sqrt(1 / fmax(x->before.samples, 1) + 1 / fmax(x->after.samples, 1) + 2 * SC_EACH_MOOD * SC_EACH_MOOD);
}

/* Where the rest of the program changed alike, it is the machine; a location that is nearly all there is has to have
 * changed by more, and what doubled is no mood. */
static bool stands_out(const prices *p, const priced *x)
{
  double own = priced_logarithm(x);
  priced rest = {.before.samples = p->all.before.samples - x->before.samples,
                 .after.samples = p->all.after.samples - x->after.samples,
                 .after.cost = p->all.after.cost - x->after.cost,
                 .expected = p->all.expected - x->expected};
  if (fabs(own) >= log(SC_EACH_SURE))
    return true;
  if (rest.before.samples < SC_EACH_REST_SAMPLES || rest.after.samples < SC_EACH_REST_SAMPLES)
    return fabs(own) >= log(SC_EACH_ALONE);
  double apart = own - priced_logarithm(&rest);
  return apart * own > 0 && fabs(apart) >= SC_EACH_REST_SIGMA * hypot(priced_deviation(x), priced_deviation(&rest));
}

static bool priced_changed(const prices *p, uint32_t location)
{
  const priced *x = &p->places[location];
  uint32_t f = p->c->head.places[location].function;
  double own = priced_logarithm(x);
  if (x->before.samples < SC_EACH_SAMPLES || x->after.samples < SC_EACH_SAMPLES ||
      fabs(own) < SC_EACH_SIGMA * priced_deviation(x) || !stands_out(p, x))
    return false;
  /* what moved between a function and its loops is not dearer */
  return fabs(priced_logarithm(&p->functions[f == SC_NONE ? location : f])) >= log(SC_EACH_FUNCTION);
}

static void put_cost(const sc_compared *c, double cost, sc_buf *out)
{
  if (sc_analysis_timed(c->head.a)) {
    sc_explain_duration(cost, out);
  } else {
    sc_explain_number(out, cost);
    sc_buf_printf(out, " %s", c->head.a->unit);
  }
}

static void put_evidence(const prices *p, const priced *x, bool loop, sc_buf *out)
{
  const sc_compared *c = p->c;
  sc_buf_printf(out, "One %s cost ", loop ? "iteration" : "call");
  put_cost(c, x->before.cost / x->before.count, out);
  sc_buf_printf(out, " before (%.0f samples), and ", x->before.samples);
  put_cost(c, x->after.cost / x->after.count, out);
  sc_buf_printf(out, " now (%.0f samples), without what it calls, at %s = ", x->after.samples,
                c->head.a->options.variable);
  sc_explain_number(out, ceil(p->low));
  sc_buf_puts(out, " to ");
  sc_explain_number(out, p->high);
  sc_buf_puts(out, " on the same machine. ");
}

static enum sc_rule priced_rule_of(const sc_compared *c, uint32_t base, uint32_t head, double own)
{
  bool grew = sc_analysis_load(c->base.a, base)->growing, grows = sc_analysis_load(c->head.a, head)->growing;
  if (own < 0)
    return SC_RULE_BETTER;
  return grows && !grew ? SC_RULE_WORSE_ORDER : SC_RULE_WORSE_COST;
}

static int add_price(prices *p, uint32_t location)
{
  int err = SC_E_NOMEM;
  sc_compared *c = p->c;
  const priced *x = &p->places[location];
  double cost = 0, own = priced_logarithm(x), sigmas = fabs(own) / priced_deviation(x);
  size_t room = c->head.places[location].count, count = 0, worst = 0;
  uint32_t *heads = sc_mem_new(room + 1, sizeof *heads), *bases = sc_mem_new(room + 1, sizeof *bases);
  sc_buf evidence = {0};
  if (!heads || !bases)
    goto out;
  for (uint32_t h = c->head.places[location].first; h; h = c->head.next[h]) {
    if (c->head.mate[h] == SC_COMPARE_NONE || !sc_analysis_in_scope(c->head.a, h))
      continue;
    heads[count] = h;
    bases[count] = c->head.mate[h];
    cost += c->head.own_cost[h];
    worst = c->head.own_cost[h] > c->head.own_cost[heads[worst]] ? count : worst;
    count++;
  }
  double share = c->head.total_cost > 0 ? fmin(1, cost / c->head.total_cost) : 0;
  double impact = own > 0 ? share * -expm1(-own) : share * expm1(-own);
  err = 0;
  if (!count || impact < SC_EACH_IMPACT)
    goto out;
  put_evidence(p, x, c->head.places[location].at->kind == SC_LOCATION_LOOP, &evidence);
  SC_GOTO(sc_buf_finish(&evidence));
  uint32_t head = heads[worst], base = bases[worst];
  heads[worst] = heads[0], bases[worst] = bases[0];
  heads[0] = head, bases[0] = base;
  err = sc_change_add(c, &(sc_change_draft){.rule = priced_rule_of(c, base, head, own),
                                            .of = SC_CHANGE_OF_COST,
                                            .base = base,
                                            .head = head,
                                            .contexts = heads,
                                            .others = bases,
                                            .count = count,
                                            .share = share,
                                            .confidence = sigmas / (sigmas + SC_EACH_SIGMA),
                                            .evidence = evidence.text});
out:
  sc_buf_free(&evidence);
  free(heads);
  free(bases);
  return err;
}

static int open_prices(prices *p)
{
  const sc_side *b = &p->c->base, *h = &p->c->head;
  p->high = fmin(b->sizes[b->size_count - 1], h->sizes[h->size_count - 1]);
  p->low = p->high / 2;
  p->places = sc_mem_new(h->place_count, sizeof *p->places);
  p->functions = sc_mem_new(h->place_count, sizeof *p->functions);
  if (!p->places || !p->functions)
    return SC_E_NOMEM;
  SC_TRY(open_window(b, p->low, p->high, &p->base));
  SC_TRY(open_window(h, p->low, p->high, &p->head));
  for (uint32_t l = 0; l < h->place_count; l++) {
    uint32_t f = h->places[l].function == SC_NONE ? l : h->places[l].function;
    priced_price(p, l);
    sum_priced(&p->functions[f], &p->places[l]);
    sum_priced(&p->all, &p->places[l]);
  }
  return 0;
}

int sc_each_compare(sc_compared *c)
{
  int err = 0;
  prices p = {.c = c};
  SC_GOTO(open_prices(&p));
  for (uint32_t l = 0; l < c->head.place_count; l++)
    if (priced_changed(&p, l))
      SC_GOTO(add_price(&p, l));
out:
  free(p.base.per_sample);
  free(p.head.per_sample);
  free(p.places);
  free(p.functions);
  return err;
}
