/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Containers that grow and copy, simulated: the formula found says what happens at a size never seen. */
#include "unit.h"

#include <math.h>

#include "regress/core/term.h"
#include "regress/exact/scale.h"

enum { SIZES = 7 };
static const double sizes[SIZES] = {1103, 1907, 3701, 7109, 9013, 17011, 81017}, farther = 1234567;

typedef struct growth {
  enum { DOUBLES, BLOCKS, DIGITS, CHILDREN } how;
  double size; /* the first capacity, of a block, the base */
  double line; /* besides, for each item */
  double start;
} growth;

/* Items copied while n are added one by one; steps of n numbers or searches. */
static double simulate(const growth *g, double n)
{
  double count = 0, power = 1, capacity = g->size;
  switch (g->how) {
  case DOUBLES:
    for (; capacity < n; capacity *= 2)
      count += capacity;
    break;
  case BLOCKS:
    for (; capacity < n; capacity += g->size)
      count += capacity;
    break;
  case DIGITS: /* to write n, n times */
    for (count = n; power * g->size <= n; power *= g->size)
      count += n;
    break;
  case CHILDREN: /* levels above n leaves, n times */
    for (; power < n; power *= g->size)
      count += n;
    break;
  }
  return count + g->line * n + g->start;
}

typedef struct found {
  const sc_points *points;
  double expected;
  size_t right;
} found;

static double value(const sc_exact_sum *sum, double n)
{
  double total = 0;
  for (size_t j = 0; j < sum->count; j++)
    total += (double)sum->over[j] * sc_term_basis(&sum->basis[j], n);
  return total / (double)sum->under;
}

static void note(void *context, const sc_exact_sum *sum, double bonus)
{
  found *f = context;
  assert_true(bonus == 0);
  for (size_t i = 0; i < f->points->count; i++)
    assert_true(fabs(value(sum, f->points->n[i]) - f->points->y[i]) < 1e-6);
  f->right += fabs(value(sum, farther) - f->expected) < 1e-6;
}

static bool seen(const growth *g, size_t first, size_t count)
{
  double y[SIZES];
  sc_points points = {0};
  for (size_t i = 0; i < SIZES; i++)
    y[i] = simulate(g, sizes[i]);
  found f = {&points, simulate(g, farther), 0};
  assert_int_equal(sc_points_gather(&(sc_series){sizes + first, y + first, count, true}, &points), 0);
  sc_exact_scaled(&points, note, &f);
  sc_points_free(&points);
  return f.right > 0;
}

TEST(growth_that_programs_have)
{
  static const double blocks[] = {8,  16, 32, 64,  128, 256, 512, 1024, 2048, 4096,
                                  10, 20, 50, 100, 200, 250, 500, 1000, 2000, 5000};
  static const double firsts[] = {3, 6, 10, 12, 20, 7, 100, 1000};
  for (double line = 0; line <= 1; line++)
    for (double start = 0; start <= 5; start += 5) {
      for (size_t i = 0; i < sizeof firsts / sizeof *firsts; i++)
        if (!seen(&(growth){DOUBLES, firsts[i], line, start}, 0, SIZES))
          fail_msg("from %g on, %g for each, %g", firsts[i], line, start);
      for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        if (!seen(&(growth){BLOCKS, blocks[i], line, start}, 0, SIZES))
          fail_msg("blocks of %g, %g for each, %g", blocks[i], line, start);
    }
  static const double bases[] = {10, 16, 4, 8, 3, 100, 256};
  for (double line = 0; line <= 2; line++)
    for (size_t i = 0; i < sizeof bases / sizeof *bases; i++)
      if (!seen(&(growth){DIGITS, bases[i], line, 0}, 0, SIZES) ||
          !seen(&(growth){CHILDREN, bases[i], line, 0}, 0, SIZES))
        fail_msg("base %g, %g for each", bases[i], line);
}

/* Doublings from four sizes on, blocks from five. */
TEST(as_many_sizes_as_needed)
{
  assert_true(seen(&(growth){DOUBLES, 10, 0, 0}, 2, 4));
  assert_false(seen(&(growth){DOUBLES, 10, 0, 0}, 3, 3));
  assert_true(seen(&(growth){BLOCKS, 1000, 0, 0}, 2, 5));
  assert_false(seen(&(growth){BLOCKS, 1000, 0, 0}, 3, 4));
  assert_false(seen(&(growth){BLOCKS, 30000, 0, 0}, 0, SIZES)); /* three blocks */
}

static size_t findings;
static void count_found(void *context, const sc_exact_sum *sum, double bonus) { findings++; }

static size_t found_in(const double *n, const double *y, size_t count)
{
  sc_points points = {0};
  findings = 0;
  assert_int_equal(sc_points_gather(&(sc_series){n, y, count, true}, &points), 0);
  sc_exact_scaled(&points, count_found, NULL);
  sc_points_free(&points);
  return findings;
}

/* What falls as containers grow is not one that grows. */
TEST(nothing_falls_by_growing)
{
  const growth falls[] = {{DOUBLES, 10, 0, 0}, {BLOCKS, 1000, 0, 0}, {DIGITS, 10, 0, 0}, {CHILDREN, 3, 0, 0}};
  for (size_t k = 0; k < COUNT(falls); k++) {
    double y[SIZES];
    for (size_t i = 0; i < SIZES; i++)
      y[i] = simulate(&falls[k], sizes[i]);
    assert_true(found_in(sizes, y, SIZES) > 0);
    for (size_t i = 0; i < SIZES; i++)
      y[i] = 1e7 - y[i];
    assert_int_equal(found_in(sizes, y, SIZES), 0);
  }
}

/* From the start of the capacities on, and from four blocks on; up to a trillion. */
TEST(where_growth_is_looked_for)
{
  for (int below = 0; below < 2; below++) {
    double n[SIZES], y[SIZES];
    memcpy(n, sizes, sizeof n);
    n[0] = below ? 999 : 1000; /* of capacities 1000, 2000, ... */
    for (size_t i = 0; i < SIZES; i++)
      y[i] = 1000 * exp2(ceil(log2(n[i] / 1000)));
    assert_int_equal(found_in(n, y, SIZES) > 0, !below);
    n[0] = 1103;
    n[SIZES - 1] = below ? 19999 : 20000; /* of blocks of 5000, squared */
    for (size_t i = 0; i < SIZES; i++)
      y[i] = ceil(n[i] / 5000) * ceil(n[i] / 5000);
    assert_int_equal(found_in(n, y, SIZES) > 0, !below);
    n[SIZES - 1] = below ? 0x1p40 - 1 : 0x1p40;
    for (size_t i = 0; i < SIZES; i++)
      y[i] = 100 * exp2(ceil(log2(n[i] / 100)));
    assert_int_equal(found_in(n, y, SIZES) > 0, below);
  }
}

/* Digits by themselves are stairs from three values on, each at two sizes. */
TEST(stairs_of_logarithms_are_seen)
{
  static const struct {
    double n[8];
    size_t count;
    bool stairs;
  } cases[] = {{{20, 70, 200, 700, 2000, 7000}, 6, true}, {{20, 70, 200, 700, 2000}, 5, false},
               {{20, 200, 700, 2000, 7000}, 5, false},    {{20, 70, 200, 2000, 7000}, 5, false},
               {{20, 50, 70, 200, 500, 700}, 6, false},   {{20, 50, 70, 200, 700, 2000, 5000, 9000}, 8, true}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    double y[8];
    for (size_t k = 0; k < cases[i].count; k++)
      y[k] = 7 * floor(log10(cases[i].n[k])) + 3;
    assert_int_equal(found_in(cases[i].n, y, cases[i].count) > 0, cases[i].stairs);
  }
}

/* n times the digits of n, without n by itself, and squares of blocks without the blocks. */
TEST(growth_without_more)
{
  double y[SIZES];
  for (int up = 0; up < 2; up++) {
    for (size_t i = 0; i < SIZES; i++)
      y[i] = sizes[i] * (up ? ceil(log10(sizes[i])) : floor(log10(sizes[i])));
    assert_true(found_in(sizes, y, SIZES) > 0);
    for (size_t i = 0; i < SIZES; i++)
      y[i] = up ? pow(ceil(sizes[i] / 1000), 2) : pow(floor(sizes[i] / 1000), 2);
    assert_true(found_in(sizes, y, SIZES) > 0);
  }
}
