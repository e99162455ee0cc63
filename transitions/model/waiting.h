/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "profiles/graph/usage.h"
#include "transitions/model/analysis.h"
#include "transitions/model/blend.h"

/* Where a program waits: which calls, in which contexts, how long at any size. docs/cost.md, "Where the time is
 * waited".
 *
 * Seconds are those of every thread: threads that wait at the same time add up to more than passes meanwhile. */
typedef struct sc_waiting_place {
  uint32_t context;                /* function or loop that calls */
  uint32_t line;                   /* of the (first) call there; */
  uint32_t spot_line, spot_column; /* in the user's code: of the call into the library whose header calls */
  const char *via;                 /* linkage name of the function called: "nanosleep"; the graph's */
  enum sc_wait_kind kind;
  bool blocks;     /* a call of the system: not a lock's, condition's or barrier's wait */
  double measured; /* seconds at the largest size, mean of its runs */
  double waits;    /* how many, there */
  sc_blend blend;  /* seconds, of the analysis' models */
} sc_waiting_place;

/* At the largest size most seconds first. [*count]; none where elapsed time is not known. */
const sc_waiting_place *sc_waiting_places(const sc_analysis *analysis, size_t *count);
/* Seconds at n. SC_E_INPUT for an n that is not positive. */
int sc_waiting_predict(const sc_analysis *analysis, const sc_waiting_place *place, double n, sc_interval *out) SC_CHECK;
/* The model that most of its seconds at n go with; never NULL. */
const sc_model *sc_waiting_model(const sc_analysis *analysis, const sc_waiting_place *place, double n);
/* Several threads or processes: their seconds are not those that pass. */
bool sc_waiting_overlaps(const sc_analysis *analysis);
/* What the places' waits take at n at least, if as many threads wait at a time as did when it was measured; its high
 * end is for one thread at a time. 0: unknown. */
int sc_waiting_least(const sc_analysis *analysis, double n, sc_interval *out) SC_CHECK;
/* Fills in analysis->elapsed.places, when elapsed time is loaded. */
int sc_waiting_load(sc_analysis *analysis) SC_CHECK;
void sc_waiting_free(sc_analysis *analysis);
/* What a row's wait is for; false for rows that are no wait, and for threads: what these wait for is the cause. */
bool sc_waiting_kind(const sc_graph *graph, const sc_usage *row, enum sc_wait_kind *kind);
