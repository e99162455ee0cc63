/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What was measured of a quantity: the points of a plot. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "runner/quantity/quantity.h"
#include "runner/resources/compare.h"
#include "runner/several/several.h"
#include "runner/text/context.h"
#include "runner/text/tuning.h"
#include "transitions/model/waiting.h"

typedef struct list {
  sc_quantity_point *points;
  size_t count, capacity;
  size_t runs; /* of the last point */
} list;

static int add_measured_point(list *l, double n, double value, bool verified)
{
  sc_quantity_point *last = l->count ? &l->points[l->count - 1] : NULL;
  if (last && last->n == n && last->verified == verified) {
    l->runs++;
    last->value += (value - last->value) / (double)l->runs;
    last->low = fmin(last->low, value);
    last->high = fmax(last->high, value);
    return 0;
  }
  SC_TRY(sc_mem_grow(&l->points, &l->capacity, l->count + 1, sizeof *l->points));
  l->points[l->count++] = (sc_quantity_point){n, value, value, value, verified};
  l->runs = 1;
  return 0;
}

/* Seconds that calls in the contexts wait. */
static double run_waiting(const sc_quantity *q, const sc_graph *graph, size_t run, const uint32_t *contexts)
{
  size_t rows, all = sc_graph_context_count(graph);
  bool *within = sc_mem_new(all + 1, sizeof *within);
  enum sc_wait_kind kind;
  double sum = within ? 0 : NAN;
  for (size_t i = 0; within && i < q->context_count; i++) {
    uint32_t there = contexts ? contexts[i] : q->contexts[i];
    if (there < all)
      within[there] = true;
  }
  const sc_usage *row = sc_usage_rows(graph, run, &rows);
  for (; within && rows; rows--, row++)
    if ((q->whole || (row->context < all && within[row->context])) && sc_waiting_kind(graph, row, &kind))
      sum += row->values[SC_USAGE_WAIT_SECONDS];
  free(within);
  return sum;
}

/* Of a run, in the graph's contexts; NaN if the run did not measure it. */
static double run_value(const sc_quantity *q, const sc_graph *graph, size_t run, const uint32_t *contexts)
{
  const sc_analysis *analysis = q->judge->loaded.analysis;
  const sc_run *info = sc_graph_run_const(graph, run);
  const char *unit = sc_analysis_cost_unit(analysis);
  bool count = !q->costs || !sc_analysis_has_costs(analysis);
  double sum = 0;
  if (q->elapsed)
    return info->wall_seconds;
  if (q->waiting)
    return run_waiting(q, graph, run, contexts);
  if (!count && !info->cost_event[0])
    return NAN;
  if (q->whole && !count && strcmp(unit, "s") == 0 && (double)info->samples < SC_MEASURED_SAMPLES &&
      sc_run_processor(info) > 0 && !sc_analysis_get_options(analysis)->root_count)
    return sc_run_processor(info);
  size_t all = q->whole ? sc_graph_context_count(q->judge->loaded.graph) : q->context_count;
  for (size_t i = 0; i < all; i++) {
    uint32_t here = q->whole ? (uint32_t)i : q->contexts[i], there = contexts ? contexts[i] : here;
    if (there != UINT32_MAX && sc_analysis_in_scope(analysis, here))
      sum += count && !q->units ? sc_graph_executions(graph, run, there)
                                : sc_graph_value(graph, run, there, count ? SC_METRIC_COUNT : SC_METRIC_COST);
  }
  return sum;
}

/* Away from the base values: runs made there, if there are any. */
static int add_moved(const sc_quantity *q, list *l)
{
  const struct sc_several *several = q->judge->several;
  for (size_t i = 0; i < sc_several_run_count(several); i++) {
    size_t run;
    if (!sc_several_was_run(several, q->judge->others, i, &run))
      continue;
    double value = run_value(q, sc_several_graph(several), run, NULL);
    if (!isnan(value))
      SC_TRY(add_measured_point(l, sc_graph_run_const(sc_several_graph(several), run)->n, value, false));
  }
  return 0;
}

static int add_fitted(const sc_quantity *q, list *l)
{
  const sc_analysis *analysis = q->judge->loaded.analysis;
  for (size_t i = 0; i < sc_analysis_run_count(analysis); i++) {
    size_t run = sc_analysis_run(analysis, i);
    double value = run_value(q, q->judge->loaded.graph, run, NULL);
    if (!isnan(value))
      SC_TRY(add_measured_point(l, sc_graph_run_const(q->judge->loaded.graph, run)->n, value, false));
  }
  return 0;
}

/* Sizes that were run for real, beside the fitted ones. */
static int add_recorded_targets(const sc_quantity *q, list *l)
{
  const sc_graph *targets = q->judge->loaded.targets, *graph = q->judge->loaded.graph;
  size_t all = q->whole ? sc_graph_context_count(graph) : q->context_count;
  uint32_t *there = targets && sc_graph_run_count(targets) ? sc_mem_new(all, sizeof *there) : NULL;
  int err = 0;
  for (size_t i = 0; there && i < all; i++)
    there[i] = sc_context_translate(graph, q->whole ? (uint32_t)i : q->contexts[i], targets);
  for (size_t run = 0; there && run < sc_graph_run_count(targets); run++) {
    double value = run_value(q, targets, run, there);
    if (!isnan(value))
      SC_GOTO(add_measured_point(l, sc_graph_run_const(targets, run)->n, value, true));
  }
out:
  free(there);
  return err;
}

/* A sum over resources is known at a size only where each of them has a value; the first one's sizes stand for all. */
static int add_recorded_resources(const sc_quantity *q, list *l)
{
  const sc_graph *targets = q->judge->loaded.targets;
  const sc_resource_series *first = sc_resources_series_at(q->judge->resources, &q->resources[0], q->resource_metric);
  for (size_t i = 0; i < first->count && sc_resources_measured(q->judge->resources); i++) {
    double sum = first->values[i];
    for (size_t r = 1; r < q->resource_count; r++) {
      const sc_resource_series *other =
          sc_resources_series_at(q->judge->resources, &q->resources[r], q->resource_metric);
      sum += other->count == first->count ? other->values[i] : NAN;
    }
    if (isfinite(sum))
      SC_TRY(add_measured_point(l, first->sizes[i], sum, false));
  }
  for (size_t run = 0; targets && run < sc_graph_run_count(targets); run++) {
    double n = sc_graph_run_const(targets, run)->n, value = 0, sum = 0;
    bool known = true;
    for (size_t r = 0; r < q->resource_count; r++, sum += value)
      known = known && q->resources[r].context == SC_USAGE_NONE && /* of everything that is done to it alone */
              sc_resource_actual(q->judge, q->resources[r].resource, q->resource_metric, n, &value);
    if (known && !(l->count && l->points[l->count - 1].verified && l->points[l->count - 1].n == n))
      SC_TRY(add_measured_point(l, n, sum, true));
  }
  return 0;
}

static int compare_recorded_points(const void *a, const void *b)
{
  const sc_quantity_point *x = a, *y = b;
  return SC_COMPARE(x->n, y->n);
}

int sc_quantity_measured(const sc_quantity *quantity, sc_quantity_point **points, size_t *count)
{
  list l = {0};
  int err;
  if (quantity->portion && sc_analysis_moved(quantity->judge->loaded.analysis)) {
    SC_GOTO(add_moved(quantity, &l));
    if (l.count)
      qsort(l.points, l.count, sizeof *l.points, compare_recorded_points);
  } else if (quantity->portion) {
    SC_GOTO(add_fitted(quantity, &l));
    err = add_recorded_targets(quantity, &l);
  } else {
    err = add_recorded_resources(quantity, &l);
  }
out:
  if (err < 0) {
    free(l.points);
    l = (list){0};
  }
  *points = l.points;
  *count = l.count;
  return err;
}
