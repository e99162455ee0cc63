/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What repeats tell about the noise: outliers, and weights of sizes that are noisier than others. */
#include "regress/core/noise.h"

#include <gsl/gsl_math.h>
#include <gsl/gsl_sf_psi.h>
#include <math.h>

#include "base/sample.h"
#include "regress/core/median.h"
#include "regress/core/tuning.h"

/* Sum of squares around the means; the largest single deviation. */
static double noise_squares(const sc_points *points, double *largest)
{
  double sum = 0;
  size_t at = 0;
  *largest = 0;
  for (size_t i = 0; i < points->count; i++)
    for (size_t j = 0; j < (size_t)points->repeats[i]; j++, at++) {
      double r = (points->values[at] - points->y[i]) / points->scale[i];
      sum += r * r;
      *largest = fmax(*largest, fabs(r));
    }
  return sum;
}

/* Standard deviation from the median of the deviations from each size's median (Rousseeuw and Croux, JASA 88, 1993);
 * each median itself, which deviates by nothing, doesn't count. Sorts the repeats of each size. */
static double robust_deviation(sc_points *points)
{
  double room[SC_NOISE_ROBUST_MOST];
  sc_sample deviations = sc_sample_begin(room, SC_NOISE_ROBUST_MOST);
  size_t at = 0;
  for (size_t i = 0; i < points->count; i++) {
    size_t repeats = (size_t)points->repeats[i];
    if (repeats >= 3) {
      double middle = sc_median(points->values + at, repeats);
      for (size_t j = 0; j < repeats; j++)
        if (points->values[at + j] != middle)
          sc_sample_add(&deviations,
                        fabs(points->values[at + j] - middle) / fabs(middle > 0 ? middle : points->scale[i]));
    }
    at += repeats;
  }
  return deviations.count ? 1.4826 * sc_median(room, deviations.count) : 0;
}

/* Leaves out the repeats of one size that are foreign, never more than half of them. Returns how many stay. */
static size_t keep_own(double *values, size_t count, double deviation)
{
  double middle = sc_median(values, count), unit = SC_NOISE_FOREIGN * deviation * fabs(middle);
  size_t first = 0, last = count, most = (count - 1) / 2;
  while (last - first > count - most && values[last - 1] - middle > unit)
    last--;
  while (last - first > count - most && middle - values[first] > unit)
    first++;
  for (size_t j = first; j < last; j++)
    values[j - first] = values[j];
  return last - first;
}

static void leave_out(sc_points *points, double deviation)
{
  size_t from = 0, to = 0;
  for (size_t i = 0; i < points->count; i++) {
    size_t repeats = (size_t)points->repeats[i], kept = repeats;
    if (repeats >= 3)
      kept = keep_own(points->values + from, repeats, deviation);
    double sum = 0;
    for (size_t j = 0; j < kept; j++)
      sum += points->values[to + j] = points->values[from + j];
    if (kept < repeats) {
      if (sum > 0) /* zeros have no scale of their own */
        points->scale[i] *= sum / (double)kept / points->y[i];
      points->y[i] = sum / (double)kept;
    }
    points->observations -= repeats - kept;
    points->repeats[i] = points->weight[i] = (double)kept;
    from += repeats;
    to += kept;
  }
}

/* Relative variance of each size's repeats into weight[]; returns their mean degrees of freedom, 0 if any has none. */
static double noise_variances(const sc_points *points, double *variance)
{
  size_t at = 0;
  for (size_t i = 0; i < points->count; i++) {
    double sum = 0;
    for (size_t j = 0; j < (size_t)points->repeats[i]; j++, at++) {
      double r = (points->values[at] - points->y[i]) / points->scale[i];
      sum += r * r;
    }
    if (!(sum > 0) || points->repeats[i] < 3)
      return 0;
    variance[i] = sum / (points->repeats[i] - 1);
  }
  return (double)(points->observations - points->count) / (double)points->count;
}

/* Where the variance goes with a power of the size, the weights follow it (Carroll and Ruppert, Transformation and
 * Weighting in Regression, 1988, chapter 3). The logarithm of a variance from few repeats scatters by psi'(degrees / 2)
 * alone; a power that does not stand out from that is taken as 0. Weights by each size's own variance were tried: from
 * five repeats they are so uncertain that predictions got worse. */
static void weigh_by_noise(sc_points *points)
{
  double x = 0, xx = 0, xy = 0, degrees = noise_variances(points, points->weight);
  for (size_t i = 0; degrees > 0 && i < points->count; i++)
    x += points->log_n[i] / (double)points->count;
  for (size_t i = 0; degrees > 0 && i < points->count; i++) {
    xx += gsl_pow_2(points->log_n[i] - x);
    xy += (points->log_n[i] - x) * log(points->weight[i]);
  }
  bool stands_out = degrees > 0 && fabs(xy) > SC_NOISE_DISTINCT * sqrt(gsl_sf_psi_1(degrees / 2) * xx);
  double power = stands_out ? xy / xx : 0;
  for (size_t i = 0; i < points->count; i++) {
    double ratio = exp(power * (points->log_n[i] - x));
    points->weight[i] = points->repeats[i] / fmin(fmax(ratio, 1 / SC_NOISE_UNEVEN_MOST), SC_NOISE_UNEVEN_MOST);
  }
}

static double weighted_squares(const sc_points *points)
{
  double sum = 0;
  size_t at = 0;
  for (size_t i = 0; i < points->count; i++)
    for (size_t j = 0; j < (size_t)points->repeats[i]; j++, at++)
      sum += points->weight[i] / points->repeats[i] * gsl_pow_2((points->values[at] - points->y[i]) / points->scale[i]);
  return sum;
}

void sc_noise_weigh(sc_points *points)
{
  double largest;
  points->pure_ss = noise_squares(points, &largest);
  points->pure_degrees = points->observations - points->count;
  if (points->pure_degrees < 2 || !(points->pure_ss > 0))
    return;
  double deviation = sqrt(points->pure_ss / (double)points->pure_degrees);
  if (largest > SC_NOISE_SUSPECT * deviation) {
    double robust = robust_deviation(points);
    if (robust > 0)
      leave_out(points, robust);
  }
  if (points->count >= 3)
    weigh_by_noise(points);
  points->pure_ss = weighted_squares(points);
  points->pure_degrees = points->observations - points->count;
}
