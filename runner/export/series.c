/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The measurements themselves, for Extra-P and `scale-run fit`: own executions and costs of each context. */
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "runner/baseline/baseline.h"
#include "runner/export/export.h"
#include "runner/fit/emit.h"
#include "transitions/model/waiting.h"

/* A run, and the values of all parameters in it. */
typedef struct placed_run {
  double at[1 + SC_RUN_OTHERS];
  size_t run;
} placed_run;

typedef struct series {
  const sc_judge *judge;
  const sc_analysis *analysis;
  sc_export_frame *frames;
  uint32_t frame_count, *frame_of;
  const char *unit; /* of costs */
  sc_store_set set;
  sc_buf path, unit_name, out;
  sc_graph *varied;      /* all runs, where further parameters varied: contexts have the judge's numbers; else NULL */
  const sc_graph *graph; /* of the runs */
  placed_run *runs;      /* [run_count] those at the same place stand one behind the other */
  size_t run_count;
  double *at, *y;
  size_t *repeats;
  bool *waits; /* [contexts] some call in it waits */
} series;

/* "->" separates the steps of a path; operators of that name must not. */
static void add_series_step(sc_buf *path, const char *name)
{
  if (path->length)
    sc_buf_puts(path, "->");
  for (; *name; name++)
    sc_buf_puts(path, strncmp(name, "->", 2) == 0 ? "- " : (char[]){*name, '\0'});
}

static int make_path(series *s, uint32_t context, uint32_t **steps, size_t *capacity)
{
  size_t depth = 0;
  for (uint32_t c = context; c; c = sc_graph_parent(s->judge->loaded.graph, c)) {
    SC_TRY(sc_mem_grow(steps, capacity, depth + 1, sizeof **steps));
    (*steps)[depth++] = s->frame_of[c];
  }
  s->path.length = 0;
  while (depth-- > 0)
    add_series_step(&s->path, s->frames[(*steps)[depth]].name);
  return sc_buf_finish(&s->path);
}

/* Fills in the values of the runs; false if all are 0. */
static bool take_series(series *s, uint32_t context, enum sc_metric metric, sc_store_series *out)
{
  size_t width = s->set.count;
  const double *last = NULL;
  bool any = false;
  out->observations = out->points = 0;
  for (size_t i = 0; i < s->run_count; i++) {
    const placed_run *placed = &s->runs[i];
    if (metric == SC_METRIC_COST && !sc_graph_run_const(s->graph, placed->run)->cost_event[0])
      continue;
    if (!last || memcmp(last, placed->at, width * sizeof *last) != 0)
      s->repeats[out->points++] = 0;
    s->repeats[out->points - 1]++;
    memcpy(s->at + out->observations * width, placed->at, width * sizeof *placed->at);
    last = placed->at;
    s->y[out->observations] = sc_graph_value(s->graph, placed->run, context, metric);
    any |= s->y[out->observations++] != 0;
  }
  return any;
}

/* Of work its unit: "bytes". */
static sc_view counts_of(const sc_location *at)
{
  const char *unit = sc_location_unit(at);
  return at->kind == SC_LOCATION_WORK ? (sc_view){unit, strlen(unit)} : SC_VIEW("executions");
}

static void write_series_metric(series *s, uint32_t context, enum sc_metric metric)
{
  bool seconds = strcmp(s->unit, "s") == 0, cost = metric == SC_METRIC_COST;
  sc_store_series one = {.callpath = {s->path.text, s->path.length},
                         .metric = counts_of(sc_graph_at(s->judge->loaded.graph, context)),
                         .unit = cost && seconds ? SC_VIEW("s") : SC_VIEW(""),
                         .set = &s->set,
                         .at = s->at,
                         .y = s->y,
                         .repeats = s->repeats};
  if (cost)
    one.metric = seconds ? SC_VIEW("time") : (sc_view){s->unit_name.text, s->unit_name.length};
  if (take_series(s, context, metric, &one))
    sc_emit_points(&s->out, &one);
}

/* Seconds that calls in the context wait, in each run. */
static void write_waiting(series *s, uint32_t context)
{
  sc_store_series one = {.callpath = {s->path.text, s->path.length},
                         .metric = SC_VIEW("waiting"),
                         .unit = SC_VIEW("s"),
                         .set = &s->set,
                         .at = s->at,
                         .y = s->y,
                         .repeats = s->repeats};
  enum sc_wait_kind kind;
  if (!s->waits[context])
    return;
  (void)take_series(s, context, SC_METRIC_COUNT, &one);
  for (size_t i = 0; i < s->run_count; i++) {
    size_t rows;
    const sc_usage *row = sc_usage_rows(s->graph, s->runs[i].run, &rows);
    s->y[i] = 0;
    for (; rows; rows--, row++)
      if (row->context == context && sc_waiting_kind(s->graph, row, &kind))
        s->y[i] += row->values[SC_USAGE_WAIT_SECONDS];
  }
  sc_emit_points(&s->out, &one);
}

static int write_series_context(series *s, FILE *stream, uint32_t context)
{
  if (sc_location_is_counted(sc_graph_at(s->judge->loaded.graph, context)))
    write_series_metric(s, context, SC_METRIC_COUNT);
  if (sc_analysis_has_costs(s->analysis))
    write_series_metric(s, context, SC_METRIC_COST);
  write_waiting(s, context);
  SC_TRY(sc_buf_finish(&s->out));
  (void)fwrite(s->out.text, 1, s->out.length, stream);
  s->out.length = 0;
  return 0;
}

static int compare_placed(const void *a, const void *b)
{
  const placed_run *x = a, *y = b;
  for (size_t i = 0; i <= SC_RUN_OTHERS; i++)
    if (x->at[i] != y->at[i])
      return x->at[i] < y->at[i] ? -1 : 1;
  return x->run < y->run ? -1 : x->run > y->run;
}

static void series_place(series *s, size_t run)
{
  const sc_run *info = sc_graph_run_const(s->graph, run);
  placed_run *placed = &s->runs[s->run_count++];
  *placed = (placed_run){.at = {info->n}, .run = run};
  for (size_t i = 1; i < s->set.count; i++)
    placed->at[i] = info->others[i - 1];
}

/* A baseline has the runs at the base values alone, and these are no parameters then. */
static int load_varied(series *s)
{
  const sc_workload *workload = s->judge->loaded.workload;
  sc_study *study = NULL;
  if (!workload->other_count || sc_baseline_is(s->judge->study))
    return 0;
  for (size_t i = 0; i < workload->other_count; i++)
    s->set.names[s->set.count++] = workload->others[i].name;
  SC_TRY(sc_graph_new(&s->varied));
  int err = sc_study_open(s->judge->study, SC_STUDY_READ, &study);
  err = err
            ?: sc_study_load_roles(study, 1u << SC_RUN_TRAINING | 1u << SC_RUN_VALIDATION | 1u << SC_RUN_VARIED,
                                   s->varied);
  sc_study_close(study);
  if (err == 0 && sc_graph_context_count(s->varied) != sc_graph_context_count(s->judge->loaded.graph))
    err = sc_err_set(SC_E_DAMAGED, "%s was changed while it was read", s->judge->study);
  return err;
}

static int choose_runs(series *s)
{
  SC_TRY(load_varied(s));
  s->graph = s->varied ? s->varied : s->judge->loaded.graph;
  size_t runs = s->varied ? sc_graph_run_count(s->varied) : sc_analysis_run_count(s->analysis);
  SC_TRY(SC_NEW(s->runs, runs + 1));
  for (size_t i = 0; i < runs; i++)
    series_place(s, s->varied ? i : sc_analysis_run(s->analysis, i));
  qsort(s->runs, s->run_count, sizeof *s->runs, compare_placed);
  return 0;
}

/* Which contexts have calls that wait. */
static void note_waits(series *s)
{
  uint32_t contexts = sc_graph_context_count(s->judge->loaded.graph);
  enum sc_wait_kind kind;
  for (size_t i = 0; i < s->run_count; i++) {
    size_t rows;
    const sc_usage *row = sc_usage_rows(s->graph, s->runs[i].run, &rows);
    for (; rows; rows--, row++)
      if (row->context < contexts && sc_waiting_kind(s->graph, row, &kind))
        s->waits[row->context] = true;
  }
}

static int prepare_series(series *s)
{
  uint32_t contexts = sc_graph_context_count(s->judge->loaded.graph);
  s->unit = sc_analysis_cost_unit(s->analysis);
  s->set.names[s->set.count++] = s->judge->loaded.workload->parameter;
  SC_TRY(choose_runs(s));
  s->frame_of = sc_mem_new(contexts, sizeof *s->frame_of);
  s->at = sc_mem_new((s->run_count + 1) * s->set.count, sizeof *s->at);
  s->y = sc_mem_new(s->run_count + 1, sizeof *s->y);
  s->repeats = sc_mem_new(s->run_count + 1, sizeof *s->repeats);
  if (!s->frame_of || !s->at || !s->y || !s->repeats)
    return SC_E_NOMEM;
  SC_TRY(SC_NEW(s->waits, contexts));
  note_waits(s);
  sc_utf8_show(s->unit, &s->unit_name);
  SC_TRY(sc_buf_finish(&s->unit_name));
  return sc_export_frames(s->judge->loaded.graph, NULL, false, &s->frames, &s->frame_count, s->frame_of);
}

int sc_export_series(FILE *stream, const sc_judge *judge)
{
  series s = {.judge = judge, .analysis = judge->loaded.analysis};
  uint32_t *steps = NULL;
  size_t capacity = 0;
  int err;
  SC_GOTO(prepare_series(&s));
  for (uint32_t c = 1; c < sc_graph_context_count(judge->loaded.graph); c++) {
    if (!sc_analysis_in_scope(s.analysis, c))
      continue;
    SC_GOTO(make_path(&s, c, &steps, &capacity));
    SC_GOTO(write_series_context(&s, stream, c));
  }
out:
  if (s.frames)
    sc_export_frames_free(s.frames, s.frame_count);
  free(s.frame_of);
  free(s.at);
  free(s.y);
  free(s.repeats);
  free(s.runs);
  free(s.waits);
  sc_graph_free(s.varied);
  free(steps);
  sc_buf_free(&s.path);
  sc_buf_free(&s.unit_name);
  sc_buf_free(&s.out);
  return err;
}
