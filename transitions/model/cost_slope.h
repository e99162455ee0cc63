/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdbool.h>
#include <stddef.h>

/* Cost of one execution in one run. */
typedef struct sc_cost_point {
  double n, each, samples;
} sc_cost_point;

/* each = level * n^slope, by least squares in logarithms, weighted by samples. */
typedef struct sc_cost_slope {
  double slope, error;       /* and its standard error, lack of fit included */
  double centre;             /* ln n where slope and level are independent */
  double level, level_error; /* ln each at the centre */
  double residual;           /* mean relative error, weighted by samples */
  double worst;              /* largest |ln| a point is off, less three standard errors of its samples */
} sc_cost_slope;

/* False with fewer than three sizes. Points are ascending by n; equal sizes are allowed. */
bool sc_cost_slope_fit(const sc_cost_point *points, size_t count, sc_cost_slope *out);
/* True if the slope is beyond doubt at least 0.6 and all points follow it: caches and paging raise the cost of an
 * execution too, but by less, or in a cliff. */
bool sc_cost_slope_certain(const sc_cost_slope *slope);
/* Distinct sizes of points in order. */
size_t sc_cost_slope_sizes(const sc_cost_point *points, size_t count);
