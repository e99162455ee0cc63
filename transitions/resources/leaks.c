/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether what stays obtained is a leak: not given back, not on purpose, and more with the size. */
#include "transitions/resources/leaks.h"

#include <math.h>
#include <string.h>

#include "transitions/model/order.h"
#include "transitions/model/tuning.h"
#include "transitions/resources/metrics.h"
#include "transitions/resources/place.h"
#include "transitions/resources/series.h"

bool sc_leak_possible(const sc_resources *r, const sc_resource_cell *cell)
{
  enum sc_resource_class c = sc_resource_cell_resource(r, cell)->resource_class;
  return sc_resource_cell_judged(r, cell) && !sc_resource_cell_lock(r, cell) && c != SC_RESOURCE_SEMAPHORE &&
         c != SC_RESOURCE_CONDITION && c != SC_RESOURCE_BARRIER;
}

int sc_leak_share(const sc_resources *r, const sc_resource_cell *cell, enum sc_resource_metric metric, double *share)
{
  sc_interval own, all;
  *share = 1;
  if (cell->context == SC_USAGE_NONE)
    return 0;
  SC_TRY(sc_rseries_predict(r, cell, metric, r->horizon, &own));
  SC_TRY(sc_rseries_predict(r, &r->cells[cell->resource], metric, r->horizon, &all));
  *share = fmin(1, own.value / fmax(all.value, own.value));
  return 0;
}

static double kept_acquires(const sc_resource_cell *cell, size_t run)
{
  return sc_resource_cell_sum(cell, run, SC_USAGE_ACQUIRES) - sc_resource_cell_sum(cell, run, SC_USAGE_RETURNED);
}

static bool leak_keeps(const sc_resource_cell *cell, size_t run)
{
  double kept = kept_acquires(cell, run);
  return kept >= 1 && kept >= SC_LEAKS_KEPT * sc_resource_cell_sum(cell, run, SC_USAGE_ACQUIRES);
}

static bool leak_same_place(const sc_resources *r, const sc_resource_cell *a, const sc_resource_cell *b)
{
  return a->line == b->line && a->column == b->column &&
         sc_graph_location_of(r->graph, a->context) == sc_graph_location_of(r->graph, b->context);
}

/* By flow: of all units acquired at sites that keep nothing, or elsewhere, most came back. */
static bool returns_elsewhere(const sc_resources *r, const sc_resource_cell *cell)
{
  size_t run = r->run_count - 1;
  double acquired = 0, returned = 0;
  for (size_t i = r->cell_starts[cell->resource]; i < r->cell_starts[cell->resource + 1]; i++) {
    const sc_resource_cell *other = &r->cells[i];
    if (leak_same_place(r, cell, other))
      continue;
    /* its own leaks are no evidence for or against this one; what it keeps of little is */
    double kept = kept_acquires(other, run), first = kept_acquires(other, 0);
    if (leak_keeps(other, run) && kept > first)
      continue;
    acquired += sc_resource_cell_sum(other, run, SC_USAGE_UNITS);
    returned += sc_resource_cell_sum(other, run, SC_USAGE_RETURNED_UNITS);
  }
  return acquired > 0 && returned >= SC_LEAKS_RETURNED * acquired;
}

/* By lifetime: places whose long-lived units came back outnumber those that keep theirs. Programs that leave all to the
 * end of the process give back what is temporary alone. */
static bool returns_lasting(const sc_resources *r, const sc_resource_cell *cell)
{
  size_t run = r->run_count - 1, clean = 0, unclean = 0;
  for (size_t i = r->cell_starts[cell->resource]; i < r->cell_starts[cell->resource + 1]; i++) {
    const sc_resource_cell *other = &r->cells[i];
    if (leak_same_place(r, cell, other))
      continue;
    bool lasting = sc_resource_cell_sum(other, run, SC_RSUM_LASTING) > 0;
    clean += lasting && !leak_keeps(other, run);
    unclean += leak_keeps(other, run);
  }
  return clean && clean >= 2 * unclean;
}

static double returned_share(const sc_resource_cell *cell, size_t run)
{
  double acquires = sc_resource_cell_sum(cell, run, SC_USAGE_ACQUIRES);
  return acquires > 0 ? sc_resource_cell_sum(cell, run, SC_USAGE_RETURNED) / acquires : 0;
}

static const sc_run *run_of(const sc_resources *r, size_t run)
{
  const sc_resources *all = r->place ? r->place->all : r;
  return sc_graph_run_const(all->graph, sc_rgraph_run(all, r->place ? sc_rplace_run(r, run) : run));
}

/* Of the whole run, ended ones included. */
static double threads_of(const sc_resources *r, size_t run) { return (double)run_of(r, run)->threads; }

static double processes_of(const sc_resources *r, size_t run) { return (double)run_of(r, run)->processes; }

/* The most threads that lived at a time, at most. All of them where some were started by whom nobody saw. */
static double threads_together(const sc_resources *r, size_t run)
{
  double threads = threads_of(r, run), processes = processes_of(r, run), started = 0, together = 0, value;
  for (uint32_t i = 0; i < r->resource_count; i++) {
    const sc_resource_cell *whole = &r->cells[i];
    if (sc_resource_cell_resource(r, whole)->resource_class != SC_RESOURCE_THREAD)
      continue;
    started += sc_rmetric_value(r, whole, run, SC_RMETRIC_ACQUIRES, &value) ? value : 0;
    together += sc_rmetric_value(r, whole, run, SC_RMETRIC_PEAK, &value) ? value : 0;
  }
  return started + processes < threads ? threads : fmin(threads, together + processes);
}

/* What each thread keeps one of, until it ends with the process, grows with threads and not with work. A process has
 * all of the run's threads but one of each other process, at most. What ended threads leave behind is not theirs. */
static bool one_each_thread(const sc_resources *r, const sc_resource_cell *cell)
{
  for (size_t run = 0; run < r->run_count; run++) {
    double threads = threads_together(r, run), most = threads - processes_of(r, run) + 1;
    if (threads < 2 || kept_acquires(cell, run) > threads ||
        sc_resource_cell_sum(cell, run, SC_RSUM_KEPT_BY_ONE) > fmax(1, most) ||
        returned_share(cell, run) >= SC_LEAKS_MOSTLY)
      return false;
  }
  return true;
}

/* By threads: they end while the program goes on (the records of those that ended serve the next ones, so that the heap
 * was touched by fewer at a time), and what the others of them acquired here came back. */
static bool returned_by_threads(const sc_resources *r, const sc_resource_cell *cell)
{
  size_t run = r->run_count - 1;
  const sc_occupancy *o = sc_resource_cell_occupancy(r, cell, run);
  double threads = threads_of(r, run), together = o->span_seconds > 0 ? o->active_seconds / o->span_seconds : threads;
  return threads >= SC_LEAKS_THREADS && fmin(o->threads, together) < SC_LEAKS_MOSTLY * threads &&
         returned_share(cell, run) >= SC_LEAKS_MOSTLY;
}

/* What each process of a program keeps until it ends, the kernel takes back: processes come along with the size, and
 * each further one keeps as much as the others. Where it is known what one of them kept, that stays: one that keeps
 * more and more beside others leaks. */
static bool left_to_the_kernel(const sc_resources *r, const sc_resource_cell *cell)
{
  double first = sc_resource_cell_sum(cell, 0, SC_RSUM_KEPT_BY_ONE);
  double last = sc_resource_cell_sum(cell, r->run_count - 1, SC_RSUM_KEPT_BY_ONE);
  bool known = first > 0 || !(kept_acquires(cell, 0) > 0); /* runs of earlier versions did not say it */
  if (known && last > fmax(SC_LEAKS_EVENLY * first, first + 1))
    return false;
  double least = INFINITY, most = 0;
  for (size_t size = 1; size < r->size_count; size++) {
    size_t run = r->starts[size], before = r->starts[size - 1];
    double processes = processes_of(r, run) - processes_of(r, before);
    double kept = kept_acquires(cell, run) - kept_acquires(cell, before);
    if (processes < 1)
      return false;
    least = fmin(least, kept / processes);
    most = fmax(most, kept / processes);
  }
  return most <= fmax(SC_LEAKS_EVENLY * least, least + 1);
}

bool sc_leak_may_be_cache(const sc_resources *r, const sc_resource_cell *cell)
{
  return sc_resource_cell_resource(r, cell)->resource_class == SC_RESOURCE_HEAP && !returns_lasting(r, cell) &&
         (!(returned_share(cell, r->run_count - 1) > 0) || returned_by_threads(r, cell));
}

/* `kind`: of the parameter that more is kept with. */
static bool on_purpose(const sc_resources *r, const sc_resource_cell *cell, enum sc_parameter_kind kind)
{
  switch (sc_resource_cell_resource(r, cell)->resource_class) {
  case SC_RESOURCE_HEAP:
    if (one_each_thread(r, cell))
      return true;
    return !returns_lasting(r, cell) && !returned_by_threads(r, cell) &&
           !(kind == SC_PARAMETER_WORK && returns_elsewhere(r, cell));
  case SC_RESOURCE_MAPPING:
    return one_each_thread(r, cell);
  case SC_RESOURCE_THREAD: /* those still running when the process ends */
    return sc_parameter_is_workers(kind);
  default:
    return false;
  }
}

static bool seen_returned(const sc_resources *r, const sc_resource_cell *cell)
{
  for (size_t run = 0; run < r->run_count; run++)
    if (sc_resource_cell_sum(cell, run, SC_USAGE_UNSEEN) > 0)
      return false;
  return true;
}

/* What stays must grow, and with the size: a cache that fills, or a table made once, is no leak. */
int sc_leak_holds(const sc_resources *r, const sc_resource_cell *cell, bool *yes)
{
  const sc_rseries *outstanding;
  double first, last = sc_rmetric_last(r, cell, SC_RMETRIC_OUTSTANDING);
  *yes = false;
  if (!(last > 0) || !sc_rmetric_at(r, cell, 0, SC_RMETRIC_OUTSTANDING, &first) || first >= last)
    return 0;
  if (!seen_returned(r, cell) || left_to_the_kernel(r, cell) || on_purpose(r, cell, r->kind))
    return 0;
  SC_TRY(sc_rseries_get(r, cell, SC_RMETRIC_OUTSTANDING, &outstanding));
  const sc_model *model = sc_rseries_model(outstanding);
  *yes = model && model->order.exponent >= SC_ORDER_STEP;
  return 0;
}

/* The smallest and the largest value measured of a parameter. */
static void range_of(const sc_resources_place *p, size_t parameter, double *low, double *high)
{
  *low = INFINITY;
  *high = 0;
  for (size_t i = 0; i < p->runs.count; i++) {
    *low = fmin(*low, p->runs.at[i * p->runs.parameters + parameter]);
    *high = fmax(*high, p->runs.at[i * p->runs.parameters + parameter]);
  }
}

static double value_with(const sc_surface *surface, const double *there, size_t parameter, double value)
{
  double point[SC_SURFACE_PARAMETERS];
  memcpy(point, there, sizeof point);
  point[parameter] = value;
  return sc_surface_value(surface, point);
}

/* Along one parameter. */
static int rises_with(const sc_resources *r, const sc_surface *surface, size_t parameter, sc_leak_rise *rise, bool *yes)
{
  const sc_resources_place *p = r->place;
  double there[SC_SURFACE_PARAMETERS] = {r->sizes[r->size_count - 1]};
  sc_model model = {.verdict = SC_VERDICT_CANNOT_TELL};
  memcpy(there + 1, p->others, (p->runs.parameters - 1) * sizeof *there);
  rise->parameter = parameter;
  range_of(p, parameter, &rise->from, &rise->to);
  rise->value_from = value_with(surface, there, parameter, rise->from);
  rise->value_to = value_with(surface, there, parameter, rise->to);
  double here = sc_surface_value(surface, there);
  *yes = rise->value_to > 0 && rise->value_to >= SC_LEAKS_FACTOR * rise->value_from &&
         here >= SC_LEAKS_FACTOR * rise->value_from && there[parameter] > rise->from;
  if (!*yes)
    return 0;
  int err = sc_surface_slice(surface, there, parameter, &model);
  *yes = err == 0 && model.verdict == SC_VERDICT_MODEL && model.order.exponent >= SC_ORDER_STEP;
  return err == SC_E_NUMERIC ? 0 : err;
}

/* *yes false: it rises with none, or the place has the least value of those that it rises with. */
static int find_rise(const sc_resources *r, const sc_resource_cell *cell, int metric, sc_leak_rise *rise, bool *yes)
{
  const sc_rseries *series;
  *yes = false;
  SC_TRY(sc_rseries_get(r, cell, metric, &series)); /* fits the surface */
  const sc_surface *surface = r->place->surfaces[(size_t)(cell - r->cells) * SC_RMETRIC_ALL + (size_t)metric];
  if (!surface || surface->verdict != SC_VERDICT_MODEL)
    return 0;
  for (size_t k = 1; k < r->place->runs.parameters && !*yes; k++)
    SC_TRY(rises_with(r, surface, k, rise, yes));
  return 0;
}

int sc_leak_holds_beside(const sc_resources *r, const sc_resource_cell *cell, sc_leak_rise *rise, bool *yes)
{
  *yes = false;
  if (!r->place)
    return 0;
  SC_TRY(find_rise(r, cell, SC_RMETRIC_OUTSTANDING, rise, yes));
  if (*yes && (!seen_returned(r, cell) || on_purpose(r, cell, r->place->runs.kinds[rise->parameter])))
    *yes = false;
  return 0;
}
