/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "regress/core/points.h"
#include "regress/exact/sum.h"

/* Blocks of a size that nobody told: a ceil(n / B) + c or with floor, alone, beside a plain term, or times n. The
 * counts leave an interval of B; the simplest in it is taken, and those at its ends are given as others. Private to
 * exact*.c. */

/* `found` is called for each sum that holds at every size; one that stands for others not named is shorter to describe
 * by `bonus` bits. The buffer has room for all points. */
typedef void sc_exact_found(void *context, const sc_exact_sum *sum, double bonus);
/* `buffer`: [points->count]; `context` is handed to `found`. */
void sc_exact_blocks(const sc_points *points, double *buffer, sc_exact_found *found, void *context);
