/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "transitions/resources/cells.h"

/* Whether threads that only give back units that are lent (cell->lent) do so at intervals, all that are out by then:
 * these are out for half an interval on average, and for a whole one where somebody waits for each. */
bool sc_rgivers_at_intervals(const sc_resources *r, const sc_resource_cell *cell);
