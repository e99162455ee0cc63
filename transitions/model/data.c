/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "transitions/model/data.h"

#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "regress/core/sizes.h"

static const sc_model NOT_COUNTED = {.verdict = SC_VERDICT_CANNOT_TELL,
                                     .why = "only functions, loops and the work of library functions are counted",
                                     .error = -1};
static const sc_model OUT_OF_SCOPE = {
    .verdict = SC_VERDICT_CANNOT_TELL, .why = "the context is outside the chosen roots", .error = -1};

int sc_analysis_add_model(sc_analysis *analysis, const sc_model *model, uint32_t *number)
{
  sc_model copy = *model; /* may point into the array that grows */
  SC_TRY(
      sc_mem_grow(&analysis->models, &analysis->model_capacity, analysis->model_count + 1, sizeof *analysis->models));
  analysis->models[analysis->model_count] = copy;
  *number = (uint32_t)analysis->model_count++;
  return 0;
}

const sc_graph *sc_analysis_graph(const sc_analysis *analysis) { return analysis->graph; }

const sc_analysis_options *sc_analysis_get_options(const sc_analysis *analysis) { return &analysis->options; }

bool sc_analysis_in_scope(const sc_analysis *analysis, uint32_t context)
{
  return context < analysis->contexts && analysis->scope[context] != SC_SCOPE_OUT;
}

const sc_model *sc_analysis_model(const sc_analysis *analysis, uint32_t context)
{
  if (!sc_analysis_in_scope(analysis, context))
    return &OUT_OF_SCOPE;
  return analysis->series[context] == SC_NONE ? &NOT_COUNTED : &analysis->models[analysis->series[context]];
}

uint32_t sc_analysis_counted_ancestor(const sc_analysis *analysis, uint32_t context)
{
  do
    context = sc_graph_parent(analysis->graph, context);
  while (context && !sc_analysis_counted(analysis, context));
  return context;
}

void sc_analysis_range(const sc_analysis *analysis, double *n_min, double *n_max)
{
  *n_min = analysis->sizes[0];
  *n_max = analysis->sizes[analysis->run_count - 1];
}

double sc_analysis_horizon(const sc_analysis *analysis)
{
  double horizon = 0;
  for (size_t i = 0; i < analysis->options.target_count; i++)
    horizon = fmax(horizon, analysis->options.targets[i]);
  return horizon > 0 ? horizon : analysis->sizes[analysis->run_count - 1];
}

double sc_analysis_modelled_share(const sc_analysis *analysis) { return analysis->modelled_share; }

size_t sc_analysis_run_count(const sc_analysis *analysis) { return analysis->run_count; }

size_t sc_analysis_size_count(const sc_analysis *analysis)
{
  return sc_sizes_distinct(analysis->sizes, 1, analysis->run_count);
}

size_t sc_analysis_run(const sc_analysis *analysis, size_t position) { return analysis->runs[position]; }

double sc_analysis_size(const sc_analysis *analysis, size_t position) { return analysis->sizes[position]; }

const char *sc_analysis_held(const sc_analysis *analysis) { return analysis->held; }

double sc_analysis_cost_each(const sc_analysis *analysis, uint32_t context)
{
  if (!sc_analysis_in_scope(analysis, context) || !sc_analysis_load(analysis, context)->counted)
    return 0;
  return sc_analysis_load(analysis, context)->each;
}

bool sc_analysis_timed(const sc_analysis *analysis) { return strcmp(analysis->unit, "s") == 0; }

bool sc_analysis_has_costs(const sc_analysis *analysis) { return analysis->sampled; }

const char *sc_analysis_cost_unit(const sc_analysis *analysis) { return analysis->unit; }

size_t sc_analysis_model_count(const sc_analysis *analysis) { return analysis->model_count; }

const sc_model *sc_analysis_model_at(const sc_analysis *analysis, size_t number) { return &analysis->models[number]; }

bool sc_analysis_moved(const sc_analysis *analysis) { return analysis->moved; }
