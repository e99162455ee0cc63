/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "regress/core/points.h"

/* Where the last two sizes alone lie off a simple function that all earlier ones follow, something new began before
 * them, and two sizes do not show how it grows: the interval takes in what passes through both (docs/models.md, "A
 * change that two sizes show"). The chosen model and its order stay. Nothing for other series, and exact models. */
void sc_late_widen(const sc_points *points, sc_model *model);
