/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "regress/core/model.h"

/* The Universal Scalability Law (Gunther): X(N) = lambda N / (1 + sigma (N - 1) + kappa N (N - 1)). */
typedef struct sc_usl {
  double lambda, sigma, kappa; /* sigma, kappa >= 0 */
  double error;                /* mean relative error on the points */
} sc_usl;

/* The throughput X(n). */
double sc_usl_at(const sc_usl *usl, double n);
/* Where throughput is highest: INFINITY if it grows for ever; at least 1. */
double sc_usl_peak(const sc_usl *usl);
/* How high: INFINITY if it is not bounded. */
double sc_usl_peak_throughput(const sc_usl *usl);

/* Least squares on relative residuals, within sigma >= 0 and kappa >= 0. n >= 1, x > 0; SC_E_NUMERIC if nothing fits,
 * SC_E_INPUT for other numbers or fewer than 3 points. */
int sc_usl_fit(const double *n, const double *x, size_t count, sc_usl *usl) SC_CHECK;

typedef struct sc_usl_intervals {
  sc_interval lambda, sigma, kappa, peak, peak_throughput;
} sc_usl_intervals;
/* Intervals of the given level by resampling the fit's relative residuals (bootstrap, always with the same seed). */
int sc_usl_bootstrap(const sc_usl *usl, const double *n, const double *x, size_t count, double level,
                     sc_usl_intervals *out) SC_CHECK;
