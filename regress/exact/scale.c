/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "regress/exact/scale.h"

#include <math.h>

#include "regress/core/term.h"
#include "regress/core/tuning.h"

static const double starts[] = {3, 10, 7, 100, 1000, 0.7, 0.8}; /* times powers of two: 12 is as 3, 0.75 too */
static const double blocks[] = {2,    3,    4,    5,  6,  7,  8,   16,  32,  64,  128,  256,  512,
                                1024, 2048, 4096, 10, 20, 50, 100, 200, 250, 500, 1000, 2000, 5000};
static const double bases[] = {10, 16, 4, 8, 3, 100, 256};

typedef struct trial {
  const sc_points *points;
  sc_term x; /* the function of the blocks that is tried, and another below it; the rest is a constant */
  sc_term below;
  bool has_below;
  double line; /* times n, beside them */
} trial;

static double scale_value(const trial *t, size_t i) { return t->points->y[i] - t->line * t->points->n[i]; }

/* The coefficients through the first size, one in the middle and the last; false where they do not reach all sizes. */
static bool scale_fits(const trial *t, const unsigned *rows)
{
  const double *n = t->points->n;
  double x[3], z[3], y[3], a, b = 0;
  for (int i = 0; i < 3; i++) {
    x[i] = sc_term_basis(&t->x, n[rows[i]]);
    z[i] = t->has_below ? sc_term_basis(&t->below, n[rows[i]]) : 0;
    y[i] = scale_value(t, rows[i]);
  }
  if (t->has_below) {
    double det = (x[1] - x[0]) * (z[2] - z[0]) - (x[2] - x[0]) * (z[1] - z[0]);
    if (det == 0)
      return false;
    a = ((y[1] - y[0]) * (z[2] - z[0]) - (y[2] - y[0]) * (z[1] - z[0])) / det;
    b = ((x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0])) / det;
  } else {
    if (x[2] == x[0])
      return false;
    a = (y[2] - y[0]) / (x[2] - x[0]);
  }
  if (!(a > 0))
    return false;
  for (size_t i = t->points->count; i-- > 0;) {
    double at = y[0] + a * (sc_term_basis(&t->x, n[i]) - x[0]);
    if (t->has_below)
      at += b * (sc_term_basis(&t->below, n[i]) - z[0]);
    if (fabs(at - scale_value(t, i)) > 1e-9 * (1 + t->points->y[i]))
      return false;
  }
  return true;
}

/* Solves exactly: with and without a constant. */
static void solve_scale(const trial *t, const unsigned *rows, sc_exact_found *found, void *context)
{
  for (int constant = 0; constant <= 1; constant++) {
    double left[3], n[3];
    unsigned order[3] = {2, 1, 0};
    sc_exact_sum sum = {.basis = {t->x}, .count = 1};
    if (t->has_below)
      sum.basis[sum.count++] = t->below;
    if (constant)
      sum.basis[sum.count++] = (sc_term){.exponent = 0};
    for (int i = 0; i < 3; i++)
      n[i] = t->points->n[rows[i]], left[i] = scale_value(t, rows[i]);
    if (sum.count == 2)
      order[1] = 0; /* those in between may have no more blocks or digits than the last */
    if (!sc_exact_sum_solve(&sum, n, left, order))
      continue;
    if (t->line != 0) {
      sum.basis[sum.count] = (sc_term){.exponent = 1};
      sum.over[sum.count++] = (long)t->line * sum.under;
    }
    if (sc_exact_sum_holds(&sum, t->points->n, t->points->y, t->points->count))
      found(context, &sum, 0);
  }
}

static void try_one(const trial *t, const unsigned *rows, sc_exact_found *found, void *context)
{
  if (scale_fits(t, rows))
    solve_scale(t, rows, found, context);
}

static void try_both(trial *t, const unsigned *rows, sc_exact_found *found, void *context)
{
  for (int line = 0; line <= 1; line++) {
    t->line = line;
    try_one(t, rows, found, context);
  }
}

/* Logarithms to each base, rounded down and up, times n^exponent. */
enum { LOGS = 2 * sizeof bases / sizeof *bases };
static sc_term make_rounded_log(size_t i, double exponent)
{
  return (sc_term){.exponent = exponent,
                   .log_exponent = 1,
                   .shape = i % 2 ? SC_SHAPE_CEIL_LOG : SC_SHAPE_FLOOR_LOG,
                   .scale = bases[i / 2]};
}

/* Whether the sizes show stairs: each step of the logarithm at two sizes or more, of three steps or more. */
static bool shows_steps(const sc_points *points, const sc_term *log)
{
  size_t steps = 0, sizes = 0;
  for (size_t i = 0; i < points->count; i++) {
    bool next = i == 0 || sc_term_basis(log, points->n[i]) != sc_term_basis(log, points->n[i - 1]);
    if (next && steps > 0 && sizes < SC_EXACT_STEP_SIZES)
      return false;
    steps += next;
    sizes = next ? 1 : sizes + 1;
  }
  return steps >= SC_EXACT_STEPS && sizes >= SC_EXACT_STEP_SIZES;
}

/* Digits of a number, levels of a tree: by itself such a logarithm is a few small numbers, which may be anything unless
 * they are seen to be stairs. */
static void try_steps(const sc_points *points, const unsigned *rows, sc_exact_found *found, void *context)
{
  for (size_t i = 0; i < LOGS; i++) {
    const trial t = {points, make_rounded_log(i, 0)};
    if (shows_steps(points, &t.x))
      try_one(&t, rows, found, context);
  }
}

/* Times n. */
static void try_bases(const sc_points *points, const unsigned *rows, sc_exact_found *found, void *context)
{
  for (size_t i = 0; i < LOGS; i++) {
    trial t = {points, make_rounded_log(i, 1), {.exponent = 1}, true};
    try_one(&t, rows, found, context);
    t.has_below = false;
    try_one(&t, rows, found, context);
  }
}

/* Whether a size shows that whole blocks are taken: at multiples of a block every plain sum is one of blocks, and where
 * sizes double their blocks may do so as well. */
static bool breaks_block(const sc_points *points, enum sc_shape shape, double block)
{
  const sc_term whole = {.exponent = 1, .shape = shape, .scale = block};
  for (size_t i = 1; i < points->count; i++)
    if (sc_term_basis(&whole, points->n[i]) * points->n[0] != sc_term_basis(&whole, points->n[0]) * points->n[i])
      return true;
  return false;
}

/* Squares of blocks, with what is proportional to the blocks and without. */
static void try_squares(const sc_points *points, const unsigned *rows, double block, sc_exact_found *found,
                        void *context)
{
  static const enum sc_shape shapes[][2] = {{SC_SHAPE_BLOCK_SQUARE, SC_SHAPE_CEIL_BLOCK},
                                            {SC_SHAPE_FLOOR_SQUARE, SC_SHAPE_FLOOR_BLOCK}};
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
    if (!breaks_block(points, shapes[i][1], block))
      continue;
    trial t = {points,
               {.exponent = 2, .shape = shapes[i][0], .scale = block},
               {.exponent = 1, .shape = shapes[i][1], .scale = block},
               true};
    try_both(&t, rows, found, context);
    t.has_below = false;
    try_both(&t, rows, found, context);
  }
}

void sc_exact_scaled(const sc_points *points, sc_exact_found *found, void *context)
{
  unsigned rows[3] = {0, (unsigned)(points->count / 2), (unsigned)points->count - 1};
  double first = points->n[0], last = points->n[points->count - 1];
  if (points->count < 4 || last >= 0x1p40)
    return;
  for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
    if (first < starts[i])
      continue;
    trial t = {points, {.exponent = 1, .shape = SC_SHAPE_CEIL_POWER, .scale = starts[i]}};
    try_both(&t, rows, found, context);
  }
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks && points->count >= 5; i++) {
    if (last >= SC_EXACT_BLOCKS_LEAST * blocks[i])
      try_squares(points, rows, blocks[i], found, context);
  }
  try_bases(points, rows, found, context);
  try_steps(points, rows, found, context);
}
