/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blocks of a size that nobody told: what is found of counts made by a known formula, against all whole block sizes
 * tried in turn. */
#include "unit.h"

#include <math.h>

#include "regress/exact/block.h"

enum { SIZES = 6, MOST = 256 };
static const double sizes[SIZES] = {1000, 3000, 7000, 10000, 20000, 37000};

/* (square n^2 + line n) / under + (times ? n : 1) (step * blocks + offset) */
typedef struct truth {
  double square, line, under, step, block, offset;
  bool floor, times;
} truth;

static double value_of(const truth *t, double block, double n)
{
  double blocks = t->floor ? floor(n / block) : ceil(n / block);
  return (t->square * n * n + t->line * n) / t->under + (t->times ? n : 1) * (t->step * blocks + t->offset);
}

typedef struct found {
  const truth *truth;
  double block[MOST], bonus[MOST];
  size_t count;
} found;

/* Keeps those with the rounding, step and offset of the truth; none may be wrong. */
static void keep(void *context, const sc_exact_sum *sum, double bonus)
{
  found *f = context;
  const truth *t = f->truth;
  double block = 0, step = 0, offset = 0, power = t->times;
  for (size_t i = 0; i < SIZES; i++) {
    double total = 0, n = sizes[i];
    for (size_t j = 0; j < sum->count; j++) {
      const sc_term *b = &sum->basis[j];
      double plain = b->shape == SC_SHAPE_CEIL_BLOCK    ? pow(n, b->exponent - 1) * ceil(n / b->scale)
                     : b->shape == SC_SHAPE_FLOOR_BLOCK ? pow(n, b->exponent - 1) * floor(n / b->scale)
                                                        : pow(n, b->exponent);
      total += plain * (double)sum->over[j] / (double)sum->under;
      if (b->shape == (t->floor ? SC_SHAPE_FLOOR_BLOCK : SC_SHAPE_CEIL_BLOCK) && b->exponent == 1 + power) {
        block = b->scale;
        step = (double)sum->over[j] / (double)sum->under;
      } else if (b->shape == SC_SHAPE_PLAIN && b->exponent == power) {
        offset = (double)sum->over[j] / (double)sum->under;
      }
    }
    assert_true(total == value_of(t, t->block, n));
  }
  if (step != t->step || offset != t->offset)
    return;
  assert_true(f->count < MOST);
  f->block[f->count] = block;
  f->bonus[f->count++] = bonus;
}

/* An offset that is what a block counts is described as one block more. */
static double saved_by(const truth *t) { return fabs(t->offset) == fabs(t->step) ? 1.4 * log2(fabs(t->step)) : 0; }

static bool has(const found *f, double block, double bonus)
{
  double least = saved_by(f->truth);
  for (size_t i = 0; i < f->count; i++)
    if (f->block[i] == block && (fabs(f->bonus[i] - least) < 1e-9 || f->bonus[i] > least + bonus - 1e-9))
      return true;
  return false;
}

static bool fits(const truth *t, double block)
{
  for (size_t i = 0; i < SIZES; i++)
    if (value_of(t, block, sizes[i]) != value_of(t, t->block, sizes[i]))
      return false;
  return true;
}

TEST(blocks)
{
  static const truth truths[] = {
      {0, 0, 1, 1, 512, 0, false, false},    {0, 0, 1, 1, 512, 0, true, false},   {0, 0, 1, 3, 1000, 7, false, false},
      {0, 0, 1, 3, 1000, 7, true, false},    {0, 0, 1, 2, 350, -2, false, false}, {0, 1, 1, 5, 700, 1, false, false},
      {0, 2, 1, 1, 64, 0, true, false},      {1, 0, 1, 4, 130, 3, false, false},  {1, -1, 2, 1, 256, 0, false, false},
      {1, 1, 2, 2, 300, 5, true, false},     {0, 7, 1, 1, 512, 0, false, false},  {0, 0, 1, 1, 512, 0, false, true},
      {0, 0, 1, 2, 1000, 3, true, true},     {0, 1, 1, -1, 512, 0, false, false}, {0, 3, 1, -2, 170, 10, true, false},
      {0, 0, 1, 1, 4096.0 / 24, 0, false},   {0, 0, 1, 1, 1500, 0, false, false}, {0, 0, 1, 1, 1024, 1, true, false},
      {0, 0, 1, 500, 350, 500, true, false}, {0, 0, 1, 50, 350, 100, true, false}};
  double buffer[SIZES];
  for (size_t i = 0; i < sizeof truths / sizeof *truths; i++) {
    const truth *t = &truths[i];
    double y[SIZES], first = 0, last = 0;
    found f = {.truth = t};
    sc_points points = {0};
    for (size_t k = 0; k < SIZES; k++)
      y[k] = value_of(t, t->block, sizes[k]);
    assert_int_equal(sc_points_gather(&(sc_series){sizes, y, SIZES, true}, &points), 0);
    sc_exact_blocks(&points, buffer, keep, &f);
    for (double block = 1; block < 40000; block++)
      if (fits(t, block)) {
        first = first > 0 ? first : block;
        last = block;
      }
    double bonus = log2(fmax(1, (last - first + 1) / 2));
    bool ends = first == 0 || (has(&f, first, bonus) && has(&f, last, bonus)), simple = has(&f, t->block, 0);
    if (!ends || !simple)
      fail_msg("case %zu: of %g to %g %s is missing", i, first, last, ends ? "the simplest" : "one");
    sc_points_free(&points);
  }
}

static void add_one(void *context, const sc_exact_sum *sum, double bonus)
{
  assert_true(sum->count > 0 && bonus >= 0);
  ++*(size_t *)context;
}

TEST(where_no_blocks_are_seen)
{
  static const struct {
    size_t count;
    double n[4], y[4];
    bool some;
  } cases[] = {{3, {1000, 2000, 3000}, {2, 4, 6}, true},
               {2, {1000, 2000}, {2, 4}},
               {4, {1000, 2000, 3000, 4000}, {2, 4, 5, 7}, true},
               {4, {1000, 2000, 3000, 4000}, {2, 4, 3, 8}},    /* up and down */
               {4, {1000, 2000, 3000, 4000}, {2, 2, 3, 3}},    /* one event */
               {4, {1000, 2000, 3000, 4000}, {2, 2, 3, 1000}}, /* not straight */
               {3, {0x1p24, 0x1p25, 0x1p26 - 1}, {0x1p12, 0x1p13, 0x1p14}, true},
               {3, {0x1p24, 0x1p25, 0x1p26}, {0x1p12, 0x1p13, 0x1p14}},
               {3, {1000, 2000, 3000}, {0x1p51, 0x1p52, 0x1p53}}};
  double buffer[4];
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sc_points points = {0};
    size_t count = 0;
    assert_int_equal(sc_points_gather(&(sc_series){cases[i].n, cases[i].y, cases[i].count, true}, &points), 0);
    sc_exact_blocks(&points, buffer, add_one, &count);
    if ((count > 0) != cases[i].some)
      fail_msg("case %zu: %zu", i, count);
    sc_points_free(&points);
  }
}
