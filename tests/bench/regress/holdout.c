/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The hold-out: functions as programs really produce them, by which the engine is judged after it was tuned. They were
 * fixed before any tuning and MUST NOT BE TUNED TO: don't look at single families' scores while you change the engine,
 * and don't change a function here because the engine fails at it.
 */
#include <gsl/gsl_math.h>
#include <gsl/gsl_sf_psi.h>

#include "bench.h"

/* c[0]: scale. Others: ratios to the leading term at the middle of the sizes, or sizes at which something happens. */
static void draw_scale(const sc_draw *draw, double *c) { c[0] = sc_draw_log(draw, 0.05, 500); }

static void draw_sum(const sc_draw *draw, double *c)
{
  draw_scale(draw, c);
  c[1] = sc_draw_log(draw, 0.15, 6);
  c[2] = sc_draw_centre(draw);
}

static void draw_place(const sc_draw *draw, double *c)
{
  draw_scale(draw, c);
  c[1] = sc_draw_cut(draw, 2, 2);
  c[2] = sc_draw_even(draw, 1, 8);
}

/* Mean comparisons, Sedgewick 1977: 2 (n + 1) H(n) - 4 n. */
static double quicksort(double n, const double *c)
{
  return c[0] * (2 * (n + 1) * (gsl_sf_psi(n + 1) + M_EULER) - 4 * n);
}

/* Inserting into a table of fixed size whose chains are walked. */
static double hash_chains(double n, const double *c) { return c[0] * (n + n * (n - 1) / (2 * c[1])); }

/* What lies above the cache's size costs a miss. */
static double cache(double n, const double *c) { return c[0] * (n + c[2] * fmax(0, n - c[1])); }

/* T(n) = 3 T(n/2) + a n has the solution (1 + 2a) n^log2(3) - 2a n; a below 2. */
static double karatsuba(double n, const double *c)
{
  double a = fmin(c[1], 2);
  return c[0] * ((1 + 2 * a) * pow(n, log2(3)) - 2 * a * n);
}

/* Building a tree in three dimensions, then a range query for each point. */
static double range_queries(double n, const double *c)
{
  return c[0] * (pow(n, 5. / 3) + c[1] * pow(c[2], 2. / 3) * n);
}

/* Mass of the percolating cluster on a grid of side n, with its first correction. */
static double percolation(double n, const double *c) { return c[0] * pow(n, 91. / 48) * (1 + fmin(c[1], 2) / sqrt(n)); }

static double coupons(double n, const double *c) { return c[0] * n * (gsl_sf_psi(n + 1) + M_EULER); }

/* Passes of an external merge sort, the first one within memory. */
static double external_merge(double n, const double *c)
{
  return c[0] * n * (1 + fmax(0, log2(n / c[1])) / log2(1 + c[2]));
}

/* Work, and a lock on which every thread waits for every other: Gunther's scalability law, turned over. */
static void draw_contention(const sc_draw *draw, double *c)
{
  draw_sum(draw, c);
  c[3] = sc_draw_log(draw, 0.1, 3);
}

static double contention(double n, const double *c)
{
  return c[0] * (c[3] * gsl_pow_2(c[2]) + c[1] * c[2] * n + n * (n - 1));
}

/* Misses grow more frequent as the working set outgrows the cache. */
static double warming(double n, const double *c) { return c[0] * n * (1 - c[2] / 8 * exp(-n / c[1])); }

/* Expected collisions of n items in c[1] places. */
static double collisions(double n, const double *c) { return c[0] * (n + c[1] * expm1(-n / c[1])); }

static double dense_graph(double n, const double *c) { return c[0] * n * (n + c[1] * c[2] * log2(n) / log2(c[2])); }

/* Cells of an edit distance within a band: of 2 sqrt(n) + 1, and of fixed width. */
static double root_band(double n, const double *c)
{
  double w = floor(sqrt(n));
  return c[0] * (n * (2 * w + 1) - w * (w + 1));
}

static double fixed_band(double n, const double *c)
{
  return n < c[1] ? c[0] * n * n : c[0] * (2 * n * c[1] - c[1] * c[1]);
}

/* Padded to the next power of two. */
static double padded_transform(double n, const double *c)
{
  double padded = exp2(ceil(log2(2 * n)));
  return c[0] * padded * log2(padded);
}

/* Conjugate gradients on a grid in three dimensions. */
static double gradients(double n, const double *c) { return c[0] * n * (cbrt(n) + c[1] * cbrt(c[2])); }

static double shell_sort(double n, const double *c) { return c[0] * n * (pow(n, 0.25) + c[1]); }

/* Distinct words in a text: Heaps' law. */
static void draw_words(const sc_draw *draw, double *c)
{
  draw_scale(draw, c);
  c[SC_FAMILY_COEFFICIENTS - 1] = sc_draw_even(draw, 0.45, 0.85);
}

static double words(double n, const double *c) { return c[0] * pow(n, c[SC_FAMILY_COEFFICIENTS - 1]); }

#define REAL SC_FAMILY_REAL
const sc_family SC_FAMILIES_HOLDOUT[] = {{"quicksort", REAL, 1, 1, draw_scale, quicksort},
                                         {"hash chains", REAL, 2, 0, draw_place, hash_chains},
                                         {"cache", REAL, 1, 0, draw_place, cache, .change = 1},
                                         {"Karatsuba", REAL, 1.585, 0, draw_sum, karatsuba},
                                         {"range queries", REAL, 5. / 3, 0, draw_sum, range_queries},
                                         {"percolation", REAL, 91. / 48, 0, draw_sum, percolation},
                                         {"coupons", REAL, 1, 1, draw_scale, coupons},
                                         {"external merge", REAL, 1, 1, draw_place, external_merge, .change = 1},
                                         {"contention", REAL, 2, 0, draw_contention, contention},
                                         {"warming cache", REAL, 1, 0, draw_place, warming, .wavers = true},
                                         {"collisions", REAL, 1, 0, draw_place, collisions, .wavers = true},
                                         {"dense graph", REAL, 2, 0, draw_sum, dense_graph},
                                         {"band of root n", REAL, 1.5, 0, draw_scale, root_band},
                                         {"band", REAL, 1, 0, draw_place, fixed_band, .change = 1},
                                         {"padded transform", REAL, 1, 1, draw_scale, padded_transform, .wavers = true},
                                         {"conjugate gradients", REAL, 4. / 3, 0, draw_sum, gradients},
                                         {"Shell sort", REAL, 1.25, 0, draw_sum, shell_sort},
                                         {"words", REAL, NAN, 0, draw_words, words},
                                         {0}};
