/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "transitions/model/data.h"

/* What was measured in the analysis' scope, summed over the runs that sampled its cost event; over all runs when none
 * did. */
typedef struct sc_measured {
  const sc_analysis *analysis;
  bool *priced;       /* [run_count] the run has the cost event */
  double *per_sample; /* [run_count] cost of one sample; 0 unknown */
  double *cost;       /* [contexts] own cost, with that of contexts below that were never counted */
  double *counts;     /* [series] of work in its units */
  bool *folded;       /* [contexts] cost includes another context's */
  double all;         /* cost of everything */
} sc_measured;

/* Of a context, of these runs; 0 for what is not counted. */
static inline double sc_measured_count(const sc_measured *m, uint32_t context)
{
  uint32_t series = m->analysis->series[context];
  return series == SC_NONE ? 0 : m->counts[series];
}
/* Chooses the analysis' cost event and unit, and sums. Release with sc_measured_free, after a failure too. */
int sc_measured_take(sc_analysis *analysis, sc_measured *m) SC_CHECK;
void sc_measured_free(sc_measured *m);
/* Whether a cost event is one of the kernel's clocks, so that costs are seconds. */
bool sc_measured_is_clock(const char *event);
/* The counted child that a foreign function called most often, or SC_NONE: its own cost grows with these calls. */
uint32_t sc_measured_heaviest_child(const sc_measured *m, uint32_t context);
/* Cost of one sample on average over the runs; 0 unknown. */
double sc_measured_sample_cost(const sc_measured *m);
