/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens a study or a baseline and judges it at the base values of its further parameters. runner/several builds the
 * judges at other values on this one, which is why opening is in two rooms: this one must not know that there are
 * several. */
#include "runner/judge/judge.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runner/baseline/baseline.h"
#include "runner/judge/named.h"
#include "runner/process/machine.h"
#include "runner/text/context.h"
#include "runner/text/format.h"
#include "runner/workload/sizes.h"

int sc_judge_need_file(const char *path)
{
  if (access(path, R_OK) == 0)
    return 0;
  if (errno != ENOENT && errno != ENOTDIR) {
    (void)sc_err_system(SC_E_IO, errno, "the study %s cannot be read", path);
    return sc_err_hint(SC_E_IO, "check that you may read the file and its folder");
  }
  (void)sc_err_set(SC_E_INPUT, "there is no study %s", path);
  bool usual = strcmp(path, "scale.db") == 0;
  return sc_err_hint(SC_E_INPUT, "make one: scale-run run -P n=100..6400%s%s -- ./prog {n}", usual ? "" : " -o ",
                     usual ? "" : path);
}

/* The engine that --models asks for, or the study was made with. */
static int choose_fit(const sc_options *options, const char *path, sc_fit_options *fit)
{
  int err = 0;
  sc_study *study = NULL;
  char *stored = NULL;
  const char *engine = options->models;
  *fit = SC_FIT_OPTIONS_DEFAULT;
  if (!engine && access(path, R_OK) == 0 && options->verb != SC_VERB_RUN && !sc_baseline_is(path)) {
    SC_GOTO(sc_study_open(path, SC_STUDY_READ, &study));
    SC_GOTO(sc_study_get(study, "models", &stored));
    engine = stored;
  }
  if (engine && strcmp(engine, "delta-infer") == 0)
    fit->engine = SC_FIT_DELTA_INFER;
out:
  free(stored);
  sc_study_close(study);
  return err;
}

int sc_judge_fit(const sc_options *options, sc_fit_options *fit)
{
  return choose_fit(options, sc_named_study(options), fit);
}

int sc_judge_remember(const sc_options *options)
{
  sc_study *study = NULL;
  int err = sc_study_open(sc_named_study(options), SC_STUDY_WRITE, &study);
  err = err ?: sc_study_put(study, "models", options->models ? options->models : "default");
  sc_study_close(study);
  return err;
}

/* A baseline carries its models and its machine; a study has its machine beside the runs, and is fitted anew, as
 * options may ask for another engine or other targets than when it was made. */
static int load_judge(const char *path, const sc_fit_options *fit, const double *targets, size_t target_count,
                      sc_judge *judge)
{
  sc_study *study = NULL;
  if (sc_baseline_is(path))
    return sc_baseline_load(path, fit, targets, target_count, &judge->loaded, &judge->machine);
  SC_TRY(sc_loaded_read(path, fit, targets, target_count, &judge->loaded));
  int err = sc_study_open(path, SC_STUDY_READ, &study) ?: sc_study_get(study, "machine", &judge->machine);
  sc_study_close(study);
  return err;
}

int sc_judge_refuse_baseline(const char *path, const sc_workload *workload)
{
  (void)sc_err_set(SC_E_USAGE, "%s is a baseline, which has the base values of further parameters only", path);
  return sc_err_hint(SC_E_USAGE, "name the study it was made of instead, or leave %.60s out of --at",
                     workload->others[0].name);
}

/* The largest size measured, which "10x" refers to. */
static int largest_measured(const char *path, const sc_fit_options *fit, double *largest)
{
  sc_judge judge = {.study = path};
  double smallest;
  int err = load_judge(path, fit, NULL, 0, &judge);
  if (err == 0)
    sc_analysis_range(judge.loaded.analysis, &smallest, largest);
  sc_judge_close_at_base(&judge);
  return err;
}

/* Programs that touched no resource keep `resources` NULL, which views take as "has no such chapter". */
static int look_at_resources(const sc_options *options, sc_judge *judge)
{
  sc_workload *workload = judge->loaded.workload;
  if (options->verb != SC_VERB_RUN) /* whose workload has them already */
    SC_TRY(sc_workload_set_tasks(workload, options->kind, options->task));
  judge->processors = (double)options->processors;
  if (sc_usage_resource_count(judge->loaded.graph) == 0)
    return 0;
  const sc_resource_options asked = {.kind = workload->kind,
                                     .tasks = (const char *const *)workload->tasks,
                                     .task_count = workload->task_count,
                                     .processors = sc_machine_processors(judge->machine),
                                     .other_processors = judge->processors};
  return sc_resources_new(judge->loaded.analysis, &asked, &judge->resources);
}

/* Of a study of several parameters: how their values are given. */
static void hint_parameters(const sc_workload *workload)
{
  sc_buf example = {0};
  if (!workload->other_count)
    return;
  sc_workload_example(workload, &example);
  if (sc_buf_finish(&example) == 0)
    (void)sc_err_hint(SC_E_USAGE, "all of the study's parameters, by name: %s", example.text);
  sc_buf_free(&example);
}

int sc_judge_open_at_base(const sc_options *options, sc_judge *judge)
{
  int err = 0;
  sc_fit_options fit;
  double *targets = NULL, *again = NULL, largest = 0;
  size_t target_count = 0;
  *judge = (sc_judge){.study = sc_named_study(options)};
  SC_GOTO(sc_judge_need_file(judge->study));
  /* Targets are read twice. They are needed to load, but a name in them ("n=1e6") can be checked only against the
   * workload, which is known once the study is loaded; and "10x" needs a fit of its own, to know the largest size that
   * counts. */
  SC_GOTO(sc_judge_fit(options, &fit));
  if (options->at && sc_sizes_relative(options->at))
    SC_GOTO(largest_measured(judge->study, &fit, &largest));
  if (options->at)
    SC_GOTO(sc_sizes_parse(options->at, NULL, largest, &targets, &target_count));
  judge->at = target_count ? targets[0] : 0;
  SC_GOTO(load_judge(judge->study, &fit, targets, target_count, judge));
  sc_graph_unfold(judge->loaded.graph, options->unfold_system);
  if (options->at && sc_baseline_is(judge->study) && sc_named_other(options->at, judge->loaded.workload))
    SC_GOTO(sc_judge_refuse_baseline(judge->study, judge->loaded.workload));
  if (options->at) /* once more, now that the parameter's name is known */
    err = sc_sizes_parse(options->at, judge->loaded.workload->parameter, largest, &again, &target_count);
  if (err < 0 && strchr(options->at, '='))
    hint_parameters(judge->loaded.workload);
  SC_GOTO(err);
  SC_GOTO(sc_findings_infer(judge->loaded.analysis, &judge->findings));
  err = look_at_resources(options, judge);
out:
  free(targets);
  free(again);
  return err;
}

/* Both sides of a comparison must be fitted and predicted alike: what the head was asked for holds for the base. */
int sc_judge_open_at_base_of(const sc_options *options, const sc_judge *head, sc_judge *judge)
{
  const sc_analysis_options *asked = sc_analysis_get_options(head->loaded.analysis);
  *judge = (sc_judge){.study = options->operand};
  SC_TRY(sc_judge_need_file(judge->study));
  SC_TRY(load_judge(judge->study, &asked->fit, asked->targets, asked->target_count, judge));
  sc_graph_unfold(judge->loaded.graph, options->unfold_system);
  SC_TRY(sc_findings_infer(judge->loaded.analysis, &judge->findings));
  return look_at_resources(options, judge);
}

void sc_judge_free_along(sc_judge *judge)
{
  for (size_t i = 0; i < SC_RUN_OTHERS; i++) {
    sc_analysis_free(judge->along[i]);
    judge->along[i] = NULL;
  }
}

/* In the reverse order of their making: resources and findings refer to the analysis, and the analysis to the graph. */
void sc_judge_close_at_base(sc_judge *judge)
{
  sc_resources_free(judge->resources);
  judge->resources = NULL;
  sc_findings_free(&judge->findings);
  sc_judge_free_along(judge);
  sc_loaded_free(&judge->loaded);
  free(judge->machine);
  judge->machine = NULL;
}

const sc_judge *sc_judge_beside(const sc_judge *judge, const sc_resource_finding *finding, size_t *along)
{
  const sc_workload *workload = judge->loaded.workload;
  const sc_judge *there = finding->along ? judge->beside : NULL;
  *along = SIZE_MAX;
  while (there && there->resources != finding->along)
    there = there->beside;
  for (size_t i = 0; there && i < workload->other_count; i++)
    if (there->others[i] != workload->others[i].base)
      *along = i;
  return there ? there : judge;
}

/* With the values of all further parameters, or that of `name` alone (NULL: of none), which is `value`. */
static void describe_size(const sc_judge *judge, double n, bool all, const char *name, double value, sc_buf *out)
{
  const sc_workload *workload = judge->loaded.workload;
  sc_buf_printf(out, "%s = %s", workload->parameter, sc_format_number(n).s);
  for (size_t i = 0; i < workload->other_count; i++) {
    bool named = name && strcmp(name, workload->others[i].name) == 0;
    if (named || all)
      sc_buf_printf(out, ", %s = %s", workload->others[i].name,
                    sc_format_number(named ? value : sc_judge_other(judge, i)).s);
  }
}

void sc_judge_describe_with(const sc_judge *judge, double n, const char *name, double value, sc_buf *out)
{
  describe_size(judge, n, judge->several != NULL, name, value, out);
}

void sc_judge_describe(const sc_judge *judge, double n, sc_buf *out) { sc_judge_describe_with(judge, n, NULL, 0, out); }

void sc_judge_describe_all(const sc_judge *judge, double n, sc_buf *out)
{
  bool several = judge->several != NULL;
  for (size_t i = 0; i < judge->findings.count; i++)
    several = several || judge->findings.list[i].along;
  describe_size(judge, n, several, NULL, 0, out);
}

void sc_judge_title(const sc_judge *judge, sc_buf *out)
{
  const sc_workload *workload = judge->loaded.workload;
  const char *title = workload->title && *workload->title ? workload->title : workload->name;
  sc_buf_puts(out, title && *title ? title : judge->study);
  for (size_t i = 0; judge->several && i < workload->other_count; i++)
    sc_buf_printf(out, "%s%s = %s%s", i ? ", " : " (", workload->others[i].name, sc_format_number(judge->others[i]).s,
                  i + 1 == workload->other_count ? ")" : "");
}

void sc_judge_describe_held(const sc_judge *judge, sc_buf *out)
{
  const sc_workload *workload = judge->loaded.workload;
  for (size_t i = 0; i < workload->other_count; i++)
    sc_buf_printf(out, "%s%s = %s", i ? ", " : " at ", workload->others[i].name,
                  sc_format_number(sc_judge_other(judge, i)).s);
}

void sc_judge_describe_option(const sc_judge *judge, double n, sc_buf *out)
{
  const sc_workload *workload = judge->loaded.workload;
  sc_buf_printf(out, "%s=%.12g", workload->parameter, n);
  for (size_t i = 0; judge->several && i < workload->other_count; i++)
    sc_buf_printf(out, ",%s=%.12g", workload->others[i].name, judge->others[i]);
}

int sc_judge_need_resources(const sc_judge *judge)
{
  if (judge->resources)
    return 0;
  (void)sc_err_set(SC_E_INPUT, "the runs of %s recorded nothing of resources", judge->study);
  return sc_err_hint(SC_E_INPUT, judge->loaded.entries
                                     ? "uprobes count calls alone: --probes describes what these do to resources "
                                       "(docs/probe-sets.md)"
                                     : "what code built with scale-cc locks, allocates, opens and starts is recorded; "
                                       "other calls need a probe set (docs/probe-sets.md)");
}

/* Values of further parameters are compared as bytes: users wrote them, no arithmetic did, so equal ones are alike. */
bool sc_judge_ran(const sc_judge *judge, size_t run, double n)
{
  const sc_run *info = sc_graph_run_const(judge->loaded.targets, run);
  size_t others = judge->several ? judge->loaded.workload->other_count : 0;
  return info->n == n && memcmp(info->others, judge->others, others * sizeof *info->others) == 0;
}

bool sc_judge_was_run(const sc_judge *judge, double n)
{
  const sc_graph *targets = judge->loaded.targets;
  for (size_t run = 0; targets && run < sc_graph_run_count(targets); run++)
    if (sc_judge_ran(judge, run, n))
      return true;
  return false;
}

/* Mean count of a context of the target runs at size n, which was run. */
static double mean_count(const sc_judge *judge, uint32_t context, double n)
{
  const sc_graph *targets = judge->loaded.targets;
  double sum = 0, runs = 0;
  for (size_t run = 0; run < sc_graph_run_count(targets); run++) {
    if (!sc_judge_ran(judge, run, n))
      continue;
    sum += sc_graph_value(targets, run, context, SC_METRIC_COUNT);
    runs++;
  }
  return sum / runs;
}

/* Target runs have a graph of their own, so that they are never fitted; a context has another number there. One that
 * they never reached was executed 0 times, which is a result, not a gap. */
bool sc_judge_actual_count(const sc_judge *judge, uint32_t context, double n, double *value)
{
  if (!sc_judge_was_run(judge, n))
    return false;
  uint32_t there = sc_context_translate(judge->loaded.graph, context, judge->loaded.targets);
  *value = there == UINT32_MAX ? 0 : mean_count(judge, there, n);
  return true;
}

/* Whether a context of the target runs was executed in the others, too. */
static bool came_before(const sc_judge *judge, uint32_t context)
{
  const sc_graph *graph = judge->loaded.graph;
  uint32_t here = sc_context_translate(judge->loaded.targets, context, graph);
  bool came = false;
  for (size_t run = 0; here != UINT32_MAX && !came && run < sc_graph_run_count(graph); run++)
    came = sc_graph_value(graph, run, here, SC_METRIC_COUNT) > 0;
  return came;
}

/* Which loop of a library a call reaches may change with the size (sort takes insertion sort below 16 elements): work
 * in a place that smaller runs never came to is not a wrong prediction of the places that they did. */
double sc_judge_worked_elsewhere(const sc_judge *judge, uint32_t context, double n)
{
  const sc_graph *graph = judge->loaded.graph, *targets = judge->loaded.targets;
  uint32_t call;
  double sum = 0;
  (void)sc_graph_written(graph, context, &call);
  if (sc_graph_at(graph, context)->kind != SC_LOCATION_WORK || !call || call == context || !sc_judge_was_run(judge, n))
    return 0;
  uint32_t there = sc_context_translate(graph, call, targets);
  for (uint32_t c = there == UINT32_MAX ? 0 : there; c; c = sc_graph_next_within(targets, c, there)) {
    const sc_location *at = sc_graph_at(targets, c);
    if (at->kind == SC_LOCATION_WORK && strcmp(at->name, sc_graph_at(graph, context)->name) == 0 &&
        !came_before(judge, c))
      sum += mean_count(judge, c, n);
  }
  return sum;
}

static double counted_or_spent(const sc_graph *graph, size_t run, uint32_t context, bool counts)
{
  return counts ? sc_graph_executions(graph, run, context) : sc_graph_value(graph, run, context, SC_METRIC_COST);
}

/* Only contexts that the analysis covers are compared with what it predicts. */
static double scope_cost(const sc_judge *judge, size_t run, bool counts)
{
  const sc_graph *graph = judge->loaded.graph, *targets = judge->loaded.targets;
  double sum = 0;
  if (!sc_analysis_get_options(judge->loaded.analysis)->root_count) {
    for (uint32_t c = 0; c < sc_graph_context_count(targets); c++)
      sum += counted_or_spent(targets, run, c, counts);
    return sum;
  }
  for (uint32_t c = 0; c < sc_graph_context_count(graph); c++) {
    if (!sc_analysis_in_scope(judge->loaded.analysis, c))
      continue;
    uint32_t there = sc_context_translate(graph, c, targets);
    if (there != UINT32_MAX)
      sum += counted_or_spent(targets, run, there, counts);
  }
  return sum;
}

/* A mean over the runs that have what is asked for: a cost of a run that was not sampled is unknown, not 0. */
bool sc_judge_actual_total(const sc_judge *judge, double n, double *value)
{
  const sc_graph *targets = judge->loaded.targets;
  bool counts = !sc_analysis_has_costs(judge->loaded.analysis);
  double sum = 0, runs = 0;
  for (size_t run = 0; targets && run < sc_graph_run_count(targets); run++) {
    const sc_run *info = sc_graph_run_const(targets, run);
    if (!sc_judge_ran(judge, run, n) || (!counts && !info->cost_event[0]))
      continue;
    sum += counts ? round(scope_cost(judge, run, counts)) : scope_cost(judge, run, counts);
    runs++;
  }
  if (runs > 0)
    *value = sum / runs;
  return runs > 0;
}

bool sc_judge_actual_elapsed(const sc_judge *judge, double n, double *value)
{
  const sc_graph *targets = judge->loaded.targets;
  double sum = 0, runs = 0;
  for (size_t run = 0; targets && run < sc_graph_run_count(targets); run++) {
    const sc_run *info = sc_graph_run_const(targets, run);
    if (!sc_judge_ran(judge, run, n) || !(info->wall_seconds > 0))
      continue;
    sum += info->wall_seconds;
    runs++;
  }
  if (runs > 0)
    *value = sum / runs;
  return runs > 0;
}

/* A single run without waits leaves all of them unmeasured: a mean over the others would look like that of all. */
bool sc_judge_actual_parts(const sc_judge *judge, double n, sc_elapsed_parts *parts)
{
  const sc_graph *targets = judge->loaded.targets;
  double runs = 0;
  *parts = (sc_elapsed_parts){.measured = true};
  for (size_t run = 0; targets && run < sc_graph_run_count(targets); run++) {
    const sc_run *info = sc_graph_run_const(targets, run);
    if (!sc_judge_ran(judge, run, n) || !(info->wall_seconds > 0))
      continue;
    sc_elapsed_run one = sc_elapsed_of_run(info);
    runs++;
    parts->measured &= info->has_waits;
    parts->processor += one.on;
    parts->waits[SC_WAIT_RUNNABLE] += one.ready;
    if (!info->has_waits)
      parts->waits[SC_WAIT_OTHER] += one.waiting;
    for (int k = SC_WAIT_RUNNABLE + 1; k < SC_WAIT_KINDS && info->has_waits; k++)
      parts->waits[k] += info->waits[k];
  }
  parts->processor /= runs > 0 ? runs : 1;
  for (int k = 0; k < SC_WAIT_KINDS; k++)
    parts->waits[k] /= runs > 0 ? runs : 1;
  return runs > 0;
}
