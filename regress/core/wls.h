/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "regress/core/points.h"

/* Least squares on relative residuals (weights points.weight / scale^2), by GSL's QR decomposition. */
typedef struct sc_wls sc_wls;

typedef struct sc_wls_result {
  double rss;                                        /* weighted residual sum of squares */
  double covariance[SC_MODEL_TERMS][SC_MODEL_TERMS]; /* of the coefficients, for a residual variance of 1 */
  /* Relative error (predicted - measured) of the largest size as predicted from all other sizes, and from all but the
   * two largest; NAN where those do not determine the coefficients. */
  double forward[2];
  double lowest;               /* the least fitted value at any size, relative to the scale there */
  double part[SC_MODEL_TERMS]; /* what each term contributes at the largest size, relative to the scale there */
} sc_wls_result;

/* Turns GSL's aborting error handler off, once per process. Every function of regress/ that calls GSL calls this. */
void sc_wls_init(void);
int sc_wls_new(sc_wls **wls) SC_CHECK;
void sc_wls_free(sc_wls *wls);
/* Fits the terms' coefficients (exponents are given) to the points. SC_E_NUMERIC if it has no solution. */
int sc_wls_fit(sc_wls *wls, const sc_points *points, sc_term *terms, size_t term_count, sc_wls_result *result) SC_CHECK;
