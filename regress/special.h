/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_REGRESS_SPECIAL_H
#define SC_REGRESS_SPECIAL_H
#include "regress/engine.h"

/* The standard deviation of what rounding does, in steps: 1 / sqrt(12). */
#define SC_SPECIAL_STEP 0.29

/* The series that need no selection: constant, exactly polynomial, or of too few sizes. Whether it was one. */
bool sc_special_fit(const sc_points *points, sc_model *model);
/* Sets the terms (leading first) and the order that follows from them. */
void sc_special_set_terms(sc_model *model, const sc_term *terms, size_t count);
#endif
