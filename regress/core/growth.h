/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "regress/core/model.h"

/* An order as people write it: "constant", "1", "log n", "n", "n log n", "n^2", "n^1.5", "n^2 log n", "n (log n)^2",
 * "n log^2 n", "sqrt n", "O(n log n)", "n²", and whatever sc_model_format_order prints without a base. The parameter is
 * called `variable` (NULL: n) or n. SC_E_USAGE with a hint for anything else; exponents are from 0 to 10. */
int sc_growth_parse(const char *text, const char *variable, sc_order *order) SC_CHECK;
/* n^exponent * log2(n)^log_exponent, for n > 1 where there is a logarithm. */
double sc_growth_value(const sc_order *order, double n);
