/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "regress/core/points.h"
#include "regress/exact/exact.h"

/* Work for each digit of the numbers 0 .. n is a line that gets steeper at each power of ten, and what goes over all
 * that was printed so far for each of them is the sum of such a line: the pieces that the sizes show are not the last.
 * If the last change of `pieces` may be a number's next digit, sets `digits` to the same with the changes beyond the
 * sizes and returns true; *bits is how much longer the description is by which `pieces` goes on as it is. Private to
 * exact*.c. */
bool sc_exact_digits(const sc_points *points, const sc_exact_model *pieces, sc_exact_model *digits, double *bits);
/* The same of counts that are steps * n + rise * (digits of the numbers) + constant, if they are at all sizes, which
 * may show one change or none: the constant tells it then, as numbers of three digits leave -110 for each of theirs.
 * `as_is` is what goes on as at the largest size. */
bool sc_exact_numbers(const sc_points *points, sc_exact_model *digits, sc_exact_model *as_is);
