/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Predicts series, and bounds predictions by other metrics and by what was measured, as models of two metrics are
 * fitted independently. */
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

/* Whether no run has a larger value of `part`. Units that were there before any was acquired count for a peak alone. */
static bool never_above(const sc_rseries *part, const sc_rseries *all)
{
  if (part->shown.count != all->shown.count)
    return false;
  for (size_t i = 0; i < part->shown.count; i++)
    if (!(part->shown.values[i] <= all->shown.values[i]))
      return false;
  return true;
}

/* Bounds a peak by the units acquired. An exact peak is more reliable than an inexact number of units. */
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

/* Counts of what the program does. Waits and failures depend on timing: they may fall at any size. */
static bool is_cumulative(int metric)
{
  return metric == SC_RMETRIC_ACQUIRES || metric == SC_RMETRIC_RELEASES || metric == SC_RMETRIC_UNITS;
}

/* Finds the largest measured size below n. Fails without one, and where medians of the metric ever fell. */
static bool size_below(const sc_resources *r, const sc_rcell *cell, int metric, double n, size_t *below, double *median)
{
  bool found = false;
  double before = 0, value;
  for (size_t size = 0; size < r->size_count; size++) {
    if (!sc_rmetric_at(r, cell, size, metric, &value) || !(value >= before))
      return false;
    before = value;
    if (r->sizes[size] < n) {
      found = true;
      *below = size;
      *median = value;
    }
  }
  return found;
}

/* Counts that never fell are not predicted below the largest value measured at a smaller size: an uncertain trend
 * predicts the mean of all sizes, and a model may bend down. The lower end may go down to the least repeat there. */
static void bound_count(const sc_resources *r, const sc_rcell *cell, int metric, double n, sc_interval *out)
{
  size_t size;
  double median, value, least = INFINITY;
  if (r->place || !size_below(r, cell, metric, n, &size, &median))
    return;
  for (size_t run = r->starts[size]; run < r->starts[size + 1]; run++)
    if (sc_rmetric_value(r, cell, run, metric, &value))
      least = fmin(least, value);
  *out = (sc_interval){fmax(out->value, median), fmax(out->low, fmin(least, median)), fmax(out->high, median)};
}

int sc_rseries_predict(const sc_resources *r, const sc_rcell *cell, int metric, double n, sc_interval *out)
{
  const sc_rseries *s;
  *out = (sc_interval){0};
  SC_TRY(sc_rseries_get(r, cell, metric, &s));
  if (!s)
    return 0;
  SC_TRY(predict_alone(r, s, n, out));
  if (is_cumulative(metric))
    bound_count(r, cell, metric, n, out);
  return metric == SC_RMETRIC_PEAK ? bound_peak(r, cell, s, n, out) : 0;
}
