/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A size, measured: as often as wanted, or a smaller one where it would take too long. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/saved_error.h"
#include "profiles/graph/usage.h"
#include "runner/drive/internal.h"
#include "runner/loaded/load.h"
#include "runner/text/format.h"
#include "runner/text/tuning.h"

/* ---- how often ---- */

/*
 * The first sizes run in rounds: all of them once, then once more from the largest down, and so on. What else the
 * machine does changes in seconds; were the repeats of a size made one behind the other, times would rise or fall with
 * it from size to size, and look like growth.
 */

/* The newest run of a size, else the newest of all. Without any: the number of runs. */
static size_t newest_measured_run(const sc_drive *drive, double n)
{
  size_t runs = sc_graph_run_count(drive->graph);
  for (size_t r = runs; r-- > 0;)
    if (sc_graph_run_const(drive->graph, r)->n == n)
      return r;
  return runs ? runs - 1 : runs;
}

/* Whether threads shared a lock, or another thing that is held, at n, or at the size run last: their times are wall
 * time, and of one run nobody can tell what the machine added. */
static bool threads_share(const sc_drive *drive, double n)
{
  size_t run = newest_measured_run(drive, n), count = 0;
  const sc_occupancy *list =
      run < sc_graph_run_count(drive->graph) ? sc_usage_occupancies(drive->graph, run, &count) : NULL;
  for (size_t i = 0; i < count; i++) {
    enum sc_resource_class c = sc_usage_resource_at(drive->graph, list[i].resource)->resource_class;
    if (list[i].threads >= 2 && (c <= SC_RESOURCE_SEMAPHORE || c == SC_RESOURCE_OTHER))
      return true;
  }
  return false;
}

/* The first size is run twice even when one run a size is wanted: that a program repeats itself is what everything
 * else rests on, and the smallest size tells it for almost nothing. */
static unsigned runs_wanted(const sc_drive *drive, double n)
{
  unsigned repeats = drive->workload->repeats;
  if (repeats < 2 && threads_share(drive, n))
    return SC_DRIVE_SHARED_REPEATS;
  return repeats < 2 && drive->first_count && n == drive->first[0] ? 2 : repeats;
}

static unsigned count_all(const sc_drive *drive, const sc_drive_step *step)
{
  unsigned wanted = runs_wanted(drive, step->n);
  return step->runs > wanted ? step->runs : wanted;
}

/* Where only the smallest size runs twice, to see whether the program repeats itself, that is better known at once. */
static unsigned runs_due(const sc_drive *drive, const sc_drive_step *step, unsigned round)
{
  unsigned all = count_all(drive, step);
  bool in_rounds = step->first && (drive->workload->repeats > 1 || all > 2);
  return in_rounds && round < all ? round + 1 : all;
}

static int add_to_rounds(sc_drive *drive, const sc_drive_step *step)
{
  SC_TRY(sc_mem_grow(&drive->rounds, &drive->round_capacity, drive->round_count + 1, sizeof *drive->rounds));
  drive->rounds[drive->round_count++] = *step;
  return 0;
}

static unsigned runs_left(const sc_drive *drive, const sc_drive_step *step)
{
  unsigned all = count_all(drive, step), made = sc_drive_count_runs(drive, step->n);
  return step->n > 0 && all > made ? all - made : 0;
}

/* ---- what is still to come ---- */

/* What a run at n adds to the time left: a size that would take longer than `limit` gives way to one that does not take
 * longer than a chosen one may. */
static double share_of_time(sc_drive *drive, double n, double limit)
{
  double seconds = sc_drive_expect(drive, n);
  return seconds > limit ? sc_drive_chosen_limit(drive) : seconds;
}

static size_t add_runs(sc_drive *drive, double n, unsigned runs, double limit, double *seconds)
{
  *seconds += runs ? runs * share_of_time(drive, n, limit) : 0;
  return runs;
}

/* Runs that are sure to come, and their expected seconds (< 0 unknown): the first sizes without the one at hand, in all
 * rounds, and the validation sizes. */
static size_t count_pending_runs(sc_drive *drive, const sc_drive_step *at_hand, double *seconds)
{
  size_t runs = 0;
  double named = sc_drive_limit(drive), chosen = sc_drive_chosen_limit(drive);
  *seconds = 0;
  for (size_t i = 0; i < drive->round_count; i++) {
    const sc_drive_step *step = &drive->rounds[i];
    if (step->n != at_hand->n)
      runs += add_runs(drive, step->n, runs_left(drive, step), named, seconds);
  }
  for (size_t i = drive->first_done; i < drive->first_count; i++)
    runs += add_runs(drive, drive->first[i], runs_wanted(drive, drive->first[i]), named, seconds);
  for (size_t i = drive->check_done; i < drive->check_count; i++)
    runs += add_runs(drive, drive->check_size, runs_wanted(drive, drive->check_size), chosen, seconds);
  runs += sc_drive_vary_left(drive);
  if (!sc_loaded_is_enough(drive->graph))
    *seconds = -1;
  return runs;
}

/* The repeats of the size at hand, at least the run that the event is about, and what comes after it. */
static void add_measured_step(sc_drive *drive, const sc_drive_step *step, sc_drive_event *event)
{
  unsigned wanted = runs_wanted(drive, step->n), left = 0;
  event->n = step->n;
  event->why = step->why;
  event->repeats = step->runs > wanted ? step->runs : wanted;
  if (event->repeat + 1 < event->repeats)
    left = event->repeats - event->repeat - 1;
  event->runs_expected += left;
  if (event->seconds_left < 0)
    return;
  (void)add_runs(drive, step->n, left, sc_drive_limit(drive), &event->seconds_left);
  if (event->kind == SC_DRIVE_RUN_BEGIN && event->seconds >= 0)
    event->seconds_left += event->seconds;
}

void sc_drive_tell_run(sc_drive *drive, enum sc_drive_kind kind, const sc_drive_step *step, unsigned repeat,
                       double seconds)
{
  if (!drive->options->report)
    return;
  sc_drive_event event = {.kind = kind, .repeat = repeat, .run_number = drive->run_number, .seconds = seconds};
  event.seconds_left = -1;
  event.runs_expected = drive->run_number + count_pending_runs(drive, step, &event.seconds_left);
  add_measured_step(drive, step, &event);
  sc_drive_tell(drive, event);
}

/* The first run of a size is made although time may be short, as it is what was chosen; repeats only if they fit. */
static int measure_size(sc_drive *drive, const sc_drive_step *step, unsigned round)
{
  for (unsigned repeat = sc_drive_count_runs(drive, step->n); repeat < runs_due(drive, step, round); repeat++) {
    if (repeat && !sc_drive_fits(drive, sc_drive_expect(drive, step->n)))
      break;
    drive->run_number++;
    sc_drive_tell_run(drive, SC_DRIVE_RUN_BEGIN, step, repeat, sc_drive_expect(drive, step->n));
    double start = sc_clock_now();
    SC_TRY(sc_drive_run_base(drive, step->n, step->role, repeat));
    drive->made++;
    sc_drive_tell_run(drive, SC_DRIVE_RUN_END, step, repeat, sc_clock_now() - start);
    SC_TRY(sc_drive_check_interrupt(drive));
  }
  return sc_drive_series_add_size(&drive->series, step->n);
}

/* ---- sizes that would take too long ---- */

/*
 * What a run may take. A study is to say what happens at sizes nobody wants to wait for, so it must not run them: a
 * size that is expected to take longer than its limit gives way to a smaller one before it runs, and a run that exceeds
 * it is stopped. Replacements are stored, so that a resumed study takes the same ones.
 */

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
static double find_affordable_size(sc_drive *drive, double n)
{
  double low = largest_below(drive, n), high = n;
  double limit =
      fmin(sc_drive_chosen_limit(drive), SC_DRIVE_INSTEAD * (sc_drive_seconds_left(drive) - drive->overhead));
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

static int remember_instead(sc_drive *drive, double n, double instead, double limit)
{
  char key[64], value[80];
  snprintf(key, sizeof key, "instead_of %.17g", n);
  snprintf(value, sizeof value, "%.17g %.17g", instead, limit);
  return sc_study_put(drive->study, key, value);
}

/* Reads two numbers stored under `key`. False if they are not there, or were stored under a shorter limit than the one
 * the user has given now. */
static int recall_pair(const sc_drive *drive, const char *key, double *number, double *limit, bool *found)
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
  SC_TRY(recall_pair(drive, "too_long", &n, &seconds, &found));
  if (found) {
    drive->too_long = n;
    drive->too_long_seconds = seconds;
  }
  return 0;
}

/* "n = 60 skipped: would take about 3 h (limit 10 s); using n = 34 instead" */
static void describe_skipped(const sc_drive *drive, double n, const char *what, double instead, char *text, size_t size)
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
  sc_drive_tell(drive, (sc_drive_event){.kind = SC_DRIVE_SKIPPED, .n = n, .seconds = seconds, .text = text});
}

/* What stands in for a size is remembered in the study: a resumed study chooses alike, however fast the machine is by
 * then. */
static int skip_size(sc_drive *drive, sc_drive_step *step, double seconds, double limit)
{
  char text[400], what[200];
  double n = step->n;
  drive->range_too_long |= drive->named;
  SC_TRY(sc_drive_choose_instead(drive, find_affordable_size(drive, n), step));
  SC_TRY(remember_instead(drive, n, step->n, limit));
  drive->skipped++;
  bool lifetime = seconds > SC_DRIVE_LIFETIME;
  snprintf(what, sizeof what, "skipped: would take %s %s (limit %s)", lifetime ? "more than" : "about",
           sc_format_seconds(lifetime ? SC_DRIVE_LIFETIME : seconds).s, sc_format_seconds(limit).s);
  describe_skipped(drive, n, what, step->n, text, sizeof text);
  tell_skipped(drive, n, seconds, text);
  return 0;
}

/* Too long for what is left of the budget. Not remembered: the same command with more time runs it. */
static int shrink_size(sc_drive *drive, sc_drive_step *step, double seconds)
{
  char text[400], what[200];
  const char *budget = drive->options->budget_seconds > 0 ? "--budget" : "the time budget";
  double n = step->n, left = fmax(sc_drive_seconds_left(drive), 0);
  double instead = find_affordable_size(drive, n);
  if (!sc_drive_fits(drive, sc_drive_expect(drive, instead)))
    instead = 0;
  SC_TRY(sc_drive_choose_instead(drive, instead, step));
  if (seconds >= 0)
    snprintf(what, sizeof what, "skipped: would take about %s (%s of %s left)", sc_format_seconds(seconds).s,
             sc_format_seconds(left).s, budget);
  else
    snprintf(what, sizeof what, "skipped: %s of %s is too little", sc_format_seconds(left).s, budget);
  describe_skipped(drive, n, what, step->n, text, sizeof text);
  tell_skipped(drive, n, seconds, text);
  return 0;
}

/* A loop, as what replaces a size may be too slow, too: sizes shrink until one fits or none is left (n = 0). */
static int admit_step(sc_drive *drive, sc_drive_step *step)
{
  while (step->n > 0 && sc_drive_count_runs(drive, step->n) == 0) {
    char key[64];
    double instead, limit, seconds;
    bool found;
    snprintf(key, sizeof key, "instead_of %.17g", step->n);
    SC_TRY(recall_pair(drive, key, &instead, &limit, &found));
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
      SC_TRY(shrink_size(drive, step, seconds));
      continue;
    }
    SC_TRY(skip_size(drive, step, seconds, limit));
  }
  return 0;
}

static int replace_stopped(sc_drive *drive, sc_drive_step *step)
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
  SC_TRY(sc_drive_choose_instead(drive, find_affordable_size(drive, n), step));
  SC_TRY(remember_instead(drive, n, step->n, limit));
  snprintf(what, sizeof what, "took longer than %s and was stopped", sc_format_seconds(limit).s);
  describe_skipped(drive, n, what, step->n, text, sizeof text);
  sc_drive_warn(drive, text, "--timeout 10min lets every run take that long; smaller sizes (-P) are quicker");
  return 0;
}

/* ---- a step, and the rounds after the first ---- */

/* The time ended while it ran: it counts as one that was not begun. */
static int count_unfinished(sc_drive *drive, const sc_drive_step *step)
{
  char text[200];
  drive->first_done -= step->first;
  drive->check_done -= step->check;
  snprintf(text, sizeof text, "%s = %s was stopped: %s is used up", drive->workload->parameter,
           sc_format_number(step->n).s, drive->options->budget_seconds > 0 ? "--budget" : "the time budget");
  tell_skipped(drive, step->n, -1, text);
  return 0;
}

/* Of first sizes: whether the user gave this one, in a list or as an end of the range. */
static bool is_measured_named(const sc_drive *drive, const sc_drive_step *step)
{
  const sc_workload *workload = drive->workload;
  bool named = step->n == workload->range_low || step->n == workload->range_high;
  for (size_t i = 0; i < workload->first_count; i++)
    named = named || step->n == workload->first[i];
  return step->first && named;
}

/* A size that was chosen, not named, and at which the program fails: it costs that size, and larger ones or those
 * between others, not the study. */
static int give_up_size(sc_drive *drive, sc_drive_step *step)
{
  const char *hint = "the size was chosen between those named; no other one between them is tried";
  double n = step->n, largest = drive->first_count ? drive->first[drive->first_count - 1] : 0;
  sc_saved_error saved;
  sc_saved_error_take(&saved);
  if (step->first)
    hint = "the size was chosen within the range; the others are used";
  else if (n > largest)
    hint = "the size was chosen beyond those named; smaller ones are used in its place";
  sc_drive_warn_of(drive, hint, "%s = %s is left out: %s", drive->workload->parameter, sc_format_number(n).s,
                   saved.message);
  return sc_drive_choose_instead(drive, 0, step);
}

/* A run that hits the limit makes room for a smaller size; one that fails is an error, unless it is the first at a size
 * that nobody named, which is given up. Time that ends for the whole study is no failure of the size. */
int sc_drive_measure_step(sc_drive *drive, sc_drive_step *step)
{
  drive->first_done += step->first;
  drive->check_done += step->check;
  drive->named = step->first;
  for (;;) {
    SC_TRY(admit_step(drive, step));
    if (step->n <= 0)
      return 0;
    int err = measure_size(drive, step, 0);
    if (err == 0 && step->first)
      err = add_to_rounds(drive, step);
    if (err == SC_E_TIMEOUT && drive->cut)
      return count_unfinished(drive, step);
    if (err == SC_E_TARGET && !is_measured_named(drive, step) && sc_drive_count_runs(drive, step->n) == 0)
      return give_up_size(drive, step);
    if (err != SC_E_TIMEOUT || !drive->limit_hit || sc_graph_run_count(drive->graph) == 0)
      return err;
    SC_TRY(replace_stopped(drive, step));
  }
}

/* For want of time. */
static int leave_out_size(sc_drive *drive, sc_drive_step *step)
{
  drive->repeats_left_out += runs_left(drive, step);
  step->n = 0;
  return 0;
}

/* A size that ran before and takes too long now gives way to none: it keeps the runs that it has. */
static int run_again(sc_drive *drive, size_t at, unsigned round, bool *left)
{
  sc_drive_step *step = &drive->rounds[at];
  if (!(step->n > 0))
    return 0;
  if (runs_left(drive, step) && !sc_drive_fits(drive, sc_drive_expect(drive, step->n)))
    return leave_out_size(drive, step);
  int err = measure_size(drive, step, round);
  if (err == SC_E_TIMEOUT && drive->cut)
    return leave_out_size(drive, step);
  if (err == SC_E_TIMEOUT && drive->limit_hit) {
    sc_drive_warn_of(drive, "its other runs are used; --timeout 10min lets every run take that long",
                     "%s = %s took longer than %s when it was repeated, and was stopped; no more repeats",
                     drive->workload->parameter, sc_format_number(step->n).s, sc_format_seconds(drive->run_limit).s);
    step->n = 0;
    return 0;
  }
  *left = *left || runs_left(drive, step) > 0;
  return err;
}

int sc_drive_rounds_finish(sc_drive *drive)
{
  drive->named = true;
  bool left = drive->round_count > 0;
  for (unsigned round = 1; left; round++) {
    left = false;
    for (size_t i = 0; i < drive->round_count; i++)
      SC_TRY(run_again(drive, round % 2 ? drive->round_count - 1 - i : i, round, &left));
  }
  drive->round_count = 0;
  return 0;
}
