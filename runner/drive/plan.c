/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What sc_plan is told of a study, and what people are told of its decisions. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "runner/drive/internal.h"
#include "runner/loaded/load.h"
#include "runner/text/format.h"
#include "transitions/model/time_growth.h"

static const char stop_key[] = "plan_stop";

/* The decision to stop is remembered with what it was made for: the same command again has nothing left to do, although
 * times differ from run to run; another target, precision or time makes the plan decide anew. */
static uint64_t purpose(const sc_drive *drive, const sc_plan_options *plan)
{
  const sc_drive_options *o = drive->options;
  char text[400];
  uint64_t hash = SC_HASH_START;
  for (size_t i = 0; i < plan->target_count; i++) {
    snprintf(text, sizeof text, "%.17g", plan->targets[i]);
    hash = sc_hash_string(hash, text);
  }
  snprintf(text, sizeof text, "%.17g %.17g %.17g %.17g %zu %d %.17g %.17g %u", plan->low, plan->high, plan->check,
           plan->precision, plan->max_iterations, (int)o->fit.engine, o->budget_seconds, o->timeout_seconds,
           plan->repeats);
  return sc_hash_string(hash, text);
}

int sc_drive_plan_recall(sc_drive *drive, const sc_plan_options *plan)
{
  char *stored = NULL;
  unsigned long long hash = 0;
  int stop = 0;
  drive->plan_purpose = purpose(drive, plan);
  SC_TRY(sc_study_get(drive->study, stop_key, &stored));
  if (stored && sscanf(stored, "%llx %d", &hash, &stop) == 2 && hash == drive->plan_purpose)
    drive->plan_stop = (enum sc_plan_stop)stop;
  free(stored);
  for (size_t r = 0; r < sc_graph_run_count(drive->graph); r++) {
    const sc_run *run = sc_graph_run_const(drive->graph, r);
    if (run->role != SC_RUN_TARGET)
      SC_TRY(sc_plan_known(drive->plan, run->n));
  }
  return 0;
}

static int remember_stop(sc_drive *drive, enum sc_plan_stop stop)
{
  char text[64];
  drive->plan_stop = stop;
  snprintf(text, sizeof text, "%llx %d", (unsigned long long)drive->plan_purpose, (int)stop);
  return sc_study_put(drive->study, stop_key, text);
}

static size_t series_count(void *user)
{
  sc_drive *drive = user;
  sc_drive_series_refresh(drive);
  return drive->series.count;
}

/* Contexts with the same counts are one series, which costs what they cost together. */
static double series_cost(void *user, size_t index) { return ((sc_drive *)user)->series.members[index]; }

/* Runs that repeat themselves are one: their count is exact. */
static size_t series_runs(void *user, double n)
{
  const sc_drive *drive = user;
  size_t runs = sc_drive_count_runs(drive, n);
  return runs && !drive->unsteady ? 1 : runs;
}

static double series_value(void *user, size_t index, double n, size_t run)
{
  const sc_drive *drive = user;
  for (size_t r = 0; r < sc_graph_run_count(drive->graph); r++) {
    const sc_run *at = sc_graph_run_const(drive->graph, r);
    if (at->n == n && at->role != SC_RUN_TARGET && run-- == 0)
      return sc_graph_value(drive->graph, r, drive->series.contexts[index], SC_METRIC_COUNT);
  }
  return 0;
}

/* Of a whole run: making its input and cleaning up cost as much as the command's own time. */
static double series_seconds(void *user, double n)
{
  const sc_drive *drive = user;
  double sum = 0, runs = 0;
  for (size_t r = 0; r < sc_graph_run_count(drive->graph); r++) {
    const sc_run *at = sc_graph_run_const(drive->graph, r);
    if (at->n == n && at->role != SC_RUN_TARGET)
      sum += at->wall_seconds, runs++;
  }
  return runs > 0 ? sum / runs + drive->overhead : 0;
}

static double expected_seconds(void *user, double n)
{
  sc_drive *drive = user;
  double seconds = sc_drive_expect(drive, n);
  return seconds < 0 ? seconds : seconds + drive->overhead;
}

/* A size whose time would decide whether executions take longer at larger sizes, where the times so far allow both. */
static int deciding_size(void *user, double *n)
{
  const sc_drive *drive = user;
  const sc_drive_options *o = drive->options;
  sc_analysis *analysis;
  *n = 0;
  int err = sc_loaded_analyse(o->study_path, drive->workload, drive->graph, &o->fit, NULL, 0, NULL, &analysis);
  if (err == SC_E_TOOLITTLE) /* whoever reports says so */
    return 0;
  SC_TRY(err);
  sc_time_growth time = sc_analysis_time_growth(analysis);
  sc_analysis_free(analysis);
  if (time.state == SC_TIME_UNDECIDED || time.state == SC_TIME_UNCHECKED)
    *n = time.between > 0 ? time.between : isfinite(time.deciding) ? time.deciding : 0;
  return 0;
}

/* Times matter where they are sampled, and sizes that nobody listed may run. */
static bool times_may_decide(const sc_drive *drive)
{
  return sc_execute_samples(drive->options->event) &&
         (!sc_workload_is_closed(drive->workload) || sc_workload_may_open(drive->workload));
}

/* "narrows the total count at n = 1,000,000 from +-40% to about +-12%" */
static void explain(const sc_drive *drive, const sc_plan_step *found, sc_drive_step *step)
{
  sc_plan_state state = sc_plan_status(drive->plan);
  int length = snprintf(step->why, sizeof step->why, "%s", sc_plan_reason_text(found->reason));
  if (state.expected < 0 || length < 0)
    return;
  snprintf(step->why + length, sizeof step->why - (size_t)length, ": the total count at %s = %s from %s to %s%s",
           drive->workload->parameter, sc_format_number(state.target).s, sc_format_margin(state.width).s,
           state.expected > 0 ? "about " : "", sc_format_margin(state.expected).s);
}

static void warn_of_budget(sc_drive *drive, sc_plan_state state)
{
  char text[300];
  snprintf(text, sizeof text, "the time of %s is used up: the total count at %s = %s is known to %s",
           sc_format_seconds(sc_drive_budget(drive)).s, drive->workload->parameter, sc_format_number(state.target).s,
           sc_format_margin(state.width).s);
  sc_drive_warn(drive, text, "the same command with a longer --budget goes on from there");
}

int sc_drive_plan_next(sc_drive *drive, sc_drive_step *step)
{
  const sc_plan_data data = {.user = drive,
                             .count = series_count,
                             .cost = series_cost,
                             .runs = series_runs,
                             .value = series_value,
                             .seconds = series_seconds,
                             .expect = expected_seconds,
                             .further = times_may_decide(drive) ? deciding_size : NULL,
                             .limit = sc_drive_chosen_limit(drive) + drive->overhead,
                             .left = sc_drive_seconds_left(drive),
                             .counts = !drive->unsteady};
  sc_plan_step found = {0};
  size_t iteration = sc_plan_status(drive->plan).iteration;
  if (sc_plan_decides(drive->plan) && !drive->made && drive->plan_stop != SC_PLAN_RUNNING)
    return 0;
  int more = sc_plan_next(drive->plan, &data, &found);
  if (drive->series.error < 0)
    return sc_err_kept(more); /* for want of memory; "no series" is what came of it */
  SC_TRY(more);
  sc_plan_state state = sc_plan_status(drive->plan);
  if (state.iteration != iteration)
    sc_drive_tell(drive, SC_DRIVE_FITTED, NULL, 0, -1);
  if (more == 0) {
    if (state.stop == SC_PLAN_BUDGET)
      warn_of_budget(drive, state);
    return remember_stop(drive, state.stop);
  }
  *step = (sc_drive_step){.n = found.n,
                          .runs = found.runs,
                          .role = found.reason == SC_PLAN_CHECK ? SC_RUN_VALIDATION : SC_RUN_TRAINING,
                          .first = found.reason == SC_PLAN_INITIAL,
                          .check = found.reason == SC_PLAN_CHECK};
  explain(drive, &found, step);
  return more;
}

void sc_drive_plan_end(const sc_drive *drive, char *text, size_t size)
{
  sc_plan_state state = sc_plan_status(drive->plan);
  if (state.iteration == 0) { /* nothing was to be decided: a study that had ended already */
    bool cut = drive->plan_stop == SC_PLAN_RUNNING && sc_drive_out_of_time(drive);
    snprintf(text, size, "%s", cut ? "the time is used up" : sc_plan_stop_text(drive->plan_stop));
    return;
  }
  int length = snprintf(text, size, "%s: at %s = %s %s", sc_plan_stop_text(state.stop), drive->workload->parameter,
                        sc_format_number(state.target).s, sc_format_margin(state.width).s);
  if (state.wide && length > 0 && (size_t)length < size)
    length += snprintf(text + length, size - (size_t)length, ", less closely %zu of the counts that make 1%% of it",
                       state.wide);
  if (state.lacking > 0 && length > 0 && (size_t)length < size)
    length += snprintf(text + length, size - (size_t)length,
                       "; too little time is left for a size that shows whether an execution takes longer");
  if (length < 0 || (size_t)length >= size)
    return;
  if (state.stop == SC_PLAN_TOO_SLOW)
    snprintf(text + length, size - (size_t)length, " (%s); a longer --timeout lets it",
             sc_format_seconds(sc_drive_chosen_limit(drive)).s);
  else if ((state.stop == SC_PLAN_NO_GAIN || state.stop == SC_PLAN_STALLED) && sc_workload_may_open(drive->workload))
    snprintf(text + length, size - (size_t)length, "; larger sizes may: -P %s=LOW..HIGH+ (a file's <validation>)",
             drive->workload->parameter);
}
