/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "transitions/model/data.h"

/* Widens the predicted bytes of a library function's work at n, beyond the sizes measured, by what no series of them
 * can show: docs/models.md, "Bytes of library functions". */
void sc_count_doubt_allow(const sc_analysis *analysis, uint32_t context, double n, sc_interval *count);
