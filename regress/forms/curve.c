/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "regress/forms/curve.h"

#include <math.h>

#include "regress/core/minimum.h"
#include "regress/core/tuning.h"

/* The curved term, and the exponent of a term beside it; none: -1. */
typedef struct form {
  enum sc_shape shape;
  int lower;
} form;
static const form forms[SC_CURVE_MOST] = {{SC_SHAPE_PLAIN, -1},    {SC_SHAPE_PLAIN, 0},       {SC_SHAPE_PLAIN, 1},
                                          {SC_SHAPE_PLAIN, 2},     {SC_SHAPE_HYPERBOLIC, -1}, {SC_SHAPE_HYPERBOLIC, 0},
                                          {SC_SHAPE_APPROACH, -1}, {SC_SHAPE_APPROACH, 0}};

/* What all scans of a series share, in the space's scratch. */
typedef struct sums {
  const sc_points *points;
  double *column, *weight, *weighted, *unit; /* [sizes] x; weight / scale^2; that times y; n by the largest size */
  double yy, zz[3], zy[3];                   /* of the terms beside: constant, linear, square */
} sums;

static sums prepare_sums(const sc_space *space, const sc_points *points)
{
  size_t k = points->count;
  sums s = {points, space->scratch, space->scratch + k, space->scratch + 2 * k, space->scratch + 3 * k, 0, {0}, {0}};
  for (size_t i = 0; i < k; i++) {
    double w = points->weight[i] / (points->scale[i] * points->scale[i]), u = points->n[i] / points->n[k - 1];
    s.weight[i] = w, s.weighted[i] = w * points->y[i], s.unit[i] = u;
    s.yy += w * points->y[i] * points->y[i];
    s.zz[0] += w, s.zz[1] += w * u * u, s.zz[2] += w * u * u * u * u;
    s.zy[0] += w * points->y[i], s.zy[1] += w * points->y[i] * u, s.zy[2] += w * points->y[i] * u * u;
  }
  return s;
}

/* Weighted residual sums of squares of c x alone, rss[0], and of c x + d z with z a power of the size from 0 to 2; the
 * linear part is solved in closed form. */
static void curve_residuals(const sums *s, const double *x, double rss[4])
{
  double xx = 0, xy = 0, xz[3] = {0};
  for (size_t i = 0; i < s->points->count; i++) {
    double wx = s->weight[i] * x[i], wxu = wx * s->unit[i];
    xx += wx * x[i], xy += s->weighted[i] * x[i];
    xz[0] += wx, xz[1] += wxu, xz[2] += wxu * s->unit[i];
  }
  rss[0] = sc_space_squares(s->yy - xy * xy / xx);
  for (int l = 0; l < 3; l++) {
    double det = xx * s->zz[l] - xz[l] * xz[l];
    double c = (xy * s->zz[l] - s->zy[l] * xz[l]) / det, d = (s->zy[l] * xx - xy * xz[l]) / det;
    rss[l + 1] = det > 1e-13 * xx * s->zz[l] ? sc_space_squares(s->yy - c * xy - d * s->zy[l]) : INFINITY;
  }
}

typedef struct problem {
  const sums *sums;
  const form *form;
} problem;

/* The parameter is the exponent, or the logarithm of the scale divided by the largest size. */
static double curve_objective(double parameter, void *data)
{
  const problem *p = data;
  const sums *s = p->sums;
  double rss[4], center = s->points->log_n[s->points->count - 1];
  double scale = p->form->shape == SC_SHAPE_PLAIN ? 0 : exp(parameter);
  for (size_t i = 0; i < s->points->count; i++) {
    if (p->form->shape == SC_SHAPE_PLAIN)
      s->column[i] = exp(parameter * (s->points->log_n[i] - center));
    else if (p->form->shape == SC_SHAPE_HYPERBOLIC)
      s->column[i] = s->unit[i] / (s->unit[i] + scale);
    else
      s->column[i] = -expm1(-s->unit[i] / scale);
  }
  curve_residuals(s, s->column, rss);
  return rss[p->form->lower + 1];
}

/* Sums of squares have half of a number's digits, so the minimum is flat. Exponents of known recurrences are restored
 * to their digits: hundredths, twelfths, and log2 3 (Karatsuba), log2 7 (Strassen), log3 2 and the like (Master
 * theorem: Bentley, Haken and Saxe, SIGACT News 12, 1980). */
static double curve_known(double e)
{
  double best = round(e * 100) / 100;
  if (fabs(round(e * 12) / 12 - e) < fabs(best - e))
    best = round(e * 12) / 12;
  for (int a = 3; a <= 9; a++)
    for (int b = 2; b <= 4; b++)
      if (fabs(log(a) / log(b) - e) < fabs(best - e))
        best = log(a) / log(b);
  return fabs(best - e) < SC_CURVE_SAME ? best : e;
}

static double parameter_of(enum sc_shape shape, size_t row)
{
  return shape == SC_SHAPE_PLAIN ? sc_space_power(row) : log(sc_space_saturation(row));
}

/* For each term beside the curved one, the row of the table that is best, and the sums of squares there and around. */
typedef struct scan {
  size_t best;
  double rss[3]; /* before, at, after; the first is NAN if the best row is an end */
} scan;

static void scan_rows(const sums *s, const double *table, size_t rows, scan found[4])
{
  double rss[3][4];
  for (size_t l = 0; l < 4; l++)
    found[l] = (scan){0, {NAN, INFINITY, NAN}};
  for (size_t r = 0; r < rows; r++) {
    curve_residuals(s, table + r * s->points->count, rss[r % 3]);
    for (size_t l = 0; l < 4; l++) {
      if (r > 0 && found[l].best + 1 == r)
        found[l].rss[2] = rss[r % 3][l];
      if (rss[r % 3][l] < found[l].rss[1])
        found[l] = (scan){r, {r > 0 ? rss[(r + 2) % 3][l] : NAN, rss[r % 3][l], NAN}};
    }
  }
}

/* What the minimum between the rows is at least: that of the parabola through the three, and some of what it saves. */
static double least_between(const scan *f)
{
  double curvature = f->rss[0] - 2 * f->rss[1] + f->rss[2], slope = (f->rss[2] - f->rss[0]) / 2;
  return curvature > 0 ? fmax(0, f->rss[1] - 2 * slope * slope / curvature) / 2 : 0;
}

/* Sets the exponents; false if the terms would be parallel. */
static bool make_power(const form *f, double e, sc_candidate *made)
{
  e = curve_known(e);
  if (f->lower > 0 && fabs(e - f->lower) < SC_CURVE_PARALLEL)
    return false;
  made->terms[0] = (sc_term){.exponent = e};
  made->terms[1] = (sc_term){.exponent = f->lower};
  if (f->lower > e) { /* the leading term comes first */
    made->terms[0].exponent = f->lower;
    made->terms[1].exponent = e;
  }
  return true;
}

/* Exact counts are nearly always polynomials: a power that is not a polynomial fits by luck. */
static double curve_cost_of(const sc_points *points, const form *f)
{
  double lower = f->lower >= 0 ? SC_CURVE_LOWER : 0;
  if (f->shape == SC_SHAPE_PLAIN)
    return lower + (points->whole ? SC_CURVE_POWER_COUNTED : SC_CURVE_POWER);
  return (lower + SC_CURVE_SATURATION) * (points->whole ? SC_CANDIDATE_WHOLE : 1);
}

/* The best parameter near the best row; NAN if that is an end, or if the score must be above `worst`. */
static double refine_curve(const sums *s, const form *f, const scan *found, double worst)
{
  double noisy = sqrt(s->points->pure_ss / (double)s->points->observations);
  if (!isfinite(found->rss[0]) || !isfinite(found->rss[2]))
    return NAN;
  double score =
      sc_candidate_score(s->points, least_between(found), NAN, f->lower < 0 ? 2 : 3, curve_cost_of(s->points, f));
  if (score > worst)
    return NAN;
  double before = parameter_of(f->shape, found->best - 1), after = parameter_of(f->shape, found->best + 1);
  return sc_minimum_find(curve_objective, &(problem){s, f}, fmin(before, after), parameter_of(f->shape, found->best),
                         fmax(before, after), fmax(SC_CURVE_SAME / 10, noisy / 30));
}

/* Whether growth may be about to end: a saturation that has half shown itself grows by less than the root of n there.
 */
static bool slows_down(const sc_points *points)
{
  size_t last = points->count - 1, before = last;
  while (before > 0 && points->n[before] * SC_CURVE_APART > points->n[last])
    before--;
  double grown = log(points->y[last] / points->y[before]) / (points->log_n[last] - points->log_n[before]);
  return !(grown > SC_CURVE_STEEP); /* nor where it is not known */
}

size_t sc_curve_find(const sc_space *space, const sc_points *points, double worst, sc_candidate *candidates)
{
  size_t made = 0, last = points->count - 1;
  if (sc_candidate_score(points, 0, NAN, 2, curve_cost_of(points, &forms[0])) > worst)
    return 0;
  double unusual = points->count == 3 && points->pure_degrees == 0 ? 2 : 1;
  sums s = prepare_sums(space, points);
  scan powers[4], hyperbolic[4], approach[4];
  scan_rows(&s, space->powers, SC_SPACE_POWERS, powers);
  bool saturates = slows_down(points);
  if (saturates) {
    scan_rows(&s, space->hyperbolic, SC_SPACE_SATURATIONS, hyperbolic);
    scan_rows(&s, space->approach, SC_SPACE_SATURATIONS, approach);
  }
  for (size_t i = 0; i < SC_CURVE_MOST; i++) {
    const form *f = &forms[i];
    size_t parameters = f->lower < 0 ? 2 : 3;
    bool power = f->shape == SC_SHAPE_PLAIN;
    const scan *found = power ? powers : f->shape == SC_SHAPE_HYPERBOLIC ? hyperbolic : approach;
    if (points->count <= parameters || sc_candidate_hits_by_chance(points, parameters) || (!power && !saturates))
      continue;
    double best = refine_curve(&s, f, &found[f->lower + 1], worst);
    if (isnan(best) || (!power && exp(best) > SC_CURVE_SEEN / (1 - SC_CURVE_SEEN)))
      continue;
    sc_candidate *one = &candidates[made];
    *one = (sc_candidate){.count = parameters - 1, .parameters = parameters};
    one->cost = unusual * curve_cost_of(points, f);
    one->terms[0] = (sc_term){.shape = f->shape, .scale = power ? 0 : exp(best) * points->n[last]};
    made += !power || make_power(f, best, one);
  }
  return made;
}
