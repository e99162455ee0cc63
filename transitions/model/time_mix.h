/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "regress/core/power.h"
#include "transitions/model/data.h"

/* Whether a part of the times of whole runs grows by one order more than what they execute, as work in code that is not
 * counted does: a quarter of the largest size's time bends the exponent by a tenth, and is most of the time at ten
 * times the size. */
typedef struct sc_time_mix {
  bool hints;   /* the times prefer such a part, beyond what caches make of them, and it matters at the targets */
  bool open;    /* the times admit one that would hide in what they scatter by, and be most of the time at ten times the
                   size */
  double share; /* what it takes of the largest size's time, most likely */
} sc_time_mix;

/* `counts`: the exponent of what is executed; `waits`: executions may do no more than wait for memory. Points as of
 * sc_time_points. */
sc_time_mix sc_time_mix_find(const sc_analysis *analysis, const sc_power_point *points, size_t count, double counts,
                             bool waits);
/* The most that such a mix within the 95% region of the times reaches at n. */
double sc_time_mix_most(const sc_power_point *points, size_t count, double counts, double n);
