/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a run may take. A study is to say what happens at sizes nobody wants to wait for, so it must not run them: a
 * size that is expected to take longer than its limit gives way to a smaller one before it runs, and a run that exceeds
 * it is stopped. Replacements are stored, so that a resumed study takes the same ones.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "runner/drive/internal.h"
#include "runner/text/format.h"

/* First sizes, which the user's own range names, may take long; those chosen by the models stay near what the range
 * itself takes. */
static const double FIRST_SECONDS = 60, FIRST_FACTOR = 100, CHOSEN_SECONDS = 10, CHOSEN_FACTOR = 10;

/* Who gives a time for everything lets one run have that share of what is left of it. */
static const double BUDGET_SHARE = 0.25;

/* Of the budget's rest, what a smaller size in place of one that does not fit may take: forecasts err, and a run that
 * is cut tells nothing. */
static const double LEFT_SHARE = 0.9;

/* Forecasts err, and a run that is stopped is lost; of the smallest sizes nothing can be foretold. */
static const double STOP_FACTOR = 2, UNKNOWN_SECONDS = 300;

/* More is not worth a figure. */
static const double LIFETIME = 100 * 365.25 * 86400;

static double longest_of_range(const sc_drive *drive)
{
  double longest = 0;
  for (size_t r = 0; r < sc_graph_run_count(drive->graph); r++) {
    const sc_run *run = sc_graph_run_const(drive->graph, r);
    if (run->role != SC_RUN_TARGET && run->n <= drive->workload->range_high)
      longest = fmax(longest, run->wall_seconds);
  }
  return longest;
}

static double given(const sc_drive *drive)
{
  return drive->options->timeout_seconds > 0 ? drive->options->timeout_seconds : drive->workload->command.timeout;
}

double sc_drive_chosen_limit(const sc_drive *drive)
{
  double factor = drive->range_too_long ? 1 : CHOSEN_FACTOR; /* such a range is as long as anyone wants to wait */
  double left = drive->options->budget_seconds > 0 ? sc_drive_seconds_left(drive) : INFINITY,
         usual = fmax(CHOSEN_SECONDS, factor * longest_of_range(drive));
  if (given(drive) > 0)
    return given(drive);
  return drive->plan && isfinite(left) ? fmax(usual, BUDGET_SHARE * left) : usual;
}

double sc_drive_limit(const sc_drive *drive)
{
  if (given(drive) > 0 || !drive->named || drive->range_too_long)
    return sc_drive_chosen_limit(drive);
  return fmax(FIRST_SECONDS, FIRST_FACTOR * longest_of_range(drive));
}

double sc_drive_stop_after(sc_drive *drive, double n)
{
  double limit = STOP_FACTOR * sc_drive_limit(drive);
  if (given(drive) > 0)
    return given(drive);
  return sc_drive_expect(drive, n) < 0 ? fmax(limit, UNKNOWN_SECONDS) : limit;
}

static double largest_below(const sc_drive *drive, double n)
{
  double largest = 0;
  for (size_t r = 0; r < sc_graph_run_count(drive->graph); r++)
    if (sc_graph_run_const(drive->graph, r)->n < n)
      largest = fmax(largest, sc_graph_run_const(drive->graph, r)->n);
  return largest;
}

/* The largest size below n that is expected to take no longer than a chosen size may; at least the largest
 * one below n that was run. Below a size that had to be stopped nothing is certain: not more than halfway to it, and
 * that only once. */
static double affordable(sc_drive *drive, double n)
{
  double low = largest_below(drive, n), high = n;
  double limit = fmin(sc_drive_chosen_limit(drive), LEFT_SHARE * (sc_drive_seconds_left(drive) - drive->overhead));
  if (low <= 0)
    return 0;
  if (drive->too_long > low && drive->too_long <= n)
    high = drive->stops > 1 ? low : sqrt(low * drive->too_long);
  for (int i = 0; i < 60; i++) {
    double middle = sqrt(low * high), seconds = sc_drive_expect(drive, middle);
    if (seconds > limit)
      high = middle;
    else
      low = middle;
  }
  return low;
}

static int remember(sc_drive *drive, double n, double instead, double limit)
{
  char key[64], value[80];
  snprintf(key, sizeof key, "instead_of %.17g", n);
  snprintf(value, sizeof value, "%.17g %.17g", instead, limit);
  return sc_study_put(drive->study, key, value);
}

/* Reads two numbers stored under `key`. False if they are not there, or were stored under a shorter limit than the one
 * the user has given now. */
static int recall(const sc_drive *drive, const char *key, double *number, double *limit, bool *found)
{
  char *stored = NULL;
  SC_TRY(sc_study_get(drive->study, key, &stored));
  *found = stored && sscanf(stored, "%lf %lf", number, limit) == 2 && !(drive->options->timeout_seconds > *limit);
  free(stored);
  return 0;
}

int sc_drive_recall_limit(sc_drive *drive)
{
  double n, seconds;
  bool found;
  SC_TRY(recall(drive, "too_long", &n, &seconds, &found));
  if (found) {
    drive->too_long = n;
    drive->too_long_seconds = seconds;
  }
  return 0;
}

/* "n = 60 skipped: would take about 3 h (limit 10 s); using n = 34 instead" */
static void describe(const sc_drive *drive, double n, const char *what, double instead, char *text, size_t size)
{
  const char *name = drive->workload->parameter;
  int length = snprintf(text, size, "%s = %s %s; ", name, sc_format_number(n).s, what);
  if (length < 0 || (size_t)length >= size)
    return;
  if (instead > 0)
    snprintf(text + length, size - (size_t)length, "using %s = %s instead", name, sc_format_number(instead).s);
  else
    snprintf(text + length, size - (size_t)length, "no smaller size takes its place");
}

static void tell_skipped(const sc_drive *drive, double n, double seconds, const char *text)
{
  const sc_drive_event event = {.kind = SC_DRIVE_SKIPPED, .n = n, .seconds = seconds, .seconds_left = -1, .text = text};
  if (drive->options->report)
    drive->options->report(drive->options->user, &event);
}

static int skip(sc_drive *drive, sc_drive_step *step, double seconds, double limit)
{
  char text[400], what[200];
  double n = step->n;
  drive->range_too_long |= drive->named;
  SC_TRY(sc_drive_choose_instead(drive, affordable(drive, n), step));
  SC_TRY(remember(drive, n, step->n, limit));
  drive->skipped++;
  bool lifetime = seconds > LIFETIME;
  snprintf(what, sizeof what, "skipped: would take %s %s (limit %s)", lifetime ? "more than" : "about",
           sc_format_seconds(lifetime ? LIFETIME : seconds).s, sc_format_seconds(limit).s);
  describe(drive, n, what, step->n, text, sizeof text);
  tell_skipped(drive, n, seconds, text);
  return 0;
}

/* Too long for what is left of the budget. Not remembered: the same command with more time runs it. */
static int shrink(sc_drive *drive, sc_drive_step *step, double seconds)
{
  char text[400], what[200];
  const char *budget = drive->options->budget_seconds > 0 ? "--budget" : "the time budget";
  double n = step->n, left = fmax(sc_drive_seconds_left(drive), 0);
  double instead = affordable(drive, n);
  if (!sc_drive_fits(drive, sc_drive_expect(drive, instead)))
    instead = 0;
  SC_TRY(sc_drive_choose_instead(drive, instead, step));
  if (seconds >= 0)
    snprintf(what, sizeof what, "skipped: would take about %s (%s of %s left)", sc_format_seconds(seconds).s,
             sc_format_seconds(left).s, budget);
  else
    snprintf(what, sizeof what, "skipped: %s of %s is too little", sc_format_seconds(left).s, budget);
  describe(drive, n, what, step->n, text, sizeof text);
  tell_skipped(drive, n, seconds, text);
  return 0;
}

int sc_drive_admit(sc_drive *drive, sc_drive_step *step)
{
  while (step->n > 0 && sc_drive_count_runs(drive, step->n) == 0) {
    char key[64];
    double instead, limit, seconds;
    bool found;
    snprintf(key, sizeof key, "instead_of %.17g", step->n);
    SC_TRY(recall(drive, key, &instead, &limit, &found));
    if (found && instead < step->n) {
      drive->range_too_long |= drive->named;
      SC_TRY(sc_drive_choose_instead(drive, instead, step));
      continue;
    }
    limit = sc_drive_limit(drive);
    seconds = sc_drive_expect(drive, step->n);
    if (seconds <= limit && sc_drive_fits(drive, seconds))
      return 0;
    if (seconds <= limit) {
      SC_TRY(shrink(drive, step, seconds));
      continue;
    }
    SC_TRY(skip(drive, step, seconds, limit));
  }
  return 0;
}

int sc_drive_stopped(sc_drive *drive, sc_drive_step *step)
{
  char text[400], what[200], value[80];
  double n = step->n, limit = drive->run_limit;
  drive->stops++;
  if (!(drive->too_long > 0) || n < drive->too_long) {
    drive->too_long = n;
    drive->too_long_seconds = limit;
    snprintf(value, sizeof value, "%.17g %.17g", n, limit);
    SC_TRY(sc_study_put(drive->study, "too_long", value));
  }
  drive->range_too_long |= drive->named;
  SC_TRY(sc_drive_choose_instead(drive, affordable(drive, n), step));
  SC_TRY(remember(drive, n, step->n, limit));
  snprintf(what, sizeof what, "took longer than %s and was stopped", sc_format_seconds(limit).s);
  describe(drive, n, what, step->n, text, sizeof text);
  sc_drive_warn(drive, text, "--timeout 10min lets every run take that long; smaller sizes (-P) are quicker");
  return 0;
}

void sc_drive_warn_about_limit(sc_drive *drive)
{
  if (!drive->skipped || given(drive) > 0)
    return;
  char text[200];
  snprintf(text, sizeof text, "%s would have taken too long and %s skipped", sc_format_plural(drive->skipped, "size").s,
           drive->skipped == 1 ? "was" : "were");
  sc_drive_warn(drive, text, "--timeout 10min lets every run take that long; the models know smaller sizes only");
}
