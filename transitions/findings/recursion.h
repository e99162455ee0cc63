/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "transitions/model/data.h"

/* The loop in or below a recursive function that makes its calls: the one with the most iterations that rises from
 * `base` to the function's own order, if the recursion gets no deeper with the workload. SC_NONE if the recursion
 * itself is what grows. */
uint32_t sc_recursion_loop(const sc_analysis *analysis, uint32_t context, const sc_order *base);
/* Deepest recursion measured at the largest and smallest size; 0: unknown. */
double sc_recursion_depth(const sc_analysis *analysis, uint32_t context, bool largest);
