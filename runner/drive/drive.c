/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A study, driven: asks for the next size, runs it, stores it, until the models are good enough. */
#include "runner/drive/drive.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/saved_error.h"
#include "runner/drive/internal.h"
#include "runner/process/latency.h"
#include "runner/text/format.h"
#include "runner/text/tuning.h"
#include "runner/workload/expand.h"

/* ---- what is said at the start and at the end ---- */

/* No error: such a target is predicted, too, but nobody needs a model for what can be run in no time. */
static void warn_about_targets(sc_drive *drive)
{
  const sc_workload *workload = drive->workload;
  for (size_t i = 0; i < workload->target_count; i++) {
    char target[64], low[64], high[64];
    sc_expand_number(workload->targets[i], target, sizeof target);
    sc_expand_number(workload->range_low, low, sizeof low);
    sc_expand_number(workload->range_high, high, sizeof high);
    if (workload->targets[i] >= workload->range_low)
      continue;
    sc_drive_warn_of(drive, "predictions are meant for larger sizes; lower the range, or give a larger target (--at)",
                     "the target size %s = %s is below the measured ones (%s..%s)", workload->parameter, target, low,
                     high);
  }
}

static void tell_budget(sc_drive *drive)
{
  char text[240], used[96] = "";
  bool given = drive->options->budget_seconds > 0;
  double before = given ? drive->spent_before : drive->added_before;
  if (before >= 1)
    snprintf(used, sizeof used, ", %s of it used", sc_format_seconds(before).s);
  snprintf(text, sizeof text,
           given ? "time budget: %s for the whole study%s"
                 : "time budget: %s for sizes beyond those named%s (default; --budget TIME changes it)",
           sc_format_seconds(given ? drive->options->budget_seconds : sc_drive_default_budget(drive)).s, used);
  sc_drive_tell(drive, (sc_drive_event){.kind = SC_DRIVE_BUDGET, .text = text});
}

/* What was to be run when the time ended, if it did: seconds, 0: unknown. False if it did not. */
static bool is_cut(const sc_drive *drive, double *lacking)
{
  *lacking = 0;
  if (!drive->plan)
    return sc_drive_out_of_time(drive) && sc_refine_status(drive->refine).stop == SC_REFINE_RUNNING;
  sc_plan_state state = sc_plan_status(drive->plan);
  *lacking = state.stop == SC_PLAN_BUDGET ? fmax(state.seconds, state.lacking) : state.lacking;
  return state.stop == SC_PLAN_BUDGET || sc_drive_times_are_cut(drive) ||
         (state.stop == SC_PLAN_RUNNING && sc_drive_out_of_time(drive));
}

/* The report offers a budget that would do: twice this one, or what the next size lacks and some more. */
static int remember_cut(sc_drive *drive)
{
  char text[160] = "";
  double lacking;
  if (drive->plan && sc_plan_status(drive->plan).iteration == 0 && drive->plan_stop != SC_PLAN_RUNNING)
    return 0; /* the same command again decides nothing */
  if (is_cut(drive, &lacking)) {
    sc_plan_state state = drive->plan ? sc_plan_status(drive->plan) : (sc_plan_state){.width = -1};
    double wanted = fmax(2 * sc_drive_budget(drive), sc_drive_spent(drive) + SC_DRIVE_AMPLE * lacking);
    snprintf(text, sizeof text, "%.17g %d %d %.17g %.17g", sc_drive_budget(drive), drive->options->budget_seconds > 0,
             drive->plan && sc_drive_times_are_cut(drive), wanted, state.width);
  }
  return sc_study_put(drive->study, "budget_cut", text);
}

static void add_drive_sizes(const sc_drive *drive, sc_buf *text)
{
  const char *between = "";
  for (size_t i = drive->first_done; i < drive->first_count; i++) {
    if (sc_drive_count_runs(drive, drive->first[i])) /* of a study that was resumed */
      continue;
    if (!*between)
      sc_buf_printf(text, "%s = ", drive->workload->parameter);
    sc_buf_printf(text, "%s%s", between, sc_format_number(drive->first[i]).s);
    between = ", ";
  }
}

/* "n = 1,600, 3,200; 4 repeats of first sizes; 8 runs of further parameters" */
static void list_left_out_sizes(const sc_drive *drive, sc_buf *text)
{
  add_drive_sizes(drive, text);
  const char *between = text->length ? "; " : "";
  if (drive->repeats_left_out) {
    sc_buf_printf(text, "%s%s of first sizes", between, sc_format_plural(drive->repeats_left_out, "repeat").s);
    between = "; ";
  }
  size_t varied = drive->varied_done ? drive->varied_left_out : sc_drive_vary_left(drive);
  if (varied)
    sc_buf_printf(text, "%s%s of further parameters", between, sc_format_plural(varied, "run").s);
}

static int warn_about_budget(sc_drive *drive)
{
  sc_buf left = {0}, text = {0};
  int err;
  if (!isfinite(sc_drive_seconds_left(drive)))
    return 0;
  list_left_out_sizes(drive, &left);
  SC_GOTO(sc_buf_finish(&left));
  /* The plan has said how closely the total is known, or had nothing left to do. */
  bool plan_told = drive->plan && (drive->first_done >= drive->first_count || drive->plan_stop != SC_PLAN_RUNNING);
  if (!left.length && (plan_told || !sc_drive_out_of_time(drive)))
    goto out;
  sc_buf_printf(&text, "the time of %s is used up; ", sc_format_seconds(sc_drive_budget(drive)).s);
  if (left.length)
    sc_buf_printf(&text, "left out: %s", left.text);
  else
    sc_buf_puts(&text, "no further sizes are run");
  SC_GOTO(sc_buf_finish(&text));
  sc_drive_warn(drive, text.text,
                "the same command with a longer --budget resumes from there; a lower range (-P) is "
                "quicker");
out:
  sc_buf_free(&left);
  sc_buf_free(&text);
  return err < 0 ? err : 0;
}

static void warn_about_limit(sc_drive *drive)
{
  if (!drive->skipped || sc_drive_given_limit(drive) > 0)
    return;
  sc_drive_warn_of(drive, "--timeout 10min lets every run take that long; the models know smaller sizes only",
                   "%s would have taken too long and %s skipped", sc_format_plural(drive->skipped, "size").s,
                   drive->skipped == 1 ? "was" : "were");
}

/* ---- the study ---- */

/* The sizes named, as often as wanted, come before any that is chosen by what was measured there. */
static int end_rounds(sc_drive *drive)
{
  size_t made = drive->made;
  if (drive->first_done < drive->first_count)
    return 0;
  SC_TRY(sc_drive_rounds_finish(drive));
  return drive->made > made ? sc_drive_remember_spent(drive) : 0;
}

/* Sizes that the workload or the procedure asked for have no budget unless the user gives one. */
static bool asked_for(const sc_drive *drive)
{
  return drive->first_done < drive->first_count || (drive->refine && drive->check_done < drive->check_count);
}

/* Another size, unless the time is over. The plan keeps to the time by itself once the first sizes ran. */
static int choose_drive_step(sc_drive *drive, sc_drive_step *step)
{
  bool first = drive->first_done < drive->first_count;
  if (sc_drive_out_of_time(drive) && (!drive->plan || first))
    return 0;
  return sc_drive_choose_next(drive, step);
}

/* Other programs share the caches: what memory takes is measured now and then, as long as the study goes on. */
static int watch_memory(sc_drive *drive)
{
  double start = sc_clock_now();
  if (!sc_execute_samples(drive->execute.event) || start < drive->memory_due)
    return 0;
  SC_TRY(sc_latency_keep(drive->study));
  double end = sc_clock_now();
  drive->memory_due = end + (end - start) / SC_DRIVE_WATCH;
  return 0;
}

/* Sizes that the user named come first and whole: what is added by itself, or repeated to be surer, has a default
 * budget and must not keep the user waiting for what was asked for. */
static int refine_drive(sc_drive *drive)
{
  char text[400];
  for (;;) {
    sc_drive_step step;
    size_t made = drive->made;
    sc_drive_set_adding(drive, false);
    SC_TRY(sc_drive_misspelt_check_budgets(drive));
    SC_TRY(end_rounds(drive));
    if (drive->first_done >= drive->first_count)
      SC_TRY(sc_drive_vary(drive));
    sc_drive_set_adding(drive, !asked_for(drive));
    int more = choose_drive_step(drive, &step);
    SC_TRY(more);
    if (!more)
      break;
    SC_TRY(watch_memory(drive));
    SC_TRY(sc_drive_measure_step(drive, &step));
    if (drive->made > made || drive->cut)
      SC_TRY(sc_drive_remember_spent(drive));
  }
  drive->named = false;
  SC_TRY(warn_about_budget(drive));
  SC_TRY(remember_cut(drive));
  warn_about_limit(drive);
  sc_drive_uprobes_check_called(drive);
  sc_drive_set_adding(drive, false);
  SC_TRY(sc_drive_plain_measure(drive));
  sc_drive_set_adding(drive, true);
  SC_TRY(sc_drive_repeat_short(drive));
  if (drive->made)
    SC_TRY(watch_memory(drive));
  sc_drive_set_adding(drive, false);
  SC_TRY(sc_drive_remember_spent(drive));
  sc_drive_choose_end(drive, text, sizeof text);
  sc_drive_tell(drive, (sc_drive_event){.kind = SC_DRIVE_STOPPED, .seconds = -1, .text = text});
  return 0;
}

/* <teardown>, whatever happened; the first error is the one that is reported. */
static int finish_drive(sc_drive *drive, int err)
{
  sc_saved_error saved;
  if (!drive->set_up)
    return err;
  sc_saved_error_take(&saved);
  sc_execute_options options = drive->execute;
  options.interrupted = NULL;
  options.deadline = 0;
  int ended = sc_execute_teardown(drive->workload, &options);
  return err == 0 ? ended : sc_saved_error_restore(&saved, err);
}

static int open_drive(sc_drive *drive, enum sc_study_mode mode)
{
  SC_TRY(sc_drive_open_study(drive, mode));
  for (size_t r = 0; r < sc_graph_run_count(drive->graph); r++)
    sc_drive_check_steady(drive, r);
  return 0;
}

static void close_drive(sc_drive *drive)
{
  sc_drive_close_study(drive);
  sc_drive_series_free(&drive->series);
  sc_refine_free(drive->refine);
  sc_plan_free(drive->plan);
  free(drive->first);
  free(drive->rounds);
  free(drive->totals);
}

/* Everything is in the study as soon as it is measured, so that an interruption at any point loses one run at most; the
 * same command resumes there. */
int sc_drive_study(const sc_workload *workload, const sc_drive_options *options)
{
  sc_drive drive = {.workload = workload, .options = options, .lock = -1, .scratch_lock = -1, .start = sc_clock_now()};
  int err;
  SC_GOTO(open_drive(&drive, SC_STUDY_CREATE));
  SC_GOTO(sc_drive_recall_spent(&drive));
  SC_GOTO(sc_drive_choose_start(&drive));
  SC_GOTO(sc_drive_recall_limit(&drive));
  warn_about_targets(&drive);
  drive.run_number = sc_graph_run_count(drive.graph);
  if (drive.run_number)
    sc_drive_tell(&drive, (sc_drive_event){.kind = SC_DRIVE_RESUMED, .run_number = drive.run_number});
  tell_budget(&drive);
  SC_GOTO(sc_drive_tell_values(&drive));
  err = refine_drive(&drive);
  err = finish_drive(&drive, err);
out:
  close_drive(&drive);
  return err;
}

int sc_drive_verify(const sc_workload *workload, const sc_drive_options *options, double n, const double *others)
{
  sc_drive drive = {.workload = workload, .options = options, .lock = -1, .scratch_lock = -1, .start = sc_clock_now()};
  int err;
  SC_GOTO(open_drive(&drive, SC_STUDY_WRITE));
  sc_run planned = {.n = n, .role = SC_RUN_TARGET};
  sc_workload_base(workload, planned.others);
  if (others && !sc_workload_is_base(workload, others)) {
    planned.role = SC_RUN_VARIED_TARGET;
    memcpy(planned.others, others, sizeof planned.others);
    planned.repeat = sc_drive_vary_count(&drive, &planned);
  } else
    for (size_t r = 0; r < sc_graph_run_count(drive.graph); r++)
      planned.repeat += sc_graph_run_const(drive.graph, r)->n == n;
  err = sc_drive_run(&drive, &planned) ?: sc_drive_plain_target(&drive, &planned);
  err = finish_drive(&drive, err);
out:
  close_drive(&drive);
  return err;
}
