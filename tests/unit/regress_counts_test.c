/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Series of every length, exact, noisy, in pieces and with repeats: no array of regress/ that is filled from them is
 * too small. What is beyond the end of one shows under AddressSanitizer at the latest. */
#include "unit.h"

#include <math.h>

#include "regress/choose/fit.h"
#include "regress/surface/surface.h"

enum { MOST = 600 };

static uint64_t seed = 5;
static double noise(void)
{
  seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(seed >> 11) / 9007199254740992.0;
}

static double triangle(double n) { return n * (n - 1) / 2; }
static double broken(double n) { return fmod(n, 50) < 25 ? 3 * n + 7 : n * n; }
static double pieces(double n) { return n < 100 ? 5 * n : n < 300 ? 500 + n * floor(log2(n)) : n * n; }
static double noisy(double n) { return n * log(n + 1) * (0.9 + 0.2 * noise()); }
static double foreign(double n) { return noise() < 0.02 ? 50 * n : 3 * n * (0.99 + 0.02 * noise()); }

static void fit(double (*f)(double), size_t count, size_t repeats, bool counts)
{
  double *n = test_malloc(count * sizeof *n), *y = test_malloc(count * sizeof *y);
  sc_series series = {n, y, count, counts};
  sc_model model;
  for (size_t i = 0; i < count; i++) {
    n[i] = (double)(i / repeats) + 1;
    y[i] = f(n[i]);
  }
  assert_int_equal(sc_fit_select(&series, &SC_FIT_OPTIONS_DEFAULT, &model), 0);
  assert_true(model.verdict == SC_VERDICT_CANNOT_TELL || isfinite(sc_model_value(&model, 1e4)));
  test_free(n);
  test_free(y);
}

TEST(every_length)
{
  for (size_t count = 1; count <= MOST; count++)
    fit(count % 3 == 0 ? triangle : count % 3 == 1 ? broken : pieces, count, 1, true);
}

TEST(every_length_of_measurements)
{
  for (size_t count = 1; count <= MOST; count++)
    fit(count % 2 ? noisy : foreign, count, count % 5 + 1, false);
}

TEST(hundreds_of_repeats)
{
  for (size_t repeats = 1; repeats <= 200; repeats += 9)
    fit(foreign, 7 * repeats, repeats, false);
}

/* Three parameters, each with up to 40 values. */
TEST(grids_of_every_width)
{
  for (size_t width = 1; width <= 40; width++) {
    size_t count = 3 * width;
    double *at = test_malloc(3 * count * sizeof *at), *y = test_malloc(count * sizeof *y);
    for (size_t i = 0; i < count; i++) {
      for (size_t p = 0; p < 3; p++)
        at[3 * i + p] = p == i / width ? (double)(i % width) + 1 : 2;
      y[i] = width % 2 ? at[3 * i] * at[3 * i + 1] + at[3 * i + 2] : noisy(at[3 * i]) * at[3 * i + 1];
    }
    sc_surface_series series = {.at = at, .y = y, .count = count, .parameters = 3, .counts = width % 2};
    sc_surface surface;
    assert_int_equal(sc_surface_fit(&series, &SC_FIT_OPTIONS_DEFAULT, &surface), 0);
    test_free(at);
    test_free(y);
  }
}
