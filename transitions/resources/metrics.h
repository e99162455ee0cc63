/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "transitions/resources/cells.h"

/* With the time in it that threads had no processor, or without. */
static inline bool sc_rmetric_is_hold(int metric) { return metric == SC_RMETRIC_HOLD || metric == SC_RMETRIC_GRIP; }
static inline bool sc_rmetric_is_think(int metric) { return metric == SC_RMETRIC_THINK || metric == SC_RMETRIC_PACE; }

/* Counts have models of counts; the others are times and shares. */
static inline bool sc_rmetric_is_count(int metric)
{
  return metric <= SC_RMETRIC_PEAK || metric == SC_RMETRIC_THREADS || metric == SC_RMETRIC_INSTANCES;
}

/* A metric in one run; false if it is not defined there. */
bool sc_rmetric_value(const sc_resources *r, const sc_resource_cell *cell, size_t run, int metric, double *value);
/* Median over the runs of a size; false if no run has a value. */
bool sc_rmetric_at(const sc_resources *r, const sc_resource_cell *cell, size_t size, int metric, double *value);
/* The least and the largest value of a size's runs; false, with nothing written, if no run has one. */
bool sc_rmetric_range(const sc_resources *r, const sc_resource_cell *cell, size_t size, int metric, double *least,
                      double *most);
/* At the largest size, 0 if undefined. */
double sc_rmetric_last(const sc_resources *r, const sc_resource_cell *cell, int metric);
/* By how much the upper half of the sizes is above the lower half: ratio of medians; INFINITY from nothing; 1 if there
 * is nothing to compare. */
double sc_rmetric_rise(const sc_resources *r, const sc_resource_cell *cell, int metric);
