/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "regress/forms/candidate.h"

enum { SC_CURVE_MOST = 8 };

/* Hypotheses with one number that is not linear: powers c n^e alone, with a constant, with a linear and with a square
 * term, and saturations c n / (n + k) and c (1 - exp(-n / k)) alone and with a constant. Each at its best e or k:
 * candidates[SC_CURVE_MOST], returns how many exist. Those are left out whose score is surely above
 * `worst`. The space must be prepared for the points. */
size_t sc_curve_find(const sc_space *space, const sc_points *points, double worst, sc_candidate *candidates);
