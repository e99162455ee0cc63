/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "regress/choose/trend.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#include "base/sample.h"
#include "regress/core/median.h"
#include "regress/core/tuning.h"

typedef void (*visit)(sc_trend *trend, double log_n, double log_y);

static void add_mean(sc_trend *trend, double log_n, double log_y)
{
  trend->centre += log_n;
  trend->level += log_y;
  trend->sizes++;
}

static void add_product(sc_trend *trend, double log_n, double log_y)
{
  trend->spread += (log_n - trend->centre) * (log_n - trend->centre);
  trend->slope += (log_n - trend->centre) * (log_y - trend->level);
}

static void add_residual(sc_trend *trend, double log_n, double log_y)
{
  double off = log_y - trend->level - trend->slope * (log_n - trend->centre);
  trend->residual += off * off;
}

/* The values of one size, as logarithms; those that are not positive are left out. */
typedef struct group {
  size_t used;
  double mean;
  double squares; /* sum of what they are off the mean */
} group;

/* Gathers the size at `from`; returns where the next one begins. */
static size_t gather_size(const double *n, const double *y, size_t count, size_t from, group *of)
{
  double sum = 0, squares = 0;
  size_t next = from;
  *of = (group){0};
  for (; next < count && n[next] == n[from]; next++)
    if (y[next] > 0 && isfinite(y[next])) {
      double log_y = log(y[next]);
      sum += log_y;
      squares += log_y * log_y;
      of->used++;
    }
  if (of->used) {
    of->mean = sum / (double)of->used;
    of->squares = fmax(0, squares - sum * sum / (double)of->used);
  }
  return next;
}

/* Goes over the sizes with the mean logarithm of each. */
static void over_sizes(const double *n, const double *y, size_t count, visit what, sc_trend *trend)
{
  group size;
  for (size_t i = 0, next; i < count; i = next) {
    next = gather_size(n, y, count, i, &size);
    if (size.used)
      what(trend, log(n[i]), size.mean);
  }
}

bool sc_trend_fit(const double *n, const double *y, size_t count, double least, sc_trend *trend)
{
  *trend = (sc_trend){0};
  over_sizes(n, y, count, add_mean, trend);
  if (trend->sizes < 3)
    return false;
  trend->centre /= (double)trend->sizes;
  trend->level /= (double)trend->sizes;
  over_sizes(n, y, count, add_product, trend);
  trend->slope /= trend->spread;
  over_sizes(n, y, count, add_residual, trend);
  trend->residual = fmax(sqrt(trend->residual / (double)(trend->sizes - 2)), least);
  trend->freedom = (double)(trend->sizes - 2);
  trend->n_max = n[count - 1];
  return true;
}

bool sc_trend_repeat(sc_trend *trend, const double *n, const double *y, size_t count, double least)
{
  double squares = 0, points = 0, sizes = (double)trend->sizes;
  group size;
  for (size_t i = 0; i < count;) {
    i = gather_size(n, y, count, i, &size);
    squares += size.squares;
    points += (double)size.used;
  }
  if (!(points > sizes + 1))
    return false;
  double repeats = points / sizes, between = trend->residual * trend->residual * (sizes - 2) * repeats;
  trend->freedom = points - 2;
  trend->residual = fmax(sqrt((squares + between) / trend->freedom / repeats), least);
  return true;
}

static double trend_quantile(const sc_trend *trend, double level)
{
  return gsl_cdf_tdist_Pinv(0.5 + level / 2, trend->freedom);
}

double sc_trend_bound(const sc_trend *trend, double level, int side)
{
  return trend->slope + side * trend_quantile(trend, level) * trend->residual / sqrt(trend->spread);
}

bool sc_trend_certain(const sc_trend *trend, double level)
{
  return sc_trend_bound(trend, level, -1) > 0 || sc_trend_bound(trend, level, 1) < 0;
}

void sc_trend_predict(const sc_trend *trend, double n, double level, sc_interval *out)
{
  double away = log(n) - trend->centre, steep = trend->level + trend->slope * away;
  double flat = trend->level, t = trend_quantile(trend, level);
  double half = t * trend->residual * sqrt(1 / (double)trend->sizes + away * away / trend->spread);
  bool certain = sc_trend_certain(trend, level);
  out->value = exp(certain ? steep : flat);
  out->low = exp(fmin(steep, certain ? steep : flat) - half);
  out->high = exp(fmax(steep, certain ? steep : flat) + half);
}

double sc_trend_slope(const double *n, const double *y, size_t count)
{
  double slopes[SC_TREND_SIZES_MOST * (SC_TREND_SIZES_MOST - 1) / 2];
  size_t used = 0, step = sc_sample_step(count, SC_TREND_SIZES_MOST);
  for (size_t i = 0; i < count; i += step)
    for (size_t k = i + step; k < count; k += step)
      if (y[i] > 0 && y[k] > 0 && isfinite(y[i]) && isfinite(y[k]) && n[k] > n[i])
        slopes[used++] = log(y[k] / y[i]) / log(n[k] / n[i]);
  return used < 3 ? 0 : sc_median(slopes, used);
}
