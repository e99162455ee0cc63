/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The first sizes run in rounds: all of them once, then once more from the largest down, and so on. What else the
 * machine does changes in seconds; were the repeats of a size made one behind the other, times would rise or fall with
 * it from size to size, and look like growth.
 */
#include <stdio.h>

#include "base/buf.h"
#include "runner/drive/internal.h"
#include "runner/text/format.h"

static unsigned all_of(const sc_drive *drive, const sc_drive_step *step)
{
  unsigned wanted = sc_drive_wanted(drive, step->n);
  return step->runs > wanted ? step->runs : wanted;
}

/* Where only the smallest size runs twice, to see whether the program repeats itself, that is better known at once. */
unsigned sc_drive_rounds_due(const sc_drive *drive, const sc_drive_step *step, unsigned round)
{
  unsigned all = all_of(drive, step);
  bool in_rounds = step->first && (drive->workload->repeats > 1 || all > 2);
  return in_rounds && round < all ? round + 1 : all;
}

int sc_drive_rounds_add(sc_drive *drive, const sc_drive_step *step)
{
  SC_TRY(sc_mem_grow(&drive->rounds, &drive->round_capacity, drive->round_count + 1, sizeof *drive->rounds));
  drive->rounds[drive->round_count++] = *step;
  return 0;
}

unsigned sc_drive_rounds_left(const sc_drive *drive, const sc_drive_step *step)
{
  unsigned all = all_of(drive, step), made = sc_drive_count_runs(drive, step->n);
  return step->n > 0 && all > made ? all - made : 0;
}

/* For want of time. */
static int leave_out(sc_drive *drive, sc_drive_step *step)
{
  drive->repeats_left_out += sc_drive_rounds_left(drive, step);
  step->n = 0;
  return 0;
}

/* A size that ran before and takes too long now gives way to none: it keeps the runs that it has. */
static int run_again(sc_drive *drive, size_t at, unsigned round, bool *left)
{
  sc_drive_step *step = &drive->rounds[at];
  char text[300];
  if (!(step->n > 0))
    return 0;
  if (sc_drive_rounds_left(drive, step) && !sc_drive_fits(drive, sc_drive_expect(drive, step->n)))
    return leave_out(drive, step);
  int err = sc_drive_measure(drive, step, round);
  if (err == SC_E_TIMEOUT && drive->cut)
    return leave_out(drive, step);
  if (err == SC_E_TIMEOUT && drive->limit_hit) {
    snprintf(text, sizeof text, "%s = %s took longer than %s when it was repeated, and was stopped; no more repeats",
             drive->workload->parameter, sc_format_number(step->n).s, sc_format_seconds(drive->run_limit).s);
    sc_drive_warn(drive, text, "its other runs are used; --timeout 10min lets every run take that long");
    step->n = 0;
    return 0;
  }
  *left = *left || sc_drive_rounds_left(drive, step) > 0;
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
