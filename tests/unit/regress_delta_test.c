/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "regress/choose/fit.h"

static const double sizes[] = {50, 100, 200};

static sc_model fit(const double *n, const double *y, size_t count)
{
  sc_fit_options options = {SC_FIT_DELTA_INFER, 0.9};
  sc_model model;
  assert_int_equal(sc_fit_select(&(sc_series){n, y, count, true}, &options, &model), 0);
  return model;
}

static void line_where_it_fits_better(void **state)
{
  double y[] = {167, 317, 617};
  sc_model m = fit(sizes, y, 3);
  assert_int_equal(m.term_count, 2);
  assert_true(fabs(m.terms[0].coefficient - 3) < 1e-9 && m.terms[0].exponent == 1);
  assert_true(fabs(m.terms[1].coefficient - 17) < 1e-9 && m.terms[1].exponent == 0);
  assert_true(fabs(m.r2 - 1) < 1e-12);
  assert_int_equal(m.order.integer, 1);
  assert_false(m.exact);
}

static void power_law_where_it_fits_better(void **state)
{
  double y[] = {2500, 10000, 40000};
  sc_model m = fit(sizes, y, 3);
  assert_int_equal(m.term_count, 1);
  assert_true(fabs(m.terms[0].coefficient - 1) < 1e-9 && fabs(m.terms[0].exponent - 2) < 1e-9);
  assert_int_equal(m.order.integer, 2);
  assert_true(fabs(sc_model_value(&m, 5000) - 25e6) < 1);
}

/* R^2 worked out by hand from the sums of section 5.2: n = 1, 2, 3, y = 1, 2, 4 give 27/28 for the line. In logarithms
 * it is 0.98. */
static void r2_is_the_squared_correlation(void **state)
{
  double n[] = {1, 2, 3}, y[] = {1, 2, 4};
  sc_model m = fit(n, y, 3);
  double lx[3], ly[3], xy = 0, xx = 0, yy = 0, mx = 0, my = 0;
  for (int i = 0; i < 3; i++) {
    lx[i] = log(n[i]), ly[i] = log(y[i]);
    mx += lx[i] / 3, my += ly[i] / 3;
  }
  for (int i = 0; i < 3; i++)
    xy += (lx[i] - mx) * (ly[i] - my), xx += (lx[i] - mx) * (lx[i] - mx), yy += (ly[i] - my) * (ly[i] - my);
  double logarithmic = xy * xy / (xx * yy), linear = 27.0 / 28.0;
  assert_true(fabs(m.r2 - fmax(logarithmic, linear)) < 1e-12);
  assert_int_equal(m.term_count, logarithmic > linear ? 1 : 2);
}

/* n(n-1)/2 is a power law of exponent about 2.02 to the paper's pair; section 6.1 rounds it. */
static void decimal_orders_are_rounded(void **state)
{
  double y[] = {1225, 4950, 19900};
  sc_model m = fit(sizes, y, 3);
  assert_true(m.order.exponent > 2 && m.order.exponent < 2.05);
  assert_int_equal(m.order.integer, 2);
}

static void order_0_below_the_threshold(void **state)
{
  double n[] = {100, 200, 300, 400, 500}, y[] = {10, 30, 5, 40, 12};
  sc_model m = fit(n, y, 5);
  assert_true(m.r2 < 0.9);
  assert_int_equal(m.order.integer, 0);
  assert_true(m.order.exponent == 0);
}

static void order_0_when_falling_or_level(void **state)
{
  double falling[] = {300, 200, 0}, level[] = {7, 7, 7}, nothing[] = {0, 0, 0};
  sc_model m = fit(sizes, falling, 3);
  assert_int_equal(m.term_count, 2);
  assert_true(m.terms[0].coefficient < 0);
  assert_int_equal(m.order.integer, 0);
  m = fit(sizes, level, 3);
  assert_true(m.r2 == 1 && m.order.integer == 0 && sc_model_value(&m, 1e6) == 7);
  m = fit(sizes, nothing, 3);
  assert_true(m.r2 == 1 && m.order.integer == 0 && sc_model_value(&m, 1e6) == 0);
}

/* A power law has no logarithm of 0: the line alone is left. */
static void zeros_leave_the_line(void **state)
{
  double n[] = {10, 20, 30, 40}, y[] = {0, 100, 400, 900};
  sc_model m = fit(n, y, 4);
  assert_int_equal(m.term_count, 2);
  assert_true(m.terms[0].exponent == 1);
}

static void one_size_cannot_tell(void **state)
{
  double n[] = {10, 10}, y[] = {3, 3};
  sc_model m = fit(n, y, 2);
  assert_int_equal(m.verdict, SC_VERDICT_CANNOT_TELL);
  m = fit(sizes, y, 2);
  assert_int_equal(m.verdict, SC_VERDICT_MODEL);
}

static void has_an_interval(void **state)
{
  double n[] = {100, 200, 400, 800, 1600}, y[] = {1020, 1990, 4100, 7900, 16100};
  sc_model m = fit(n, y, 5);
  sc_interval near, far;
  assert_int_equal(sc_model_predict(&m, 1600, 0.95, &near), 0);
  assert_int_equal(sc_model_predict(&m, 16000, 0.95, &far), 0);
  assert_true(near.low < near.value && near.value < near.high);
  assert_true(far.low <= 160000 && 160000 <= far.high);
  assert_true((far.high - far.low) / far.value < 1);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(line_where_it_fits_better),
      cmocka_unit_test(power_law_where_it_fits_better),
      cmocka_unit_test(r2_is_the_squared_correlation),
      cmocka_unit_test(decimal_orders_are_rounded),
      cmocka_unit_test(order_0_below_the_threshold),
      cmocka_unit_test(order_0_when_falling_or_level),
      cmocka_unit_test(zeros_leave_the_line),
      cmocka_unit_test(one_size_cannot_tell),
      cmocka_unit_test(has_an_interval),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
