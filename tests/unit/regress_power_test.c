/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The exponent of times that contain a start. */
#include "unit.h"

#include "regress/core/power.h"

#include <math.h>

enum { SIZES = 6 };

static double draw(uint64_t *seed) /* a normal deviate, from twelve uniform ones */
{
  double sum = -6;
  for (int i = 0; i < 12; i++) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    sum += (double)(*seed >> 11) / (double)(UINT64_C(1) << 53);
  }
  return sum;
}

static void make(double start, double at_largest, double exponent, double error, uint64_t *seed, sc_power_point *out)
{
  for (int i = 0; i < SIZES; i++) {
    double share = pow(4, i - SIZES + 1), y = start + at_largest * pow(share, exponent);
    out[i] = (sc_power_point){102400 * share, y * (1 + error * draw(seed)), fmax(error, 0.01)};
  }
}

TEST(exact_times_have_their_exponent)
{
  sc_power_point points[SIZES];
  sc_power fit;
  uint64_t seed = 1;
  for (double exponent = 0.5; exponent <= 3; exponent += 0.5) {
    make(1, 50, exponent, 0, &seed, points);
    assert_true(sc_power_fit(points, SIZES, 1024000, &fit));
    assert_true(fabs(fit.exponent - exponent) < 0.03);
    assert_true(fit.low <= exponent + 0.011 && fit.high >= exponent - 0.011);
    assert_true(fabs(fit.start - 1) < 0.3 && fabs(fit.at_largest - 50) < 0.5);
    assert_true(fit.far >= 1 + 49 * pow(10, exponent));
  }
}

TEST(intervals_hold_the_exponent)
{
  static const double exponents[] = {1, 1.5, 2};
  sc_power_point points[SIZES];
  sc_power fit;
  uint64_t seed = 7;
  for (size_t e = 0; e < 3; e++) {
    int held = 0;
    for (int i = 0; i < 400; i++) {
      make(1, 20, exponents[e], 0.05, &seed, points);
      assert_true(sc_power_fit(points, SIZES, 1024000, &fit));
      held += fit.low <= exponents[e] && exponents[e] <= fit.high;
    }
    assert_in_range(held, 360, 400);
  }
}

/* Where nothing but the start shows, a steep part may hide under it: the interval says so. */
TEST(a_start_alone_leaves_all_open)
{
  sc_power_point points[SIZES];
  sc_power fit;
  uint64_t seed = 3;
  make(1, 0, 1, 0.05, &seed, points);
  assert_true(sc_power_fit(points, SIZES, 1024000, &fit));
  assert_true(fit.high >= 3);
}

/* What is measured is known as well as it was: a curve that hardly bends takes from the start what it adds. */
TEST(flat_times_are_known_where_they_were_measured)
{
  sc_power_point points[SIZES];
  sc_power fit;
  uint64_t seed = 3;
  make(1, 0, 1, 0, &seed, points);
  for (size_t i = 0; i < SIZES; i++)
    points[i].error = 0.05;
  double largest = points[SIZES - 1].n, before = 0;
  assert_true(sc_power_fit(points, SIZES, largest, &fit));
  assert_true(fit.far >= 1.05 && fit.far < 1.15); /* the largest alone: 1.96 errors */
  for (double n = largest; n < 1e4 * largest; n *= 1.01) {
    double most = sc_power_most(points, SIZES, 2, n), two = sc_power_most(points + SIZES - 2, 2, 2, n);
    assert_true(most >= 1 && most > before && two >= most * 0.99);
    before = most;
  }
  assert_true(sc_power_most(points, SIZES, 2, 1.01 * largest) < 1.15);
  assert_true(sc_power_most(points + SIZES - 2, 2, 2, 1.01 * largest) < 1.15);
}

/* Squares speak against every exponent below two, and by more errors where these are smaller; not against larger ones.
 */
TEST(excess_counts_errors)
{
  sc_power_point points[SIZES];
  uint64_t seed = 5;
  make(1, 20, 2, 0, &seed, points);
  double far = sc_power_excess(points, SIZES, 1.4), near = sc_power_excess(points, SIZES, 1.8);
  assert_true(far > near && near > 0 && sc_power_excess(points, SIZES, 2.5) == 0);
  for (size_t i = 0; i < SIZES; i++)
    points[i].error *= 2;
  assert_float_equal(sc_power_excess(points, SIZES, 1.4), far / 2, 0.01 * far);
  assert_true(sc_power_excess(points, 3, 1.4) == 0);
}

/* The same work costs half an order more: lines, in time a power of 1.5. */
TEST(what_gets_dearer_need_not_be_steep)
{
  sc_power_point points[SIZES], dearer[SIZES];
  uint64_t seed = 5;
  make(1, 20, 1.5, 0, &seed, points);
  for (size_t i = 0; i < SIZES; i++) {
    dearer[i] = points[i];
    dearer[i].dearer = sqrt(points[i].n / points[SIZES - 1].n) - 1;
  }
  double limit = sc_power_limit(points, SIZES);
  assert_true(sc_power_chi2(points, SIZES, 1) > limit);
  assert_true(sc_power_chi2(points, SIZES, 1.5) <= limit);
  assert_true(sc_power_chi2(dearer, SIZES, 1) <= limit);
  assert_true(sc_power_chi2(dearer, SIZES, 0.9) > limit);
}

TEST(too_little_is_refused)
{
  sc_power_point points[SIZES];
  sc_power fit;
  uint64_t seed = 3;
  make(1, 20, 1, 0, &seed, points);
  assert_false(sc_power_fit(points + 3, 3, 1024000, &fit));
  assert_true(sc_power_fit(points + 2, 4, 1024000, &fit));
  points[3].y = 0;
  assert_false(sc_power_fit(points + 2, 4, 1024000, &fit));
}
