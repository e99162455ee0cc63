/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdint.h>

/* Negative, 0 or positive as `a` stands before, with or behind `b`: what comparators for qsort are made of, one key
 * behind the other: `SC_COMPARE(y->cost, x->cost) ?: SC_COMPARE(x->line, y->line)` has the costliest first. */
#define SC_COMPARE(a, b) (((a) > (b)) - ((a) < (b)))

/* The comparator of numbers such as those of contexts and locations. */
static inline int sc_compare_numbers(const void *a, const void *b)
{
  return SC_COMPARE(*(const uint32_t *)a, *(const uint32_t *)b);
}
