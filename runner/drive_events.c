/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "runner/drive_internal.h"
#include "runner/hash.h"
#include "runner/process.h"

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

/* Runs that are sure to come, and their expected seconds (< 0 unknown): the first and the validation sizes. */
static size_t pending(sc_drive *drive, double *seconds)
{
  size_t runs = 0;
  *seconds = 0;
  for (size_t i = drive->first_done; i < drive->first_count; i++) {
    unsigned wanted = sc_drive_wanted(drive, drive->first[i]);
    runs += wanted;
    *seconds += wanted * share(drive, drive->first[i], sc_drive_limit(drive));
  }
  for (size_t i = drive->check_done; i < drive->check_count; i++) {
    runs += drive->workload->repeats;
    *seconds += drive->workload->repeats * share(drive, drive->check_size, sc_drive_chosen_limit(drive));
  }
  if (!sc_drive_can_tell(drive))
    *seconds = -1;
  return runs;
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
  event.runs_expected = drive->run_number + (drive->first ? pending(drive, &event.seconds_left) : 0);
  if (step) {
    event.n = step->n;
    event.why = step->why;
    event.repeats = step->runs > sc_drive_wanted(drive, step->n) ? step->runs : sc_drive_wanted(drive, step->n);
    if (repeat + 1 < event.repeats)
      event.runs_expected += event.repeats - repeat - 1;
    if (kind == SC_DRIVE_RUN_BEGIN && seconds >= 0 && event.seconds_left >= 0)
      event.seconds_left += seconds;
  }
  add_state(drive, &event);
  char text[400];
  if (kind == SC_DRIVE_STOPPED) {
    sc_drive_choose_end(drive, text, sizeof text);
    event.text = text;
  }
  drive->options->report(drive->options->user, &event);
}
