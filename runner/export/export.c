/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/export/export.h"
#include "base/compare.h"
#include "base/utf8.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runner/text/context.h"
#include "runner/text/format.h"
#include "transitions/model/elapsed.h"
#include "transitions/model/waiting.h"

static const double TOO_LARGE = 0x1p63; /* a total that whole numbers of 64 bits do not hold */

/* Values of every context, before the empty ones are left out. */
typedef struct values {
  sc_interval (*own)[SC_EXPORT_STORED]; /* [contexts] */
  double *entered;                      /* [contexts] executions of the context itself */
  double *work;                         /* [contexts] */
  bool *wanted;                         /* [contexts] */
} values;

/* The graph that has runs of this size: those made to check a prediction stand apart. */
static const sc_graph *measured_in(const sc_judge *judge, double n)
{
  const sc_graph *graphs[] = {judge->loaded.graph, judge->loaded.targets};
  for (size_t i = 0; i < 2 && !sc_analysis_moved(judge->loaded.analysis);
       i++) /* away from the base values all is predicted */
    for (size_t run = 0; graphs[i] && run < sc_graph_run_count(graphs[i]); run++)
      if (sc_graph_run_const(graphs[i], run)->n == n)
        return graphs[i];
  return NULL;
}

/* Mean over the runs of this size; of costs, over those that were sampled. */
static void measure_export(sc_export *out, const sc_graph *graph, uint32_t there, sc_interval *own)
{
  double sums[SC_EXPORT_STORED] = {0}, runs[SC_EXPORT_STORED] = {0};
  for (size_t run = 0; run < sc_graph_run_count(graph); run++) {
    const sc_run *info = sc_graph_run_const(graph, run);
    if (info->n != out->n)
      continue;
    runs[SC_EXPORT_EXECUTIONS]++;
    if (sc_location_is_counted(sc_graph_at(graph, there)))
      sums[SC_EXPORT_EXECUTIONS] += sc_graph_executions(graph, run, there);
    if (!out->has_cost || !info->cost_event[0])
      continue;
    runs[SC_EXPORT_COST]++;
    sums[SC_EXPORT_COST] += sc_graph_value(graph, run, there, SC_METRIC_COST);
  }
  for (size_t m = 0; m < SC_EXPORT_STORED; m++) {
    double mean = runs[m] > 0 ? sums[m] / runs[m] : 0;
    own[m] = (sc_interval){mean, mean, mean};
  }
  out->runs = (size_t)runs[SC_EXPORT_EXECUTIONS];
}

static void measure_all(sc_export *out, const sc_graph *graph, values *v)
{
  const sc_graph *judged = out->judge->loaded.graph;
  bool sampled = false;
  for (size_t run = 0; run < sc_graph_run_count(graph); run++)
    sampled |= sc_graph_run_const(graph, run)->n == out->n && sc_graph_run_const(graph, run)->cost_event[0];
  out->has_cost &= sampled;
  for (uint32_t c = 0; c < sc_graph_context_count(judged); c++) {
    uint32_t there = graph == judged ? c : sc_context_translate(judged, c, graph);
    const sc_location *at = sc_graph_at(judged, c);
    if (there == UINT32_MAX || !sc_analysis_in_scope(out->judge->loaded.analysis, c))
      continue;
    measure_export(out, graph, there, v->own[c]);
    if (at->kind == SC_LOCATION_WORK)
      v->work[c] = v->own[c][SC_EXPORT_EXECUTIONS].value / sc_location_weight(at);
  }
}

static int predict_all(sc_export *out, values *v)
{
  const sc_analysis *analysis = out->judge->loaded.analysis;
  for (uint32_t c = 0; c < sc_graph_context_count(out->judge->loaded.graph); c++) {
    if (!sc_analysis_in_scope(analysis, c))
      continue;
    sc_interval *executions = &v->own[c][SC_EXPORT_EXECUTIONS];
    const sc_location *at = sc_graph_at(out->judge->loaded.graph, c);
    double weight = sc_location_weight(at);
    SC_TRY(sc_analysis_count(analysis, c, out->n, executions)); /* 0 of what is not counted */
    v->work[c] = at->kind == SC_LOCATION_WORK ? executions->value : 0;
    *executions = (sc_interval){weight * executions->value, weight * executions->low, weight * executions->high};
    if (out->has_cost)
      SC_TRY(sc_analysis_cost(analysis, c, out->n, &v->own[c][SC_EXPORT_COST]));
  }
  return 0;
}

/* In place of costs: seconds in each of the graph's contexts, means over the runs of this size. */
static int measure_waiting(const sc_export *out, const sc_graph *graph, values *v)
{
  const sc_graph *judged = out->judge->loaded.graph;
  enum sc_wait_kind kind;
  double *seconds;
  SC_TRY(SC_NEW(seconds, sc_graph_context_count(graph) + 1));
  for (size_t run = 0; run < sc_graph_run_count(graph); run++) {
    size_t rows;
    const sc_usage *row = sc_usage_rows(graph, run, &rows);
    for (; rows && sc_graph_run_const(graph, run)->n == out->n; rows--, row++)
      if (sc_waiting_kind(graph, row, &kind))
        seconds[row->context] += row->values[SC_USAGE_WAIT_SECONDS] / (double)out->runs;
  }
  for (uint32_t c = 0; c < sc_graph_context_count(judged); c++) {
    uint32_t there = graph == judged ? c : sc_context_translate(judged, c, graph);
    double mean = there != UINT32_MAX ? seconds[there] : 0;
    if (sc_analysis_in_scope(out->judge->loaded.analysis, c))
      v->own[c][SC_EXPORT_COST] = (sc_interval){mean, mean, mean};
  }
  free(seconds);
  return 0;
}

static int predict_waiting(const sc_export *out, values *v)
{
  size_t count;
  const sc_waiting_place *places = sc_waiting_places(out->judge->loaded.analysis, &count);
  for (size_t i = 0; i < count; i++) {
    sc_interval at, *to = &v->own[places[i].context][SC_EXPORT_COST];
    SC_TRY(sc_waiting_predict(out->judge->loaded.analysis, &places[i], out->n, &at));
    *to = (sc_interval){to->value + at.value, to->low + at.low, to->high + at.high};
  }
  return 0;
}

static int take_export_waiting(sc_export *out, const sc_graph *measured, values *v)
{
  const sc_analysis *analysis = out->judge->loaded.analysis;
  if (!sc_analysis_elapsed_known(analysis) || sc_analysis_moved(analysis))
    return sc_err_hint(sc_err_set(SC_E_INPUT, "where the time is waited is not known"),
                       "it is measured with every run of `scale-run run`, at three or more sizes, and modelled at the "
                       "base values of further parameters");
  for (uint32_t c = 0; c < sc_graph_context_count(out->judge->loaded.graph); c++)
    v->own[c][SC_EXPORT_COST] = (sc_interval){0};
  out->waiting = out->has_cost = out->seconds = true;
  return measured ? measure_waiting(out, measured, v) : predict_waiting(out, v);
}

/* Frames of a library that are part of a call of it. Its work stays, for it has units of its own. */
static bool is_folded(const sc_graph *graph, uint32_t context)
{
  return sc_graph_at(graph, context)->kind != SC_LOCATION_WORK && sc_graph_folded(graph, context);
}

/* The nearest context above that is a frame. */
static uint32_t frame_above(const sc_graph *graph, uint32_t context)
{
  do
    context = sc_graph_parent(graph, context);
  while (context && is_folded(graph, context));
  return context;
}

/* What the library's own frames have is the user's call's. */
static void fold_export(const sc_graph *graph, values *v)
{
  uint32_t contexts = sc_graph_context_count(graph);
  for (uint32_t c = 0; c < contexts; c++)
    v->entered[c] = v->own[c][SC_EXPORT_EXECUTIONS].value;
  for (uint32_t c = 1; c < contexts; c++) {
    uint32_t above = is_folded(graph, c) ? frame_above(graph, c) : 0;
    for (size_t m = 0; above && m < SC_EXPORT_STORED; m++) {
      sc_interval *own = &v->own[c][m], *to = &v->own[above][m];
      *to = (sc_interval){to->value + own->value, to->low + own->low, to->high + own->high};
      *own = (sc_interval){0};
    }
  }
}

/* A context is wanted if it has something, and so is all that is above it. */
static uint32_t choose_export(const sc_graph *graph, values *v)
{
  uint32_t wanted = 0, contexts = sc_graph_context_count(graph);
  for (uint32_t c = contexts; c-- > 0;) {
    for (size_t m = 0; m < SC_EXPORT_STORED; m++)
      v->wanted[c] |= v->own[c][m].value > 0;
    if (v->wanted[c] && c && frame_above(graph, c))
      v->wanted[frame_above(graph, c)] = true;
    wanted += v->wanted[c];
  }
  return wanted;
}

static int too_large(const sc_export *out, double total, enum sc_export_metric metric)
{
  (void)sc_err_set(SC_E_INPUT, "at %s = %s there are %g %s, more than the format can hold", out->variable,
                   sc_format_number(out->n).s, total,
                   metric == SC_EXPORT_COST ? sc_export_metric_unit(out, metric) : sc_export_metric_name(out, metric));
  return sc_err_hint(SC_E_INPUT, "give a smaller size with --at");
}

static int add_nodes(sc_export *out, const values *v, uint32_t wanted)
{
  const sc_graph *graph = out->judge->loaded.graph;
  uint32_t contexts = sc_graph_context_count(graph);
  int err = SC_E_NOMEM;
  uint32_t *frame_of = sc_mem_new(contexts, sizeof *frame_of), *node_of = sc_mem_new(contexts, sizeof *node_of);
  out->nodes = sc_mem_new(wanted + 1, sizeof *out->nodes);
  if (!frame_of || !node_of || !out->nodes)
    goto out;
  SC_GOTO(sc_export_frames(graph, v->wanted, !sc_graph_is_unfolded(graph), &out->frames, &out->frame_count, frame_of));
  for (uint32_t c = 0; c < contexts; c++) {
    if (!v->wanted[c])
      continue;
    uint32_t parent = c ? frame_above(graph, c) : 0;
    node_of[c] = out->count;
    sc_export_node *node = &out->nodes[out->count++];
    *node = (sc_export_node){.context = c, .parent = parent ? node_of[parent] : SC_EXPORT_NONE, .frame = frame_of[c]};
    memcpy(node->own, v->own[c], sizeof node->own);
    node->work = v->work[c];
    node->entered = v->entered[c];
    for (size_t m = 0; m < SC_EXPORT_METRICS; m++)
      out->total[m] += sc_export_own(out, out->count - 1, (enum sc_export_metric)m);
  }
out:
  free(frame_of);
  free(node_of);
  return err;
}

/* SC_EXPORT_METRICS: a metric of another name. */
static enum sc_export_metric work_called(const sc_export *out, const char *metric)
{
  enum sc_export_metric m = SC_EXPORT_BYTES;
  while (m < SC_EXPORT_METRICS && strcmp(metric, sc_export_metric_name(out, m)) != 0)
    m++;
  return m;
}

static int no_costs(const sc_export *out)
{
  (void)sc_err_set(SC_E_INPUT, "%s has no costs at %s = %s", out->judge->study, out->variable,
                   sc_format_number(out->n).s);
  return sc_err_hint(SC_E_INPUT, "leave --metric out, which gives executions, or measure again without --event none");
}

static int no_work(const sc_export *out, const char *metric)
{
  bool consumed = work_called(out, metric) >= SC_EXPORT_MICROSECONDS; /* by processes */
  sc_buf there = {0};
  for (enum sc_export_metric m = SC_EXPORT_BYTES; m < SC_EXPORT_METRICS; m++)
    if (out->total[m] > 0)
      sc_buf_printf(&there, "%s--metric %s", there.length ? ", " : "", sc_export_metric_name(out, m));
  (void)sc_err_set(SC_E_INPUT, "%s has no work of %s in %s at %s = %s", out->judge->study,
                   consumed ? "processes" : "library functions", metric, out->variable, sc_format_number(out->n).s);
  if (there.length && sc_buf_finish(&there) == 0)
    (void)sc_err_hint(SC_E_INPUT, "it has %s", there.text);
  else
    (void)sc_err_hint(SC_E_INPUT,
                      consumed ? "`scale-run attach` records it" : "no library function that ran has its work counted");
  sc_buf_free(&there);
  return SC_E_INPUT;
}

static int choose_metric(sc_export *out, const char *metric)
{
  bool cost = metric && (strcmp(metric, "cost") == 0 || out->waiting);
  enum sc_export_metric work = metric ? work_called(out, metric) : SC_EXPORT_METRICS;
  out->first = out->has_cost && (!metric || cost) ? SC_EXPORT_COST : SC_EXPORT_EXECUTIONS;
  if (cost && !out->has_cost)
    return no_costs(out);
  if (work < SC_EXPORT_METRICS)
    out->first = work;
  out->has[SC_EXPORT_EXECUTIONS] = true;
  out->has[SC_EXPORT_COST] = out->has_cost;
  for (enum sc_export_metric m = SC_EXPORT_BYTES; m < SC_EXPORT_METRICS; m++)
    out->has[m] = m == out->first || (out->total[m] > 0 && out->total[m] < TOO_LARGE);
  return work < SC_EXPORT_METRICS && !(out->total[work] > 0) ? no_work(out, metric) : 0;
}

/* Means of the runs where there are some, else as predicted; 0: not known. */
static double elapsed_at(const sc_judge *judge, const sc_graph *measured, double n)
{
  double sum = 0, runs = 0;
  sc_interval predicted;
  for (size_t run = 0; measured && run < sc_graph_run_count(measured); run++)
    if (sc_graph_run_const(measured, run)->n == n) {
      sum += sc_graph_run_const(measured, run)->wall_seconds;
      runs++;
    }
  if (runs > 0)
    return sum / runs;
  bool known = sc_analysis_elapsed_known(judge->loaded.analysis) &&
               sc_analysis_elapsed(judge->loaded.analysis, n, &predicted) == 0;
  return known && isfinite(predicted.value) ? predicted.value : 0;
}

int sc_export_make(const sc_judge *judge, double n, const char *metric, sc_export *out)
{
  uint32_t contexts = sc_graph_context_count(judge->loaded.graph);
  const sc_graph *measured = measured_in(judge, n);
  int err = SC_E_NOMEM;
  values v = {.own = sc_mem_new(contexts, sizeof *v.own),
              .entered = sc_mem_new(contexts, sizeof *v.entered),
              .work = sc_mem_new(contexts, sizeof *v.work),
              .wanted = sc_mem_new(contexts, sizeof *v.wanted)};
  *out = (sc_export){.judge = judge, .n = n, .variable = judge->loaded.workload->parameter, .predicted = !measured};
  out->unit = sc_analysis_cost_unit(judge->loaded.analysis);
  out->has_cost = sc_analysis_has_costs(judge->loaded.analysis);
  out->seconds = strcmp(out->unit, "s") == 0;
  out->elapsed = elapsed_at(judge, measured, n);
  if (!v.own || !v.entered || !v.work || !v.wanted)
    goto out;
  if (measured)
    measure_all(out, measured, &v);
  else
    SC_GOTO(predict_all(out, &v));
  if (metric && strcmp(metric, "waiting") == 0)
    SC_GOTO(take_export_waiting(out, measured, &v));
  fold_export(judge->loaded.graph, &v);
  SC_GOTO(add_nodes(out, &v, choose_export(judge->loaded.graph, &v)));
  SC_GOTO(choose_metric(out, metric));
  for (size_t m = 0; m < SC_EXPORT_METRICS; m++)
    if (!isfinite(out->total[m])) {
      err = too_large(out, out->total[m], m);
      goto out;
    }
out:
  free(v.own);
  free(v.entered);
  free(v.work);
  free(v.wanted);
  return err;
}

void sc_export_free(sc_export *out)
{
  sc_export_frames_free(out->frames, out->frame_count);
  free(out->nodes);
  *out = (sc_export){0};
}

/* "bytes" */
static const char *unit_of_work_metric(enum sc_export_metric work)
{
  uint32_t unit = (uint32_t)(work - SC_EXPORT_BYTES) + SC_UNIT_BYTES;
  return sc_location_unit(&(sc_location){.kind = SC_LOCATION_WORK, .nth = unit});
}

const char *sc_export_metric_name(const sc_export *out, enum sc_export_metric metric)
{
  if (metric >= SC_EXPORT_BYTES)
    return unit_of_work_metric(metric);
  if (metric == SC_EXPORT_EXECUTIONS)
    return "executions";
  return out->waiting ? "waiting" : out->seconds ? "cpu" : out->unit;
}

const char *sc_export_metric_unit(const sc_export *out, enum sc_export_metric metric)
{
  if (metric >= SC_EXPORT_BYTES)
    return unit_of_work_metric(metric);
  return metric == SC_EXPORT_COST && out->seconds ? "nanoseconds" : "count";
}

double sc_export_own(const sc_export *out, uint32_t node, enum sc_export_metric metric)
{
  const sc_export_node *own = &out->nodes[node];
  if (metric < SC_EXPORT_STORED)
    return own->own[metric].value;
  uint32_t unit = (uint32_t)(metric - SC_EXPORT_BYTES) + SC_UNIT_BYTES;
  return out->frames[own->frame].at->nth == unit ? own->work : 0;
}

uint32_t sc_export_call_line(const sc_export *out, uint32_t node)
{
  const sc_graph *graph = out->judge->loaded.graph;
  const sc_location *at = sc_graph_at(graph, out->nodes[node].context);
  return at->kind == SC_LOCATION_WORK ? at->line : sc_graph_call_line(graph, out->nodes[node].context);
}

typedef struct leftover {
  double left;
  uint32_t node;
} leftover;

static int by_leftover(const void *a, const void *b)
{
  const leftover *x = a, *y = b;
  return SC_COMPARE(y->left, x->left) ?: SC_COMPARE(x->node, y->node);
}

/* Rounds down, and gives the units that are missing then to those that lost most. */
int sc_export_whole(const sc_export *out, enum sc_export_metric metric, int64_t *wholes)
{
  double scale = metric == SC_EXPORT_COST && out->seconds ? 1e9 : 1;
  long double sum = 0;
  int64_t floors = 0;
  uint32_t uneven = 0;
  if (out->total[metric] * scale >= TOO_LARGE)
    return too_large(out, out->total[metric] * scale, metric);
  leftover *leftovers;
  SC_TRY(SC_NEW(leftovers, out->count + 1));
  for (uint32_t i = 0; i < out->count; i++) {
    double value = sc_export_own(out, i, metric) * scale, whole = floor(value);
    sum += value;
    floors += wholes[i] = (int64_t)whole;
    if (value > whole)
      leftovers[uneven++] = (leftover){value - whole, i};
  }
  qsort(leftovers, uneven, sizeof *leftovers, by_leftover);
  int64_t missing = llroundl(sum) - floors;
  for (uint32_t i = 0; i < uneven && (int64_t)i < missing; i++)
    wholes[leftovers[i].node]++;
  free(leftovers);
  return 0;
}

void sc_export_title(const sc_export *out, sc_buf *title)
{
  double low, high;
  sc_analysis_range(out->judge->loaded.analysis, &low, &high);
  sc_buf place = {0};
  sc_judge_describe(out->judge, out->n, &place);
  sc_utf8_show(out->judge->study, title);
  sc_buf_puts(title, " at ");
  sc_utf8_show(sc_buf_finish(&place) == 0 ? place.text : "", title);
  title->failed |= place.failed;
  sc_buf_free(&place);
  sc_buf_puts(title, ", ");
  if (out->predicted)
    sc_buf_printf(title, "predicted from sizes %s to %s", sc_format_number(low).s, sc_format_number(high).s);
  else
    sc_buf_printf(title, "measured, mean of %s", sc_format_plural(out->runs, "run").s);
}
