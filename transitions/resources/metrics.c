/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The metrics of a cell in one run and at one size, from sums of events. */
#include "transitions/resources/metrics.h"

#include <math.h>

#include "base/buf.h"
#include "base/sample.h"
#include "regress/core/median.h"
#include "transitions/model/tuning.h"
#include "transitions/resources/hot.h"

static const struct {
  const char *name, *unit;
} metrics[SC_RMETRIC_COUNT] = {
    [SC_RMETRIC_ACQUIRES] = {"acquires", ""},
    [SC_RMETRIC_FAILURES] = {"failed acquires", ""},
    [SC_RMETRIC_WAITS] = {"waits", ""},
    [SC_RMETRIC_RELEASES] = {"releases", ""},
    [SC_RMETRIC_USES] = {"uses", ""},
    [SC_RMETRIC_UNITS] = {"units acquired", "units"},
    [SC_RMETRIC_OUTSTANDING] = {"outstanding at the end", "units"},
    [SC_RMETRIC_PEAK] = {"peak outstanding", "units"},
    [SC_RMETRIC_HOLD] = {"mean hold time", "s"},
    [SC_RMETRIC_HOLD_TOTAL] = {"total hold time", "s"},
    [SC_RMETRIC_WAIT] = {"mean wait time", "s"},
    [SC_RMETRIC_WAIT_TOTAL] = {"total wait time", "s"},
    [SC_RMETRIC_THINK] = {"mean think time", "s"},
    [SC_RMETRIC_THREADS] = {"threads", ""},
    [SC_RMETRIC_INSTANCES] = {"instances", ""},
    [SC_RMETRIC_UTILISATION] = {"utilisation", ""},
    [SC_RMETRIC_USE_RATIO] = {"uses per acquire", ""},
    [SC_RMETRIC_FAILURE_RATIO] = {"share of failures", ""},
};

const char *sc_resource_metric_name(enum sc_resource_metric metric)
{
  return (unsigned)metric < SC_RMETRIC_COUNT ? metrics[metric].name : "";
}

const char *sc_resource_metric_unit(enum sc_resource_metric metric)
{
  return (unsigned)metric < SC_RMETRIC_COUNT ? metrics[metric].unit : "";
}

static bool metric_ratio(double part, double whole, double *value)
{
  if (!(whole > 0))
    return false;
  *value = fmax(part, 0) / whole;
  return isfinite(*value);
}

/* Holds that exclude each other, and their seconds; of all if none do. */
typedef struct exclusive_part {
  double holds, seconds;
} exclusive_part;

static exclusive_part exclusive_of(const sc_resource_cell *cell, size_t run)
{
  double without = cell->exclusive ? 1 : 0;
  return (exclusive_part){sc_resource_cell_sum(cell, run, SC_USAGE_HOLDS) -
                              without * sc_resource_cell_sum(cell, run, SC_RSUM_SHARED_HOLDS),
                          sc_resource_cell_sum(cell, run, SC_USAGE_HOLD_SECONDS) -
                              without * sc_resource_cell_sum(cell, run, SC_RSUM_SHARED_SECONDS)};
}

/* How many can be served at once: instances of locks (as many as are as busy as the busiest, where few are hot), units
 * of semaphores, else the capacity that was told; 0: not known. A probe set tells of all units there are, an initial
 * value of those of each semaphore. */
static double count_places(const sc_resources *r, const sc_resource_cell *cell, size_t run)
{
  double instances = fmax(1, sc_resource_cell_occupancy(r, cell, run)->instances);
  const sc_resource *resource = sc_resource_cell_resource(r, cell);
  if (sc_resource_cell_lock(r, cell))
    return sc_rhot_stations(r, cell, run, instances);
  return sc_resource_cell_units_each(r, cell) ? resource->capacity * instances : resource->capacity;
}

/* A thread's first acquire has no think time before it that anybody saw; a pool's clients are there from its beginning.
 */
static double unseen_first(const sc_resources *r, const sc_resource_cell *cell, const sc_occupancy *o)
{
  return sc_rpool_at(r, cell->resource) ? 0 : o->threads;
}

/* Of a thread from one acquire to the next. Who takes a unit that others give back goes on at once, and its last
 * acquire is the end of what is seen of it. */
static bool divide_time_between(const sc_resource_cell *cell, const sc_occupancy *o, double waited, double acquires,
                                double *value)
{
  double times = cell->lent && acquires > o->threads ? acquires - o->threads : acquires;
  return metric_ratio(o->active_seconds - waited, times, value);
}

static bool time_of(const sc_resources *r, const sc_resource_cell *cell, size_t run, int metric, double *value)
{
  const sc_occupancy *o = sc_resource_cell_occupancy(r, cell, run);
  exclusive_part own = exclusive_of(cell, run);
  double waited = sc_resource_cell_sum(cell, run, SC_USAGE_WAIT_SECONDS),
         acquires = sc_resource_cell_sum(cell, run, SC_USAGE_ACQUIRES);
  double units = acquires > 0 ? sc_resource_cell_sum(cell, run, SC_USAGE_UNITS) / acquires : 0;
  switch (metric) {
  case SC_RMETRIC_HOLD:
    return metric_ratio(own.seconds, own.holds, value);
  case SC_RMETRIC_WAIT:
    return metric_ratio(waited, acquires > 0 ? acquires : sc_resource_cell_sum(cell, run, SC_USAGE_WAITS), value);
  case SC_RMETRIC_THINK:
    if (cell->lent)
      return divide_time_between(cell, o, waited, acquires, value);
    return cell->context == SC_USAGE_NONE && own.holds > 0 && acquires > unseen_first(r, cell, o) &&
           metric_ratio(o->active_seconds - waited - own.seconds, own.holds * (1 - unseen_first(r, cell, o) / acquires),
                        value);
  case SC_RMETRIC_UTILISATION:
    return own.holds >= SC_METRICS_HOLDS && cell->exclusive && !sc_resource_cell_signal(r, cell) &&
           metric_ratio(own.seconds * (sc_resource_cell_lock(r, cell) ? 1 : units),
                        sc_resource_cell_loaded(r, cell, run) * count_places(r, cell, run), value);
  case SC_RMETRIC_WAIT_ODDS:
    return metric_ratio(waited, o->active_seconds - waited, value);
  case SC_RMETRIC_ASK:
    return cell->context == SC_USAGE_NONE && divide_time_between(cell, o, waited, acquires, value);
  case SC_RMETRIC_LEVEL:
    return metric_ratio(sc_resource_cell_sum(cell, run, SC_USAGE_HOLD_SECONDS) * units,
                        sc_resource_cell_loaded(r, cell, run), value);
  default:
    return false;
  }
}

static bool resizes_of(const sc_resource_cell *cell, size_t run, double *value)
{
  double units = sc_resource_cell_sum(cell, run, SC_RSUM_RESIZE_UNITS);
  return metric_ratio(units, units - sc_resource_cell_sum(cell, run, SC_RSUM_RESIZE_RELEASED), value);
}

/* That can be out at a time. What others raise is no bound. */
static double most_units(const sc_resources *r, const sc_resource_cell *cell, size_t run)
{
  return sc_resource_cell_units_each(r, cell) && !sc_resource_cell_signal(r, cell) ? count_places(r, cell, run)
                                                                                   : INFINITY;
}

static bool take_count(const sc_resources *r, const sc_resource_cell *cell, size_t run, int metric, double *value)
{
  static const int sums[SC_RMETRIC_COUNT] = {[SC_RMETRIC_ACQUIRES] = SC_USAGE_ACQUIRES,
                                             [SC_RMETRIC_FAILURES] = SC_USAGE_FAILURES,
                                             [SC_RMETRIC_WAITS] = SC_USAGE_WAITS,
                                             [SC_RMETRIC_RELEASES] = SC_USAGE_RELEASES,
                                             [SC_RMETRIC_UNITS] = SC_USAGE_UNITS,
                                             [SC_RMETRIC_PEAK] = SC_USAGE_PEAK,
                                             [SC_RMETRIC_HOLD_TOTAL] = SC_USAGE_HOLD_SECONDS,
                                             [SC_RMETRIC_WAIT_TOTAL] = SC_USAGE_WAIT_SECONDS};
  *value = sc_resource_cell_sum(cell, run, sums[metric]);
  if (metric == SC_RMETRIC_PEAK && cell->context == SC_USAGE_NONE && sc_resource_cell_occupancy(r, cell, run)->peak > 0)
    *value = fmin(*value, sc_resource_cell_occupancy(r, cell, run)->peak);
  if (metric == SC_RMETRIC_PEAK)
    *value = fmin(sc_usage_most_out(sc_resource_cell_resource(r, cell), *value,
                                    sc_resource_cell_occupancy(r, cell, run)->instances),
                  most_units(r, cell, run));
  return true;
}

/* Think or hold time without the time that threads were ready and had no processor; false if that is not known. */
static bool without_ready(const sc_resources *r, const sc_resource_cell *cell, size_t run, int metric, double *value)
{
  const sc_rprocessors *own = sc_rprocessors_known(cell);
  if (!own || !isfinite(own->ready[run]) || !sc_rmetric_value(r, cell, run, metric, value))
    return false;
  *value = fmax(0, *value - (metric == SC_RMETRIC_HOLD ? own->hold_ready : own->think_ready)[run]);
  return true;
}

bool sc_rmetric_value(const sc_resources *r, const sc_resource_cell *cell, size_t run, int metric, double *value)
{
  if (r->place)
    return r->place->value(r, cell, run, metric, value);
  double acquires = sc_resource_cell_sum(cell, run, SC_USAGE_ACQUIRES),
         failures = sc_resource_cell_sum(cell, run, SC_USAGE_FAILURES);
  double uses = sc_resource_cell_sum(cell, run, SC_USAGE_READS) + sc_resource_cell_sum(cell, run, SC_USAGE_WRITES);
  const sc_occupancy *o = sc_resource_cell_occupancy(r, cell, run);
  switch (metric) {
  case SC_RMETRIC_USES:
    *value = uses;
    return true;
  case SC_RMETRIC_OUTSTANDING:
    *value = fmax(0, sc_resource_cell_sum(cell, run, SC_USAGE_UNITS) -
                         sc_resource_cell_sum(cell, run, SC_USAGE_RETURNED_UNITS));
    return true;
  case SC_RMETRIC_THREADS:
  case SC_RMETRIC_INSTANCES:
    *value = metric == SC_RMETRIC_THREADS ? o->threads : o->instances;
    return cell->context == SC_USAGE_NONE && *value > 0;
  case SC_RMETRIC_USE_RATIO:
    return cell->used && metric_ratio(uses, acquires, value);
  case SC_RMETRIC_FAILURE_RATIO:
    return metric_ratio(failures, acquires + failures, value);
  case SC_RMETRIC_MOVED:
    return resizes_of(cell, run, value);
  case SC_RMETRIC_HOLD:
  case SC_RMETRIC_WAIT:
  case SC_RMETRIC_THINK:
  case SC_RMETRIC_UTILISATION:
  case SC_RMETRIC_LEVEL:
  case SC_RMETRIC_WAIT_ODDS:
  case SC_RMETRIC_ASK:
    return time_of(r, cell, run, metric, value);
  case SC_RMETRIC_PACE:
    return without_ready(r, cell, run, SC_RMETRIC_THINK, value);
  case SC_RMETRIC_GRIP:
    return without_ready(r, cell, run, SC_RMETRIC_HOLD, value);
  case SC_RMETRIC_FAILURE_ODDS:
    return metric_ratio(failures, acquires, value);
  case SC_RMETRIC_BLOCKED:
    return metric_ratio(fmin(acquires, sc_resource_cell_sum(cell, run, SC_USAGE_WAITS)), acquires, value);
  default:
    return take_count(r, cell, run, metric, value);
  }
}

/* Runs that a median is taken of; of more, at most this many, spread over all of them. */
enum { REPEATS = 64 };

static bool median_between(const sc_resources *r, const sc_resource_cell *cell, size_t from, size_t to, int metric,
                           double *value)
{
  double room[REPEATS], one;
  sc_sample values = sc_sample_begin(room, REPEATS);
  for (size_t run = from; run < to; run++)
    if (sc_rmetric_value(r, cell, run, metric, &one))
      sc_sample_add(&values, one);
  *value = sc_median(room, values.count);
  return values.count > 0;
}

bool sc_rmetric_at(const sc_resources *r, const sc_resource_cell *cell, size_t size, int metric, double *value)
{
  return median_between(r, cell, r->starts[size], r->starts[size + 1], metric, value);
}

bool sc_rmetric_range(const sc_resources *r, const sc_resource_cell *cell, size_t size, int metric, double *least,
                      double *most)
{
  double low = INFINITY, high = -INFINITY, one;
  for (size_t run = r->starts[size]; run < r->starts[size + 1]; run++)
    if (sc_rmetric_value(r, cell, run, metric, &one)) {
      low = fmin(low, one);
      high = fmax(high, one);
    }
  if (!(low <= high))
    return false;
  *least = low;
  *most = high;
  return true;
}

double sc_rmetric_last(const sc_resources *r, const sc_resource_cell *cell, int metric)
{
  double value;
  return sc_rmetric_at(r, cell, r->size_count - 1, metric, &value) ? value : 0;
}

double sc_rmetric_rise(const sc_resources *r, const sc_resource_cell *cell, int metric)
{
  double low, high;
  size_t lower = r->size_count / 2, upper = r->size_count - lower;
  if (!lower || !median_between(r, cell, r->starts[upper], r->run_count, metric, &high))
    return 1;
  if (!median_between(r, cell, 0, r->starts[lower], metric, &low) || low <= 0)
    return high > 0 ? INFINITY : 1;
  return high / low;
}
