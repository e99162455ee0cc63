/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What contexts did to resources, run by run (definition in usage.h). Three sparse lists a run: rows, by context,
 * resource, event and line; pairs of rows, who waited for whom; occupancies, one a resource. All are added up over
 * processes, so each value is a sum, a maximum, or what usage_lives.c makes of those that lived together. */
#include "profiles/graph/usage.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/hash.h"
#include "profiles/graph/internal.h"
#include "profiles/graph/tuning.h"
#include "profiles/layout.inc"

_Static_assert((int)SC_RESOURCE_PROCESS == SCALE_CLASS_PROCESS && (int)SC_RESOURCE_HEAP == SCALE_CLASS_HEAP,
               "layout.inc");
_Static_assert((int)SC_USAGE_EVENT_RESIZE == SCALE_EVENT_RESIZE && (int)SC_USAGE_EVENT_WAIT == SCALE_EVENT_WAIT,
               "layout.inc");
_Static_assert((int)SC_USAGE_BUCKETS == SCALE_HOLD_BUCKETS, "layout.inc");

static const struct {
  const char *name, *unit, *many;
} classes[] = {
    [SC_RESOURCE_MUTEX] = {"mutex", "lock", "mutexes"},
    [SC_RESOURCE_RWLOCK] = {"rwlock", "lock", "rwlocks"},
    [SC_RESOURCE_SPINLOCK] = {"spinlock", "lock", "spinlocks"},
    [SC_RESOURCE_SEMAPHORE] = {"semaphore", "unit", "semaphores"},
    [SC_RESOURCE_CONDITION] = {"condition", "unit", "conditions"},
    [SC_RESOURCE_BARRIER] = {"barrier", "unit", "barriers"},
    [SC_RESOURCE_THREAD] = {"thread", "thread", "threads"},
    [SC_RESOURCE_HEAP] = {"heap", "byte", "heap"},
    [SC_RESOURCE_MAPPING] = {"mapping", "byte", "mappings"},
    [SC_RESOURCE_DESCRIPTOR] = {"descriptor", "descriptor", "descriptors"},
    [SC_RESOURCE_STREAM] = {"stream", "stream", "streams"},
    [SC_RESOURCE_OTHER] = {"other", "unit", "others"},
    [SC_RESOURCE_SLEEP] = {"sleep", "unit", "sleep"},
    [SC_RESOURCE_IO] = {"io", "unit", "I/O"},
    [SC_RESOURCE_PROCESS] = {"process", "unit", "processes"},
};
enum { CLASSES = sizeof classes / sizeof *classes };

static const char *const events[] = {
    [SC_USAGE_EVENT_ACQUIRE] = "acquire", [SC_USAGE_EVENT_READ] = "read",       [SC_USAGE_EVENT_WRITE] = "write",
    [SC_USAGE_EVENT_WAIT] = "wait",       [SC_USAGE_EVENT_RELEASE] = "release", [SC_USAGE_EVENT_NAME] = "name",
    [SC_USAGE_EVENT_RESIZE] = "resize",
};
enum { EVENTS = sizeof events / sizeof *events };

const char *sc_resource_class_name(enum sc_resource_class resource_class)
{
  assert(resource_class >= SC_RESOURCE_MUTEX && (int)resource_class < CLASSES);
  return classes[resource_class].name;
}

bool sc_resource_class_blocks(enum sc_resource_class resource_class) { return resource_class >= SC_RESOURCE_SLEEP; }

bool sc_resource_class_memory(enum sc_resource_class resource_class)
{
  return resource_class == SC_RESOURCE_HEAP || resource_class == SC_RESOURCE_MAPPING;
}

bool sc_usage_blocks(const sc_graph *graph, const sc_usage *row)
{
  return sc_resource_class_blocks(sc_usage_resource_at(graph, row->resource)->resource_class);
}

const char *sc_resource_class_unit(enum sc_resource_class resource_class)
{
  assert(resource_class >= SC_RESOURCE_MUTEX && (int)resource_class < CLASSES);
  return classes[resource_class].unit;
}

const char *sc_resource_class_plural(enum sc_resource_class resource_class)
{
  assert(resource_class >= SC_RESOURCE_MUTEX && (int)resource_class < CLASSES);
  return classes[resource_class].many;
}

const char *sc_usage_event_name(enum sc_usage_event event)
{
  assert(event >= SC_USAGE_EVENT_ACQUIRE && (int)event < EVENTS);
  return events[event];
}

int sc_usage_resource(sc_graph *graph, const sc_resource *resource, uint32_t *number)
{
  if (resource->resource_class < SC_RESOURCE_MUTEX || (int)resource->resource_class >= CLASSES)
    return sc_err_set(SC_E_INTERNAL, "no such class of resources (%d)", (int)resource->resource_class);
  return sc_resource_set_intern(&graph->usage.resources, resource, number, NULL);
}

uint32_t sc_usage_resource_count(const sc_graph *graph) { return graph->usage.resources.count; }

const sc_resource *sc_usage_resource_at(const sc_graph *graph, uint32_t number)
{
  assert(number < graph->usage.resources.count);
  return graph->usage.resources.list[number];
}

bool sc_usage_condition_has_units(const sc_graph *graph, uint32_t number)
{
  return sc_usage_resource_at(graph, number)->resource_class == SC_RESOURCE_CONDITION &&
         sc_resource_set_namesake(&graph->usage.resources, number, SC_RESOURCE_SEMAPHORE) != SC_USAGE_NONE;
}

bool sc_usage_is_discarded(const sc_graph *graph, const char *via, const char *resource)
{
  for (size_t i = 0; i < graph->usage.discarded_count; i++)
    if (!strcmp(graph->usage.discarded[i].via, via) && !strcmp(graph->usage.discarded[i].resource, resource))
      return true;
  return false;
}

const sc_discarded_event *sc_usage_discarded(const sc_graph *graph, size_t *count)
{
  *count = graph->usage.discarded_count;
  return graph->usage.discarded;
}

void sc_usage_free(struct sc_usage_tables *tables)
{
  sc_resource_set_free(&tables->resources);
  free(tables->discarded);
}

static struct sc_usage_run *run_of(const sc_graph *graph, size_t run)
{
  return run < graph->run_count ? &graph->runs[run]->usage : NULL;
}

/* `via` is interned. */
static uint32_t hash_usage_row(const sc_usage *row)
{
  uint64_t key = sc_hash_mix((uint64_t)row->context << 32 | row->resource);
  key = sc_hash_mix(key ^ ((uintptr_t)row->via * 16 + (uint64_t)row->event * 2 + row->shared));
  return (uint32_t)sc_hash_mix(key ^ ((uint64_t)row->line << 32 | row->column));
}

static bool same_row(const sc_usage *a, const sc_usage *b)
{
  return a->context == b->context && a->resource == b->resource && a->via == b->via && a->event == b->event &&
         a->shared == b->shared && a->line == b->line && a->column == b->column;
}

static void add_values(sc_usage *to, const sc_usage *from)
{
  for (int i = 0; i < SC_USAGE_VALUES; i++)
    to->values[i] += from->values[i];
  for (int i = 0; i < SC_USAGE_BUCKETS; i++)
    to->buckets[i] += from->buckets[i];
  to->kept_by_one = fmax(to->kept_by_one, from->kept_by_one);
}

static int add_alive(const struct sc_usage_run *run, struct sc_usage_alive **all, size_t *capacity, size_t index,
                     const sc_usage *usage)
{
  SC_TRY(sc_mem_grow_zeroed(all, capacity, index + 1, sizeof **all));
  return sc_usage_alive_add(&(*all)[index], run->process_began, run->process_ended, usage);
}

/* Where the row's number is, or is to be. */
static sc_index_slot *find_row(const struct sc_usage_run *run, const sc_usage *row)
{
  sc_index_slot *slot = sc_index_first(&run->by_key, hash_usage_row(row));
  while (slot->number && !same_row(&run->rows[slot->number - 1], row))
    slot = sc_index_next(&run->by_key, slot);
  return slot;
}

/* The row goes into the list before its lives are counted: their array has the rows' numbers. */
int sc_usage_add(sc_graph *graph, size_t index, const sc_usage *usage, uint32_t *row)
{
  struct sc_usage_run *run = run_of(graph, index);
  if (!run || usage->context >= graph->tree.contexts.count || usage->resource >= graph->usage.resources.count ||
      usage->event < SC_USAGE_EVENT_ACQUIRE || usage->event > SC_USAGE_EVENT_RESIZE)
    return sc_err_set(SC_E_INTERNAL, "no such run (%zu), context (%u), resource (%u) or event (%d)", index,
                      usage->context, usage->resource, (int)usage->event);
  if (run->row_count >= SC_USAGE_NONE - 1)
    return sc_err_set(SC_E_NOMEM, "too many uses of resources");
  sc_usage own = *usage;
  own.via = sc_pool_intern(&graph->usage.resources.strings, usage->via ? usage->via : "");
  if (!own.via)
    return SC_E_NOMEM;
  SC_TRY(sc_index_reserve(&run->by_key, run->row_count + 1));
  sc_index_slot *slot = find_row(run, &own);
  if (slot->number) {
    add_values(&run->rows[slot->number - 1], &own);
  } else {
    SC_TRY(sc_mem_grow(&run->rows, &run->row_capacity, run->row_count + 1, sizeof *run->rows));
    run->rows[run->row_count++] = own;
    sc_index_take(&run->by_key, slot, hash_usage_row(&own), (uint32_t)run->row_count);
  }
  if (row)
    *row = slot->number - 1;
  bool outlives = graph->usage.resources.list[own.resource]->global; /* what a process leaves of it nobody gives back */
  size_t number = slot->number - 1;
  if (!run->process_began || outlives)
    return 0;
  SC_TRY(add_alive(run, &run->alive, &run->alive_capacity, number, usage));
  sc_usage_alive_set(&run->alive[number], &run->rows[number]);
  return 0;
}

/* SC_USAGE_NONE, a holder that is unknown, is a holder like any other here: its waits are added up, too. */
static uint32_t hash_pair(const sc_wait_pair *pair)
{
  return (uint32_t)sc_hash_mix((uint64_t)pair->waiter << 32 | pair->holder);
}

bool sc_usage_pair_nested(const sc_graph *graph, const sc_usage *rows, const sc_wait_pair *pair)
{
  return pair->holder != SC_USAGE_NONE && (!(pair->waits > 0) || sc_usage_blocks(graph, &rows[pair->waiter]));
}

int sc_usage_add_pair(sc_graph *graph, size_t index, const sc_wait_pair *pair)
{
  struct sc_usage_run *run = run_of(graph, index);
  if (!run || pair->waiter >= run->row_count || (pair->holder != SC_USAGE_NONE && pair->holder >= run->row_count))
    return sc_err_set(SC_E_INTERNAL, "no such run (%zu), waiter (%u) or holder (%u)", index, pair->waiter,
                      pair->holder);
  SC_TRY(sc_index_reserve(&run->by_pair, run->pair_count + 1));
  sc_index_slot *slot = sc_index_first(&run->by_pair, hash_pair(pair));
  while (slot->number &&
         (run->pairs[slot->number - 1].waiter != pair->waiter || run->pairs[slot->number - 1].holder != pair->holder))
    slot = sc_index_next(&run->by_pair, slot);
  if (slot->number) {
    run->pairs[slot->number - 1].waits += pair->waits;
    run->pairs[slot->number - 1].seconds += pair->seconds;
    return 0;
  }
  SC_TRY(sc_mem_grow(&run->pairs, &run->pair_capacity, run->pair_count + 1, sizeof *run->pairs));
  run->pairs[run->pair_count++] = *pair;
  sc_index_take(&run->by_pair, slot, hash_pair(pair), (uint32_t)run->pair_count);
  return 0;
}

/* The run's row of a resource, made if absent. */
static int find_occupancy(sc_graph *graph, size_t index, uint32_t resource, size_t *number)
{
  struct sc_usage_run *run = run_of(graph, index);
  if (!run || resource >= graph->usage.resources.count)
    return sc_err_set(SC_E_INTERNAL, "no such run (%zu) or resource (%u)", index, resource);
  SC_TRY(sc_mem_grow_zeroed(&run->occupancy_of, &run->occupancy_of_capacity, (size_t)resource + 1,
                            sizeof *run->occupancy_of));
  if (!run->occupancy_of[resource]) {
    size_t count = run->occupancy_count;
    SC_TRY(sc_mem_grow(&run->occupancies, &run->occupancy_capacity, count + 1, sizeof *run->occupancies));
    SC_TRY(sc_mem_grow(&run->extents, &run->extent_capacity, count + 1, sizeof *run->extents));
    run->occupancies[count] = (sc_occupancy){.resource = resource};
    run->extents[count] = (struct sc_usage_extent){
        .first = INFINITY, .last = -INFINITY, .loaded_first = INFINITY, .loaded_last = -INFINITY};
    run->occupancy_of[resource] = (uint32_t)++run->occupancy_count;
  }
  *number = run->occupancy_of[resource] - 1;
  return 0;
}

/* Instances of processes are different ones: the busiest is one of them, and whose process that is has the hot ones. */
static void add_busiest(sc_occupancy *row, double busiest_seconds, double hot, double hot_seconds)
{
  if (busiest_seconds <= row->busiest_seconds)
    return;
  row->busiest_seconds = busiest_seconds;
  row->hot = hot;
  row->hot_seconds = hot_seconds;
}

int sc_usage_add_occupancy(sc_graph *graph, size_t index, const sc_occupancy *occupancy)
{
  size_t number;
  SC_TRY(find_occupancy(graph, index, occupancy->resource, &number));
  sc_occupancy *row = &run_of(graph, index)->occupancies[number];
  if (sc_usage_resource_at(graph, occupancy->resource)->global)
    row->instances = fmax(row->instances, occupancy->instances);
  else
    row->instances += occupancy->instances;
  row->threads += occupancy->threads;
  row->active_seconds += occupancy->active_seconds;
  row->span_seconds = fmax(row->span_seconds, occupancy->span_seconds);
  row->loaded_seconds = fmax(row->loaded_seconds, occupancy->loaded_seconds);
  row->peak += occupancy->peak;
  add_busiest(row, occupancy->busiest_seconds, occupancy->hot, occupancy->hot_seconds);
  return 0;
}

/* Linear counting (Whang et al., 1990): if z of m bits stayed 0, about m ln(m / z) instances set the others. */
double sc_usage_instances(const uint64_t bits[SC_USAGE_BITMAP])
{
  const double all = 64 * SC_USAGE_BITMAP;
  double zeros = all;
  for (int i = 0; i < SC_USAGE_BITMAP; i++)
    zeros -= __builtin_popcountll(bits[i]);
  return round(all * log(all / (zeros > 0 ? zeros : 1)));
}

double sc_usage_most_out(const sc_resource *resource, double peaks, double instances)
{
  enum { BITS = SC_USAGE_BITMAP * 64 };
  bool exclusive = resource->resource_class == SC_RESOURCE_MUTEX || resource->resource_class == SC_RESOURCE_SPINLOCK;
  if (!exclusive || !(instances > 0) || instances > BITS / 2.0) /* beyond that the estimate is too rough */
    return peaks;
  /* two instances with one bit are one in 256 pairs; the standard error is about n / sqrt(2 m) */
  double most = instances < 1.5 ? 1 : ceil(instances * (1 + SC_USAGE_ERRORS / sqrt(2.0 * BITS)));
  return fmin(peaks, most);
}

int sc_usage_occupy(sc_graph *graph, size_t index, uint32_t resource, double threads, double active_seconds,
                    const struct sc_usage_extent *extent)
{
  size_t number;
  SC_TRY(find_occupancy(graph, index, resource, &number));
  sc_occupancy *row = &run_of(graph, index)->occupancies[number];
  struct sc_usage_extent *all = &run_of(graph, index)->extents[number];
  for (int i = 0; i < SC_USAGE_BITMAP; i++)
    all->bits[i] |= extent->bits[i];
  if (sc_usage_resource_at(graph, resource)->global)
    row->instances = sc_usage_instances(all->bits);
  else
    row->instances += extent->instances > 0 ? extent->instances : sc_usage_instances(extent->bits);
  row->threads += threads;
  row->active_seconds += active_seconds;
  add_busiest(row, extent->busiest_seconds, extent->hot, extent->hot_seconds);
  if (extent->first <= extent->last) {
    all->first = fmin(all->first, extent->first);
    all->last = fmax(all->last, extent->last);
    row->span_seconds = (all->last - all->first) / 1e9;
  }
  all->loaded_first = fmin(all->loaded_first, extent->loaded_first);
  all->loaded_last = fmax(all->loaded_last, extent->loaded_last);
  if (all->loaded_first < all->loaded_last)
    row->loaded_seconds = (all->loaded_last - all->loaded_first) / 1e9;
  return 0;
}

int sc_usage_peak(sc_graph *graph, size_t index, uint32_t resource, double peak)
{
  size_t number;
  SC_TRY(find_occupancy(graph, index, resource, &number));
  struct sc_usage_run *run = run_of(graph, index);
  double *value = &run->occupancies[number].peak;
  sc_usage whole = {.values[SC_USAGE_PEAK] = peak};
  if (!run->process_began) {
    *value += peak;
    return 0;
  }
  SC_TRY(add_alive(run, &run->alive_whole, &run->alive_whole_capacity, number, &whole));
  *value = run->alive_whole[number].most[SC_USAGE_OUT_PEAK];
  return 0;
}

/* Adds the pairs again by the rows' new numbers. */
static int renumber_pairs(sc_graph *graph, size_t index, const uint32_t *numbers)
{
  struct sc_usage_run *run = &graph->runs[index]->usage;
  sc_wait_pair *pairs = run->pairs;
  size_t count = run->pair_count;
  int err = 0;
  sc_index_free(&run->by_pair);
  run->pairs = NULL;
  run->pair_count = run->pair_capacity = 0;
  for (size_t i = 0; i < count && err == 0; i++) {
    sc_wait_pair pair = pairs[i];
    pair.waiter = numbers[pair.waiter];
    pair.holder = pair.holder == SC_USAGE_NONE ? SC_USAGE_NONE : numbers[pair.holder];
    if (pair.waiter != SC_USAGE_NONE)
      err = sc_usage_add_pair(graph, index, &pair);
  }
  free(pairs);
  return err;
}

/* Rows are numbered without gaps, and pairs name them by number: whoever drops one renumbers both. `via` and
 * `resource`, a resource's name, are interned. */
static int drop_rows(sc_graph *graph, size_t index, const char *via, const char *resource)
{
  struct sc_usage_run *run = &graph->runs[index]->usage;
  size_t kept = 0;
  uint32_t *numbers;
  SC_TRY(SC_NEW(numbers, run->row_count));
  for (size_t i = 0; i < run->row_count; i++) {
    const sc_usage *row = &run->rows[i];
    bool dropped = row->via == via && graph->usage.resources.list[row->resource]->name == resource;
    numbers[i] = dropped ? SC_USAGE_NONE : (uint32_t)kept;
    if (!dropped)
      run->rows[kept++] = *row;
  }
  int err = 0;
  if (kept < run->row_count) {
    run->row_count = kept;
    sc_index_free(&run->by_key);
    err = sc_index_reserve(&run->by_key, kept + 1);
    for (size_t i = 0; i < kept && err == 0; i++)
      sc_index_take(&run->by_key, find_row(run, &run->rows[i]), hash_usage_row(&run->rows[i]), (uint32_t)i + 1);
    err = err ?: renumber_pairs(graph, index, numbers);
  }
  free(numbers);
  return err;
}

/* Drops all runs' rows of a function and resources of that name, both interned by the graph. */
static int drop_usage(sc_graph *graph, const char *via, const char *resource)
{
  for (size_t i = 0; i < graph->run_count; i++)
    SC_TRY(drop_rows(graph, i, via, resource));
  return 0;
}

/* Rows of a refuted event go at once, from every run; profiles and studies that are read later ask
 * sc_usage_is_discarded and never add theirs. */
int sc_usage_add_discarded(sc_graph *graph, const sc_discarded_event *event)
{
  struct sc_usage_tables *tables = &graph->usage;
  if (sc_usage_is_discarded(graph, event->via, event->resource))
    return 0;
  sc_discarded_event own = {sc_pool_intern(&tables->resources.strings, event->via),
                            sc_pool_intern(&tables->resources.strings, event->resource),
                            sc_pool_intern(&tables->resources.strings, event->why)};
  if (!own.via || !own.resource || !own.why)
    return SC_E_NOMEM;
  SC_TRY(sc_mem_grow(&tables->discarded, &tables->discarded_capacity, tables->discarded_count + 1,
                     sizeof *tables->discarded));
  tables->discarded[tables->discarded_count++] = own;
  return drop_usage(graph, own.via, own.resource);
}

/* Profiles of early versions have lines without columns. Rows with and without would be two rows of one place, so that
 * runs that are added to such a study leave columns out as well. */
static bool lacks_columns(const struct sc_usage_run *run)
{
  bool lines = false;
  for (size_t i = 0; i < run->row_count; i++) {
    if (run->rows[i].column)
      return false;
    lines = lines || run->rows[i].line;
  }
  return lines;
}

bool sc_usage_lacks_columns(const sc_graph *graph)
{
  for (size_t i = 0; i < graph->run_count; i++)
    if (lacks_columns(&graph->runs[i]->usage))
      return true;
  return false;
}

static bool is_obtaining_usage(const sc_usage *row)
{
  return row->event == SC_USAGE_EVENT_ACQUIRE || row->event == SC_USAGE_EVENT_RESIZE;
}

/* The last run with rows is asked alone: what places a line has is a matter of the code, the same in all runs. */
uint32_t sc_usage_telling_column(const sc_graph *graph, uint32_t context, uint32_t line, uint32_t column)
{
  const struct sc_usage_run *run = NULL;
  for (size_t i = graph->run_count; i-- > 0 && (!run || !run->row_count);)
    run = &graph->runs[i]->usage;
  for (size_t i = 0; run && column && i < run->row_count; i++) {
    const sc_usage *row = &run->rows[i];
    if (row->context == context && row->line == line && row->column != column && row->column && is_obtaining_usage(row))
      return column;
  }
  return 0;
}

const sc_usage *sc_usage_find(const sc_graph *graph, size_t index, const sc_usage *like)
{
  const struct sc_usage_run *run = run_of(graph, index);
  const sc_index_slot *slot = run && run->row_count ? find_row(run, like) : NULL;
  return slot && slot->number ? &run->rows[slot->number - 1] : NULL;
}

const sc_usage *sc_usage_rows(const sc_graph *graph, size_t index, size_t *count)
{
  const struct sc_usage_run *run = run_of(graph, index);
  *count = run ? run->row_count : 0;
  return run ? run->rows : NULL;
}

const sc_wait_pair *sc_usage_pairs(const sc_graph *graph, size_t index, size_t *count)
{
  const struct sc_usage_run *run = run_of(graph, index);
  *count = run ? run->pair_count : 0;
  return run ? run->pairs : NULL;
}

const sc_occupancy *sc_usage_occupancies(const sc_graph *graph, size_t index, size_t *count)
{
  const struct sc_usage_run *run = run_of(graph, index);
  *count = run ? run->occupancy_count : 0;
  return run ? run->occupancies : NULL;
}

void sc_usage_free_run(struct sc_usage_run *run)
{
  free(run->rows);
  sc_index_free(&run->by_key);
  free(run->pairs);
  sc_index_free(&run->by_pair);
  free(run->occupancies);
  free(run->extents);
  free(run->occupancy_of);
  sc_usage_forget_processes(run);
}
