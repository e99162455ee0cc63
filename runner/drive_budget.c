/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * --budget: no run is begun that is not expected to end within it, and the run that is under way when it ends is
 * stopped. So the time of a study is known before it begins, whatever its first sizes take.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "runner/drive_internal.h"
#include "runner/format.h"
#include "runner/process.h"

double sc_drive_seconds_left(const sc_drive *drive)
{
  double budget = drive->options->budget_seconds;
  return budget > 0 ? budget - drive->spent_before - (sc_process_now() - drive->start) : INFINITY;
}

bool sc_drive_out_of_time(const sc_drive *drive) { return drive->cut || sc_drive_seconds_left(drive) <= 0; }

bool sc_drive_fits(const sc_drive *drive, double seconds)
{
  return !sc_drive_out_of_time(drive) && fmax(seconds, 0) + drive->overhead <= sc_drive_seconds_left(drive);
}

/* Of a resumed study the time of its earlier runs counts, too. */
int sc_drive_recall_spent(sc_drive *drive)
{
  char *stored = NULL;
  SC_TRY(sc_study_get(drive->study, "spent_seconds", &stored));
  double seconds = stored ? strtod(stored, NULL) : 0;
  drive->spent_before = seconds > 0 && isfinite(seconds) ? seconds : 0;
  free(stored);
  return 0;
}

int sc_drive_remember_spent(const sc_drive *drive)
{
  char text[32];
  snprintf(text, sizeof text, "%.3f", drive->spent_before + sc_process_now() - drive->start);
  return sc_study_put(drive->study, "spent_seconds", text);
}

static void add_sizes(const sc_drive *drive, sc_buf *text)
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
static void list_left_out(const sc_drive *drive, sc_buf *text)
{
  add_sizes(drive, text);
  const char *between = text->length ? "; " : "";
  if (drive->repeats_left_out) {
    sc_buf_printf(text, "%s%s of first sizes", between, sc_format_plural(drive->repeats_left_out, "repeat").s);
    between = "; ";
  }
  size_t varied = drive->varied_done ? drive->varied_left_out : sc_drive_vary_left(drive);
  if (varied)
    sc_buf_printf(text, "%s%s of further parameters", between, sc_format_plural(varied, "run").s);
}

int sc_drive_warn_about_budget(sc_drive *drive)
{
  sc_buf left = {0}, text = {0};
  int err;
  if (!isfinite(sc_drive_seconds_left(drive)))
    return 0;
  list_left_out(drive, &left);
  SC_GOTO(sc_buf_finish(&left));
  /* The plan has said how closely the total is known, or had nothing left to do. */
  bool plan_told = drive->plan && (drive->first_done >= drive->first_count || drive->plan_stop != SC_PLAN_RUNNING);
  if (!left.length && (plan_told || !sc_drive_out_of_time(drive)))
    goto out;
  sc_buf_printf(&text, "the time of %s is used up; ", sc_format_seconds(drive->options->budget_seconds).s);
  if (left.length)
    sc_buf_printf(&text, "left out: %s", left.text);
  else
    sc_buf_puts(&text, "no further sizes are run");
  SC_GOTO(sc_buf_finish(&text));
  sc_drive_warn(drive, text.text,
                "the same command with a longer --budget goes on from there; a lower range (-P) is "
                "quicker");
out:
  sc_buf_free(&left);
  sc_buf_free(&text);
  return err < 0 ? err : 0;
}
