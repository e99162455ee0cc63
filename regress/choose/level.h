/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "regress/core/model.h"
#include "regress/core/points.h"

/* Counts that never fall are not below their last level beyond the sizes, whatever function describes the stairs that
 * they make; and a constant that was chosen for them, as they rise too little to show how, becomes that level, not what
 * they were on average, with an interval that holds all levels. So does one of counts that never rise. */
void sc_level_set(const sc_points *points, sc_model *model);
