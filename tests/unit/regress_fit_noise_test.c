/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Series with noise: how often the order is right and the interval holds the truth. */
#include "unit.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>

#include "regress_fit_scene.h"

enum { MOST = 64 };

/* Constant up to 400, linear from there on, 2% noise: no sum of terms, but what the largest sizes say must stay within
 * the interval. */
TEST(a_change_on_the_way_widens_the_interval)
{
  size_t covered = 0;
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  gsl_rng_set(rng, 4);
  for (int i = 0; i < 100; i++) {
    double n[MOST], y[MOST];
    size_t count = 0;
    for (size_t p = 0; p < COUNT(uneven); p++)
      for (int r = 0; r < 5; r++, count++) {
        n[count] = uneven[p];
        y[count] = fmax(n[count], 400) * exp(gsl_ran_gaussian(rng, 0.02));
      }
    sc_model m = fit(n, y, count, false);
    sc_interval at;
    assert_int_equal(sc_model_predict(&m, 14500, 0.95, &at), 0);
    covered += at.low <= 14500 && 14500 <= at.high;
  }
  gsl_rng_free(rng);
  print_message("change points covered: %zu of 100\n", covered);
  assert_true(covered >= 80);
}

typedef struct study {
  double (*f)(double);
  double exponent;
} study;

static double identity(double n) { return n; }
static double constant(double n) { return 42 + 0 * n; }
static double pairs(double n) { return n * (n - 1) / 2; }
static double smooth_n_log_n(double n) { return n * log2(n); }
static double root(double n) { return 5 * sqrt(n); }
static double cube(double n) { return 1e-3 * n * n * n; }
static double sum(double n) { return 40 * n + n * n; }
static double n12(double n) { return 3 * pow(n, 1.2); }
static double n_roots(double n) { return n + 30 * sqrt(n); }
static double n_log2_n(double n) { return n * log2(n) * log2(n); }

/* With repeats of 2% noise: how often the order is right and the interval holds the truth at 50 times the size, for
 * functions of the model space and others. The seeds are fixed; the bars lie well below what is reached. */
TEST(simulated_studies)
{
  const study studies[] = {{identity, 1}, {pairs, 2}, {smooth_n_log_n, 1}, {root, 0.5},   {cube, 3},
                           {sum, 2},      {n12, 1.2}, {n_roots, 1},        {n_log2_n, 1}, {constant, 0}};
  enum { SERIES = 40, REPEATS = 5 };
  size_t k = COUNT(uneven), right = 0, covered = 0, all = 0;
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  gsl_rng_set(rng, 12345);
  for (size_t s = 0; s < COUNT(studies); s++) {
    for (int i = 0; i < SERIES; i++, all++) {
      double n[MOST], y[MOST];
      size_t count = 0;
      for (size_t p = 0; p < k; p++)
        for (int r = 0; r < REPEATS; r++, count++) {
          n[count] = uneven[p];
          y[count] = studies[s].f(n[count]) * exp(gsl_ran_gaussian(rng, 0.02));
        }
      sc_model m = fit(n, y, count, false);
      sc_interval at;
      assert_int_equal(sc_model_predict(&m, 50 * 1450, 0.95, &at), 0);
      double truth = studies[s].f(50 * 1450);
      right += m.verdict == SC_VERDICT_MODEL && fabs(m.order.exponent - studies[s].exponent) <= 0.25;
      covered += at.low <= truth && truth <= at.high;
    }
  }
  gsl_rng_free(rng);
  print_message("simulated: order right %zu, covered %zu of %zu\n", right, covered, all);
  assert_true(right >= all * 9 / 10);
  assert_true(covered >= all * 8 / 10);
}

/* Noise must not raise an order: 500 noisy constants. */
TEST(noisy_constants_stay_constant)
{
  size_t raised = 0;
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  gsl_rng_set(rng, 99);
  for (int i = 0; i < 500; i++) {
    double y[COUNT(uneven)];
    for (size_t p = 0; p < COUNT(uneven); p++)
      y[p] = 1000 * exp(gsl_ran_gaussian(rng, i % 2 ? 0.01 : 0.05));
    sc_model m = fit(uneven, y, COUNT(uneven), false);
    raised += m.verdict == SC_VERDICT_MODEL && (m.order.exponent > 0 || m.order.log_exponent > 0);
  }
  gsl_rng_free(rng);
  print_message("noisy constants called growing: %zu of 500\n", raised);
  assert_true(raised <= 25);
}
