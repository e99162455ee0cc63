/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A power law of two parameters through nine points whose logarithms are 0, 1 and 2 each. */
#include "unit.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

#include "regress/core/tuning.h"
#include "transitions/resources/plane.h"

enum { POINTS = 9 };

/* ln y = 2 + a (ln n - 1) + b (ln t - 1), and at the corners `off` more or less, which no slope explains. */
static void fill(double *at, double *y, double a, double b, double off)
{
  for (size_t i = 0; i < POINTS; i++) {
    double n = (double)(i / 3) - 1, t = (double)(i % 3) - 1;
    at[2 * i] = exp(n + 1), at[2 * i + 1] = exp(t + 1);
    y[i] = exp(2 + a * n + b * t + off * n * t);
  }
}

static struct sc_rplane *fit(const double *at, const double *y, size_t count, double other)
{
  struct sc_rplane *plane = NULL;
  const sc_rplane_points points = {at, y, count, 2, &other};
  assert_int_equal(sc_rplane_fit(&points, 0.95, &plane), 0);
  return plane;
}

/* The square of the residuals is 4 off^2 with six degrees of freedom; each slope's variance a sixth of that's sixth. */
TEST(a_plane_has_its_slopes_and_their_errors)
{
  double at[2 * POINTS], y[POINTS];
  sc_interval i;
  fill(at, y, 0.5, 1, 0.3);
  struct sc_rplane *plane = fit(at, y, POINTS, exp(3));
  assert_non_null(plane);
  sc_rplane_predict(plane, exp(4), &i);
  double variance = 4 * 0.3 * 0.3 / 6, away = variance / 9 + variance / 6 * (3 * 3 + 2 * 2);
  double half = gsl_cdf_tdist_Pinv(0.975, 6) * sqrt(away);
  unit_near(i.value, exp(2 + 0.5 * 3 + 1 * 2));
  unit_near(i.low, exp(5.5 - half));
  unit_near(i.high, exp(5.5 + half));
  sc_rplane_predict(plane, exp(1), &i);
  unit_near(i.value, exp(4));
  free(plane);
}

/* A slope that is not certain counts for the interval alone: 0.2 is less than 2.447 of 0.1. */
TEST(uncertain_slopes_count_for_the_interval)
{
  double at[2 * POINTS], y[POINTS];
  sc_interval i;
  fill(at, y, 0.2, 1, 0.3);
  struct sc_rplane *plane = fit(at, y, POINTS, exp(3));
  sc_rplane_predict(plane, exp(4), &i);
  double variance = 0.06, half = gsl_cdf_tdist_Pinv(0.975, 6) * sqrt(variance / 9 + variance / 6 * 13);
  unit_near(i.value, exp(2 + 2));
  unit_near(i.low, exp(4 - half));
  unit_near(i.high, exp(4 + 0.6 + half));
  free(plane);
  fill(at, y, 0.25, 1, 0.3);
  plane = fit(at, y, POINTS, exp(3));
  sc_rplane_predict(plane, exp(4), &i);
  unit_near(i.value, exp(4 + 0.75));
  free(plane);
}

/* Repeats are one mean, zeros none; too few points or values of a parameter give nothing. */
TEST(points_a_plane_needs)
{
  double at[2 * POINTS + 4], y[POINTS + 2];
  sc_interval i;
  fill(at, y, 0.5, 1, 0);
  at[2 * POINTS] = at[0], at[2 * POINTS + 1] = at[1];
  y[POINTS] = y[0] * exp(0.2), y[0] *= exp(-0.2); /* the same on average */
  at[2 * POINTS + 2] = 77, at[2 * POINTS + 3] = 5, y[POINTS + 1] = 0;
  struct sc_rplane *plane = fit(at, y, POINTS + 2, exp(1));
  sc_rplane_predict(plane, exp(2), &i);
  unit_near(i.value, exp(2.5));
  free(plane);
  fill(at, y, 0.5, 1, 0);
  assert_null(fit(at, y, 4, 1));
  double few[] = {1, 1, 2, 2, 3, 1, 4, 2, 5, 1}; /* two values of the second one */
  assert_null(fit(few, y, 5, 1));
  few[3] = 3;
  plane = fit(few, y, 5, 1); /* three, and two points more than coefficients */
  assert_non_null(plane);
  free(plane);
}

/* Times vary by SC_TREND_TIMES, even if these points are exact, or all the same. */
TEST(exact_points_are_as_uncertain_as_times_are)
{
  for (int same = 0; same < 2; same++) {
    double at[2 * POINTS], y[POINTS], slope = same ? 0 : 1;
    sc_interval i;
    fill(at, y, slope, slope, 0);
    for (size_t k = 0; k < POINTS && same; k++)
      y[k] = 1; /* whose logarithms are 0 without any rounding */
    struct sc_rplane *plane = fit(at, y, POINTS, exp(3));
    sc_rplane_predict(plane, exp(4), &i);
    double level = same ? 0 : 7, half = gsl_cdf_tdist_Pinv(0.975, 6) * SC_TREND_TIMES * sqrt(1.0 / 9 + 13.0 / 6);
    unit_near(i.value, exp(level));
    unit_near(i.low, exp(level - half));
    unit_near(i.high, exp(level + half));
    free(plane);
  }
}
