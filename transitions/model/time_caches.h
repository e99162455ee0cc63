/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "regress/core/power.h"
#include "transitions/model/data.h"

/* What data that leave the caches may have made of the times of whole runs: fills in `dearer` of the points. */

/* By what a step of memory cost on this machine. */
void sc_time_caches_measured(const sc_analysis *analysis, sc_power_point *points, size_t count);
/* How much of a cache a program gets that others share is not known, and differs from one minute to the next: ways in
 * which caches may end about any one of the sizes. Their number, and each by its number. */
size_t sc_time_caches_ways(size_t count);
void sc_time_caches_shared(const sc_analysis *analysis, size_t way, sc_power_point *points, size_t count);
