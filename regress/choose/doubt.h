/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "regress/forms/candidate.h"

/* Counts that grow by blocks, doublings or bursts are exact, but no formula of the size: how much they deviate from
 * any, and what they therefore leave open. docs/models.md, "Stairs and bursts". */

/* Mean square of the relative deviation that any growing function has from counts that stand still between sizes,
 * though they grew before: the stairs' resolution. 0 without stairs. */
double sc_doubt_stairs(const sc_points *points);
/* Moves a plausible hypothesis of much lower order to the front of ranked[count] if the best misses exact counts. */
void sc_doubt_prefer_low(const sc_points *points, const sc_candidate **ranked, size_t count);
/* Whether growth faster than linear is more than counts that double at thresholds show now and then: their growth is
 * faster even if one more stair is taken from it, with the largest size and without, or the hypothesis hits every size
 * it stands on. True of what is not counted, and of slower growth. */
bool sc_doubt_proven(const sc_points *points, const sc_candidate *candidate);
/* Moves the likeliest hypothesis of a lower order that comes near the sizes to the front, if the first is not proven;
 * where that predicts the largest size by the others, one that has the coefficient of determination `r2` but for noise
 * and stairs. Without one, points->doubted is set. */
void sc_doubt_refuse(sc_points *points, const sc_candidate **ranked, size_t count, double r2);
/* Lists the hypotheses of linear growth that counts in stairs follow on average. candidates[SC_DOUBT_LOW]. */
enum { SC_DOUBT_LOW = 3 };
size_t sc_doubt_find_low(const sc_points *points, sc_candidate *candidates);
/* Sets model->exponent_low from rivals and misfit. */
void sc_doubt_set(const sc_points *points, sc_model *model);
/* Of counts that are 0 up to a size below these: where they scatter, any growth from a beginning within the sizes looks
 * steep in n. Lowers model->exponent_low to the exponent in what n is above the first of them, the latest beginning; to
 * linear with fewer than three. */
void sc_doubt_begin(const sc_points *points, sc_model *model);
