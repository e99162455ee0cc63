/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The events of all runs, summed by resource and by place: what everything else here reads. */
#include "transitions/resources/cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/compare.h"
#include "transitions/model/tuning.h"

static bool cell_nameless(enum sc_resource_class c)
{
  return sc_resource_class_memory(c) || c == SC_RESOURCE_DESCRIPTOR || c == SC_RESOURCE_STREAM ||
         c == SC_RESOURCE_THREAD;
}

/* What is judged for each place is kept apart by place: a leak must not hide behind its healthy neighbours. */
static sc_resource_spot cell_key_of(const sc_resources *r, const sc_usage *row)
{
  bool obtains = row->event == SC_USAGE_EVENT_ACQUIRE || row->event == SC_USAGE_EVENT_RESIZE;
  if (obtains && cell_nameless(sc_usage_resource_at(r->graph, row->resource)->resource_class))
    return (sc_resource_spot){row->resource, row->context, row->line, row->column};
  return (sc_resource_spot){row->resource, row->context, 0, 0};
}

static int compare_cell_keys(const void *a, const void *b)
{
  const sc_resource_spot *x = a, *y = b;
  return SC_COMPARE(x->resource, y->resource) ?: SC_COMPARE(x->context, y->context) ?: SC_COMPARE(x->line, y->line) ?:
         SC_COMPARE(x->column, y->column);
}

/* What calls of the system wait for is no resource (transitions/model/waiting.h). */
static bool cell_blocks(const sc_resources *r, uint32_t resource)
{
  return sc_resource_class_blocks(sc_usage_resource_at(r->graph, resource)->resource_class);
}

/* The distinct keys over all runs, sorted. */
static int collect_keys(const sc_resources *r, sc_resource_spot **keys, size_t *count)
{
  size_t capacity = 0, all = 0, distinct = 0;
  *keys = NULL;
  for (size_t run = 0; run < r->run_count; run++) {
    size_t rows;
    const sc_usage *usage = sc_usage_rows(r->graph, sc_rgraph_run(r, run), &rows);
    SC_TRY(sc_mem_grow(keys, &capacity, all + rows + 1, sizeof **keys));
    for (size_t i = 0; i < rows; i++)
      if (!cell_blocks(r, usage[i].resource))
        (*keys)[all++] = cell_key_of(r, &usage[i]);
    /* runs repeat each other's keys: sorting now and then keeps the list short */
    qsort(*keys, all, sizeof **keys, compare_cell_keys);
    distinct = 0;
    for (size_t i = 0; i < all; i++)
      if (!i || compare_cell_keys(&(*keys)[i], &(*keys)[distinct - 1]) != 0)
        (*keys)[distinct++] = (*keys)[i];
    all = distinct;
  }
  *count = all;
  return 0;
}

/* The resources as a whole come first, so that a resource's number is that of its cell; the cells of its places follow,
 * sorted, between cell_starts[resource] and cell_starts[resource + 1]. */
static int make_cells(sc_resources *r, const sc_resource_spot *keys, size_t count)
{
  r->cell_count = r->resource_count + count;
  r->cells = sc_mem_new(r->cell_count + 1, sizeof *r->cells);
  r->cell_starts = sc_mem_new(r->resource_count + 1, sizeof *r->cell_starts);
  if (!r->cells || !r->cell_starts)
    return SC_E_NOMEM;
  for (uint32_t i = 0; i < r->resource_count; i++)
    r->cells[i] = (sc_resource_cell){.resource = i, .context = SC_USAGE_NONE};
  for (size_t i = 0, resource = 0; i <= count; i++)
    for (; resource <= r->resource_count && (i == count || keys[i].resource >= resource); resource++)
      r->cell_starts[resource] = r->resource_count + i;
  for (size_t i = 0; i < count; i++)
    r->cells[r->resource_count + i] = (sc_resource_cell){
        .resource = keys[i].resource, .context = keys[i].context, .line = keys[i].line, .column = keys[i].column};
  for (size_t i = 0; i < r->cell_count; i++) {
    r->cells[i].sums = sc_mem_new(r->run_count * SC_RSUM_COUNT, sizeof(double));
    if (!r->cells[i].sums)
      return SC_E_NOMEM;
  }
  return 0;
}

/* A value from a profile is a sum of counts or times; anything else must not poison sums. */
static double cell_sane(double value) { return value > 0 && isfinite(value) ? value : 0; }

/* Shared holds are kept apart, as readers do not exclude each other: a queue of them all would find a busy lock where
 * nobody waits. */
static void add_usage_to_cell(const sc_resources *r, const sc_usage *row, size_t run, sc_resource_cell *cell)
{
  double *sums = &cell->sums[run * SC_RSUM_COUNT], span = sc_resource_cell_occupancy(r, cell, run)->span_seconds;
  for (int i = 0; i < SC_USAGE_VALUES; i++)
    sums[i] += cell_sane(row->values[i]);
  sums[SC_RSUM_KEPT_BY_ONE] += cell_sane(row->kept_by_one);
  if (row->shared) {
    sums[SC_RSUM_SHARED_ACQUIRES] += cell_sane(row->values[SC_USAGE_ACQUIRES]);
    sums[SC_RSUM_SHARED_HOLDS] += cell_sane(row->values[SC_USAGE_HOLDS]);
    sums[SC_RSUM_SHARED_SECONDS] += cell_sane(row->values[SC_USAGE_HOLD_SECONDS]);
  } else if (row->values[SC_USAGE_HOLDS] > 0) {
    cell->exclusive = true;
  }
  if (row->event == SC_USAGE_EVENT_RESIZE) {
    sums[SC_RSUM_RESIZES] += cell_sane(row->values[SC_USAGE_ACQUIRES]);
    sums[SC_RSUM_RESIZE_UNITS] += cell_sane(row->values[SC_USAGE_UNITS]);
    sums[SC_RSUM_RESIZE_RELEASED] += cell_sane(row->values[SC_USAGE_UNITS_RELEASED]);
  }
  if (row->event == SC_USAGE_EVENT_READ || row->event == SC_USAGE_EVENT_WRITE)
    cell->used = true;
  for (int i = 0; i < SC_RBUCKETS; i++)
    if (span > 0 && ldexp(1e-9, i + 1) >= SC_CELLS_LASTING * span)
      sums[SC_RSUM_LASTING] += cell_sane(row->buckets[i]);
  if (sc_analysis_in_scope(r->analysis, row->context))
    cell->in_scope = true;
}

static void add_buckets(const sc_resources *r, const sc_usage *row, size_t run)
{
  const sc_resource_cell *whole = &r->cells[row->resource];
  double *buckets = sc_resource_cell_buckets(r, whole, run);
  for (int i = 0; i < SC_RBUCKETS && row->shared != whole->exclusive; i++)
    buckets[i] += cell_sane(row->buckets[i]);
}

static const sc_resource_cell *find_cell(const sc_resources *r, const sc_resource_spot *key)
{
  if (key->resource >= r->resource_count)
    return NULL;
  size_t low = r->cell_starts[key->resource], high = r->cell_starts[key->resource + 1];
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    const sc_resource_cell *cell = &r->cells[middle];
    sc_resource_spot spot = sc_resource_cell_spot(cell);
    int order = compare_cell_keys(&spot, key);
    if (order == 0)
      return cell;
    if (order < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return NULL;
}

size_t sc_resources_size_of(const sc_resources *r, double n)
{
  size_t size = 0;
  while (size < r->size_count && r->sizes[size] != n)
    size++;
  return size;
}

const sc_resource_cell *sc_resource_cells_find(const sc_resources *r, const sc_resource_spot *spot)
{
  if (spot->resource >= r->resource_count)
    return NULL;
  return spot->context == SC_USAGE_NONE ? &r->cells[spot->resource] : find_cell(r, spot);
}

bool sc_resource_cell_has(const sc_resources *r, const sc_resource_cell *cell, const sc_usage *row)
{
  if (cell->context == SC_USAGE_NONE)
    return cell->resource == row->resource;
  sc_resource_spot key = cell_key_of(r, row), spot = sc_resource_cell_spot(cell);
  return compare_cell_keys(&key, &spot) == 0;
}

/* Values come from files: each passes cell_sane once, here, so that nothing behind has to ask whether a number is
 * one. */
static void gather_cell_run(sc_resources *r, size_t run)
{
  size_t count, index = sc_rgraph_run(r, run);
  const sc_occupancy *occupancies = sc_usage_occupancies(r->graph, index, &count);
  for (size_t i = 0; i < count; i++)
    if (occupancies[i].resource < r->resource_count && !cell_blocks(r, occupancies[i].resource)) {
      sc_occupancy *to = &r->occupancies[run * r->resource_count + occupancies[i].resource];
      *to = occupancies[i];
      to->instances = cell_sane(to->instances);
      to->threads = cell_sane(to->threads);
      to->active_seconds = cell_sane(to->active_seconds);
      to->span_seconds = cell_sane(to->span_seconds);
      to->loaded_seconds = fmin(cell_sane(to->loaded_seconds), to->span_seconds);
      to->busiest_seconds = cell_sane(to->busiest_seconds);
      to->hot = cell_sane(to->hot);
      to->hot_seconds = cell_sane(to->hot_seconds);
    }
  const sc_usage *rows = sc_usage_rows(r->graph, index, &count);
  for (size_t i = 0; i < count; i++) {
    sc_resource_spot key = cell_key_of(r, &rows[i]);
    sc_resource_cell *cell = (sc_resource_cell *)find_cell(r, &key);
    if (!cell)
      continue;
    add_usage_to_cell(r, &rows[i], run, cell);
    add_usage_to_cell(r, &rows[i], run, &r->cells[rows[i].resource]);
  }
}

/* Whether units of a semaphore are given back by other threads than took them, and all are, so that the time they are
 * out is known: each is a hold then. Without an initial value it hands something over, and nobody says how much there
 * may be. */
static bool is_lent(const sc_resources *r, const sc_resource_cell *cell)
{
  double units = 0, back = 0, holds = 0, seconds = 0;
  if (!sc_resource_cell_units_each(r, cell))
    return false;
  for (size_t run = r->starts[r->size_count / 2]; run < r->run_count; run++) {
    units += sc_resource_cell_sum(cell, run, SC_USAGE_UNITS);
    back += sc_resource_cell_sum(cell, run, SC_USAGE_RETURNED_UNITS);
    holds += sc_resource_cell_sum(cell, run, SC_USAGE_HOLDS);
    seconds += sc_resource_cell_sum(cell, run, SC_USAGE_HOLD_SECONDS);
  }
  return holds < units / 2 && back >= SC_CELLS_BACK * units && seconds > 0;
}

static void count_lent(sc_resources *r)
{
  for (uint32_t i = 0; i < r->resource_count; i++) {
    sc_resource_cell *cell = &r->cells[i];
    cell->lent = is_lent(r, cell);
    cell->exclusive = cell->exclusive || cell->lent;
    for (size_t run = 0; run < r->run_count && cell->lent; run++)
      cell->sums[run * SC_RSUM_COUNT + SC_USAGE_HOLDS] = sc_resource_cell_sum(cell, run, SC_USAGE_RETURNED);
  }
}

int sc_resource_cells_gather(sc_resources *r)
{
  int err;
  sc_resource_spot *keys = NULL;
  size_t count = 0;
  r->resource_count = sc_usage_resource_count(r->graph);
  SC_GOTO(collect_keys(r, &keys, &count));
  SC_GOTO(make_cells(r, keys, count));
  r->occupancies = sc_mem_new(r->run_count * r->resource_count + 1, sizeof *r->occupancies);
  r->buckets = sc_mem_new(r->run_count * r->resource_count * SC_RBUCKETS + 1, sizeof *r->buckets);
  if (!r->occupancies || !r->buckets) {
    err = SC_E_NOMEM;
    goto out;
  }
  for (size_t run = 0; run < r->run_count; run++)
    gather_cell_run(r, run);
  count_lent(r);
  for (size_t run = 0; run < r->run_count; run++) { /* once it is known which resources have exclusive holds */
    size_t rows;
    const sc_usage *row = sc_usage_rows(r->graph, sc_rgraph_run(r, run), &rows);
    for (; rows; rows--, row++)
      add_buckets(r, row, run);
  }
out:
  free(keys);
  return err;
}

static void free_processors(sc_rprocessors *own)
{
  if (!own)
    return;
  free(own->work);
  free(own->ready);
  free(own->think_ready);
  free(own->hold_ready);
  free(own);
}

void sc_rseries_free(sc_rseries *series)
{
  if (!series)
    return;
  free(series->sizes);
  free(series->values);
  free(series->plane);
  free(series);
}

void sc_resource_cells_free(sc_resources *r)
{
  for (size_t i = 0; r->cells && i < r->cell_count; i++) {
    free(r->cells[i].sums);
    free(r->cells[i].calibration);
    free_processors(r->cells[i].processors);
    for (int metric = 0; metric < SC_RMETRIC_ALL; metric++)
      sc_rseries_free(r->cells[i].series[metric]);
  }
  free(r->cells);
  free(r->cell_starts);
  free(r->occupancies);
  free(r->buckets);
}

/* A queue of work is as many units as it has workers. */
const sc_resource *sc_resource_cell_resource(const sc_resources *r, const sc_resource_cell *cell)
{
  const sc_rpool *pool = sc_rpool_at(r, cell->resource);
  return pool ? &pool->as : sc_usage_resource_at(r->graph, cell->resource);
}

bool sc_resource_cell_idle(const sc_resources *r, const sc_resource_cell *cell)
{
  const sc_resource *resource = sc_resource_cell_resource(r, cell);
  if (sc_rpool_at(r, cell->resource))
    return false;
  return resource->idle || resource->resource_class == SC_RESOURCE_CONDITION ||
         resource->resource_class == SC_RESOURCE_BARRIER || resource->resource_class == SC_RESOURCE_THREAD;
}

bool sc_resource_cell_lock(const sc_resources *r, const sc_resource_cell *cell)
{
  return sc_resource_class_locks(sc_resource_cell_resource(r, cell)->resource_class);
}

double sc_resource_cell_servers(const sc_resources *r, const sc_resource_cell *cell)
{
  return sc_resource_cell_lock(r, cell) ? 1 : fmax(1, sc_resource_cell_resource(r, cell)->capacity);
}

bool sc_resource_cell_generic(const sc_resources *r, const sc_resource_cell *cell)
{
  return cell_nameless(sc_resource_cell_resource(r, cell)->resource_class);
}

bool sc_resource_cell_judged(const sc_resources *r, const sc_resource_cell *cell)
{
  return cell->in_scope && sc_resource_cell_generic(r, cell) == (cell->context != SC_USAGE_NONE) &&
         !sc_rpool_at(r, cell->resource);
}

bool sc_resource_cell_signal(const sc_resources *r, const sc_resource_cell *cell)
{
  double acquires = 0, holds = 0;
  if (sc_resource_cell_resource(r, cell)->resource_class != SC_RESOURCE_SEMAPHORE)
    return false;
  for (size_t run = r->starts[r->size_count - 1]; run < r->run_count; run++) {
    acquires += sc_resource_cell_sum(cell, run, SC_USAGE_ACQUIRES);
    holds += sc_resource_cell_sum(cell, run, SC_USAGE_HOLDS);
  }
  return holds < acquires / 2;
}

bool sc_resource_cell_units_each(const sc_resources *r, const sc_resource_cell *cell)
{
  const sc_resource *resource = sc_resource_cell_resource(r, cell);
  return resource->resource_class == SC_RESOURCE_SEMAPHORE && !resource->probe && resource->capacity > 0;
}
