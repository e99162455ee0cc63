/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <sys/types.h>

#include "profiles/graph/graph.h"

/*
 * Cost of every context, sampled from outside the target with perf_event: user registers and a piece of the stack per
 * sample, unwound afterwards with libdw; frames (inlined ones too) and their loops (the line table's discriminators)
 * are matched to the contexts of the run's profile. It costs the target nothing but the kernel's interrupt.
 */
typedef struct sc_sampler sc_sampler;

typedef struct sc_sampler_options {
  const char *event;  /* libpfm4 name; NULL: task-clock */
  double frequency;   /* samples a second of each processor's time; 0: 997, and 251 once there are 1,000 samples */
  size_t stack_bytes; /* user stack copied per sample; multiple of 8, at most 60,000; 0: 16 KiB */
  const char *spool;  /* directory for the raw samples (bounded memory) */
} sc_sampler_options;

/* Starts sampling a process that has not exec'ed yet (it waits for the parent), its threads and its children; counting
 * starts with exec. SC_E_UNSUPPORTED with message and hint where the kernel or the machine refuses the event. */
int sc_sampler_open(const sc_sampler_options *options, pid_t pid, sc_sampler **sampler) SC_CHECK;
/* Descriptors to poll for POLLIN; returns how many were stored (at most `room`). */
size_t sc_sampler_fds(const sc_sampler *sampler, int *fds, size_t room);
/* Moves what the kernel has to the spool. Call when a descriptor is ready, at least every 100 ms, and once at the end.
 */
int sc_sampler_drain(sc_sampler *sampler) SC_CHECK;
/* After the run, when its profiles are in the graph: unwinds, matches, adds SC_METRIC_COST (seconds for clocks, else
 * events) to the run's contexts and fills samples, samples_unmatched, samples_lost and cost_event of the run. A sample
 * whose chain leads out of the known contexts goes to the deepest context that matches. What was counted but never
 * sampled is added (runner/sampler/rest.h), so that the costs sum to the run's total; where only user mode may be
 * sampled, the run's user_seconds and system_seconds say how much of it that is. */
int sc_sampler_attribute(sc_sampler *sampler, sc_graph *graph, size_t run) SC_CHECK;
void sc_sampler_close(sc_sampler *sampler);

/* Whether sampling works here, for `scale-run doctor`: 0, or SC_E_UNSUPPORTED with message and hint. */
int sc_sampler_probe(const char *event) SC_CHECK;
