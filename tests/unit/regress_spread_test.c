/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include <math.h>

#include "regress/choose/spread.h"

enum { SIZES = 5 };

static const double sizes[SIZES] = {100, 200, 400, 800, 1600};

/* A line that misses the sizes by 1% in turn, `repeats` times each. */
static sc_points line(double *y, size_t repeats, double noise, bool counts)
{
  double n[SIZES * 4];
  for (size_t i = 0; i < SIZES * repeats; i++) {
    double miss = (i / repeats) % 2 ? 1.01 : 0.99;
    n[i] = sizes[i / repeats];
    y[i] = n[i] * (miss + noise * ((double)(i % repeats) - (double)(repeats - 1) / 2));
    y[i] = counts ? round(y[i]) : y[i];
  }
  sc_points points = {0};
  assert_int_equal(sc_points_gather(&(sc_series){n, y, SIZES * repeats, counts}, &points), 0);
  return points;
}

static sc_candidate candidate_with(double rss)
{
  return (sc_candidate){.terms = {{1, 1, 0}}, .count = 1, .parameters = 1, .fit = {.rss = rss, .covariance = {{0}}}};
}

/* The sizes double: the squared distances of their logarithms from the middle sum up to (4 + 1 + 0 + 1 + 4) ln(2)^2. */
static double slope_error(double variance) { return sqrt(variance / (10 * M_LN2 * M_LN2)); }

TEST(counts_may_drift_by_1_6_standard_errors)
{
  double y[SIZES * 4];
  sc_points points = line(y, 1, 0, true);
  sc_candidate candidate = candidate_with(4e-4);
  sc_spread s = sc_spread_of(&points, &candidate);
  unit_near(s.variance, 1e-4); /* over four degrees of freedom */
  assert_int_equal(s.degrees, SIZES - 1);
  unit_near(s.n_center, 400);
  unit_near(s.drift, 1.6 * slope_error(1e-4));
  unit_near(sc_spread_deviation(&s, &candidate, 800), hypot(s.drift * M_LN2, s.scatter));
  sc_points_free(&points);
}

TEST(measurements_drift_with_their_noise_and_their_misfit)
{
  double y[SIZES * 4];
  sc_points points = line(y, 4, 0.01, false);
  double noise = points.pure_ss / (double)points.pure_degrees;
  assert_int_equal(points.pure_degrees, SIZES * 3);
  sc_candidate candidate = candidate_with(3.6 * noise); /* lacks less than the repeats scatter by */
  sc_spread s = sc_spread_of(&points, &candidate);
  unit_near(s.variance, 18.6 / 19 * noise); /* of both together */
  assert_int_equal(s.degrees, SIZES * 4 - 1);
  assert_true(s.scatter == 0);
  double spread = 4 * 10 * M_LN2 * M_LN2, error = sqrt(s.variance / spread);
  unit_near(s.drift, hypot(0.5 * error, 0.002));
  /* up to 2.5 times the noise nothing is added, above it by the share above */
  candidate = candidate_with(4 * 2.5 * noise);
  s = sc_spread_of(&points, &candidate);
  error = sqrt(2.5 * noise / spread);
  unit_near(s.drift, hypot(0.5 * error, 0.002));
  unit_near(s.scatter, sqrt(1.5 * noise / 4));
  assert_int_equal(s.degrees, SIZES - 1);
  candidate = candidate_with(4 * 5 * noise);
  s = sc_spread_of(&points, &candidate);
  error = sqrt(5 * noise / spread);
  unit_near(s.drift, hypot(0.5 * error, 0.002) + 0.5 * 8 * error);
  sc_points_free(&points);
  /* what is measured this well would show a drift of more than two errors */
  points = line(y, 4, 1e-6, false);
  noise = points.pure_ss / (double)points.pure_degrees;
  candidate = candidate_with(4 * noise);
  s = sc_spread_of(&points, &candidate);
  unit_near(s.drift, 2 * sqrt(s.variance / spread));
  sc_points_free(&points);
}
