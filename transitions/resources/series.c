/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/sample.h"
#include "transitions/model/order.h"
#include "transitions/resources/elsewhere.h"
#include "transitions/resources/growth.h"

static const double MOST_UNCERTAIN = 0.3, LEAST_SLOPE = 0.1, LIKELY = 0.8;
enum { SIZES = 64 }; /* for a median, at most this many */

static bool is_count(int metric)
{
  return metric <= SC_RMETRIC_PEAK || metric == SC_RMETRIC_THREADS || metric == SC_RMETRIC_INSTANCES;
}

/* Counts of programs that run alike in every repeat. What threads make of each other's timing is a measurement. */
static bool exact_counts(const sc_resource_series *s)
{
  for (size_t i = 0; i < s->count; i++)
    if (s->values[i] != floor(s->values[i]) ||
        (i && s->sizes[i] == s->sizes[i - 1] && s->values[i] != s->values[i - 1]))
      return false;
  return true;
}

static int fit_one(const sc_resources *r, bool counts, const sc_resource_series *s, sc_model *model)
{
  sc_series series = {.n = s->sizes, .y = s->values, .count = s->count, .counts = counts};
  int err = sc_fit_run(counts ? r->fit_counts : r->fit_times, &series, model);
  if (err == SC_E_NUMERIC ||
      err == SC_E_INPUT) { /* numbers from outside that cannot be fitted are no failure of ours */
    *model = (sc_model){.verdict = SC_VERDICT_CANNOT_TELL, .error = -1};
    strncpy(model->why, sc_err_message(), sizeof model->why - 1);
    return 0;
  }
  return err;
}

/* What so small a slope does to values, noise does too, and a fit would make a steep end of it. */
static bool is_level(double slope, const double *n, const double *y, size_t count)
{
  sc_trend trend;
  return fabs(slope) < LEAST_SLOPE ||
         (sc_trend_fit(n, y, count, SC_TREND_TIMES, &trend) && !sc_trend_certain(&trend, LIKELY));
}

static void level_out(double *slope, const double *n, double *y, size_t count)
{
  for (size_t i = 0; i < count; i++)
    y[i] *= pow(n[i] / n[count / 2], -*slope);
  *slope = 0;
}

/* How far the least of a size's repeats may be off: about as far as the next one is above it. */
static double uncertainty(const sc_resource_series *s, double n)
{
  double first = INFINITY, second = INFINITY;
  for (size_t i = 0; i < s->count; i++)
    if (s->sizes[i] == n && s->values[i] < first) {
      second = first;
      first = s->values[i];
    } else if (s->sizes[i] == n) {
      second = fmin(second, s->values[i]);
    }
  return isfinite(second) && first > 0 ? fmin(second / first - 1, MOST_UNCERTAIN) : 0;
}

/* Replaces each of the values by three, around it, as repeats that show the fit what noise there is: without, it takes
 * every trend of a few points for one. n[] and y[] have room for three times as many. */
static size_t spread_out(const sc_resource_series *s, double *n, double *y, size_t count)
{
  for (size_t i = count; i-- > 0;) {
    double size = n[i], value = y[i], off = uncertainty(s, size);
    for (size_t k = 0; k < 3; k++) {
      n[3 * i + k] = size;
      y[3 * i + k] = value * (1 + ((double)k - 1) * off);
    }
  }
  return 3 * count;
}

/* The same as spread_out made them, about one value: the median of all. */
static void even_out(double *y, size_t count)
{
  double room[SIZES];
  sc_sample middles = sc_sample_begin(room, SIZES);
  for (size_t i = 1; i < count; i += 3)
    sc_sample_add(&middles, y[i]);
  double median = sc_rmetric_median(room, middles.count);
  for (size_t i = 0; i + 2 < count; i += 3) {
    double factor = y[i + 1] > 0 ? median / y[i + 1] : 1;
    for (size_t k = 0; k < 3; k++)
      y[i + k] *= factor;
  }
}

/* Takes out of the least values, one for each size, the slope that noise or the machine may have made. */
static int find_slope(const sc_resources *r, const sc_rcell *cell, int metric, sc_rseries *s, double *y,
                      const sc_resource_series *least, bool *believed)
{
  const double *n = least->sizes;
  s->slope = sc_trend_slope(n, y, least->count);
  const sc_growth growth = {metric, n, y, least->count, s->slope};
  SC_TRY(sc_growth_judge(r, cell, &growth, believed, &s->doubt));
  bool against = sc_rmetric_is_hold(metric) ? s->slope > 0 : s->slope < 0;
  if (is_level(s->slope, n, y, least->count) || (against && !*believed))
    level_out(&s->slope, n, y, least->count);
  return 0;
}

/* Times and ratios: the slope is that of the least of each size's repeats, and so is the model of hold and think time.
 */
static int fit_measured(const sc_resources *r, const sc_rcell *cell, int metric, sc_rseries *s)
{
  int err = SC_E_NOMEM;
  bool believed, hold = metric == SC_RMETRIC_HOLD;
  double *n = sc_mem_new(3 * s->shown.count, sizeof *n), *y = sc_mem_new(3 * s->shown.count, sizeof *y);
  if (!n || !y)
    goto out;
  sc_resource_series least = {.sizes = n, .values = y};
  least.count = hold ? sc_rtypical_holds(r, cell, &s->shown, n, y) : sc_rtypical_least(&s->shown, n, y);
  SC_GOTO(find_slope(r, cell, metric, s, y, &least, &believed));
  least.count = spread_out(&s->shown, n, y, least.count);
  bool time = sc_rmetric_is_hold(metric) || sc_rmetric_is_think(metric) || metric == SC_RMETRIC_ASK;
  const sc_resource_series *fitted = time ? &least : &s->shown;
  SC_GOTO(fit_one(r, false, fitted, &s->shown.model));
  if (fitted == &least && s->slope < LEAST_SLOPE && s->shown.model.order.exponent > 0) {
    if (!(s->slope < 0) || (hold && !believed)) /* a few of the sizes alone make it grow */
      even_out(y, least.count);
    else
      level_out(&s->slope, n, y, least.count); /* falls, and rises at the end alone */
    SC_GOTO(fit_one(r, false, fitted, &s->shown.model));
  }
  if (s->shown.model.verdict != SC_VERDICT_MODEL)
    s->trended = sc_trend_fit(fitted->sizes, fitted->values, fitted->count, SC_TREND_TIMES, &s->trend);
out:
  free(n);
  free(y);
  return err;
}

static int fit_counts(const sc_resources *r, const sc_rcell *cell, sc_rseries *s)
{
  sc_resource_series *shown = &s->shown;
  bool counts = exact_counts(shown);
  double threads = sc_rmetric_last(r, &r->cells[cell->resource], SC_RMETRIC_THREADS);
  SC_TRY(fit_one(r, counts, shown, &shown->model));
  if (counts && threads > 1 && !shown->model.exact)
    SC_TRY(fit_one(r, false, shown, &shown->model));
  if (shown->model.verdict != SC_VERDICT_MODEL)
    s->trended = sc_trend_fit(shown->sizes, shown->values, shown->count, SC_TREND_TIMES, &s->trend);
  return 0;
}

static int make_series(const sc_resources *r, const sc_rcell *cell, int metric, sc_rseries **out)
{
  int err = SC_E_NOMEM;
  sc_rseries *s = sc_mem_new(1, sizeof *s);
  *out = NULL;
  if (!s)
    return err;
  s->sizes = sc_mem_new(r->run_count, sizeof *s->sizes);
  s->values = sc_mem_new(r->run_count, sizeof *s->values);
  if (!s->sizes || !s->values)
    goto out;
  s->shown.sizes = s->sizes;
  s->shown.values = s->values;
  for (size_t run = 0; run < r->run_count; run++)
    if (sc_rmetric_value(r, cell, run, metric, &s->values[s->shown.count]))
      s->sizes[s->shown.count++] = r->run_sizes[run];
  err = 0;
  if (!s->shown.count)
    goto out;
  SC_GOTO(is_count(metric) ? fit_counts(r, cell, s) : fit_measured(r, cell, metric, s));
  *out = s;
  s = NULL;
out:
  sc_rseries_free(s);
  return err;
}

void sc_rseries_free(sc_rseries *series)
{
  if (!series)
    return;
  free(series->sizes);
  free(series->values);
  free(series->plane);
  free(series);
}

int sc_rseries_get(const sc_resources *r, const sc_rcell *cell, int metric, const sc_rseries **series)
{
  sc_rcell *own = &r->cells[cell - r->cells];
  *series = NULL;
  if (!own->made[metric]) {
    SC_TRY((r->place ? sc_rplace_series : make_series)(r, own, metric, &own->series[metric]));
    own->made[metric] = true;
  }
  *series = own->series[metric];
  return 0;
}

int sc_rseries_exponent(const sc_resources *r, const sc_rcell *cell, int metric, double *exponent)
{
  const sc_rseries *s;
  *exponent = 0;
  SC_TRY(sc_rseries_get(r, cell, metric, &s));
  if (s && s->shown.model.verdict == SC_VERDICT_MODEL)
    *exponent = s->shown.model.order.exponent;
  else if (s && s->trended && sc_trend_certain(&s->trend, r->level))
    *exponent = s->trend.slope;
  return 0;
}

int sc_rseries_slope(const sc_resources *r, const sc_rcell *cell, int metric, double *slope)
{
  const sc_rseries *s;
  SC_TRY(sc_rseries_get(r, cell, metric, &s));
  *slope = s ? s->slope : 0;
  return 0;
}

const sc_model *sc_rseries_model(const sc_rseries *series)
{
  if (!series || series->shown.model.verdict != SC_VERDICT_MODEL || !sc_order_supported(&series->shown.model))
    return NULL;
  return &series->shown.model;
}
