/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "regress/curve.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_min.h>
#include <math.h>

#include "regress/term.h"

/* In units of -2 log likelihood, as the costs of the space; docs/models.md. */
static const double power_cost = 7, counted_power_cost = 20, saturation_cost = 10, lower_cost = 2;
/* Exponents are equal to a known one if they differ by less than this: what is lost in a sum of squares. */
static const double same_exponent = 1e-5;
/* A saturation that has not half shown itself could as well be a power. */
static const double least_seen = 0.5;

/* The curved term, and the exponent of a term beside it; none: -1. */
typedef struct form {
  enum sc_shape shape;
  int lower;
} form;
static const form forms[SC_CURVE_MOST] = {{SC_SHAPE_PLAIN, -1},    {SC_SHAPE_PLAIN, 0},       {SC_SHAPE_PLAIN, 1},
                                          {SC_SHAPE_PLAIN, 2},     {SC_SHAPE_HYPERBOLIC, -1}, {SC_SHAPE_HYPERBOLIC, 0},
                                          {SC_SHAPE_APPROACH, -1}, {SC_SHAPE_APPROACH, 0}};

typedef struct problem {
  const sc_points *points;
  double *column; /* [points->count] scratch */
  const form *form;
} problem;

/* Weighted residual sum of squares of c x (+ d z), the linear part solved in closed form. */
static double residual(const sc_points *points, const double *x, int lower)
{
  double xx = 0, xz = 0, zz = 0, xy = 0, zy = 0, yy = 0, unit = 1 / points->n[points->count - 1];
  for (size_t i = 0; i < points->count; i++) {
    double w = points->weight[i] / (points->scale[i] * points->scale[i]), y = points->y[i];
    double z = lower <= 0 ? 1 : lower == 1 ? points->n[i] * unit : points->n[i] * unit * points->n[i] * unit;
    xx += w * x[i] * x[i], xz += w * x[i] * z, zz += w * z * z;
    xy += w * x[i] * y, zy += w * z * y, yy += w * y * y;
  }
  if (lower < 0)
    return fmax(0, yy - xy * xy / xx);
  double det = xx * zz - xz * xz;
  if (!(det > 1e-13 * xx * zz))
    return INFINITY;
  double c = (xy * zz - zy * xz) / det, d = (zy * xx - xy * xz) / det;
  return fmax(0, yy - c * xy - d * zy);
}

/* The parameter is the exponent, or the logarithm of the scale divided by the largest size. */
static double objective(double parameter, void *data)
{
  const problem *p = data;
  const sc_points *points = p->points;
  double largest = points->n[points->count - 1], center = points->log_n[points->count - 1];
  double scale = p->form->shape == SC_SHAPE_PLAIN ? 0 : exp(parameter) * largest;
  for (size_t i = 0; i < points->count; i++) {
    if (p->form->shape == SC_SHAPE_PLAIN)
      p->column[i] = exp(parameter * (points->log_n[i] - center));
    else if (p->form->shape == SC_SHAPE_HYPERBOLIC)
      p->column[i] = points->n[i] / (points->n[i] + scale);
    else
      p->column[i] = -expm1(-points->n[i] / scale);
  }
  return residual(points, p->column, p->form->lower);
}

/* Brent's method (GSL) in the bracket around the best row of the scan. */
static double minimum(problem *p, double low, double best, double high)
{
  gsl_function function = {objective, p};
  gsl_min_fminimizer *search = gsl_min_fminimizer_alloc(gsl_min_fminimizer_brent);
  if (!search || gsl_min_fminimizer_set(search, &function, best, low, high)) {
    if (search)
      gsl_min_fminimizer_free(search);
    return NAN;
  }
  for (int i = 0; i < 40; i++) {
    if (gsl_min_fminimizer_iterate(search) != GSL_SUCCESS ||
        gsl_min_fminimizer_x_upper(search) - gsl_min_fminimizer_x_lower(search) < same_exponent / 10)
      break;
  }
  best = gsl_min_fminimizer_x_minimum(search);
  gsl_min_fminimizer_free(search);
  return best;
}

/* Sums of squares have half of a number's digits, so the minimum is flat. Exponents of known recurrences are restored
 * to their digits: hundredths, twelfths, and log2 3 (Karatsuba), log2 7 (Strassen), log3 2 and the like (Master
 * theorem: Bentley, Haken and Saxe, SIGACT News 12, 1980). */
static double known(double e)
{
  double best = round(e * 100) / 100;
  if (fabs(round(e * 12) / 12 - e) < fabs(best - e))
    best = round(e * 12) / 12;
  for (int a = 3; a <= 9; a++)
    for (int b = 2; b <= 4; b++)
      if (fabs(log(a) / log(b) - e) < fabs(best - e))
        best = log(a) / log(b);
  return fabs(best - e) < same_exponent ? best : e;
}

static double parameter_of(enum sc_shape shape, size_t row)
{
  return shape == SC_SHAPE_PLAIN ? sc_space_power(row) : log(sc_space_saturation(row));
}

/* The best parameter between the ends of the scan; NAN if it lies at an end. */
static double best_parameter(const sc_space *space, const sc_points *points, const form *f)
{
  size_t rows = f->shape == SC_SHAPE_PLAIN ? SC_SPACE_POWERS : SC_SPACE_SATURATIONS, best = 0;
  const double *table = f->shape == SC_SHAPE_PLAIN        ? space->powers
                        : f->shape == SC_SHAPE_HYPERBOLIC ? space->hyperbolic
                                                          : space->approach;
  double least = INFINITY;
  for (size_t r = 0; r < rows; r++) {
    double rss = residual(points, table + r * points->count, f->lower);
    if (rss < least)
      least = rss, best = r;
  }
  if (!isfinite(least) || best == 0 || best + 1 == rows)
    return NAN;
  double before = parameter_of(f->shape, best - 1), after = parameter_of(f->shape, best + 1);
  return minimum(&(problem){points, space->scratch, f}, fmin(before, after), parameter_of(f->shape, best),
                 fmax(before, after));
}

static bool make_power(const form *f, double e, sc_candidate *made)
{
  e = known(e);
  if (f->lower > 0 && fabs(e - f->lower) < SC_SPACE_POWER_STEP)
    return false; /* parallel to the term beside it */
  made->terms[0] = (sc_term){.exponent = e};
  made->terms[1] = (sc_term){.exponent = f->lower};
  if (f->lower > e) { /* the leading term comes first */
    made->terms[0].exponent = f->lower;
    made->terms[1].exponent = e;
  }
  return true;
}

static bool make_saturation(const form *f, double scale, sc_candidate *made)
{
  made->terms[0] = (sc_term){.shape = f->shape, .scale = scale};
  return true;
}

/* Exact counts are nearly always polynomials: a power that is none is a lucky one. */
static double cost_of(const sc_points *points, const form *f)
{
  double lower = f->lower >= 0 ? lower_cost : 0;
  if (f->shape == SC_SHAPE_PLAIN)
    return lower + (points->whole ? counted_power_cost : power_cost);
  return (lower + saturation_cost) * (points->whole ? SC_CANDIDATE_WHOLE : 1);
}

size_t sc_curve_find(const sc_space *space, const sc_points *points, sc_candidate *candidates)
{
  size_t made = 0, last = points->count - 1;
  double unusual = points->count == 3 && points->pure_degrees == 0 ? 2 : 1;
  for (size_t i = 0; i < SC_CURVE_MOST; i++) {
    const form *f = &forms[i];
    size_t parameters = f->lower < 0 ? 2 : 3;
    bool power = f->shape == SC_SHAPE_PLAIN;
    if (points->count <= parameters)
      continue;
    double best = best_parameter(space, points, f);
    if (isnan(best) || (!power && exp(best) > least_seen / (1 - least_seen)))
      continue;
    sc_candidate *one = &candidates[made];
    *one = (sc_candidate){.count = parameters - 1, .parameters = parameters};
    one->cost = unusual * cost_of(points, f);
    made += power ? make_power(f, best, one) : make_saturation(f, exp(best) * points->n[last], one);
  }
  return made;
}
