/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Leading terms that are small at the sizes measured, and most of what is far beyond. */

#include "unit.h"

#include <math.h>

#include "regress/choose/fit.h"
#include "regress/forms/space.h"

enum { SIZES = 6 };
static const double sizes[SIZES] = {10, 23, 55, 128, 195, 300}, far = 1e6;

static double rounded_square(double n) { return 20000 * n + floor(n * n / 16); }
/* Eight steps of each height: no polynomial is it exactly. */
static double stairs(double n)
{
  double sum = 20000 * n, whole = floor(n / 8);
  return sum + 4 * whole * (whole - 1) + whole * (n - 8 * whole);
}

static sc_interval predict(double (*f)(double), sc_model *model)
{
  double y[SIZES];
  sc_interval at;
  for (size_t i = 0; i < SIZES; i++)
    y[i] = f(sizes[i]);
  const sc_series series = {sizes, y, SIZES, true};
  assert_int_equal(sc_fit_select(&series, &SC_FIT_OPTIONS_DEFAULT, model), 0);
  assert_int_equal(sc_model_predict(model, far, 0.95, &at), 0);
  return at;
}

/* A thousandth of the sum at the largest size, 99% a thousand times beyond it. */
TEST(small_squares_in_clean_counts_are_found)
{
  sc_model model;
  sc_interval at = predict(rounded_square, &model);
  assert_true(fabs(at.value / rounded_square(far) - 1) < 0.01);
  at = predict(stairs, &model);
  assert_true(at.low <= stairs(far) && stairs(far) <= at.high);
}

TEST(terms_below_the_least_share_are_none)
{
  assert_true(sc_space_shape(1.01e-5, 1, 1, false, 0));
  assert_false(sc_space_shape(0.99e-5, 1, 1, false, 0));
  assert_false(sc_space_shape(1.01e-5, 1, 1, false, 1e-13)); /* not a hundred times what is missed */
}
