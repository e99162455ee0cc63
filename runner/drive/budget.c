/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The budget of time: no run is begun that is not expected to end within it, and the run that is under way when it ends
 * is stopped. With --budget it is that of the study: its time is known before it begins, whatever its first sizes take.
 * By default it is that of the sizes that nobody named: those named are run, whatever they take.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "runner/drive/internal.h"
#include "runner/process/process.h"
#include "runner/text/format.h"

/* Seconds that chosen sizes may take by default: 20 of them (--max-iterations) of three runs of 10 seconds, the
 * longest that short studies choose. So it ends no study but those whose own sizes take longer; these may take as long
 * again as those did. */
static const double DEFAULT_SECONDS = 600;

static double spent(const sc_drive *drive) { return drive->spent_before + sc_clock_now() - drive->start; }

static double spent_adding(const sc_drive *drive)
{
  double open = drive->adding ? sc_clock_now() - drive->adding_since : 0;
  return drive->added_before + drive->added + open;
}

void sc_drive_set_adding(sc_drive *drive, bool adding)
{
  drive->added = spent_adding(drive) - drive->added_before;
  drive->adding = adding;
  drive->adding_since = sc_clock_now();
}

static double default_budget(const sc_drive *drive)
{
  return fmax(DEFAULT_SECONDS, spent(drive) - spent_adding(drive));
}

double sc_drive_budget(const sc_drive *drive)
{
  if (drive->options->budget_seconds > 0)
    return drive->options->budget_seconds;
  return drive->adding ? default_budget(drive) : INFINITY;
}

double sc_drive_seconds_left(const sc_drive *drive)
{
  return sc_drive_budget(drive) - (drive->options->budget_seconds > 0 ? spent(drive) : spent_adding(drive));
}

bool sc_drive_out_of_time(const sc_drive *drive) { return drive->cut || sc_drive_seconds_left(drive) <= 0; }

bool sc_drive_fits(const sc_drive *drive, double seconds)
{
  return !sc_drive_out_of_time(drive) && fmax(seconds, 0) + drive->overhead <= sc_drive_seconds_left(drive);
}

static int recall_seconds(const sc_drive *drive, const char *key, double *seconds)
{
  char *stored = NULL;
  SC_TRY(sc_study_get(drive->study, key, &stored));
  double found = stored ? strtod(stored, NULL) : 0;
  *seconds = found > 0 && isfinite(found) ? found : 0;
  free(stored);
  return 0;
}

static int remember_seconds(const sc_drive *drive, const char *key, double seconds)
{
  char text[32];
  snprintf(text, sizeof text, "%.3f", seconds);
  return sc_study_put(drive->study, key, text);
}

/* Of a resumed study the time of its earlier runs counts, too. */
int sc_drive_recall_spent(sc_drive *drive)
{
  SC_TRY(recall_seconds(drive, "spent_seconds", &drive->spent_before));
  return recall_seconds(drive, "added_seconds", &drive->added_before);
}

int sc_drive_remember_spent(const sc_drive *drive)
{
  SC_TRY(remember_seconds(drive, "spent_seconds", spent(drive)));
  return remember_seconds(drive, "added_seconds", spent_adding(drive));
}

void sc_drive_tell_budget(sc_drive *drive)
{
  char text[240], used[96] = "";
  bool given = drive->options->budget_seconds > 0;
  double before = given ? drive->spent_before : drive->added_before;
  if (before >= 1)
    snprintf(used, sizeof used, ", %s of it used", sc_format_seconds(before).s);
  snprintf(text, sizeof text,
           given ? "time budget: %s for the whole study%s"
                 : "time budget: %s for sizes beyond those named%s (default; --budget TIME changes it)",
           sc_format_seconds(given ? drive->options->budget_seconds : default_budget(drive)).s, used);
  const sc_drive_event event = {.kind = SC_DRIVE_BUDGET, .text = text, .seconds_left = -1};
  if (drive->options->report)
    drive->options->report(drive->options->user, &event);
}

/* What was to be run when the time ended, if it did: seconds, 0: unknown. False if it did not. */
static bool is_cut(const sc_drive *drive, double *lacking)
{
  *lacking = 0;
  if (!drive->plan)
    return sc_drive_out_of_time(drive) && sc_refine_status(drive->refine).stop == SC_REFINE_RUNNING;
  sc_plan_state state = sc_plan_status(drive->plan);
  *lacking = state.stop == SC_PLAN_BUDGET ? fmax(state.seconds, state.lacking) : state.lacking;
  return state.stop == SC_PLAN_BUDGET || state.lacking > 0 ||
         (state.stop == SC_PLAN_RUNNING && sc_drive_out_of_time(drive));
}

int sc_drive_remember_cut(sc_drive *drive)
{
  static const double AMPLE = 1.25; /* forecasts err */
  char text[160] = "";
  double lacking;
  if (drive->plan && sc_plan_status(drive->plan).iteration == 0 && drive->plan_stop != SC_PLAN_RUNNING)
    return 0; /* the same command again decides nothing */
  if (is_cut(drive, &lacking)) {
    sc_plan_state state = drive->plan ? sc_plan_status(drive->plan) : (sc_plan_state){.width = -1};
    double wanted = fmax(2 * sc_drive_budget(drive), spent(drive) + AMPLE * lacking);
    snprintf(text, sizeof text, "%.17g %d %d %.17g %.17g", sc_drive_budget(drive), drive->options->budget_seconds > 0,
             state.lacking > 0, wanted, state.width);
  }
  return sc_study_put(drive->study, "budget_cut", text);
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
  sc_buf_printf(&text, "the time of %s is used up; ", sc_format_seconds(sc_drive_budget(drive)).s);
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
