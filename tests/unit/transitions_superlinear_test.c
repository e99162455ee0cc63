/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What power laws through counts leave open, by the arithmetic of least squares: the interval of a slope is as wide as
 * Student's t of the degrees of freedom, times the residual's deviation, by the root of the spread of the sizes. */
#include "unit.h"

#include <math.h>

#include "transitions/model/data.h"
#include "transitions/model/superlinear.h"

enum { SIZES = 8 };

typedef struct counts {
  sc_analysis analysis;
  double sizes[SIZES], values[SIZES];
} counts;

/* n^power at 2^logs[i], each times exp(off[i]). */
static void make(counts *c, const double *logs, size_t count, double power, const double *off)
{
  *c = (counts){.analysis = {.sizes = c->sizes, .run_count = count}};
  for (size_t i = 0; i < count; i++) {
    c->sizes[i] = exp2(logs[i]);
    c->values[i] = exp(power * logs[i] * M_LN2 + off[i]);
  }
}

static const double DOUBLING[SIZES] = {0, 1, 2, 3, 4, 5, 6, 7};

static bool surely(double power, const double *off)
{
  counts c;
  make(&c, DOUBLING, SIZES, power, off);
  return sc_superlinear_surely(&c.analysis, c.values);
}

static bool unlikely(double power, const double *off)
{
  counts c;
  make(&c, DOUBLING, SIZES, power, off);
  return sc_superlinear_unlikely(&c.analysis, c.values);
}

static bool burst(double power, const double *off)
{
  counts c;
  make(&c, DOUBLING, SIZES, power, off);
  return sc_superlinear_burst(&c.analysis, c.values);
}

/* On a line the residual is 0.001 all the same. Of the upper half, 16 to 128, the interval is 4.3027 0.001 / (ln 2
 * sqrt(5)) = 0.00278 to each side; that of all sizes is narrower. */
TEST(power_laws_are_superlinear_from_1_4_on)
{
  static const double none[SIZES] = {0};
  assert_false(surely(1.4027, none));
  assert_true(surely(1.4029, none));
  assert_true(unlikely(1.3971, none));
  assert_false(unlikely(1.3973, none));
}

/* What orders a tenth from 1.4 away are: clear with one scatter, and not with a little more. */
static void decided_up_to(const double *below, const double *above)
{
  assert_true(surely(1.5, below));
  assert_false(surely(1.5, above));
  assert_true(unlikely(1.3, below));
  assert_false(unlikely(1.3, above));
}

/* a, -2 a and a at three sizes in a row change neither level nor slope. Among all sizes their deviation is sqrt(6 a^2 /
 * 6) = a: 0.1 to each side where 2.4469 a / (ln 2 sqrt(42)) is, at a = 0.1836. */
TEST(scatter_of_all_sizes_widens_the_interval)
{
  static const double below[SIZES] = {0.183, -0.366, 0.183}, above[SIZES] = {0.184, -0.368, 0.184};
  decided_up_to(below, above);
}

/* The same within the upper half: sqrt(6 a^2 / 2), so that 4.3027 sqrt(3) a / (ln 2 sqrt(5)) = 0.1 at a = 0.0208. */
TEST(scatter_of_the_larger_half_widens_its_interval)
{
  static const double below[SIZES] = {0, 0, 0, 0, 0.0207, -0.0414, 0.0207};
  static const double above[SIZES] = {0, 0, 0, 0, 0.0209, -0.0418, 0.0209};
  decided_up_to(below, above);
}

/* The same once the interval of the larger half is wider than 1, at a = 0.104: with 8 it is that of five sizes, 3.1824
 * sqrt(2) a / (ln 2 sqrt(10)) = 0.216 to each side at a = 0.105. */
TEST(an_interval_of_an_order_says_nothing)
{
  static const double below[SIZES] = {0, 0, 0, 0, 0.103, -0.206, 0.103};
  static const double above[SIZES] = {0, 0, 0, 0, 0.105, -0.21, 0.105};
  assert_false(burst(1, below));
  assert_true(burst(1, above));
  assert_true(burst(1.18, above));
  assert_false(burst(1.19, above));
  assert_false(unlikely(1, above));
}

/* As measured: what a walk of a chain in a table with random salts goes over. The sizes behind the gap are a factor
 * of 2.8 apart, over which the slope is 1.1 to 2.6 by the bursts of single runs; 2,000 tells. */
TEST(bursts_of_single_runs_are_no_growth)
{
  static const double logs[SIZES] = {6, 8.48, 10.97, 18.44, 18.89, 19.38, 19.61, 19.93};
  static const double off[SIZES] = {0.1, -0.1, -0.23, -0.68, -0.71, 0.1, -0.5, 0.49};
  counts c;
  make(&c, logs, SIZES, 1, off);
  assert_false(sc_superlinear_unlikely(&c.analysis, c.values));
  assert_true(sc_superlinear_burst(&c.analysis, c.values));
  make(&c, logs, SIZES, 1.4, off);
  assert_false(sc_superlinear_burst(&c.analysis, c.values));
}

/* Sizes 1 to 32 and 2^20: the larger half has one size, and is filled up to four, from 8 on. A count off the line at 4
 * is outside of it, one at 8 is inside. The slope of all sizes is certain in both cases. */
TEST(the_larger_half_has_four_sizes_at_least)
{
  static const double logs[] = {0, 1, 2, 3, 4, 5, 20}, third[] = {0, 0, 0.8, 0, 0, 0, 0};
  static const double fourth[] = {0, 0, 0, 0.5, 0, 0, 0}, more[] = {0, 0, 1, 0, 0, 0, 0};
  counts c;
  make(&c, logs, COUNT(logs), 1.5, third);
  assert_true(sc_superlinear_surely(&c.analysis, c.values));
  make(&c, logs, COUNT(logs), 1.5, fourth);
  assert_false(sc_superlinear_surely(&c.analysis, c.values));
  make(&c, logs, COUNT(logs), 1.5, more); /* all sizes are uncertain, too */
  assert_false(sc_superlinear_surely(&c.analysis, c.values));
}

TEST(two_sizes_tell_nothing)
{
  static const double none[SIZES] = {0};
  counts c;
  make(&c, DOUBLING, 2, 2, none);
  assert_false(sc_superlinear_surely(&c.analysis, c.values));
  make(&c, DOUBLING, 2, 1, none);
  assert_false(sc_superlinear_unlikely(&c.analysis, c.values));
}

/* The values are a clear square: the model alone decides here. */
TEST(the_model_must_leave_nothing_slower_plausible)
{
  static const double none[SIZES] = {0};
  counts c;
  make(&c, DOUBLING, SIZES, 2, none);
  sc_model model = {.order = {2, 0, 2, 0, 0}, .exponent_low = 1.39};
  assert_false(sc_superlinear_certain(&c.analysis, 0, &model));
  model = (sc_model){.verdict = SC_VERDICT_CANNOT_TELL, .exponent_low = 2};
  assert_false(sc_superlinear_certain(&c.analysis, 0, &model));
}
