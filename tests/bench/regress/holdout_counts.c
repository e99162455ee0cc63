/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The hold-out's whole numbers. As holdout.c: fixed before any tuning, and must not be tuned to. */
#include <gsl/gsl_math.h>

#include "bench.h"

static double up(double n) { return ceil(log2(n)); }

static void draw_factor(const sc_draw *draw, double *c)
{
  c[0] = sc_draw_whole(draw, 1, 12);
  c[1] = sc_draw_whole(draw, 0, 40);
}

static void draw_place(const sc_draw *draw, double *c)
{
  c[0] = sc_draw_whole(draw, 1, 12);
  c[1] = round(sc_draw_cut(draw, 2, 2));
}

static double matrix_chain(double n, const double *c) { return (n * n * n - n) / 6; }
static double insertion_worst(double n, const double *c) { return n * (n - 1) / 2 + n - 1 + c[1]; }
static double squares(double n, const double *c) { return c[0] * n * (n + 1) * (2 * n + 1) / 6; }
static double all_paths(double n, const double *c) { return n * n * n + c[0] * n * n + c[1]; }

/* for i < n: for j from max(0, i - w) to i */
static double band(double n, const double *c)
{
  double w = c[1];
  return n <= w ? n * (n - 1) / 2 : n * w - w * (w + 1) / 2;
}

/* A page for every 10 to 90 rows, but no more than the sizes' middle. */
static void draw_page(const sc_draw *draw, double *c)
{
  double most = floor(sc_draw_centre(draw));
  c[0] = sc_draw_whole(draw, 10, fmin(most, 90));
}

static double rows_and_pages(double n, const double *c) { return n + ceil(n / c[0]); }

/* Sum of ceil(i / 3) for i up to n. */
static double thirds(double n, const double *c)
{
  double whole = floor(n / 3);
  return 3 * whole * (whole + 1) / 2 + (n - 3 * whole) * (whole + 1);
}

/* Bottom-up merging of runs of 8. */
static double merge_passes(double n, const double *c) { return n * (up(n) - 3) + c[1]; }

/* A table that doubles when it is three quarters full moves what it holds. */
static double rehashing(double n, const double *c)
{
  double moved = 0;
  for (double full = 12; full < n; full *= 2)
    moved += full;
  return n + moved;
}

static double compulsory_misses(double n, const double *c) { return c[0] * n + fmin(n, c[1]); }

/* Binary digits of 1 ... n. */
static double digits(double n, const double *c)
{
  double k = floor(log2(n)) + 1;
  return (n + 1) * k - exp2(k) + 1;
}

/* Items copied by an array that grows by half. */
static double growth_by_half(double n, const double *c)
{
  double copied = 0;
  for (double room = 4 + c[0]; room < n; room = floor(room * 1.5))
    copied += room;
  return n + copied;
}

/* Nodes visited by n lookups in a tree with nodes of `c[2]` keys. */
static void draw_tree(const sc_draw *draw, double *c)
{
  draw_factor(draw, c);
  c[2] = ldexp(1, (int)sc_draw_whole(draw, 2, 5));
}

static double tree_lookups(double n, const double *c) { return n * ceil(log(n + 1) / log(c[2])); }

/* Carries while counting to n. */
static double carries(double n, const double *c) { return 2 * n - (double)__builtin_popcountll((unsigned long long)n); }

static double sort_with_cutoff(double n, const double *c)
{
  return n <= 16 ? n * (n - 1) / 2 : sort_with_cutoff(floor(n / 2), c) + sort_with_cutoff(ceil(n / 2), c) + n - 1;
}

/* Numbers struck out by the sieve of Eratosthenes. */
static double sieve(double n, const double *c)
{
  double marks = 0;
  for (double p = 2; p * p <= n; p++) {
    bool prime = true;
    for (double d = 2; prime && d * d <= p; d++)
      prime = fmod(p, d) != 0;
    if (prime)
      marks += floor(n / p) - p + 1;
  }
  return marks;
}

/* Items written by a merge tree of fan-out 4: each level is rewritten when the one above spills. */
static void draw_memory(const sc_draw *draw, double *c)
{
  c[0] = fmax(2, floor(draw->n[0] / sc_draw_even(draw, 1, 4)));
}

static double merge_tree(double n, const double *c)
{
  double written = 0, flushes = floor(n / c[0]);
  for (double every = 1; every <= flushes; every *= 4)
    written += floor(flushes / every) * every * c[0];
  return written + n;
}

/* for i up to n: for j = i, 2 i ... up to n; summed by the quotients' runs. */
static double multiples(double n, const double *c)
{
  double sum = 0;
  for (double i = 1, last; i <= n; i = last + 1) {
    double quotient = floor(n / i);
    last = floor(n / quotient);
    sum += quotient * (last - i + 1);
  }
  return sum;
}

static double butterflies(double n, const double *c) { return exp2(up(n)) / 2 * up(n); }

#define EXACT  SC_FAMILY_EXACT
#define COUNTS SC_FAMILY_COUNTS
const sc_family SC_COUNTS_HOLDOUT[] = {{"matrix chain", EXACT, 3, 0, NULL, matrix_chain},
                                       {"insertion sort", EXACT, 2, 0, draw_factor, insertion_worst},
                                       {"squares", EXACT, 3, 0, draw_factor, squares},
                                       {"all paths", EXACT, 3, 0, draw_factor, all_paths},
                                       {"band of loops", EXACT, 1, 0, draw_place, band, .change = 1},
                                       {"rows and pages", EXACT, 1, 0, draw_page, rows_and_pages},
                                       {"thirds", EXACT, 2, 0, NULL, thirds},
                                       {"merge passes", EXACT, 1, 1, draw_factor, merge_passes},
                                       {"rehashing", EXACT, 1, 0, NULL, rehashing},
                                       {"compulsory misses", EXACT, 1, 0, draw_place, compulsory_misses, .change = 1},
                                       {"digits", EXACT, 1, 1, NULL, digits},
                                       {"growth by half", COUNTS, 1, 0, draw_factor, growth_by_half, .wavers = true},
                                       {"tree lookups", COUNTS, 1, 1, draw_tree, tree_lookups, .wavers = true},
                                       {"carries", COUNTS, 1, 0, NULL, carries},
                                       {"sort with cutoff", COUNTS, 1, 1, NULL, sort_with_cutoff},
                                       {"sieve", COUNTS, 1, 0, NULL, sieve},
                                       {"merge tree", COUNTS, 1, 1, draw_memory, merge_tree, .wavers = true},
                                       {"multiples", COUNTS, 1, 1, NULL, multiples},
                                       {"butterflies", COUNTS, 1, 1, NULL, butterflies, .wavers = true},
                                       {0}};
