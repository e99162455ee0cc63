/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "transitions/model/measured.h"

/* Where samples are too few to say what an execution costs, the processor time that the system accounted to the runs
 * does: user and system time over the executions. docs/findings.md, "Few samples". Sets analysis->few_samples. */
int sc_cost_times_load(sc_analysis *analysis, const sc_measured *m) SC_CHECK;
