/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "base/buf.h"
#include "transitions/findings/findings.h"

/* Counts what the places of `sites` [count], at least one, have in common. NULL: out of memory. */
sc_spread *sc_spread_new(const sc_analysis *analysis, const sc_finding_site *sites, size_t count);
void sc_spread_free(sc_spread *spread);
/* The sites' counts together in every run, [runs], to be freed by the caller; `executions`: weighed as such. NULL: out
 * of memory. */
double *sc_spread_sum(const sc_analysis *analysis, const sc_finding_site *sites, size_t count, bool executions);
/* The model of their executions. */
int sc_spread_fit(const sc_analysis *analysis, const sc_finding_site *sites, size_t count, sc_model *model) SC_CHECK;
/* "No place takes 1% of the cost. 150 functions in many.c, all called by main: all n^2. The largest: ..." */
void sc_spread_evidence(const sc_analysis *analysis, const sc_finding *finding, sc_buf *out);
/* What to do next: by what the places have in common. */
void sc_spread_advice(const sc_analysis *analysis, const sc_finding *finding, sc_buf *out);
