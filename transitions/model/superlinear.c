/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "transitions/model/superlinear.h"

#include <math.h>

#include "regress/choose/trend.h"
#include "transitions/model/data.h"
#include "transitions/model/tuning.h"

/* Where the larger half of the sizes begins, which has at least `least` of them. */
static size_t find_upper(const sc_analysis *a, size_t least)
{
  double middle = sqrt(a->sizes[0] * a->sizes[a->run_count - 1]);
  size_t from = a->run_count, count = 0;
  while (from && (a->sizes[from - 1] >= middle || count < least)) {
    from--;
    count += from == 0 || a->sizes[from - 1] < a->sizes[from];
  }
  return from;
}

/* The power law of the sizes from a position on; false with too few of them. */
static bool fit_from(const sc_analysis *a, const double *values, size_t from, sc_trend *trend)
{
  return sc_trend_fit(a->sizes + from, values + from, a->run_count - from, SC_SUPERLINEAR_SCATTER, trend);
}

/* One end of its exponent's interval. */
static double bound_superlinear(const sc_trend *trend, int side)
{
  return sc_trend_bound(trend, SC_SUPERLINEAR_CERTAIN, side);
}

bool sc_superlinear_certain(const sc_analysis *a, uint32_t context, const sc_model *model)
{
  return model->verdict == SC_VERDICT_MODEL && model->exponent_low >= SC_ORDER_SUPERLINEAR &&
         sc_superlinear_surely(a, sc_analysis_values(a, context));
}

bool sc_superlinear_surely(const sc_analysis *a, const double *values)
{
  sc_trend all, upper;
  return fit_from(a, values, 0, &all) && fit_from(a, values, find_upper(a, SC_SUPERLINEAR_SIZES), &upper) &&
         fmin(bound_superlinear(&all, -1), bound_superlinear(&upper, -1)) >= SC_ORDER_SUPERLINEAR;
}

/* Growth may begin late, but an interval wider than an order says nothing of the larger half: smaller sizes are taken
 * in, until it does. */
static size_t find_telling(const sc_analysis *a, const double *values)
{
  size_t from = find_upper(a, 0);
  sc_trend trend;
  while (from && fit_from(a, values, from, &trend) &&
         bound_superlinear(&trend, 1) - bound_superlinear(&trend, -1) > SC_SUPERLINEAR_VAGUE)
    do
      from--;
    while (from && a->sizes[from - 1] == a->sizes[from]);
  return from;
}

static bool is_unlikely_from(const sc_analysis *a, const double *values, size_t from)
{
  sc_trend all, upper;
  return fit_from(a, values, 0, &all) && fit_from(a, values, from, &upper) &&
         fmax(bound_superlinear(&all, 1), bound_superlinear(&upper, 1)) < SC_ORDER_SUPERLINEAR;
}

bool sc_superlinear_unlikely(const sc_analysis *a, const double *values)
{
  return is_unlikely_from(a, values, find_upper(a, 0));
}

bool sc_superlinear_burst(const sc_analysis *a, const double *values)
{
  return is_unlikely_from(a, values, find_telling(a, values));
}
