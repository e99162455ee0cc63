/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "transitions/model/data.h"

/* Finds what the largest run allocated, and of that in blocks that become large. */
void sc_large_blocks_load(sc_analysis *analysis);
/* Opens the cost of a byte that the context (a call of a library's function) goes over to what it takes in large
 * blocks, where the runs saw only small ones and the horizon has large ones: docs/cost.md, "Large blocks". */
void sc_large_blocks_allow(const sc_analysis *analysis, uint32_t context, sc_load *load);
