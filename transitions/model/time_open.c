/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How much longer everything may take where times do not decide whether executions do. */
#include "transitions/model/time_open.h"

#include <math.h>

#include "base/buf.h"
#include "transitions/model/sums.h"
#include "transitions/model/time_growth.h"
#include "transitions/model/time_mix.h"
#include "transitions/model/time_points.h"
#include "transitions/model/tuning.h"

/* Nothing is opened where the time of an execution was seen to be constant; else upper ends of costs grow by what the
 * times of whole runs still allow. */
int sc_time_open_load(sc_analysis *a)
{
  struct sc_time_open *open = &a->time_open;
  if (a->options.fit.engine == SC_FIT_DELTA_INFER)
    return 0;
  sc_time_growth growth = sc_analysis_time_growth(a);
  if (growth.state == SC_TIME_CONSTANT && !growth.unnoticed)
    return 0;
  open->unnoticed = growth.unnoticed;
  open->counts = growth.counts;
  open->exponent = growth.counts + SC_COSTS_STEEPEST;
  if (growth.state == SC_TIME_GROWING)
    open->exponent = fmax(open->exponent, growth.exponent);
  SC_TRY(SC_NEW(open->points, a->run_count));
  return sc_time_points(a, open->points, &open->count);
}

static bool is_noticed(const struct sc_time_open *open, double n)
{
  sc_power fit;
  if (!open->unnoticed || !sc_power_fit(open->points, open->count, n, &fit))
    return !open->unnoticed;
  return fmax(fit.far, sc_time_mix_most(open->points, open->count, open->counts, n)) > SC_TIME_GROWTH_UNNOTICED;
}

/* How many times the largest size's time the one at n may be; < 0: it is known. */
static double most_at(const sc_analysis *a, double n)
{
  const struct sc_time_open *open = &a->time_open;
  if (open->count < 2 || !(n > a->sizes[a->run_count - 1]))
    return -1;
  double *most = sc_sums_most(a, n);
  if (*most == 0 && !is_noticed(open, n))
    *most = -1;
  if (*most == 0)
    *most = fmax(sc_power_most(open->points, open->count, open->exponent, n),
                 sc_time_mix_most(open->points, open->count, open->counts, n)) /
            open->points[open->count - 1].y;
  return *most;
}

static double time_open_factor_of(double most, double last, double value)
{
  double factor = most * last / value;
  return isfinite(factor) ? fmax(1, factor) : 1;
}

double sc_time_open_factor(const sc_analysis *a, double n)
{
  double most = a->sampled && sc_analysis_timed(a) ? most_at(a, n) : -1;
  return most < 0 ? 1
                  : time_open_factor_of(most, sc_sums_cost(a, a->time_open.points[a->time_open.count - 1].n),
                                        sc_sums_cost(a, n));
}

double sc_time_open_factor_of(const sc_analysis *a, const sc_blend *times, double n)
{
  double most = most_at(a, n);
  if (most < 0)
    return 1;
  double last = a->time_open.points[a->time_open.count - 1].n;
  return time_open_factor_of(most, sc_blend_value(times, a->models, last), sc_blend_value(times, a->models, n));
}
