/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "regress/exact.h"

#include <math.h>
#include <stdint.h>

/*
 * GSL has no exact arithmetic, so this file has its own: coefficients are found in long double through as many points
 * as there are coefficients, rounded to fractions, and the polynomial is then checked on all points in 128-bit
 * integers. A wrong guess of the first step can therefore only miss a polynomial, never invent one.
 */
typedef __int128 wide;

enum { DENOMINATOR_MAX = 1000, DENOMINATOR_SURE = 24 };

typedef struct fraction {
  int64_t over, under;
} fraction;

static int64_t common_divisor(int64_t a, int64_t b)
{
  while (b) {
    int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a < 0 ? -a : a;
}

static long double whole_power(long double x, int exponent)
{
  long double power = 1;
  for (; exponent > 0; exponent--)
    power *= x;
  return power;
}

/* The fraction of the smallest denominator that equals x to the accuracy of x (continued fraction). */
static bool to_fraction(long double x, long double tolerance, fraction *out)
{
  int64_t over[2] = {1, 0}, under[2] = {0, 1};
  long double rest = x;
  for (int step = 0; step < 32; step++) {
    if (fabsl(rest) > 0x1p52L)
      return false;
    int64_t whole = (int64_t)floorl(rest);
    wide next_over = (wide)whole * over[0] + over[1], next_under = (wide)whole * under[0] + under[1];
    if (next_under > DENOMINATOR_MAX || next_over > INT64_MAX || next_over < -INT64_MAX)
      return false;
    over[1] = over[0], under[1] = under[0];
    over[0] = (int64_t)next_over, under[0] = (int64_t)next_under;
    if (fabsl(x - (long double)over[0] / under[0]) <= tolerance) {
      *out = (fraction){over[0], under[0]};
      return true;
    }
    rest = 1 / (rest - whole);
  }
  return false;
}

/* Coefficients of the monomials through `count` of the points, by elimination with partial pivoting. */
static bool interpolate(const sc_points *points, const int *degree, int count, long double *x)
{
  long double a[SC_MODEL_TERMS][SC_MODEL_TERMS + 1], top = points->n[points->count - 1];
  for (int i = 0; i < count; i++) {
    /* Spread over the range, the ends included: neighbours would lose digits. */
    size_t at = count == 1 ? points->count - 1 : (size_t)i * (points->count - 1) / (size_t)(count - 1);
    for (int j = 0; j < count; j++)
      a[i][j] = whole_power(points->n[at] / top, degree[j]);
    a[i][count] = points->y[at];
  }
  for (int c = 0; c < count; c++) {
    int pivot = c;
    for (int i = c + 1; i < count; i++)
      if (fabsl(a[i][c]) > fabsl(a[pivot][c]))
        pivot = i;
    if (a[pivot][c] == 0)
      return false;
    for (int j = 0; j <= count; j++) {
      long double swap = a[c][j];
      a[c][j] = a[pivot][j];
      a[pivot][j] = swap;
    }
    for (int i = 0; i < count; i++) {
      long double factor = i == c ? 0 : a[i][c] / a[c][c];
      for (int j = c; factor != 0 && j <= count; j++)
        a[i][j] -= factor * a[c][j];
    }
  }
  for (int c = 0; c < count; c++)
    x[c] = a[c][count] / a[c][c] / whole_power(top, degree[c]);
  return true;
}

/* sum of over/under * n^degree == y, in integers; an overflow counts as no. */
static bool holds(const fraction *c, const int *degree, int count, double n, double y)
{
  wide common = 1, sum = 0;
  for (int j = 0; j < count; j++)
    common = common / common_divisor((int64_t)common, c[j].under) * c[j].under;
  for (int j = 0; j < count; j++) {
    wide term = (wide)c[j].over * (common / c[j].under);
    for (int d = 0; d < degree[j]; d++)
      if (__builtin_mul_overflow(term, (wide)n, &term))
        return false;
    if (__builtin_add_overflow(sum, term, &sum))
      return false;
  }
  wide expected;
  return !__builtin_mul_overflow((wide)y, common, &expected) && sum == expected;
}

static bool try_degrees(const sc_points *points, const int *degree, int count, sc_term *terms)
{
  long double x[SC_MODEL_TERMS];
  fraction c[SC_MODEL_TERMS];
  if (!interpolate(points, degree, count, x))
    return false;
  long double y_max = 0;
  for (size_t i = 0; i < points->count; i++)
    y_max = fmaxl(y_max, points->y[i]);
  for (int j = 0; j < count; j++) {
    /* What rounding in long double may have cost this coefficient, with some room for the matrix's condition. */
    long double tolerance = y_max * 1e-18L / whole_power(points->n[0], degree[j]) + fabsl(x[j]) * 1e-17L;
    if (tolerance > 1e-3L || !to_fraction(x[j], tolerance, &c[j]) || c[j].over == 0)
      return false;
    /* One point is a weak witness for many coefficients; counting loops have denominators that divide 4!. */
    if (count >= 3 && points->count - (size_t)count < 2 && c[j].under > DENOMINATOR_SURE)
      return false;
  }
  if (c[0].over < 0 && degree[0] > 1)
    return false; /* a count does not turn down beyond the data */
  for (size_t i = 0; i < points->count; i++)
    if (!holds(c, degree, count, points->n[i], points->y[i]))
      return false;
  for (int j = 0; j < count; j++)
    terms[j] = (sc_term){(double)c[j].over / (double)c[j].under, degree[j], 0};
  return true;
}

static bool usable(const sc_points *points)
{
  if (!points->whole || points->count < 2)
    return false;
  for (size_t i = 0; i < points->count; i++)
    if (points->n[i] != floor(points->n[i]) || points->n[i] > 0x1p53)
      return false;
  return true;
}

int sc_exact_polynomial(const sc_points *points, sc_term terms[SC_MODEL_TERMS])
{
  if (points->count < 2 || !points->whole)
    return -1;
  bool constant = true;
  for (size_t i = 1; i < points->count; i++)
    constant = constant && points->y[i] == points->y[0];
  if (constant) {
    terms[0] = (sc_term){points->y[0], 0, 0};
    return points->y[0] != 0;
  }
  if (!usable(points) || points->count < 3)
    return -1;
  /* All sets of degrees as bit masks, ordered by size, then by value, which is by the highest degree. */
  for (int count = 1; count <= SC_MODEL_TERMS && (size_t)count < points->count; count++) {
    for (unsigned set = 1; set < 1u << (SC_EXACT_DEGREE + 1); set++) {
      if (__builtin_popcount(set) != count)
        continue;
      int degree[SC_MODEL_TERMS], found = 0;
      for (int d = SC_EXACT_DEGREE; d >= 0; d--)
        if (set >> d & 1)
          degree[found++] = d;
      if (try_degrees(points, degree, count, terms))
        return count;
    }
  }
  return -1;
}

bool sc_exact_doubling(const sc_points *points)
{
  for (size_t i = 1; i < points->count; i++) {
    double apart = log2(points->n[i] / points->n[0]);
    if (fabs(apart - round(apart)) > 0.02)
      return false;
  }
  return true;
}

int sc_exact_denominator(const sc_term *terms, size_t count)
{
  for (int under = 1; under <= DENOMINATOR_MAX * DENOMINATOR_SURE; under++) {
    bool all = true;
    for (size_t i = 0; i < count && all; i++) {
      double scaled = terms[i].coefficient * under;
      all = fabs(scaled - round(scaled)) <= 1e-11 * fabs(scaled);
    }
    if (all)
      return under;
  }
  return DENOMINATOR_MAX * DENOMINATOR_SURE;
}

bool sc_exact_plain(const sc_term *terms, size_t count)
{
  return DENOMINATOR_SURE % sc_exact_denominator(terms, count) == 0;
}
