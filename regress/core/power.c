/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "regress/core/power.h"

#include <math.h>

#include "regress/core/tuning.h"

typedef struct curve {
  double exponent, start, at_largest, chi2;
  double curvature; /* of chi squared in at_largest, the start following: half its second derivative */
} curve;

static double value_at(const curve *c, double share) { return c->start + c->at_largest * pow(share, c->exponent); }

/* The part that grows, by that at the largest size. */
static double grown(const sc_power_point *p, double largest, double exponent)
{
  return pow(p->n / largest, exponent) * (1 + p->dearer);
}

/* Weighted least squares for one exponent; a part that would be negative is left out. */
static curve fit_one(const sc_power_point *p, size_t count, double exponent)
{
  double w = 0, x = 0, y = 0, xx = 0, xy = 0;
  curve c = {.exponent = exponent};
  for (size_t i = 0; i < count; i++) {
    double u = 1 / (p[i].error * p[i].y * p[i].error * p[i].y), b = grown(&p[i], p[count - 1].n, exponent);
    w += u, x += u * b, y += u * p[i].y, xx += u * b * b, xy += u * b * p[i].y;
  }
  double det = w * xx - x * x;
  c.at_largest = det > 1e-9 * w * xx ? (w * xy - x * y) / det : 0;
  c.start = (y - c.at_largest * x) / w;
  c.curvature = det / w;
  if (c.at_largest < 0) {
    c.at_largest = 0;
    c.start = y / w;
  } else if (c.start < 0) {
    c.start = 0;
    c.at_largest = xy / xx;
  }
  for (size_t i = 0; i < count; i++) {
    double off = (p[i].y - c.start - c.at_largest * grown(&p[i], p[count - 1].n, exponent)) / (p[i].error * p[i].y);
    c.chi2 += off * off;
  }
  return c;
}

static curve curve_of(const sc_power_point *points, size_t count, int step)
{
  return fit_one(points, count, SC_POWER_MOST * step / SC_POWER_STEPS);
}

/* What the steepest curve of this exponent that the limit admits reaches: also where the best one does not rise at all.
 */
static double highest_at(const curve *c, double limit, double share)
{
  double more = c->curvature > 0 ? sqrt(fmax(0, limit - c->chi2) / c->curvature) : 0;
  return value_at(c, share) + more * pow(share, c->exponent);
}

/* Points that scatter more than their errors say count for less. */
static double spread_of(double chi2, size_t count)
{
  return count < SC_POWER_LEAST_SIZES ? 1 : fmax(1, chi2 / (double)(count - SC_POWER_LEAST_SIZES + 1));
}

double sc_power_excess(const sc_power_point *points, size_t count, double exponent)
{
  double best = INFINITY, up_to = INFINITY;
  if (count < SC_POWER_LEAST_SIZES)
    return 0;
  for (int step = 0; step <= SC_POWER_STEPS; step++) {
    curve c = curve_of(points, count, step);
    best = fmin(best, c.chi2);
    if (c.exponent <= exponent)
      up_to = fmin(up_to, c.chi2);
  }
  return sqrt((up_to - best) / spread_of(best, count));
}

bool sc_power_fit(const sc_power_point *points, size_t count, double far, sc_power *out)
{
  curve best = {.chi2 = INFINITY};
  for (size_t i = 0; i < count; i++)
    if (!(points[i].n > 0) || !(points[i].y > 0) || !(points[i].error > 0))
      return false;
  if (count < SC_POWER_LEAST_SIZES)
    return false;
  for (int step = 0; step <= SC_POWER_STEPS; step++) {
    curve c = curve_of(points, count, step);
    if (c.chi2 < best.chi2)
      best = c;
  }
  *out = (sc_power){.exponent = best.exponent,
                    .low = best.exponent,
                    .high = best.exponent,
                    .start = best.start,
                    .at_largest = best.at_largest};
  double limit = best.chi2 + SC_POWER_RISE * spread_of(best.chi2, count);
  for (int step = 0; step <= SC_POWER_STEPS; step++) {
    curve c = curve_of(points, count, step);
    if (c.chi2 > limit)
      continue;
    out->low = fmin(out->low, c.exponent);
    out->high = fmax(out->high, c.exponent);
    out->far = fmax(out->far, highest_at(&c, limit, far / points[count - 1].n));
  }
  return true;
}

double sc_power_most(const sc_power_point *points, size_t count, double exponent, double n)
{
  double best = INFINITY, most = 0, share = n / points[count - 1].n;
  for (int step = 0; step <= SC_POWER_STEPS; step++)
    best = fmin(best, curve_of(points, count, step).chi2);
  double limit = best + SC_POWER_RISE * spread_of(best, count);
  for (int step = 0; step <= SC_POWER_STEPS; step++) {
    curve c = curve_of(points, count, step);
    if (c.exponent <= exponent && c.chi2 <= limit)
      most = fmax(most, highest_at(&c, limit, share));
  }
  if (most > 0)
    return most;
  curve c = fit_one(points, count, exponent);
  return value_at(&c, share);
}
