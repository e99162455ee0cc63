/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "regress/exact/design.h"
#include "regress/exact/exact.h"

/* What an exact model is worth beside telling the counts without one. Private to exact*.c. */

/* What each size could have had instead, in bits: a value between those of its neighbours, or up to its own. Returns
 * the sum. */
double sc_exact_evidence(const sc_points *points, double *worth);
/* Bits that the best saves, beside `worth` and beside descriptions that say nothing beyond the sizes: a plain form with
 * an exception, a line that is not met exactly. */
double sc_exact_surplus(const sc_exact_design *design, const sc_points *points, const sc_exact_model *best,
                        double worth);
/* Whether two models say the same of sizes that are nothing special. */
bool sc_exact_agree(const sc_exact_model *a, const sc_exact_model *b, double n_max);
