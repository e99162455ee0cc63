/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "transitions/resources/cells.h"

/* True of cells that findings are about and whose resource hands out units that may be kept: no locks and the like. */
bool sc_leak_possible(const sc_resources *r, const sc_resource_cell *cell);
/* True if what the cell acquires is never given back, more of it the larger the workload is, and that is no habit of
 * the program. */
int sc_leak_holds(const sc_resources *r, const sc_resource_cell *cell, bool *yes) SC_CHECK;
/* Whether a leak may be a cache that was not full at the sizes measured: acquires of this memory never come back, or
 * only as other threads end, and the program gives back no other memory that lives long. */
bool sc_leak_may_be_cache(const sc_resources *r, const sc_resource_cell *cell);
/* How what is kept rises with a further parameter at the largest size, between the values measured. */
typedef struct sc_leak_rise {
  size_t parameter;
  double from, to;             /* values of the parameter */
  double value_from, value_to; /* units kept there */
} sc_leak_rise;
/* The same, more of it the larger a further parameter is: *rise. Never at the base values. */
int sc_leak_holds_beside(const sc_resources *r, const sc_resource_cell *cell, sc_leak_rise *rise, bool *yes) SC_CHECK;
/* The cell's part of its whole resource at the horizon, of a metric that adds up; 1 for whole resources. */
int sc_leak_share(const sc_resources *r, const sc_resource_cell *cell, enum sc_resource_metric metric,
                  double *share) SC_CHECK;
