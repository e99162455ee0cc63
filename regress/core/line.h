/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdbool.h>

/* y = start + each * x by weighted least squares, neither part negative: seconds of runs, where some come once
 * and others with each execution. Points are added one by one to sums that begin as {0}. */
typedef struct sc_line_sums {
  double w, x, y, xx, xy;
} sc_line_sums;
typedef struct sc_line {
  double start, each;
  bool varies;   /* the points differ enough in x to tell the two parts apart */
  double spread; /* variance of `each` for points that miss the line by their error; 0 where all have one x */
} sc_line;

/* `error`: what y may be off by, above 0. */
void sc_line_add(sc_line_sums *sums, double x, double y, double error);
/* Of points that do not vary all is start. */
sc_line sc_line_fit(const sc_line_sums *sums);
/* The line through the origin. */
sc_line sc_line_through_zero(const sc_line_sums *sums);
/* The square by which a point misses it, in errors. */
double sc_line_miss(const sc_line *line, double x, double y, double error);
