/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>

/* Median of values[count], which it sorts; 0 of none. */
static inline double sc_median(double *values, size_t count)
{
  gsl_sort(values, 1, count);
  return gsl_stats_median_from_sorted_data(values, 1, count);
}
