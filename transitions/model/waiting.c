/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "transitions/model/waiting.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/compare.h"
#include "transitions/model/data.h"
#include "transitions/model/elapsed_run.h"
#include "transitions/model/seconds.h"
#include "transitions/model/tuning.h"

/* A place while it is gathered. */
typedef struct gathered {
  sc_waiting_place place;
  double *seconds; /* [run_count] */
} gathered;

typedef struct gathering {
  gathered *list;
  size_t count, capacity;
} gathering;

bool sc_waiting_kind(const sc_graph *graph, const sc_usage *row, enum sc_wait_kind *kind)
{
  if (!(row->values[SC_USAGE_WAIT_SECONDS] > 0) || !isfinite(row->values[SC_USAGE_WAIT_SECONDS]))
    return false;
  switch (sc_usage_resource_at(graph, row->resource)->resource_class) {
  case SC_RESOURCE_SLEEP:
    *kind = SC_WAIT_SLEEP;
    return true;
  case SC_RESOURCE_IO:
    *kind = SC_WAIT_IO;
    return true;
  case SC_RESOURCE_PROCESS:
    *kind = SC_WAIT_PROCESS;
    return true;
  case SC_RESOURCE_OTHER:
    *kind = SC_WAIT_OTHER;
    return true;
  case SC_RESOURCE_THREAD:
    return false;
  default:
    *kind = SC_WAIT_LOCK;
    return true;
  }
}

static gathered *find_gathered(gathering *g, const sc_usage *row, enum sc_wait_kind kind)
{
  for (size_t i = 0; i < g->count; i++) {
    const sc_waiting_place *p = &g->list[i].place;
    if (p->context == row->context && p->line == row->line && p->kind == kind && strcmp(p->via, row->via) == 0)
      return &g->list[i];
  }
  return NULL;
}

/* Where the user's code calls. */
static void set_spot(const sc_graph *graph, const sc_usage *row, sc_waiting_place *place)
{
  uint32_t through;
  (void)sc_graph_written(graph, row->context, &through);
  sc_location spot = sc_graph_spot(graph, row->context);
  place->spot_line = through ? spot.line : row->line;
  place->spot_column = through ? spot.column : row->column;
}

/* By place and kind, not by resource: a call that waits for one of a thousand locks is one place to the reader, and a
 * thousand series of a few waits each would have no model. */
static int gather_row(const sc_analysis *a, gathering *g, const sc_usage *row, size_t position)
{
  enum sc_wait_kind kind;
  if (!sc_waiting_kind(a->graph, row, &kind) || row->context >= a->contexts)
    return 0;
  gathered *to = find_gathered(g, row, kind);
  if (!to) {
    SC_TRY(sc_mem_grow(&g->list, &g->capacity, g->count + 1, sizeof *g->list));
    to = &g->list[g->count];
    enum sc_resource_class is = sc_usage_resource_at(a->graph, row->resource)->resource_class;
    *to = (gathered){.place = {.context = row->context,
                               .line = row->line,
                               .via = row->via,
                               .kind = kind,
                               .blocks = sc_resource_class_blocks(is)}};
    set_spot(a->graph, row, &to->place);
    SC_TRY(SC_NEW(to->seconds, a->run_count));
    g->count++;
  }
  to->seconds[position] += row->values[SC_USAGE_WAIT_SECONDS];
  if (a->sizes[position] == a->sizes[a->run_count - 1])
    to->place.waits += row->values[SC_USAGE_WAITS];
  return 0;
}

/* Runs ascend by size: those at the largest come last, and what was measured is their mean. */
static int gather_waits(const sc_analysis *a, gathering *g)
{
  size_t rows, largest = 0;
  for (size_t i = 0; i < a->run_count; i++) {
    const sc_usage *row = sc_usage_rows(a->graph, a->runs[i], &rows);
    for (; rows; rows--, row++)
      SC_TRY(gather_row(a, g, row, i));
    largest += a->sizes[i] == a->sizes[a->run_count - 1];
  }
  for (size_t k = 0; k < g->count; k++) {
    for (size_t i = a->run_count - largest; i < a->run_count; i++)
      g->list[k].place.measured += g->list[k].seconds[i] / (double)largest;
    g->list[k].place.waits /= (double)largest;
  }
  return 0;
}

static int compare_waiting_places(const void *left, const void *right)
{
  const sc_waiting_place *x = &((const gathered *)left)->place, *y = &((const gathered *)right)->place;
  return SC_COMPARE(y->measured, x->measured) ?: SC_COMPARE(x->context, y->context) ?: SC_COMPARE(x->line, y->line) ?:
         strcmp(x->via, y->via);
}

/* A call goes on until its thread has a processor again, which is what else runs on the machine. With one thread
 * nothing waits longer than the run does without that. */
static void take_out_ready(const sc_analysis *a, double *seconds)
{
  if (a->elapsed.threads > 1)
    return;
  for (size_t i = 0; i < a->run_count; i++)
    seconds[i] = fmin(seconds[i], sc_elapsed_of_run(sc_graph_run_const(a->graph, a->runs[i])).waiting);
}

/* Whether the count of their place explains the seconds: then noise is no reason to look for anything else. */
static bool goes_with_own(const sc_analysis *a, const double *seconds, uint32_t own)
{
  double low, high;
  if (own == SC_NONE)
    return false;
  sc_seconds_line line = sc_seconds_best_line(a, seconds, own, &low, &high);
  return line.model == own && line.misfit <= SC_SECONDS_EXPLAINED * SC_SECONDS_EXPLAINED;
}

static int load_place(sc_analysis *a, gathered *from, double all, sc_waiting_place *place)
{
  bool counted =
      place->context < a->contexts && a->series[place->context] != SC_NONE && sc_analysis_known(a, place->context);
  uint32_t own = counted ? a->series[place->context] : SC_NONE;
  if (!goes_with_own(a, from->seconds, own))
    take_out_ready(a, from->seconds);
  return sc_seconds_load(a, from->seconds, own, place->measured < SC_WAITING_SEARCHED * all, &place->blend);
}

/* Runs with other numbers of threads tell nothing: more of them may wait at a time at other sizes. */
static void load_together(sc_analysis *a, const gathering *g)
{
  struct sc_elapsed *e = &a->elapsed;
  double least = INFINITY;
  for (size_t i = 0; i < a->run_count; i++) {
    const sc_run *run = sc_graph_run_const(a->graph, a->runs[i]);
    double seconds = 0, waiting = sc_elapsed_of_run(run).waiting;
    e->threads = fmax(e->threads, (double)run->threads);
    least = fmin(least, (double)run->threads);
    for (size_t k = 0; k < g->count; k++)
      seconds += g->list[k].place.blocks ? g->list[k].seconds[i] : 0;
    if (seconds > 0)
      e->together = fmax(e->together, waiting > 0 ? fmax(1, seconds / waiting) : INFINITY);
  }
  if (least < e->threads || least < 1 || !isfinite(e->together))
    e->together = 0;
}

/* The longest wait first, and ties by place: what is printed must not depend on the order in which profiles were
 * read. */
int sc_waiting_load(sc_analysis *a)
{
  int err;
  gathering g = {0};
  double all = 0;
  SC_GOTO(gather_waits(a, &g));
  if (!g.count)
    goto out;
  qsort(g.list, g.count, sizeof *g.list, compare_waiting_places);
  for (size_t i = 0; i < g.count; i++)
    all += g.list[i].place.measured;
  a->elapsed.places = sc_mem_new(g.count, sizeof *a->elapsed.places);
  if (!a->elapsed.places) {
    err = SC_E_NOMEM;
    goto out;
  }
  load_together(a, &g);
  for (size_t i = 0; i < g.count; i++) {
    sc_waiting_place *place = &a->elapsed.places[a->elapsed.place_count++];
    *place = g.list[i].place;
    SC_GOTO(load_place(a, &g.list[i], all, place));
  }
out:
  for (size_t i = 0; i < g.count; i++)
    free(g.list[i].seconds);
  free(g.list);
  return err;
}

void sc_waiting_free(sc_analysis *a)
{
  for (size_t i = 0; i < a->elapsed.place_count; i++)
    sc_blend_free(&a->elapsed.places[i].blend);
  free(a->elapsed.places);
}

const sc_waiting_place *sc_waiting_places(const sc_analysis *analysis, size_t *count)
{
  *count = analysis->elapsed.known ? analysis->elapsed.place_count : 0;
  return analysis->elapsed.places;
}

int sc_waiting_predict(const sc_analysis *analysis, const sc_waiting_place *place, double n, sc_interval *out)
{
  if (!isfinite(n) || n <= 0)
    return sc_err_set(SC_E_INPUT, "the size to predict is %g, not a positive number", n);
  return sc_blend_predict(&place->blend, analysis->models, n, analysis->options.level, out);
}

int sc_waiting_least(const sc_analysis *a, double n, sc_interval *out)
{
  *out = (sc_interval){0};
  for (size_t i = 0; i < a->elapsed.place_count && a->elapsed.together > 0; i++) {
    sc_interval at;
    if (!a->elapsed.places[i].blocks)
      continue;
    SC_TRY(sc_waiting_predict(a, &a->elapsed.places[i], n, &at));
    out->value += at.value / a->elapsed.together;
    out->low += at.low / a->elapsed.together;
    out->high += at.high;
  }
  return 0;
}

const sc_model *sc_waiting_model(const sc_analysis *analysis, const sc_waiting_place *place, double n)
{
  const sc_model *most = &analysis->models[SC_SERIES_ONE];
  double largest = 0;
  for (size_t i = 0; i < place->blend.count; i++) {
    const sc_blend_part *part = &place->blend.parts[i];
    double value = part->value * sc_model_value(&analysis->models[part->model], n);
    if (value <= largest)
      continue;
    largest = value;
    most = &analysis->models[part->model];
  }
  return most;
}

bool sc_waiting_overlaps(const sc_analysis *analysis) { return analysis->elapsed.threads > 1; }
