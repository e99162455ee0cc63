/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#include "regress/core/mixture.h"

TEST(one_part_is_its_t_interval)
{
  for (size_t degrees = 1; degrees <= 200; degrees += 13) {
    sc_mixture_part part = {1, 50, 2, degrees};
    double low, high, t = gsl_cdf_tdist_Pinv(0.95, (double)degrees);
    sc_mixture_interval(&part, 1, 0.9, &low, &high);
    assert_true(fabs(high / (50 + 2 * t) - 1) < 1e-6);
    assert_true(fabs(low / (50 / (1 + 2 * t / 50)) - 1) < 1e-6);
  }
}

/* The probability of each part below the ends, weighted, is what the level says. */
TEST(ends_are_quantiles_of_the_mixture)
{
  static const double levels[] = {0.5, 0.8, 0.95, 0.99};
  sc_mixture_part parts[] = {{1, 100, 5, 20}, {0.4, 140, 20, 20}, {0.1, 60, 3, 20}};
  for (size_t l = 0; l < 4; l++) {
    double ends[2];
    sc_mixture_interval(parts, 3, levels[l], &ends[0], &ends[1]);
    for (int e = 0; e < 2; e++) {
      double below = 0;
      for (size_t i = 0; i < 3; i++) {
        double v = parts[i].value, x = ends[e];
        double t = x >= v ? (x - v) / parts[i].deviation : -(v / x - 1) * v / parts[i].deviation;
        below += parts[i].mass / 1.5 * gsl_cdf_tdist_P(t, 20);
      }
      assert_true(fabs(below - (e ? 1 + levels[l] : 1 - levels[l]) / 2) < 0.004);
    }
  }
}

TEST(never_below_zero)
{
  sc_mixture_part parts[] = {{1, 10, 100, 2}, {1, 0, 0, 2}};
  double low, high;
  sc_mixture_interval(parts, 1, 0.95, &low, &high);
  assert_true(low > 0 && low < 1 && high > 100);
  sc_mixture_interval(parts, 2, 0.95, &low, &high);
  assert_true(low >= 0 && low < 1e-6);
}
