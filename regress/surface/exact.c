/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums of products that reproduce whole-number counts at every point. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "regress/core/term.h"
#include "regress/core/tuning.h"
#include "regress/surface/internal.h"

/*
 * Coefficients are found in long double by orthogonal columns, rounded to 24ths, which is what nested loops have, and
 * the sum is then checked on every point in 128-bit integers (GSL has no exact arithmetic). A wrong guess can only miss
 * a sum, never invent one.
 */
typedef __int128 wide;

enum { MOST = 32 };

typedef struct equations {
  const sc_surface_points *points;
  sc_surface_term terms[MOST];
  size_t count;
  long double *column; /* [MOST + 1][points] */
} equations;

/* The factor as a whole number: a power, or one that rounding makes whole. */
static bool whole_factor(const sc_term *factor, double x, wide *product)
{
  double e = factor->exponent;
  if (x != floor(x) || x >= 0x1p53)
    return false;
  if (factor->shape == SC_SHAPE_PLAIN && factor->log_exponent == 0 && !(factor->base > 0)) {
    if (e != floor(e) || e < 0 || e > 8)
      return false;
    for (int i = 0; i < (int)e; i++)
      if (__builtin_mul_overflow(*product, (wide)x, product))
        return false;
    return true;
  }
  sc_surface_term one = {.factor = {*factor}};
  double value = sc_surface_term_value(&one, 1, &x);
  bool rounded = factor->shape != SC_SHAPE_PLAIN || (factor->base == floor(factor->base) && factor->log_exponent == 0);
  return rounded && value == floor(value) && fabs(value) < 0x1p53 &&
         !__builtin_mul_overflow(*product, (wide)value, product);
}

/* sum of over[j] / 24 * term j == y, at every point. */
static bool surface_exact_holds(const sc_surface_points *points, const sc_surface_term *terms, const wide *over,
                                size_t count)
{
  for (size_t i = 0; i < points->count; i++) {
    wide sum = 0, expected;
    for (size_t j = 0; j < count; j++) {
      wide product = over[j];
      for (size_t p = 0; p < points->parameters; p++)
        if (!whole_factor(&terms[j].factor[p], points->at[i * points->parameters + p], &product))
          return false;
      if (__builtin_add_overflow(sum, product, &sum))
        return false;
    }
    if (__builtin_mul_overflow((wide)points->y[i], (wide)SC_SURFACE_DENOMINATOR, &expected) || sum != expected)
      return false;
  }
  return true;
}

/* Two points more than coefficients must confirm, and in each parameter one value more than the functions it has: any
 * function of three values is a square. */
static bool surface_exact_confirmed(const sc_surface_points *points, const sc_surface_term *terms, size_t count)
{
  if (points->count < count + 2)
    return false;
  for (size_t p = 0; p < points->parameters; p++) {
    size_t functions = 0;
    bool constant = true;
    for (size_t j = 0; j < count; j++) {
      bool seen = false;
      constant = constant && sc_term_is_constant(&terms[j].factor[p], 1);
      for (size_t l = 0; l < j; l++)
        seen = seen || sc_surface_same_factor(&terms[l].factor[p], &terms[j].factor[p]);
      functions += !seen;
    }
    if (!constant && points->values[p] <= functions + (functions == 1))
      return false;
  }
  return true;
}

/* A count is not negative among the points, nor where all parameters are ten times as large as measured. Where one
 * alone is, it may reach 0: a pattern of m characters has n - m + 1 places in a text of n. */
static bool stays_positive(const sc_surface_points *points, const sc_surface_term *terms, size_t count)
{
  double at[SC_SURFACE_PARAMETERS];
  const unsigned corners = 1u << points->parameters;
  for (unsigned corner = 0; corner <= corners; corner++) { /* the last one is ten times the largest */
    for (size_t p = 0; p < points->parameters; p++)
      at[p] = corner == corners ? points->high[p] * (points->values[p] > 1 ? 10 : 1)
              : corner >> p & 1 ? points->high[p]
                                : points->low[p];
    if (!(sc_surface_sum(terms, count, points->parameters, at) >= 0))
      return false;
  }
  return true;
}

/* Least squares by Gram and Schmidt, twice over; false if a column depends on the others. */
static bool solve_surface_exact(equations *s, long double *x)
{
  size_t n = s->points->count;
  long double r[MOST][MOST], right[MOST], *y = s->column + MOST * n;
  memset(r, 0, sizeof r);
  for (size_t c = 0; c < s->count; c++) {
    long double *q = s->column + c * n, length = 0, before = 0;
    for (size_t i = 0; i < n; i++)
      before += q[i] * q[i];
    for (int again = 0; again < 2; again++) {
      for (size_t j = 0; j < c; j++) {
        long double along = 0, *other = s->column + j * n;
        for (size_t i = 0; i < n; i++)
          along += other[i] * q[i];
        for (size_t i = 0; i < n; i++)
          q[i] -= along * other[i];
        r[j][c] += along;
      }
    }
    for (size_t i = 0; i < n; i++)
      length += q[i] * q[i];
    if (!(length > before * 1e-24L))
      return false;
    r[c][c] = sqrtl(length);
    right[c] = 0;
    for (size_t i = 0; i < n; i++) {
      q[i] /= r[c][c];
      right[c] += q[i] * y[i];
    }
    for (size_t i = 0; i < n; i++)
      y[i] -= right[c] * q[i];
  }
  for (size_t c = s->count; c-- > 0;) {
    for (size_t j = c + 1; j < s->count; j++)
      right[c] -= r[c][j] * x[j];
    x[c] = right[c] / r[c][c];
  }
  return true;
}

/* Solves for all of the terms; those with a coefficient of 0 fall away. */
static bool attempt_surface_exact(equations *s, sc_surface_form *form)
{
  const sc_surface_points *points = s->points;
  size_t n = points->count, kept = 0;
  long double x[MOST], unit[MOST];
  wide over[MOST];
  if (s->count > n)
    return false;
  for (size_t c = 0; c < s->count; c++) {
    unit[c] = 0;
    for (size_t i = 0; i < n; i++) {
      s->column[c * n + i] =
          sc_surface_term_value(&s->terms[c], points->parameters, points->at + i * points->parameters);
      unit[c] = fmaxl(unit[c], fabsl(s->column[c * n + i]));
    }
    if (!(unit[c] > 0) || !isfinite(unit[c]))
      return false;
    for (size_t i = 0; i < n; i++)
      s->column[c * n + i] /= unit[c] * points->scale[i];
  }
  for (size_t i = 0; i < n; i++)
    s->column[MOST * n + i] = points->y[i] / (long double)points->scale[i];
  if (!solve_surface_exact(s, x))
    return false;
  for (size_t c = 0; c < s->count; c++) {
    long double scaled = roundl(x[c] / unit[c] * SC_SURFACE_DENOMINATOR);
    if (!(fabsl(scaled) < 0x1p62L))
      return false;
    if (scaled == 0)
      continue;
    if (kept == SC_SURFACE_TERMS)
      return false;
    over[kept] = (wide)scaled;
    form->terms[kept] = s->terms[c];
    form->terms[kept++].coefficient = (double)(scaled / SC_SURFACE_DENOMINATOR);
  }
  form->term_count = kept;
  return kept && surface_exact_confirmed(points, form->terms, kept) &&
         surface_exact_holds(points, form->terms, over, kept) && stays_positive(points, form->terms, kept);
}

/* All products of the functions that the lines follow exactly. */
static bool from_lines(const sc_surface_engine *engine, equations *s)
{
  const sc_surface_space *space = &engine->space;
  s->count = 1;
  for (size_t p = 0; p < engine->points.parameters; p++)
    s->count *= space->exact[p] + 1;
  if (s->count > MOST || s->count < 2)
    return false;
  for (size_t c = 0; c < s->count; c++) {
    s->terms[c] = (sc_surface_term){0};
    for (size_t p = 0, rest = c; p < engine->points.parameters; rest /= space->exact[p++] + 1)
      s->terms[c].factor[p] = space->factor[p][rest % (space->exact[p] + 1)].term;
  }
  return true;
}

/* All products of powers up to a degree for each parameter. */
static bool from_degrees(const sc_surface_points *points, const size_t *degree, equations *s)
{
  s->count = 1;
  for (size_t p = 0; p < points->parameters; p++)
    s->count *= degree[p] + 1;
  if (s->count > MOST || s->count + 2 > points->count)
    return false;
  for (size_t c = 0; c < s->count; c++) {
    s->terms[c] = (sc_surface_term){0};
    for (size_t p = 0, rest = c; p < points->parameters; rest /= degree[p++] + 1)
      s->terms[c].factor[p] = (sc_term){.exponent = (double)(rest % (degree[p] + 1))};
  }
  return true;
}

/* Single lines may be too short for all their functions, or not show them: n (n - 1) / 2 (t - 1) is 0 along t = 1.
 * Polynomials of the lowest degrees first, then. */
static bool try_degrees(const sc_surface_points *points, equations *s, sc_surface_form *made)
{
  size_t most[SC_SURFACE_PARAMETERS] = {0}, degree[SC_SURFACE_PARAMETERS];
  for (size_t p = 0; p < points->parameters; p++) {
    most[p] = points->values[p] < 3                       ? 0
              : points->values[p] - 2 < SC_SURFACE_DEGREE ? points->values[p] - 2
                                                          : SC_SURFACE_DEGREE;
  }
  for (size_t total = 2; total <= SC_SURFACE_DEGREE + 2; total++)
    for (degree[0] = 0; degree[0] <= most[0]; degree[0]++)
      for (degree[1] = 0; degree[1] <= most[1]; degree[1]++) {
        size_t both = degree[0] + degree[1];
        degree[2] = total > both ? total - both : 0;
        if (both <= total && degree[2] <= most[2] && from_degrees(points, degree, s) && attempt_surface_exact(s, made))
          return true;
      }
  return false;
}

static bool begin_equations(const sc_surface_points *points, equations *s)
{
  *s = (equations){.points = points};
  if (points->whole)
    s->column = sc_mem_new((MOST + 1) * points->count, sizeof(long double));
  return s->column;
}

static bool finish_form(const sc_surface_points *points, bool found, const sc_surface_form *made, sc_surface_form *form)
{
  if (!found)
    return false;
  *form = *made;
  form->degrees = points->observations - made->term_count;
  form->weight = 1;
  sc_surface_sort(points, form);
  return true;
}

bool sc_surface_exact_lines(sc_surface_engine *engine, sc_surface_form *form)
{
  equations s;
  sc_surface_form made = {0};
  bool found = begin_equations(&engine->points, &s) && ((from_lines(engine, &s) && attempt_surface_exact(&s, &made)) ||
                                                        try_degrees(&engine->points, &s, &made));
  free(s.column);
  return finish_form(&engine->points, found, &made, form);
}

bool sc_surface_exact_ranked(sc_surface_engine *engine, sc_surface_form *form)
{
  const sc_surface_points *points = &engine->points;
  equations s;
  sc_surface_form made = {0};
  bool found = false, ready = begin_equations(points, &s);
  for (size_t i = 0; ready && !found && i < engine->ranks; i++) {
    const sc_surface_candidate *one = &engine->ranked[i];
    if (one->rss / (double)points->observations > SC_SURFACE_NOISE_FREE)
      continue;
    memcpy(s.terms, one->terms, one->count * sizeof *one->terms);
    s.count = one->count;
    found = attempt_surface_exact(&s, &made);
  }
  free(s.column);
  return finish_form(points, found, &made, form);
}
