/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts are exact after one run; times are as good as the samples are many. Where the runs are so short that they got
 * few, the largest sizes, on which predictions of time rest, are run again. A higher rate would be quicker, but the
 * interrupts would become part of what is measured, and more so in short runs than in long ones. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "runner/drive/internal.h"
#include "runner/text/format.h"
#include "runner/text/tuning.h"

/* By octaves of size, from the largest down: the last one gives the level (250 samples: 6%), those below it tell
 * whether the cost of an execution is still rising (caches). */
enum { OCTAVES = 3 };
static const uint64_t wanted_samples[OCTAVES] = {250, 120, 60};
static const double time_share[OCTAVES] = {0.5, 0.8, 1}; /* of the time allowed, up to the end of this octave */

typedef struct timing {
  sc_drive *drive;
  double largest, start, allowed;
  size_t runs; /* repeated so far */
} timing;

/* The octave's runs so far, their samples, and of its sizes the one run least often. */
typedef struct octave {
  size_t runs;
  uint64_t samples;
  double n;
  enum sc_run_role role;
  double wall; /* seconds, of the last run at n */
} octave;

static bool in_octave(const timing *t, const sc_run *run, int number)
{
  return run->role != SC_RUN_TARGET && run->n <= ldexp(t->largest, -number) && run->n > ldexp(t->largest, -number - 1);
}

static octave gather_octave(const timing *t, int number)
{
  const sc_drive *drive = t->drive;
  octave o = {0};
  unsigned fewest = 0;
  for (size_t r = 0; r < sc_graph_run_count(drive->graph); r++) {
    const sc_run *run = sc_graph_run_const(drive->graph, r);
    if (!in_octave(t, run, number))
      continue;
    unsigned repeats = sc_drive_count_runs(drive, run->n);
    o.runs++;
    o.samples += run->samples;
    if (!o.n || repeats < fewest || (repeats == fewest && run->n >= o.n)) {
      fewest = repeats;
      o.n = run->n;
      o.role = run->role;
      o.wall = run->wall_seconds;
    }
  }
  return o;
}

static bool worth_it(const timing *t, int number, const octave *o)
{
  double left = t->allowed * time_share[number] - (sc_clock_now() - t->start);
  if (!o->n || o->samples >= wanted_samples[number] || o->runs >= SC_TIMING_RUNS ||
      o->wall + t->drive->overhead > left || !sc_drive_fits(t->drive, o->wall))
    return false;
  return o->runs < SC_TIMING_TRIAL || o->samples >= SC_TIMING_TRIAL_SAMPLES;
}

/* number < 0: the end, with what the last octave has now. */
static void tell_octave(const timing *t, int number, const octave *o)
{
  const sc_drive *drive = t->drive;
  const sc_drive_event event = {.kind = SC_DRIVE_TIMING,
                                .n = o->n,
                                .run_number = t->runs,
                                .samples = o->samples,
                                .samples_wanted = number < 0 ? 0 : wanted_samples[number],
                                .seconds = -1,
                                .seconds_left = -1};
  sc_drive_tell(drive, event);
}

/* Repeats that nobody asked for: one that fails ends them, not the study. */
static void warn_of_failure(sc_drive *drive, double n)
{
  sc_drive_warn_of(drive, "its other runs are used", "%s = %s failed when it was repeated for steadier times: %s",
                   drive->workload->parameter, sc_format_number(n).s, sc_err_message());
}

static int repeat_octave(timing *t, int number)
{
  sc_drive *drive = t->drive;
  for (octave o = gather_octave(t, number); worth_it(t, number, &o); o = gather_octave(t, number)) {
    t->runs++;
    drive->run_number++;
    tell_octave(t, number, &o);
    int err = sc_drive_run_base(drive, o.n, o.role, sc_drive_count_runs(drive, o.n));
    if (err == SC_E_TIMEOUT && (drive->limit_hit || drive->cut))
      return 0; /* its times are as they are */
    if (err == SC_E_TARGET) {
      warn_of_failure(drive, o.n);
      return 0;
    }
    SC_TRY(err);
    SC_TRY(sc_drive_check_interrupt(drive));
  }
  return 0;
}

static double largest_sampled(const sc_drive *drive)
{
  double largest = 0;
  for (size_t r = 0; r < sc_graph_run_count(drive->graph); r++) {
    const sc_run *run = sc_graph_run_const(drive->graph, r);
    if (run->cost_event[0] && run->role != SC_RUN_TARGET)
      largest = fmax(largest, run->n);
  }
  return largest;
}

int sc_drive_repeat_short(sc_drive *drive)
{
  timing t = {.drive = drive, .largest = largest_sampled(drive), .start = sc_clock_now()};
  char *stored = NULL, key[64];
  if (t.largest <= 0 || !sc_execute_samples(drive->execute.event))
    return 0;
  t.allowed = fmax(SC_TIMING_ALLOWANCE, SC_TIMING_ALLOWED * (t.start - drive->start));
  t.allowed = fmin(t.allowed, sc_drive_seconds_left(drive));
  /* Once a study, so that the same command again has nothing left to do. */
  snprintf(key, sizeof key, "%.17g", t.largest);
  SC_TRY(sc_study_get(drive->study, "repeated_up_to", &stored));
  bool done = stored && !strcmp(stored, key);
  free(stored);
  if (done)
    return 0;
  for (int number = 0; number < OCTAVES; number++)
    SC_TRY(repeat_octave(&t, number));
  if (t.runs) {
    octave last = gather_octave(&t, 0);
    tell_octave(&t, -1, &last);
  }
  return sc_study_put(drive->study, "repeated_up_to", key);
}
