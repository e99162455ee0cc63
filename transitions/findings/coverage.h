/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "transitions/findings/findings.h"

typedef struct sc_coverage_part {
  double value;       /* at n: cost in the analysis' unit, or executions */
  double share;       /* of the sum of all parts, 0..1 */
  uint32_t context;   /* where the place that takes most of it is; SC_COVERAGE_NOWHERE: no such place */
  double place_share; /* of the sum of all parts, 0..1: of all contexts of that place */
} sc_coverage_part;
#define SC_COVERAGE_NOWHERE UINT32_MAX

typedef struct sc_coverage {
  double n, total;
  sc_coverage_part parts[SC_COVERAGE_CLASSES];
} sc_coverage;

const char *sc_coverage_class_name(enum sc_coverage_class part); /* "findings", "linear", ... */
/* `findings` are those that sc_findings_infer made of the analysis. SC_E_INPUT for an n that is not positive. Without
 * any cost (executions) at n all shares are 0. */
int sc_coverage_at(const sc_analysis *analysis, const sc_findings *findings, enum sc_coverage_metric metric, double n,
                   sc_coverage *out) SC_CHECK;
/* Whether a share is three quarters of the total or more. The rest then needs no breakdown: a program without it would
 * be a third faster at most. */
bool sc_coverage_enough(double share);
