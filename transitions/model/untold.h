/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "transitions/model/measured.h"

/* Finds the contexts that grow without a model, marks their loads and sums what they hold. */
int sc_untold_find(sc_analysis *analysis, const sc_measured *m) SC_CHECK;
/* Whether a counted context's executions grow over the sizes. */
bool sc_untold_grows(const sc_analysis *analysis, uint32_t context);
/* Fills in the shares of what grows without a model, of all executions and costs of the largest run, whether that grows
 * slowly, and what follows; `credible`: samples are enough for the shares of cost. */
int sc_untold_weigh(sc_analysis *analysis, double count, double counts, double cost, double costs,
                    bool credible) SC_CHECK;
