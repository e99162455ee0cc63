/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>

#include "regress/choose/fit.h"

enum { SIZES = 9, REPEATS = 5, SERIES = 100 };
static const double sizes[SIZES] = {20, 34, 57, 95, 160, 269, 453, 761, 1280};

static sc_model fit_noisy(double (*f)(double), double noise, gsl_rng *rng)
{
  double n[SIZES * REPEATS], y[SIZES * REPEATS];
  for (size_t i = 0; i < SIZES * REPEATS; i++) {
    n[i] = sizes[i / REPEATS];
    y[i] = f(n[i]) * (1 + noise * sqrt(REPEATS) * gsl_ran_ugaussian(rng));
  }
  sc_model model;
  sc_series series = {n, y, SIZES * REPEATS, false};
  assert_int_equal(sc_fit_select(&series, &SC_FIT_OPTIONS_DEFAULT, &model), 0);
  return model;
}

static double limited(double n) { return 7 * fmin(n, 200); }
static double taken_over(double n) { return n < 120 ? 3 * n : 3 * n * n / 120; }
static double twice(double n) { return n < 60 ? 500 : n < 300 ? 500 * n / 60 : 500 * n * n / 60 / 300; }
static double power(double n) { return 2 * pow(n, 1.2); }
static double sum(double n) { return n * n + 300 * n; }

/* What changes is found, where it changes, and predicted as it goes on. */
TEST(changes_are_found)
{
  static const struct {
    double (*f)(double);
    double at, exponent;
    size_t changes;
  } cases[] = {{limited, 200, 0, 1}, {taken_over, 120, 2, 1}, {twice, 300, 2, 2}};
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
    size_t found = 0, placed = 0, near = 0;
    for (size_t i = 0; i < SERIES; i++) {
      sc_model m = fit_noisy(cases[c].f, 0.01, rng);
      if (m.piece_count != cases[c].changes)
        continue;
      const sc_piece *last = &m.pieces[m.piece_count - 1];
      found++;
      placed += fabs(last->until / cases[c].at - 1) < 0.1 && last->until_low <= last->until &&
                last->until <= last->until_high;
      near += m.order.exponent == cases[c].exponent && fabs(sc_model_value(&m, 64000) / cases[c].f(64000) - 1) < 0.05;
    }
    assert_true(found >= 95);
    assert_true(placed >= 90);
    assert_true(near >= 90);
  }
  gsl_rng_free(rng);
}

/* At most one series without a change in twenty gets one. */
TEST(what_does_not_change_has_one_piece)
{
  static double (*const functions[])(double) = {power, sum};
  static const double noises[] = {0, 0.01, 0.05};
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  for (size_t f = 0; f < 2; f++)
    for (size_t k = 0; k < 3; k++) {
      size_t alarms = 0;
      for (size_t i = 0; i < SERIES; i++)
        alarms += fit_noisy(functions[f], noises[k], rng).piece_count > 0;
      assert_true(alarms <= SERIES / 20);
    }
  gsl_rng_free(rng);
}
