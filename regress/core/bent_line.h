/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stddef.h>

/* A line that bends upwards: y = start + each * base + more * extra, no part negative. It tells whether something
 * beneath what is known to grow (`base`) grows faster (`extra`), long before it bends the exponent of the whole. */
typedef struct sc_bent_line_point {
  double y, error; /* standard deviation of y, in its unit */
  double base, extra;
} sc_bent_line_point;

typedef struct sc_bent_line {
  double start, each, more;
} sc_bent_line;

/* The best one, by weighted least squares; returns by how many standard errors the points prefer it to one without
 * `more`. Two points at least, with errors and extras above 0. */
double sc_bent_line_fit(const sc_bent_line_point *points, size_t count, sc_bent_line *bent);
/* The one with the most `more` that lies within the 95% region. */
void sc_bent_line_most(const sc_bent_line_point *points, size_t count, sc_bent_line *bent);
