/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions the engine's constants may be tuned with: some inside its model space, some outside. */
#include <gsl/gsl_math.h>
#include <gsl/gsl_sf_psi.h>

#include "bench.h"

/* c[0]: scale. c[1]: what the lower term is, beside the leading one at the middle of the sizes; or a place. */

static void draw_scale(const sc_draw *draw, double *c) { c[0] = sc_draw_log(draw, 0.1, 1000); }

static void draw_sum(const sc_draw *draw, double *c)
{
  draw_scale(draw, c);
  c[1] = sc_draw_log(draw, 0.2, 5);
  c[2] = sc_draw_centre(draw);
}

static void draw_place(const sc_draw *draw, double *c)
{
  draw_scale(draw, c);
  c[1] = sc_draw_cut(draw, 2, 2);
}

static double power_12(double n, const double *c) { return c[0] * pow(n, 1.2); }
static double power_07(double n, const double *c) { return c[0] * pow(n, 0.7); }
static double karatsuba(double n, const double *c) { return c[0] * pow(n, log2(3)); }
static double power_237(double n, const double *c) { return c[0] * pow(n, 2.37); }
static double pairs(double n, const double *c) { return c[0] * n * (n - 1) / 2; }
static double linear_root(double n, const double *c) { return c[0] * (n + 30 * sqrt(n)); }
static double n_log2(double n, const double *c) { return c[0] * n * gsl_pow_2(log2(n)); }
static double linear_nlogn(double n, const double *c) { return c[0] * n * (1 + c[1] * log2(n) / log2(c[2])); }
static double constant_log(double n, const double *c) { return c[0] * (c[1] * log2(c[2]) + log2(n)); }
static double constant_root(double n, const double *c) { return c[0] * (c[1] * sqrt(c[2]) + sqrt(n)); }
static double n_15_linear(double n, const double *c) { return c[0] * n * (sqrt(n) + c[1] * sqrt(c[2])); }
static double constant_square(double n, const double *c) { return c[0] * (n * n + c[1] * gsl_pow_2(c[2])); }
static double n_by_log(double n, const double *c) { return c[0] * n / log2(n); }
static double harmonic(double n, const double *c) { return c[0] * (gsl_sf_psi(n + 1) + M_EULER); }
static double n_loglog(double n, const double *c) { return c[0] * n * log2(log2(n)); }
static double cubic(double n, const double *c) { return c[0] * (gsl_pow_3(n) / 6 - n * n / 2 + n / 3); }
static double strassen(double n, const double *c) { return c[0] * n * n * (pow(n / c[2], 0.807) + c[1]); }
static double saturating(double n, const double *c) { return c[0] * n / (n + c[1]); }
static double approaching(double n, const double *c) { return c[0] * -expm1(-n / c[1]); }
static double limited(double n, const double *c) { return c[0] * fmin(n, c[1]); }

/* A program that changes its algorithm at a size, for one that is half to twice as dear there. */
static void draw_switch(const sc_draw *draw, double *c)
{
  draw_place(draw, c);
  c[2] = sc_draw_log(draw, 0.5, 2);
}

static double square_to_nlogn(double n, const double *c)
{
  double ratio = c[2] * c[1] / log2(c[1]);
  return n < c[1] ? c[0] * n * n : c[0] * ratio * n * log2(n);
}

static double constant_to_linear(double n, const double *c) { return c[0] * fmax(1, n / c[1]); }
static double linear_to_square(double n, const double *c) { return c[0] * n * fmax(1, n / c[1]); }

/* Two sizes at least between the changes. */
static void draw_two_changes(const sc_draw *draw, double *c)
{
  draw_scale(draw, c);
  c[1] = sc_draw_cut(draw, 2, draw->count - 2);
  c[2] = sc_draw_cut(draw, draw->count - 3, 3);
}

static double two_changes(double n, const double *c) { return c[0] * fmax(1, n / c[1]) * fmax(1, n / c[2]); }

static double linear_or_nlogn(double n, const double *c) { return c[0] * n * fmax(log2(c[1]), log2(n)); }

#define REAL SC_FAMILY_REAL
const sc_family SC_FAMILIES_TUNING[] = {
    {"n^1.2", REAL, 1.2, 0, draw_scale, power_12},
    {"n^0.7", REAL, 0.7, 0, draw_scale, power_07},
    {"n^1.585", REAL, 1.585, 0, draw_scale, karatsuba},
    {"n^2.37", REAL, 2.37, 0, draw_scale, power_237},
    {"n^2/2 - n/2", REAL, 2, 0, draw_scale, pairs},
    {"n + 30 sqrt n", REAL, 1, 0, draw_scale, linear_root},
    {"n log^2 n", REAL, 1, 2, draw_scale, n_log2},
    {"n + b n log n", REAL, 1, 1, draw_sum, linear_nlogn},
    {"a + b log n", REAL, 0, 1, draw_sum, constant_log},
    {"a + b sqrt n", REAL, 0.5, 0, draw_sum, constant_root},
    {"n^1.5 + b n", REAL, 1.5, 0, draw_sum, n_15_linear},
    {"a + b n^2", REAL, 2, 0, draw_sum, constant_square},
    {"n / log n", REAL, 1, -1, draw_scale, n_by_log},
    {"harmonic", REAL, 0, 1, draw_scale, harmonic},
    {"n log log n", REAL, 1, 0, draw_scale, n_loglog},
    {"n^3/6 - n^2/2 + n/3", REAL, 3, 0, draw_scale, cubic},
    {"n^2.807 + b n^2", REAL, 2.807, 0, draw_sum, strassen},
    {"n / (n + K)", REAL, 0, 0, draw_place, saturating, .wavers = true},
    {"1 - exp(-n / K)", REAL, 0, 0, draw_place, approaching, .wavers = true},
    {"min(n, C)", REAL, 0, 0, draw_place, limited, .change = 1, .least_sizes = 5},
    {"n^2 to n log n", REAL, 1, 1, draw_switch, square_to_nlogn, .change = 1, .least_sizes = 5},
    {"constant to n", REAL, 1, 0, draw_place, constant_to_linear, .change = 1, .least_sizes = 5},
    {"n to n^2", REAL, 2, 0, draw_place, linear_to_square, .change = 1, .least_sizes = 5},
    {"constant to n to n^2", REAL, 2, 0, draw_two_changes, two_changes, .change = 2, .least_sizes = 7},
    {"max(n, n log n)", REAL, 1, 1, draw_place, linear_or_nlogn, .change = 1, .least_sizes = 5},
    {0}};
