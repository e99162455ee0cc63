/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Quantiles of a mixture of t distributions: the interval of a model and its rivals. */
#include "regress/core/mixture.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdbool.h>

#include "regress/core/tuning.h"

/* Quantiles of the t distribution take microseconds each, and every prediction needs some. Each thread keeps those of
 * the degrees of freedom it met, on a grid of normal quantiles. Beyond MANY degrees the normal distribution is as good.
 */
enum { GRID = 33, MIDDLE = GRID / 2 };

typedef struct t_table {
  bool known;
  double t[GRID], p[GRID], slope[GRID - 1];
} t_table;

static const t_table *table_of(size_t degrees)
{
  static _Thread_local t_table tables[SC_MIXTURE_DEGREES_MOST + 1];
  size_t at = degrees < 1 ? 1 : degrees > SC_MIXTURE_DEGREES_MOST ? SC_MIXTURE_DEGREES_MOST : degrees;
  t_table *table = &tables[at];
  if (table->known)
    return table;
  for (int i = 0; i < GRID; i++) {
    table->p[i] = gsl_cdf_ugaussian_P(SC_MIXTURE_STEP * (i - MIDDLE));
    table->t[i] = gsl_cdf_tdist_Pinv(table->p[i], (double)at);
  }
  table->t[MIDDLE] = 0;
  for (int i = 0; i + 1 < GRID; i++)
    table->slope[i] = (table->p[i + 1] - table->p[i]) / (table->t[i + 1] - table->t[i]);
  table->known = true;
  return table;
}

/* P(T <= t), linear between the quantiles of the table. The search has no branches to be foretold wrongly. */
static double mixture_probability(const t_table *table, double t)
{
  int low = 0;
  if (!(t > table->t[low]))
    return 0;
  if (t >= table->t[GRID - 1])
    return 1;
  for (int step = MIDDLE; step; step /= 2)
    low += t >= table->t[low + step] ? step : 0;
  return table->p[low] + (t - table->t[low]) * table->slope[low];
}

/* A part as the search for a quantile needs it. */
typedef struct distribution {
  const t_table *table; /* NULL: a step at `value` */
  double value, relative, share;
} distribution;

static double part_share_below(const distribution *part, double x)
{
  if (!part->table)
    return x >= part->value;
  if (x <= 0)
    return 0;
  double t = x >= part->value ? x / part->value - 1 : 1 - part->value / x;
  return mixture_probability(part->table, t * part->relative);
}

static double mixture_share_below(const distribution *parts, size_t count, double x)
{
  double sum = 0;
  for (size_t i = 0; i < count; i++)
    sum += parts[i].share * part_share_below(&parts[i], x);
  return sum;
}

/* t quantile, remembered: callers ask for the same level again and again. */
static double t_quantile(size_t degrees, double p)
{
  static _Thread_local struct {
    double p, t;
  } seen[2][SC_MIXTURE_DEGREES_MOST + 1];
  if (degrees > SC_MIXTURE_DEGREES_MOST)
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
static double mixture_quantile(const sc_mixture_part *parts, const distribution *mixture, size_t count, double p)
{
  double low = INFINITY, high = 0;
  for (size_t i = 0; i < count; i++) {
    double edge = quantile_of(&parts[i], p);
    low = fmin(low, edge);
    high = fmax(high, edge);
  }
  if (!(high > low) || !isfinite(high))
    return p < 0.5 ? low : high;
  double under = mixture_share_below(mixture, count, low) - p, over = mixture_share_below(mixture, count, high) - p;
  for (int i = 0; i < 60 && high - low > SC_MIXTURE_CLOSE * high; i++) {
    double share = i % 3 == 2 || !(over > under) ? 0.5 : fmin(fmax(under / (under - over), 0.02), 0.98);
    double middle = low + share * (high - low), at = mixture_share_below(mixture, count, middle) - p;
    if (at < 0)
      low = middle, under = at, over /= 2;
    else
      high = middle, over = at, under /= 2;
  }
  return p < 0.5 ? low : high;
}

void sc_mixture_interval(const sc_mixture_part *parts, size_t count, double level, double *low, double *high)
{
  distribution mixture[SC_MIXTURE_PARTS];
  double total = 0;
  for (size_t i = 0; i < count; i++)
    total += parts[i].mass;
  for (size_t i = 0; i < count; i++) {
    const sc_mixture_part *part = &parts[i];
    bool wide = part->deviation > 0 && part->value > 0;
    mixture[i] = (distribution){wide ? table_of(part->degrees) : NULL, part->value, part->value / part->deviation,
                                part->mass / total};
  }
  *low = mixture_quantile(parts, mixture, count, (1 - level) / 2);
  *high = mixture_quantile(parts, mixture, count, (1 + level) / 2);
}
