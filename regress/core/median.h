/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_REGRESS_CORE_MEDIAN_H
#define SC_REGRESS_CORE_MEDIAN_H
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>

/* Median of values[count], which it sorts; 0 of none. */
static inline double sc_median(double *values, size_t count)
{
  gsl_sort(values, 1, count);
  return gsl_stats_median_from_sorted_data(values, 1, count);
}
#endif
