/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include <math.h>

#include "regress/choose/trend.h"

static const double n[] = {1, M_E, M_E *M_E, M_E *M_E *M_E}, y[] = {1, M_E, M_E, M_E *M_E};

#define near_to(value, expected) unit_near_by(value, expected, 1e-6)

/* Logarithms 0, 1, 1, 2 at 0, 1, 2, 3: slope 0.6, residuals -0.1, 0.3, -0.3, 0.1 with two degrees of freedom. */
TEST(a_line_through_four_logarithms)
{
  sc_trend t;
  assert_true(sc_trend_fit(n, y, 4, 0, &t));
  near_to(t.slope, 0.6);
  near_to(t.level, 1);
  near_to(t.centre, 1.5);
  near_to(t.spread, 5);
  near_to(t.residual, sqrt(0.2 / 2));
  assert_true(t.sizes == 4 && t.n_max == n[3]);
  double half = 4.30265273 * sqrt(0.1 / 5); /* Student's t of 0.975 with two degrees */
  near_to(sc_trend_bound(&t, 0.95, -1), 0.6 - half);
  near_to(sc_trend_bound(&t, 0.95, 1), 0.6 + half);
  assert_false(sc_trend_certain(&t, 0.95));
  assert_true(sc_trend_certain(&t, 0.9)); /* 2.91998558: 0.6 - 0.413 */
  assert_true(sc_trend_fit(n, y, 4, 0.5, &t));
  near_to(t.residual, 0.5);
}

/* Three repeats of each size, a distance apart: the mean of three is as uncertain as they are. */
TEST(repeats_say_how_uncertain_a_size_is)
{
  static const double apart[] = {0.3, 0.01};
  double sizes[12], values[12];
  sc_trend t;
  for (size_t k = 0; k < 2; k++) {
    for (size_t i = 0; i < 12; i++) {
      sizes[i] = n[i / 3];
      values[i] = exp(apart[k] * ((double)(i % 3) - 1));
    }
    assert_true(sc_trend_fit(sizes, values, 12, 0, &t));
    near_to(t.residual, 0);
    sc_trend_repeat(&t, sizes, values, 12, 0.02);
    near_to(t.freedom, 10);
    near_to(t.residual, fmax(sqrt(4 * 2 * apart[k] * apart[k] / 10 / 3), 0.02));
  }
  assert_true(sc_trend_fit(n, y, 4, 0, &t)); /* without repeats it stays as it was */
  sc_trend_repeat(&t, n, y, 4, 0.5);
  assert_true(t.freedom == 2);
  near_to(t.residual, sqrt(0.2 / 2));
}

TEST(uncertain_slopes_count_for_the_interval_alone)
{
  sc_trend t;
  sc_interval i;
  assert_true(sc_trend_fit(n, y, 4, 0, &t));
  sc_trend_predict(&t, exp(3.5), 0.9, &i);
  double half = 2.91998558 * sqrt(0.1 * (0.25 + 4.0 / 5));
  near_to(i.value, exp(1 + 0.6 * 2));
  near_to(i.low, exp(1 + 0.6 * 2 - half));
  near_to(i.high, exp(1 + 0.6 * 2 + half));
  sc_trend_predict(&t, exp(3.5), 0.95, &i);
  half = 4.30265273 * sqrt(0.1 * (0.25 + 4.0 / 5));
  near_to(i.value, exp(1));
  near_to(i.low, exp(1 - half));
  near_to(i.high, exp(1 + 0.6 * 2 + half));
}

TEST(falling_values_are_certain_too)
{
  sc_trend t;
  const double down[] = {8, 4, 2, 1};
  assert_true(sc_trend_fit(n, down, 4, 0.01, &t));
  assert_true(t.slope < 0 && sc_trend_certain(&t, 0.95));
}

TEST(repeats_are_one_mean_and_what_is_no_number_is_left_out)
{
  sc_trend t;
  const double sizes[] = {1, 1, M_E, M_E * M_E, M_E * M_E}, values[] = {1, M_E * M_E, M_E, M_E, -1};
  assert_true(sc_trend_fit(sizes, values, 5, 0, &t));
  assert_true(t.sizes == 3 && t.residual < 1e-9);
  near_to(t.level, 1);
  assert_false(sc_trend_fit(sizes, values, 3, 0, &t)); /* two sizes */
}

TEST(the_median_of_slopes_is_not_moved_by_one_size)
{
  const double four[] = {1, 2, 4, 8}, squares[] = {1, 4, 16, 64}, off[] = {1, 4, 16, 1000}, few[] = {1, 4, 0, 0};
  near_to(sc_trend_slope(four, squares, 4), 2);
  assert_true(sc_trend_slope(four, off, 4) < 4);
  assert_true(sc_trend_slope(four, few, 4) == 0);
  near_to(sc_trend_slope(four, squares, 3), 2); /* three pairs */
}

/* A slope of 0 without any scatter is no trend, on neither side. */
TEST(what_stays_the_same_is_certain_of_nothing)
{
  sc_trend t;
  const double flat[] = {1, 1, 1, 1};
  assert_true(sc_trend_fit(n, flat, 4, 0, &t));
  assert_true(sc_trend_bound(&t, 0.95, 1) == 0 && sc_trend_bound(&t, 0.95, -1) == 0);
  assert_false(sc_trend_certain(&t, 0.95));
}

/* Two values more than sizes are needed; what sizes and their repeats miss by is put together. */
TEST(two_more_than_sizes_are_repeats)
{
  double sizes[6] = {n[0], n[1], n[2], n[3], n[3], n[3]}, values[6] = {y[0], y[1], y[2], y[3], y[3], y[3]};
  for (size_t count = 4; count <= 6; count++) {
    sc_trend t;
    assert_true(sc_trend_fit(sizes, values, count, 0, &t));
    assert_int_equal(sc_trend_repeat(&t, sizes, values, count, 0), count == 6);
    near_to(t.freedom, count == 6 ? 4 : 2);
    near_to(t.residual, count == 6 ? sqrt(0.1 * 2 * 1.5 / 4 / 1.5) : sqrt(0.1)); /* repeats that are the same */
  }
  sc_trend t;
  values[4] *= exp(0.2), values[5] *= exp(-0.2);
  assert_true(sc_trend_fit(sizes, values, 6, 0, &t));
  assert_true(sc_trend_repeat(&t, sizes, values, 6, 0));
  near_to(t.residual, sqrt((2 * 0.04 + 0.1 * 2 * 1.5) / 4 / 1.5));
}
