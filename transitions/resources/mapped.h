/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "transitions/resources/cells.h"

/* Widens the prediction of bytes of the heap (SC_RMETRIC_UNITS, _PEAK and _OUTSTANDING, others are left alone) at a
 * size n that was not measured by the pages that blocks may be rounded to there: docs/resources.md, "Large blocks". */
int sc_rmapped_widen(const sc_resources *r, const sc_resource_cell *cell, enum sc_resource_metric metric, double n,
                     sc_interval *out) SC_CHECK;
