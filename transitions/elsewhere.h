/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_TRANSITIONS_ELSEWHERE_H
#define SC_TRANSITIONS_ELSEWHERE_H
#include "transitions/analysis.h"

/*
 * The analysis of a program at other values of further parameters than those it was measured at: executions by models
 * of that place, costs as at the base in proportion to executions (docs/what-if.md, "Several parameters").
 */
typedef struct sc_elsewhere {
  const sc_model *models; /* [model_count] of executions there */
  size_t model_count;
  const uint32_t *model_of; /* [contexts] of counted contexts in scope */
  const double *prices;     /* [contexts] what an execution takes of what never ran at the base */
  double price_most;        /* such a price may be so many times as high, */
  double checked;           /* cost measured elsewhere by what is predicted for it; NaN: not known */
} sc_elsewhere;

/* A new analysis that refers to the base's graph; the base may be freed before it. Its sizes are those of the base, its
 * executions at them what the models say. Elapsed time is not known there. */
int sc_analysis_move(const sc_analysis *base, const sc_elsewhere *there, sc_analysis **moved) SC_CHECK;
#endif
