/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "transitions/model/data.h"

/* sc_fit_select, but numbers that cannot be fitted give a model that cannot tell instead of an error. */
int sc_costs_fit(const sc_series *series, const sc_fit_options *options, sc_model *model) SC_CHECK;
/* Fills in how every context in scope is predicted (delta-infer 6.3): loads, unit, total, executions, modelled_share.
 */
int sc_costs_load(sc_analysis *analysis) SC_CHECK;
/* Adds what the contexts in scope cost and execute, once their loads are known. */
int sc_costs_sum_up(sc_analysis *analysis) SC_CHECK;
/* How often a counted context is executed: by its own model, or in proportion to an ancestor that has one. Nothing is
 * said of what an execution costs. */
void sc_costs_load_count(const sc_analysis *analysis, uint32_t context, sc_load *load);
/* The part a context adds to a blend of costs, to one of counts (of work: in its units), and to one of executions,
 * which only counted contexts have. */
sc_blend_part sc_costs_part(const sc_load *load);
sc_blend_part sc_costs_count_part(const sc_load *load);
sc_blend_part sc_costs_executions_part(const sc_load *load);
