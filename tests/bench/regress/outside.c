/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions outside the model space, for tuning: how sure the engine may be of what it doesn't know. */
#include <gsl/gsl_math.h>
#include <gsl/gsl_sf_gamma.h>
#include <gsl/gsl_sf_zeta.h>

#include "bench.h"

/* c[0]: scale. Others: ratios to the leading term at the middle of the sizes, or sizes at which something happens. */
static void draw_scale(const sc_draw *draw, double *c) { c[0] = sc_draw_log(draw, 0.1, 1000); }

static void draw_sum(const sc_draw *draw, double *c)
{
  draw_scale(draw, c);
  c[1] = sc_draw_log(draw, 0.2, 5);
  c[2] = sc_draw_centre(draw);
  c[3] = sc_draw_log(draw, 0.2, 5);
}

static void draw_place(const sc_draw *draw, double *c)
{
  draw_scale(draw, c);
  c[1] = sc_draw_cut(draw, 2, 2);
  c[2] = sc_draw_log(draw, 1, 8);
}

static void draw_powers(const sc_draw *draw, double *c)
{
  draw_sum(draw, c);
  c[SC_FAMILY_COEFFICIENTS - 1] = sc_draw_even(draw, 1.1, 2.6);
  c[SC_FAMILY_COEFFICIENTS - 2] = c[SC_FAMILY_COEFFICIENTS - 1] - sc_draw_even(draw, 0.3, 1);
}

static double two_powers(double n, const double *c)
{
  double at = n / c[2];
  return c[0] * (pow(at, c[SC_FAMILY_COEFFICIENTS - 1]) + c[1] * pow(at, c[SC_FAMILY_COEFFICIENTS - 2]));
}

/* Zipf's frequencies, added up: sum of i^-s for i up to n. */
static void draw_zipf(const sc_draw *draw, double *c)
{
  draw_scale(draw, c);
  c[1] = sc_draw_even(draw, 1.2, 1.8);
}

static double zipf(double n, const double *c) { return c[0] * (gsl_sf_zeta(c[1]) - gsl_sf_hzeta(c[1], n + 1)); }

/* Binary search trees: the logarithm of the number of orders. */
static double log_factorial(double n, const double *c) { return c[0] * gsl_sf_lngamma(n + 1); }
static double by_loglog(double n, const double *c) { return c[0] * n * log2(n) / log2(log2(n)); }
static double root_of_log(double n, const double *c) { return c[0] * n * sqrt(log2(n)); }
static double largest_of_many(double n, const double *c) { return c[0] * sqrt(2 * log(n)); }

/* Growth that changes gradually. */
static double square_to_linear(double n, const double *c) { return c[0] * n * n / (n + c[1]); }
static double linear_to_15(double n, const double *c) { return c[0] * n * sqrt(1 + n / c[1]); }
static double two_memories(double n, const double *c) { return c[0] * n * (1 + c[2] / (1 + gsl_pow_2(c[1] / n))); }

static double two_parts(double n, const double *c)
{
  return c[0] * hypot(n / c[2], c[1] * n * log2(n) / (c[2] * log2(c[2])));
}

/* Tries: the mean depth swings with the logarithm (here more than in theory). */
static double ripple(double n, const double *c) { return c[0] * n * log2(n) * (1 + 0.02 * sin(2 * M_PI * log2(n))); }
static double capacity(double n, const double *c) { return c[0] * (n + 0.2 * c[1] * exp2(ceil(log2(n)))); }

/* T(n) = 4 T(n/3) + n */
static double four_thirds(double n, const double *c) { return c[0] * (4 * pow(n, log(4) / log(3)) - 3 * n); }
static double n_15_nlogn(double n, const double *c)
{
  return c[0] * n * (sqrt(n / c[2]) + c[1] * log2(n) / log2(c[2]));
}

/* The lower term takes a part of the leading one at the smallest size. */
static void draw_less(const sc_draw *draw, double *c)
{
  draw_scale(draw, c);
  c[1] = sc_draw_even(draw, 0.1, 0.7);
  c[2] = draw->n[0];
}

static double square_less(double n, const double *c) { return c[0] * n * n * (1 - c[1] * sqrt(c[2] / n)); }

static double cube_by_log(double n, const double *c) { return c[0] * n * n * (n / c[2] * log2(c[2]) / log2(n) + c[1]); }
static double three_terms(double n, const double *c)
{
  double at = n / c[2];
  return c[0] * (c[3] + c[1] * at + at * log2(n) / log2(c[2]));
}
static double three_powers(double n, const double *c)
{
  double at = n / c[2];
  return c[0] * at * (c[3] + c[1] * at + at * at);
}

/* What begins at a size. */
static double jump(double n, const double *c) { return c[0] * (n + (n < c[1] ? 0 : c[1] * c[2])); }
static double steeper(double n, const double *c) { return c[0] * n * log2(n) * (n < c[1] ? 1 : 1 + c[2]); }

#define REAL SC_FAMILY_REAL
const sc_family SC_FAMILIES_OUTSIDE[] = {
    {"n^a + b n^a'", REAL, NAN, 0, draw_powers, two_powers},
    {"Zipf", REAL, 0, 0, draw_zipf, zipf, .wavers = true},
    {"log n!", REAL, 1, 1, draw_scale, log_factorial},
    {"n log n / log log n", REAL, 1, 1, draw_scale, by_loglog},
    {"n sqrt(log n)", REAL, 1, 0.5, draw_scale, root_of_log},
    {"sqrt(log n)", REAL, 0, 0.5, draw_scale, largest_of_many},
    {"n^2 / (n + K)", REAL, 1, 0, draw_place, square_to_linear, .wavers = true},
    {"n sqrt(1 + n / K)", REAL, 1.5, 0, draw_place, linear_to_15, .wavers = true},
    {"two memories", REAL, 1, 0, draw_place, two_memories, .wavers = true},
    {"hypot(n, n log n)", REAL, 1, 1, draw_sum, two_parts},
    {"rippled n log n", REAL, 1, 1, draw_scale, ripple, .wavers = true},
    {"n + capacity", REAL, 1, 0, draw_sum, capacity, .wavers = true},
    {"4 n^1.262 - 3 n", REAL, 1.262, 0, draw_scale, four_thirds},
    {"n^1.5 + b n log n", REAL, 1.5, 0, draw_sum, n_15_nlogn},
    {"n^2 - b n^1.5", REAL, 2, 0, draw_less, square_less},
    {"n^3 / log n + b n^2", REAL, 3, -1, draw_sum, cube_by_log},
    {"a + b n + n log n", REAL, 1, 1, draw_sum, three_terms},
    {"a n + b n^2 + n^3", REAL, 3, 0, draw_sum, three_powers},
    {"n, and more from C on", REAL, 1, 0, draw_place, jump, .change = 1, .least_sizes = 5},
    {"n log n, then dearer", REAL, 1, 1, draw_place, steeper, .change = 1, .least_sizes = 5},
    {0}};
const sc_family SC_COUNTS_OUTSIDE[] = {{0}};
