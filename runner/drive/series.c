/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What sizes are chosen by. A program has thousands of contexts but few different shapes: contexts whose
 * counts are equal at every size are one series, so that a block of code counts once however many contexts it has, and
 * constants other than one do not drown the error of what grows. Of more than SERIES_LIMIT the largest are taken.
 * Only sizes handed out so far are looked at, so that a resumed study decides as it did the first time.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "runner/drive/internal.h"

enum { SERIES_LIMIT = 1000 };

typedef struct vector {
  const double *values; /* [size_count] */
  size_t size_count;
  double weight, largest; /* of its counts in executions; of the executions */
  uint32_t context;
} vector;

int sc_drive_series_add_size(sc_drive_series *series, double n)
{
  for (size_t i = 0; i < series->size_count; i++)
    if (series->sizes[i] == n)
      return 0;
  SC_TRY(sc_mem_grow(&series->sizes, &series->size_capacity, series->size_count + 1, sizeof *series->sizes));
  series->sizes[series->size_count++] = n;
  return 0;
}

static bool ran(const sc_graph *graph, const char *function)
{
  for (uint32_t c = 0; c < sc_graph_context_count(graph); c++)
    if (sc_location_is_called(sc_graph_at(graph, c), function))
      return true;
  return false;
}

void sc_drive_check_names(sc_drive *drive)
{
  const sc_workload *workload = drive->workload;
  char text[300];
  for (size_t r = 0; r < workload->root_count; r++) {
    if (ran(drive->graph, workload->roots[r]))
      continue;
    snprintf(text, sizeof text, "no function named %.200s ran, but <roots> restricts the study to it",
             workload->roots[r]);
    sc_drive_warn(drive, text, "Ctrl-C and correct <roots>, if it is misspelt: it need not be measured again for that");
  }
  for (size_t t = 0; t < workload->task_count; t++) {
    if (ran(drive->graph, workload->tasks[t]))
      continue;
    snprintf(text, sizeof text, "no function named %.200s ran, which is to be a task", workload->tasks[t]);
    sc_drive_warn(
        drive, text,
        "correct <task> or --task, if it is misspelt; `scale-run report --task NAME` needs no measuring again");
  }
}

/* Marks the contexts at and below the roots; a parent's number is smaller than its children's. */
static void mark_scope(const sc_drive *drive, unsigned char *scope)
{
  const sc_workload *workload = drive->workload;
  uint32_t count = sc_graph_context_count(drive->graph);
  for (uint32_t c = 0; c < count; c++) {
    scope[c] = workload->root_count == 0 || (c && scope[sc_graph_parent(drive->graph, c)]);
    for (size_t r = 0; !scope[c] && r < workload->root_count; r++)
      scope[c] = sc_location_is_called(sc_graph_at(drive->graph, c), workload->roots[r]);
  }
}

/* Index of every run's size among those handed out, or size_count. */
static size_t *index_runs(const sc_drive *drive)
{
  const sc_drive_series *series = &drive->series;
  size_t *indices = sc_mem_new(sc_graph_run_count(drive->graph), sizeof *indices);
  for (size_t r = 0; indices && r < sc_graph_run_count(drive->graph); r++) {
    const sc_run *run = sc_graph_run_const(drive->graph, r);
    while (indices[r] < series->size_count && (run->role == SC_RUN_TARGET || run->n != series->sizes[indices[r]]))
      indices[r]++;
  }
  return indices;
}

/* Mean over the repeats of every size; false if all are 0. `runs` is room for [size_count]. */
static bool fill(const sc_drive *drive, const size_t *indices, uint32_t context, double *values, unsigned *runs)
{
  size_t sizes = drive->series.size_count;
  bool any = false;
  for (size_t s = 0; s < sizes; s++)
    values[s] = runs[s] = 0;
  for (size_t r = 0; r < sc_graph_run_count(drive->graph); r++) {
    if (indices[r] >= sizes)
      continue;
    values[indices[r]] += sc_graph_value(drive->graph, r, context, SC_METRIC_COUNT);
    runs[indices[r]]++;
  }
  for (size_t s = 0; s < sizes; s++) {
    values[s] = runs[s] ? values[s] / runs[s] : 0;
    any |= values[s] != 0;
  }
  return any;
}

static int compare_vectors(const void *a, const void *b)
{
  const vector *x = a, *y = b;
  if (x->largest != y->largest)
    return x->largest < y->largest ? 1 : -1;
  return memcmp(x->values, y->values, x->size_count * sizeof *x->values);
}

/* Rows of all counted contexts in scope; their number. */
static size_t collect(const sc_drive *drive, const unsigned char *scope, const size_t *indices, double *values,
                      unsigned *runs, vector *vectors)
{
  size_t found = 0, sizes = drive->series.size_count;
  for (uint32_t c = 1; c < sc_graph_context_count(drive->graph); c++) {
    double *row = values + found * sizes;
    if (!scope[c] || !sc_location_is_counted(sc_graph_at(drive->graph, c)) || !fill(drive, indices, c, row, runs))
      continue;
    double weight = sc_location_weight(sc_graph_at(drive->graph, c));
    vectors[found] = (vector){.values = row, .size_count = sizes, .weight = weight, .context = c};
    for (size_t s = 0; s < sizes; s++)
      vectors[found].largest = fmax(vectors[found].largest, weight * row[s]);
    found++;
  }
  return found;
}

static int make_room(sc_drive_series *series, size_t count)
{
  free(series->values);
  free(series->contexts);
  free(series->members);
  series->count = 0;
  series->values = sc_mem_new(count * series->size_count + 1, sizeof *series->values);
  series->contexts = sc_mem_new(count + 1, sizeof *series->contexts);
  series->members = sc_mem_new(count + 1, sizeof *series->members);
  return series->values && series->contexts && series->members ? 0 : SC_E_NOMEM;
}

static int keep_distinct(sc_drive_series *series, vector *vectors, size_t found)
{
  size_t sizes = series->size_count;
  if (found)
    qsort(vectors, found, sizeof *vectors, compare_vectors);
  SC_TRY(make_room(series, found < SERIES_LIMIT ? found : SERIES_LIMIT));
  for (size_t i = 0; i < found; i++) {
    if (i && compare_vectors(&vectors[i - 1], &vectors[i]) == 0) {
      series->members[series->count - 1] += vectors[i].weight;
      continue;
    }
    if (series->count == SERIES_LIMIT)
      break;
    series->contexts[series->count] = vectors[i].context;
    series->members[series->count] = vectors[i].weight;
    memcpy(series->values + series->count++ * sizes, vectors[i].values, sizes * sizeof *series->values);
  }
  return 0;
}

static int build(sc_drive *drive)
{
  size_t contexts = sc_graph_context_count(drive->graph), sizes = drive->series.size_count;
  unsigned char *scope = sc_mem_new(contexts, 1);
  double *values = sc_mem_new(contexts * (sizes + 1), sizeof *values);
  unsigned *runs = sc_mem_new(sizes, sizeof *runs);
  size_t *indices = index_runs(drive);
  vector *vectors = sc_mem_new(contexts, sizeof *vectors);
  int err = scope && values && runs && indices && vectors ? 0 : SC_E_NOMEM;
  if (err == 0) {
    mark_scope(drive, scope);
    err = keep_distinct(&drive->series, vectors, collect(drive, scope, indices, values, runs, vectors));
  }
  free(scope);
  free(values);
  free(runs);
  free(indices);
  free(vectors);
  return err;
}

void sc_drive_series_refresh(sc_drive *drive)
{
  if (!drive->series.stale)
    return;
  drive->series.stale = false;
  drive->series.error = build(drive);
  if (drive->series.error < 0)
    drive->series.count = 0;
}

double sc_drive_series_value(const sc_drive_series *series, size_t index, double n)
{
  for (size_t s = 0; s < series->size_count; s++)
    if (series->sizes[s] == n)
      return series->values[index * series->size_count + s];
  return 0;
}

void sc_drive_series_free(sc_drive_series *series)
{
  free(series->sizes);
  free(series->values);
  free(series->contexts);
  free(series->members);
  *series = (sc_drive_series){0};
}
