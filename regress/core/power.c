/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "regress/core/power.h"

#include <math.h>

#include "regress/core/tuning.h"

typedef struct curve {
  double exponent, start, at_largest, chi2;
  double w, x, y, xx, xy, yy, det; /* weighted sums of 1, of what grows, of y, and of products; 0: points alike */
} curve;

static double power_value_at(const curve *c, double share)
{
  return c->start + c->at_largest * pow(share, c->exponent);
}

/* The part that grows, by that at the largest size. */
static double power_grown(const sc_power_point *p, double largest, double exponent)
{
  return pow(p->n / largest, exponent) * (1 + p->dearer);
}

/* Weighted least squares for one exponent; a part that would be negative is left out. */
static curve fit_power_curve(const sc_power_point *p, size_t count, double exponent)
{
  double w = 0, x = 0, y = 0, xx = 0, xy = 0, yy = 0;
  curve c = {.exponent = exponent};
  for (size_t i = 0; i < count; i++) {
    double u = 1 / (p[i].error * p[i].y * p[i].error * p[i].y), b = power_grown(&p[i], p[count - 1].n, exponent);
    w += u, x += u * b, y += u * p[i].y, xx += u * b * b, xy += u * b * p[i].y, yy += u * p[i].y * p[i].y;
  }
  double det = w * xx - x * x;
  c.w = w, c.x = x, c.y = y, c.xx = xx, c.xy = xy, c.yy = yy, c.det = det > 1e-9 * w * xx ? det : 0;
  c.at_largest = c.det > 0 ? (w * xy - x * y) / det : 0;
  c.start = (y - c.at_largest * x) / w;
  if (c.at_largest < 0) {
    c.at_largest = 0;
    c.start = y / w;
  } else if (c.start < 0) {
    c.start = 0;
    c.at_largest = xy / xx;
  }
  for (size_t i = 0; i < count; i++) {
    double off =
        (p[i].y - c.start - c.at_largest * power_grown(&p[i], p[count - 1].n, exponent)) / (p[i].error * p[i].y);
    c.chi2 += off * off;
  }
  return c;
}

static curve curve_of(const sc_power_point *points, size_t count, int step)
{
  return fit_power_curve(points, count, SC_POWER_MOST * step / SC_POWER_STEPS);
}

double sc_power_chi2(const sc_power_point *points, size_t count, double exponent)
{
  double best = INFINITY;
  for (int step = 0; step <= SC_POWER_STEPS && SC_POWER_MOST * step / SC_POWER_STEPS <= exponent; step++)
    best = fmin(best, curve_of(points, count, step).chi2);
  return best;
}

/* Chi squared of another curve of the same exponent. */
static double chi2_of(const curve *c, double start, double part)
{
  return c->yy - 2 * (start * c->y + part * c->xy) + start * (start * c->w + 2 * part * c->x) + part * part * c->xx;
}

/* The largest value that curves of this exponent within the limit reach, also where the best one does not rise at all:
 * what grows more takes as much from the start, down to none. */
static double highest_at(const curve *c, double limit, double share)
{
  double s = pow(share, c->exponent), part = c->xy / c->xx, room = limit - chi2_of(c, 0, part);
  double most = fmax(power_value_at(c, share), room >= 0 ? s * (part + sqrt(room / c->xx)) : 0);
  if (!(c->det > 0))
    return most;
  double start = (c->xx * c->y - c->x * c->xy) / c->det, along = c->xx - 2 * s * c->x + s * s * c->w;
  part = (c->w * c->xy - c->x * c->y) / c->det;
  double step = sqrt(fmax(0, limit - chi2_of(c, start, part)) / (along * c->det));
  start += step * (c->xx - s * c->x);
  part += step * (s * c->w - c->x);
  return start >= 0 && part >= 0 ? fmax(most, start + s * part) : most;
}

/* Points that scatter more than their errors say count for less. */
static double power_spread_of(double chi2, size_t count)
{
  return count < SC_POWER_LEAST_SIZES ? 1 : fmax(1, chi2 / (double)(count - SC_POWER_LEAST_SIZES + 1));
}

double sc_power_excess(const sc_power_point *points, size_t count, double exponent)
{
  if (count < SC_POWER_LEAST_SIZES)
    return 0;
  double best = sc_power_chi2(points, count, SC_POWER_MOST);
  return sqrt((sc_power_chi2(points, count, exponent) - best) / power_spread_of(best, count));
}

static double limit_above(double best, size_t count) { return best + SC_POWER_RISE * power_spread_of(best, count); }

double sc_power_limit(const sc_power_point *points, size_t count)
{
  return limit_above(sc_power_chi2(points, count, SC_POWER_MOST), count);
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
  double limit = limit_above(best.chi2, count);
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
  double limit = sc_power_limit(points, count), most = 0, share = n / points[count - 1].n;
  for (int step = 0; step <= SC_POWER_STEPS; step++) {
    curve c = curve_of(points, count, step);
    if (c.exponent <= exponent && c.chi2 <= limit)
      most = fmax(most, highest_at(&c, limit, share));
  }
  if (most > 0)
    return most;
  curve c = fit_power_curve(points, count, exponent);
  return power_value_at(&c, share);
}

bool sc_power_at(const sc_power_point *points, size_t count, double exponent, sc_power *out)
{
  curve c = fit_power_curve(points, count, exponent);
  *out =
      (sc_power){.exponent = exponent, .low = exponent, .high = exponent, .start = c.start, .at_largest = c.at_largest};
  return isfinite(c.chi2);
}

double sc_power_least(const sc_power_point *points, size_t count, double n)
{
  double limit = sc_power_limit(points, count), least = INFINITY, share = n / points[count - 1].n;
  for (int step = 0; step <= SC_POWER_STEPS; step++) {
    curve c = curve_of(points, count, step);
    if (c.chi2 <= limit)
      least = fmin(least, power_value_at(&c, share));
  }
  return least;
}
