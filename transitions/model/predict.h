/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "transitions/model/data.h"

/* What a prediction of several contexts' cost has beside their own intervals: what caches do, they do to all contexts
 * at once, so that it does not average out as their samples' errors do; nor does the error of a factor that all times
 * were taken times, nor what else the machine did, nor that the times leave open whether an execution costs more as
 * the workload grows (transitions/model/time_open.h). */
void sc_predict_allow_for_common(const sc_analysis *analysis, double n, sc_interval *total);
/* The latter alone, of seconds. */
void sc_predict_allow_for_doubt(const sc_analysis *analysis, sc_interval *seconds);
/* The total, if an execution costs what it did in the runs: what two programs that were measured alike are compared by.
 */
int sc_predict_steady_total(const sc_analysis *analysis, double n, sc_interval *out) SC_CHECK;
/* The same of a context's own cost: that it may grow still more is no doubt about how it is seen to grow. */
int sc_predict_steady_cost(const sc_analysis *analysis, uint32_t context, double n, sc_interval *out) SC_CHECK;
/* No upper end beyond the sizes measured, if `open`. */
void sc_predict_open_end(const sc_analysis *analysis, bool open, double n, sc_interval *out);
/* The smallest size from `from` on at which the blend reaches the limit (transitions/model/inverse.h). */
int sc_predict_limit(const sc_analysis *analysis, const sc_blend *blend, double limit, double from,
                     sc_interval *out) SC_CHECK;
/* part / whole within 0..1; 0 if there is no whole. */
double sc_predict_share(double part, double whole);
/* The size from which on the blend takes at least `share` of the total, up to the horizon at least; behind it where it
 * first does. The smallest measured size if it always does, infinity if never (up to SC_PREDICT_FAR). */
double sc_predict_share_size(const sc_analysis *analysis, const sc_blend *blend, double share);
