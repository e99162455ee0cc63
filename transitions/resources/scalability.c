/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Throughput over the number of threads, and the Universal Scalability Law fitted to it (usl.h). */
#include "transitions/resources/scalability.h"

#include <math.h>
#include <stdlib.h>

#include "base/buf.h"
#include "regress/core/sizes.h"
#include "transitions/model/tuning.h"
#include "transitions/resources/usl.h"

/* True for a function that was named as a request's entry. */
static bool is_task(const sc_resources *r, uint32_t context)
{
  const sc_location *at = sc_graph_at(r->graph, context);
  for (size_t i = 0; i < r->task_count; i++)
    if (sc_location_is_called(at, r->tasks[i]))
      return true;
  return false;
}

/* A task called by a task is part of it. */
static bool is_outer_task(const sc_resources *r, uint32_t context)
{
  if (!is_task(r, context))
    return false;
  while (context) {
    context = sc_graph_parent(r->graph, context);
    if (is_task(r, context))
      return false;
  }
  return true;
}

/* What is done in a run: requests; without tasks the executions of everything in scope, which do not depend on how long
 * anybody waited. */
static int completed_work(const sc_resources *r, double *work)
{
  uint32_t contexts = sc_graph_context_count(r->graph);
  for (uint32_t c = 0; c < contexts; c++) {
    if (!sc_analysis_in_scope(r->analysis, c) || (r->task_count && !is_outer_task(r, c)))
      continue;
    if (!sc_location_is_counted(sc_graph_at(r->graph, c)))
      continue;
    for (size_t run = 0; run < r->run_count; run++)
      work[run] += sc_graph_executions(r->graph, sc_analysis_run(r->analysis, run), c);
  }
  return 0;
}

static int scalability_unknown(sc_scalability *s, const char *why)
{
  s->known = false;
  s->why = why;
  return 0;
}

static int fit_scalability(const sc_resources *r, sc_scalability *s)
{
  sc_usl usl;
  sc_usl_intervals intervals;
  int err = sc_usl_fit(s->sizes, s->throughputs, s->count, &usl);
  if (!err)
    err = sc_usl_bootstrap(&usl, s->sizes, s->throughputs, s->count, r->level, &intervals);
  if (err == SC_E_NUMERIC || err == SC_E_INPUT)
    return scalability_unknown(s, "no scalability law fits the throughputs");
  SC_TRY(err);
  s->known = true;
  s->lambda = intervals.lambda;
  s->sigma = intervals.sigma;
  s->kappa = intervals.kappa;
  s->peak = intervals.peak;
  s->peak_throughput = intervals.peak_throughput;
  s->error = usl.error;
  return 0;
}

/* Throughput is work over elapsed time, however much work a size has: requests where tasks are named, else
 * executions. */
int sc_scalability_find(sc_resources *r)
{
  int err = SC_E_NOMEM;
  sc_scalability *s = &r->scalability;
  if (r->kind != SC_PARAMETER_THREADS && r->kind != SC_PARAMETER_CLIENTS)
    return scalability_unknown(s, "the parameter is not a number of threads or clients");
  double *work = sc_mem_new(r->run_count, sizeof *work);
  s->sizes = sc_mem_new(r->run_count, sizeof *s->sizes);
  s->throughputs = sc_mem_new(r->run_count, sizeof *s->throughputs);
  if (!work || !s->sizes || !s->throughputs)
    goto out;
  SC_GOTO(completed_work(r, work));
  for (size_t run = 0; run < r->run_count; run++) {
    double seconds = sc_graph_run_const(r->graph, sc_analysis_run(r->analysis, run))->wall_seconds;
    if (!(seconds > 0) || !isfinite(seconds) || !(work[run] > 0) || r->run_sizes[run] < 1)
      continue;
    s->sizes[s->count] = r->run_sizes[run];
    s->throughputs[s->count++] = work[run] / seconds;
  }
  if (sc_sizes_distinct(s->sizes, 1, s->count) < SC_SCALABILITY_SIZES)
    err = scalability_unknown(s, r->task_count && !s->count ? "no run called a task" : "it needs four sizes or more");
  else
    err = fit_scalability(r, s);
out:
  free(work);
  return err;
}

void sc_scalability_clear(sc_scalability *s)
{
  free(s->sizes);
  free(s->throughputs);
}
