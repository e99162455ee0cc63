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

/* One end of the exponent's interval, of the sizes from a position on; false with too few of them. */
static bool bound_superlinear(const sc_analysis *a, const double *values, size_t from, int side, double *exponent)
{
  sc_trend trend;
  if (!sc_trend_fit(a->sizes + from, values + from, a->run_count - from, SC_SUPERLINEAR_SCATTER, &trend))
    return false;
  *exponent = sc_trend_bound(&trend, SC_SUPERLINEAR_CERTAIN, side);
  return true;
}

bool sc_superlinear_certain(const sc_analysis *a, uint32_t context, const sc_model *model)
{
  return model->verdict == SC_VERDICT_MODEL && model->exponent_low >= SC_ORDER_SUPERLINEAR &&
         sc_superlinear_surely(a, sc_analysis_values(a, context));
}

bool sc_superlinear_surely(const sc_analysis *a, const double *values)
{
  double all, upper;
  return bound_superlinear(a, values, 0, -1, &all) &&
         bound_superlinear(a, values, find_upper(a, SC_SUPERLINEAR_SIZES), -1, &upper) &&
         fmin(all, upper) >= SC_ORDER_SUPERLINEAR;
}

/* Growth may begin late, but an interval wider than an order says nothing of the larger half: smaller sizes are taken
 * in, until it does. */
static size_t find_telling(const sc_analysis *a, const double *values)
{
  size_t from = find_upper(a, 0);
  double low, high;
  while (from && bound_superlinear(a, values, from, -1, &low) && bound_superlinear(a, values, from, 1, &high) &&
         high - low > SC_SUPERLINEAR_VAGUE)
    do
      from--;
    while (from && a->sizes[from - 1] == a->sizes[from]);
  return from;
}

static bool is_unlikely_from(const sc_analysis *a, const double *values, size_t from)
{
  double all, upper;
  return bound_superlinear(a, values, 0, 1, &all) && bound_superlinear(a, values, from, 1, &upper) &&
         fmax(all, upper) < SC_ORDER_SUPERLINEAR;
}

bool sc_superlinear_unlikely(const sc_analysis *a, const double *values)
{
  return is_unlikely_from(a, values, find_upper(a, 0));
}

bool sc_superlinear_burst(const sc_analysis *a, const double *values)
{
  return is_unlikely_from(a, values, find_telling(a, values));
}
