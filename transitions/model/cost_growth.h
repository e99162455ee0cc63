/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "transitions/model/cost_slope.h"
#include "transitions/model/measured.h"

/* The model of a count times factor * n^exponent, the cost of one: every term gets the exponent. */
sc_model sc_cost_growth_times(const sc_model *count, double factor, double exponent);
/* If one execution of the context certainly costs more and more, gives its load a model of its cost. Does nothing for
 * the paper's engine, which knows averages alone, and for contexts that hardly cost anything. `points`: [run_count]. */
int sc_cost_growth_load(sc_analysis *analysis, const sc_measured *m, uint32_t context, sc_cost_point *points,
                        sc_load *load) SC_CHECK;
/* The same of contexts that hardly cost anything one by one: if one execution of those whose executions have the same
 * order certainly costs more and more, taken together, each of them gets a model of its part of the sum. */
int sc_cost_growth_load_small(sc_analysis *analysis, const sc_measured *m, sc_cost_point *points) SC_CHECK;
/* Cost in no function (machine code made at run time, objects without counters): `grown_cost` where it grows beside
 * what a process pays to start, and the load has a model of both. `steepest`: the highest exponent of a count. Nothing
 * for the paper's engine. */
int sc_cost_growth_load_uncounted(sc_analysis *analysis, const sc_measured *measured, uint32_t context, double steepest,
                                  bool *grown_cost) SC_CHECK;
