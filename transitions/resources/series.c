/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The series of a cell's metrics, each with its model, trend or plane, made when asked for. */
#include "transitions/resources/series.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/sample.h"
#include "regress/core/line.h"
#include "regress/core/median.h"
#include "transitions/model/order.h"
#include "transitions/model/tuning.h"
#include "transitions/resources/growth.h"
#include "transitions/resources/metrics.h"
#include "transitions/resources/place.h"
#include "transitions/resources/plane.h"
#include "transitions/resources/typical.h"

enum { SIZES = 64 }; /* for a median, at most this many */

/* Counts of programs that run alike, or nearly, in every repeat. What threads make of each other's timing is a
 * measurement. */
static bool are_counts(const sc_resource_series *s)
{
  for (size_t i = 0; i < s->count; i++) {
    double y = s->values[i], before = i && s->sizes[i] == s->sizes[i - 1] ? s->values[i - 1] : y;
    if (y != floor(y) || fabs(y - before) > SC_FIT_NEARLY * fmax(y, before))
      return false;
  }
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
  return fabs(slope) < SC_SERIES_SLOPE ||
         (sc_trend_fit(n, y, count, SC_TREND_TIMES, &trend) && !sc_trend_certain(&trend, SC_SERIES_LIKELY));
}

static void level_out(double *slope, const double *n, double *y, size_t count)
{
  for (size_t i = 0; i < count; i++)
    y[i] *= pow(n[i] / n[count / 2], -*slope);
  *slope = 0;
}

/* How far the least of a size's repeats may be off: about as far as the next one is above it. */
static double series_uncertainty(const sc_resource_series *s, double n)
{
  double first = INFINITY, second = INFINITY;
  for (size_t i = 0; i < s->count; i++)
    if (s->sizes[i] == n && s->values[i] < first) {
      second = first;
      first = s->values[i];
    } else if (s->sizes[i] == n) {
      second = fmin(second, s->values[i]);
    }
  return isfinite(second) && first > 0 ? fmin(second / first - 1, SC_SERIES_UNCERTAIN) : 0;
}

/* Replaces each of the values by three, around it, as repeats that show the fit what noise there is: without, it takes
 * every trend of a few points for one. n[] and y[] have room for three times as many. */
static size_t spread_out(const sc_resource_series *s, double *n, double *y, size_t count)
{
  for (size_t i = count; i-- > 0;) {
    double size = n[i], value = y[i], off = series_uncertainty(s, size);
    for (size_t k = 0; k < 3; k++) {
      n[3 * i + k] = size;
      y[3 * i + k] = value * (1 + ((double)k - 1) * off);
    }
  }
  return 3 * count;
}

/* Median of the values that spread_out made three of each, from the size at `first` on. */
static double middle_from(const double *y, size_t count, size_t first)
{
  double room[SIZES];
  sc_sample middles = sc_sample_begin(room, SIZES);
  for (size_t i = 3 * first + 1; i < count; i += 3)
    sc_sample_add(&middles, y[i]);
  return sc_median(room, middles.count);
}

/* The same as spread_out made them, about that one value. */
static void even_out_to(double *y, size_t count, double value)
{
  for (size_t i = 0; i + 2 < count; i += 3) {
    double factor = y[i + 1] > 0 ? value / y[i + 1] : 1;
    for (size_t k = 0; k < 3; k++)
      y[i + k] *= factor;
  }
}

/* How far the machine makes times differ from one run to the next: half the range of a size's repeats, in logarithms,
 * of most sizes. What one size alone shows does not move it. -1 without repeats. */
static double noise_of_repeats(const sc_resource_series *s)
{
  double room[SIZES];
  sc_sample halves = sc_sample_begin(room, SIZES);
  for (size_t i = 0, next; i < s->count; i = next) {
    double least = INFINITY, most = 0;
    for (next = i; next < s->count && s->sizes[next] == s->sizes[i]; next++) {
      least = fmin(least, s->values[next]);
      most = fmax(most, s->values[next]);
    }
    if (next - i > 1 && least > 0 && isfinite(most))
      sc_sample_add(&halves, log(most / least) / 2);
  }
  return halves.count ? sc_median(room, halves.count) : -1;
}

/* Takes out of the least values, one for each size, the slope that noise or the machine may have made. *drift: by how
 * much that changes them over the sizes, as a logarithm. */
static int find_slope(const sc_resources *r, const sc_resource_cell *cell, int metric, sc_rseries *s, double *y,
                      const sc_resource_series *least, bool *believed, double *drift)
{
  const double *n = least->sizes;
  s->slope = sc_trend_slope(n, y, least->count);
  *drift = least->count ? fabs(s->slope) * log(n[least->count - 1] / n[0]) : 0;
  const sc_growth growth = {metric, n, y, least->count, s->slope, noise_of_repeats(&s->shown)};
  SC_TRY(sc_growth_judge(r, cell, &growth, believed, &s->doubt));
  bool against = sc_rmetric_is_hold(metric) ? s->slope > 0 : s->slope < 0;
  bool level = is_level(s->slope, n, y, least->count);
  if (level && *believed)
    s->doubt.exponent = 0;
  if (level || (against && !*believed))
    level_out(&s->slope, n, y, least->count);
  return 0;
}

/* A power law through the values fitted, as uncertain as the repeats are; without any, as times always are. */
static bool fit_trend_of_repeats(const sc_resource_series *all, const sc_resource_series *fitted, sc_trend *trend)
{
  if (!sc_trend_fit(fitted->sizes, fitted->values, fitted->count, 0, trend))
    return false;
  if (!sc_trend_repeat(trend, all->sizes, all->values, all->count, SC_SERIES_REPEATED))
    trend->residual = fmax(trend->residual, SC_TREND_TIMES);
  return true;
}

static void even_out(double *y, size_t count, size_t first) { even_out_to(y, count, middle_from(y, count, first)); }

/* Holds that are mostly blocked (asleep, in input or output) are longer where the machine wakes their holders late,
 * never shorter: what a size's least repeat shows all have, as far as so few holds of different lengths can tell. */
static double shortest_hold(const sc_resources *r, const sc_resource_cell *cell, const sc_resource_series *least)
{
  double shortest = INFINITY, variation = sqrt(fmax(0, 1 - sc_rtypical_steadiness(r, cell)));
  for (size_t i = 0, size = 0; i < least->count; i++) {
    while (r->sizes[size] < least->sizes[i])
      size++;
    double holds = sc_resource_cell_sum(cell, r->starts[size], SC_USAGE_HOLDS) -
                   sc_resource_cell_sum(cell, r->starts[size], SC_RSUM_SHARED_HOLDS);
    if (holds > 0)
      shortest = fmin(shortest, least->values[i] * (1 + variation / sqrt(holds)));
  }
  return shortest;
}

static bool is_mostly_blocked(const sc_resource_cell *cell)
{
  const sc_rprocessors *own = sc_rprocessors_known(cell);
  return own && own->hold_part < SC_SERIES_BLOCKED;
}

/* A time is a sum of times: where one of the terms that grow takes away, the values were too few and too noisy for so
 * many terms. */
static bool takes_away(const sc_model *model)
{
  for (size_t i = 0; i < model->term_count; i++) {
    const sc_term *t = &model->terms[i];
    if (t->coefficient < 0 && (t->exponent > 0 || (t->exponent == 0 && t->log_exponent > 0)))
      return true;
  }
  return false;
}

static bool series_grows(const sc_model *model) { return model->order.exponent > 0 || model->order.log_exponent > 0; }

/* Times and ratios: the slope is that of the least of each size's repeats, and so is the model of hold and think time.
 */
static int fit_measured(const sc_resources *r, const sc_resource_cell *cell, int metric, sc_rseries *s)
{
  int err = SC_E_NOMEM;
  bool believed, hold = metric == SC_RMETRIC_HOLD;
  double drift;
  double *n = sc_mem_new(3 * s->shown.count, sizeof *n), *y = sc_mem_new(3 * s->shown.count, sizeof *y);
  if (!n || !y)
    goto out;
  sc_resource_series least = {.sizes = n, .values = y};
  least.count = hold ? sc_rtypical_holds(r, cell, &s->shown, n, y) : sc_rtypical_least(&s->shown, n, y);
  double shortest = sc_rmetric_is_hold(metric) && is_mostly_blocked(cell) ? shortest_hold(r, cell, &least) : INFINITY;
  SC_GOTO(find_slope(r, cell, metric, s, y, &least, &believed, &drift));
  least.count = spread_out(&s->shown, n, y, least.count);
  double noise = noise_of_repeats(&s->shown);
  bool pool = sc_rpool_at(r, cell->resource); /* the demand of its requests is known from fewer runs, and varies */
  if (noise >= 0 && s->doubt.state > 0 && !pool)
    s->doubt.state = fmin(fmax(fmax(noise, s->slope == 0 ? drift : 0), SC_DRIFT_QUIET), SC_DRIFT_BUSY);
  bool time = sc_rmetric_is_hold(metric) || sc_rmetric_is_think(metric) || metric == SC_RMETRIC_ASK;
  const sc_resource_series *fitted = time ? &least : &s->shown;
  if (hold && !believed && pool) { /* rivals that grow are not believed, either */
    even_out(y, least.count, 0);
    s->shown.model = (sc_model){.verdict = SC_VERDICT_CANNOT_TELL,
                                .error = -1,
                                .why = "a request of a pool is taken to be no longer for more clients"};
    s->trended = sc_trend_fit(n, y, least.count, SC_TREND_TIMES, &s->trend);
    goto out;
  }
  /* Few threads let processors fall asleep, from which they wake late: holds that fall with the threads do not go on
   * to. */
  bool level = time && !pool &&
               (s->slope == 0 || (s->slope < 0 && sc_rmetric_is_hold(metric) && sc_parameter_is_workers(r->kind)));
  if (level) {
    s->trended = fit_trend_of_repeats(&s->shown, fitted, &s->trend);
    double middle = middle_from(y, least.count, least.count / 6); /* of the larger half of the sizes */
    even_out_to(y, least.count, fmin(middle, shortest));
    s->trend.level = least.count ? log(y[1]) : 0;
    s->trend.slope = 0;
  }
  SC_GOTO(fit_one(r, false, fitted, &s->shown.model));
  if (fitted == &least && s->slope < SC_SERIES_SLOPE && series_grows(&s->shown.model)) {
    if (!(s->slope < 0) || (hold && !believed)) /* a few of the sizes alone make it grow */
      even_out(y, least.count, 0);
    else
      level_out(&s->slope, n, y, least.count); /* falls, and rises at the end alone */
    SC_GOTO(fit_one(r, false, fitted, &s->shown.model));
  }
  if (time && series_grows(&s->shown.model) && takes_away(&s->shown.model))
    s->shown.model = (sc_model){
        .verdict = SC_VERDICT_CANNOT_TELL, .error = -1, .why = "no sum of times describes what was measured"};
  if (level)
    s->trended = s->trended && !series_grows(&s->shown.model);
  else if (s->shown.model.verdict != SC_VERDICT_MODEL)
    s->trended = sc_trend_fit(fitted->sizes, fitted->values, fitted->count, SC_TREND_TIMES, &s->trend);
out:
  free(n);
  free(y);
  return err;
}

/* Whether the largest size ran more than once. */
static bool is_repeated(const sc_resource_series *s)
{
  return s->count >= 2 && s->sizes[s->count - 1] == s->sizes[s->count - 2];
}

/* Repeats that agree to the unit leave nothing to doubt of a sum of powers through a few sizes. A model of counts knows
 * better what is possible far beyond. */
static int is_possible(const sc_resources *r, const sc_model *measured, const sc_model *counted, bool *yes)
{
  sc_interval there;
  double far = SC_SERIES_FAR * r->sizes[r->size_count - 1];
  *yes = false;
  if (measured->verdict != SC_VERDICT_MODEL)
    return 0;
  SC_TRY(sc_model_predict(counted, far, r->level, &there));
  double value = sc_model_value(measured, far);
  *yes = value >= there.low && value <= there.high;
  return 0;
}

/* What several threads count together depends on who comes first, unless repeats show that it doesn't. */
static int fit_series_counts(const sc_resources *r, const sc_resource_cell *cell, sc_rseries *s)
{
  sc_resource_series *shown = &s->shown;
  bool counts = are_counts(shown), repeated = is_repeated(shown);
  double threads = sc_rmetric_last(r, &r->cells[cell->resource], SC_RMETRIC_THREADS);
  SC_TRY(fit_one(r, counts, shown, &shown->model));
  if (counts && threads > 1 && (!shown->model.exact || !repeated)) {
    sc_model measured;
    SC_TRY(fit_one(r, false, shown, &measured));
    bool possible = true;
    if (repeated && shown->model.verdict == SC_VERDICT_MODEL)
      SC_TRY(is_possible(r, &measured, &shown->model, &possible));
    if (possible)
      shown->model = measured;
  }
  if (shown->model.verdict != SC_VERDICT_MODEL)
    s->trended = sc_trend_fit(shown->sizes, shown->values, shown->count, SC_TREND_TIMES, &s->trend);
  return 0;
}

/* Made when it is first asked for and kept in the cell: of a thousand resources with all their metrics most are never
 * looked at. */
static int make_resources_series(const sc_resources *r, const sc_resource_cell *cell, int metric, sc_rseries **out)
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
  SC_GOTO(sc_rmetric_is_count(metric) ? fit_series_counts(r, cell, s) : fit_measured(r, cell, metric, s));
  *out = s;
  s = NULL;
out:
  sc_rseries_free(s);
  return err;
}

int sc_rseries_get(const sc_resources *r, const sc_resource_cell *cell, int metric, const sc_rseries **series)
{
  sc_resource_cell *own = &r->cells[cell - r->cells];
  *series = NULL;
  if (!own->made[metric]) {
    SC_TRY((r->place ? r->place->make_series : make_resources_series)(r, own, metric, &own->series[metric]));
    own->made[metric] = true;
  }
  *series = own->series[metric];
  return 0;
}

int sc_rseries_exponent(const sc_resources *r, const sc_resource_cell *cell, int metric, double *exponent)
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

int sc_rseries_slope(const sc_resources *r, const sc_resource_cell *cell, int metric, double *slope)
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

/* ---- predictions: bounded by other metrics and by what was measured, as models are fitted independently ---- */

/* Without a model and without a trend: about what it was at the larger sizes, or anything. */
static void guess_series(const sc_resource_series *s, double n, sc_interval *out)
{
  double last = s->values[s->count - 1], low = last, high = last;
  for (size_t i = 0; i < s->count; i++) {
    low = fmin(low, s->values[i]);
    high = fmax(high, s->values[i]);
  }
  bool inside = s->sizes[0] < s->sizes[s->count - 1] && n >= s->sizes[0] && n <= s->sizes[s->count - 1];
  *out = inside ? (sc_interval){last, low, high} : (sc_interval){last, 0, INFINITY};
}

/* The model of a level time knows one value a size, and so hardly that it is level: the repeats know more. */
static void tighten_by_repeats(const sc_rseries *s, double n, double level, sc_interval *out)
{
  sc_interval trend;
  sc_trend_predict(&s->trend, n, level, &trend);
  out->low = fmax(out->low, out->value * trend.low / trend.value);
  out->high = fmin(out->high, out->value * trend.high / trend.value);
}

/* The best that there is: a model, else a trend, else a plane through all parameters, else a guess with a wide
 * interval. */
static int predict_alone(const sc_resources *r, const sc_rseries *s, double n, sc_interval *out)
{
  if (s->shown.model.verdict == SC_VERDICT_MODEL) {
    SC_TRY(sc_model_predict(&s->shown.model, n, r->level, out));
    if (s->trended && s->trend.freedom > (double)s->trend.sizes - 2)
      tighten_by_repeats(s, n, r->level, out);
  } else if (s->trended)
    sc_trend_predict(&s->trend, n, r->level, out);
  else if (s->plane)
    sc_rplane_predict(s->plane, n, out);
  else
    guess_series(&s->shown, n, out);
  sc_growth_bound(&s->doubt, s->shown.sizes[s->shown.count - 1], n, out);
  sc_growth_widen(&s->doubt, s->shown.sizes[s->shown.count - 1], n, r->level, out);
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

/* Bounds a peak by the units acquired. An exact peak is more reliable than an inexact number of units. A model of the
 * peak that contradicts them is wrong, and says nothing of how little it may be. */
static int bound_peak(const sc_resources *r, const sc_resource_cell *cell, const sc_rseries *peak, double n,
                      sc_interval *out)
{
  sc_interval units;
  const sc_rseries *acquired;
  SC_TRY(sc_rseries_get(r, cell, SC_RMETRIC_UNITS, &acquired));
  bool under = acquired && (r->place ? sc_rplace_never_above(r, cell, SC_RMETRIC_PEAK, SC_RMETRIC_UNITS)
                                     : never_above(peak, acquired));
  if (!under || (is_exact(peak) && !is_exact(acquired)))
    return 0;
  SC_TRY(sc_rseries_predict(r, cell, SC_RMETRIC_UNITS, n, &units));
  double low = out->low > units.high ? fmin(sc_rmetric_last(r, cell, SC_RMETRIC_PEAK), units.low) : out->low;
  *out = (sc_interval){fmin(out->value, units.value), fmin(low, units.low), fmin(out->high, units.high)};
  return 0;
}

/* Counts of what the program does. Waits and failures depend on timing: they may fall at any size. */
static bool is_cumulative(int metric)
{
  return metric == SC_RMETRIC_ACQUIRES || metric == SC_RMETRIC_RELEASES || metric == SC_RMETRIC_UNITS;
}

/* Finds the largest measured size below n. Fails without one, and where medians of the metric ever fell. */
static bool size_below(const sc_resources *r, const sc_resource_cell *cell, int metric, double n, size_t *below,
                       double *median)
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
static void bound_count(const sc_resources *r, const sc_resource_cell *cell, int metric, double n, sc_interval *out)
{
  size_t size;
  double median, least, most;
  if (r->place || !size_below(r, cell, metric, n, &size, &median) ||
      !sc_rmetric_range(r, cell, size, metric, &least, &most))
    return;
  *out = (sc_interval){fmax(out->value, median), fmax(out->low, fmin(least, median)), fmax(out->high, median)};
}

/* Memory that n log n describes is mostly in proportion to n, in tables that grow by a factor: the sizes measured see
 * them now full, now half empty, and a logarithm follows that better than a line. Beyond them a line is possible, too.
 */
static void open_peak(const sc_resources *r, const sc_rseries *s, double n, sc_interval *out)
{
  const sc_resource_series *shown = &s->shown;
  const sc_order *order = &shown->model.order;
  sc_line_sums sums = {0};
  double squares = 0, freedom = -2;
  bool logarithmic = shown->model.verdict == SC_VERDICT_MODEL && order->exponent == 1 && order->log_exponent > 0;
  if (!logarithmic || shown->model.exact || n <= shown->sizes[shown->count - 1])
    return;
  for (size_t i = 0; i < shown->count; i++)
    if (!i || shown->sizes[i] > shown->sizes[i - 1]) { /* repeats of a size are one point */
      sc_line_add(&sums, shown->sizes[i], shown->values[i], fmax(1, shown->values[i]));
      freedom++;
    }
  sc_line line = sc_line_fit(&sums);
  for (size_t i = 0; i < shown->count; i++)
    if (!i || shown->sizes[i] > shown->sizes[i - 1])
      squares += sc_line_miss(&line, shown->sizes[i], shown->values[i], fmax(1, shown->values[i]));
  if (!(freedom >= 1))
    return;
  double at = line.start + line.each * n, miss = sqrt(squares / freedom);
  double off = gsl_cdf_tdist_Pinv(0.5 + r->level / 2, freedom) * miss * hypot(at, sqrt(line.spread) * n);
  out->low = fmin(out->low, fmax(at - off, shown->values[shown->count - 1]));
}

/* The last value, what it was before it rose, and where that was measured last. False where it fell, or never rose. */
static bool last_rise(const sc_resource_series *s, double *before, double *size)
{
  double last = s->values[s->count - 1], highest = s->values[0];
  *before = NAN;
  for (size_t i = 0; i < s->count; i++) {
    if (s->values[i] < highest)
      return false;
    highest = s->values[i];
    if (highest < last) {
      *before = highest;
      *size = s->sizes[i];
    }
  }
  return isfinite(*before) && *before > 0 && s->sizes[s->count - 1] > *size;
}

/* Few bytes are rounded up by the allocator: what grows in proportion to n may be 24 bytes at all sizes but the last,
 * which looks level, or like a power near 0. The last rise tells what may follow, up to a step more than that. */
static void follow_steps(const sc_rseries *s, double n, sc_interval *out)
{
  const sc_resource_series *shown = &s->shown;
  double before, size = 0, last = shown->values[shown->count - 1], largest = shown->sizes[shown->count - 1];
  bool exact = shown->model.verdict == SC_VERDICT_MODEL && shown->model.exact;
  if (exact || !(n > largest) || last - shown->values[0] > SC_SERIES_STEPS || !last_rise(shown, &before, &size))
    return;
  double at = last * pow(n / largest, log(last / before) / log(largest / size));
  if (at > out->value)
    out->value = sqrt(at * out->value);
  out->low = fmin(out->low, last);
  out->high = fmax(out->high, at * last / before);
}

/* Metrics are fitted apart and know nothing of each other; what cannot be (more out at a time than was ever acquired)
 * is cut off here. */
int sc_rseries_predict(const sc_resources *r, const sc_resource_cell *cell, int metric, double n, sc_interval *out)
{
  const sc_rseries *s;
  *out = (sc_interval){0};
  SC_TRY(sc_rseries_get(r, cell, metric, &s));
  if (!s)
    return 0;
  SC_TRY(predict_alone(r, s, n, out));
  if (is_cumulative(metric))
    bound_count(r, cell, metric, n, out);
  if (metric == SC_RMETRIC_PEAK && sc_resource_cell_resource(r, cell)->resource_class == SC_RESOURCE_HEAP)
    open_peak(r, s, n, out);
  if ((metric == SC_RMETRIC_PEAK || metric == SC_RMETRIC_UNITS) &&
      sc_resource_cell_resource(r, cell)->resource_class == SC_RESOURCE_HEAP && !r->place)
    follow_steps(s, n, out);
  return metric == SC_RMETRIC_PEAK ? bound_peak(r, cell, s, n, out) : 0;
}
