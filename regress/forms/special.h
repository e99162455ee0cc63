/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "regress/forms/engine.h"

/* The standard deviation of what rounding does, in steps: 1 / sqrt(12). */
#define SC_SPECIAL_STEP 0.29

/* The series that need no selection: exactly a formula, constant, or of too few sizes. 1 if it was one, else 0. */
int sc_special_fit(sc_engine *engine, sc_model *model) SC_CHECK;
/* Where only the largest sizes are exactly a formula, that is the model, and the model of all sizes becomes a rival. */
void sc_special_tail(sc_engine *engine, sc_model *model);
/* The power law through the largest size and the value `before` at the size of index `from`, which is below it. */
sc_term sc_special_power_law(const sc_points *points, size_t from, double before);
/* Sets the terms (leading first) and the order that follows from them. */
void sc_special_set_terms(sc_model *model, const sc_term *terms, size_t count);
