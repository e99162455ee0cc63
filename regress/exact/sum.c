/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "regress/exact/sum.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "regress/core/term.h"
#include "regress/core/tuning.h"

enum { SHAPE_SIZES = 24 };

long sc_exact_divisor(long a, long b)
{
  while (b) {
    long rest = a % b;
    a = b;
    b = rest;
  }
  return a < 0 ? -a : a;
}

/* log2 of the whole number n >= 1, rounded. */
static int exact_sum_whole_log(double n, bool up)
{
  unsigned long whole = (unsigned long)n;
  int floor_log = 63 - __builtin_clzl(whole);
  return floor_log + (up && (whole & (whole - 1)));
}

bool sc_exact_basis(const sc_term *basis, double n, sc_wide *value)
{
  sc_wide factor = 1;
  double power = basis->exponent;
  switch (basis->shape) {
  case SC_SHAPE_PLAIN:
    break;
  case SC_SHAPE_CEIL_LOG:
  case SC_SHAPE_FLOOR_LOG:
    if (basis->scale > 0) /* to another base */
      factor = (long)sc_term_basis(&(sc_term){.log_exponent = 1, .shape = basis->shape, .scale = basis->scale}, n);
    for (int i = 0; i < (int)basis->log_exponent && !(basis->scale > 0); i++)
      factor *= exact_sum_whole_log(n, basis->shape == SC_SHAPE_CEIL_LOG);
    break;
  case SC_SHAPE_CEIL_POWER:
  case SC_SHAPE_FLOOR_POWER:
    if (basis->scale > 0) {
      double times = sc_term_basis(&(sc_term){.exponent = 1, .shape = basis->shape, .scale = basis->scale}, n);
      if (times < 1)
        return false;
      factor = (long)times;
    } else {
      factor <<= exact_sum_whole_log(n, basis->shape == SC_SHAPE_CEIL_POWER);
    }
    power--;
    break;
  case SC_SHAPE_BLOCK_SQUARE:
  case SC_SHAPE_FLOOR_SQUARE:
    factor = (long)(basis->shape == SC_SHAPE_BLOCK_SQUARE ? ceil(n / basis->scale) : floor(n / basis->scale));
    factor *= factor;
    power -= 2;
    break;
  case SC_SHAPE_CEIL_BLOCK:
  case SC_SHAPE_FLOOR_BLOCK:
    factor = (long)(basis->shape == SC_SHAPE_CEIL_BLOCK ? ceil(n / basis->scale) : floor(n / basis->scale));
    power--;
    break;
  case SC_SHAPE_FLOOR_ROOT:
    factor = (long)floor(sqrt(n));
    power -= 0.5;
    break;
  case SC_SHAPE_HYPERBOLIC:
  case SC_SHAPE_APPROACH:
    return false;
  }
  for (; power > 0; power--)
    if (__builtin_mul_overflow(factor, (sc_wide)(long)n, &factor))
      return false;
  *value = factor;
  return true;
}

/* The fraction of the smallest denominator that equals x to the accuracy of x (continued fraction). */
static bool to_fraction(long double x, long double tolerance, long *over_out, long *under_out)
{
  long over[2] = {1, 0}, under[2] = {0, 1};
  long double rest = x;
  for (int step = 0; step < 32; step++) {
    if (fabsl(rest) > 0x1p60L)
      return false;
    long whole = lrintl(floorl(rest));
    sc_wide next_over = (sc_wide)whole * over[0] + over[1], next_under = (sc_wide)whole * under[0] + under[1];
    if (next_under > SC_EXACT_DENOMINATOR_MOST || next_over > LONG_MAX || next_over < -LONG_MAX)
      return false;
    over[1] = over[0], under[1] = under[0];
    over[0] = (long)next_over, under[0] = (long)next_under;
    if (fabsl(x - (long double)over[0] / under[0]) <= tolerance) {
      *over_out = over[0], *under_out = under[0];
      return true;
    }
    rest = 1 / (rest - whole);
  }
  return false;
}

bool sc_exact_invert(size_t count, long double a[][2 * SC_MODEL_TERMS])
{
  for (size_t i = 0; i < count; i++)
    for (size_t j = 0; j < count; j++)
      a[i][count + j] = i == j;
  for (size_t c = 0; c < count; c++) {
    size_t pivot = c;
    for (size_t i = c + 1; i < count; i++)
      if (fabsl(a[i][c]) > fabsl(a[pivot][c]))
        pivot = i;
    if (fabsl(a[pivot][c]) < 1e-17L)
      return false;
    for (size_t j = 0; pivot != c && j < 2 * count; j++) {
      long double swap = a[c][j];
      a[c][j] = a[pivot][j];
      a[pivot][j] = swap;
    }
    for (size_t i = 0; i < count; i++) {
      long double factor = a[i][c] / a[c][c];
      for (size_t j = c; i != c && factor != 0 && j < 2 * count; j++)
        a[i][j] -= factor * a[c][j];
    }
  }
  for (size_t c = 0; c < count; c++)
    for (size_t j = count; j < 2 * count; j++)
      a[c][j] /= a[c][c];
  return true;
}

static bool set_common(sc_exact_sum *sum, const long *over, const long *under)
{
  sc_wide common = 1;
  for (size_t j = 0; j < sum->count; j++) {
    common = common / sc_exact_divisor((long)common, under[j]) * under[j];
    if (common > SC_EXACT_COMMON_MOST)
      return false;
  }
  sum->under = (long)common;
  for (size_t j = 0; j < sum->count; j++)
    if (__builtin_mul_overflow(over[j], sum->under / under[j], &sum->over[j]))
      return false;
  return true;
}

/* The functions at the rows, each divided by its largest value there (unit). */
static bool tabulate_exact_sum(const sc_exact_sum *sum, const double *n, const unsigned *rows,
                               long double a[][2 * SC_MODEL_TERMS], long double *unit)
{
  for (size_t j = 0; j < sum->count; j++) {
    unit[j] = 1;
    for (size_t i = 0; i < sum->count; i++) {
      sc_wide value;
      if (!sc_exact_basis(&sum->basis[j], n[rows[i]], &value))
        return false;
      a[i][j] = (long double)value;
      unit[j] = fmaxl(unit[j], a[i][j]);
    }
    for (size_t i = 0; i < sum->count; i++)
      a[i][j] /= unit[j];
  }
  return true;
}

/* x += inverse * (y - values * x): functions that are nearly alike cost digits, which this brings back. */
static void improve_exact_sum(size_t count, long double v[][2 * SC_MODEL_TERMS], long double a[][2 * SC_MODEL_TERMS],
                              const double *y, const unsigned *rows, long double *x)
{
  long double rest[SC_MODEL_TERMS];
  for (size_t i = 0; i < count; i++) {
    rest[i] = y[rows[i]];
    for (size_t j = 0; j < count; j++)
      rest[i] -= v[i][j] * x[j];
  }
  for (size_t j = 0; j < count; j++)
    for (size_t i = 0; i < count; i++)
      x[j] += a[j][count + i] * rest[i];
}

bool sc_exact_sum_solve(sc_exact_sum *sum, const double *n, const double *y, const unsigned *rows)
{
  long double a[SC_MODEL_TERMS][2 * SC_MODEL_TERMS], v[SC_MODEL_TERMS][2 * SC_MODEL_TERMS], unit[SC_MODEL_TERMS];
  long double x[SC_MODEL_TERMS] = {0};
  size_t count = sum->count;
  long over[SC_MODEL_TERMS], under[SC_MODEL_TERMS];
  if (!tabulate_exact_sum(sum, n, rows, a, unit))
    return false;
  memcpy(v, a, sizeof v);
  if (!sc_exact_invert(count, a))
    return false;
  for (int step = 0; step < 3; step++)
    improve_exact_sum(count, v, a, y, rows, x);
  for (size_t j = 0; j < count; j++) {
    long double parts = 0;
    for (size_t i = 0; i < count; i++) {
      long double size = y[rows[i]] * (y[rows[i]] > 0x1p53 ? 0x1p-52L : 0x1p-60L);
      for (size_t k = 0; k < count; k++)
        size += fabsl(v[i][k] * x[k]) * 0x1p-62L;
      parts += fabsl(a[j][count + i]) * size;
    }
    /* What rounding may have cost this coefficient: several fractions within it would be a guess. */
    if (parts / unit[j] > SC_EXACT_LOST || !to_fraction(x[j] / unit[j], parts / unit[j], &over[j], &under[j]) ||
        over[j] == 0)
      return false;
  }
  return set_common(sum, over, under);
}

bool sc_exact_sum_holds(const sc_exact_sum *sum, const double *n, const double *y, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    sc_wide total = 0, term, expected;
    for (size_t j = 0; j < sum->count; j++)
      if (!sc_exact_basis(&sum->basis[j], n[i], &term) || __builtin_mul_overflow(term, (sc_wide)sum->over[j], &term) ||
          __builtin_add_overflow(total, term, &total))
        return false;
    if (y[i] < 0x1p53) {
      if (__builtin_mul_overflow((sc_wide)(long)y[i], (sc_wide)sum->under, &expected) || total != expected)
        return false;
    } else if (total % sum->under != 0 || (double)(total / sum->under) != y[i]) {
      return false;
    }
  }
  return true;
}

void sc_exact_sum_reduce(sc_exact_sum *sum)
{
  size_t kept = 0;
  long common = sum->under;
  for (size_t j = 0; j < sum->count; j++) {
    if (sum->over[j] == 0)
      continue;
    sum->basis[kept] = sum->basis[j];
    sum->over[kept++] = sum->over[j];
    common = sc_exact_divisor(common, sum->over[j]);
  }
  sum->count = kept;
  for (size_t j = 0; j < kept; j++)
    sum->over[j] /= common;
  sum->under /= common;
}

bool sc_exact_same_basis(const sc_term *a, const sc_term *b)
{
  return a->shape == b->shape && a->exponent == b->exponent && a->log_exponent == b->log_exponent &&
         a->scale == b->scale;
}

bool sc_exact_sum_counts(const sc_exact_sum *sum)
{
  int most = SC_EXACT_DEGREE + 1; /* degree + 1 whole values in a row make a polynomial whole everywhere */
  for (size_t j = 0; j < sum->count; j++)
    most = sum->basis[j].shape == SC_SHAPE_PLAIN ? most : SHAPE_SIZES;
  for (int n = 1; n <= most && sum->under > 1; n++) {
    sc_wide total = 0, term;
    for (size_t j = 0; j < sum->count; j++) {
      if (!sc_exact_basis(&sum->basis[j], n, &term))
        return false;
      total += term * sum->over[j];
    }
    if (total % sum->under != 0)
      return false;
  }
  return true;
}

size_t sc_exact_sum_terms(const sc_exact_sum *sum, sc_term *terms)
{
  for (size_t j = 0; j < sum->count; j++) {
    terms[j] = sum->basis[j];
    terms[j].coefficient = (double)sum->over[j] / (double)sum->under;
  }
  size_t count = sc_term_sort(terms, sum->count, NULL);
  for (size_t j = 1; j < count; j++) { /* of terms that grow alike, one that is added shows the order */
    if (terms[0].coefficient > 0 || terms[j].exponent != terms[0].exponent ||
        terms[j].log_exponent != terms[0].log_exponent || terms[j].coefficient < 0)
      continue;
    sc_term swap = terms[0];
    terms[0] = terms[j];
    terms[j] = swap;
  }
  return count;
}
