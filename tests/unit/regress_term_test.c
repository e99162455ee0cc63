/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include <math.h>

#include "regress/core/term.h"

#define near_to(value, expected) unit_near_by(value, expected, 1e-12)

TEST(powers_and_logarithms)
{
  static const double exponents[] = {-1, 0, 0.3, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5};
  for (size_t i = 0; i < COUNT(exponents); i++)
    for (double log_exponent = -2; log_exponent <= 2; log_exponent++) {
      sc_term term = {1, exponents[i], log_exponent};
      near_to(sc_term_basis(&term, 7), pow(7, exponents[i]) * pow(log2(7), log_exponent));
      near_to(sc_term_basis_at(&term, 7, 3), pow(7, exponents[i]) * pow(3, log_exponent));
      near_to(sc_term_basis(&term, 1.5), /* quotients are those of 2 and more */
              pow(1.5, exponents[i]) * (log_exponent > 0 ? pow(log2(1.5), log_exponent) : 1));
      term.base = 1.5;
      near_to(sc_term_basis_at(&term, 7, 3), pow(7, exponents[i]) * pow(3, log_exponent) * pow(1.5, 7));
    }
}

TEST(shapes)
{
  static const struct {
    sc_term term;
    double n, value;
  } cases[] = {{{1, 0, 1, 0, SC_SHAPE_CEIL_LOG}, 8, 3},
               {{1, 0, 1, 0, SC_SHAPE_CEIL_LOG}, 9, 4},
               {{1, 0, 1, 0, SC_SHAPE_CEIL_LOG}, 1, 0},
               {{1, 1, 2, 0, SC_SHAPE_CEIL_LOG}, 9, 9 * 16},
               {{1, 0, 1, 0, SC_SHAPE_FLOOR_LOG}, 7, 2},
               {{1, 0, 1, 0, SC_SHAPE_FLOOR_LOG}, 8, 3},
               {{1, 2, 1, 0, SC_SHAPE_FLOOR_LOG}, 8, 64 * 3},
               {{1, 0, 1, 0, SC_SHAPE_CEIL_LOG, 10}, 1000, 3},
               {{1, 0, 1, 0, SC_SHAPE_CEIL_LOG, 10}, 1001, 4},
               {{1, 1, 2, 0, SC_SHAPE_CEIL_LOG, 10}, 11, 11 * 4},
               {{1, 0, 1, 0, SC_SHAPE_FLOOR_LOG, 10}, 999, 2},
               {{1, 0, 1, 0, SC_SHAPE_FLOOR_LOG, 10}, 1000, 3},
               {{1, 0, 1, 0, SC_SHAPE_FLOOR_LOG, 1}, 1000, 0},
               {{1, 1, 0, 0, SC_SHAPE_CEIL_POWER}, 9, 16},
               {{1, 1, 0, 0, SC_SHAPE_CEIL_POWER}, 16, 16},
               {{1, 2, 0, 0, SC_SHAPE_CEIL_POWER}, 9, 9 * 16},
               {{1, 1, 0, 0, SC_SHAPE_CEIL_POWER, 3}, 13, 8},
               {{1, 1, 0, 0, SC_SHAPE_FLOOR_POWER}, 15, 8},
               {{1, 2, 0, 0, SC_SHAPE_FLOOR_POWER, 3}, 13, 13 * 4},
               {{1, 1, 0, 0, SC_SHAPE_CEIL_BLOCK, 10}, 30, 3},
               {{1, 2, 0, 0, SC_SHAPE_CEIL_BLOCK, 10}, 31, 31 * 4},
               {{1, 1, 0, 0, SC_SHAPE_FLOOR_BLOCK, 10}, 39, 3},
               {{1, 2, 0, 0, SC_SHAPE_FLOOR_BLOCK, 10}, 40, 160},
               {{1, 2, 0, 0, SC_SHAPE_BLOCK_SQUARE, 10}, 41, 25},
               {{1, 3, 0, 0, SC_SHAPE_BLOCK_SQUARE, 10}, 41, 41 * 25},
               {{1, 2, 0, 0, SC_SHAPE_FLOOR_SQUARE, 10}, 49, 16},
               {{1, 0.5, 0, 0, SC_SHAPE_FLOOR_ROOT}, 35, 5},
               {{1, 1.5, 0, 0, SC_SHAPE_FLOOR_ROOT}, 36, 216},
               {{1, 0, 0, 0, SC_SHAPE_HYPERBOLIC, 30}, 10, 0.25},
               {{1, 0, 0, 0, SC_SHAPE_APPROACH, 10}, 20, 0.86466471676338731}}; /* 1 - exp(-2) */
  for (size_t i = 0; i < COUNT(cases); i++)
    near_to(sc_term_basis(&cases[i].term, cases[i].n), cases[i].value);
}

TEST(constants_sums_and_orders)
{
  static const sc_term sum[] = {{3, 2, 0}, {-2, 1, 0}, {5, 0, 0}};
  static const sc_term growing[] = {{1, 1, 0}, {1, 0, 1}, {1, 0, 0, 1.5}, {1, 0, 0, 0, SC_SHAPE_APPROACH, 1}};
  assert_true(sc_term_sum(sum, 3, 10) == 285 && sc_term_sum(sum, 0, 10) == 0);
  assert_true(sc_term_is_constant(sum + 2, 1) && sc_term_is_constant(sum, 0) && !sc_term_is_constant(sum + 1, 2));
  for (size_t i = 0; i < COUNT(growing); i++)
    assert_false(sc_term_is_constant(&growing[i], 1));
  sc_order order = sc_term_order((sc_term[]){{2, 1.6, 1}}, 1);
  assert_true(order.exponent == 1.6 && order.log_exponent == 1 && order.integer == 2 && order.base == 0);
  order = sc_term_order((sc_term[]){{2, 0.5, 0, 1.5}}, 1);
  assert_true(order.exponent == SC_ORDER_EXPONENTIAL && order.integer == SC_ORDER_EXPONENTIAL && order.base == 1.5 &&
              order.beside == 0.5);
  order = sc_term_order((sc_term[]){{2, 1, 0, 1}}, 1);
  assert_true(order.exponent == 1 && order.base == 0);
  assert_true(sc_term_order((sc_term[]){{-2, 2, 1}}, 1).exponent == 0);
  assert_true(sc_term_order((sc_term[]){{2, -2, 1}}, 1).exponent == 0);
  assert_true(sc_term_order((sc_term[]){{0, 2, 0}}, 1).exponent == 2);
  assert_true(sc_term_order(sum, 0).exponent == 0);
}

TEST(sorted_by_growth_without_zeros)
{
  sc_term terms[] = {{1, 0, 0}, {0, 3, 0}, {2, 1, 0}, {3, 1, 1}};
  size_t map[4];
  assert_int_equal(sc_term_sort(terms, 4, map), 3);
  assert_true(terms[0].coefficient == 3 && terms[1].coefficient == 2 && terms[2].coefficient == 1);
  assert_true(map[0] == 3 && map[1] == 2 && map[2] == 0);
  static const sc_term ascending[] = {{1, -1, 0},     {1, 0, 0},      {1, 0, 0, 0, SC_SHAPE_CEIL_LOG},
                                      {1, 0, 1},      {1, 1, -1},     {1, 1, 0},
                                      {1, 0, 0, 1.5}, {1, 1, 0, 1.5}, {1, 0, 0, 2}};
  for (size_t i = 0; i < COUNT(ascending); i++)
    for (size_t k = 0; k < COUNT(ascending); k++) {
      int got = sc_term_compare(&ascending[i], &ascending[k]);
      assert_true((got > 0) - (got < 0) == (i > k) - (i < k));
    }
}
