/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The graph of all runs: the tree of contexts (contexts.c), the locations they stand for (locations.c), and an array of
 * values for each run and metric, indexed by context. An array ends at the last context that its run reached, so that
 * contexts found by later runs cost earlier runs nothing and read as 0 there. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "profiles/graph/internal.h"

int sc_graph_new(sc_graph **graph)
{
  int err = SC_E_NOMEM;
  uint32_t number;
  *graph = NULL;
  sc_graph *fresh = sc_mem_new(1, sizeof *fresh);
  if (!fresh)
    goto out;
  SC_GOTO(sc_locations_intern(&fresh->tree.locations, &(sc_location){.kind = SC_LOCATION_ROOT}, &number, NULL));
  SC_GOTO(sc_contexts_begin(&fresh->tree.contexts, number));
  *graph = fresh;
  fresh = NULL;
out:
  sc_graph_free(fresh);
  return err;
}

static void free_run(struct sc_graph_run *run)
{
  for (int metric = 0; metric < SC_METRIC_COUNT_OF_METRICS; metric++)
    free(run->values[metric]);
  sc_usage_free_run(&run->usage);
  free(run);
}

/* Leaves the graph unpacked, whatever it was: safe after a packing that failed half-way. */
static void free_packed(sc_graph *graph)
{
  free(graph->tree.series);
  sc_series_free(&graph->tree.counts);
  graph->tree.series = NULL;
  graph->tree.packed_runs = graph->tree.packed_contexts = 0;
}

void sc_graph_free(sc_graph *graph)
{
  if (!graph)
    return;
  for (size_t i = 0; i < graph->run_count; i++)
    free_run(graph->runs[i]);
  free(graph->runs);
  sc_usage_free(&graph->usage);
  free_packed(graph);
  sc_contexts_free(&graph->tree.contexts);
  sc_locations_free(&graph->tree.locations);
  free(graph);
}

int sc_graph_location(sc_graph *graph, const sc_location *location, uint32_t *number)
{
  return sc_locations_intern(&graph->tree.locations, location, number, NULL);
}

/* Numbers come from studies and profiles, too: a damaged one must be an error here, not a read out of bounds. */
static int check_numbers(const sc_graph *graph, uint32_t parent, uint32_t location)
{
  if (parent >= graph->tree.contexts.count || location >= graph->tree.locations.count)
    return sc_err_set(SC_E_INTERNAL, "no such context (%u) or location (%u)", parent, location);
  return 0;
}

int sc_graph_context(sc_graph *graph, uint32_t parent, uint32_t location, uint32_t *context)
{
  SC_TRY(check_numbers(graph, parent, location));
  return sc_contexts_intern(&graph->tree.contexts, parent, location, context);
}

int sc_graph_append_context(sc_graph *graph, uint32_t parent, uint32_t location, uint32_t *context)
{
  SC_TRY(check_numbers(graph, parent, location));
  return sc_contexts_append(&graph->tree.contexts, parent, location, context);
}

int sc_graph_check_contexts(const sc_graph *graph, bool *twice)
{
  return sc_contexts_check(&graph->tree.contexts, graph->tree.locations.count, twice);
}

void sc_graph_note_call(sc_graph *graph, uint32_t context, uint32_t line)
{
  assert(context < graph->tree.contexts.count);
  sc_contexts_call(&graph->tree.contexts, context, line);
}

uint32_t sc_graph_call_line(const sc_graph *graph, uint32_t context)
{
  assert(context < graph->tree.contexts.count);
  return graph->tree.contexts.list[context].call;
}

uint32_t sc_graph_find(sc_graph *graph, uint32_t parent, uint32_t location)
{
  return sc_contexts_find(&graph->tree.contexts, parent, location);
}

int sc_graph_begin_run(sc_graph *graph, const sc_run *run, size_t *index)
{
  SC_TRY(sc_mem_grow(&graph->runs, &graph->run_capacity, graph->run_count + 1, sizeof *graph->runs));
  struct sc_graph_run *fresh;
  SC_TRY(SC_NEW(fresh, 1));
  fresh->run = *run;
  *index = graph->run_count;
  graph->runs[graph->run_count++] = fresh;
  return 0;
}

/* Packed series keep the dropped run's column; it is never read again, as only runs below packed_runs are. */
void sc_graph_drop_run(sc_graph *graph)
{
  if (graph->run_count)
    free_run(graph->runs[--graph->run_count]);
  if (graph->tree.packed_runs > graph->run_count)
    graph->tree.packed_runs = graph->run_count;
}

/* Makes room for every context there is, and some more, as merging finds new ones all the time. */
static int grow_values(const sc_graph *graph, struct sc_graph_run *run, enum sc_metric metric)
{
  size_t length = run->lengths[metric], need = graph->tree.contexts.count;
  size_t larger = length + length / 2 > need ? length + length / 2 : need;
  double *values;
  if (!length) {
    values = sc_mem_new(larger, sizeof *values); /* of a large array only the touched pages cost memory */
  } else {
    values = realloc(run->values[metric], larger * sizeof *values);
    if (values)
      memset(values + length, 0, (larger - length) * sizeof *values);
  }
  if (!values)
    return sc_err_set(SC_E_NOMEM, "out of memory: values of %u contexts", graph->tree.contexts.count);
  run->values[metric] = values;
  run->lengths[metric] = larger;
  return 0;
}

/* The arrays that the packed series replace: a million contexts at 12 sizes are 96 MB of them, nearly all of them
 * repeated. */
static void free_counts(sc_graph *graph)
{
  for (size_t r = 0; r < graph->run_count; r++) {
    struct sc_graph_run *run = graph->runs[r];
    free(run->values[SC_METRIC_COUNT]);
    run->values[SC_METRIC_COUNT] = NULL;
    run->lengths[SC_METRIC_COUNT] = 0;
  }
}

/* `row` has room for a value of every run. The arrays stay until all series are made, so that an error loses
 * nothing. */
static int pack_series(sc_graph *graph, double *row)
{
  sc_graph_tree *tree = &graph->tree;
  tree->counts.width = graph->run_count;
  SC_TRY(SC_NEW(tree->series, tree->contexts.count));
  for (uint32_t c = 0; c < tree->contexts.count; c++) {
    for (size_t r = 0; r < graph->run_count; r++)
      row[r] = sc_graph_kept_value(graph, r, c, SC_METRIC_COUNT);
    SC_TRY(sc_series_intern(&tree->counts, row, &tree->series[c]));
  }
  return 0;
}

int sc_graph_pack(sc_graph *graph)
{
  double *row;
  if (graph->tree.packed_runs || !graph->run_count)
    return 0;
  SC_TRY(SC_NEW(row, graph->run_count));
  int err = pack_series(graph, row);
  free(row);
  if (err < 0) {
    free_packed(graph);
    return err;
  }
  graph->tree.packed_runs = graph->run_count;
  graph->tree.packed_contexts = graph->tree.contexts.count;
  free_counts(graph);
  return 0;
}

/* 0 while a run was begun since: its counts are in no series yet. */
size_t sc_graph_series_count(const sc_graph *graph)
{
  return graph->tree.packed_runs == graph->run_count ? graph->tree.counts.count : 0;
}

/* Of a run whose counts are to be changed. */
static int unpack_metric(sc_graph *graph, size_t index, enum sc_metric metric)
{
  double *values;
  size_t runs = graph->tree.packed_runs;
  if (metric != SC_METRIC_COUNT || index >= runs)
    return 0;
  for (size_t r = 0; r < runs; r++) {
    SC_TRY(grow_values(graph, graph->runs[r], SC_METRIC_COUNT));
    values = graph->runs[r]->values[SC_METRIC_COUNT];
    for (uint32_t c = 0; c < graph->tree.packed_contexts; c++)
      values[c] = sc_graph_value(graph, r, c, SC_METRIC_COUNT);
  }
  free_packed(graph);
  return 0;
}

int sc_graph_add(sc_graph *graph, size_t index, uint32_t context, enum sc_metric metric, double value)
{
  if (index >= graph->run_count || context >= graph->tree.contexts.count ||
      (unsigned)metric >= SC_METRIC_COUNT_OF_METRICS)
    return sc_err_set(SC_E_INTERNAL, "no such run (%zu), context (%u) or metric (%d)", index, context, (int)metric);
  /* A 0 makes no array, so that sc_graph_has_values can say whether the run has any value of the metric. */
  if (value == 0)
    return 0;
  SC_TRY(unpack_metric(graph, index, metric));
  struct sc_graph_run *run = graph->runs[index];
  if (context >= run->lengths[metric])
    SC_TRY(grow_values(graph, run, metric));
  double *at = &run->values[metric][context];
  if (metric != SC_METRIC_DEPTH)
    *at += value;
  else if (value > *at)
    *at = value;
  return 0;
}

int sc_graph_values(sc_graph *graph, size_t index, enum sc_metric metric, double **values)
{
  assert(index < graph->run_count);
  SC_TRY(unpack_metric(graph, index, metric));
  struct sc_graph_run *run = graph->runs[index];
  if (run->lengths[metric] < graph->tree.contexts.count)
    SC_TRY(grow_values(graph, run, metric));
  *values = run->values[metric];
  return 0;
}

bool sc_graph_has_values(const sc_graph *graph, size_t index, enum sc_metric metric)
{
  assert(index < graph->run_count);
  return graph->runs[index]->lengths[metric] > 0;
}

size_t sc_graph_run_count(const sc_graph *graph) { return graph->run_count; }

/* Quadratic in the runs, some dozens in a study; they are not sorted, as they stand in the order they were
 * run. */
size_t sc_graph_size_count(const sc_graph *graph)
{
  size_t sizes = 0;
  for (size_t i = 0; i < graph->run_count; i++) {
    size_t j = 0;
    while (j < i && graph->runs[j]->run.n != graph->runs[i]->run.n)
      j++;
    sizes += j == i;
  }
  return sizes;
}

sc_run *sc_graph_run(sc_graph *graph, size_t run)
{
  assert(run < graph->run_count);
  return &graph->runs[run]->run;
}

const sc_run *sc_graph_run_const(const sc_graph *graph, size_t run)
{
  assert(run < graph->run_count);
  return &graph->runs[run]->run;
}

/* A parent's number is smaller than its children's. */
bool sc_graph_within(const sc_graph *graph, uint32_t context, uint32_t above)
{
  while (context > above)
    context = sc_graph_parent(graph, context);
  return context == above;
}

size_t sc_graph_depth(const sc_graph *graph, uint32_t context)
{
  size_t depth = 0;
  for (; context; context = sc_graph_parent(graph, context))
    depth++;
  return depth;
}

/* The deeper of two contexts may have the smaller number, but a parent's number is smaller than its children's:
 * whichever is larger cannot be above the other, and steps up. */
uint32_t sc_graph_common(const sc_graph *graph, uint32_t one, uint32_t other)
{
  while (one != other) {
    uint32_t *inner = one > other ? &one : &other;
    *inner = sc_graph_parent(graph, *inner);
  }
  return one;
}

/* Pre-order without a stack: recursion over a tree as deep as a program's calls could overflow it. */
uint32_t sc_graph_next_within(const sc_graph *graph, uint32_t context, uint32_t top)
{
  uint32_t next = sc_graph_first_child(graph, context);
  while (!next && context != top) {
    next = sc_graph_next_sibling(graph, context);
    context = sc_graph_parent(graph, context);
  }
  return next;
}

/* The innermost context at or above this one that is in no library; *call becomes the outermost library function that
 * was passed on the way, if any was. */
static uint32_t leave_library(const sc_graph *graph, uint32_t context, uint32_t *call)
{
  while (context && sc_location_is_library(sc_graph_at(graph, context))) {
    if (sc_graph_at(graph, context)->kind == SC_LOCATION_FUNCTION)
      *call = context;
    context = sc_graph_parent(graph, context);
  }
  return context;
}

uint32_t sc_graph_library_call(const sc_graph *graph, uint32_t context)
{
  uint32_t call = 0;
  bool work = sc_graph_at(graph, context)->kind == SC_LOCATION_WORK;
  (void)leave_library(graph, work ? sc_graph_parent(graph, context) : context, &call);
  return call;
}

/* Users can change what they wrote, not what a header of the library does with it: a call into a library stands for
 * all that happens inside. */
uint32_t sc_graph_written(const sc_graph *graph, uint32_t context, uint32_t *through)
{
  uint32_t written = context, library = 0;
  if (sc_graph_at(graph, context)->kind == SC_LOCATION_WORK) {
    library = context;
    written = sc_graph_parent(graph, context);
  }
  if (!graph->unfolded)
    written = leave_library(graph, written, &library);
  enum sc_location_kind kind = sc_graph_at(graph, written)->kind;
  bool own = kind == SC_LOCATION_FUNCTION || kind == SC_LOCATION_LOOP;
  if (through)
    *through = own && written != context ? library : 0;
  return own ? written : context;
}

bool sc_graph_folded(const sc_graph *graph, uint32_t context)
{
  uint32_t through, written = sc_graph_written(graph, context, &through);
  return written != context && through != context;
}

/* The line to show is the one that the user wrote the call in; the callee's own line would be in a header. */
sc_location sc_graph_spot(const sc_graph *graph, uint32_t context)
{
  uint32_t through, written = sc_graph_written(graph, context, &through);
  sc_location spot = *sc_graph_at(graph, written);
  uint32_t call = through ? sc_graph_call_line(graph, through) : 0;
  if (through && sc_graph_at(graph, through)->kind == SC_LOCATION_WORK) {
    const sc_location *work = sc_graph_at(graph, through);
    spot.file = work->file;
    spot.line = work->line;
    spot.column = work->column;
  } else if (call) {
    spot.line = call;
    spot.column = 0;
  }
  return spot;
}

void sc_graph_unfold(sc_graph *graph, bool unfold) { graph->unfolded = unfold; }

bool sc_graph_is_unfolded(const sc_graph *graph) { return graph->unfolded; }

/* Without a name that fits, a task begins with the outermost function that the user wrote: above it stands what the C++
 * library calls a thread's function through, the same for all tasks. */
uint32_t sc_graph_task(const sc_graph *graph, uint32_t context, const char *const *tasks, size_t task_count)
{
  uint32_t root = context;
  for (uint32_t c = context; c; c = sc_graph_parent(graph, c)) {
    const sc_location *location = sc_graph_at(graph, c);
    for (size_t i = 0; i < task_count; i++)
      if (sc_location_is_called(location, tasks[i]))
        return c;
    if (location->kind == SC_LOCATION_FUNCTION && !sc_location_is_library(location))
      root = c;
  }
  return root;
}

double sc_graph_kept_value(const sc_graph *graph, size_t index, uint32_t context, enum sc_metric metric)
{
  assert(index < graph->run_count);
  const struct sc_graph_run *run = graph->runs[index];
  return context < run->lengths[metric] ? run->values[metric][context] : 0;
}

double sc_graph_executions(const sc_graph *graph, size_t run, uint32_t context)
{
  return sc_graph_value(graph, run, context, SC_METRIC_COUNT) * sc_location_weight(sc_graph_at(graph, context));
}

/* One pass from the last context to the first, as a parent's number is smaller than its children's. */
void sc_graph_inclusive_cost(const sc_graph *graph, size_t run, double *out)
{
  uint32_t count = graph->tree.contexts.count;
  for (uint32_t i = 0; i < count; i++)
    out[i] = sc_graph_value(graph, run, i, SC_METRIC_COST);
  for (uint32_t i = count; i-- > 1;) /* children before their parents */
    out[graph->tree.contexts.list[i].parent] += out[i];
}
