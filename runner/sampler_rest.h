/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_RUNNER_SAMPLER_REST_H
#define SC_RUNNER_SAMPLER_REST_H
#include <stdint.h>

#include "profiles/graph.h"
#include "runner/sampler_table.h"

/*
 * What was counted but never sampled. Every thread and process begins a sampling period of its own, so the time behind
 * its last sample has none, and a task that is shorter than a period has no sample at all. The event's counters know
 * the sum, which keeps totals true.
 */
typedef struct sc_sampler_rest {
  double sampled;         /* sum over the samples, in ns or events */
  uint64_t period;        /* the largest of a sample */
  sc_sampler_table tasks; /* those that were sampled */
} sc_sampler_rest;

/* Takes note of a sample of thread `tid` that stands for `period`. */
int sc_sampler_rest_note(sc_sampler_rest *rest, uint32_t tid, uint64_t period) SC_CHECK;
/* Brings cost[context count of the graph], which sums to rest->sampled * unit, to the sum of counted * unit: what the
 * sampled tasks may have run behind their last samples (a period each at most) raises all costs alike, the rest is
 * charged to the process that was sampled most. Where less was counted than sampled nothing changes. */
void sc_sampler_rest_charge(const sc_sampler_rest *rest, const sc_graph *graph, double counted, double unit,
                            double *cost);
void sc_sampler_rest_free(sc_sampler_rest *rest);
#endif
