/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "regress/forms/candidate.h"

/* Sets the rivals of the best candidate, ranked[0], from those ranked behind it, and every one's share of the interval.
 * The model's own spread must be set. */
void sc_rivals_set(const sc_points *points, const sc_candidate **ranked, size_t ranks, sc_model *model);
