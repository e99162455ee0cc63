/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "regress/core/tuning.h"

/* What is fitted, and how. */
enum sc_fit_engine {
  SC_FIT_DEFAULT,    /* made for extrapolation: docs/models.md */
  SC_FIT_DELTA_INFER /* the paper's: linear and power law, the better R^2 (delta-infer 5.2) */
};

/* How much of its model space the default engine searches. Less shows what the parts are worth, and cost. */
enum sc_fit_space {
  SC_FIT_SPACE_ALL,  /* everything */
  SC_FIT_SPACE_SUMS, /* no quotients, free exponents, saturations and change points */
  SC_FIT_SPACE_TERMS /* of these one growth term, alone or with a constant */
};

typedef struct sc_fit_options {
  enum sc_fit_engine engine;
  double
      r2_threshold; /* SC_FIT_R2; a model below it has order 0 in the paper's engine, CANNOT_TELL in the default one */
  enum sc_fit_space space;
} sc_fit_options;
#define SC_FIT_OPTIONS_DEFAULT ((sc_fit_options){SC_FIT_DEFAULT, SC_FIT_R2})

/* Points of one series. Repeats are points with the same n. */
typedef struct sc_series {
  const double *n, *y; /* [count]; n > 0, y >= 0, finite */
  size_t count;
  bool counts; /* y are exact integers (calls, iterations), not measurements */
} sc_series;
