/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_TRANSITIONS_MODEL_COST_GROWTH_H
#define SC_TRANSITIONS_MODEL_COST_GROWTH_H
#include "transitions/model/cost_each.h"

/* each = level * n^slope, by least squares in logarithms, weighted by samples. */
typedef struct sc_cost_slope {
  double slope, error;       /* and its standard error, lack of fit included */
  double centre;             /* ln n where slope and level are independent */
  double level, level_error; /* ln each at the centre */
  double residual;           /* mean relative error, weighted by samples */
  double worst;              /* largest |ln| a point is off, less three standard errors of its samples */
} sc_cost_slope;

/* False with fewer than three sizes. Points are ascending by n; equal sizes are allowed. */
bool sc_cost_growth_fit(const sc_cost_point *points, size_t count, sc_cost_slope *out);
/* True if the slope is beyond doubt at least 0.6 and all points follow it: caches and paging raise the cost of an
 * execution too, but by less, or in a cliff. */
bool sc_cost_growth_certain(const sc_cost_slope *slope);
/* The model of a count times factor * n^exponent, the cost of one: every term gets the exponent. */
sc_model sc_cost_growth_times(const sc_model *count, double factor, double exponent);
/* If one execution of the context certainly costs more and more, gives it a model of its cost. Does nothing for the
 * paper's engine, which knows averages alone, and for contexts that hardly cost anything. `points`: [run_count]. */
int sc_cost_growth_load(sc_analysis *analysis, const sc_measured *m, uint32_t context, sc_cost_point *points) SC_CHECK;
/* The same of contexts that hardly cost anything one by one: if one execution of those whose executions have the same
 * order certainly costs more and more, taken together, each of them gets a model of its part of the sum. */
int sc_cost_growth_load_small(sc_analysis *analysis, const sc_measured *m, sc_cost_point *points) SC_CHECK;
/* The same of cost in no function (machine code made at run time, objects without counters): `grown_cost` where it
 * grows and the load has a model of it. */
int sc_cost_growth_load_uncounted(sc_analysis *analysis, const sc_measured *measured, uint32_t context,
                                  sc_cost_point *points, bool *grown_cost) SC_CHECK;
#endif
