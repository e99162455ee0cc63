/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stddef.h>

/* y = start + each * base + more * extra, no part negative: whether something beneath what is known to grow (`base`)
 * grows faster (`extra`), long before it bends the exponent of the whole. */
typedef struct sc_mix_point {
  double y, error; /* standard deviation of y, in its unit */
  double base, extra;
} sc_mix_point;

typedef struct sc_mix {
  double start, each, more;
} sc_mix;

/* The best mix, by weighted least squares; returns by how many standard errors the points prefer it to one without
 * `more`. Two points at least, with errors and extras above 0. */
double sc_mix_fit(const sc_mix_point *points, size_t count, sc_mix *mix);
/* The mix with the most `more` that lies within the 95% region. */
void sc_mix_most(const sc_mix_point *points, size_t count, sc_mix *mix);
