/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "transitions/suppose/suppose.h"

/* A part of a program: some contexts, predicted together, as they are or with suppositions. */
typedef struct sc_portion sc_portion;

enum sc_portion_metric {
  SC_PORTION_COST,    /* own costs of the contexts, in the analysis's cost unit */
  SC_PORTION_COUNT,   /* their executions; units of work by their weight */
  SC_PORTION_UNITS,   /* their counts as they are: those of work, if all are of one unit */
  SC_PORTION_ELAPSED, /* elapsed time in seconds, of everything only (transitions/model/elapsed.h) */
  SC_PORTION_WAITING  /* seconds that calls in the contexts wait, of all threads (transitions/model/waiting.h); nothing
                         is supposed of it */
};

/* Of `contexts` [count], each once; NULL: of everything in scope, as sc_analysis_total. Those outside the scope add
 * nothing. `suppose`: NULL, or what is supposed; it must outlive the portion. Not thread-safe. */
int sc_portion_new(const sc_analysis *analysis, const uint32_t *contexts, size_t count, enum sc_portion_metric metric,
                   const sc_suppose *suppose, sc_portion **portion) SC_CHECK;
void sc_portion_free(sc_portion *portion);
/* At size n, with interval; a context that grows without a model and makes 5% or more at the largest size measured
 * takes away the upper end beyond it. SC_E_INPUT for an n that is not positive. */
int sc_portion_predict(const sc_portion *portion, double n, sc_interval *out) SC_CHECK;
/* The model whose interval adds most to that of the portion at n; NULL if there is nothing. */
const sc_model *sc_portion_widest(const sc_portion *portion, double n);
