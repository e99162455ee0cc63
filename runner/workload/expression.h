/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "runner/workload/expand.h"

/* Value of an arithmetic expression: numbers, the parameter (with or without braces), + - * / % ^, parentheses, and
 * log2, sqrt, floor, ceil, min, max. A repetition is the value rounded down: 0 to 10^12, else SC_E_INPUT. */
int sc_expression_repeat(const char *expression, const sc_expand_vars *vars, uint64_t *times) SC_CHECK;
