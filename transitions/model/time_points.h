/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "regress/core/power.h"
#include "transitions/model/data.h"

/* The processor time of whole runs, one point a size, ascending by n, with its error: points[run_count]. Sizes without
 * a time are left out. */
int sc_time_points(const sc_analysis *analysis, sc_power_point *points, size_t *count) SC_CHECK;
/* Of the time that the runs from half of the largest size on had or wanted a processor, the share that they had none: 0
 * to 1. */
double sc_time_busy(const sc_analysis *analysis);
