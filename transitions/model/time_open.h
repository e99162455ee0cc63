/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "transitions/model/data.h"

/* Keeps the times of the sizes where they do not tell whether an execution costs the same at every size
 * (transitions/model/time_growth.h). Costs have to be loaded. */
int sc_time_open_load(sc_analysis *analysis) SC_CHECK;
/* By how much everything may take longer at n for that reason: what the steepest curve that the times admit makes of
 * the largest size's time, by what the costs of executions make of it. 1 where it is known, and up to the largest size.
 */
double sc_time_open_factor(const sc_analysis *analysis, double n);
/* As sc_time_open_factor, for times that are modelled apart because the costs are no times. */
double sc_time_open_factor_of(const sc_analysis *analysis, const sc_blend *times, double n);
