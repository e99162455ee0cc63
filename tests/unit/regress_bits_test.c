/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include <math.h>

#include "regress/exact/sum.h"

enum { MOST = 1 << 20 }; /* large enough that no number is cheaper by its share of the values */

static void bits_are(sc_exact_sum sum, double expected)
{
  double bits = sc_exact_sum_bits(&sum, 1, (double)MOST * MOST);
  if (!(fabs(bits - expected) < 1e-9))
    fail_msg("%.12g is not %.12g", bits, expected);
}

/* One bit for the end, one for each term, those of its function, one and 1.4 for each doubling of its number. */
TEST(functions_and_numbers_have_their_prices)
{
  static const double powers[] = {1, 1.5, 2.5, 4, 5};
  for (int e = 0; e <= SC_EXACT_DEGREE; e++)
    bits_are((sc_exact_sum){{{0, e, 0}}, {1}, 1, 1}, 1 + 1 + powers[e] + 1);
  bits_are((sc_exact_sum){{{0, 1, 0}, {0, 0, 0}}, {3, 17}, 1, 2},
           1 + (1 + 1.5 + 1 + 1.4 * log2(3)) + (1 + 1 + 1 + 1.4 * log2(17)));
  bits_are((sc_exact_sum){{{0, 1, 0}}, {-1}, 1, 1}, 1 + 1 + 1.5 + 1 + 1); /* and one for the sign */
  const sc_exact_sum large = {{{0, 1, 0}}, {1 << 10}, 1, 1};              /* of values to 2,047 at 1 */
  assert_float_equal(sc_exact_sum_bits(&large, 1, 2047), 1 + 1 + 1.5 + 2 + 11, 1e-9);
  assert_float_equal(sc_exact_sum_bits(&large, 2, 4094), 1 + 1 + 1.5 + 2 + 11, 1e-9);
}

TEST(sums_with_fractions_cost_more)
{
  static const struct {
    long under;
    double bits;
  } known[] = {{2, 2}, {6, 3}, {4, 3}, {3, 4}, {24, 4}, {8, 5}, {12, 5}, {5, 6 + 1.4 * 2.321928094887362}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    sc_exact_sum sum = {{{0, 1, 0}}, {1}, known[i].under, 1}; /* no whole number at every size: 4 bits */
    double bits = sc_exact_sum_bits(&sum, 1, (double)MOST * MOST);
    assert_float_equal(bits, 1 + known[i].bits + 1 + 1.5 + 1 + 4, 1e-9);
  }
  bits_are((sc_exact_sum){{{0, 2, 0}, {0, 1, 0}}, {1, -1}, 2, 2}, 1 + 2 + (1 + 2.5 + 1) + (1 + 1.5 + 1 + 1));
}

TEST(shapes_have_their_prices)
{
  static const struct {
    enum sc_shape shape;
    double exponent, log, scale, bits;
  } known[] = {
      {SC_SHAPE_CEIL_LOG, 0, 1, 0, 2},
      {SC_SHAPE_CEIL_LOG, 1, 1, 0, 2},
      {SC_SHAPE_CEIL_LOG, 2, 1, 0, 4},
      {SC_SHAPE_CEIL_LOG, 1, 2, 0, 5},
      {SC_SHAPE_FLOOR_LOG, 1, 1, 0, 3},
      {SC_SHAPE_FLOOR_LOG, 2, 2, 0, 8},
      {SC_SHAPE_CEIL_POWER, 1, 0, 0, 5},
      {SC_SHAPE_CEIL_POWER, 2, 0, 0, 6},
      {SC_SHAPE_FLOOR_POWER, 1, 0, 0, 6},
      {SC_SHAPE_FLOOR_POWER, 2, 0, 0, 7},
      {SC_SHAPE_FLOOR_ROOT, 0.5, 0, 0, 4.5},
      {SC_SHAPE_FLOOR_ROOT, 1.5, 0, 0, 5.5},
      {SC_SHAPE_CEIL_BLOCK, 1, 0, 2, 4},
      {SC_SHAPE_CEIL_BLOCK, 2, 0, 2, 5},
      {SC_SHAPE_FLOOR_BLOCK, 1, 0, 2, 5},
      {SC_SHAPE_FLOOR_BLOCK, 2, 0, 2, 6},
      {SC_SHAPE_BLOCK_SQUARE, 2, 0, 2, 6},
      {SC_SHAPE_BLOCK_SQUARE, 3, 0, 2, 7},
      {SC_SHAPE_FLOOR_SQUARE, 2, 0, 2, 7},
      {SC_SHAPE_FLOOR_SQUARE, 3, 0, 2, 8},
      {SC_SHAPE_CEIL_LOG, 2, 1, 10, 4 + 3.5},
      {SC_SHAPE_FLOOR_LOG, 1, 1, 10, 3 + 3.5},
      {SC_SHAPE_FLOOR_LOG, 2, 3, 10, 3 + 2 + 6 + 3.5},
      {SC_SHAPE_CEIL_POWER, 2, 0, 10, 6 + 3.5},
      {SC_SHAPE_FLOOR_POWER, 1, 0, 10, 6 + 3.5},
      {SC_SHAPE_FLOOR_POWER, 2, 0, 10, 7 + 3.5},
      {SC_SHAPE_BLOCK_SQUARE, 2, 0, 10, 4 + 3.5},
      {SC_SHAPE_CEIL_POWER, 1, 0, 4, 5 + 1 + 1.584962500721156}, /* 2^2: one and the length of the exponent */
      {SC_SHAPE_CEIL_LOG, 1, 1, 3, 2 + 2 + 1.4 * 1.584962500721156},
      {SC_SHAPE_CEIL_BLOCK, 1, 0, 10, 2 + 3.5}, /* one, two or five and zeros */
      {SC_SHAPE_CEIL_BLOCK, 1, 0, 500, 2 + 4},
      {SC_SHAPE_CEIL_BLOCK, 1, 0, 30, 2 + 5.5},
      {SC_SHAPE_CEIL_BLOCK, 1, 0, 33, 2 + 2 + 1.4 * 5.044394119358453},
      {SC_SHAPE_CEIL_BLOCK, 1, 0, 2.5, 2 + 7 + 1.4 * 2.321928094887362 + 1.4},
      {SC_SHAPE_CEIL_BLOCK, 1, 0, 0.5, 2 + 7 + 0 + 1.4},
  };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    sc_exact_sum sum = {.over = {1}, .under = 1, .count = 1};
    sum.basis[0] = (sc_term){
        .exponent = known[i].exponent, .log_exponent = known[i].log, .shape = known[i].shape, .scale = known[i].scale};
    double bits = sc_exact_sum_bits(&sum, 1000, (double)MOST * MOST * MOST);
    if (!(fabs(bits - (1 + 1 + known[i].bits + 1)) < 1e-9))
      fail_msg("shape %d, scale %g: %.12g is not %.12g", known[i].shape, known[i].scale, bits, 3 + known[i].bits);
  }
  sc_exact_sum none = {{{.exponent = 0, .shape = SC_SHAPE_HYPERBOLIC, .scale = 3}}, {1}, 1, 1};
  assert_true(isinf(sc_exact_sum_bits(&none, 1000, MOST)));
}

/* Whole numbers by their doublings, and by whatever is shorter: a power of two, or a digit and zeros. Quotients by both
 * numbers, down to 64ths. */
TEST(scales_have_their_prices)
{
  static const struct {
    double scale, bits;
  } known[] = {{3, 2 + 1.4 * 1.584962500721156},
               {9, 2 + 1.4 * 3.169925001442312},
               {2, 2},
               {4, 1 + 1.584962500721156},
               {1024, 1 + 3.459431618637297},
               {10, 3.5},
               {20, 3.5},
               {50, 3.5},
               {40, 5.5},
               {90, 5.5},
               {100, 4},
               {700, 6},
               {5e6, 6},
               {9e6, 8},
               {25, 2 + 1.4 * 4.643856189774724},
               {2.25, 7 + 1.4 * 3.169925001442312 + 1.4 * 2},
               {0.75, 7 + 1.4 * 1.584962500721156 + 1.4 * 2},
               {0.25, 7 + 1.4 * 2},
               {2.0 / 3, 7 + 1.4 + 1.4 * 1.584962500721156},
               {1.0 / 64, 7 + 1.4 * 6},
               {97.0 / 64, 7 + 1.4 * 6.599912842187128 + 1.4 * 6}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (fabs(sc_exact_scale_bits(known[i].scale) - known[i].bits) > 1e-9)
      fail_msg("%g: %.12g is not %.12g", known[i].scale, sc_exact_scale_bits(known[i].scale), known[i].bits);
  assert_true(isinf(sc_exact_scale_bits(1.0 / 128)) && isinf(sc_exact_scale_bits(M_PI)));
  unit_near(sc_exact_any_scale_bits(8), 2 + 1.4 * 3);
}

/* Of numbers up to 15: one and 1.4 for each doubling, or two and four for any of them. */
TEST(numbers_have_their_prices)
{
  static const double known[][2] = {{1, 1}, {2, 2.4}, {4, 3.8}, {8, 5.2}, {15, 1 + 1.4 * 3.906890595608518}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    unit_near(sc_exact_number_bits(known[i][0], 15), fmin(known[i][1], 6));
  unit_near(sc_exact_number_bits(15, 15), 6);
  unit_near(sc_exact_number_bits(1024, 1023), 12);
}
