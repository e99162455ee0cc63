/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "regress/core/model.h"

/* The inverse question: at which size a prediction reaches a value. */

typedef int (*sc_inverse_fn)(void *user, double n, sc_interval *out); /* 0, or an error that is passed on */

typedef struct sc_inverse_range {
  double from, farthest; /* sizes looked at, > 0; the farthest one included */
  double step;           /* factor from one to the next, > 1: what falls again inside of one is missed */
} sc_inverse_range;

/* The smallest whole size (or the one to start from) at which the prediction is `limit` or more; infinity if it is at
 * none. The interval's low is the earliest size (by the upper ends of predictions), high the latest (by the lower
 * ends). SC_E_INPUT for a limit or a range that are not numbers. */
int sc_inverse_find(sc_inverse_fn predict, void *user, double limit, const sc_inverse_range *range,
                    sc_interval *out) SC_CHECK;
