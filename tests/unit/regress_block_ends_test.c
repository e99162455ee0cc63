/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts of blocks whose size few blocks leave open, however round one of the sizes is. */
#include "unit.h"

#include <math.h>

#include "regress_fit_scene.h"

static sc_model fit_blocks(const double *n, size_t count, double block)
{
  double y[8];
  for (size_t i = 0; i < count; i++)
    y[i] = ceil(n[i] / block);
  return fit(n, y, count, true);
}

/* Three of four items of a pool of 100 stay: a block is of 133.3 of them, and 128 is a rounder number. */
TEST(the_interval_holds_block_sizes_that_are_not_round)
{
  static const double n[] = {100, 211, 447, 687, 946, 1375, 2000};
  sc_model model = fit_blocks(n, 7, 400 / 3.0);
  sc_interval at = predict(&model, 20000);
  assert_false(model.exact);
  assert_true(at.low <= 150.5 + 1 && at.high >= 157);
}

/* Where many blocks leave 3% of block sizes or less, the round one is believed. */
TEST(many_blocks_show_their_size)
{
  static const double n[] = {1000, 3100, 7007, 9999, 25600, 40000};
  sc_model model = fit_blocks(n, 6, 128);
  sc_interval at = predict(&model, 4e5);
  assert_true(at.low == 3125 && at.high == 3125);
}

/* 1, 2, 4, 8, 16 lie on a power of n: other sizes are off by up to a count. */
TEST(smooth_functions_of_few_counts_are_rounded)
{
  static const double n[] = {100, 300, 900, 2700, 8100}, few[] = {1, 3, 5, 10, 20};
  static const double many[] = {100000, 300000, 500000, 1000000, 2000000};
  sc_model small = fit(n, few, 5, true), large = fit(n, many, 5, true);
  assert_true(small.exact || small.scatter >= 0.5 / 20);
  assert_true(large.exact || large.scatter >= 0.5 / 2e6);
  assert_false(small.exact);
}
