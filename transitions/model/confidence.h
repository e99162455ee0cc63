/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "transitions/model/analysis.h"

/* How well the data support a finding, 0..1 (docs/findings.md has the formula): sizes measured, fit, interval at the
 * horizon, distance of the horizon, and models of another order that the data cannot rule out. */
double sc_confidence(const sc_analysis *analysis, const sc_model *model, const sc_interval *count);
/* The same without the horizon: how well they support the model's order alone. */
double sc_confidence_in_order(const sc_model *model);
/* How well they support that a count grows superlinearly, whatever the amount, where its order is certain
 * (sc_superlinear_certain): without the width of the count's interval and rivals of a higher order. */
double sc_confidence_in_growth(const sc_analysis *analysis, const sc_model *model);
/* The distance's factor alone, for what is measured and not counted: `reach` is the size predicted over the largest
 * measured. */
double sc_confidence_in_reach(double reach);
