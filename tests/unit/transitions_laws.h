/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
/* What holds of any analysis, findings and resources, whatever the program is: the scenes' programs are held against it
 * when they end, beside what their tests expect of them. */
#include <math.h>
#include <stdlib.h>

#include "transitions/findings/coverage.h"
#include "transitions/model/data.h"
#include "transitions/resources/resources.h"
#include "transitions/suppose/portion.h"
#include "unit.h"

static const double law_sizes[] = {1, 1.7, 8, 100}; /* times the largest size measured */

static inline void law_interval(const char *what, double n, const sc_interval *i)
{
  if (!(i->low <= i->value && i->value <= i->high && i->low >= 0))
    fail_msg("%s at %g is %g (%g to %g)", what, n, i->value, i->low, i->high);
}

static inline void law_share(const char *what, double share)
{
  if (!(share >= 0 && share <= 1 + 1e-9))
    fail_msg("%s has the share %g", what, share);
}

/* ---- counts and costs ---- */

/* Exact models go through what was counted. */
static inline void law_series(const sc_analysis *a, uint32_t context)
{
  const sc_graph *graph = sc_analysis_graph(a);
  const sc_model *model = sc_analysis_model(a, context);
  for (size_t i = 0; i < sc_analysis_run_count(a); i++) {
    double n = sc_analysis_size(a, i), count = sc_graph_value(graph, sc_analysis_run(a, i), context, SC_METRIC_COUNT);
    if (model->exact && model->verdict == SC_VERDICT_MODEL && n >= model->n_min &&
        fabs(sc_model_value(model, n) - count) > 1e-6 * fmax(1, count))
      fail_msg("%s is exactly %g at %g, where %g were counted", sc_graph_at(graph, context)->name,
               sc_model_value(model, n), n, count);
  }
}

static inline void law_predictions(const sc_analysis *a, double n)
{
  const sc_graph *graph = sc_analysis_graph(a);
  sc_interval i;
  for (uint32_t c = 0; c < sc_graph_context_count(graph); c++) {
    if (!sc_analysis_in_scope(a, c))
      continue;
    unit_ok(sc_analysis_count(a, c, n, &i));
    law_interval(sc_graph_at(graph, c)->name, n, &i);
    unit_ok(sc_analysis_cost(a, c, n, &i));
    law_interval(sc_graph_at(graph, c)->name, n, &i);
  }
  unit_ok(sc_analysis_total(a, n, &i));
  law_interval("the total", n, &i);
  unit_ok(sc_analysis_total_executions(a, n, &i));
  law_interval("all executions", n, &i);
  assert_true(sc_analysis_dearer(a, n) >= 1);
}

/* What is predicted of all is the total, and of some what each of them costs. */
static inline void law_portions(const sc_analysis *a, double n)
{
  uint32_t count = sc_graph_context_count(sc_analysis_graph(a)), *half = calloc(count, sizeof *half);
  sc_portion *portion;
  sc_interval all, total, one;
  assert_non_null(half);
  for (int metric = SC_PORTION_COST; metric <= SC_PORTION_COUNT; metric++) {
    unit_ok(sc_portion_new(a, NULL, 0, (enum sc_portion_metric)metric, NULL, &portion));
    unit_ok(sc_portion_predict(portion, n, &all));
    unit_ok((metric == SC_PORTION_COST ? sc_analysis_total : sc_analysis_total_executions)(a, n, &total));
    sc_portion_free(portion);
    law_interval("a portion", n, &all);
    if (isfinite(total.value))
      unit_near_by(all.value, total.value, 1e-6);
  }
  for (uint32_t from = 0; from < 2; from++) {
    double sum = 0, whole = 0;
    size_t chosen = 0;
    for (uint32_t c = from; c < count; c += 2) {
      half[chosen++] = c;
      if (!sc_analysis_in_scope(a, c))
        continue;
      unit_ok(sc_analysis_cost(a, c, n, &one));
      sum += one.value, whole += sc_analysis_has_costs(a) ? 0 : 0.5; /* executions are whole numbers */
    }
    unit_ok(sc_portion_new(a, half, chosen, SC_PORTION_COST, NULL, &portion));
    unit_ok(sc_portion_predict(portion, n, &all));
    sc_portion_free(portion);
    law_interval("a portion", n, &all);
    if (isfinite(sum) && fabs(all.value - sum) > 1e-6 * sum + whole)
      fail_msg("at %g every other context costs %g, and together %g", n, sum, all.value);
  }
  free(half);
}

/* How many executions there are for those of the model lies between its ends. */
static inline void law_load(const sc_analysis *a, uint32_t context)
{
  const sc_load *load = sc_analysis_load(a, context);
  if (!(load->ratio_low <= load->ratio && load->ratio <= load->ratio_high) || load->below < 0 || load->above < 0)
    fail_msg("%s has %g (%g to %g) executions for each of the model", sc_graph_at(sc_analysis_graph(a), context)->name,
             load->ratio, load->ratio_low, load->ratio_high);
}

static inline void law_analysis(const sc_analysis *a)
{
  double low, high;
  for (uint32_t c = 0; c < sc_graph_context_count(sc_analysis_graph(a)); c++)
    law_load(a, c);
  sc_analysis_range(a, &low, &high);
  assert_true(low <= high && low == sc_analysis_size(a, 0) &&
              high == sc_analysis_size(a, sc_analysis_run_count(a) - 1));
  for (uint32_t c = 0; c < sc_graph_context_count(sc_analysis_graph(a)); c++)
    if (sc_analysis_in_scope(a, c) && !sc_analysis_moved(a))
      law_series(a, c);
  for (size_t i = 0; i < COUNT(law_sizes); i++)
    law_predictions(a, law_sizes[i] * high);
  law_portions(a, 8 * high);
  law_share("what has a model", sc_analysis_modelled_share(a));
  law_share("what is exact", sc_analysis_exact_share(a));
}

/* ---- findings ---- */

static inline void law_finding(const sc_analysis *a, const sc_finding *f)
{
  const sc_analysis_options *o = sc_analysis_get_options(a);
  double share = 0;
  assert_true(f->site_count > 0 && f->sites[0].context == f->context);
  for (size_t i = 0; i < f->site_count; i++) {
    law_share("a site", f->sites[i].share);
    law_interval("a site", 0, &f->sites[i].count);
    assert_true(f->sites[i].cost >= 0);
    share += f->sites[i].share;
  }
  law_share("all sites", share);
  for (size_t i = 1; i < f->member_count; i++)
    assert_true(f->members[i] > f->members[i - 1]);
  for (size_t t = 0; t < o->target_count && f->predictions; t++) {
    law_interval("a finding's count", o->targets[t], &f->predictions[t].count);
    law_interval("a finding's cost", o->targets[t], &f->predictions[t].cost);
    law_share("a finding", f->predictions[t].share);
    law_share("a finding's waits", f->predictions[t].waiting_share);
    assert_true(f->predictions[t].n == o->targets[t] && f->predictions[t].waiting >= 0);
  }
  law_share("a finding's confidence", f->confidence);
  law_share("a finding's waits", f->waiting_share);
}

/* Every cost and execution belongs to one part. */
static inline void law_coverage(const sc_analysis *a, const sc_findings *all, double n)
{
  for (int metric = 0; metric < 2; metric++) {
    sc_coverage c;
    sc_interval total;
    double sum = 0, shares = 0;
    unit_ok(sc_coverage_at(a, all, (enum sc_coverage_metric)metric, n, &c));
    unit_ok((metric == SC_COVERAGE_COST ? sc_analysis_total : sc_analysis_total_executions)(a, n, &total));
    for (int k = 0; k < SC_COVERAGE_CLASSES; k++) {
      law_share(sc_coverage_class_name((enum sc_coverage_class)k), c.parts[k].share);
      assert_true(c.parts[k].place_share <= c.parts[k].share * (1 + 1e-9) && c.parts[k].value >= 0);
      sum += c.parts[k].value, shares += c.parts[k].share;
    }
    if (!isfinite(total.value))
      continue;
    bool executions = metric == SC_COVERAGE_EXECUTIONS || !sc_analysis_has_costs(a);
    double whole = executions ? 0.5 : 0; /* numbers of all are whole, parts of them need not be */
    assert_true(fabs(sum - total.value) <= 1e-6 * total.value + whole && fabs(c.total - sum) <= 1e-6 * sum + whole);
    assert_true(fabs(shares - (sum > 0)) < 1e-9);
  }
}

static inline void law_findings(const sc_analysis *a, const sc_findings *all)
{
  assert_true(all->linear <= all->count);
  for (size_t i = 0; i < all->count; i++) {
    const sc_finding *f = &all->list[i];
    law_finding(a, f);
    assert_true(f->linear == (i >= all->count - all->linear));
    assert_true(f->evidence && *f->evidence && f->emergence > 0);
    for (size_t k = 0; k < i; k++)
      assert_true(all->list[k].context != f->context || all->list[k].kind != f->kind || all->list[k].rule != f->rule);
  }
  for (size_t i = 0; i < all->suppressed; i++)
    for (size_t k = 0; k < all->negligible[i].site_count; k++)
      law_share("a negligible site", all->negligible[i].sites[k].share);
  for (size_t i = 0; i < all->undecided_count; i++) {
    const sc_undecided *u = &all->undecided[i];
    law_share("an undecided place", u->share);
    law_share("what is executed there", u->executed);
    assert_true(u->sites > 0 && u->deciding > 0 && *u->reason && (i == 0 || u->cost <= all->undecided[i - 1].cost));
  }
  law_coverage(a, all, sc_analysis_horizon(a));
}

/* ---- the same program, whose contexts and runs came in the reverse order ---- */

static inline sc_graph *law_reversed(const sc_graph *graph)
{
  sc_graph *made;
  uint32_t count = sc_graph_context_count(graph), *map = calloc(count, sizeof *map), number;
  size_t runs = sc_graph_run_count(graph), index, deepest = 0;
  assert_non_null(map);
  unit_ok(sc_graph_new(&made));
  sc_graph_unfold(made, sc_graph_is_unfolded(graph));
  for (size_t i = runs; i-- > 0;)
    unit_ok(sc_graph_begin_run(made, sc_graph_run_const(graph, i), &index));
  for (uint32_t c = 0; c < count; c++)
    deepest = sc_graph_depth(graph, c) > deepest ? sc_graph_depth(graph, c) : deepest;
  for (size_t depth = 1; depth <= deepest; depth++)
    for (uint32_t c = count; c-- > 1;)
      if (sc_graph_depth(graph, c) == depth) {
        unit_ok(sc_graph_location(made, sc_graph_at(graph, c), &number));
        unit_ok(sc_graph_context(made, map[sc_graph_parent(graph, c)], number, &map[c]));
        if (sc_graph_call_line(graph, c))
          sc_graph_note_call(made, map[c], sc_graph_call_line(graph, c));
      }
  for (size_t i = 0; i < runs; i++)
    for (int metric = 0; metric < SC_METRIC_COUNT_OF_METRICS; metric++)
      for (uint32_t c = 0; c < count && sc_graph_has_values(graph, i, (enum sc_metric)metric); c++)
        unit_ok(sc_graph_add(made, runs - 1 - i, map[c], (enum sc_metric)metric,
                             sc_graph_value(graph, i, c, (enum sc_metric)metric)));
  free(map);
  return made;
}

/* Of a spread the worst place, of several alike, may be another. */
static inline bool law_same_place(const sc_finding *f, const sc_location *at, const sc_location *is)
{
  return f->kind == SC_FINDING_SPREAD || (is->line == at->line && strcmp(is->name, at->name) == 0);
}

/* Whether there is a finding of the same place, which says the same. */
static inline bool law_has(const sc_analysis *a, const sc_findings *all, const sc_graph *graph, const sc_finding *f)
{
  const sc_location *at = sc_graph_at(graph, f->context);
  for (size_t i = 0; i < all->count; i++) {
    const sc_finding *g = &all->list[i];
    if (g->rule == f->rule && g->kind == f->kind && g->severity == f->severity &&
        law_same_place(f, at, sc_graph_at(sc_analysis_graph(a), g->context)) && g->site_count == f->site_count &&
        g->member_count == f->member_count && g->superlinear == f->superlinear && g->linear == f->linear &&
        fabs(g->confidence - f->confidence) < 1e-6 &&
        (g->emergence == f->emergence || fabs(g->emergence / f->emergence - 1) < 1e-3))
      return true;
  }
  return false;
}

static inline bool law_along(const sc_findings *all)
{
  bool along = false;
  for (size_t i = 0; i < all->count; i++)
    along = along || all->list[i].along;
  for (size_t i = 0; i < all->undecided_count; i++)
    along = along || all->undecided[i].along;
  for (size_t i = 0; i < all->suppressed; i++)
    along = along || all->negligible[i].along;
  return along;
}

static inline void law_order(const sc_analysis *a, const sc_findings *all)
{
  const sc_graph *graph = sc_analysis_graph(a);
  if (sc_usage_resource_count(graph) || sc_graph_context_count(graph) > 1000 || sc_analysis_moved(a) || law_along(all))
    return;
  sc_graph *other = law_reversed(graph);
  sc_analysis *b;
  sc_findings found;
  sc_interval one, two;
  unit_ok(sc_analysis_new(other, sc_analysis_get_options(a), &b));
  unit_ok(sc_findings_infer(b, &found));
  unit_ok(sc_analysis_total(a, sc_analysis_horizon(a), &one));
  unit_ok(sc_analysis_total(b, sc_analysis_horizon(b), &two));
  if (isfinite(one.value))
    unit_near_by(two.value, one.value, 1e-6);
  assert_true(isfinite(two.high) == isfinite(one.high));
  assert_true(found.count == all->count && found.linear == all->linear && found.suppressed == all->suppressed &&
              found.undecided_count == all->undecided_count);
  for (size_t i = 0; i < all->count; i++)
    if (!all->list[i].linear && !law_has(b, &found, graph, &all->list[i]))
      fail_msg("%s: %s: not found where all come in the reverse order", sc_rule_id(all->list[i].rule),
               all->list[i].evidence);
  sc_findings_free(&found);
  sc_analysis_free(b);
  sc_graph_free(other);
}

/* ---- resources ---- */

/* What rows say adds up to what series have, over all runs. */
static inline void law_rows(const sc_resources *r, const sc_analysis *a, uint32_t resource)
{
  static const int metrics[][2] = {{SC_RMETRIC_ACQUIRES, SC_USAGE_ACQUIRES},
                                   {SC_RMETRIC_FAILURES, SC_USAGE_FAILURES},
                                   {SC_RMETRIC_WAITS, SC_USAGE_WAITS},
                                   {SC_RMETRIC_UNITS, SC_USAGE_UNITS},
                                   {SC_RMETRIC_WAIT_TOTAL, SC_USAGE_WAIT_SECONDS},
                                   {SC_RMETRIC_HOLD_TOTAL, SC_USAGE_HOLD_SECONDS}};
  enum sc_resource_class kind = sc_usage_resource_at(sc_analysis_graph(a), resource)->resource_class;
  if (!sc_resource_class_locks(kind) && kind != SC_RESOURCE_HEAP)
    return;
  for (size_t m = 0; m < COUNT(metrics); m++) {
    const sc_resource_series *s =
        sc_resources_series(r, resource, SC_USAGE_NONE, (enum sc_resource_metric)metrics[m][0]);
    double told = 0, sum = 0;
    for (size_t i = 0; s && i < s->count; i++)
      told += s->values[i];
    for (size_t i = 0; i < sc_analysis_run_count(a); i++) {
      size_t rows;
      const sc_usage *row = sc_usage_rows(sc_analysis_graph(a), sc_analysis_run(a, i), &rows);
      for (; rows; rows--, row++)
        if (row->resource == resource && sc_analysis_in_scope(a, row->context))
          sum += row->values[metrics[m][1]];
    }
    bool elsewhere = metrics[m][0] == SC_RMETRIC_HOLD_TOTAL && kind == SC_RESOURCE_HEAP; /* what is kept has a time */
    if (s && !elsewhere && fabs(told - sum) > 1e-9 * sum)
      fail_msg("%s: %g in series, %g in rows", sc_resource_metric_name((enum sc_resource_metric)metrics[m][0]), told,
               sum);
  }
}

static inline void law_metrics(const sc_resources *r, uint32_t resource, double n)
{
  sc_interval of[SC_RMETRIC_COUNT];
  for (int m = 0; m < SC_RMETRIC_COUNT; m++) {
    unit_ok(sc_resources_predict(r, resource, (enum sc_resource_metric)m, n, &of[m]));
    law_interval(sc_resource_metric_name((enum sc_resource_metric)m), n, &of[m]);
  }
  law_share("utilisation", of[SC_RMETRIC_UTILISATION].high);
  law_share("failures", of[SC_RMETRIC_FAILURE_RATIO].high);
}

/* At a size that was measured nothing is predicted beside what its runs lie around. */
static inline void law_measured(const sc_resources *r, const sc_analysis *a, uint32_t resource, double n)
{
  static const enum sc_resource_metric metrics[] = {SC_RMETRIC_UTILISATION, SC_RMETRIC_WAIT, SC_RMETRIC_WAITS,
                                                    SC_RMETRIC_HOLD, SC_RMETRIC_THINK};
  const sc_resource *of = sc_usage_resource_at(sc_analysis_graph(a), resource);
  bool idles = of->idle || of->resource_class == SC_RESOURCE_CONDITION || of->resource_class == SC_RESOURCE_BARRIER ||
               of->resource_class == SC_RESOURCE_THREAD;
  for (size_t m = 0; m < COUNT(metrics) && !idles; m++) {
    const sc_resource_series *s = sc_resources_series(r, resource, SC_USAGE_NONE, metrics[m]);
    double least = INFINITY, most = 0, most_share = metrics[m] == SC_RMETRIC_UTILISATION ? 1 : INFINITY;
    sc_interval i;
    for (size_t k = 0; s && k < s->count; k++)
      if (s->sizes[k] == n) {
        least = fmin(least, fmin(s->values[k], most_share));
        most = fmax(most, fmin(s->values[k], most_share));
      }
    if (!isfinite(least))
      continue;
    unit_ok(sc_resources_predict(r, resource, metrics[m], n, &i));
    if (i.value > most * (1 + 1e-9) || i.value < least * (1 - 1e-9))
      fail_msg("%s at %g: %g (%g to %g) predicted, measured %g to %g", sc_resource_metric_name(metrics[m]), n, i.value,
               i.low, i.high, least, most);
  }
}

static inline void law_resource_finding(const sc_resources *r, const sc_analysis *a, const sc_resource_finding *f)
{
  const sc_analysis_options *o = sc_analysis_get_options(a);
  double waited = 0;
  law_share("a finding's confidence", f->confidence);
  assert_true(*f->evidence && *f->advice && f->emergence.low <= f->emergence.value &&
              f->emergence.value <= f->emergence.high);
  for (size_t i = 0; i < f->number_count; i++)
    for (size_t t = 0; t < o->target_count; t++)
      law_interval(sc_resource_metric_name(f->numbers[i].metric), o->targets[t], &f->numbers[i].predictions[t]);
  for (size_t i = 0; i < f->site_count; i++) {
    law_share("a site", f->sites[i].share);
    assert_true(f->sites[i].amount >= 0);
  }
  for (size_t i = 0; i < f->task_count; i++) {
    law_share("a task", f->tasks[i].share);
    assert_true(f->tasks[i].amount > 0 && (i == 0 || f->tasks[i].amount <= f->tasks[i - 1].amount));
  }
  for (size_t i = 0; i < f->pair_count; i++) {
    waited += f->pairs[i].share;
    assert_true(f->pairs[i].seconds >= 0 && (i == 0 || f->pairs[i].seconds <= f->pairs[i - 1].seconds));
  }
  law_share("all pairs", waited);
  for (size_t i = 0; i < f->nested_count; i++) {
    law_share("a nested wait", f->nested[i].share);
    assert_true(i == 0 || f->nested[i].seconds <= f->nested[i - 1].seconds);
  }
}

static inline void law_resources(const sc_resources *r, const sc_analysis *a)
{
  size_t count;
  const sc_graph *graph = sc_analysis_graph(a);
  const sc_resource_finding *list = sc_resources_findings(r, &count);
  for (size_t i = 0; i < count; i++) {
    law_resource_finding(r, a, &list[i]);
    assert_true(i == 0 || list[i].severity <= list[i - 1].severity);
  }
  for (uint32_t resource = 0; resource < sc_usage_resource_count(graph); resource++) {
    law_rows(r, a, resource);
    for (size_t i = 0; i < sc_resources_size_count(r); i++) {
      law_metrics(r, resource, sc_resources_size(r, i));
      law_measured(r, a, resource, sc_resources_size(r, i));
    }
    for (size_t i = 1; i < COUNT(law_sizes); i++)
      law_metrics(r, resource, law_sizes[i] * sc_resources_size(r, sc_resources_size_count(r) - 1));
  }
}
