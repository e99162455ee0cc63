/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "transitions/model/analysis.h"

/* What power laws through counts say of superlinear growth, whatever model is right. */

/* Whether a context's count grows superlinearly for certain: every plausible model does, and so do power laws through
 * all sizes and through the larger half of them, at the lower ends of their 95% intervals. */
bool sc_superlinear_certain(const sc_analysis *analysis, uint32_t context, const sc_model *model);
/* The same of values [runs of the analysis] by these power laws alone. */
bool sc_superlinear_surely(const sc_analysis *analysis, const double *values);
/* Whether values [runs of the analysis] grow superlinearly by chance at most: these power laws do not at the upper
 * ends.
 */
bool sc_superlinear_unlikely(const sc_analysis *analysis, const double *values);
/* The same where the larger half says nothing, as where single runs burst: of as many more sizes as it takes. */
bool sc_superlinear_burst(const sc_analysis *analysis, const double *values);
