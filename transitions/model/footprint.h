/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_TRANSITIONS_MODEL_FOOTPRINT_H
#define SC_TRANSITIONS_MODEL_FOOTPRINT_H
#include "transitions/model/internal.h"

/* By how much everything may get dearer at n because the data outgrow caches that held them in the runs measured; 1 if
 * memory does not grow or costs are no times. docs/findings.md, "Costs". */
double sc_footprint_factor(const sc_analysis *analysis, double n);
#endif
