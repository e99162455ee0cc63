/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The exponent of times that contain a start. */
#include "unit.h"

#include "regress/core/power.h"
#include "regress/core/tuning.h"

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

/* ---- against curves found in another way: all within the limit, by halving ---- */

typedef struct weighed {
  const sc_power_point *points;
  size_t count;
  double exponent;
} weighed;

static double grown(const weighed *w, size_t i)
{
  return pow(w->points[i].n / w->points[w->count - 1].n, w->exponent) * (1 + w->points[i].dearer);
}

static double chi2_with(const weighed *w, double start, double part)
{
  double sum = 0;
  for (size_t i = 0; i < w->count; i++) {
    double off = (w->points[i].y - start - part * grown(w, i)) / w->points[i].error / w->points[i].y;
    sum += off * off;
  }
  return sum;
}

/* The best part for a start, not below 0; *more: how much chi squared adds for the square of what it is off. */
static double part_for(const weighed *w, double start, double *more)
{
  double xx = 0, xy = 0;
  for (size_t i = 0; i < w->count; i++) {
    double u = pow(w->points[i].error * w->points[i].y, -2), b = grown(w, i);
    xx += u * b * b;
    xy += u * b * (w->points[i].y - start);
  }
  *more = xx;
  return xy / xx;
}

static double chi2_from(const weighed *w, double start)
{
  double more, part = part_for(w, start, &more);
  return chi2_with(w, start, fmax(0, part));
}

/* The start from 0 to `most` with the least chi squared, which is convex. */
static double start_of(const weighed *w, double most)
{
  double low = 0, high = most;
  for (int i = 0; i < 100; i++) {
    double a = low + (high - low) / 3, b = high - (high - low) / 3;
    if (chi2_from(w, a) <= chi2_from(w, b))
      high = b;
    else
      low = a;
  }
  return low < 1e-12 * most ? 0 : low;
}

/* The largest value at some multiple of the largest size, of starts and parts that are not negative, within the limit.
 */
static double highest(const weighed *w, double limit, double times)
{
  double most = 0, more, k = pow(times, w->exponent);
  for (size_t i = 0; i < w->count; i++)
    most = fmax(most, 4 * w->points[i].y);
  double best = start_of(w, most), low = 0, high = best, first, last = best, end = most;
  if (chi2_from(w, best) > limit)
    return -INFINITY;
  if (chi2_from(w, 0) <= limit)
    high = 0;
  for (int i = 0; i < 100; i++) {
    double middle = (low + high) / 2, outer = (last + end) / 2;
    *(chi2_from(w, middle) <= limit ? &high : &low) = middle;
    *(chi2_from(w, outer) <= limit ? &last : &end) = outer;
  }
  first = high;
  double value = 0;
  for (int i = 0; i < 100; i++) { /* what a start reaches with the largest part that it leaves room for, concave */
    double a = first + (last - first) / 3, b = last - (last - first) / 3;
    double at_a = part_for(w, a, &more), at_b = part_for(w, b, &more);
    double up_a = a + k * (at_a + sqrt(fmax(0, limit - chi2_with(w, a, at_a)) / more));
    double up_b = b + k * (at_b + sqrt(fmax(0, limit - chi2_with(w, b, at_b)) / more));
    value = fmax(value, fmax(up_a, up_b));
    if (up_a >= up_b)
      last = b;
    else
      first = a;
  }
  return value;
}

/* Times that rise, hardly rise, fall, begin with nothing, and scatter by far more than they say. */
static void draw_points(int kind, size_t count, uint64_t *seed, sc_power_point *out)
{
  for (size_t i = 0; i < count; i++) {
    double n = 100 * pow(3, (double)i), share = n / (100 * pow(3, (double)(count - 1)));
    double y = kind == 0   ? 1 + 20 * pow(share, 1.3)
               : kind == 1 ? 5 + 0.2 * share
               : kind == 2 ? 5 - 2 * share
               : kind == 3 ? 20 * pow(share, 0.7)
                           : 3 + 10 * share * share;
    out[i] = (sc_power_point){n, y * (1 + (kind == 4 ? 0.2 : 0.04) * draw(seed)), 0.03 + 0.01 * (double)(i % 3), 0};
    out[i].dearer = kind == 3 ? 0.3 * (share - 1) : 0;
  }
}

TEST(curves_within_the_limit_are_those_that_halving_finds)
{
  enum { STEPS = 200, KINDS = 5 };
  uint64_t seed = 11;
  for (int kind = 0; kind < KINDS; kind++)
    for (size_t count = 4; count <= 6; count++) {
      sc_power_point points[6];
      double least[STEPS + 1], value[STEPS + 1], far[STEPS + 1], best = INFINITY;
      sc_power fit, one;
      draw_points(kind, count, &seed, points);
      double largest = points[count - 1].n, y_most = 0;
      for (size_t i = 0; i < count; i++)
        y_most = fmax(y_most, 4 * points[i].y);
      for (int step = 1; step <= STEPS; step++) {
        weighed w = {points, count, 0.02 * step};
        double more, start = start_of(&w, y_most), part = fmax(0, part_for(&w, start, &more));
        least[step] = chi2_with(&w, start, part);
        value[step] = start + part * pow(8, w.exponent);
        best = fmin(best, least[step]);
        assert_true(sc_power_at(points, count, w.exponent, &one));
        unit_near_by(one.start + part, start + part, 1e-5);
        unit_near_by(start + one.at_largest, start + part, 1e-5);
        assert_true(one.exponent == w.exponent && one.low == w.exponent && one.high == w.exponent);
      }
      double spread = fmax(1, best / (double)(count - 3)), limit = best + 3.84 * spread, reached = 0, lowest = INFINITY;
      double low = INFINITY, high = 0;
      unit_near_by(sc_power_limit(points, count), limit, 1e-6);
      for (int step = 1; step <= STEPS; step++) {
        weighed w = {points, count, 0.02 * step};
        far[step] = least[step] <= limit ? highest(&w, limit, 8) : 0;
        reached = fmax(reached, far[step]);
        if (least[step] > limit)
          continue;
        low = fmin(low, 0.02 * step), high = fmax(high, 0.02 * step), lowest = fmin(lowest, value[step]);
      }
      assert_true(sc_power_fit(points, count, 8 * largest, &fit));
      unit_near_by(fit.far, reached, 1e-5);
      unit_near_by(fit.high, high, 1e-9);
      assert_true(fit.low <= low * (1 + 1e-9) && fit.low >= low - 0.02001); /* with the exponent 0, too */
      if (fit.low > 0)
        unit_near_by(sc_power_least(points, count, 8 * largest), lowest, 1e-5);
      for (int upto = 25; upto <= STEPS; upto += 25) {
        double to = 0.02 * upto, chi2 = INFINITY, most = 0;
        for (int step = 1; step <= upto; step++)
          chi2 = fmin(chi2, least[step]), most = fmax(most, far[step]);
        if (fit.low > 0) {
          unit_near_by(sc_power_chi2(points, count, to + 0.001), chi2, 1e-5);
          unit_near_by(1 + sc_power_excess(points, count, to + 0.001), 1 + sqrt(fmax(0, chi2 - best) / spread), 1e-3);
        }
        if (most > 0)
          unit_near_by(sc_power_most(points, count, to + 0.001, 8 * largest), most, 1e-5);
        else if (fit.low > 0)
          unit_near_by(sc_power_most(points, count, to, 8 * largest), value[upto], 1e-5);
      }
    }
}

/* Curves up to 3.84 above the best are within the limit; where the points scatter more than their errors say, by as
 * much more as that is, for each degree of freedom: one of four points. */
TEST(limits_rise_with_scatter)
{
  for (size_t count = 3; count <= 7; count++)
    for (int scatters = 0; scatters < 2; scatters++) {
      sc_power_point p[7];
      for (size_t i = 0; i < count; i++) {
        double n = 100 * exp2((double)i);
        p[i] = (sc_power_point){.n = n, .y = (3 + n / 100) * (scatters && i % 2 ? 1.2 : 1), .error = 0.01};
      }
      double best = sc_power_chi2(p, count, SC_POWER_MOST),
             spread = count < 4 ? 1 : fmax(1, best / (double)(count - 3));
      unit_near_at(sc_power_limit(p, count), best + 3.84 * spread, 1e-9, __FILE__, __LINE__);
      assert_true(scatters || best < 0.01);
      assert_true(!scatters || count < 4 || spread > 2);
    }
}
