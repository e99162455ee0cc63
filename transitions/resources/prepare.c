/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options, runs and sizes, before any cell is gathered. */
#include "transitions/resources/prepare.h"

#include <math.h>
#include <stdlib.h>

#include "base/buf.h"
#include "transitions/model/tuning.h"
#include "transitions/resources/draft.h"
#include "transitions/resources/inner_locks.h"
#include "transitions/resources/pools.h"
#include "transitions/resources/scalability.h"

static int copy_options(sc_resources *r, const sc_resource_options *options)
{
  const sc_analysis_options *own = sc_analysis_get_options(r->analysis);
  r->kind = options->kind;
  r->targets = own->targets;
  r->target_count = own->target_count;
  r->level = own->level;
  r->variable = own->variable;
  r->processors = options->processors;
  r->other_processors = options->other_processors;
  r->horizon = sc_analysis_horizon(r->analysis);
  r->tasks = sc_mem_new(options->task_count + 1, sizeof *r->tasks);
  if (!r->tasks)
    return SC_E_NOMEM;
  for (; r->task_count < options->task_count; r->task_count++) {
    r->tasks[r->task_count] = sc_mem_copy_string(options->tasks[r->task_count]);
    if (!r->tasks[r->task_count])
      return SC_E_NOMEM;
  }
  return 0;
}

/* The analysis has its runs ascending by size: those of one size lie together, from starts[size] on. */
static int list_resources_sizes(sc_resources *r)
{
  r->run_count = sc_analysis_run_count(r->analysis);
  r->run_sizes = sc_mem_new(r->run_count, sizeof *r->run_sizes);
  r->sizes = sc_mem_new(r->run_count, sizeof *r->sizes);
  r->starts = sc_mem_new(r->run_count + 1, sizeof *r->starts);
  if (!r->run_sizes || !r->sizes || !r->starts)
    return SC_E_NOMEM;
  for (size_t i = 0; i < r->run_count; i++) {
    r->run_sizes[i] = sc_graph_run_const(r->graph, sc_analysis_run(r->analysis, i))->n;
    if (!i || r->run_sizes[i] != r->run_sizes[i - 1]) {
      r->starts[r->size_count] = i;
      r->sizes[r->size_count++] = r->run_sizes[i];
    }
  }
  r->starts[r->size_count] = r->run_count;
  return 0;
}

static int make_fits(sc_resources *r)
{
  sc_fit_options options = sc_analysis_get_options(r->analysis)->fit;
  SC_TRY(sc_fit_new(&options, &r->fit_counts));
  options.r2_threshold = fmin(options.r2_threshold, SC_PREPARE_R2);
  options.space = SC_FIT_SPACE_SUMS; /* a change point in noise is an outlier more often than a change */
  return sc_fit_new(&options, &r->fit_times);
}

int sc_resources_prepare(const sc_analysis *analysis, const sc_resource_options *options, sc_resources **resources)
{
  int err = SC_E_NOMEM;
  sc_resources *r = sc_mem_new(1, sizeof *r);
  *resources = NULL;
  if (!r)
    return err;
  r->analysis = analysis;
  r->graph = sc_analysis_graph(analysis);
  SC_GOTO(copy_options(r, options));
  SC_GOTO(list_resources_sizes(r));
  SC_GOTO(make_fits(r));
  *resources = r;
  r = NULL;
out:
  sc_resources_free(r);
  return err;
}

void sc_resources_free(sc_resources *r)
{
  if (!r)
    return;
  for (size_t i = 0; i < r->task_count; i++)
    free(r->tasks[i]);
  free(r->tasks);
  free(r->run_sizes);
  free(r->sizes);
  free(r->starts);
  if (r->place)
    r->place->free(r->place);
  sc_inner_locks_free(r);
  sc_rpools_free(r);
  sc_fit_free(r->fit_counts);
  sc_fit_free(r->fit_times);
  sc_resource_cells_free(r);
  for (size_t i = 0; i < r->finding_count; i++)
    sc_resource_finding_clear(&r->findings[i]);
  free(r->findings);
  free(r->impacts);
  sc_scalability_clear(&r->scalability);
  free(r);
}
