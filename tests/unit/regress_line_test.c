/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include <math.h>

#include "regress/core/line.h"

static sc_line fit(const double points[][2], size_t count, double relative)
{
  sc_line_sums sums = {0};
  for (size_t i = 0; i < count; i++)
    sc_line_add(&sums, points[i][0], points[i][1], relative * points[i][1]);
  return sc_line_fit(&sums);
}

TEST(finds_both_parts)
{
  sc_line line = fit((const double[][2]){{1, 5}, {2, 7}, {10, 23}}, 3, 1);
  assert_true(line.varies && fabs(line.start - 3) < 1e-9 && fabs(line.each - 2) < 1e-9);
  assert_true(sc_line_miss(&line, 2, 7, 1) < 1e-15 && fabs(sc_line_miss(&line, 2, 9, 2) - 1) < 1e-9);
}

/* The variance of `each` is that of textbooks: 1 over the squares of x about their mean, for errors of 1. */
TEST(knows_how_far_it_is_open)
{
  sc_line_sums sums = {0};
  for (int x = 1; x <= 5; x++)
    sc_line_add(&sums, x, 10 + x, 1);
  assert_true(fabs(sc_line_fit(&sums).spread - 0.1) < 1e-12);
}

TEST(neither_part_is_negative)
{
  sc_line falls = fit((const double[][2]){{1, 9}, {2, 7}, {3, 5}}, 3, 1),
          below = fit((const double[][2]){{2, 1}, {4, 5}}, 2, 1);
  assert_true(falls.each == 0 && falls.start > 5 && falls.start < 9);
  assert_true(below.start == 0 && below.each > 0.5 && below.each < 1.25);
}

/* x that differ by a millionth tell the parts apart, those that differ by what rounding does do not. */
TEST(equal_x_say_nothing_of_each)
{
  sc_line same = fit((const double[][2]){{1, 4}, {1 + 1e-9, 4}, {1, 4}}, 3, 1);
  assert_true(!same.varies && same.each == 0 && fabs(same.start - 4) < 1e-9);
  assert_true(fit((const double[][2]){{1, 4}, {1 + 1e-5, 4.1}}, 2, 1).varies);
  sc_line_sums sums = {0};
  sc_line_add(&sums, 2, 6, 1);
  assert_true(sc_line_through_zero(&sums).each == 3 && sc_line_through_zero(&sums).spread == 0);
}

/* Errors of 1/2: four times the weight, and a quarter of the variance. */
TEST(errors_are_weights)
{
  sc_line_sums sums = {0}, half = {0};
  for (int x = 1; x <= 5; x++) {
    sc_line_add(&sums, x, 2 * x + (x % 2 ? 0.1 : -0.1), 1);
    sc_line_add(&half, x, 2 * x + (x % 2 ? 0.1 : -0.1), 0.5);
  }
  unit_near(sc_line_through_zero(&sums).each, (55 * 2 + 0.1 * (1 - 2 + 3 - 4 + 5)) / 55);
  unit_near(sc_line_through_zero(&half).each, sc_line_through_zero(&sums).each);
  unit_near(sc_line_through_zero(&sums).spread, 5.0 / (5 * 55 - 15 * 15));
  unit_near(sc_line_through_zero(&half).spread, 5.0 / (5 * 55 - 15 * 15) / 4);
  unit_near(sc_line_fit(&half).spread, 0.1 / 4);
  sc_line_sums uneven = {0}; /* 9 at 1 with an error of 1, and 4 at 3 with one of 1/3 */
  sc_line_add(&uneven, 1, 9, 1);
  sc_line_add(&uneven, 3, 4, 1 / 3.0);
  unit_near(sc_line_through_zero(&uneven).each, (9 + 9 * 12) / (1 + 9 * 9.0));
  unit_near(sc_line_fit(&uneven).start, (9 + 9 * 4) / 10.0); /* it would fall */
  unit_near(sc_line_through_zero(&uneven).spread, 10.0 / (10 * 82 - 28 * 28));
  sc_line flat = {.start = 1, .each = 2};
  unit_near(sc_line_miss(&flat, 3, 5, 0.5), 16);
}
