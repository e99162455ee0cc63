/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdbool.h>
#include <stddef.h>

/* y = start + at_largest * (n / n_largest)^exponent * (1 + dearer), neither part negative: how processor times grow
 * once what a process pays to start is taken off. The interval of the exponent is a profile likelihood's. */
typedef struct sc_power_point {
  double n, y;
  double error;  /* standard deviation of y, relative to it */
  double dearer; /* what the same work costs here, by what it costs at n_largest, less 1: above -1; 0: as much */
} sc_power_point;

typedef struct sc_power {
  double exponent, low, high; /* 95% interval; both ends lie within 0 .. SC_POWER_MOST */
  double start, at_largest;
  double far; /* the largest y that a curve within the interval reaches at the size asked for */
} sc_power;

/* By how many standard errors the points prefer a larger exponent to every one up to this; 0: they do not. Points as of
 * sc_power_fit. */
double sc_power_excess(const sc_power_point *points, size_t count, double exponent);
/* The least chi squared of curves with exponents up to this, and that up to which curves lie within the 95% region.
 * Points as of sc_power_fit. */
double sc_power_chi2(const sc_power_point *points, size_t count, double exponent);
double sc_power_limit(const sc_power_point *points, size_t count);
/* Points ascending by n, one a size. False with fewer than four sizes, or without any that is greater than 0. */
bool sc_power_fit(const sc_power_point *points, size_t count, double far, sc_power *out);
/* The best curve of one exponent: start and at_largest. Points as of sc_power_fit. */
bool sc_power_at(const sc_power_point *points, size_t count, double exponent, sc_power *out);
/* The least y that the best curve of any exponent within the interval reaches at n. Points as of sc_power_fit. */
double sc_power_least(const sc_power_point *points, size_t count, double n);
/* The largest y that a curve within the interval reaches at n, of exponents up to this one; of this one alone where all
 * within the interval are larger. Points as of sc_power_fit, but two suffice. */
double sc_power_most(const sc_power_point *points, size_t count, double exponent, double n);
