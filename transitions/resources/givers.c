/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "transitions/resources/givers.h"

#include <math.h>

#include "transitions/model/tuning.h"
#include "transitions/resources/metrics.h"
#include "transitions/resources/roles.h"

enum { ROLES = 16 }; /* of each side; of more those that come first */

/* Of the threads that only give back, in a run: how often they pause, in calls that block, and for how long all
 * together they are there, seconds. */
static void add_pauses(const sc_resources *r, const sc_resource_cell *cell, size_t run, double *pauses, double *there)
{
  uint32_t givers[ROLES], takers[ROLES];
  size_t rows, giver_count = 0, taker_count = 0;
  const sc_usage *row = sc_usage_rows(r->graph, sc_rgraph_run(r, run), &rows);
  for (size_t i = 0; i < rows; i++) {
    if (row[i].resource != cell->resource)
      continue;
    uint32_t role = sc_rrole_of(r, row[i].context);
    if (row[i].values[SC_USAGE_ACQUIRES] > 0)
      (void)sc_rrole_add(takers, &taker_count, ROLES, role);
    else if (row[i].values[SC_USAGE_RELEASES] > 0)
      (void)sc_rrole_add(givers, &giver_count, ROLES, role);
  }
  for (size_t i = 0; i < giver_count; i++)
    if (!sc_rrole_in(takers, taker_count, givers[i]))
      *there += sc_rrole_threads(r, run, givers[i]) * sc_resource_cell_occupancy(r, cell, run)->span_seconds;
  for (size_t i = 0; i < rows; i++) {
    uint32_t role = sc_usage_blocks(r->graph, &row[i]) ? sc_rrole_of(r, row[i].context) : 0;
    if (role && sc_rrole_in(givers, giver_count, role) && !sc_rrole_in(takers, taker_count, role))
      *pauses += row[i].values[SC_USAGE_WAITS];
  }
}

/* Whoever gives back at intervals, all that is out by then, finds units that were out for half of one on average. Where
 * somebody waits for each unit it is out for a whole one. */
bool sc_rgivers_at_intervals(const sc_resources *r, const sc_resource_cell *cell)
{
  double pauses = 0, there = 0, out = sc_rmetric_last(r, cell, SC_RMETRIC_HOLD);
  if (!cell->lent || !(out > 0))
    return false;
  for (size_t run = r->starts[r->size_count / 2]; run < r->run_count; run++)
    add_pauses(r, cell, run, &pauses, &there);
  return pauses > 0 && there > 0 && fabs(log(2 * out * pauses / there)) <= log(SC_DEMAND_PAUSES);
}
