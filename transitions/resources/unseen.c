/* SPDX-License-Identifier: GPL-3.0-or-later */
/* None seen is not none: of N acquires without a wait, up to about three in N may wait (at 95%). */
#include "transitions/resources/unseen.h"

#include <math.h>

#include "transitions/resources/demand.h"
#include "transitions/resources/metrics.h"
#include "transitions/resources/roles.h"

enum { ROLES = 16 };

/* Threads that come to it in a run, also one after another. */
static double crowd_in(const sc_resources *r, const sc_resource_cell *cell, size_t run)
{
  uint32_t roles[ROLES];
  size_t count = 0;
  double crowd = 0;
  for (size_t i = r->cell_starts[cell->resource]; i < r->cell_starts[cell->resource + 1]; i++) {
    uint32_t role = sc_rrole_of(r, r->cells[i].context);
    if (sc_rrole_add(roles, &count, ROLES, role))
      crowd += sc_rrole_threads(r, run, role);
  }
  return fmax(crowd, sc_resource_cell_occupancy(r, cell, run)->threads);
}

/* Of them, how many were there at a time. */
static double at_a_time(const sc_resources *r, const sc_resource_cell *cell, size_t run)
{
  const sc_occupancy *o = sc_resource_cell_occupancy(r, cell, run);
  return o->span_seconds > 0 ? o->active_seconds / o->span_seconds : 1;
}

bool sc_unseen_overlap(const sc_resources *r, const sc_resource_cell *cell)
{
  if (sc_rmetric_last(r, &r->cells[cell->resource], SC_RMETRIC_THREADS) > 1 ||
      sc_resource_cell_resource(r, cell)->global)
    return true;
  return !r->place && crowd_in(r, cell, r->run_count - 1) > 1;
}

/* Whether anybody would wait for it, and nobody ever did, in how many acquires. */
static bool was_never_waited_for(const sc_resources *r, const sc_resource_cell *cell, double *acquires)
{
  double failures = 0, waits = 0;
  *acquires = 0;
  for (size_t run = 0; run < r->run_count; run++) {
    *acquires += sc_resource_cell_sum(cell, run, SC_USAGE_ACQUIRES);
    waits += sc_resource_cell_sum(cell, run, SC_USAGE_WAITS);
    failures += sc_resource_cell_sum(cell, run, SC_USAGE_FAILURES);
  }
  return *acquires > 0 && !(waits > 0) && !(failures > 0) && !sc_resource_cell_idle(r, cell) &&
         !sc_resource_cell_signal(r, cell) &&
         (sc_resource_cell_lock(r, cell) ||
          sc_resource_cell_resource(r, cell)->resource_class == SC_RESOURCE_SEMAPHORE);
}

/* What they wait if all of them are there all the time: nobody waits more. */
static int bound_by_queue(const sc_resources *r, const sc_resource_cell *cell, double n, double crowd, double *share,
                          double *wait)
{
  sc_interval hold, think, instances;
  SC_TRY(sc_demand_time(r, cell, SC_RMETRIC_HOLD, n, &hold));
  SC_TRY(sc_demand_time(r, cell, SC_RMETRIC_THINK, n, &think));
  SC_TRY(sc_demand_instances(r, cell, n, &instances));
  if (!(hold.value > 0) || !(think.value > 0)) { /* nobody held it twice */
    *wait = fmin(*wait, crowd) * hold.value;
    return 0;
  }
  sc_queue q = {.hold = hold.value,
                .think = think.value,
                .customers = crowd,
                .stations = fmax(1, instances.value),
                .servers = sc_resource_cell_servers(r, cell)};
  sc_queue_result all = sc_queue_solve(&q);
  *wait = fmin(*wait * hold.value, all.wait);
  *share = fmin(*share, all.blocked);
  return 0;
}

int sc_unseen_waits(const sc_resources *r, const sc_resource_cell *cell, double n, double *share, double *wait)
{
  double acquires, met = 0, tail = (1 - r->level) / 2;
  *share = *wait = 0;
  if (r->place || cell->context != SC_USAGE_NONE || !was_never_waited_for(r, cell, &acquires) ||
      !sc_unseen_overlap(r, cell))
    return 0;
  double last = crowd_in(r, cell, r->run_count - 1), crowd = last, largest = r->sizes[r->size_count - 1];
  double rare = fmin(1, -log(tail) / acquires);
  bool beyond = n > largest;
  if (beyond && last > crowd_in(r, cell, 0)) /* as many as there are to be */
    crowd = last * n / largest;
  for (size_t run = 0; run < r->run_count; run++)
    met += fmax(0, at_a_time(r, cell, run) - 1) * sc_resource_cell_sum(cell, run, SC_USAGE_ACQUIRES) / acquires;
  double more = !beyond ? 1 : met > 0 ? fmax(1, (crowd - 1) / met) : INFINITY; /* of the others, whom each may meet */
  *share = fmin(1, rare * more);
  *wait = rare * more; /* holds */
  return bound_by_queue(r, cell, n, fmax(2, crowd), share, wait);
}
