/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "regress/exact/design.h"
#include "regress/exact/exact.h"

/* The shortest description of the points by up to three pieces that each reproduce their own sizes. `worth` is what
 * telling the count at a size by itself costs, in bits; the sizes before *first are told so, which at most half may be.
 * False without one. Private to exact*.c. */
bool sc_exact_pieces(const sc_exact_design *design, const sc_points *points, const double *worth, sc_exact_model *model,
                     size_t *first);
