/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Work for each digit of the numbers that a program prints or reads. */
#include "unit.h"

#include "regress/exact/digits.h"

#include <math.h>

#include "regress_fit_scene.h"

/* Digits of the numbers 0 .. n - 1. */
static double all_digits(double n)
{
  double sum = 0;
  for (double i = 0; i < n; i++)
    sum += i > 0 ? floor(log10(i)) + 1 : 1;
  return sum;
}
static double printed(double n) { return 2 * all_digits(n) + 13 * n - 2; }
static double further_digits(double n) { return all_digits(n) - n; }
static double from_seven_on(double n) { return all_digits(n + 7) + 8 * n; }
/* What formatting "%s,%d" writes in all if each call's result is the next one's text. */
static double formatted_again(double n)
{
  double all = 0, length = 0;
  for (double i = 0; i < n; i++)
    all += length += 2 + (i > 0 ? floor(log10(i)) : 0);
  return all;
}
static double twice_formatted(double n) { return 2 * formatted_again(n) + 5 * n + 3; }
static double square_limit(double n) { return n * n + fmax(0, n - 100) * fmax(0, n - 150); }
static double limit(double n) { return 6 * n + fmax(0, n - 300); }
static double limit_of_100(double n) { return 6 * n + fmax(0, n - 100); }
static double tenth_digit(double n) { return n < 100 ? 2 * n : 12 * n - 1000; } /* ten more for each: no digit */

static const double sizes[] = {20, 48, 113, 269, 414, 640}, far[] = {900, 2560, 6400, 48000};

TEST(numbers_get_further_digits_beyond_the_sizes)
{
  static double (*const functions[])(double) = {printed, further_digits, from_seven_on};
  for (size_t f = 0; f < COUNT(functions); f++) {
    sc_model model = fit_counts(functions[f], sizes, COUNT(sizes));
    for (size_t i = 0; i < COUNT(far); i++)
      assert_true(sc_model_value(&model, far[i]) == functions[f](far[i]));
    assert_true(model.order.exponent == 1 && model.order.log_exponent == 0);
  }
}

TEST(what_is_formatted_again_gets_further_digits)
{
  static double (*const functions[])(double) = {formatted_again, twice_formatted};
  static const double wide[] = {20, 38, 57, 80, 113, 269, 414, 640};
  for (size_t f = 0; f < COUNT(functions); f++) {
    sc_interval at;
    sc_model model = fit_counts(functions[f], wide, COUNT(wide));
    for (size_t i = 0; i < COUNT(far) - 1; i++)
      assert_true(sc_model_value(&model, far[i]) == functions[f](far[i]));
    assert_false(model.exact);
    assert_int_equal(sc_model_predict(&model, 6400, 0.95, &at), 0);
    assert_true(at.low < at.high && at.high == functions[f](6400));
  }
  sc_model model = fit_counts(square_limit, wide, COUNT(wide));
  assert_true(model.piece_count == 1);
}

/* One change may be a limit as well: the interval holds both, and nothing is said to be exact. */
TEST(the_next_digit_is_not_certain)
{
  sc_interval at;
  sc_model model = fit_counts(printed, sizes, COUNT(sizes));
  assert_false(model.exact);
  assert_int_equal(sc_model_predict(&model, 6400, 0.95, &at), 0);
  assert_true(at.low == 19 * 6400.0 - 222 && at.high == printed(6400));
}

TEST(two_changes_alike_are_digits)
{
  static const double wide[] = {20, 48, 113, 269, 640, 1521, 2300, 3616};
  sc_interval at;
  sc_model model = fit_counts(printed, wide, COUNT(wide));
  assert_int_equal(sc_model_predict(&model, 36000, 0.95, &at), 0);
  assert_true(at.value == printed(36000) && at.high < 1.001 * at.low);
}

/* One size below a change tells it if what it is off by is a whole number of steps for each number; the line behind it
 * may be the last all the same. */
TEST(one_size_below_a_change_is_enough)
{
  static const double n[] = {50, 100, 136, 185, 251, 342, 499, 584, 684, 800};
  static const double y[] = {1520, 3070, 4294, 5960, 8204, 11298, 16636, 19526, 22926, 26870};
  sc_model model = fit(n, y, COUNT(n), true);
  sc_interval at;
  assert_int_equal(sc_model_predict(&model, 8000, 0.95, &at), 0);
  assert_true(at.value == 292670 && at.low == 271670 && at.high == 292670);
  assert_false(model.exact);
  assert_true(model.pieces[0].until == 100 && model.pieces[0].until_low == 50 && model.pieces[0].until_high == 100);
  for (size_t i = 0; i < COUNT(n); i++)
    assert_true(sc_model_value(&model, n[i]) == y[i]);
}

/* 26 n - 110 is what numbers of three digits leave: nobody counts 110 less. */
static double printed_lines(double n) { return 25 * n + further_digits(n); }
static double numbered_from_one(double n) { return 4 * n + 2 * (all_digits(n + 1) - n - 1) + 1; }

TEST(a_constant_tells_of_digits_where_no_change_is_seen)
{
  static double (*const functions[])(double) = {printed_lines, numbered_from_one};
  static const double hundreds[] = {100, 200, 400, 800}, tens[] = {20, 34, 57, 95};
  for (size_t f = 0; f < COUNT(functions); f++)
    for (size_t i = 0; i < COUNT(far); i++) {
      sc_model model = fit_counts(functions[f], hundreds, COUNT(hundreds));
      assert_true(sc_model_value(&model, far[i]) == functions[f](far[i]));
      model = fit_counts(functions[f], tens, COUNT(tens));
      assert_true(sc_model_value(&model, far[i]) == functions[f](far[i]));
    }
}

static double offset_line(double n) { return 26 * n - 87; }
static double above_line(double n) { return 26 * n + 110; }
static double too_flat(double n) { return n - 110; } /* of three digits: fewer steps than digits beyond the first */
static double half_steps(double n) { return 26 * n - 55; }
static double many_decades(double n) { return 25 * n + further_digits(n); } /* three changes leave no room for more */

TEST(other_constants_tell_nothing)
{
  static double (*const functions[])(double) = {offset_line, above_line, too_flat, half_steps};
  static const double hundreds[] = {150, 200, 400, 800}, decades[] = {5, 8, 20, 48, 113, 269, 640, 2048};
  sc_exact_model digits, as_is;
  sc_points points = {0};
  for (size_t f = 0; f < COUNT(functions); f++) {
    sc_model model = fit_counts(functions[f], hundreds, COUNT(hundreds));
    assert_true(model.exact && model.piece_count == 0 && sc_model_value(&model, 6400) == functions[f](6400));
  }
  double y[COUNT(decades)];
  for (size_t i = 0; i < COUNT(decades); i++)
    y[i] = many_decades(decades[i]);
  assert_int_equal(sc_points_gather(&(sc_series){decades, y, COUNT(decades), true}, &points), 0);
  assert_false(sc_exact_numbers(&points, &digits, &as_is));
  points.count--; /* without the fourth decade */
  assert_true(sc_exact_numbers(&points, &digits, &as_is));
  assert_true(digits.piece_count == SC_MODEL_PIECES && as_is.piece_count == 2);
  assert_float_equal(as_is.bits, digits.bits + 6, 1e-12);
  /* 25 n, and one for each digit: a sum's bit and the line's, then the digits' and their coefficient's */
  assert_float_equal(digits.bits, 1 + (1 + 1.5 + 1 + 1.4 * log2(25)) + (1 + 2 + 1), 1e-9);
  sc_points_free(&points);
}

/* `steps` for each number and for each of its further digits, around 10^9: the line's constant is 8,888,888,890 of them
 * below 0, and beyond 2^53 no double says which number that is. Around 10^15 it has more than 64 bits. */
static bool reads_steps(double steps, double around)
{
  double n[] = {around - 40, around - 28, around - 4, around + 12, around + 52, around + 90}, y[COUNT(n)], digits = 0;
  sc_exact_model go_on, as_is;
  sc_points points = {0};
  for (double power = 10; power < around; power *= 10)
    digits++;
  for (size_t i = 0; i < COUNT(n); i++)
    y[i] = steps * ((1 + digits) * (n[i] - n[0]) + fmax(0, n[i] - around));
  assert_int_equal(sc_points_gather(&(sc_series){n, y, COUNT(n), true}, &points), 0);
  bool read = sc_exact_numbers(&points, &go_on, &as_is);
  sc_points_free(&points);
  return read;
}

TEST(constants_are_known_to_2_to_the_53)
{
  assert_true(reads_steps(1013000, 1e9));
  assert_false(reads_steps(1014000, 1e9));
  assert_false(reads_steps(0x1p20, 1e15));
}

TEST(other_changes_are_the_last)
{
  static const double beyond[] = {20, 48, 80, 369, 640, 1521, 3616};
  sc_model model = fit_counts(limit, beyond, COUNT(beyond));
  assert_true(model.exact && model.piece_count == 1);
  model = fit_counts(tenth_digit, sizes, COUNT(sizes));
  assert_true(model.exact && model.piece_count == 1);
  model = fit_counts(limit_of_100, beyond, COUNT(beyond)); /* nothing changes at 1,000 */
  assert_true(model.exact && model.piece_count == 1);
}
