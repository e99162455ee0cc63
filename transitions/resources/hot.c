/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A stripe that most go to: where one of a hundred locks has half of the work, they queue like two. Instances are put
 * into the queue as many as would be as busy as the busiest is, if all were alike. */
#include "transitions/resources/hot.h"

#include <math.h>

typedef struct part { /* of some runs, added up */
  double seconds, busiest, hot, instances;
  size_t runs, runs_hot;
  double hot_seconds;
} part;

static double exclusive_seconds(const sc_resource_cell *cell, size_t run)
{
  return sc_resource_cell_sum(cell, run, SC_USAGE_HOLD_SECONDS) -
         sc_resource_cell_sum(cell, run, SC_RSUM_SHARED_SECONDS);
}

/* The busiest instance cannot have been held for longer than all together; fmax mends what rounding made of that. */
static part add_runs(const sc_resources *r, uint32_t resource, size_t from, size_t to)
{
  const sc_resource_cell *whole = &r->cells[resource];
  part sum = {0};
  for (size_t run = from; run < to; run++) {
    const sc_occupancy *o = sc_resource_cell_occupancy(r, whole, run);
    sum.seconds += fmax(exclusive_seconds(whole, run), o->busiest_seconds);
    sum.busiest += o->busiest_seconds;
    sum.hot += o->hot;
    sum.hot_seconds += o->hot_seconds;
    sum.instances = fmax(sum.instances, o->instances);
    sum.runs++;
    sum.runs_hot += o->hot > 0;
  }
  return sum;
}

bool sc_resources_hot(const sc_resources *r, uint32_t resource, sc_resource_hot *out)
{
  if (r->place || !r->size_count || resource >= r->resource_count || !sc_resource_cell_lock(r, &r->cells[resource]))
    return false;
  part last = add_runs(r, resource, r->starts[r->size_count - 1], r->run_count);
  if (2 * last.runs_hot <= last.runs || !(last.seconds > 0))
    return false;
  *out = (sc_resource_hot){.instances = last.instances,
                           .hot = fmax(1, round(last.hot / (double)last.runs_hot)),
                           .share = last.hot_seconds / last.seconds,
                           .busiest = last.busiest / last.seconds};
  return true;
}

void sc_resource_hot_text(const sc_resource_hot *hot, sc_buf *out)
{
  sc_buf_printf(out, "%.0f of %.0f instances %s %.0f%% of the hold time of all", hot->hot, hot->instances,
                hot->hot == 1 ? "has" : "have", 100 * hot->share);
}

/* At the largest size. */
static bool is_hot(const sc_resources *r, const sc_resource_cell *cell)
{
  sc_resource_hot hot;
  return sc_resources_hot(r, cell->resource, &hot);
}

static double stations_of(const part *sum, double instances)
{
  return sum->busiest > 0 ? fmax(1, fmin(instances, sum->seconds / sum->busiest)) : instances;
}

double sc_rhot_stations(const sc_resources *r, const sc_resource_cell *cell, size_t run, double instances)
{
  if (!is_hot(r, cell))
    return instances;
  part sum = add_runs(r, cell->resource, run, run + 1);
  return stations_of(&sum, instances);
}

double sc_rhot_stations_large(const sc_resources *r, const sc_resource_cell *cell, double instances)
{
  if (!is_hot(r, cell))
    return instances;
  part sum = add_runs(r, cell->resource, r->starts[r->size_count / 2], r->run_count);
  return stations_of(&sum, instances);
}
