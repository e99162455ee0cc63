/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/* "n=1e3..1e7", "1e3..1e7/13", "1x..1000x": the sizes of a range in equal steps of their logarithm. Without a number
 * they are 1, 2, 5, 10, ... between the ends, or powers of two (`doubling`), or, where those are more than 25, powers
 * of ten. `parameter`: the name they may have; `largest`: what 1x means. Whole numbers, ascending, each once: *sizes
 * [*count], to be freed by the caller. SC_E_USAGE with a hint for anything else. */
int sc_sweep_parse(const char *text, const char *parameter, double largest, bool doubling, double **sizes,
                   size_t *count) SC_CHECK;
