/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "runner/drive_internal.h"
#include "runner/hash.h"
#include "runner/process.h"

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
  if (drive->refine)
    event.state = sc_refine_status(drive->refine);
  drive->options->report(drive->options->user, &event);
}

/* Seconds a run takes even if the program does nothing; the noise of shorter ones must not become a steep law. */
static const double OVERHEAD = 0.03;

/* A power law through the runs' times: good enough for "time left", and cheap. */
double sc_drive_expect(const sc_drive *drive, double n)
{
  double count = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (size_t r = 0; r < sc_graph_run_count(drive->graph); r++) {
    const sc_run *run = sc_graph_run_const(drive->graph, r);
    double log_n = log(run->n), log_t = log(fmax(run->wall_seconds, OVERHEAD));
    count++, x += log_n, y += log_t, xx += log_n * log_n, xy += log_n * log_t;
  }
  if (count == 0)
    return -1;
  double spread = count * xx - x * x;
  if (spread <= 1e-9) /* one size tells nothing about another */
    return fabs(x / count - log(n)) < 1e-9 ? exp(y / count) : -1;
  double slope = (count * xy - x * y) / spread;
  slope = fmin(fmax(slope, 0), 3);
  return exp((y - slope * x) / count + slope * log(n));
}

/* Runs that are sure to come, and their expected seconds (< 0 unknown): the first and the validation sizes. */
static size_t pending(const sc_drive *drive, double *seconds)
{
  size_t runs = 0;
  double middle = 0.5 * (drive->workload->validation_low + drive->workload->validation_high);
  *seconds = 0;
  for (size_t i = drive->first_done; i < drive->first_count; i++) {
    unsigned wanted = sc_drive_wanted(drive, drive->first[i]);
    runs += wanted;
    *seconds += wanted * sc_drive_expect(drive, drive->first[i]);
  }
  for (size_t i = drive->validation_done; i < drive->validation_count; i++) {
    runs += drive->workload->repeats;
    *seconds += drive->workload->repeats * sc_drive_expect(drive, middle);
  }
  if (sc_drive_expect(drive, middle) < 0)
    *seconds = -1;
  return runs;
}

void sc_drive_tell(sc_drive *drive, enum sc_drive_kind kind, const sc_refine_step *step, unsigned repeat,
                   double seconds)
{
  if (!drive->options->report)
    return;
  sc_drive_event event = {.kind = kind,
                          .repeat = repeat,
                          .repeats = drive->workload->repeats,
                          .run_number = drive->run_number,
                          .seconds = seconds};
  event.runs_expected = drive->run_number + pending(drive, &event.seconds_left);
  if (step) {
    event.n = step->n;
    event.role = step->role;
    event.reason = step->reason;
    event.repeats = sc_drive_wanted(drive, step->n);
    if (repeat + 1 < event.repeats)
      event.runs_expected += event.repeats - repeat - 1;
    if (kind == SC_DRIVE_RUN_BEGIN && seconds >= 0 && event.seconds_left >= 0)
      event.seconds_left += seconds;
  }
  if (drive->refine)
    event.state = sc_refine_status(drive->refine);
  if (kind == SC_DRIVE_STOPPED)
    event.text = sc_refine_stop_text(event.state.stop);
  drive->options->report(drive->options->user, &event);
}
