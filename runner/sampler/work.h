/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_RUNNER_SAMPLER_WORK_H
#define SC_RUNNER_SAMPLER_WORK_H
#include "profiles/graph/graph.h"

/*
 * Time spent in library functions whose work is counted, charged to that work: by the function's name where the library
 * has it, else (the C library picks its string functions by the processor, and they bear no names) in proportion to the
 * work that the calls of a context did in the run.
 */
typedef struct sc_sampler_work {
  const sc_graph *graph;
  size_t run;
  double *some; /* [context] cost of calls there that nobody can name; NULL before the first */
  uint32_t count;
} sc_sampler_work;

/* Charges a sample in code called from `context`, by way of the function `name` ("" if unknown), to the work of that
 * name, or to the context itself: adds to costs[context]. */
int sc_sampler_work_charge(sc_sampler_work *work, uint32_t context, const char *name, double cost,
                           double *costs) SC_CHECK;
/* Shares out what could not be named, once all samples are charged: adds to costs[context]. */
void sc_sampler_work_share(sc_sampler_work *work, double *costs);
void sc_sampler_work_free(sc_sampler_work *work);
#endif
