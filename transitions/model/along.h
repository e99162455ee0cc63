/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "transitions/model/analysis.h"

/* The program along a further parameter, where the focused one stays at the horizon of an analysis: what grows with
 * that parameter (docs/findings.md, "Further parameters"). */
typedef struct sc_along {
  const char *variable;   /* the further parameter's name */
  double target;          /* its value that findings are judged at */
  bool population;        /* it is a number of threads or clients */
  const char *held;       /* where the other parameters stood in `runs`: "n = 1,600" */
  const sc_graph *graph;  /* of `runs`; contexts have the analysis's numbers */
  const size_t *runs;     /* [count] one for each value, ascending by it */
  const double *values;   /* [count] distinct */
  size_t count;           /* at least 1 */
  const sc_model *models; /* [model_count] of executions along the parameter */
  size_t model_count;
  const double *counts;     /* [model_count][count] what each model is of, counted in `runs` */
  const uint32_t *model_of; /* [contexts] of counted contexts in scope */
  const double *prices;     /* [contexts] as in sc_elsewhere: what an execution takes */
  const bool *priced;       /* [contexts] */
} sc_along;

/* A new analysis whose sizes are the values: executions by the models, each at what it takes at the base's horizon.
 * Elapsed time and waiting are those of the base at its horizon, and follow the counts that they go with; `base` is
 * best the analysis where the parameter has its target. It refers to along->graph; the base may be freed before it.
 * Superlinear models of fewer than SC_ALONG_VALUES values leave linear growth plausible, and those that are not exact
 * whatever the counts in `runs` by themselves do: stairs of a table that doubles are no m^1.5. */
int sc_analysis_along(const sc_analysis *base, const sc_along *along, sc_analysis **made) SC_CHECK;
