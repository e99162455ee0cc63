/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Algorithm 1 of delta-infer, driven: asks for the next size, runs it, stores it, until the models are good enough. */
#include "runner/drive.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "runner/drive_internal.h"
#include "runner/expand.h"
#include "runner/process.h"
#include "runner/saved_error.h"

enum { FIRST_SIZES = 5, VALIDATION_SIZES = 5, ENOUGH_SIZES = 3 };

static bool whole(double value) { return value == floor(value); }

static bool whole_sizes(const sc_workload *workload)
{
  bool all = whole(workload->range_low) && whole(workload->range_high);
  for (size_t i = 0; i < workload->first_count; i++)
    all = all && whole(workload->first[i]);
  return all;
}

/* Spread geometrically over the whole range: for extrapolation, range beats number. */
static int choose_first(sc_drive *drive)
{
  const sc_workload *workload = drive->workload;
  size_t wanted = workload->first_count ? workload->first_count : FIRST_SIZES;
  drive->first = sc_mem_new(wanted, sizeof *drive->first);
  if (!drive->first)
    return SC_E_NOMEM;
  double ratio = workload->range_high / workload->range_low;
  for (size_t i = 0; i < wanted; i++) {
    double size =
        workload->first_count ? workload->first[i] : workload->range_low * pow(ratio, (double)i / (double)(wanted - 1));
    if (!workload->first_count && i == wanted - 1)
      size = workload->range_high;
    if (whole_sizes(workload))
      size = round(size);
    if (drive->first_count == 0 || size > drive->first[drive->first_count - 1])
      drive->first[drive->first_count++] = size;
  }
  drive->validation_count = workload->validation_count ? workload->validation_count : VALIDATION_SIZES;
  return 0;
}

/* The validation sizes of a study stay the same when it is resumed. */
static int choose_seed(sc_drive *drive, uint64_t *seed)
{
  char *stored = NULL, text[32];
  *seed = drive->options->seed;
  SC_TRY(sc_study_get(drive->study, "seed", &stored));
  if (*seed == 0)
    *seed = stored ? strtoull(stored, NULL, 10) : 1;
  free(stored);
  snprintf(text, sizeof text, "%llu", (unsigned long long)*seed);
  return sc_study_put(drive->study, "seed", text);
}

/* Sizes are for predicting the targets, so none is larger than the largest of them, unless the user's ranges are.
 * Without targets the ranges do not double, as that would only run what nobody asked for; ΔInfer's engine is left to do
 * what was published. A validation range of twice the range is what the workload gets if it names none. */
static double size_limit(const sc_drive *drive)
{
  const sc_workload *workload = drive->workload;
  double limit = workload->range_high;
  if (workload->target_count == 0)
    return drive->options->fit.engine == SC_FIT_DELTA_INFER ? 0 : workload->validation_high;
  if (workload->validation_high != 2 * workload->range_high)
    limit = workload->validation_high;
  for (size_t i = 0; i < workload->target_count; i++)
    limit = fmax(limit, workload->targets[i]);
  return limit;
}

static int start_refinement(sc_drive *drive)
{
  const sc_workload *workload = drive->workload;
  const sc_drive_options *options = drive->options;
  SC_TRY(choose_first(drive));
  sc_refine_options refine = {.range_low = workload->range_low,
                              .range_high = workload->range_high,
                              .validation_low = workload->validation_low,
                              .validation_high = workload->validation_high,
                              .size_limit = size_limit(drive),
                              .initial = drive->first,
                              .initial_count = drive->first_count,
                              .validation_count = drive->validation_count,
                              .max_iterations = options->max_iterations ? options->max_iterations : 20,
                              .improvement = 0.02,
                              .prediction_error = options->prediction_error > 0 ? options->prediction_error : 0.05,
                              .integer_sizes = whole_sizes(workload),
                              .fit = options->fit};
  SC_TRY(choose_seed(drive, &refine.seed));
  return sc_refine_new(&refine, &drive->refine);
}

static void warn_about_targets(sc_drive *drive)
{
  const sc_workload *workload = drive->workload;
  for (size_t i = 0; i < workload->target_count; i++) {
    char text[300], target[64], low[64], high[64];
    sc_expand_number(workload->targets[i], target, sizeof target);
    sc_expand_number(workload->range_low, low, sizeof low);
    sc_expand_number(workload->range_high, high, sizeof high);
    if (workload->targets[i] >= workload->range_low)
      continue;
    snprintf(text, sizeof text, "the target size %s = %s is below the measured ones (%s..%s)", workload->parameter,
             target, low, high);
    sc_drive_warn(drive, text,
                  "predictions are meant for larger sizes; lower the range, or give a larger target (--at)");
  }
}

/* Most steps (first and validation sizes) need no models, so the series are built only when they are asked for. */
static size_t series_count(void *user)
{
  sc_drive *drive = user;
  sc_drive_series_refresh(drive);
  return drive->series.count;
}

static double series_value(void *user, size_t index, double n)
{
  return sc_drive_series_value(&((sc_drive *)user)->series, index, n);
}

static bool budget_spent(sc_drive *drive)
{
  double budget = drive->options->budget_seconds;
  if (!(budget > 0) || sc_process_now() - drive->start < budget || drive->first_done < drive->first_count ||
      drive->series.size_count < ENOUGH_SIZES)
    return false;
  char text[200];
  snprintf(text, sizeof text, "the time of %g s is used up; no further sizes are run", budget);
  sc_drive_warn(drive, text, "give more time, or fewer validation sizes (<validation count=\"...\">)");
  return true;
}

static int next(sc_drive *drive, sc_refine_step *step)
{
  drive->series.stale = true;
  const sc_refine_data data = {drive, series_count, series_value, !drive->unsteady};
  size_t iteration = sc_refine_status(drive->refine).iteration;
  int more = sc_refine_next(drive->refine, &data, step);
  if (drive->series.error < 0)
    return drive->series.error;
  if (more >= 0 && sc_refine_status(drive->refine).iteration != iteration)
    sc_drive_tell(drive, SC_DRIVE_FITTED, NULL, 0, -1);
  return more;
}

/* Runs the step, or a smaller size where it would take, or takes, too long. */
static int measure(sc_drive *drive, sc_refine_step *step)
{
  drive->first_done += step->reason == SC_REFINE_INITIAL;
  drive->validation_done += step->reason == SC_REFINE_VALIDATE;
  drive->named = step->reason == SC_REFINE_INITIAL;
  for (;;) {
    SC_TRY(sc_drive_admit(drive, step));
    if (step->n <= 0)
      return 0;
    int err = sc_drive_measure(drive, step);
    if (err != SC_E_TIMEOUT || !drive->limit_hit || sc_graph_run_count(drive->graph) == 0)
      return err;
    SC_TRY(sc_drive_stopped(drive, step));
  }
}

static int refine(sc_drive *drive)
{
  sc_refine_step step;
  int more;
  while (!budget_spent(drive) && (more = next(drive, &step)) != 0) {
    SC_TRY(more);
    SC_TRY(measure(drive, &step));
  }
  drive->named = false;
  sc_drive_warn_about_limit(drive);
  SC_TRY(sc_drive_repeat_short(drive));
  sc_drive_tell(drive, SC_DRIVE_STOPPED, NULL, 0, -1);
  return 0;
}

/* <teardown>, whatever happened; the first error is the one that is told. */
static int finish(sc_drive *drive, int err)
{
  sc_saved_error saved;
  if (!drive->set_up)
    return err;
  sc_saved_error_take(&saved);
  sc_execute_options options = drive->execute;
  options.interrupted = NULL;
  int ended = sc_execute_teardown(drive->workload, &options);
  return err == 0 ? ended : sc_saved_error_restore(&saved, err);
}

int sc_drive_study(const sc_workload *workload, const sc_drive_options *options, sc_refine_state *state)
{
  sc_drive drive = {.workload = workload, .options = options, .lock = -1, .start = sc_process_now()};
  int err;
  *state = (sc_refine_state){.error = -1};
  SC_GOTO(sc_drive_open(&drive, SC_STUDY_CREATE));
  SC_GOTO(start_refinement(&drive));
  SC_GOTO(sc_drive_recall_limit(&drive));
  warn_about_targets(&drive);
  drive.run_number = sc_graph_run_count(drive.graph);
  if (drive.run_number)
    sc_drive_tell(&drive, SC_DRIVE_RESUMED, NULL, 0, -1);
  err = refine(&drive);
  err = finish(&drive, err);
  *state = sc_refine_status(drive.refine);
out:
  sc_drive_close(&drive);
  return err;
}

int sc_drive_verify(const sc_workload *workload, const sc_drive_options *options, double n)
{
  sc_drive drive = {.workload = workload, .options = options, .lock = -1, .start = sc_process_now()};
  int err;
  SC_GOTO(sc_drive_open(&drive, SC_STUDY_WRITE));
  unsigned repeat = 0;
  for (size_t r = 0; r < sc_graph_run_count(drive.graph); r++)
    repeat += sc_graph_run_const(drive.graph, r)->n == n;
  err = sc_drive_run(&drive, n, SC_RUN_TARGET, repeat);
  err = finish(&drive, err);
out:
  sc_drive_close(&drive);
  return err;
}
