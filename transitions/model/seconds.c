/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "transitions/model/seconds.h"

#include <math.h>

#include "regress/core/line.h"
#include "transitions/model/costs.h"
#include "transitions/model/tuning.h"

static double largest_of(const sc_analysis *a, const double *y)
{
  double largest = 0;
  for (size_t i = 0; i < a->run_count; i++)
    largest = fmax(largest, y[i]);
  return largest;
}

/* y [run_count] by x [run_count]. */
static sc_seconds_line fit_seconds_line(const sc_analysis *a, const double *x, const double *y)
{
  double least = fmax(SC_SECONDS_LEAST, SC_SECONDS_SMALL * largest_of(a, y));
  double squares = 0, k = (double)a->run_count;
  sc_line_sums sums = {0};
  for (size_t i = 0; i < a->run_count; i++)
    sc_line_add(&sums, x[i], y[i], fmax(y[i], least));
  sc_line line = sc_line_fit(&sums);
  for (size_t i = 0; i < a->run_count; i++)
    squares += sc_line_miss(&line, x[i], y[i], fmax(y[i], least));
  sc_seconds_line l = {.start = line.start, .each = line.each, .misfit = squares / k};
  l.error = line.varies && k > 2 ? SC_SECONDS_ERRORS * sqrt(squares / (k - 2) * line.spread) : l.each;
  return l;
}

double sc_seconds_line_at(const sc_analysis *a, const sc_seconds_line *l, double n)
{
  return l->start + l->each * sc_model_value(&a->models[l->model], n);
}

/* Whether a line through the place's own executions misses the seconds by little more than the best one does. */
static bool is_own_as_good(const sc_seconds_line *own, const sc_seconds_line *best)
{
  return own->misfit <= fmax(SC_SECONDS_AS_GOOD * best->misfit, SC_SECONDS_MISSES_LITTLE * SC_SECONDS_MISSES_LITTLE);
}

/* The count that explains the seconds best; what others that are as good predict at the horizon widens the error. One
 * that is known to be their cause (`own`) has no rivals if it explains them. */
sc_seconds_line sc_seconds_best_line(const sc_analysis *a, const double *y, uint32_t own, double *low, double *high)
{
  sc_seconds_line best = fit_seconds_line(a, sc_series_row(&a->counts, SC_SERIES_ONE), y);
  double horizon = sc_analysis_horizon(a);
  best.model = SC_SERIES_ONE;
  for (uint32_t s = SC_SERIES_ONE + 1; s < a->counted_series; s++) {
    sc_seconds_line l = fit_seconds_line(a, sc_series_row(&a->counts, s), y);
    l.model = s;
    if (a->models[s].verdict == SC_VERDICT_MODEL && l.misfit < best.misfit)
      best = l;
  }
  if (own != SC_NONE) {
    sc_seconds_line l = fit_seconds_line(a, sc_series_row(&a->counts, own), y);
    l.model = own;
    *low = *high = sc_seconds_line_at(a, &l, horizon);
    if (is_own_as_good(&l, &best))
      return l;
  }
  *low = *high = sc_seconds_line_at(a, &best, horizon);
  for (uint32_t s = SC_SERIES_ONE; s < a->counted_series; s++) {
    sc_seconds_line l = fit_seconds_line(a, sc_series_row(&a->counts, s), y);
    l.model = s;
    if (a->models[s].verdict != SC_VERDICT_MODEL || l.misfit > SC_SECONDS_AS_GOOD * best.misfit)
      continue;
    *low = fmin(*low, sc_seconds_line_at(a, &l, horizon));
    *high = fmax(*high, sc_seconds_line_at(a, &l, horizon));
  }
  return best;
}

int sc_seconds_add(uint32_t model, double each, double below, double above, double start, sc_blend *out)
{
  below = fmin(each, below);
  if (each > 0 || above > 0)
    SC_TRY(sc_blend_add(
        out,
        &(sc_blend_part){
            .model = model, .value = each, .low = each, .high = each, .below = below * below, .above = above * above}));
  return sc_blend_add(
      out,
      &(sc_blend_part){.model = SC_SERIES_ONE, .value = start, .low = start / 2, .high = 2 * start + SC_SECONDS_LEAST});
}

/* `doubt`: of each second, below and above. */
int sc_seconds_add_line(sc_analysis *a, const sc_seconds_line *l, double low, double high, const double doubt[2],
                        sc_blend *out)
{
  double at = sc_seconds_line_at(a, l, sc_analysis_horizon(a));
  double below = at > 0 ? (at - low) / at * l->each : 0, above = at > 0 ? (high - at) / at * l->each : 0;
  below = hypot(hypot(l->error, doubt[0] * l->each), below);
  above = hypot(hypot(l->error, doubt[1] * l->each), above);
  return sc_seconds_add(l->model, l->each, below, l->each > 0 ? above : 0, l->start, out);
}

bool sc_seconds_show(double each, double least, double most) { return each * (most - least) >= SC_SECONDS_LEAST; }

static bool line_shows(const sc_analysis *a, const sc_seconds_line *l)
{
  const double *x = sc_series_row(&a->counts, l->model);
  double least = INFINITY, most = 0;
  for (size_t i = 0; i < a->run_count; i++) {
    least = fmin(least, x[i]);
    most = fmax(most, x[i]);
  }
  return sc_seconds_show(l->each, least, most);
}

int sc_seconds_add_scattering(sc_analysis *a, const double *y, const sc_seconds_line *l, double low, double high,
                              const double doubt[2], sc_blend *out)
{
  if (l->model == SC_SERIES_ONE || !(l->each > 0) || line_shows(a, l))
    return sc_seconds_add_line(a, l, low, high, doubt, out);
  sc_seconds_line same = fit_seconds_line(a, sc_series_row(&a->counts, SC_SERIES_ONE), y);
  double count = sc_model_value(&a->models[l->model], sc_analysis_horizon(a)), most = l->each + l->error;
  if (count > 0)
    most = fmax(most, (high - same.start) / count);
  return sc_seconds_add(l->model, 0, 0, most, same.start, out);
}

/* Seconds of every run that grow with some count, or by a model of their own. */
static int load_seconds(sc_analysis *a, const double *y, uint32_t own, bool scatter, sc_blend *out)
{
  const double doubt[2] = {SC_SECONDS_WAIT_DOUBT, SC_SECONDS_WAIT_DOUBT};
  double low, high;
  sc_model model;
  uint32_t number;
  sc_seconds_line best = sc_seconds_best_line(a, y, own, &low, &high);
  if (best.misfit > SC_SECONDS_EXPLAINED * SC_SECONDS_EXPLAINED) {
    SC_TRY(sc_costs_fit(&(sc_series){.n = a->sizes, .y = y, .count = a->run_count}, &a->options.fit, &model));
    if (model.verdict == SC_VERDICT_MODEL && model.fit_error < sqrt(best.misfit)) {
      SC_TRY(sc_analysis_add_model(a, &model, &number));
      return sc_blend_add(out, &(sc_blend_part){.model = number, .value = 1, .low = 1, .high = 1});
    }
    best.error = fmax(best.error, best.each); /* nothing explains them: a factor of two */
  }
  return scatter ? sc_seconds_add_scattering(a, y, &best, low, high, doubt, out)
                 : sc_seconds_add_line(a, &best, low, high, doubt, out);
}

int sc_seconds_load_scattering(sc_analysis *a, const double *seconds, sc_blend *out)
{
  return load_seconds(a, seconds, SC_NONE, true, out);
}

/* `only`: too few seconds to be worth a search among all series. They go with the count of their place, and may be off
 * by as much as they are. */
int sc_seconds_load(sc_analysis *a, const double *seconds, uint32_t own, bool only, sc_blend *out)
{
  const double doubt[2] = {SC_SECONDS_WAIT_DOUBT, SC_SECONDS_WAIT_DOUBT};
  if (!only)
    return load_seconds(a, seconds, own, false, out);
  uint32_t model = own == SC_NONE ? SC_SERIES_ONE : own;
  sc_seconds_line l = fit_seconds_line(a, sc_series_row(&a->counts, model), seconds);
  l.model = model;
  l.error = fmax(l.error, l.each); /* nobody looked for anything better: a factor of two */
  double at = sc_seconds_line_at(a, &l, sc_analysis_horizon(a));
  return sc_seconds_add_line(a, &l, at, at, doubt, out);
}
