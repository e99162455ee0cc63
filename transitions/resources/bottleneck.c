/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "transitions/resources/bottleneck.h"

#include <math.h>

#include "transitions/resources/demand.h"
#include "transitions/resources/processors.h"

enum { HALVINGS = 30 };
static const double CLOSE = 1e-3;

/* Every function that threads begin with and that acquires the first one acquires the other, too. */
static bool takes_both(const sc_rcell *cell, const sc_rcell *other)
{
  const sc_rprocessors *own = sc_rprocessors_known(cell), *theirs = sc_rprocessors_known(other);
  return theirs && own->roles && !(own->roles & ~theirs->roles);
}

/* Acquires a second of the resource that another one lets through at most; INFINITY without holds of it. *high: if its
 * holds are as short as they may be. */
static int throughput_behind(const sc_resources *r, const sc_rcell *cell, const sc_rcell *other, double n,
                             double *throughput, double *high)
{
  sc_interval hold, instances = {1, 1, 1};
  double own = sc_rmetric_last(r, cell, SC_RMETRIC_ACQUIRES), others = sc_rmetric_last(r, other, SC_RMETRIC_ACQUIRES);
  double servers = sc_rcell_lock(r, other) ? 1 : sc_rcell_resource(r, other)->capacity;
  *throughput = *high = INFINITY;
  SC_TRY(sc_rseries_predict(r, other, SC_RMETRIC_HOLD, n, &hold));
  if (sc_rcell_lock(r, other) || sc_rcell_units_each(r, other))
    SC_TRY(sc_demand_instances(r, other, n, &instances));
  if (hold.value > 0 && others > 0) {
    *throughput = fmax(1, instances.value) * fmax(1, servers) / hold.value * own / others;
    *high = hold.low > 0 ? *throughput * hold.value / hold.low : INFINITY;
  }
  return 0;
}

int sc_bottleneck_leave(const sc_resources *r, const sc_rcell *cell, double n, const sc_queue *queue, double *customers)
{
  double most = INFINITY, low = 0, high = queue->customers;
  *customers = queue->customers;
  if (!sc_rprocessors_known(cell) || queue->detached)
    return 0;
  double asked = sc_queue_solve(queue).throughput;
  for (uint32_t i = 0; i < r->resource_count; i++) {
    double throughput, certain;
    if (&r->cells[i] == cell || !takes_both(cell, &r->cells[i]))
      continue;
    SC_TRY(throughput_behind(r, cell, &r->cells[i], n, &throughput, &certain));
    most = certain < asked ? fmin(most, throughput) : most;
  }
  if (!(asked > most))
    return 0;
  for (int i = 0; i < HALVINGS && high - low > CLOSE * high; i++) {
    sc_queue q = *queue;
    q.customers = (low + high) / 2;
    *(sc_queue_solve(&q).throughput > most ? &high : &low) = q.customers;
  }
  *customers = high;
  return 0;
}
