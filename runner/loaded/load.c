/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/loaded/load.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "profiles/study/study.h"
#include "runner/process/latency.h"
#include "runner/text/progress.h"
#include "runner/text/tuning.h"

static int load_graph(sc_study *study, unsigned roles, sc_graph **graph)
{
  SC_TRY(sc_graph_new(graph));
  return sc_study_load_roles(study, roles, *graph);
}

static double largest_size(const sc_graph *graph)
{
  double largest = 0;
  for (size_t r = 0; r < sc_graph_run_count(graph); r++)
    if (sc_graph_run_const(graph, r)->n > largest)
      largest = sc_graph_run_const(graph, r)->n;
  return largest;
}

bool sc_loaded_is_enough(const sc_graph *graph) { return sc_graph_size_count(graph) >= SC_LOADED_SIZES; }

static int check_enough(const sc_graph *graph, const char *study_path)
{
  size_t distinct = sc_graph_size_count(graph);
  if (distinct >= SC_LOADED_SIZES)
    return 0;
  (void)sc_err_set(SC_E_TOOLITTLE, "the study %s has %zu measured size%s; %d or more are needed", study_path, distinct,
                   distinct == 1 ? "" : "s", SC_LOADED_SIZES);
  return sc_err_hint(SC_E_TOOLITTLE, "resume it: scale-run run ... -o %s", study_path);
}

/* Its runs are not made by running it again. */
static int check_attached(const sc_graph *graph, const sc_workload *workload, const char *study_path)
{
  int err = check_enough(graph, study_path);
  if (err < 0)
    (void)sc_err_hint(err, "attach to it at another load: scale-run attach PID -P %s=SIZE -o %s", workload->parameter,
                      study_path);
  return err;
}

static int load_loaded_workload(sc_study *study, const char *study_path, sc_workload **workload)
{
  SC_TRY(sc_workload_of_study(study, workload));
  if (*workload)
    return 0;
  (void)sc_err_set(SC_E_TOOLITTLE, "the study %s holds no workload", study_path);
  return sc_err_hint(SC_E_TOOLITTLE, "make one: scale-run run -P n=100..6400 -- ./prog {n}");
}

static bool was_measured(const sc_graph *graph, double n)
{
  for (size_t r = 0; r < sc_graph_run_count(graph); r++)
    if (sc_graph_run_const(graph, r)->n == n)
      return true;
  return false;
}

/* Without "at n = 5000: ": the size is kept beside it. */
static const char *without_size(const char *what)
{
  const char *rest = strncmp(what, "at ", 3) == 0 ? strstr(what, ": ") : NULL;
  return rest ? rest + 2 : what;
}

/* A sc_study_failure_fn; ascending by size. */
static int add_failure(void *user, double n, const char *what)
{
  sc_loaded *loaded = user;
  if (was_measured(loaded->graph, n))
    return 0;
  sc_failed_size *last = loaded->failed_count ? &loaded->failed[loaded->failed_count - 1] : NULL;
  char *text = sc_mem_copy_string(without_size(what));
  if (!text)
    return SC_E_NOMEM;
  if (last && last->n == n) {
    free(last->what);
    last->what = text;
    return 0;
  }
  size_t room = loaded->failed_count;
  int err = sc_mem_grow(&loaded->failed, &room, loaded->failed_count + 1, sizeof *loaded->failed);
  if (err < 0) {
    free(text);
    return err;
  }
  loaded->failed[loaded->failed_count++] = (sc_failed_size){n, text};
  return 0;
}

/* Of the whole: the first one is what findings are held against. */
static double time_budget(const sc_workload *workload)
{
  for (size_t i = 0; i < workload->budget_count; i++)
    if (strcmp(workload->budgets[i].metric, "time") == 0 && !workload->budgets[i].subject)
      return workload->budgets[i].limit;
  return 0;
}

int sc_loaded_analyse(const char *source, const sc_workload *workload, const sc_graph *graph, const sc_fit_options *fit,
                      const double *targets, size_t target_count, const sc_loaded_times *times, sc_analysis **analysis)
{
  SC_TRY(check_enough(graph, source));
  sc_progress progress;
  sc_progress_open(&progress, stderr, false, workload->parameter);
  double far = 10 * largest_size(graph); /* without a target, a size an order of magnitude away */
  sc_analysis_options options = {.fit = *fit,
                                 .variable = workload->parameter,
                                 .targets = target_count ? targets : workload->targets,
                                 .target_count = target_count ? target_count : workload->target_count,
                                 .roots = (const char *const *)workload->roots,
                                 .root_count = workload->root_count,
                                 .population = sc_parameter_is_workers(workload->kind),
                                 .doubt = times ? times->plain->doubt : 0,
                                 .entries = times && times->entries,
                                 .latency = times ? *times->latency : (sc_latency){.page = 0},
                                 .time_budget = time_budget(workload),
                                 .include_validation = fit->engine == SC_FIT_DEFAULT,
                                 .progress = sc_progress_share,
                                 .progress_user = &progress};
  if (options.target_count == 0) {
    options.targets = &far;
    options.target_count = 1;
  }
  int err = sc_analysis_new(graph, &options, analysis);
  sc_progress_close(&progress);
  return err;
}

/* A uprobe costs a hundred times what a counter does: where it is hit often, all that times show is that. */
static void judge_times(sc_loaded *loaded)
{
  const sc_plain *plain = &loaded->plain;
  if (!loaded->entries || (plain->runs && plain->slowdown_high <= SC_LOADED_PROBED))
    return;
  loaded->slowdown = plain->runs ? plain->slowdown : 0;
  loaded->plain = (sc_plain){.taken_away = true};
}

/* What instrumentation added to times is taken out before anything is made of them. */
static int take_out(sc_study *study, sc_loaded *loaded)
{
  char *uprobes = NULL;
  SC_TRY(sc_study_get(study, "uprobes", &uprobes));
  loaded->entries = uprobes && *uprobes;
  free(uprobes);
  SC_TRY(sc_study_get(study, "uprobe_sets", &uprobes));
  loaded->entries |= uprobes && *uprobes;
  free(uprobes);
  SC_TRY(load_graph(study, 1u << SC_RUN_PLAIN, &loaded->plains));
  SC_TRY(sc_plain_find(loaded->graph, loaded->plains, &loaded->plain));
  judge_times(loaded);
  SC_TRY(sc_plain_apply(&loaded->plain, loaded->plains, loaded->graph));
  return sc_plain_apply(&loaded->plain, loaded->plains, loaded->targets);
}

static int load_cut(sc_study *study, sc_budget_cut *cut)
{
  char *stored = NULL;
  int given = 0, of_time = 0;
  sc_budget_cut found = {0};
  SC_TRY(sc_study_get(study, "budget_cut", &stored));
  if (stored &&
      sscanf(stored, "%lf %d %d %lf %lf", &found.budget, &given, &of_time, &found.wanted, &found.width) == 5 &&
      found.budget > 0 && isfinite(found.budget) && isfinite(found.wanted)) {
    found.given = given;
    found.of_time = of_time;
    *cut = found;
  }
  free(stored);
  return 0;
}

int sc_loaded_read(const char *study_path, const sc_fit_options *fit, const double *targets, size_t target_count,
                   sc_loaded *loaded)
{
  sc_study *study = NULL;
  int err;
  *loaded = (sc_loaded){0};
  SC_GOTO(sc_study_open(study_path, SC_STUDY_READ, &study));
  SC_GOTO(load_loaded_workload(study, study_path, &loaded->workload));
  SC_GOTO(sc_seen_load(study, loaded->seen));
  SC_GOTO(load_cut(study, &loaded->cut));
  SC_GOTO(sc_study_get_number(study, "attached", &loaded->attached));
  SC_GOTO(sc_study_get_number(study, "attach_overhead", &loaded->attach_overhead));
  SC_GOTO(sc_study_get(study, "attach_per", &loaded->attached_per));
  SC_GOTO(load_graph(study, 1u << SC_RUN_TRAINING | 1u << SC_RUN_VALIDATION, &loaded->graph));
  sc_seen_drop_idle(loaded->seen, loaded->graph);
  SC_GOTO(load_graph(study, 1u << SC_RUN_TARGET, &loaded->targets));
  SC_GOTO(sc_latency_load(study, &loaded->latency));
  SC_GOTO(take_out(study, loaded));
  SC_GOTO(sc_study_failures(study, add_failure, loaded));
  if (loaded->attached > 0)
    SC_GOTO(check_attached(loaded->graph, loaded->workload, study_path));
  err = sc_loaded_analyse(study_path, loaded->workload, loaded->graph, fit, targets, target_count,
                          &(sc_loaded_times){&loaded->plain, &loaded->latency, loaded->entries}, &loaded->analysis);
out:
  sc_study_close(study);
  if (err < 0)
    sc_loaded_free(loaded);
  return err;
}

void sc_loaded_free(sc_loaded *loaded)
{
  sc_analysis_free(loaded->analysis);
  sc_graph_free(loaded->graph);
  sc_graph_free(loaded->targets);
  sc_graph_free(loaded->plains);
  sc_workload_free(loaded->workload);
  for (size_t i = 0; i < loaded->failed_count; i++)
    free(loaded->failed[i].what);
  free(loaded->failed);
  free(loaded->attached_per);
  for (size_t i = 0; i < SC_SEEN_KINDS; i++)
    free(loaded->seen[i]);
  *loaded = (sc_loaded){0};
}
