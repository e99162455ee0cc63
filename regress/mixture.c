/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "regress/mixture.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdbool.h>

/* Quantiles of the t distribution take microseconds each, and every prediction needs some. Each thread keeps those of
 * the degrees of freedom it met, on a grid of normal quantiles. Beyond MANY degrees the normal distribution is as good.
 */
enum { GRID = 33, MIDDLE = GRID / 2, MANY = 96 };
static const double grid_step = 0.25;

typedef struct t_table {
  bool known;
  double t[GRID], p[GRID];
} t_table;

static const t_table *table_of(size_t degrees)
{
  static _Thread_local t_table tables[MANY + 1];
  size_t at = degrees < 1 ? 1 : degrees > MANY ? MANY : degrees;
  t_table *table = &tables[at];
  if (table->known)
    return table;
  for (int i = 0; i < GRID; i++) {
    table->p[i] = gsl_cdf_ugaussian_P(grid_step * (i - MIDDLE));
    table->t[i] = gsl_cdf_tdist_Pinv(table->p[i], (double)at);
  }
  table->t[MIDDLE] = 0;
  table->known = true;
  return table;
}

/* P(T <= t), linear between the quantiles of the table. */
static double probability(const t_table *table, double t)
{
  int low = 0, high = GRID - 1;
  if (!(t > table->t[low]))
    return 0;
  if (t >= table->t[high])
    return 1;
  while (high - low > 1) {
    int middle = (low + high) / 2;
    if (t < table->t[middle])
      high = middle;
    else
      low = middle;
  }
  double share = (t - table->t[low]) / (table->t[high] - table->t[low]);
  return table->p[low] + share * (table->p[high] - table->p[low]);
}

static double below(const sc_mixture_part *part, double x)
{
  if (!(part->deviation > 0) || !(part->value > 0))
    return x >= part->value;
  if (x <= 0)
    return 0;
  double t =
      x >= part->value ? (x - part->value) / part->deviation : -(part->value / x - 1) * part->value / part->deviation;
  return probability(table_of(part->degrees), t);
}

static double mixed(const sc_mixture_part *parts, size_t count, double total, double x)
{
  double sum = 0;
  for (size_t i = 0; i < count; i++)
    sum += parts[i].mass / total * below(&parts[i], x);
  return sum;
}

/* t quantile, remembered: callers ask for the same level again and again. */
static double t_quantile(size_t degrees, double p)
{
  static _Thread_local struct {
    double p, t;
  } seen[2][MANY + 1];
  if (degrees > MANY)
    return gsl_cdf_tdist_Pinv(p, (double)degrees);
  size_t at = degrees < 1 ? 1 : degrees;
  int side = p > 0.5;
  if (seen[side][at].p != p) {
    seen[side][at].p = p;
    seen[side][at].t = gsl_cdf_tdist_Pinv(p, (double)at);
  }
  return seen[side][at].t;
}

static double quantile_of(const sc_mixture_part *part, double p)
{
  if (!(part->deviation > 0) || !(part->value > 0))
    return part->value;
  double t = t_quantile(part->degrees, p);
  return t >= 0 ? part->value + t * part->deviation : part->value / (1 - t * part->deviation / part->value);
}

/* The mixture's quantile lies between the smallest and the largest of its parts' quantiles; found by regula falsi in
 * the Illinois variant (Dowell and Jarratt, BIT 11, 1971), which converges on functions with steps too. */
static double quantile(const sc_mixture_part *parts, size_t count, double total, double p)
{
  static const double close = 5e-4;
  double low = INFINITY, high = 0;
  for (size_t i = 0; i < count; i++) {
    double edge = quantile_of(&parts[i], p);
    low = fmin(low, edge);
    high = fmax(high, edge);
  }
  if (!(high > low) || !isfinite(high))
    return p < 0.5 ? low : high;
  double under = mixed(parts, count, total, low) - p, over = mixed(parts, count, total, high) - p;
  for (int i = 0; i < 60 && high - low > close * high; i++) {
    double share = i % 3 == 2 || !(over > under) ? 0.5 : fmin(fmax(under / (under - over), 0.02), 0.98);
    double middle = low + share * (high - low), at = mixed(parts, count, total, middle) - p;
    if (at < 0)
      low = middle, under = at, over /= 2;
    else
      high = middle, over = at, under /= 2;
  }
  return p < 0.5 ? low : high;
}

void sc_mixture_interval(const sc_mixture_part *parts, size_t count, double level, double *low, double *high)
{
  double total = 0;
  for (size_t i = 0; i < count; i++)
    total += parts[i].mass;
  *low = quantile(parts, count, total, (1 - level) / 2);
  *high = quantile(parts, count, total, (1 + level) / 2);
}
