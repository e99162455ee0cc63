/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdint.h>

#include "profiles/graph/graph.h"
#include "runner/sampler/key_map.h"

/*
 * What was counted but never sampled. Every thread and process begins a sampling period of its own, so the time behind
 * its last sample has none, and a task that is shorter than a period has no sample at all. The event's counters know
 * the sum, which keeps totals true.
 */
typedef struct sc_sampler_rest {
  double sampled;        /* sum over the samples, in ns or events */
  uint64_t tail;         /* most that a task may have run behind its last sample without being charged for it */
  sc_sampler_keys tasks; /* those that were sampled: how often */
} sc_sampler_rest;

/* Counts a sample of thread `tid`: its *number, from 1. */
int sc_sampler_rest_count(sc_sampler_rest *rest, uint32_t tid, uint32_t *number) SC_CHECK;
/* Takes note of what a sample stands for, and of a tail. */
void sc_sampler_rest_note(sc_sampler_rest *rest, double value, uint64_t tail);
/* Brings cost[context count of the graph], which sums to rest->sampled * unit, to the sum of counted * unit: what the
 * sampled tasks may have run behind their last samples (a tail each at most) raises all costs alike, the rest is
 * charged to the process that was sampled most. Where less was counted than sampled nothing changes. */
void sc_sampler_rest_charge(const sc_sampler_rest *rest, const sc_graph *graph, double counted, double unit,
                            double *cost);
void sc_sampler_rest_free(sc_sampler_rest *rest);
