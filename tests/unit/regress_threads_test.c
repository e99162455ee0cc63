/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fitting from several threads at once gives what one thread gives; run under TSan too. */
#include "unit.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "regress/choose/fit.h"

enum { SIZES = 6, SERIES = 60, THREADS = 4 };

static double value(int series, double n)
{
  switch (series % 4) {
  case 0:
    return 5 + series;
  case 1:
    return 3 * n + series;
  case 2:
    return (series + 1) * n * (n - 1) / 2;
  default:
    return n * n * n + series;
  }
}

static void fit_all(char formulas[SERIES][128])
{
  static const double n[SIZES] = {100, 190, 410, 800, 1500, 3100};
  const sc_fit_options options = SC_FIT_OPTIONS_DEFAULT;
  for (int i = 0; i < SERIES; i++) {
    double y[SIZES];
    for (int k = 0; k < SIZES; k++)
      y[k] = value(i, n[k]);
    sc_model model;
    const sc_series series = {.n = n, .y = y, .count = SIZES, .counts = true};
    if (sc_fit_select(&series, &options, &model) < 0)
      strcpy(formulas[i], "error");
    else
      sc_model_format(&model, "n", formulas[i], sizeof formulas[i]);
  }
}

static void *fit_thread(void *formulas)
{
  fit_all(formulas);
  return NULL;
}

TEST(test_threads_fit_alike)
{
  static char alone[SERIES][128], together[THREADS][SERIES][128];
  pthread_t threads[THREADS];
  fit_all(alone);
  assert_string_equal(alone[1], "3 n + 1");
  for (int i = 0; i < THREADS; i++)
    assert_int_equal(pthread_create(&threads[i], NULL, fit_thread, together[i]), 0);
  for (int i = 0; i < THREADS; i++)
    assert_int_equal(pthread_join(threads[i], NULL), 0);
  for (int i = 0; i < THREADS; i++)
    for (int k = 0; k < SERIES; k++)
      assert_string_equal(together[i][k], alone[k]);
}
