/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "profiles/graph/graph.h"

/* What instrumentation adds to a program's times, estimated from its calls, iterations, events and threads. Rough: of
 * 44 programs it misses what was measured by 2% of the processor time in the median (docs/overhead.md). */

/* Processor seconds of a run; they may exceed what it took. */
double sc_added_seconds(const sc_graph *graph, size_t run);
/* A share of the processor time of the largest size, 0 to SC_ADDED_MOST; < 0: no times were measured. */
double sc_added_share(const sc_graph *graph);
