/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each term is kept within what was seen of it: the queue multiplies them, and one that a model lets vanish, or grow
 * without end, decides the utilisation alone. */
#include "transitions/resources/demand_terms.h"

#include <math.h>

#include "transitions/model/tuning.h"
#include "transitions/resources/metrics.h"
#include "transitions/resources/series.h"

double sc_demand_presence(const sc_resources *r, const sc_resource_cell *cell)
{
  double active = 0, span = 0;
  for (size_t run = r->starts[r->size_count / 2]; run < r->run_count; run++) {
    const sc_occupancy *o = sc_resource_cell_occupancy(r, cell, run);
    active += o->active_seconds;
    span += o->span_seconds * o->threads;
  }
  return span > 0 && active > 0 ? fmin(1, active / span) : 1;
}

bool sc_demand_known(const sc_resources *r, const sc_resource_cell *cell)
{
  double value;
  bool holds = false;
  if (cell->context != SC_USAGE_NONE || sc_resource_cell_idle(r, cell) || !cell->exclusive ||
      sc_resource_cell_signal(r, cell))
    return false;
  if (!sc_resource_cell_lock(r, cell) && !(sc_resource_cell_resource(r, cell)->capacity > 0))
    return false;
  for (size_t size = 0; size < r->size_count; size++)
    holds = holds || sc_rmetric_at(r, cell, size, SC_RMETRIC_THINK, &value);
  return holds && sc_rmetric_last(r, cell, SC_RMETRIC_THREADS) > 1;
}

double sc_demand_least_instances(const sc_resources *r, const sc_resource_cell *cell, double n)
{
  double least = INFINITY, value;
  if (sc_rmetric_rise(r, cell, SC_RMETRIC_INSTANCES) < 1)
    return 1;
  for (size_t size = r->size_count; size-- > 0;) {
    if (sc_rmetric_at(r, cell, size, SC_RMETRIC_INSTANCES, &value))
      least = fmin(least, value);
    if (r->sizes[size] <= n && isfinite(least))
      break;
  }
  return isfinite(least) ? fmax(1, least) : 1;
}

/* Of a fixed number of instances more are met the more often any is taken, but ever fewer new ones: their number grows
 * much less than that of the acquires. Beyond the sizes it stays about where it was. */
static bool levels_off(const sc_resources *r, const sc_resource_cell *cell, const sc_rseries *series)
{
  double first[2], last[2];
  if (!series || r->place || r->size_count < 2 ||
      (series->shown.model.verdict == SC_VERDICT_MODEL && series->shown.model.exact))
    return false;
  for (int i = 0; i < 2; i++) {
    int metric = i ? SC_RMETRIC_ACQUIRES : SC_RMETRIC_INSTANCES;
    if (!sc_rmetric_at(r, cell, 0, metric, &first[i]) || !sc_rmetric_at(r, cell, r->size_count - 1, metric, &last[i]) ||
        !(first[i] > 0) || !(last[i] > 0))
      return false;
  }
  return last[0] > 1 && log(last[0] / first[0]) < SC_DEMAND_MET_SLOPE * log(last[1] / first[1]);
}

int sc_demand_instances(const sc_resources *r, const sc_resource_cell *cell, double n, sc_interval *out)
{
  const sc_rseries *series;
  SC_TRY(sc_rseries_get(r, cell, SC_RMETRIC_INSTANCES, &series));
  SC_TRY(sc_rseries_predict(r, cell, SC_RMETRIC_INSTANCES, n, out));
  double least = series ? sc_demand_least_instances(r, cell, n) : 0;
  if (n > r->sizes[r->size_count - 1] && levels_off(r, cell, series)) {
    double last = sc_rmetric_last(r, cell, SC_RMETRIC_INSTANCES);
    *out = (sc_interval){fmin(out->value, last), fmin(out->low, last), fmin(out->high, SC_DEMAND_MET * last)};
  }
  *out = (sc_interval){fmax(out->value, least), fmax(out->low, least), fmax(out->high, least)};
  return 0;
}

int sc_demand_model(const sc_resources *r, const sc_resource_cell *cell, int metric, double n, sc_interval *time)
{
  double least = INFINITY, value;
  SC_TRY(sc_rseries_predict(r, cell, metric, n, time));
  for (size_t size = 0; size < r->size_count; size++)
    if (sc_rmetric_at(r, cell, size, metric, &value))
      least = fmin(least, value);
  if (!isfinite(least))
    return 0;
  time->value = fmax(time->value, least * (sc_rmetric_is_hold(metric) ? 1 : SC_DEMAND_LEAST));
  time->low = fmin(fmax(time->low, least * SC_DEMAND_LEAST), time->value);
  time->high = fmax(time->high, time->value);
  return 0;
}
