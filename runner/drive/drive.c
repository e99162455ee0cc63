/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A study, driven: asks for the next size, runs it, stores it, until the models are good enough. */
#include "runner/drive/drive.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "runner/drive/internal.h"
#include "runner/process/latency.h"
#include "runner/process/process.h"
#include "runner/process/saved_error.h"
#include "runner/text/format.h"
#include "runner/workload/expand.h"

static void warn_about_targets(sc_drive *drive)
{
  const sc_workload *workload = drive->workload;
  for (size_t i = 0; i < workload->target_count; i++) {
    char text[300], target[64], low[64], high[64];
    sc_expand_number(workload->targets[i], target, sizeof target);
    sc_expand_number(workload->range_low, low, sizeof low);
    sc_expand_number(workload->range_high, high, sizeof high);
    if (workload->targets[i] >= workload->range_low)
      continue;
    snprintf(text, sizeof text, "the target size %s = %s is below the measured ones (%s..%s)", workload->parameter,
             target, low, high);
    sc_drive_warn(drive, text,
                  "predictions are meant for larger sizes; lower the range, or give a larger target (--at)");
  }
}

/* The time ended while it ran: it counts as one that was not begun. */
static int unfinished(sc_drive *drive, const sc_drive_step *step)
{
  drive->first_done -= step->first;
  drive->check_done -= step->check;
  return 0;
}

/* A size that was chosen, not named, and at which the program fails: it costs that size, and larger ones or those
 * between others, not the study. */
static int give_up(sc_drive *drive, sc_drive_step *step)
{
  sc_saved_error saved;
  double n = step->n, largest = drive->first_count ? drive->first[drive->first_count - 1] : 0;
  sc_saved_error_take(&saved);
  sc_buf text = {0};
  sc_buf_printf(&text, "%s = %s is left out: %s", drive->workload->parameter, sc_format_number(n).s, saved.message);
  if (sc_buf_finish(&text) == 0)
    sc_drive_warn(drive, text.text,
                  n > largest ? "the size was chosen beyond those named; smaller ones are used in its place"
                              : "the size was chosen between those named; no other one between them is tried");
  sc_buf_free(&text);
  return sc_drive_choose_instead(drive, 0, step);
}

/* Runs the step, or a smaller size where it would take, or takes, too long. */
static int measure(sc_drive *drive, sc_drive_step *step)
{
  drive->first_done += step->first;
  drive->check_done += step->check;
  drive->named = step->first;
  for (;;) {
    SC_TRY(sc_drive_admit(drive, step));
    if (step->n <= 0)
      return 0;
    int err = sc_drive_measure(drive, step, 0);
    if (err == 0 && step->first)
      err = sc_drive_rounds_add(drive, step);
    if (err == SC_E_TIMEOUT && drive->cut)
      return unfinished(drive, step);
    if (err == SC_E_TARGET && !step->first && sc_drive_count_runs(drive, step->n) == 0)
      return give_up(drive, step);
    if (err != SC_E_TIMEOUT || !drive->limit_hit || sc_graph_run_count(drive->graph) == 0)
      return err;
    SC_TRY(sc_drive_stopped(drive, step));
  }
}

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
static int choose(sc_drive *drive, sc_drive_step *step)
{
  bool first = drive->first_done < drive->first_count;
  if (sc_drive_out_of_time(drive) && (!drive->plan || first))
    return 0;
  return sc_drive_choose_next(drive, step);
}

static int refine(sc_drive *drive)
{
  for (;;) {
    sc_drive_step step;
    size_t made = drive->made;
    sc_drive_set_adding(drive, false);
    SC_TRY(end_rounds(drive));
    if (drive->first_done >= drive->first_count)
      SC_TRY(sc_drive_vary(drive));
    sc_drive_set_adding(drive, !asked_for(drive));
    int more = choose(drive, &step);
    SC_TRY(more);
    if (!more)
      break;
    SC_TRY(measure(drive, &step));
    if (drive->made > made || drive->cut)
      SC_TRY(sc_drive_remember_spent(drive));
  }
  drive->named = false;
  SC_TRY(sc_drive_warn_about_budget(drive));
  SC_TRY(sc_drive_remember_cut(drive));
  sc_drive_warn_about_limit(drive);
  sc_drive_set_adding(drive, false);
  SC_TRY(sc_drive_plain_measure(drive));
  sc_drive_set_adding(drive, true);
  SC_TRY(sc_drive_repeat_short(drive));
  sc_drive_set_adding(drive, false);
  SC_TRY(sc_drive_remember_spent(drive));
  sc_drive_tell(drive, SC_DRIVE_STOPPED, NULL, 0, -1);
  return 0;
}

/* <teardown>, whatever happened; the first error is the one that is told. */
static int finish(sc_drive *drive, int err)
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

int sc_drive_study(const sc_workload *workload, const sc_drive_options *options)
{
  sc_drive drive = {.workload = workload, .options = options, .lock = -1, .scratch_lock = -1, .start = sc_clock_now()};
  int err;
  SC_GOTO(sc_drive_open(&drive, SC_STUDY_CREATE));
  SC_GOTO(sc_drive_recall_spent(&drive));
  SC_GOTO(sc_drive_choose_start(&drive));
  SC_GOTO(sc_drive_recall_limit(&drive));
  warn_about_targets(&drive);
  drive.run_number = sc_graph_run_count(drive.graph);
  if (drive.run_number)
    sc_drive_tell(&drive, SC_DRIVE_RESUMED, NULL, 0, -1);
  sc_drive_tell_budget(&drive);
  if (sc_execute_samples(options->event))
    SC_GOTO(sc_latency_keep(drive.study));
  err = refine(&drive);
  err = finish(&drive, err);
out:
  sc_drive_close(&drive);
  return err;
}

int sc_drive_verify(const sc_workload *workload, const sc_drive_options *options, double n, const double *others)
{
  sc_drive drive = {.workload = workload, .options = options, .lock = -1, .scratch_lock = -1, .start = sc_clock_now()};
  int err;
  SC_GOTO(sc_drive_open(&drive, SC_STUDY_WRITE));
  sc_run planned = {.n = n, .role = SC_RUN_TARGET};
  sc_workload_base(workload, planned.others);
  if (others && !sc_workload_is_base(workload, others)) {
    planned.role = SC_RUN_VARIED_TARGET;
    memcpy(planned.others, others, sizeof planned.others);
    planned.repeat = sc_drive_vary_count(&drive, &planned);
  } else
    for (size_t r = 0; r < sc_graph_run_count(drive.graph); r++)
      planned.repeat += sc_graph_run_const(drive.graph, r)->n == n;
  err = sc_drive_run(&drive, &planned);
  if (err == 0)
    err = sc_drive_plain_target(&drive, &planned);
  err = finish(&drive, err);
out:
  sc_drive_close(&drive);
  return err;
}
