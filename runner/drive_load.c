/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From a stored study to models: where report and ask start. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "runner/drive.h"

enum { ENOUGH_SIZES = 3 };

/* Copies all contexts, in their order and so with their numbers, and the runs that are wanted. */
static int copy_contexts(const sc_graph *from, sc_graph *to)
{
  for (uint32_t c = 1; c < sc_graph_context_count(from); c++) {
    uint32_t location, context;
    SC_TRY(sc_graph_location(to, sc_graph_at(from, c), &location));
    SC_TRY(sc_graph_context(to, sc_graph_parent(from, c), location, &context));
    if (context != c)
      return sc_err_set(SC_E_INTERNAL, "contexts were renumbered");
  }
  return 0;
}

static int copy_run(const sc_graph *from, size_t run, sc_graph *to)
{
  size_t copy;
  SC_TRY(sc_graph_begin_run(to, sc_graph_run_const(from, run), &copy));
  for (uint32_t c = 0; c < sc_graph_context_count(from); c++)
    for (int m = 0; m < SC_METRIC_COUNT_OF_METRICS; m++) {
      double value = sc_graph_value(from, run, c, (enum sc_metric)m);
      if (value != 0)
        SC_TRY(sc_graph_add(to, copy, c, (enum sc_metric)m, value));
    }
  return 0;
}

static int split(const sc_graph *all, bool targets, sc_graph **out)
{
  SC_TRY(sc_graph_new(out));
  SC_TRY(copy_contexts(all, *out));
  for (size_t r = 0; r < sc_graph_run_count(all); r++)
    if ((sc_graph_run_const(all, r)->role == SC_RUN_TARGET) == targets)
      SC_TRY(copy_run(all, r, *out));
  return 0;
}

static double largest_size(const sc_graph *graph)
{
  double largest = 0;
  for (size_t r = 0; r < sc_graph_run_count(graph); r++)
    if (sc_graph_run_const(graph, r)->n > largest)
      largest = sc_graph_run_const(graph, r)->n;
  return largest;
}

static int check_enough(const sc_graph *graph, const char *study_path)
{
  double sizes[ENOUGH_SIZES];
  size_t distinct = 0;
  for (size_t r = 0; r < sc_graph_run_count(graph) && distinct < ENOUGH_SIZES; r++) {
    size_t s = 0;
    while (s < distinct && sizes[s] != sc_graph_run_const(graph, r)->n)
      s++;
    if (s == distinct)
      sizes[distinct++] = sc_graph_run_const(graph, r)->n;
  }
  if (distinct >= ENOUGH_SIZES)
    return 0;
  (void)sc_err_set(SC_E_TOOLITTLE, "the study %s has %zu measured size%s; %d or more are needed", study_path, distinct,
                   distinct == 1 ? "" : "s", ENOUGH_SIZES);
  return sc_err_hint(SC_E_TOOLITTLE, "go on with it: scale-run run ... -o %s", study_path);
}

static int load_workload(sc_study *study, const char *study_path, sc_workload **workload)
{
  char *text = NULL;
  SC_TRY(sc_study_get(study, "workload", &text));
  if (!text) {
    (void)sc_err_set(SC_E_TOOLITTLE, "the study %s holds no workload", study_path);
    return sc_err_hint(SC_E_TOOLITTLE, "make one: scale-run run -P n=100..6400 -- ./prog {n}");
  }
  int err = sc_workload_parse(text, "the study's workload", workload);
  free(text);
  return err;
}

static int analyse(const sc_fit_options *fit, const double *targets, size_t target_count, sc_drive_loaded *loaded)
{
  const sc_workload *workload = loaded->workload;
  double far = 10 * largest_size(loaded->graph); /* without a target, a size an order of magnitude away */
  sc_analysis_options options = {.fit = *fit,
                                 .variable = workload->parameter,
                                 .targets = target_count ? targets : workload->targets,
                                 .target_count = target_count ? target_count : workload->target_count,
                                 .roots = (const char *const *)workload->roots,
                                 .root_count = workload->root_count,
                                 .level = 0.95,
                                 .time_budget = workload->budget_count ? workload->budgets[0].limit : 0,
                                 .include_validation = fit->engine == SC_FIT_DEFAULT};
  if (options.target_count == 0) {
    options.targets = &far;
    options.target_count = 1;
  }
  return sc_analysis_new(loaded->graph, &options, &loaded->analysis);
}

int sc_drive_load(const char *study_path, const sc_fit_options *fit, const double *targets, size_t target_count,
                  sc_drive_loaded *loaded)
{
  sc_study *study = NULL;
  sc_graph *all = NULL;
  int err;
  *loaded = (sc_drive_loaded){0};
  SC_GOTO(sc_study_open(study_path, SC_STUDY_READ, &study));
  SC_GOTO(load_workload(study, study_path, &loaded->workload));
  SC_GOTO(sc_graph_new(&all));
  SC_GOTO(sc_study_load(study, all));
  SC_GOTO(split(all, false, &loaded->graph));
  SC_GOTO(split(all, true, &loaded->targets));
  SC_GOTO(check_enough(loaded->graph, study_path));
  err = analyse(fit, targets, target_count, loaded);
out:
  sc_graph_free(all);
  sc_study_close(study);
  if (err < 0)
    sc_drive_unload(loaded);
  return err;
}

void sc_drive_unload(sc_drive_loaded *loaded)
{
  sc_analysis_free(loaded->analysis);
  sc_graph_free(loaded->graph);
  sc_graph_free(loaded->targets);
  sc_workload_free(loaded->workload);
  *loaded = (sc_drive_loaded){0};
}
