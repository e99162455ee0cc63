/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_TESTS_REGRESS_FIT_SCENE_H
#define SC_TESTS_REGRESS_FIT_SCENE_H
/* Fits with the default options, for the tests of regress/choose/fit.c; after unit.h. */
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

#endif
