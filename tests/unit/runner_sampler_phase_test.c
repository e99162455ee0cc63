/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When samples fall: on average over the runs every moment of a thread counts the same. */
#include "unit.h"

#include "runner/sampler/phase.h"

enum { PERIOD = 1000000, RUNS = 400000, BINS = 60 };

TEST(periods_stay_near_what_was_asked_for)
{
  uint64_t least = UINT64_MAX, most = 0;
  for (int i = 0; i < 10000; i++) {
    uint64_t period = sc_sampler_phase_period(PERIOD);
    least = period < least ? period : least;
    most = period > most ? period : most;
  }
  assert_in_range(least, 707106, 712000);
  assert_in_range(most, 1405000, 1414214);
  assert_in_range(sc_sampler_phase_period(1), 1, 2);
}

/* Threads of six periods, in bins of a tenth: what samples in a bin stand for is a tenth of a period, in each. */
TEST(every_moment_counts_the_same)
{
  static double sums[BINS];
  for (int i = 0; i < RUNS; i++) {
    double ratio = (double)sc_sampler_phase_period(PERIOD) / PERIOD;
    for (uint32_t number = 1; number * ratio < BINS / 10.0; number++)
      sums[(int)(10 * number * ratio)] += ratio * sc_sampler_phase_weight(number, ratio);
  }
  for (int bin = 0; bin < 7; bin++) /* before 1/sqrt(2) there are none */
    assert_true(sums[bin] == 0);
  for (int bin = 8; bin < BINS; bin++)
    assert_float_equal(sums[bin] / RUNS, 0.1, 0.003);
}

TEST(later_samples_are_worth_their_period)
{
  assert_true(sc_sampler_phase_weight(64, 1.3) == 1);
  assert_float_equal(sc_sampler_phase_weight(63, 0.72), 1, 0.04);
  assert_float_equal(sc_sampler_phase_weight(1, 1), 0.6931, 1e-4); /* ln 2: nothing but first samples falls there */
  assert_float_equal(sc_sampler_phase_weight(2, 0.72), 0.6931 * 2, 1e-4); /* only second ones do */
}
