/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Series in which something new begins late: how often the intervals hold. */
#include "unit.h"

#include <math.h>

#include "regress/choose/fit.h"

enum { SIZES = 8, REPEATS = 3, SERIES = 150 };
static const double STEP = 2, SMALLEST = 100;

/* What a program counts: `before` everywhere, and from `threshold` on `after` beside it. */
typedef struct program {
  int before, after;
  double slope, by, threshold;
} program;

static double truth(const program *p, double n)
{
  const double before[] = {p->slope * n + 40, p->slope * n * log2(n), n * (n - 1) / 2, 300};
  const double after[] = {p->by * (n - p->threshold), p->by * n, p->by * n * log2(n), p->by * n * n / 400,
                          p->by * (n - p->threshold) * (n - p->threshold) / 100};
  return before[p->before] + (n > p->threshold ? after[p->after] : 0);
}

/* Numbers from 0 to 1, the same in every run. */
static double draw(uint64_t *state)
{
  *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(*state >> 11) * 0x1p-53;
}

static double draw_normal(uint64_t *state) { return sqrt(-2 * log(1 - draw(state))) * cos(2 * M_PI * draw(state)); }

static program draw_program(uint64_t *state, size_t behind)
{
  program p = {(int)(4 * draw(state)), (int)(5 * draw(state)), 1 + floor(20 * draw(state)), 1 + floor(10 * draw(state)),
               0};
  p.threshold = SMALLEST * pow(STEP, (double)(SIZES - behind) - 1 + draw(state));
  return p;
}

static sc_model fit(const program *p, double noise, uint64_t *state)
{
  double n[SIZES * REPEATS], y[SIZES * REPEATS];
  size_t repeats = noise > 0 ? REPEATS : 1;
  sc_model model;
  for (size_t i = 0; i < SIZES * repeats; i++) {
    n[i] = SMALLEST * pow(STEP, (double)(i / repeats));
    y[i] = noise > 0 ? truth(p, n[i]) * exp(noise * draw_normal(state)) : round(truth(p, n[i]));
  }
  sc_series series = {n, y, SIZES * repeats, noise == 0};
  assert_int_equal(sc_fit_select(&series, &SC_FIT_OPTIONS_DEFAULT, &model), 0);
  return model;
}

/* The share of intervals at `times` the largest size that hold. */
static double covered(size_t behind, double noise, double times)
{
  uint64_t state = 1;
  size_t held = 0;
  for (size_t i = 0; i < SERIES; i++) {
    program p = draw_program(&state, behind);
    sc_model model = fit(&p, noise, &state);
    double n = times * SMALLEST * pow(STEP, SIZES - 1), value = truth(&p, n);
    sc_interval at;
    assert_int_equal(sc_model_predict(&model, n, 0.95, &at), 0);
    held += at.low <= value + 0.51 && at.high >= value - 0.51;
  }
  return (double)held / SERIES;
}

TEST(two_sizes_leave_open_how_it_grows)
{
  static const double noises[] = {0, 0.01}, times[] = {4, 10};
  for (size_t i = 0; i < 2; i++)
    for (size_t k = 0; k < 2; k++) {
      double share = covered(2, noises[i], times[k]);
      if (share < 0.9)
        fail_msg("noise %g, at %g times the largest size: %g %% of the intervals hold", noises[i], times[k],
                 100 * share);
    }
}

/* Four sizes behind the change show it: 10 n, and from 800 on 30 n. */
TEST(more_sizes_show_it)
{
  static const double n[] = {100, 200, 400, 800, 1600, 3200, 6400, 12800};
  double y[SIZES];
  sc_model model;
  sc_interval at;
  for (size_t i = 0; i < SIZES; i++)
    y[i] = n[i] < 800 ? 10 * n[i] : 30 * n[i];
  sc_series series = {n, y, SIZES, true};
  assert_int_equal(sc_fit_select(&series, &SC_FIT_OPTIONS_DEFAULT, &model), 0);
  assert_int_equal(sc_model_predict(&model, 128000, 0.95, &at), 0);
  assert_true(at.low > 0.95 * 30 * 128000 && at.high < 1.05 * 30 * 128000);
}

/* A smooth sum is no change, though its second term shows late: 20 n + n^2 / 400. */
TEST(a_sum_is_no_change)
{
  double n[SIZES], y[SIZES];
  sc_model model;
  sc_interval at;
  for (size_t i = 0; i < SIZES; i++) {
    n[i] = SMALLEST * pow(STEP, (double)i);
    y[i] = 20 * n[i] + n[i] * n[i] / 400 + 7 * sqrt(n[i]);
  }
  sc_series series = {n, y, SIZES, false};
  assert_int_equal(sc_fit_select(&series, &SC_FIT_OPTIONS_DEFAULT, &model), 0);
  assert_int_equal(sc_model_predict(&model, 128000, 0.95, &at), 0);
  assert_true(at.high < 1.3 * at.value && at.low > 0.7 * at.value);
}
