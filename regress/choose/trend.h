/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "regress/core/model.h"

/* A power law through noisy values, by least squares in logarithms over the means of each size: what can be said of a
 * series that no model describes. */
typedef struct sc_trend {
  double slope, level, centre; /* ln y = level + slope (ln n - centre) */
  double residual, spread;     /* standard deviation; sum of squared distances from the centre */
  size_t sizes;
  double freedom; /* degrees of freedom of the residual */
  double n_max;
} sc_trend;

/* Points ascending by n; values that are not positive are left out. The residual is at least `least`. False with fewer
 * than three sizes. */
bool sc_trend_fit(const double *n, const double *y, size_t count, double least, sc_trend *trend);
/* Takes the residual of a fitted trend from all repeats, points ascending by n, where there are any: that of the means
 * of the sizes, which was fitted to, as the repeats make it, at least `least`. False without, and nothing is changed.
 */
bool sc_trend_repeat(sc_trend *trend, const double *n, const double *y, size_t count, double least);
/* An end of the slope's interval of this level: the lower one for side -1, the upper one for 1. */
double sc_trend_bound(const sc_trend *trend, double level, int side);
/* True if the slope's interval of this level leaves out 0. */
bool sc_trend_certain(const sc_trend *trend, double level);
/* An uncertain slope counts as 0 for the value, and as itself for the interval. */
void sc_trend_predict(const sc_trend *trend, double n, double level, sc_interval *out);
/* The median of the slopes between all pairs of points in logarithms (Theil and Sen): what one size alone shows does
 * not move it. One point for each size, ascending; 0 with fewer than three that are positive. */
double sc_trend_slope(const double *n, const double *y, size_t count);
