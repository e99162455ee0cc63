/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "regress/core/model.h"
#include "regress/core/series.h"

/*
 * A series with its repeats gathered: one entry per distinct size, ascending. `scale` is what residuals are divided by,
 * so that they are relative errors: the mean itself, or a floor where the mean is (nearly) zero.
 */
typedef struct sc_points {
  size_t count;        /* distinct sizes */
  size_t observations; /* points given */
  double *n, *log_n;   /* [count] sizes and their natural logarithms */
  double *log2_n;      /* [count] and those to base 2 */
  double *y;           /* [count] mean over the repeats */
  double *scale;       /* [count] */
  double *repeats;     /* [count] number of repeats */
  double *weight;      /* [count] of the squared relative residual: the repeats, less where they scatter more */
  double *values;      /* [observations] all values, by size */
  double pure_ss;      /* weighted relative sum of squares of the repeats around their means */
  size_t pure_degrees; /* and its degrees of freedom */
  double rounding;     /* mean square of the relative error of half a count; 0 for measurements */
  double stairs;       /* mean square of what any growing function misses counts by that stand still */
  bool counts;         /* every value is a whole number of events up to 2^63 */
  bool equal;          /* counts, and every repeat equal */
  bool whole;          /* counts whose repeats differ by SC_FIT_NEARLY at most: structure, not noise */
  bool doubted;        /* the growth chosen may be stairs (sc_doubt_refuse) */
  bool refused;        /* the growth that the sizes show best may be stairs, and something slower was chosen */
  bool same_sizes;     /* the sizes are those of the series gathered before: designs need no new computation */
  double y_max;
  size_t zeros; /* how many of the first sizes have the value 0 */
  size_t capacity;
  void *order;
} sc_points;

/* Checks and gathers a series. Buffers are reused from call to call. SC_E_INPUT names the index of a bad number. */
int sc_points_gather(const sc_series *series, sc_points *points) SC_CHECK;
/* A view of `count` sizes from `first` on; the sums over repeats stay those of all points. */
sc_points sc_points_part(const sc_points *points, size_t first, size_t count);
/* Drops the first `count` sizes. */
void sc_points_drop(sc_points *points, size_t count);
/* The variance of the mean at a size, relative to its scale, as the repeats of all sizes scatter; 0 without repeats. */
double sc_points_noise(const sc_points *points, size_t at);
/* What repeats and stairs of this variance leave of the values: sum of squares, in their unit. */
double sc_points_scatter(const sc_points *points, double stairs);
void sc_points_free(sc_points *points);
