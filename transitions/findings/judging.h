/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "transitions/findings/carried.h"
#include "transitions/findings/findings.h"

/* What turning transitions into findings goes through: shared by select.c, which selects and ranks, and judging.c,
 * which makes one finding. */
typedef struct sc_judging {
  const sc_analysis *analysis;
  sc_transitions transitions;
  double horizon;
  sc_interval total; /* cost at the horizon */
  double executions; /* of all contexts, at the horizon */
  sc_carried *carried;
  unsigned char *classes; /* [transitions] enum sc_coverage_class: what becomes of what each carries;
                             SC_COVERAGE_CLASSES: of a doubtful one that is not listed, it carries nothing */
} sc_judging;

/* Makes the finding of the given transitions: of one location and kind or, with `spread`, of many places, judged by
 * their sum. *negligible is set if nothing about it reaches the options' share (SC_SPREAD_SHARE) at any target, or the
 * sum's growth is not surely superlinear; *cost is its cost at the horizon and *executions those of its sites. */
int sc_judging_make(const sc_judging *judging, const uint32_t *transitions, size_t count, bool spread,
                    sc_finding *finding, bool *negligible, double *cost, double *executions) SC_CHECK;
/* Predicts a finding's members anew, by another analysis of the same contexts, at its targets. */
int sc_judging_predict_there(const sc_analysis *there, sc_finding *finding) SC_CHECK;
void sc_judging_clear(sc_finding *finding);
