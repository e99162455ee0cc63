/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "profiles/graph/index.h"

/* The distinct ones among many series of equal length. Most contexts of a program share their series with others
 * (everything in a loop is executed as often as the loop), so that keeping and fitting each once is what makes a
 * million contexts feasible. Zero-initialise, but for the width. */
typedef struct sc_series_set {
  double *values; /* [count][width] */
  size_t width, count, capacity;
  sc_index index; /* number + 1 */
} sc_series_set;

/* Leaves it empty, its width forgotten. */
void sc_series_free(sc_series_set *set);
/* The number of the series equal to row[width], adding it if it is new. */
int sc_series_intern(sc_series_set *set, const double *row, uint32_t *number) SC_CHECK;
/* Adds the series once more, to be told from the first by its number. */
int sc_series_add(sc_series_set *set, uint32_t series, uint32_t *number) SC_CHECK;
static inline const double *sc_series_row(const sc_series_set *set, uint32_t number)
{
  return set->values + number * set->width;
}
