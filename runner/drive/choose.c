/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which size is run next: by Algorithm 1 of delta-infer (regress/paper/refine.h), or by what it buys at the target
 * (regress/plan/plan.h, fed by plan.c). The rest of the drive sees only steps. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "runner/drive/internal.h"
#include "runner/text/format.h"

enum { FIRST_SIZES = 5, VALIDATION_SIZES = 5 };

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

static int start_algorithm(sc_drive *drive)
{
  const sc_workload *workload = drive->workload;
  const sc_drive_options *options = drive->options;
  sc_refine_options refine = {.range_low = workload->range_low,
                              .range_high = workload->range_high,
                              .validation_low = workload->validation_low,
                              .validation_high = workload->validation_high,
                              .size_limit = size_limit(drive),
                              .initial = drive->first,
                              .initial_count = drive->first_count,
                              .validation_count =
                                  workload->validation_count ? workload->validation_count : VALIDATION_SIZES,
                              .max_iterations = options->max_iterations,
                              .prediction_error = options->prediction_error,
                              .integer_sizes = whole_sizes(workload),
                              .fit = options->fit};
  drive->check_count = refine.validation_count;
  SC_TRY(choose_seed(drive, &refine.seed));
  SC_TRY(sc_refine_new(&refine, &drive->refine));
  drive->check_size = 0.5 * (workload->validation_low + sc_refine_status(drive->refine).validation_high);
  return 0;
}

/* Where nothing beyond the range is run, models are checked between its two largest first sizes. */
static double check_within(const sc_drive *drive)
{
  if (!sc_workload_may_open(drive->workload) || drive->first_count < 2)
    return 0;
  return sqrt(drive->first[drive->first_count - 2] * drive->first[drive->first_count - 1]);
}

/* Without a target ten times the range is predicted, as reports do. Where the validation range ends with the range, as
 * for a list, all sizes lie within it. */
static int start_plan(sc_drive *drive)
{
  const sc_workload *workload = drive->workload;
  const sc_drive_options *options = drive->options;
  const double usual = 10 * workload->range_high;
  bool closed = sc_workload_is_closed(workload);
  double limit = workload->target_count ? size_limit(drive) : workload->validation_high;
  double check = closed ? check_within(drive) : fmin(workload->validation_high, limit);
  sc_plan_options plan = {.targets = workload->target_count ? workload->targets : &usual,
                          .target_count = workload->target_count ? workload->target_count : 1,
                          .initial = drive->first,
                          .initial_count = drive->first_count,
                          .precision = options->precision,
                          .low = workload->range_low,
                          .high = closed ? workload->range_high : limit,
                          .check = whole_sizes(workload) ? floor(check) : check,
                          .repeats = workload->repeats,
                          .max_iterations = options->max_iterations,
                          .integer_sizes = whole_sizes(workload),
                          .fit = options->fit};
  drive->check_count = plan.check > 0 && plan.check != workload->range_high;
  drive->check_size = plan.check;
  SC_TRY(sc_plan_new(&plan, &drive->plan));
  return sc_drive_plan_recall(drive, &plan);
}

int sc_drive_choose_start(sc_drive *drive)
{
  SC_TRY(choose_first(drive));
  return drive->options->refine == SC_DRIVE_REFINE_ALGORITHM ? start_algorithm(drive) : start_plan(drive);
}

static sc_drive_step step_of(const sc_refine_step *from)
{
  sc_drive_step step = {.n = from->n, .first = from->reason == SC_REFINE_INITIAL};
  step.role = from->role == SC_REFINE_TRAINING ? SC_RUN_TRAINING : SC_RUN_VALIDATION;
  step.check = from->reason == SC_REFINE_VALIDATE;
  snprintf(step.why, sizeof step.why, "%s", sc_refine_reason_text(from->reason));
  return step;
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

static int next_of_algorithm(sc_drive *drive, sc_drive_step *step)
{
  const sc_refine_data data = {drive, series_count, series_value, !drive->unsteady};
  size_t iteration = sc_refine_status(drive->refine).iteration;
  sc_refine_step found = {0};
  int more = sc_refine_next(drive->refine, &data, &found);
  if (drive->series.error < 0)
    return sc_err_kept(more); /* for want of memory; "no series" is what came of it */
  if (more >= 0 && sc_refine_status(drive->refine).iteration != iteration)
    sc_drive_tell(drive, SC_DRIVE_FITTED, NULL, 0, -1);
  *step = step_of(&found);
  return more;
}

int sc_drive_choose_next(sc_drive *drive, sc_drive_step *step)
{
  drive->series.stale = true;
  return drive->plan ? sc_drive_plan_next(drive, step) : next_of_algorithm(drive, step);
}

int sc_drive_choose_instead(sc_drive *drive, double wanted, sc_drive_step *step)
{
  if (drive->plan) {
    sc_plan_step found;
    SC_TRY(sc_plan_replace(drive->plan, wanted, &found));
    step->n = found.n;
    return 0;
  }
  sc_refine_step found;
  SC_TRY(sc_refine_replace(drive->refine, wanted, &found));
  step->n = found.n;
  return 0;
}

/* What delta-infer's Table 2 has of a scenario. */
static void end_of_algorithm(const sc_drive *drive, char *text, size_t size)
{
  sc_refine_state s = sc_refine_status(drive->refine);
  const char *why = s.stop == SC_REFINE_RUNNING ? "the time is used up" : sc_refine_stop_text(s.stop);
  int length = snprintf(text, size, "%s", why);
  if (s.iteration && length > 0 && (size_t)length < size)
    snprintf(text + length, size - (size_t)length,
             ": after %s %zu models with an average error of %s on validation runs, at first %zu with %s",
             sc_format_plural(s.iteration, "iteration").s, s.models, sc_format_percent(s.error).s, s.first_models,
             sc_format_percent(s.first_error).s);
}

void sc_drive_choose_end(const sc_drive *drive, char *text, size_t size)
{
  if (drive->plan)
    sc_drive_plan_end(drive, text, size);
  else
    end_of_algorithm(drive, text, size);
}
