/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whole numbers of events, for tuning: with closed forms, and without. */
#include <gsl/gsl_math.h>

#include "bench.h"

static double up(double n) { return ceil(log2(n)); }
static double down(double n) { return floor(log2(n)); }

static void draw_line(const sc_draw *draw, double *c)
{
  c[0] = sc_draw_whole(draw, 1, 9);
  c[1] = sc_draw_whole(draw, 0, 99);
}

static void draw_factor(const sc_draw *draw, double *c) { c[0] = sc_draw_whole(draw, 1, 9); }
static void draw_limit(const sc_draw *draw, double *c)
{
  c[0] = sc_draw_whole(draw, 1, 9);
  c[1] = round(sc_draw_cut(draw, 2, 2));
}

/* A block of 8 to 128 items that does not hold half of the sizes. */
static void draw_block(const sc_draw *draw, double *c)
{
  c[0] = ldexp(1, (int)sc_draw_whole(draw, 3, 7));
  while (c[0] > sc_draw_centre(draw))
    c[0] /= 2;
}

static double pairs(double n, const double *c) { return c[0] * n * (n - 1) / 2; }
static double line(double n, const double *c) { return c[0] * n + c[1]; }
static double triples(double n, const double *c) { return n * (n - 1) * (n - 2) / 6; }
static double n_ceil_log(double n, const double *c) { return c[0] * n * up(n) + c[1]; }
static double ceil_log(double n, const double *c) { return c[0] * up(n) + c[1]; }
static double floor_log(double n, const double *c) { return c[0] * down(n) + c[1]; }
static double doubling(double n, const double *c) { return c[0] * n + exp2(up(n)) - 1; }
static double limited(double n, const double *c) { return c[0] * fmin(n, c[1]); }
static double blocks(double n, const double *c) { return ceil(n / c[0]); }
static double quarter(double n, const double *c) { return floor(n * n / 4); }
static double merge_worst(double n, const double *c) { return n * up(n) - exp2(up(n)) + 1; }
static double n_floor_root(double n, const double *c) { return n * floor(sqrt(n)); }

/* Mergesort's comparisons of random items: Knuth, The Art of Computer Programming, volume 3, 5.2.4. */
static double merge_mean(double n, const double *c) { return n * log2(n) - 1.2645 * n; }

static double digit_sum(double n)
{
  double sum = 0;
  for (; n >= 1; n = floor(n / 10))
    sum += fmod(n, 10);
  return sum;
}

static double line_digits(double n, const double *c) { return c[0] * n + digit_sum(n); }
static double bits(double n, const double *c)
{
  return c[0] * n + (double)__builtin_popcountll((unsigned long long)n) * sqrt(n);
}
static double square_jitter(double n, const double *c) { return c[0] * n * (n - 1) / 2; }
static double line_jitter(double n, const double *c) { return c[0] * n + c[1]; }

const sc_family SC_COUNTS_TUNING[] = {
    {"n(n-1)/2", SC_FAMILY_EXACT, 2, 0, draw_factor, pairs},
    {"3n + 17", SC_FAMILY_EXACT, 1, 0, draw_line, line},
    {"C(n, 3)", SC_FAMILY_EXACT, 3, 0, NULL, triples},
    {"n ceil log n", SC_FAMILY_EXACT, 1, 1, draw_line, n_ceil_log},
    {"ceil log n", SC_FAMILY_EXACT, 0, 1, draw_line, ceil_log},
    {"floor log n", SC_FAMILY_EXACT, 0, 1, draw_line, floor_log},
    {"n + 2^ceil log n - 1", SC_FAMILY_EXACT, 1, 0, draw_factor, doubling},
    {"min(n, C)", SC_FAMILY_EXACT, 0, 0, draw_limit, limited, .change = 1},
    {"ceil(n / B)", SC_FAMILY_EXACT, 1, 0, draw_block, blocks},
    {"floor(n^2 / 4)", SC_FAMILY_EXACT, 2, 0, NULL, quarter},
    {"merge sort at worst", SC_FAMILY_EXACT, 1, 1, NULL, merge_worst},
    {"n floor sqrt n", SC_FAMILY_EXACT, 1.5, 0, NULL, n_floor_root},
    {"merge sort", SC_FAMILY_COUNTS, 1, 1, NULL, merge_mean, .jitter = 0.002},
    {"n + digits", SC_FAMILY_COUNTS, 1, 0, draw_factor, line_digits},
    {"n + bits sqrt n", SC_FAMILY_COUNTS, 1, 0, draw_factor, bits, .wavers = true},
    {"n^2/2 + jitter", SC_FAMILY_COUNTS, 2, 0, draw_factor, square_jitter, .jitter = 0.01},
    {"n + jitter", SC_FAMILY_COUNTS, 1, 0, draw_line, line_jitter, .jitter = 0.03},
    {0}};
