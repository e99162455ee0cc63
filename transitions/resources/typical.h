/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "transitions/resources/cells.h"

/* Hold times as the program makes them, without what the machine adds: one value for each size of the series
 * [count at most]. Fills n[] and y[], returns how many. */
size_t sc_rtypical_holds(const sc_resources *r, const sc_resource_cell *cell, const sc_resource_series *series,
                         double *n, double *y);
/* Share of the mean hold of a run that is left without the longest twentieth of the holds: 1 where they are all alike,
 * or too few to tell. Of whole resources. */
double sc_rtypical_bulk(const sc_resources *r, const sc_resource_cell *cell, size_t run);
/* Share of the mean hold of a run that is left without those eight times as long as most. False, and 1, where they are
 * too many to be a tail, or too few to tell. Of whole resources. */
bool sc_rtypical_share(const sc_resources *r, const sc_resource_cell *cell, size_t run, double *share);
/* Seconds below which holds are typical ones, of a histogram of SC_RBUCKETS: a longer one lost its processor. INFINITY
 * where they are too few to tell, so long that one that lost it does not stand out, or of two kinds. */
double sc_rtypical_longest(const double *buckets);
/* How alike holds are at the larger sizes, or in the runs nearest to other values of further parameters, 0..1: 1 less
 * the square of their coefficient of variation, as far as the histogram tells, without those eight times as long as
 * most; 0 if they vary as exponential ones do, or are too few. */
double sc_rtypical_steadiness(const sc_resources *r, const sc_resource_cell *cell);
/* The least value of each size. */
size_t sc_rtypical_least(const sc_resource_series *series, double *n, double *y);
