/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "profiles/graph/graph.h"

/*
 * What instrumentation adds to a program's times. Runs of the plain program beside instrumented ones tell by how much;
 * the times of all instrumented runs are then turned into the plain program's before anything is made of them, so that
 * every number that is shown is the plain program's. Without such runs it is estimated from what was counted
 * (transitions/model/added.h). docs/overhead.md, "The plain program's times".
 */
typedef struct sc_plain {
  size_t runs;          /* of the plain program, that stand beside an instrumented one; 0: none */
  double estimated;     /* without such runs, what instrumentation adds: a share of the processor time at the largest
                         * size; < 0: no times */
  double low, high;     /* sizes at which they were made */
  double factor, start; /* processor seconds: plain = start + factor * instrumented */
  double doubt;         /* half-width of what that gives at 95 %, relative */
  double waits;         /* seconds waited for something else than a processor, plain by instrumented */
  double slowdown;      /* processor time at the largest of these sizes, instrumented by plain */
  double slowdown_low, slowdown_high; /* at 95 % */
  bool taken_away; /* nothing is left to be made of times: sc_plain_apply takes them away, whatever the rest says */
} sc_plain;

/* From runs of the plain program (`plain`; of several builds those of the newest run's) and the instrumented runs of
 * `graph`, each with the nearest of the same size. */
int sc_plain_find(const sc_graph *graph, const sc_graph *plain, sc_plain *out) SC_CHECK;
/* Turns the times of all runs of the graph into the plain program's: costs that are times, processor time, elapsed
 * time, waiting. A target that the plain program ran at, too, gets what was measured there. */
int sc_plain_apply(const sc_plain *plain, const sc_graph *runs, sc_graph *graph) SC_CHECK;
