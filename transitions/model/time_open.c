/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "transitions/model/time_open.h"

#include <math.h>
#include <stdlib.h>

#include "base/buf.h"
#include "transitions/model/sums.h"
#include "transitions/model/time_growth.h"
#include "transitions/model/time_points.h"
#include "transitions/model/tuning.h"

int sc_time_open_load(sc_analysis *a)
{
  struct sc_time_open *open = &a->time_open;
  if (!a->sampled || !sc_analysis_timed(a) || a->options.fit.engine == SC_FIT_DELTA_INFER)
    return 0;
  sc_time_growth growth = sc_analysis_time_growth(a);
  if (growth.state == SC_TIME_CONSTANT)
    return 0;
  open->exponent = growth.counts + SC_COSTS_STEEPEST;
  if (growth.state == SC_TIME_GROWING)
    open->exponent = fmax(open->exponent, growth.exponent);
  SC_TRY(SC_NEW(open->points, a->run_count));
  return sc_time_points(a, open->points, &open->count);
}

static double factor_at(const sc_analysis *a, double n)
{
  const struct sc_time_open *open = &a->time_open;
  const sc_power_point *last = &open->points[open->count - 1];
  double grown = sc_power_most(open->points, open->count, open->exponent, n) / last->y;
  double factor = grown * sc_sums_cost(a, last->n) / sc_sums_cost(a, n);
  return isfinite(factor) ? fmax(1, factor) : 1;
}

double sc_time_open_factor(const sc_analysis *a, double n)
{
  if (a->time_open.count < 2 || !(n > a->sizes[a->run_count - 1]))
    return 1;
  double factor = *sc_sums_factor(a, n);
  if (!(factor > 0)) {
    factor = factor_at(a, n);
    *sc_sums_factor(a, n) = factor;
  }
  return factor;
}
