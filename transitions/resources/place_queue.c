/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether processors explain the queue of a lock in the runs nearest to other values of further parameters. */
#include "transitions/resources/place_queue.h"

#include <math.h>

#include "transitions/resources/metrics.h"
#include "transitions/resources/place.h"
#include "transitions/resources/queue.h"

/* What the queue makes of utilisation, and what was measured: a logarithm. */
static double placed_queue_miss(const sc_queue *q, double used)
{
  return fabs(log(sc_queue_solve(q).utilisation / used));
}

bool sc_rplace_shares_processors(const sc_resources *r, const sc_resource_cell *cell, double exposed)
{
  const sc_resources *all = r->place->all;
  const sc_resource_cell *same = &all->cells[cell - r->cells];
  const sc_rprocessors *own = sc_rprocessors_known(same);
  size_t run = sc_rplace_run(r, r->run_count - 1);
  const sc_occupancy *o = sc_resource_cell_occupancy(all, same, run);
  double used, stations, grip, pace, span = o->span_seconds * o->threads;
  sc_queue alone = {.servers =
                        fmax(1, sc_resource_cell_lock(r, cell) ? 1 : sc_resource_cell_resource(r, cell)->capacity)};
  if (!own || !(span > 0) || !sc_rmetric_value(all, same, run, SC_RMETRIC_UTILISATION, &used) || !(used > 0) ||
      !sc_rmetric_value(all, same, run, SC_RMETRIC_HOLD, &alone.hold) ||
      !sc_rmetric_value(all, same, run, SC_RMETRIC_THINK, &alone.think) ||
      !sc_rmetric_value(all, same, run, SC_RMETRIC_GRIP, &grip) ||
      !sc_rmetric_value(all, same, run, SC_RMETRIC_PACE, &pace))
    return true;
  alone.stations = sc_rmetric_value(all, same, run, SC_RMETRIC_INSTANCES, &stations) ? fmax(1, stations) : 1;
  alone.customers = o->threads * fmin(1, o->active_seconds / span);
  sc_queue shared = alone;
  shared.hold = grip;
  shared.think = pace;
  shared.hold_work = own->hold_part * grip;
  shared.think_work = own->think_part * pace;
  shared.processors = r->processors;
  shared.hold_exposed = exposed;
  return placed_queue_miss(&shared, used) <= placed_queue_miss(&alone, used);
}
