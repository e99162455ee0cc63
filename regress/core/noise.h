/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "regress/core/points.h"

/* What the repeats tell about the noise: leaves out repeats that it does not explain (y, repeats and observations are
 * then those of the others), sets the weights where some sizes are noisier than others, and sets pure_ss and
 * pure_degrees. The points' sizes, means, scales and repeats must be set. */
void sc_noise_weigh(sc_points *points);
