/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Seconds of a step in memory: as measured, or usual ones, between the sizes of working sets and beyond. */
#include "unit.h"

#include <math.h>
#include <stdbool.h>

#include "transitions/model/latency.h"
#include "transitions/model/tuning.h"

static double bytes_of(double step) { return exp2(SC_LATENCY_LEAST + step); }

/* Nanoseconds from 16 KiB to 32 MiB, each twice as large. */
TEST(unmeasured_memory_is_usual)
{
  static const double usual[SC_LATENCY_SIZES] = {1.5, 2, 4, 4.5, 7, 13, 30, 60, 90, 130, 160, 180};
  const sc_latency none = {0};
  double (*const curves[])(const sc_latency *, double) = {sc_latency_step, sc_latency_fast_step, sc_latency_least_step,
                                                          sc_latency_most_step};
  for (size_t k = 0; k < COUNT(curves); k++) {
    for (int i = 0; i < SC_LATENCY_SIZES; i++) {
      unit_near(curves[k](&none, bytes_of(i)), usual[i] * 1e-9);
      if (i)
        unit_near(curves[k](&none, bytes_of(i - 0.5)), sqrt(usual[i] * usual[i - 1]) * 1e-9);
    }
    unit_near(curves[k](&none, 0), 1.5e-9);
    unit_near(curves[k](&none, bytes_of(-1)), 1.5e-9);
    unit_near(curves[k](&none, bytes_of(40)), 180e-9);
  }
  assert_true(sc_latency_page(&none) == SC_LATENCY_USUAL_PAGE);
}

static sc_latency measured(double moments)
{
  sc_latency l = {.page = 3e-7, .moments = moments};
  for (int i = 0; i < SC_LATENCY_SIZES; i++) {
    l.steps[i] = 1e-9 * exp2(i);
    l.fast[i] = 0.8e-9 * exp2(i);
    l.least[i] = 0.5e-9 * exp2(i);
    l.most[i] = 1.1e-9 * exp2(i);
  }
  return l;
}

TEST(measured_memory_is_as_measured)
{
  sc_latency l = measured(3);
  for (double i = 0; i < SC_LATENCY_SIZES - 1; i += 0.25) {
    unit_near(sc_latency_step(&l, bytes_of(i)), 1e-9 * exp2(i));
    unit_near(sc_latency_fast_step(&l, bytes_of(i)), 0.8e-9 * exp2(i));
    unit_near(sc_latency_least_step(&l, bytes_of(i)), 0.5e-9 * exp2(i));
    unit_near(sc_latency_most_step(&l, bytes_of(i)), 1.1e-9 * exp2(i));
  }
  unit_near(sc_latency_step(&l, bytes_of(50)), 1e-9 * exp2(SC_LATENCY_SIZES - 1));
  assert_true(sc_latency_page(&l) == 3e-7);
}

/* Few moments do not show how much a cache that others share differs; the smallest one is nobody else's. */
TEST(few_moments_leave_more_open)
{
  double alone = log2(SC_LATENCY_SHARED) - 0.01, shared = log2(SC_LATENCY_SHARED) + 0.01;
  for (double moments = 0; moments <= SC_LATENCY_MOMENTS + 1; moments++) {
    sc_latency l = measured(moments);
    bool open = moments > 0 && moments < SC_LATENCY_MOMENTS;
    double step = 1e-9 * exp2(shared), factor = exp(SC_LATENCY_SPREAD * sqrt(1 + 1 / moments));
    unit_near(sc_latency_likely_most(&l, bytes_of(alone)), 1.1e-9 * exp2(alone));
    unit_near(sc_latency_likely_most(&l, bytes_of(shared)), open ? fmax(1.1, factor) * step : 1.1 * step);
    unit_near(sc_latency_likely_most(&l, bytes_of(SC_LATENCY_SIZES - 1)), 1.1e-9 * exp2(SC_LATENCY_SIZES - 1));
    assert_true(sc_latency_likely_most(&l, bytes_of(SC_LATENCY_SIZES - 1.05)) <=
                1.1e-9 * exp2(SC_LATENCY_SIZES - 1) * (1 + 1e-9)); /* no more than in memory */
  }
}
