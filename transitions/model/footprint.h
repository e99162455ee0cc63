/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "transitions/model/data.h"

/* Finds how the memory in use grows with the size. */
int sc_footprint_load(sc_analysis *analysis) SC_CHECK;
/* Then, once costs are loaded, how much of the time can be waiting for it: docs/cost.md, "Data that leave the caches".
 */
int sc_footprint_weigh(sc_analysis *analysis) SC_CHECK;
/* Bytes in use at n; 0: not known. */
double sc_footprint_bytes(const sc_analysis *analysis, double n);
/* What a step from one line of memory to the next takes at n, by that at the largest size measured. */
double sc_footprint_step(const sc_analysis *analysis, double n);
/* What the executions of n cost at their mean costs, without what is done once. */
double sc_footprint_steady(const sc_analysis *analysis, double n);
/* By how much everything may get dearer at n because the data outgrow caches that held them in the runs measured; 1 if
 * memory does not grow or costs are no times. */
double sc_footprint_factor(const sc_analysis *analysis, double n);
