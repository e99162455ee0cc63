/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>

#include "regress/choose/fit.h"
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

TEST(a_disturbed_repeat_is_left_out)
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
  for (size_t i = 0; i < SIZES; i++)
    assert_float_equal(points.scale[i], points.y[i], 1e-9 * points.y[i]); /* relative to what is left */
  sc_points_free(&points);
  gsl_rng_free(rng);
}

/* Normal noise has no repeats to be left out: in a thousand series hardly one. */
TEST(normal_repeats_stay)
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
TEST(weights_follow_uneven_noise)
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

/* Three repeats at each of `count` sizes, within 1% of 100; at the last size `off` replaces the largest or the
 * smallest. */
static double unit = 1; /* of what is measured */
static sc_points thirds(size_t count, double off)
{
  double n[64], y[64];
  for (size_t i = 0; i < 3 * count; i++) {
    n[i] = 100 * exp2((double)(i / 3));
    y[i] = 100 * (1 + 0.01 * ((double)(i % 3) - 1));
  }
  y[3 * count - (off > 0 ? 1 : 3)] = 100 * (1 + off);
  for (size_t i = 0; i < 3 * count; i++)
    y[i] *= unit;
  sc_points points = {0};
  sc_series series = {n, y, 3 * count, false};
  assert_int_equal(sc_points_gather(&series, &points), 0);
  return points;
}

/* Deviations from the medians are 1%: ten robust standard deviations are 14.826%. */
TEST(foreign_repeats_are_ten_deviations_away)
{
  static const struct {
    size_t count;
    double off;
    bool stays;
  } known[] = {{10, 0.1482, true},
               {10, 0.1483, false},
               {10, -0.1482, true},
               {10, -0.1483, false},
               /* one of 15 deviates from all by 2.58 standard deviations at most, one of 18 by 2.83: they are
                  looked for from 2.7 on */
               {5, 1000, true},
               {6, 1000, false}};
  static const double units[] = {1, 0x1p-20, 0x1p20};
  for (size_t u = 0; u < COUNT(units); u++) {
    unit = units[u];
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
      sc_points points = thirds(known[i].count, known[i].off);
      assert_int_equal(points.observations, 3 * known[i].count - !known[i].stays);
      sc_points_free(&points);
    }
  }
  unit = 1;
}

/* Two of five may be foreign, and one of four. */
TEST(fewer_than_half_of_the_repeats_are_left_out)
{
  for (size_t repeats = 4; repeats <= 5; repeats++) {
    double n[64], y[64];
    for (size_t i = 0; i < 12 * repeats; i++) {
      n[i] = 100 * exp2((double)(i / repeats));
      y[i] = 100 + 0.5 * (double)(i % repeats);
    }
    y[0] = y[1] = 9999;
    sc_points points = {0};
    sc_series series = {n, y, 12 * repeats, false};
    assert_int_equal(sc_points_gather(&series, &points), 0);
    assert_true(points.repeats[0] == 3);
    assert_int_equal(points.observations, 12 * repeats - (repeats - 3));
    sc_points_free(&points);
  }
}

/* Repeats whose standard deviation is 0.01 (n / n_1)^power, exactly. */
static sc_points scattering(double power)
{
  static const double e[] = {1, M_E, M_E * M_E};
  double n[9], y[9];
  for (size_t i = 0; i < 9; i++) {
    n[i] = 100 * e[i / 3];
    y[i] = 100 * (1 + 0.01 * pow(e[i / 3], power) * ((double)(i % 3) - 1));
  }
  sc_points points = {0};
  sc_series series = {n, y, 9, false};
  assert_int_equal(sc_points_gather(&series, &points), 0);
  return points;
}

/* The logarithm of a variance from three repeats has the variance psi'(1) = 1.645. Twice the power over a spread of the
 * root of 2 is compared with three times its root. */
TEST(a_power_of_the_noise_is_three_standard_errors)
{
  const double edge = 3 * sqrt(1.6449340668 / 2) / 2;
  sc_points points = scattering(-edge * 0.999);
  assert_true(points.weight[0] == 3 && points.weight[2] == 3);
  sc_points_free(&points);
  points = scattering(-edge * 1.001);
  assert_float_equal(points.weight[1], 3, 1e-9);
  assert_float_equal(points.weight[2] / points.weight[1], exp(2 * edge * 1.001), 1e-6);
  assert_float_equal(points.weight[1] / points.weight[0], exp(2 * edge * 1.001), 1e-6);
  sc_points_free(&points);
  points = scattering(-2.5); /* e^5 is 148 */
  assert_float_equal(points.weight[2], 300, 1e-6);
  assert_float_equal(points.weight[0], 0.03, 1e-9);
  sc_points_free(&points);
}

/* Of pairs that differ by a share of 0.001 n / 20 nobody knows whether it is more than chance: a variance takes three.
 */
TEST(pairs_show_no_power)
{
  double n[SIZES * 2], y[SIZES * 2];
  sc_points points = {0};
  for (size_t i = 0; i < SIZES * 2; i++) {
    n[i] = sizes[i / 2];
    y[i] = 3 * n[i] * (1 + (i % 2 ? 1e-3 : -1e-3) * n[i] / 20);
  }
  assert_int_equal(sc_points_gather(&(sc_series){n, y, SIZES * 2, false}, &points), 0);
  for (size_t i = 0; i < SIZES; i++)
    assert_true(points.weight[i] == 2);
  sc_points_free(&points);
}

/* Of five repeats of the smallest size four are 0: the fifth is foreign, and the others show 1.5 n. */
TEST(zeros_beside_a_foreign_repeat_leave_a_model)
{
  enum { MANY = 12 };
  double n[MANY * REPEATS], y[MANY * REPEATS];
  for (int counts = 0; counts < 2; counts++) {
    for (int i = 0; i < MANY * REPEATS; i++) {
      n[i] = floor(100 * pow(1.4, i / REPEATS));
      y[i] = i < REPEATS ? (i == REPEATS - 1) * 500 : floor(1.5 * n[i] * (1 + 0.01 * sin(i * 7.0)));
    }
    sc_points points = {0};
    assert_int_equal(sc_points_gather(&(sc_series){n, y, MANY * REPEATS, counts}, &points), 0);
    assert_true(points.repeats[0] == REPEATS - 1 && points.y[0] == 0 && points.scale[0] > 0);
    sc_points_free(&points);
    sc_model model;
    assert_int_equal(sc_fit_select(&(sc_series){n, y, MANY * REPEATS, counts}, &SC_FIT_OPTIONS_DEFAULT, &model), 0);
    assert_int_equal(model.verdict, SC_VERDICT_MODEL);
    assert_true(model.order.exponent == 1 && fabs(sc_model_value(&model, 1e5) / 1.5e5 - 1) < 0.02);
  }
}

/* One or two of five repeats are foreign, below and above the others: what is left has its own mean, scale, and
 * squares. 98 to 102 and their like, at sizes that do not double; 0.5 deviates by nothing else. */
TEST(what_is_left_has_its_own_mean)
{
  enum { MANY = 12, EACH = 5 };
  static const double low[EACH] = {1, 98, 100, 101, 103}, both[EACH] = {2, 99, 100, 102, 900};
  double n[MANY * EACH], y[MANY * EACH], squares = 0;
  for (size_t i = 0; i < MANY * EACH; i++) {
    size_t size = i / EACH, repeat = i % EACH;
    n[i] = 100 * pow(1.3 + 0.01 * (double)size, (double)size);
    y[i] = size == 3 ? low[repeat] : size == 7 ? both[(repeat + 2) % EACH] : 99 + 0.5 * (double)repeat;
  }
  sc_points points = {0};
  assert_int_equal(sc_points_gather(&(sc_series){n, y, MANY * EACH, false}, &points), 0);
  assert_int_equal(points.observations, MANY * EACH - 3);
  assert_true(points.repeats[3] == 4 && points.repeats[7] == 3 && points.repeats[0] == 5);
  unit_near(points.y[3], 402 / 4.0);
  unit_near(points.y[7], 301 / 3.0);
  unit_near(points.y[0], 100);
  unit_near(points.scale[3], 402 / 4.0);
  unit_near(points.scale[7], 301 / 3.0);
  assert_int_equal(points.pure_degrees, MANY * EACH - 3 - MANY);
  /* variances over the logarithms of the sizes: the weights go with their power where it stands out */
  double variance[MANY], x = 0, xx = 0, xy = 0;
  for (size_t i = 0; i < MANY; i++) {
    double kept = points.repeats[i], sum = i == 3   ? 2.5 * 2.5 + 0.5 * 0.5 + 0.5 * 0.5 + 2.5 * 2.5
                                           : i == 7 ? 14.0 / 3
                                                    : 2.5;
    variance[i] = sum / (points.y[i] * points.y[i]) / (kept - 1);
    x += log(n[i * EACH]) / MANY;
  }
  for (size_t i = 0; i < MANY; i++) {
    xx += pow(log(n[i * EACH]) - x, 2);
    xy += (log(n[i * EACH]) - x) * log(variance[i]);
  }
  /* psi'(1.875), of 3.75 degrees: 0.6998 */
  double power = fabs(xy) > 3 * sqrt(0.6998 * xx) ? xy / xx : 0;
  for (size_t i = 0; i < MANY; i++) {
    double weight = points.repeats[i] / exp(power * (log(n[i * EACH]) - x));
    assert_true(fabs(points.weight[i] / weight - 1) < 1e-9);
    squares += weight / points.repeats[i] * variance[i] * (points.repeats[i] - 1);
  }
  unit_near(points.pure_ss, squares);
  sc_points_free(&points);
}

/* Variances that go with 1 / n over seven sizes that do not double, two scattering less, with four repeats each:
 * a line through their logarithms, all of them counted. */
TEST(weights_are_a_line_through_all_variances)
{
  enum { MANY = 7, EACH = 4 };
  static const double uneven[MANY] = {10, 17, 40, 90, 130, 300, 777}, times[MANY] = {1, 1, 1, 0.5, 1, 1, 0.9};
  double n[MANY * EACH], y[MANY * EACH], x = 0, xx = 0, xy = 0;
  for (size_t i = 0; i < MANY * EACH; i++) {
    n[i] = uneven[i / EACH];
    y[i] = 1000 * (1 + 0.1 * times[i / EACH] / sqrt(n[i]) * ((double)(i % EACH) - 1.5));
  }
  sc_points points = {0};
  assert_int_equal(sc_points_gather(&(sc_series){n, y, MANY * EACH, false}, &points), 0);
  for (size_t i = 0; i < MANY; i++)
    x += log(uneven[i]) / MANY;
  for (size_t i = 0; i < MANY; i++) {
    xx += pow(log(uneven[i]) - x, 2);
    xy += (log(uneven[i]) - x) * 2 * log(times[i] / sqrt(uneven[i]));
  }
  for (size_t i = 0; i < MANY; i++)
    unit_near(points.weight[i], 4 / fmin(fmax(pow(uneven[i] / exp(x), xy / xx), 0.01), 100));
  sc_points_free(&points);
}
