/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "runner/drive/internal.h"
#include "runner/loaded/load.h"
#include "runner/process/process.h"

static void add_state(const sc_drive *drive, sc_drive_event *event)
{
  event->planned = drive->plan != NULL;
  if (drive->refine)
    event->state = sc_refine_status(drive->refine);
  if (drive->plan)
    event->plan = sc_plan_status(drive->plan);
}

void sc_drive_warn(void *user, const char *text, const char *hint)
{
  sc_drive *drive = user;
  uint64_t hash = sc_hash_string(SC_HASH_START, text);
  for (size_t i = 0; i < drive->warned_count; i++)
    if (drive->warned[i] == hash)
      return;
  if (drive->warned_count < sizeof drive->warned / sizeof *drive->warned)
    drive->warned[drive->warned_count++] = hash;
  if (!drive->options->report)
    return;
  sc_drive_event event = {.kind = SC_DRIVE_WARNING, .seconds = -1, .seconds_left = -1, .text = text, .hint = hint};
  add_state(drive, &event);
  drive->options->report(drive->options->user, &event);
}

/* What a run at n adds to the time left: a size that would take longer than `limit` gives way to one that does not take
 * longer than a chosen one may. */
static double share(sc_drive *drive, double n, double limit)
{
  double seconds = sc_drive_expect(drive, n);
  return seconds > limit ? sc_drive_chosen_limit(drive) : seconds;
}

static size_t add_runs(sc_drive *drive, double n, unsigned runs, double limit, double *seconds)
{
  *seconds += runs ? runs * share(drive, n, limit) : 0;
  return runs;
}

/* Runs that are sure to come, and their expected seconds (< 0 unknown): the first sizes without the one at hand, in all
 * rounds, and the validation sizes. */
static size_t pending(sc_drive *drive, const sc_drive_step *at_hand, double *seconds)
{
  size_t runs = 0;
  double named = sc_drive_limit(drive), chosen = sc_drive_chosen_limit(drive);
  *seconds = 0;
  for (size_t i = 0; i < drive->round_count; i++) {
    const sc_drive_step *step = &drive->rounds[i];
    if (!at_hand || step->n != at_hand->n)
      runs += add_runs(drive, step->n, sc_drive_rounds_left(drive, step), named, seconds);
  }
  for (size_t i = drive->first_done; i < drive->first_count; i++)
    runs += add_runs(drive, drive->first[i], sc_drive_wanted(drive, drive->first[i]), named, seconds);
  for (size_t i = drive->check_done; i < drive->check_count; i++)
    runs += add_runs(drive, drive->check_size, sc_drive_wanted(drive, drive->check_size), chosen, seconds);
  runs += sc_drive_vary_left(drive);
  if (!sc_loaded_is_enough(drive->graph))
    *seconds = -1;
  return runs;
}

/* The repeats of the size at hand, at least the run that the event is about, and what comes after it. */
static void add_step(sc_drive *drive, const sc_drive_step *step, sc_drive_event *event)
{
  unsigned wanted = sc_drive_wanted(drive, step->n), left = 0;
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

void sc_drive_tell(sc_drive *drive, enum sc_drive_kind kind, const sc_drive_step *step, unsigned repeat, double seconds)
{
  if (!drive->options->report)
    return;
  sc_drive_event event = {.kind = kind,
                          .repeat = repeat,
                          .repeats = drive->workload->repeats,
                          .run_number = drive->run_number,
                          .seconds = seconds};
  event.seconds_left = -1;
  event.runs_expected = drive->run_number + (drive->first ? pending(drive, step, &event.seconds_left) : 0);
  if (step)
    add_step(drive, step, &event);
  add_state(drive, &event);
  char text[400];
  if (kind == SC_DRIVE_STOPPED) {
    sc_drive_choose_end(drive, text, sizeof text);
    event.text = text;
  }
  drive->options->report(drive->options->user, &event);
}
