/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts in stairs: beyond the sizes they are not below their last level. */
#include "unit.h"

#include <math.h>

#include "regress/choose/level.h"
#include "regress_fit_scene.h"

static sc_model fit_doubling(const double *y, size_t count, bool counts)
{
  double n[16];
  for (size_t i = 0; i < count; i++)
    n[i] = 10 * exp2((double)i);
  return fit(n, y, count, counts);
}

/* Two steps show no growth: the last level, with an interval that has the first and the next one. */
TEST(two_levels_show_no_growth)
{
  const double y[] = {5, 5, 5, 9, 9, 9};
  sc_model model = fit_doubling(y, COUNT(y), true);
  assert_int_equal(model.verdict, SC_VERDICT_MODEL);
  assert_float_equal(sc_model_value(&model, 640), 9, 0);
  sc_interval at = predict(&model, 640);
  assert_true(at.value == 9 && at.low < 5 && at.high > 13);
  const double last[] = {3, 3, 3, 3, 3, 7};
  model = fit_doubling(last, COUNT(last), true);
  assert_float_equal(sc_model_value(&model, 640), 7, 0);
}

TEST(what_fell_stays_down)
{
  const double y[] = {9, 9, 9, 5, 5, 5};
  sc_model model = fit_doubling(y, COUNT(y), true);
  assert_int_equal(model.verdict, SC_VERDICT_MODEL);
  sc_interval at = predict(&model, 640);
  assert_true(at.value == 5 && at.low < 5 && at.high > 9);
  assert_float_equal(model.least, 0, 0);
}

/* What goes up and down is chance, and so are times: its mean. */
TEST(chance_and_times_are_no_stairs)
{
  const double y[] = {5, 7, 5, 7, 5, 9}, time[] = {5, 5, 5.5, 5.5, 5.5, 6};
  sc_model model = fit_doubling(y, COUNT(y), true);
  assert_true(sc_model_value(&model, 640) < 7);
  assert_float_equal(model.least, 0, 0);
  model = fit_doubling(time, COUNT(time), false);
  assert_float_equal(model.least, 0, 0);
  const double n[] = {10, 10, 20, 20, 40, 40, 80, 80, 160, 160}, differ[] = {5, 5, 5, 6, 5, 6, 6, 7, 6, 8};
  model = fit(n, differ, COUNT(n), true);
  assert_float_equal(model.least, 0, 0); /* the repeats of a size are no stairs */
}

/* A function through the stairs is below the last one just behind it. */
TEST(functions_through_stairs_are_raised)
{
  const double y[] = {5, 5, 12, 12, 12, 12, 16, 17};
  sc_model model = fit_doubling(y, COUNT(y), true);
  assert_true(model.verdict == SC_VERDICT_MODEL && model.order.log_exponent == 1);
  assert_true(sc_model_value(&model, 1280) < 17); /* in the range it is the function */
  for (double n = 1281; n < 1e6; n *= 1.3) {
    sc_interval at = predict(&model, n);
    assert_true(at.value >= 17 && at.low <= at.value && at.high >= at.value);
    assert_float_equal(at.value, fmax(17, model.terms[0].coefficient * log2(n)), 1e-9);
  }
  sc_model_scale(&model, 3, 1); /* times what one costs, which grows with n */
  assert_float_equal(model.least, 3 * 17 * 1280, 1e-6);
  sc_model_scale(&model, 1, -1); /* which falls */
  assert_float_equal(model.least, 0, 0);
}

/* Of an exact model nothing is raised: it says what comes. */
TEST(exact_models_are_not_raised)
{
  const double y[] = {10, 20, 40, 80, 160, 320};
  sc_model model = fit_doubling(y, COUNT(y), true);
  assert_true(model.exact);
  assert_float_equal(model.least, 0, 0);
}

/* The mean becomes the last level with its error, but not a mean of 0 or less, nor without a verdict. */
TEST(means_become_levels)
{
  const double n[] = {10, 20, 40}, y[] = {5, 6, 9};
  for (int i = 0; i < 4; i++) {
    sc_points points = {0};
    sc_model model = {.terms = {{i == 1   ? 0
                                 : i == 2 ? -1
                                          : 6}},
                      .term_count = 1,
                      .covariance = {{0.25}},
                      .scatter = 0.1};
    model.verdict = i == 3 ? SC_VERDICT_CANNOT_TELL : SC_VERDICT_MODEL;
    assert_int_equal(sc_points_gather(&(sc_series){n, y, 3, true}, &points), 0);
    sc_level_set(&points, &model);
    assert_true(model.least == 9);
    assert_true(model.terms[0].coefficient == (i == 0 ? 9 : i == 1 ? 0 : i == 2 ? -1 : 6));
    unit_near(model.covariance[0][0], i == 0 ? 0.25 * 1.5 * 1.5 : 0.25);
    unit_near(model.scatter, i == 0 ? 4 / 18.0 : 0.1);
    sc_points_free(&points);
  }
}
