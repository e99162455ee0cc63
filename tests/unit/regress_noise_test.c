/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>

#include "regress/core/noise.h"

enum { SIZES = 6, REPEATS = 5 };
static const double sizes[SIZES] = {20, 57, 160, 453, 1280, 3620};

static sc_points gather(const double *y)
{
  double n[SIZES * REPEATS];
  for (size_t i = 0; i < SIZES * REPEATS; i++)
    n[i] = sizes[i / REPEATS];
  sc_points points = {0};
  sc_series series = {n, y, SIZES * REPEATS, false};
  assert_int_equal(sc_points_gather(&series, &points), 0);
  return points;
}

/* Repeats around 3 n whose relative deviation is 1% times (n / 20)^power. */
static void draw(gsl_rng *rng, double power, double *y)
{
  for (size_t i = 0; i < SIZES * REPEATS; i++) {
    double n = sizes[i / REPEATS];
    y[i] = 3 * n * (1 + 0.01 * pow(n / 20, power) * gsl_ran_ugaussian(rng));
  }
}

static void a_disturbed_repeat_is_left_out(void **state)
{
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  double y[SIZES * REPEATS];
  draw(rng, 0, y);
  y[7] *= 2.5;
  y[28] *= 1.5;
  sc_points points = gather(y);
  assert_int_equal(points.observations, SIZES * REPEATS - 2);
  assert_true(points.repeats[1] == REPEATS - 1 && points.repeats[5] == REPEATS - 1 && points.repeats[0] == REPEATS);
  for (size_t i = 0; i < SIZES; i++)
    assert_true(fabs(points.y[i] / (3 * sizes[i]) - 1) < 0.02);
  assert_true(sqrt(points.pure_ss / (double)points.pure_degrees) < 0.02);
  sc_points_free(&points);
  gsl_rng_free(rng);
}

/* Normal noise has no repeats to be left out: in a thousand series hardly one. */
static void normal_repeats_stay(void **state)
{
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  size_t touched = 0, weighted = 0;
  for (size_t i = 0; i < 1000; i++) {
    double y[SIZES * REPEATS];
    draw(rng, 0, y);
    sc_points points = gather(y);
    touched += points.observations < SIZES * REPEATS;
    weighted += fabs(points.weight[0] / points.repeats[0] - 1) > 1e-9;
    sc_points_free(&points);
  }
  assert_true(touched <= 5);
  assert_true(weighted <= 20);
  gsl_rng_free(rng);
}

/* Noise that falls with the size: the small sizes count less. */
static void weights_follow_uneven_noise(void **state)
{
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  size_t right = 0;
  for (size_t i = 0; i < 100; i++) {
    double y[SIZES * REPEATS];
    draw(rng, -0.5, y);
    sc_points points = gather(y);
    right += points.weight[SIZES - 1] > 10 * points.weight[0];
    sc_points_free(&points);
  }
  assert_true(right >= 95);
  gsl_rng_free(rng);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_disturbed_repeat_is_left_out),
      cmocka_unit_test(normal_repeats_stay),
      cmocka_unit_test(weights_follow_uneven_noise),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
