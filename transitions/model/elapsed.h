/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "transitions/model/analysis.h"
#include "transitions/model/elapsed_run.h"

/* Elapsed time of a run, from release to exit: its processor time as far as nothing else of it ran at that time, and
 * what it waited for. docs/findings.md, "Elapsed time". */

/* False where runs have none (a baseline), where the analysis is restricted to roots, or with too few sizes. */
bool sc_analysis_elapsed_known(const sc_analysis *analysis);
/* Predicted at n, in seconds. SC_E_TOOLITTLE if it is not known, SC_E_INPUT for an n that is not positive. */
int sc_analysis_elapsed(const sc_analysis *analysis, double n, sc_interval *out) SC_CHECK;
/* How long a run at n takes, as far as it is known: elapsed time, else processor time; -1: costs are no times either.
 */
double sc_elapsed_expected(const sc_analysis *analysis, double n);
/* The same with another cost of everything at n: what a supposition makes of it. */
int sc_elapsed_predict(const sc_analysis *analysis, double n, const sc_interval *cost, sc_interval *out) SC_CHECK;
/* Whether processor time is a part of the costs, and not modelled apart (costs that are not times). */
bool sc_elapsed_has_costs(const sc_analysis *analysis);
/* The model of waiting at n; NULL: nothing is waited for. */
const sc_model *sc_elapsed_model(const sc_analysis *analysis, double n);

/* Seconds at n: on processor, and waiting by kind. */
typedef struct sc_elapsed_parts {
  double processor, waits[SC_WAIT_KINDS];
  bool measured; /* else all waiting is SC_WAIT_OTHER, also for a processor */
} sc_elapsed_parts;
/* Their sum is what sc_analysis_elapsed predicts; errors as there. */
int sc_analysis_elapsed_parts(const sc_analysis *analysis, double n, sc_elapsed_parts *parts) SC_CHECK;
/* A place whose executions most of the waiting is proportional to: where to look first, no proof. */
typedef struct sc_elapsed_place {
  uint32_t context; /* of those that are executed as often the innermost */
  size_t others;    /* how many more are */
  double each;      /* seconds of waiting for each execution */
} sc_elapsed_place;
/* False where no count grows like most of the waiting at n, or nothing waits. */
bool sc_elapsed_goes_with(const sc_analysis *analysis, double n, sc_elapsed_place *place);
/* "sleeping", "waiting for I/O": a part, for people; NULL: not a kind. */
const char *sc_elapsed_wait_name(enum sc_wait_kind kind);
/* Whether a word on a command line or in a budget means the elapsed time: "wall", "wall time", "elapsed time", ... */
bool sc_elapsed_is_metric(const char *word);
/* "sleep", "io": the same for programs. */
const char *sc_elapsed_wait_key(enum sc_wait_kind kind);
/* Whether more than half of it is no processor time; false of what is so short that this is chance. */
bool sc_elapsed_parts_mostly_wait(const sc_elapsed_parts *parts);
/* The same of the elapsed time at n. */
bool sc_elapsed_mostly_waits(const sc_analysis *analysis, double n);

/* What calls of the system below the contexts [count], ascending, wait for at n: seconds, and as a share of the elapsed
 * time (of that of all threads, if there are several), 0..1. */
int sc_elapsed_waited(const sc_analysis *analysis, const uint32_t *contexts, size_t count, double n, double *seconds,
                      double *share) SC_CHECK;
/* Fills in analysis->elapsed, when costs are loaded. */
int sc_elapsed_load(sc_analysis *analysis) SC_CHECK;
