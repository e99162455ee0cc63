/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes an analysis: chooses the runs, fits the counts, loads costs and the elapsed time. */
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/compare.h"
#include "transitions/model/costs.h"
#include "transitions/model/data.h"
#include "transitions/model/elapsed.h"
#include "transitions/model/fitting.h"
#include "transitions/model/options.h"
#include "transitions/model/spent.h"
#include "transitions/model/sums.h"
#include "transitions/model/together.h"
#include "transitions/model/waiting.h"

/* A root inside a root is inside only: TOP marks where totals begin, and counting it twice would add it twice. */
static enum sc_scope scope_of(const sc_analysis *analysis, uint32_t context, bool *reached)
{
  const sc_location *location = sc_graph_at(analysis->graph, context);
  enum sc_scope scope = context && analysis->scope[sc_graph_parent(analysis->graph, context)] != SC_SCOPE_OUT
                            ? SC_SCOPE_IN
                            : SC_SCOPE_OUT;
  if (location->kind != SC_LOCATION_FUNCTION)
    return scope;
  for (size_t i = 0; i < analysis->options.root_count; i++)
    if (sc_location_is_called(location, analysis->options.roots[i])) {
      reached[i] = true;
      return scope == SC_SCOPE_OUT ? SC_SCOPE_TOP : scope;
    }
  return scope;
}

/* Fills in analysis->scope from its options' roots (delta-infer's responsive actions). SC_E_INPUT if no run reached a
 * root. */
static int find_scope(sc_analysis *analysis)
{
  int err = 0;
  size_t roots = analysis->options.root_count;
  bool *reached = sc_mem_new(roots + 1, sizeof *reached);
  analysis->scope = sc_mem_new(analysis->contexts, sizeof *analysis->scope);
  if (!reached || !analysis->scope) {
    err = SC_E_NOMEM;
    goto out;
  }
  for (uint32_t c = 0; c < analysis->contexts; c++)
    analysis->scope[c] = (unsigned char)(roots ? scope_of(analysis, c, reached) : SC_SCOPE_IN);
  for (size_t i = 0; i < roots; i++)
    if (!reached[i]) {
      err = sc_err_set(SC_E_INPUT, "no run reached a function named %s, which the analysis is to be restricted to",
                       analysis->options.roots[i]);
      sc_err_hint(err, "Check the spelling; static functions that were never called do not appear in profiles.");
      goto out;
    }
out:
  free(reached);
  return err;
}

typedef struct sized_run {
  double n;
  size_t run;
} sized_run;

static int compare_runs(const void *a, const void *b)
{
  const sized_run *x = a, *y = b;
  return SC_COMPARE(x->n, y->n) ?: SC_COMPARE(x->run, y->run);
}

static bool is_fitted(const sc_analysis *analysis, const sc_run *run)
{
  return run->role == SC_RUN_TRAINING || (run->role == SC_RUN_VALIDATION && analysis->options.include_validation);
}

/* Counts of different builds are different programs: a series across them would show a change of the code as growth. */
static int check_runs(const sc_analysis *analysis)
{
  const char *build = "";
  for (size_t i = 0; i < analysis->run_count; i++) {
    const sc_run *run = sc_graph_run_const(analysis->graph, analysis->runs[i]);
    if (!isfinite(run->n) || run->n <= 0)
      return sc_err_set(SC_E_INPUT, "run %zu has the size %g, not a positive number", analysis->runs[i], run->n);
    if (run->build[0] && build[0] && strcmp(run->build, build) != 0)
      return sc_err_hint(sc_err_set(SC_E_MISMATCH, "the runs were made with different builds of the program"),
                         "Analyse the runs of one build; measure again if the program was rebuilt in between.");
    if (run->build[0])
      build = run->build;
  }
  if (!analysis->run_count)
    return sc_err_hint(sc_err_set(SC_E_TOOLITTLE, "there is no run to fit models to"),
                       "Run the workload at three or more sizes first.");
  return 0;
}

/* Ascending by size, repeats of one size next to each other: all series of the analysis have this order. */
static int choose_runs(sc_analysis *analysis)
{
  int err = SC_E_NOMEM;
  size_t all = sc_graph_run_count(analysis->graph);
  sized_run *order = sc_mem_new(all + 1, sizeof *order);
  analysis->runs = sc_mem_new(all + 1, sizeof *analysis->runs);
  analysis->sizes = sc_mem_new(all + 1, sizeof *analysis->sizes);
  if (!order || !analysis->runs || !analysis->sizes)
    goto out;
  for (size_t i = 0; i < all; i++) {
    const sc_run *run = sc_graph_run_const(analysis->graph, i);
    if (is_fitted(analysis, run))
      order[analysis->run_count++] = (sized_run){run->n, i};
  }
  qsort(order, analysis->run_count, sizeof *order, compare_runs);
  for (size_t i = 0; i < analysis->run_count; i++) {
    analysis->runs[i] = order[i].run;
    analysis->sizes[i] = order[i].n;
  }
  err = check_runs(analysis);
out:
  free(order);
  return err;
}

/* Contexts that share a series in the graph do so here. `known`: [series of the graph] the number here + 1, 0: not yet
 * met; NULL: the graph has none. */
static int intern_context(sc_analysis *analysis, uint32_t context, double *row, uint32_t *known)
{
  uint32_t packed = known ? sc_graph_series(analysis->graph, context) : (uint32_t)SC_GRAPH_UNPACKED;
  uint32_t *number = &analysis->series[context];
  if (packed != SC_GRAPH_UNPACKED && known[packed]) {
    *number = known[packed] - 1;
    return 0;
  }
  for (size_t i = 0; i < analysis->run_count; i++)
    row[i] = sc_graph_value(analysis->graph, analysis->runs[i], context, SC_METRIC_COUNT);
  SC_TRY(sc_series_intern(&analysis->counts, row, number));
  if (packed != SC_GRAPH_UNPACKED)
    known[packed] = *number + 1;
  return 0;
}

/* Series 0 (SC_SERIES_ONE) is 1 at every size: starts of processes and whatever does not grow are carried by it, though
 * no context may have that count. A packed graph has interned its series already; `known` translates their numbers. */
static int intern_counts(sc_analysis *analysis)
{
  int err = SC_E_NOMEM;
  uint32_t one;
  double *row = sc_mem_new(analysis->run_count, sizeof *row);
  size_t packed = sc_graph_series_count(analysis->graph);
  uint32_t *known = packed ? sc_mem_new(packed, sizeof *known) : NULL;
  analysis->series = sc_mem_new(analysis->contexts, sizeof *analysis->series);
  if (!row || (packed && !known) || !analysis->series)
    goto out;
  analysis->counts.width = analysis->run_count;
  for (size_t i = 0; i < analysis->run_count; i++)
    row[i] = 1;
  SC_GOTO(sc_series_intern(&analysis->counts, row, &one));
  for (uint32_t c = 0; c < analysis->contexts; c++) {
    analysis->series[c] = SC_NONE;
    if (analysis->scope[c] == SC_SCOPE_OUT || !sc_analysis_counted(analysis, c))
      continue;
    SC_GOTO(intern_context(analysis, c, row, known));
  }
  analysis->counted_series = analysis->counts.count;
  err = 0;
out:
  free(row);
  free(known);
  return err;
}

static void make_one(const sc_analysis *analysis, sc_model *model)
{
  *model = (sc_model){.terms = {{.coefficient = 1}}, .term_count = 1, .r2 = 1, .exact = true};
  model->points = model->degrees = analysis->run_count;
  model->n_min = analysis->sizes[0];
  model->n_max = analysis->sizes[analysis->run_count - 1];
}

static int fit_analysis_counts(sc_analysis *analysis)
{
  SC_TRY(sc_fitting_run(analysis));
  make_one(analysis, &analysis->models[SC_SERIES_ONE]);
  return analysis->options.fit.engine == SC_FIT_DELTA_INFER ? 0 : sc_together_judge(analysis);
}

/* Counts are fitted before costs, as a price is a cost for each execution that a model predicts; elapsed time comes
 * last, as its processor time is the sum of the costs. */
int sc_analysis_new(const sc_graph *graph, const sc_analysis_options *options, sc_analysis **analysis)
{
  int err = SC_E_NOMEM;
  sc_analysis *a = sc_mem_new(1, sizeof *a);
  *analysis = NULL;
  if (!a)
    return err;
  a->graph = graph;
  a->contexts = sc_graph_context_count(graph);
  SC_GOTO(sc_options_copy(&a->options, options));
  a->sums = sc_sums_new();
  if (!a->sums) {
    err = SC_E_NOMEM;
    goto out;
  }
  a->quantile = gsl_cdf_ugaussian_Pinv(0.5 + a->options.level / 2);
  SC_GOTO(choose_runs(a));
  SC_GOTO(find_scope(a));
  SC_GOTO(intern_counts(a));
  SC_GOTO(fit_analysis_counts(a));
  a->options.progress = NULL; /* whoever shows it may be gone when the options are copied */
  SC_GOTO(sc_costs_load(a));
  SC_GOTO(sc_elapsed_load(a));
  *analysis = a;
  a = NULL;
out:
  sc_analysis_free(a);
  return err;
}

void sc_analysis_free(sc_analysis *analysis)
{
  if (!analysis)
    return;
  sc_options_clear(&analysis->options);
  free(analysis->runs);
  free(analysis->sizes);
  free(analysis->scope);
  free(analysis->series);
  sc_series_free(&analysis->counts);
  free(analysis->models);
  free(analysis->together.sums);
  sc_loads_free(&analysis->loads);
  sc_spent_free(analysis->spent);
  sc_blend_free(&analysis->total);
  sc_blend_free(&analysis->executions);
  sc_waiting_free(analysis);
  sc_blend_free(&analysis->elapsed.ready);
  sc_blend_free(&analysis->elapsed.waiting);
  sc_blend_free(&analysis->elapsed.processor);
  free(analysis->time_open.points);
  sc_sums_free(analysis->sums);
  free(analysis);
}
