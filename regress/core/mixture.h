/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stddef.h>

/* One model's prediction: a t distribution around `value`, with the weight `mass`. */
typedef struct sc_mixture_part {
  double mass, value, deviation; /* value >= 0; standard error in the same unit */
  size_t degrees;                /* of freedom, at least 1 */
} sc_mixture_part;

enum { SC_MIXTURE_PARTS = 8 };

/* The central interval of the given level of the mixture of 1 to SC_MIXTURE_PARTS parts. Below its value a part's
 * distribution is that of value / (1 + t deviation / value): counts are positive, and a prediction that may be twice
 * too small may be twice too large. low is never negative. */
void sc_mixture_interval(const sc_mixture_part *parts, size_t count, double level, double *low, double *high);
