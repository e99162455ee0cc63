/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "transitions/model/cost_slope.h"
#include "transitions/model/measured.h"

/* Fills in what one execution of a counted context costs (delta-infer 6.3), with its interval. `one_sample`: cost of
 * one sample, for contexts that none hit. `points`: [run_count] to work with. */
void sc_cost_each_load(const sc_measured *m, uint32_t context, double one_sample, sc_cost_point *points, sc_load *load);
/* Ends the interval of a library's work where no processor is faster, and begins there what was too short to measure;
 * open to more where a call's bytes outgrow caches. */
void sc_cost_each_bound(const sc_analysis *analysis, uint32_t context, sc_load *load);
/* The runs in which the context has `samples` samples or more, ascending by n: fills points[run_count],
 * returns how many. */
size_t sc_cost_each_points(const sc_measured *m, uint32_t context, double samples, sc_cost_point *points);
