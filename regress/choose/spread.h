/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "regress/forms/candidate.h"

/* From the examined candidates to a model with everything its interval needs. */

typedef struct sc_spread {
  double variance; /* of a relative residual of weight 1: repeats, or lack of fit where that is larger */
  double scatter;  /* relative deviation of the true counts from the model */
  double drift, n_center;
  size_t degrees;
} sc_spread;

/* Of a candidate that was examined, on the points it was fitted to. */
sc_spread sc_spread_of(const sc_points *points, const sc_candidate *candidate);
/* Relative standard error of what the candidate predicts at n. */
double sc_spread_deviation(const sc_spread *spread, const sc_candidate *candidate, double n);

/* Terms, order, residual scale, covariance, scatter and drift of the best candidate. */
void sc_spread_set(const sc_points *points, const sc_candidate *best, sc_model *model);
