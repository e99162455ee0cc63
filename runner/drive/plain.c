/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs of the program without instrumentation, beside instrumented ones of the same size: what instrumentation adds to
 * times is their difference (transitions/model/plain.h). Both run in turn, as the machine's speed changes in seconds.
 */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/saved_error.h"
#include "runner/drive/internal.h"
#include "runner/text/tuning.h"
#include "transitions/model/plain.h"

/* The largest size says how much slower, the others whether that changes with the size and what is added once. */
enum { SIZES = 3 };
/* Elapsed time of these sizes, as shares of the largest one's. */
static const double shares[SIZES] = {1, 1.0 / 4, 1.0 / 16};

static unsigned count_plain(const sc_drive *drive, const sc_run *like)
{
  unsigned count = 0;
  for (size_t r = 0; r < sc_graph_run_count(drive->plain); r++) {
    const sc_run *run = sc_graph_run_const(drive->plain, r);
    count += run->n == like->n && !memcmp(run->others, like->others, sizeof run->others) &&
             !strcmp(run->build, drive->plain_build);
  }
  return count;
}

static int run_plain(sc_drive *drive, const sc_run *like)
{
  sc_run planned = *like;
  planned.role = SC_RUN_PLAIN;
  planned.repeat = count_plain(drive, like);
  return sc_drive_run(drive, &planned);
}

/* The rest of the study is worth as much without it. */
static int report_failure(sc_drive *drive, int err)
{
  sc_saved_error saved;
  if (err == 0 || err == SC_E_INTERRUPTED)
    return err;
  sc_saved_error_take(&saved);
  sc_drive_warn_of(drive, "times stay those of the instrumented program where no plain run stands beside it",
                   "the plain program %s could not be measured: %s", drive->plain_program, saved.message);
  return 0;
}

/* Of the sizes measured the one whose runs take about so long; the run it was found by. */
static const sc_run *size_taking(const sc_drive *drive, double seconds)
{
  const sc_run *best = NULL;
  for (size_t r = 0; r < sc_graph_run_count(drive->graph); r++) {
    const sc_run *run = sc_graph_run_const(drive->graph, r);
    if (run->role != SC_RUN_TARGET && run->wall_seconds > 0 &&
        (!best || fabs(log(run->wall_seconds / seconds)) < fabs(log(best->wall_seconds / seconds))))
      best = run;
  }
  return best;
}

static const sc_run *largest_run(const sc_drive *drive)
{
  const sc_run *largest = NULL;
  for (size_t r = 0; r < sc_graph_run_count(drive->graph); r++) {
    const sc_run *run = sc_graph_run_const(drive->graph, r);
    if (run->role != SC_RUN_TARGET && (!largest || run->n > largest->n))
      largest = run;
  }
  return largest;
}

/* Distinct sizes, the largest first. */
static size_t choose_plain_sizes(const sc_drive *drive, sc_run sizes[SIZES])
{
  const sc_run *largest = largest_run(drive);
  size_t count = 0;
  for (size_t i = 0; largest && i < SIZES; i++) {
    const sc_run *run = i ? size_taking(drive, shares[i] * largest->wall_seconds) : largest;
    bool known = !run;
    for (size_t k = 0; k < count && !known; k++)
      known = sizes[k].n == run->n;
    if (!known)
      sizes[count++] = *run;
  }
  return count;
}

typedef struct pairing {
  sc_drive *drive;
  double end; /* sc_clock_now() from which on only what is needed is run */
} pairing;

static bool has_time(const pairing *p, double seconds)
{
  return sc_clock_now() + seconds + p->drive->overhead <= p->end && sc_drive_fits(p->drive, seconds);
}

static int run_one(pairing *p, const sc_run *size, bool plain)
{
  sc_drive *drive = p->drive;
  sc_drive_step step = {.n = size->n, .runs = 1, .role = size->role};
  snprintf(step.why, sizeof step.why, plain ? "the plain program" : "beside the plain program");
  drive->run_number++;
  sc_drive_tell_run(drive, SC_DRIVE_RUN_BEGIN, &step, 0, size->wall_seconds);
  double start = sc_clock_now();
  SC_TRY(plain ? run_plain(drive, size)
               : sc_drive_run_base(drive, size->n, size->role, sc_drive_count_runs(drive, size->n)));
  drive->made++;
  sc_drive_tell_run(drive, SC_DRIVE_RUN_END, &step, 0, sc_clock_now() - start);
  return sc_drive_check_interrupt(drive);
}

/* Which of both comes first alternates. The instrumented one of a long run is left out: the study has one. */
static int run_pair(pairing *p, const sc_run *size, unsigned round)
{
  bool both = has_time(p, 2 * size->wall_seconds);
  if (both && round % 2)
    SC_TRY(run_one(p, size, false));
  SC_TRY(run_one(p, size, true));
  return both && round % 2 == 0 ? run_one(p, size, false) : 0;
}

static bool is_enough(const sc_drive *drive, unsigned rounds)
{
  sc_plain plain;
  if (rounds < SC_PLAIN_ROUNDS_LEAST || sc_plain_find(drive->graph, drive->plain, &plain) < 0)
    return false;
  return plain.runs && plain.slowdown_high <= (1 + SC_PLAIN_WANTED) * plain.slowdown;
}

/* The largest size has the first claim on the time: its ratio counts most, as predictions start from there. */
static int run_rounds(pairing *p)
{
  sc_run sizes[SIZES] = {0};
  size_t count = choose_plain_sizes(p->drive, sizes);
  for (unsigned round = count_plain(p->drive, &sizes[0]); count && round < SC_PLAIN_ROUNDS_MOST; round++) {
    if (is_enough(p->drive, round))
      return 0;
    for (size_t i = 0; i < count; i++) {
      if (i && round >= SC_PLAIN_ROUNDS_LEAST)
        break;
      if (round ? !has_time(p, 2 * sizes[i].wall_seconds) : !sc_drive_fits(p->drive, sizes[i].wall_seconds))
        continue;
      SC_TRY(run_pair(p, &sizes[i], round));
    }
    if (!has_time(p, 2 * sizes[0].wall_seconds))
      break;
  }
  return 0;
}

int sc_drive_plain_measure(sc_drive *drive)
{
  char *stored = NULL, key[128];
  const sc_run *at = largest_run(drive);
  if (!(drive->options->plain || drive->execute.uprobes) || !drive->plain_argv || !at)
    return 0;
  const sc_run largest = *at; /* runs to come may move the list */
  /* Once for each largest size, so that the same command again has nothing left to do. */
  snprintf(key, sizeof key, "%.17g %s", largest.n, drive->plain_build);
  SC_TRY(sc_study_get(drive->study, "plain_up_to", &stored));
  bool done = stored && !strcmp(stored, key);
  free(stored);
  if (done)
    return 0;
  double now = sc_clock_now(), allowed = fmax(SC_PLAIN_ALLOWANCE, SC_PLAIN_ALLOWED * (now - drive->start));
  pairing p = {drive, now + fmin(allowed, sc_drive_seconds_left(drive))};
  int err = run_rounds(&p);
  if (err == SC_E_TIMEOUT && drive->cut)
    err = 0;
  SC_TRY(report_failure(drive, err));
  if (count_plain(drive, &largest) == 0) {
    if (err == 0)
      sc_drive_warn(drive, "no time was left to run the plain program",
                    "the same command with a longer --budget makes up for it");
    return 0;
  }
  return err == 0 ? sc_study_put(drive->study, "plain_up_to", key) : 0;
}

int sc_drive_plain_target(sc_drive *drive, const sc_run *target)
{
  size_t count = sc_graph_run_count(drive->plain);
  if (!count || !drive->plain_argv)
    return 0;
  if (strcmp(sc_graph_run_const(drive->plain, count - 1)->build, drive->plain_build) != 0) {
    sc_drive_warn(drive, "the plain program is gone, or was built anew, since it was measured",
                  "its times at this size are estimated from the instrumented run; measure again: scale-run run "
                  "--plain PROGRAM ...");
    return 0;
  }
  return report_failure(drive, run_plain(drive, target));
}
