/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether a matched context's count behaves as in the base. It does if anything explains it away: the measured values
 * agree, or they do for each execution of what is around. docs/diff.md has the figures. */
#include <math.h>
#include <string.h>

#include "transitions/compare/internal.h"
#include "transitions/model/order.h"
#include "transitions/model/tuning.h"

/* The pair, or the pair that it is counted against. */
typedef struct both {
  const sc_model *base, *head;
  const double *base_curve, *head_curve;
  double spread; /* of repeats, the larger side's */
} both;

/* At other values of further parameters nothing was measured: curves are predicted, and may be as far off as the
 * model's interval says, at either end of the sizes. */
static double predicted_spread(const sc_side *s, uint32_t context)
{
  const sc_model *model = sc_sides_model(s, context);
  double most = 0;
  for (size_t i = 0; i < s->size_count && !model->exact; i++) {
    sc_interval at;
    if (sc_model_predict(model, s->sizes[i], s->a->options.level, &at) < 0 || !isfinite(at.high))
      return SC_BEHAVIOUR_UNBOUNDED;
    most = fmax(most, log((at.high + 0.5) / (at.low + 0.5)) / 2);
  }
  return most / s->a->quantile;
}

/* The standard deviation of the logarithms of a size's repeats: what depends on the time that threads, or others, take
 * varies from run to run, and from study to study too. */
static double spread_of(const sc_side *s, uint32_t context)
{
  const sc_analysis *a = s->a;
  const double *values = a->series[context] == SC_NONE ? NULL : sc_analysis_values(a, context);
  if (values && sc_analysis_moved(a))
    return predicted_spread(s, context);
  double squares = 0, degrees = 0;
  for (size_t i = 0, end; values && i < a->run_count; i = end) {
    double sum = 0;
    for (end = i; end < a->run_count && a->sizes[end] == a->sizes[i]; end++)
      sum += log(values[end] + 0.5);
    for (size_t k = i; k < end; k++) {
      double off = log(values[k] + 0.5) - sum / (double)(end - i);
      squares += off * off;
    }
    degrees += (double)(end - i - 1);
  }
  return degrees > 0 ? sqrt(squares / degrees) : 0;
}

static both both_of(const sc_compared *c, uint32_t base, uint32_t head)
{
  return (both){sc_sides_model(&c->base, base), sc_sides_model(&c->head, head), sc_sides_curve(&c->base, base),
                sc_sides_curve(&c->head, head), fmax(spread_of(&c->base, base), spread_of(&c->head, head))};
}

static bool behaviour_exact(const both *x) { return x->base->exact && x->head->exact; }

static double behaviour_ratio(double value, double parent) { return (value + 0.5) / (parent > 0 ? parent : 1); }

/* ln of head over base at n, each for one execution of the parents. */
static double behaviour_predicted(const both *x, const both *parents, double n)
{
  double base = behaviour_ratio(sc_model_value(x->base, n), parents ? sc_model_value(parents->base, n) : 1);
  double head = behaviour_ratio(sc_model_value(x->head, n), parents ? sc_model_value(parents->head, n) : 1);
  return isinf(base) && isinf(head) ? 0 : log(head / base);
}

static double scatter_behaviour(const sc_model *model)
{
  if (model->exact)
    return 0;
  double most = fmax(fmax(model->sigma, model->scatter), model->fit_error);
  return model->verdict == SC_VERDICT_MODEL && isfinite(most) ? most : SC_BEHAVIOUR_NOISY;
}

static double behaviour_tolerance(const both *x, const both *parents, bool between)
{
  double noise = scatter_behaviour(x->base) + scatter_behaviour(x->head);
  if (parents)
    noise += scatter_behaviour(parents->base) + scatter_behaviour(parents->head);
  return fmin(SC_BEHAVIOUR_MOST, SC_BEHAVIOUR_NOISY + 2 * noise + (between ? SC_BEHAVIOUR_BETWEEN : 0)) +
         SC_BEHAVIOUR_SPREADS * x->spread;
}

static sc_difference behaviour_difference(const sc_compared *c, const both *x, const both *parents)
{
  return sc_grid_compare(&c->grid, x->base_curve, x->head_curve, parents ? parents->base_curve : NULL,
                         parents ? parents->head_curve : NULL, true);
}

/* What one side measured beyond the other's sizes has to be what the other predicts there. */
static int behaviour_overlap(const sc_compared *c, const both *x, bool *out)
{
  sc_interval base, head;
  double n = fmax(c->base.sizes[c->base.size_count - 1], c->head.sizes[c->head.size_count - 1]);
  SC_TRY(sc_model_predict(x->base, n, SC_ANALYSIS_LEVEL, &base));
  SC_TRY(sc_model_predict(x->head, n, SC_ANALYSIS_LEVEL, &head));
  double margin = exp(behaviour_tolerance(x, NULL, false));
  *out = base.low <= head.high * margin && head.low <= base.high * margin;
  return 0;
}

static int behaves_same(const sc_compared *c, const both *x, const both *parents, bool *out)
{
  *out = true;
  if (behaviour_exact(x) && (!parents || behaviour_exact(parents))) {
    for (size_t t = 0; t < c->target_count; t++)
      *out &= fabs(behaviour_predicted(x, parents, c->targets[t])) <= SC_BEHAVIOUR_EXACT;
    *out &= fabs(behaviour_predicted(x, parents, c->head.sizes[c->head.size_count - 1])) <= SC_BEHAVIOUR_EXACT;
    return 0;
  }
  sc_difference d = behaviour_difference(c, x, parents);
  if (d.points && !d.equal && d.worst > behaviour_tolerance(x, parents, d.between)) {
    *out = false;
    return 0;
  }
  if (d.equal && c->head.sizes[c->head.size_count - 1] == c->base.sizes[c->base.size_count - 1])
    return 0;
  return parents && d.points ? 0 : behaviour_overlap(c, x, out);
}

/* A rival of about this order leaves it open. */
static bool behaviour_plausible(const sc_model *model, double exponent, int side)
{
  for (size_t i = 0; i < model->rival_count; i++)
    if (model->rivals[i].weight >= SC_MODEL_PLAUSIBLE && model->rivals[i].term_count &&
        side * (model->rivals[i].terms[0].exponent - exponent) > -SC_BEHAVIOUR_APART)
      return true;
  return false;
}

int sc_behaviour_rise(const sc_model *base, const sc_model *head, double explained)
{
  if (base->verdict != SC_VERDICT_MODEL || head->verdict != SC_VERDICT_MODEL)
    return 0;
  enum sc_rise rise = sc_order_rise(&base->order, head, SC_FIT_DEFAULT);
  if (rise == SC_RISE_LOG)
    return base->exact && head->exact && explained == 0;
  if (rise == SC_RISE_NONE || head->order.exponent - base->order.exponent - explained < SC_ORDER_STEP)
    return 0;
  if (!sc_order_supported(head) || behaviour_plausible(base, head->order.exponent, 1) ||
      behaviour_plausible(head, base->order.exponent, -1) ||
      head->exponent_low < base->order.exponent + SC_BEHAVIOUR_APART)
    return -1;
  return 1;
}

static uint32_t matched_parent(const sc_compared *c, uint32_t head)
{
  do
    head = sc_sides_matched_above(&c->head, head);
  while (head && c->head.a->series[head] == SC_NONE);
  return head;
}

/* The larger sizes measured show the difference, by more than repeats differ. */
static bool behaviour_shown(const both *x, const sc_difference *d)
{
  return behaviour_exact(x) || !d->points || d->least >= fmax(SC_BEHAVIOUR_SEEN, SC_BEHAVIOUR_SPREADS * x->spread);
}

static int behaviour_factor(const sc_compared *c, uint32_t head, const both *x, const both *parents,
                            enum sc_behaviour *what)
{
  sc_interval b, h;
  SC_TRY(sc_analysis_count(c->base.a, c->head.mate[head], c->horizon, &b));
  SC_TRY(sc_analysis_count(c->head.a, head, c->horizon, &h));
  double base_parent = sc_model_value(parents->base, c->horizon);
  double around = base_parent > 0 ? sc_model_value(parents->head, c->horizon) / base_parent : 1;
  if (!(around > 0) || !isfinite(around) || parents->base->verdict != SC_VERDICT_MODEL ||
      parents->head->verdict != SC_VERDICT_MODEL)
    around = 1;
  double own = (h.value + 0.5) / (b.value * around + 0.5),
         least = behaviour_exact(x) ? SC_BEHAVIOUR_EXACT_FACTOR : SC_BEHAVIOUR_NOISY_FACTOR;
  sc_difference d = behaviour_difference(c, x, parents);
  if (!isfinite(own) || !behaviour_shown(x, &d))
    return 0;
  if (own >= least && h.low > b.high * around)
    *what = SC_BEHAVES_WORSE;
  else if (own <= 1 / least && h.high < b.low * around)
    *what = SC_BEHAVES_BETTER;
  else if (d.points && d.least >= log(SC_BEHAVIOUR_UNKNOWN) && !behaviour_exact(x))
    *what = SC_BEHAVES_UNKNOWN;
  return 0;
}

/* A clear factor, by more than repeats differ. */
static double clear_factor(const both *x) { return fmax(log(SC_BEHAVIOUR_UNKNOWN), SC_BEHAVIOUR_SPREADS * x->spread); }

/* More than before by more than noise, ever more of it at larger sizes, and an order that is open: it rises for all
 * that is known. Where the intervals are too wide to be apart, what was measured has to differ by a clear factor: of
 * the base's exact counts at the largest size, else at all larger ones. */
static bool may_rise(const both *x, const sc_difference *d, enum sc_behaviour what)
{
  double seen = x->base->exact ? d->last : d->least;
  bool more = what == SC_BEHAVES_WORSE || (d->last > 0 && seen >= clear_factor(x));
  return more && d->slope >= SC_BEHAVIOUR_APART;
}

/* Exact counts became others that follow no model, or one of several orders, or the reverse: that is a change, whatever
 * they come to. */
static bool lost_order(const sc_compared *c, uint32_t base, uint32_t head, const both *x, const sc_difference *d)
{
  bool undecided;
  if (x->base->exact == x->head->exact || !d->points || d->worst < clear_factor(x))
    return false;
  (void)sc_plausible_order(x->base->exact ? &c->head : &c->base, x->base->exact ? head : base, true, &undecided);
  return undecided;
}

/* The same sizes, the same counts: what most contexts of two studies have. */
static bool measured_alike(const sc_compared *c, const double *base, const double *head)
{
  return c->base.size_count == c->head.size_count &&
         memcmp(c->base.sizes, c->head.sizes, c->head.size_count * sizeof *c->head.sizes) == 0 &&
         memcmp(base, head, c->head.size_count * sizeof *head) == 0;
}

int sc_behaviour_judge(const sc_compared *c, uint32_t head, enum sc_behaviour *what)
{
  uint32_t base = c->head.mate[head];
  const sc_side *b = &c->base, *h = &c->head;
  bool alike;
  *what = SC_BEHAVES_SAME;
  if (b->a->series[base] == SC_NONE || h->a->series[head] == SC_NONE)
    return 0;
  if (measured_alike(c, sc_sides_curve(b, base), sc_sides_curve(h, head)))
    return 0;
  both x = both_of(c, base, head);
  SC_TRY(behaves_same(c, &x, NULL, &alike));
  if (alike)
    return 0;
  both direct = both_of(c, sc_analysis_counted_ancestor(b->a, base), sc_analysis_counted_ancestor(h->a, head));
  SC_TRY(behaves_same(c, &x, &direct, &alike));
  if (alike)
    return 0;
  uint32_t above = matched_parent(c, head);
  both parents = both_of(c, h->mate[above], above);
  SC_TRY(behaves_same(c, &x, &parents, &alike));
  if (alike)
    return 0;
  double explained = parents.base->verdict == SC_VERDICT_MODEL && parents.head->verdict == SC_VERDICT_MODEL
                         ? parents.head->order.exponent - parents.base->order.exponent
                         : 0;
  int up = sc_behaviour_rise(x.base, x.head, explained), down = sc_behaviour_rise(x.head, x.base, -explained);
  sc_difference d = behaviour_difference(c, &x, &parents);
  bool clear = x.spread == 0 || !d.points || fabs(d.last) >= SC_BEHAVIOUR_SPREADS * x.spread;
  if ((up == 1 || down == 1) && clear) {
    *what = up == 1 ? SC_BEHAVES_WORSE_ORDER : SC_BEHAVES_BETTER;
    return 0;
  }
  SC_TRY(behaviour_factor(c, head, &x, &parents, what));
  if (may_rise(&x, &d, *what) && sc_plausible_rise(c, base, head, explained)) {
    *what = SC_BEHAVES_WORSE_ORDER;
    return 0;
  }
  bool open = (up == -1 || down == -1) && d.least >= fmax(SC_BEHAVIOUR_SEEN, SC_BEHAVIOUR_SPREADS * x.spread);
  if (*what == SC_BEHAVES_SAME && (open || lost_order(c, base, head, &x, &d)))
    *what = SC_BEHAVES_UNKNOWN;
  return 0;
}
