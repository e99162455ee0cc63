/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A study, driven: asks for the next size, runs it, stores it, until the models are good enough. */
#include "runner/drive.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "runner/drive_internal.h"
#include "runner/expand.h"
#include "runner/format.h"
#include "runner/process.h"
#include "runner/saved_error.h"

enum { ENOUGH_SIZES = 3 };

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

double sc_drive_seconds_left(const sc_drive *drive)
{
  double budget = drive->options->budget_seconds;
  return budget > 0 ? budget - drive->spent_before - (sc_process_now() - drive->start) : INFINITY;
}

/* The plan keeps to the time by itself. */
static bool budget_spent(sc_drive *drive)
{
  if (drive->plan || sc_drive_seconds_left(drive) > 0 || drive->first_done < drive->first_count ||
      drive->series.size_count < ENOUGH_SIZES)
    return false;
  char text[200];
  snprintf(text, sizeof text, "the time of %s is used up; no further sizes are run",
           sc_format_seconds(drive->options->budget_seconds).s);
  sc_drive_warn(drive, text, "give more time, or fewer validation sizes (<validation count=\"...\">)");
  return true;
}

/* Of a resumed study the time of its earlier runs counts, too. */
static int recall_spent(sc_drive *drive)
{
  char *stored = NULL;
  SC_TRY(sc_study_get(drive->study, "spent_seconds", &stored));
  double seconds = stored ? strtod(stored, NULL) : 0;
  drive->spent_before = seconds > 0 && isfinite(seconds) ? seconds : 0;
  free(stored);
  return 0;
}

static int remember_spent(const sc_drive *drive)
{
  char text[32];
  snprintf(text, sizeof text, "%.3f", drive->spent_before + sc_process_now() - drive->start);
  return sc_study_put(drive->study, "spent_seconds", text);
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
  return drive->made > made ? remember_spent(drive) : 0;
}

static int refine(sc_drive *drive)
{
  for (;;) {
    sc_drive_step step;
    size_t made = drive->made;
    SC_TRY(end_rounds(drive));
    if (drive->first_done >= drive->first_count)
      SC_TRY(sc_drive_vary(drive));
    int more = budget_spent(drive) ? 0 : sc_drive_choose_next(drive, &step);
    SC_TRY(more);
    if (!more)
      break;
    SC_TRY(measure(drive, &step));
    if (drive->made > made)
      SC_TRY(remember_spent(drive));
  }
  drive->named = false;
  sc_drive_warn_about_limit(drive);
  SC_TRY(sc_drive_repeat_short(drive));
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
  int ended = sc_execute_teardown(drive->workload, &options);
  return err == 0 ? ended : sc_saved_error_restore(&saved, err);
}

int sc_drive_study(const sc_workload *workload, const sc_drive_options *options)
{
  sc_drive drive = {.workload = workload, .options = options, .lock = -1, .scratch_lock = -1, .start = sc_process_now()};
  int err;
  SC_GOTO(sc_drive_open(&drive, SC_STUDY_CREATE));
  SC_GOTO(recall_spent(&drive));
  SC_GOTO(sc_drive_choose_start(&drive));
  SC_GOTO(sc_drive_recall_limit(&drive));
  warn_about_targets(&drive);
  drive.run_number = sc_graph_run_count(drive.graph);
  if (drive.run_number)
    sc_drive_tell(&drive, SC_DRIVE_RESUMED, NULL, 0, -1);
  err = refine(&drive);
  err = finish(&drive, err);
out:
  sc_drive_close(&drive);
  return err;
}

int sc_drive_verify(const sc_workload *workload, const sc_drive_options *options, double n, const double *others)
{
  sc_drive drive = {.workload = workload, .options = options, .lock = -1, .scratch_lock = -1, .start = sc_process_now()};
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
  err = finish(&drive, err);
out:
  sc_drive_close(&drive);
  return err;
}
