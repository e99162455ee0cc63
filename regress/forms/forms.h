/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "regress/forms/candidate.h"

enum { SC_FORMS_MOST = 7 };

/* Hypotheses that are linear but no sum of the space's terms: quotients by the logarithm, the whole cubic, and c / n
 * where values fall. candidates[SC_FORMS_MOST], not examined yet; returns how many. Only such as may have a score below
 * `worst`. */
size_t sc_forms_find(const sc_points *points, double worst, sc_candidate *candidates);
