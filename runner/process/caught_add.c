/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From tallies to rows of usage, pairs and what is known of each resource, as of profiles (scprof/expand_usage.c). */
#include <math.h>
#include <stdlib.h>

#include "base/buf.h"
#include "profiles/graph/tuning.h"
#include "runner/process/caught_internal.h"

typedef struct adding {
  const sc_caught *t;
  sc_graph *graph;
  size_t run;
  sc_caught_context_fn context;
  void *user;
  uint32_t *resources;             /* [resources] numbers in the graph */
  uint32_t *rows;                  /* [tallies] */
  struct sc_usage_extent *extents; /* [resources] of the process that is being added */
  double *threads, *active;        /* [resources] the same */
} adding;

static uint32_t resource_of_tally(const sc_caught *t, const tally *of)
{
  const sc_caught_event *event = &t->events->list[of->event];
  return of->touched ? event->touched : event->resource;
}

static enum sc_usage_event event_of(const sc_caught *t, const tally *of)
{
  enum scale_event event = t->events->list[of->event].event->event;
  if (of->touched && event != SCALE_EVENT_WRITE)
    return SC_USAGE_EVENT_READ;
  return (enum sc_usage_event)event;
}

/* Whole numbers stay such ones, in their order. */
static void scale_usage(sc_usage *usage, double scale)
{
  for (int i = 0; i < SC_USAGE_VALUES; i++)
    if (i == SC_USAGE_WAIT_SECONDS || i == SC_USAGE_HOLD_SECONDS)
      usage->values[i] *= scale;
    else if (i != SC_USAGE_PEAK)
      usage->values[i] = round(usage->values[i] * scale);
  for (int i = 0; i < SC_USAGE_BUCKETS; i++)
    usage->buckets[i] = round(usage->buckets[i] * scale);
}

static void fill_values(const tally *of, sc_usage *usage)
{
  double *v = usage->values;
  v[SC_USAGE_ACQUIRES] = (double)of->acquires;
  v[SC_USAGE_FAILURES] = (double)of->failures;
  v[SC_USAGE_WAITS] = (double)of->waits;
  v[SC_USAGE_RELEASES] = (double)of->releases;
  v[SC_USAGE_READS] = (double)of->reads;
  v[SC_USAGE_WRITES] = (double)of->writes;
  v[SC_USAGE_UNITS] = (double)of->units;
  v[SC_USAGE_UNITS_RELEASED] = (double)of->units_released;
  v[SC_USAGE_RETURNED] = (double)of->returned;
  v[SC_USAGE_RETURNED_UNITS] = (double)of->returned_units;
  v[SC_USAGE_UNSEEN] = (double)of->unseen;
  v[SC_USAGE_STRANGERS] = (double)of->strangers;
  v[SC_USAGE_PEAK] = (double)of->peak;
  v[SC_USAGE_WAIT_SECONDS] = (double)of->wait_ns / 1e9;
  v[SC_USAGE_HOLDS] = (double)of->holds;
  v[SC_USAGE_HOLD_SECONDS] = (double)of->hold_ns / 1e9;
  for (int i = 0; i < SC_USAGE_BUCKETS; i++)
    usage->buckets[i] = of->buckets[i];
}

static int add_caught_row(const adding *a, uint32_t image, uint32_t number)
{
  const tally *of = &a->t->tallies.list[number];
  const sc_caught_event *event = &a->t->events->list[of->event];
  sc_usage usage = {.resource = a->resources[resource_of_tally(a->t, of)],
                    .via = event->event->function,
                    .shared = of->shared || (!of->touched && a->t->events->resources[event->resource].counted),
                    .event = event_of(a->t, of)};
  SC_TRY(a->context(a->user, image, event->function, &usage.context));
  fill_values(of, &usage);
  if (a->t->scale != 1)
    scale_usage(&usage, a->t->scale);
  return sc_usage_add(a->graph, a->run, &usage, &a->rows[number]);
}

/* Of two locks of one name a nested wait is not told: it would mean that the one was waited for while somebody held the
 * other. */
static int add_caught_pairs(const adding *a)
{
  for (size_t i = 0; i < a->t->pairs.count; i++) {
    const pair *of = &a->t->pairs.list[i];
    sc_wait_pair add = {a->rows[of->waiter], of->holder == NOBODY ? SC_USAGE_NONE : a->rows[of->holder],
                        of->nested ? 0 : round((double)of->waits * a->t->scale), (double)of->ns / 1e9 * a->t->scale};
    if (of->nested && resource_of_tally(a->t, &a->t->tallies.list[of->waiter]) ==
                          resource_of_tally(a->t, &a->t->tallies.list[of->holder]))
      continue;
    SC_TRY(sc_usage_add_pair(a->graph, a->run, &add));
  }
  return 0;
}

/* ---- what is known of a resource as a whole, in one process ---- */

static void gather_times(const adding *a, const tallied_process *process)
{
  for (uint32_t i = process->first_stretch; i != NOBODY; i = a->t->stretches.list[i].next) {
    const stretch *s = &a->t->stretches.list[i];
    struct sc_usage_extent *extent = &a->extents[s->resource];
    a->threads[s->resource]++;
    a->active[s->resource] += (double)(s->last - s->first) / 1e9;
    extent->first = fmin(extent->first, (double)s->first);
    extent->last = fmax(extent->last, (double)s->last);
  }
}

/* The bit that a profile has of an instance. */
static void set_bit(uint64_t bits[SC_USAGE_BITMAP], uint64_t identity)
{
  uint64_t bit = identity * UINT64_C(0x9e3779b97f4a7c15) >> 56;
  bits[bit / 64] |= UINT64_C(1) << bit % 64;
}

static void gather_instances(const adding *a, const tallied_process *process, double *holds, double *seconds)
{
  for (uint32_t i = process->first_instance; i != NOBODY; i = a->t->instances.list[i].next) {
    const tallied_instance *of = &a->t->instances.list[i];
    struct sc_usage_extent *extent = &a->extents[of->resource];
    set_bit(extent->bits, of->identity);
    extent->instances++;
    if (!sc_caught_locks(a->t, of->resource))
      continue;
    extent->busiest_seconds = fmax(extent->busiest_seconds, (double)of->hold_ns / 1e9);
    holds[of->resource] += (double)of->holds;
    seconds[of->resource] += (double)of->hold_ns / 1e9;
  }
}

/* As of profiles: scprof/shares.c. */
static void gather_hot(const adding *a, const tallied_process *process, const double *holds, const double *seconds)
{
  for (uint32_t i = process->first_instance; i != NOBODY; i = a->t->instances.list[i].next) {
    const tallied_instance *of = &a->t->instances.list[i];
    struct sc_usage_extent *extent = &a->extents[of->resource];
    if (!sc_caught_locks(a->t, of->resource) || !(extent->instances > 1))
      continue;
    double mean = holds[of->resource] / extent->instances, own = (double)of->hold_ns / 1e9;
    if (own >= SC_SHARES_HOT * seconds[of->resource] / extent->instances && of->hold_ns &&
        (double)of->holds >= mean + SC_SHARES_HOT_DEVIATIONS * sqrt(mean) + SC_SHARES_HOT_LEAST) {
      extent->hot++;
      extent->hot_seconds += own;
    }
  }
}

static void stretch_times(const adding *a, size_t resources)
{
  double scale = a->t->scale;
  for (size_t i = 0; i < resources && scale != 1; i++) {
    struct sc_usage_extent *extent = &a->extents[i];
    a->active[i] *= scale;
    extent->last = extent->first + (extent->last - extent->first) * scale;
    extent->busiest_seconds *= scale;
    extent->hot_seconds *= scale;
  }
}

static int occupy_resources(const adding *a, const tallied_process *process)
{
  size_t count = a->t->events->resource_count;
  double *holds = sc_mem_new(2 * count, sizeof *holds);
  int err = holds ? 0 : SC_E_NOMEM;
  if (err < 0)
    return err;
  for (size_t i = 0; i < count; i++) {
    a->extents[i] = (struct sc_usage_extent){.first = INFINITY, .last = -INFINITY};
    a->threads[i] = a->active[i] = 0;
  }
  gather_times(a, process);
  gather_instances(a, process, holds, holds + count);
  gather_hot(a, process, holds, holds + count);
  stretch_times(a, count);
  for (size_t i = 0; err == 0 && i < count; i++)
    if (a->threads[i] > 0)
      err = sc_usage_occupy(a->graph, a->run, a->resources[i], a->threads[i], a->active[i], &a->extents[i]);
  free(holds);
  return err;
}

static int add_process(const adding *a, uint32_t number)
{
  const tallied_process *of = &a->t->processes.list[number];
  if (of->first_tally == NOBODY)
    return 0;
  sc_usage_begin_process(a->graph, a->run, of->began, of->ended ? of->ended : UINT64_MAX);
  for (uint32_t i = of->first_tally; i != NOBODY; i = a->t->tallies.list[i].next)
    SC_TRY(add_caught_row(a, of->image, i));
  return occupy_resources(a, of);
}

static int add_all(const adding *a)
{
  for (size_t i = 0; i < a->t->events->resource_count; i++)
    SC_TRY(sc_usage_resource(a->graph, &a->t->events->resources[i].resource, &a->resources[i]));
  for (uint32_t i = 0; i < a->t->processes.count; i++)
    SC_TRY(add_process(a, i));
  sc_usage_end_processes(a->graph, a->run);
  return add_caught_pairs(a);
}

int sc_caught_add(const sc_caught *t, sc_graph *graph, size_t run, sc_caught_context_fn context, void *user)
{
  size_t resources = t->events->resource_count;
  adding a = {t, graph, run, context, user};
  int err = SC_E_NOMEM;
  a.resources = sc_mem_new(resources, sizeof *a.resources);
  a.rows = sc_mem_new(t->tallies.count, sizeof *a.rows);
  a.extents = sc_mem_new(resources, sizeof *a.extents);
  a.threads = sc_mem_new(resources, sizeof *a.threads);
  a.active = sc_mem_new(resources, sizeof *a.active);
  if (a.resources && a.rows && a.extents && a.threads && a.active)
    err = add_all(&a);
  free(a.resources);
  free(a.rows);
  free(a.extents);
  free(a.threads);
  free(a.active);
  return err;
}
