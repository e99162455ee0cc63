/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_TRANSITIONS_FINDINGS_COVERAGE_H
#define SC_TRANSITIONS_FINDINGS_COVERAGE_H
#include "transitions/findings/findings.h"

const char *sc_coverage_class_name(enum sc_coverage_class part); /* "findings", "linear", ... */
/* `findings` are those that sc_findings_infer made of the analysis. SC_E_INPUT for an n that is not positive. Without
 * any cost (executions) at n all shares are 0. */
int sc_coverage_at(const sc_analysis *analysis, const sc_findings *findings, enum sc_coverage_metric metric, double n,
                   sc_coverage *out) SC_CHECK;
/* Whether a share is three quarters of the total or more. The rest then needs no breakdown: a program without it would
 * be a third faster at most. */
bool sc_coverage_enough(double share);
#endif
