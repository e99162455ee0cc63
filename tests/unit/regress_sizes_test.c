/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include <math.h>
#include <string.h>

#include "regress/core/sizes.h"

static void fill(sc_sizes *sizes, const double *n, size_t count)
{
  for (size_t i = 0; i < count; i++)
    assert_int_equal(sc_sizes_add(sizes, n[i]), 0);
}

#define near_to(value, expected) unit_near_by(value, expected, 1e-12)

TEST(a_set_of_sizes)
{
  static const double n[] = {400, 100, 200, 200, 100, 100};
  sc_sizes sizes = {0};
  assert_true(sc_sizes_nearest(&sizes, 10) == 0);
  fill(&sizes, n, 3);
  assert_true(sc_sizes_has(&sizes, 400) && sc_sizes_has(&sizes, 200) && !sc_sizes_has(&sizes, 300));
  assert_true(sc_sizes_nearest(&sizes, 149) == 100 && sc_sizes_nearest(&sizes, 151) == 200);
  assert_true(sc_sizes_nearest(&sizes, 150) == 100); /* of two as near the smaller */
  assert_true(sc_sizes_nearest(&sizes, 300) == 200 && sc_sizes_nearest(&sizes, 1e9) == 400);
  sc_sizes_remove(&sizes, 100);
  assert_true(sizes.count == 2 && sizes.n[0] == 400 && sizes.n[1] == 200);
  sc_sizes_free(&sizes);
  assert_int_equal(sc_sizes_distinct(n, 1, 6), 4);
  assert_int_equal(sc_sizes_distinct(n, 2, 3), 3);
  assert_int_equal(sc_sizes_distinct(n, 1, 0), 0);
}

/* Two digits, upwards; what has no more of them stays, though rounding put it a little above. */
TEST(sizes_are_rounded_up_to_two_digits)
{
  static const double cases[][2] = {{1, 1},     {7.01, 7.1}, {99, 99},        {99.5, 100},
                                    {101, 110}, {110, 110},  {123456, 1.3e5}, {0.0123, 0.013}};
  for (size_t i = 0; i < COUNT(cases); i++)
    near_to(sc_sizes_round_up(cases[i][0]), cases[i][1]);
  assert_true(sc_sizes_round_up(9.61) == 9.7 && sc_sizes_round_up(0.0691) == 0.07);
  near_to(sc_sizes_round_up(1.1 * 1e5), 1.1e5); /* 110000.00000000001 */
}

/* What was asked for, or else the middle of the first gap below it that is a factor of 1.25 wide, or of the widest. */
TEST(a_new_size_up_to_one)
{
  static const struct {
    double n[4], wanted;
    bool whole;
    double got;
  } cases[] = {{{100, 200, 300, 400}, 350.5, false, 350.5},
               {{100, 200, 300, 400}, 350.5, true, 350},
               {{100, 200, 300, 400}, 400, true, 350},
               {{100, 200, 300, 400.5}, 400.5, false, 350.25},
               {{100, 200, 321, 400}, 400, false, 260.5},
               {{100, 200, 319, 400}, 400, false, 359.5},
               {{330, 350, 380, 400}, 400, false, 365},
               {{97, 98, 99, 100}, 100, false, 97.5},
               {{97, 98, 99, 100}, 100, true, 0},
               {{97, 99, 100, 101}, 101, true, 98},
               {{320, 330, 340, 400}, 400, true, 370},
               {{1000, 1100, 1210, 1331}, 1331, false, 1270.5}, /* the first of alike */
               {{100, 125, 126, 127}, 127, true, 113}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    sc_sizes sizes = {0};
    fill(&sizes, cases[i].n, 4);
    near_to(sc_sizes_up_to(&sizes, cases[i].wanted, cases[i].whole), cases[i].got);
    sc_sizes_free(&sizes);
  }
}

TEST(sizes_are_checked)
{
  static const double bad[] = {0, -1, INFINITY, NAN};
  assert_int_equal(sc_sizes_check((double[]){1, 2.5}, 2, false, "sizes"), 0);
  assert_int_equal(sc_sizes_check((double[]){1, 2.5}, 2, true, "sizes"), SC_E_INPUT);
  assert_non_null(strstr(sc_err_message(), "2.5 cannot be one of the sizes"));
  assert_non_null(strstr(sc_err_hint_text(), "whole numbers"));
  for (size_t i = 0; i < COUNT(bad); i++)
    assert_int_equal(sc_sizes_check((double[]){1, bad[i]}, 2, false, "sizes"), SC_E_INPUT);
}

/* Between low and high in equal factors; where these are powers of two (to 0.05 doublings) inner ones are moved. */
TEST(sizes_spread_over_a_range)
{
  static const struct {
    double low, high;
    size_t i, count;
    double n;
  } cases[] = {{100, 900, 0, 3, 100},
               {100, 900, 1, 3, 300},
               {100, 900, 2, 3, 900},
               {100, 900, 0, 1, 900},
               {100, 400, 0, 3, 100},
               {100, 800, 3, 4, 800},
               {100, 400, 1, 3, 229.739670999407},
               {100, 800, 2, 4, 360.500185044332},   /* 100 2^1.2, 100 2^1.85 */
               {100, 1600, 1, 3, 527.803164309158}}; /* 100 2^2.4 */
  for (size_t i = 0; i < COUNT(cases); i++)
    near_to(sc_sizes_spread(cases[i].low, cases[i].high, cases[i].i, cases[i].count), cases[i].n);
  double step = exp2(1.0499), wide = exp2(1.0501), close = exp2(0.9501), closer = exp2(0.9499);
  near_to(sc_sizes_spread(100, 100 * step * step, 1, 3), 100 * pow(step, 1.2));
  near_to(sc_sizes_spread(100, 100 * wide * wide, 1, 3), 100 * wide);
  near_to(sc_sizes_spread(100, 100 * close * close, 1, 3), 100 * pow(close, 1.2));
  near_to(sc_sizes_spread(100, 100 * closer * closer, 1, 3), 100 * closer);
  near_to(sc_sizes_spaced(1, 6400, 0, 3), 100); /* no wider than a factor of 64 */
  near_to(sc_sizes_spaced(200, 6400, 0, 3), 200);
}
