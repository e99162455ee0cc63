/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "transitions/model/data.h"

/* What is asked at the same sizes again and again, computed once: cost and executions of the whole scope, which every
 * finding is held against (with 100,000 models one evaluation takes milliseconds), and the intervals of the models,
 * which contexts share. Not thread-safe. */
typedef struct sc_sums sc_sums;
sc_sums *sc_sums_new(void); /* NULL: out of memory */
void sc_sums_free(sc_sums *sums);
/* Once everything is loaded: as sc_blend_value and sc_blend_predict of analysis->total, and sc_blend_value of
 * analysis->executions, at n > 0. */
double sc_sums_cost(const sc_analysis *analysis, double n);
int sc_sums_predict(const sc_analysis *analysis, double n, sc_interval *out) SC_CHECK;
double sc_sums_executions(const sc_analysis *analysis, double n);
/* As sc_blend_predict of a blend of analysis->models, which must not change any more. For sizes that many contexts are
 * predicted at: intervals of other sizes would take the room of theirs. */
int sc_sums_blend(const sc_analysis *analysis, const sc_blend *blend, double n, sc_interval *out) SC_CHECK;
/* What transitions/model/time_open.h keeps with the size, until another one takes its place; 0: not yet known. */
double *sc_sums_most(const sc_analysis *analysis, double n);
/* What contexts come to at the largest size measured, kept by who finds it out (transitions/model/time_growth.h). */
struct sc_sums_largest {
  double executions;
  double exponent; /* the highest of the counts; 0: not yet known */
  double exact;    /* share of the executions that has an exact model; < 0: not yet known */
};
struct sc_sums_largest *sc_sums_largest(const sc_analysis *analysis);
/* Executions are whole ones: known to less than one, they are known exactly. (Work that library functions do weighs
 * parts of one.) */
void sc_sums_whole(sc_interval *executions);
