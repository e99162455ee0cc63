/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether the totals of both sides differ. */
#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "transitions/compare/internal.h"
#include "transitions/model/predict.h"
#include "transitions/model/tuning.h"
#include "transitions/suppose/portion.h"

/* Half of an interval, as a logarithm, on the side of the other study. */
static double half_width_towards(const sc_interval *x, bool up)
{
  double end = up ? x->high : x->low;
  return x->value > 0 && end > 0 && isfinite(end) ? fabs(log(end / x->value)) : end == x->value ? 0 : INFINITY;
}

/* Both sides at a target as far as their runs tell: that times leave open whether an execution costs more at larger
 * sizes goes for both alike, and hides no difference. */
static int steady_sides(const sc_compared *c, const sc_change_total *total, double n, sc_interval *base,
                        sc_interval *head)
{
  *base = total->base;
  *head = total->head;
  if (!c->out->totals_cost)
    return 0;
  SC_TRY(sc_predict_steady_total(c->base.a, n, base));
  return sc_predict_steady_total(c->head.a, n, head);
}

/* The difference of two independent figures has the root of both squares as its own half-width. */
static int judge_total(const sc_compared *c, double n, sc_change_total *total)
{
  sc_interval base, head;
  bool known = total->base.value > 0 && isfinite(total->base.value) && isfinite(total->head.value);
  total->factor = known ? total->head.value / total->base.value : NAN;
  if (!(total->factor > 0))
    return 0;
  SC_TRY(steady_sides(c, total, n, &base, &head));
  bool more = total->factor > 1;
  double noise = hypot(half_width_towards(&base, more), half_width_towards(&head, !more));
  double moods = c->out->totals_cost ? SC_TOTALS_MOODS * SC_TOTALS_MOOD * sqrt(2) : 0;
  total->clear = fabs(log(total->factor)) > hypot(noise, moods);
  return 0;
}

static int fill_side(const sc_side *s, const sc_compared *c, bool head)
{
  sc_portion *counts = NULL;
  int err = 0;
  if (!c->out->totals_cost)
    SC_TRY(sc_portion_new(s->a, NULL, 0, SC_PORTION_COUNT, NULL, &counts));
  for (size_t t = 0; t < c->target_count; t++) {
    sc_interval *to = head ? &c->out->totals[t].head : &c->out->totals[t].base;
    SC_GOTO(counts ? sc_portion_predict(counts, c->targets[t], to) : sc_analysis_total(s->a, c->targets[t], to));
  }
out:
  sc_portion_free(counts);
  return err;
}

static int predict_executions(const sc_side *s, double n, sc_interval *out)
{
  sc_portion *counts;
  SC_TRY(sc_portion_new(s->a, NULL, 0, SC_PORTION_COUNT, NULL, &counts));
  int err = sc_portion_predict(counts, n, out);
  sc_portion_free(counts);
  return err;
}

/* In one unit: a side whose runs were too short for samples has executions for costs. */
static int predict_totals(const sc_compared *c)
{
  const char *unit = sc_analysis_cost_unit(c->head.a);
  sc_interval *base = &c->out->base_total, *head = &c->out->head_total;
  bool same = strcmp(unit, sc_analysis_cost_unit(c->base.a)) == 0;
  c->out->total_unit = same ? unit : "iterations";
  if (!same) {
    SC_TRY(predict_executions(&c->base, c->horizon, base));
    return predict_executions(&c->head, c->horizon, head);
  }
  SC_TRY(sc_analysis_total(c->base.a, c->horizon, base));
  return sc_analysis_total(c->head.a, c->horizon, head);
}

int sc_totals_compare(sc_compared *c)
{
  SC_TRY(predict_totals(c));
  c->out->totals_cost = c->out->same_machine && c->base.a->sampled && c->head.a->sampled;
  SC_TRY(SC_NEW(c->out->totals, c->target_count + 1));
  SC_TRY(fill_side(&c->base, c, false));
  SC_TRY(fill_side(&c->head, c, true));
  for (size_t t = 0; t < c->target_count; t++)
    SC_TRY(judge_total(c, c->targets[t], &c->out->totals[t]));
  return 0;
}
