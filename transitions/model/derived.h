/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "transitions/model/data.h"

/* What every analysis that is made of another one's models has in common (elsewhere.h, along.h). */

/* Contexts, scope, unit and options of the base, without runs and models. `a` is zero-initialised. */
int sc_derived_copy(const sc_analysis *base, const sc_analysis_options *options, sc_analysis *a) SC_CHECK;
/* The counts that the models added so far have at the analysis's sizes. */
int sc_derived_count(sc_analysis *a) SC_CHECK;
/* Total cost, executions and the share with a model, of the loads. */
int sc_derived_sum_up(sc_analysis *a) SC_CHECK;
/* The model in `a` of the count that a model of the base is of: the context's, if it is that, else of any; SC_NONE: of
 * no count that has a model in both. */
uint32_t sc_derived_model(const sc_analysis *base, const sc_analysis *a, uint32_t model, uint32_t context);
