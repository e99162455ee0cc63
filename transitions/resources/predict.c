/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a series becomes at a size, and what bounds it there: models of two metrics don't know of each other. */
#include <math.h>

#include "transitions/resources/elsewhere.h"
#include "transitions/resources/growth.h"

/* Without a model and without a trend: about what it was at the larger sizes, or anything. */
static void guess(const sc_resource_series *s, double n, sc_interval *out)
{
  double last = s->values[s->count - 1], low = last, high = last;
  for (size_t i = 0; i < s->count; i++) {
    low = fmin(low, s->values[i]);
    high = fmax(high, s->values[i]);
  }
  bool inside = s->sizes[0] < s->sizes[s->count - 1] && n >= s->sizes[0] && n <= s->sizes[s->count - 1];
  *out = inside ? (sc_interval){last, low, high} : (sc_interval){last, 0, INFINITY};
}

static int predict_alone(const sc_resources *r, const sc_rseries *s, double n, sc_interval *out)
{
  if (s->shown.model.verdict == SC_VERDICT_MODEL)
    SC_TRY(sc_model_predict(&s->shown.model, n, r->level, out));
  else if (s->trended)
    sc_trend_predict(&s->trend, n, r->level, out);
  else if (s->plane)
    sc_rplane_predict(s->plane, n, out);
  else
    guess(&s->shown, n, out);
  sc_growth_widen(s->doubt, s->shown.sizes[s->shown.count - 1], n, r->level, out);
  return 0;
}

static bool is_exact(const sc_rseries *s) { return s->shown.model.verdict == SC_VERDICT_MODEL && s->shown.model.exact; }

/* No run had more of the one than of the other. What was there before anybody acquired it counts for a peak alone. */
static bool never_above(const sc_rseries *part, const sc_rseries *all)
{
  if (part->shown.count != all->shown.count)
    return false;
  for (size_t i = 0; i < part->shown.count; i++)
    if (!(part->shown.values[i] <= all->shown.values[i]))
      return false;
  return true;
}

/* No more is out at a time than was acquired by then. A peak that is exact is no less certain than a count that is not.
 */
static int bound_peak(const sc_resources *r, const sc_rcell *cell, const sc_rseries *peak, double n, sc_interval *out)
{
  sc_interval units;
  const sc_rseries *acquired;
  SC_TRY(sc_rseries_get(r, cell, SC_RMETRIC_UNITS, &acquired));
  if (!acquired || (is_exact(peak) && !is_exact(acquired)) || !never_above(peak, acquired))
    return 0;
  SC_TRY(sc_rseries_predict(r, cell, SC_RMETRIC_UNITS, n, &units));
  *out = (sc_interval){fmin(out->value, units.value), fmin(out->low, units.low), fmin(out->high, units.high)};
  return 0;
}

int sc_rseries_predict(const sc_resources *r, const sc_rcell *cell, int metric, double n, sc_interval *out)
{
  const sc_rseries *s;
  *out = (sc_interval){0};
  SC_TRY(sc_rseries_get(r, cell, metric, &s));
  if (!s)
    return 0;
  SC_TRY(predict_alone(r, s, n, out));
  return metric == SC_RMETRIC_PEAK ? bound_peak(r, cell, s, n, out) : 0;
}
