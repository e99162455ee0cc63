/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "regress/core/model.h"

/*
 * A sum of basis functions with rational coefficients, and what one costs to describe. Private to exact*.c. GSL has no
 * exact arithmetic, so this has its own: coefficients are found in long double, rounded to fractions, and the sum is
 * then checked in 128-bit integers. A wrong guess of the first steps can only miss a sum, never invent one.
 */
typedef __int128 sc_wide;

enum { SC_EXACT_DEGREE = 4 };

typedef struct sc_exact_sum {
  sc_term basis[SC_MODEL_TERMS]; /* coefficients unused */
  long over[SC_MODEL_TERMS];     /* coefficients: over[i] / under, in lowest terms altogether */
  long under;
  size_t count;
} sc_exact_sum;

/* The basis function at the whole number n, if it is a whole number itself and none overflows. */
bool sc_exact_basis(const sc_term *basis, double n, sc_wide *value);
/* Coefficients through the points at rows[sum->count]. False if there are none that are plain fractions, or one is 0.
 * */
bool sc_exact_sum_solve(sc_exact_sum *sum, const double *n, const double *y, const unsigned *rows);
/* Whether the sum is y at every size. A y above 2^53 is a rounded one: then the sum must round to it. */
bool sc_exact_sum_holds(const sc_exact_sum *sum, const double *n, const double *y, size_t count);
/* Reduces the fractions to lowest terms, drops those that are 0. */
void sc_exact_sum_reduce(sc_exact_sum *sum);
bool sc_exact_same_basis(const sc_term *a, const sc_term *b);
/* Whether the sum is a whole number at all whole sizes, as a count must be. */
bool sc_exact_sum_counts(const sc_exact_sum *sum);
/* Length of the description in bits: which functions, which coefficients. Values up to y_max at sizes up to n_max give
 * the coefficients' magnitude. */
double sc_exact_sum_bits(const sc_exact_sum *sum, double n_max, double y_max);
/* That of an unknown whole number: a universal code, or its share of what the values reach. */
double sc_exact_number_bits(double magnitude, double most);
/* Of a scale: round numbers, powers of two and quotients are shorter than any whole number. */
double sc_exact_scale_bits(double scale);
double sc_exact_any_scale_bits(double scale);
/* The same as terms, leading first. Returns their number. */
size_t sc_exact_sum_terms(const sc_exact_sum *sum, sc_term *terms);
/* Puts the inverse of a[count][count] to its right, by Gauss and Jordan with partial pivoting. False: the matrix is
 * singular. */
bool sc_exact_invert(size_t count, long double a[][2 * SC_MODEL_TERMS]);
long sc_exact_divisor(long a, long b);
