/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
/* Fits with the default options, for tests of what regress/choose/fit.c answers; after unit.h. */
#include "regress/choose/fit.h"

static const double doubling[] = {100, 200, 400, 800, 1600};
static const double uneven[] = {50, 80, 130, 210, 340, 550, 900, 1450};

static inline sc_model fit(const double *n, const double *y, size_t count, bool counts)
{
  sc_model model;
  sc_series series = {n, y, count, counts};
  assert_int_equal(sc_fit_select(&series, &SC_FIT_OPTIONS_DEFAULT, &model), 0);
  return model;
}

/* Of the counts f(n); there is a model. */
static inline sc_model fit_counts(double (*f)(double), const double *n, size_t count)
{
  double y[64];
  assert_true(count <= COUNT(y));
  for (size_t i = 0; i < count; i++)
    y[i] = f(n[i]);
  sc_model model = fit(n, y, count, true);
  assert_int_equal(model.verdict, SC_VERDICT_MODEL);
  return model;
}

static inline sc_interval predict(const sc_model *model, double n)
{
  sc_interval i;
  assert_int_equal(sc_model_predict(model, n, 0.95, &i), 0);
  return i;
}
