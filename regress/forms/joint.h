/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "regress/forms/candidate.h"

/* Places the change points of a fitted candidate in pieces: where two pieces meet between the sizes that belong to the
 * one and to the other, or nearly do; else, where they jump, at the other's first size. split[c] is the index of the
 * first point behind piece c; `scatter` the relative deviation of the points. Returns the number of jumps. */
size_t sc_joint_place(const sc_points *points, const size_t *split, double scatter, sc_candidate *made);
