/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which size is run next: by Algorithm 1 of delta-infer (regress/paper/refine.h), or by what it buys at the target
 * (regress/plan/plan.h). The rest of the drive sees only steps. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/compare.h"
#include "base/hash.h"
#include "runner/drive/internal.h"
#include "runner/loaded/load.h"
#include "runner/text/format.h"
#include "runner/text/tuning.h"
#include "transitions/model/time_growth.h"

/* ---- what sizes are chosen by ---- */

/*
 * What sizes are chosen by. A program has thousands of contexts but few different shapes: contexts whose
 * counts are equal at every size are one series, so that a block of code counts once however many contexts it has, and
 * constants other than one do not drown the error of what grows. Of more than SC_CHOOSE_SERIES the largest are taken.
 * Only sizes handed out so far are looked at, so that a resumed study takes the same decisions.
 */

typedef struct vector {
  const double *values; /* [size_count] */
  size_t size_count;
  double weight, largest; /* of its counts in executions; of the executions */
  uint32_t context;
} vector;

int sc_drive_series_add_size(sc_drive_series *series, double n)
{
  for (size_t i = 0; i < series->size_count; i++)
    if (series->sizes[i] == n)
      return 0;
  SC_TRY(sc_mem_grow(&series->sizes, &series->size_capacity, series->size_count + 1, sizeof *series->sizes));
  series->sizes[series->size_count++] = n;
  return 0;
}

/* Marks the contexts at and below the roots; a parent's number is smaller than its children's. */
static void mark_scope(const sc_drive *drive, unsigned char *scope)
{
  const sc_workload *workload = drive->workload;
  uint32_t count = sc_graph_context_count(drive->graph);
  for (uint32_t c = 0; c < count; c++) {
    scope[c] = workload->root_count == 0 || (c && scope[sc_graph_parent(drive->graph, c)]);
    for (size_t r = 0; !scope[c] && r < workload->root_count; r++)
      scope[c] = sc_location_is_called(sc_graph_at(drive->graph, c), workload->roots[r]);
  }
}

/* Index of every run's size among those handed out, or size_count. */
static size_t *index_runs(const sc_drive *drive)
{
  const sc_drive_series *series = &drive->series;
  size_t *indices = sc_mem_new(sc_graph_run_count(drive->graph), sizeof *indices);
  for (size_t r = 0; indices && r < sc_graph_run_count(drive->graph); r++) {
    const sc_run *run = sc_graph_run_const(drive->graph, r);
    while (indices[r] < series->size_count && (run->role == SC_RUN_TARGET || run->n != series->sizes[indices[r]]))
      indices[r]++;
  }
  return indices;
}

/* Mean over the repeats of every size; false if all are 0. `runs` is room for [size_count]. */
static bool fill_means(const sc_drive *drive, const size_t *indices, uint32_t context, double *values, unsigned *runs)
{
  size_t sizes = drive->series.size_count;
  bool any = false;
  for (size_t s = 0; s < sizes; s++)
    values[s] = runs[s] = 0;
  for (size_t r = 0; r < sc_graph_run_count(drive->graph); r++) {
    if (indices[r] >= sizes)
      continue;
    values[indices[r]] += sc_graph_value(drive->graph, r, context, SC_METRIC_COUNT);
    runs[indices[r]]++;
  }
  for (size_t s = 0; s < sizes; s++) {
    values[s] = runs[s] ? values[s] / runs[s] : 0;
    any |= values[s] != 0;
  }
  return any;
}

static int compare_vectors(const void *a, const void *b)
{
  const vector *x = a, *y = b;
  return SC_COMPARE(y->largest, x->largest) ?: memcmp(x->values, y->values, x->size_count * sizeof *x->values);
}

/* Rows of all counted contexts in scope; their number. */
static size_t collect_vectors(const sc_drive *drive, const unsigned char *scope, const size_t *indices, double *values,
                              unsigned *runs, vector *vectors)
{
  size_t found = 0, sizes = drive->series.size_count;
  for (uint32_t c = 1; c < sc_graph_context_count(drive->graph); c++) {
    double *row = values + found * sizes;
    if (!scope[c] || !sc_location_is_counted(sc_graph_at(drive->graph, c)) || !fill_means(drive, indices, c, row, runs))
      continue;
    double weight = sc_location_weight(sc_graph_at(drive->graph, c));
    vectors[found] = (vector){.values = row, .size_count = sizes, .weight = weight, .context = c};
    for (size_t s = 0; s < sizes; s++)
      vectors[found].largest = fmax(vectors[found].largest, weight * row[s]);
    found++;
  }
  return found;
}

static int make_room(sc_drive_series *series, size_t count)
{
  free(series->values);
  free(series->contexts);
  free(series->members);
  series->count = 0;
  series->values = sc_mem_new(count * series->size_count + 1, sizeof *series->values);
  series->contexts = sc_mem_new(count + 1, sizeof *series->contexts);
  series->members = sc_mem_new(count + 1, sizeof *series->members);
  return series->values && series->contexts && series->members ? 0 : SC_E_NOMEM;
}

/* Contexts with the same counts are one series, with their number as its weight; sorting makes them neighbours. What is
 * beyond SC_CHOOSE_SERIES is left out: choosing a size must take less time than running it. */
static int keep_distinct(sc_drive_series *series, vector *vectors, size_t found)
{
  size_t sizes = series->size_count;
  if (found)
    qsort(vectors, found, sizeof *vectors, compare_vectors);
  SC_TRY(make_room(series, found < SC_CHOOSE_SERIES ? found : SC_CHOOSE_SERIES));
  for (size_t i = 0; i < found; i++) {
    if (i && compare_vectors(&vectors[i - 1], &vectors[i]) == 0) {
      series->members[series->count - 1] += vectors[i].weight;
      continue;
    }
    if (series->count == SC_CHOOSE_SERIES)
      break;
    series->contexts[series->count] = vectors[i].context;
    series->members[series->count] = vectors[i].weight;
    memcpy(series->values + series->count++ * sizes, vectors[i].values, sizes * sizeof *series->values);
  }
  return 0;
}

static int build_series(sc_drive *drive)
{
  size_t contexts = sc_graph_context_count(drive->graph), sizes = drive->series.size_count;
  unsigned char *scope = sc_mem_new(contexts, 1);
  double *values = sc_mem_new(contexts * (sizes + 1), sizeof *values);
  unsigned *runs = sc_mem_new(sizes, sizeof *runs);
  size_t *indices = index_runs(drive);
  vector *vectors = sc_mem_new(contexts, sizeof *vectors);
  int err = scope && values && runs && indices && vectors ? 0 : SC_E_NOMEM;
  if (err == 0) {
    mark_scope(drive, scope);
    err = keep_distinct(&drive->series, vectors, collect_vectors(drive, scope, indices, values, runs, vectors));
  }
  free(scope);
  free(values);
  free(runs);
  free(indices);
  free(vectors);
  return err;
}

static void refresh_series(sc_drive *drive)
{
  if (!drive->series.stale)
    return;
  drive->series.stale = false;
  drive->series.error = build_series(drive);
  if (drive->series.error < 0)
    drive->series.count = 0;
}

void sc_drive_series_free(sc_drive_series *series)
{
  free(series->sizes);
  free(series->values);
  free(series->contexts);
  free(series->members);
  *series = (sc_drive_series){0};
}

/* ---- by what a size buys at the target ---- */

static const char stop_key[] = "plan_stop";

/* The decision to stop is remembered with what it was made for: the same command again has nothing left to do, although
 * times differ from run to run; another target, precision or time makes the plan decide anew. */
static uint64_t hash_purpose(const sc_drive *drive, const sc_plan_options *plan)
{
  const sc_drive_options *o = drive->options;
  char text[400];
  uint64_t hash = SC_HASH_START;
  for (size_t i = 0; i < plan->target_count; i++) {
    snprintf(text, sizeof text, "%.17g", plan->targets[i]);
    hash = sc_hash_string(hash, text);
  }
  snprintf(text, sizeof text, "%.17g %.17g %.17g %.17g %zu %d %.17g %.17g %u", plan->low, plan->high, plan->check,
           plan->precision, plan->max_iterations, (int)o->fit.engine, o->budget_seconds, o->timeout_seconds,
           plan->repeats);
  return sc_hash_string(hash, text);
}

/* Why the last command stopped is kept with a hash of what it was asked for: the same command again decides nothing
 * anew, another one does. Sizes that were run are known without being run again. */
static int recall_plan(sc_drive *drive, const sc_plan_options *plan)
{
  char *stored = NULL;
  unsigned long long hash = 0;
  int stop = 0;
  drive->plan_purpose = hash_purpose(drive, plan);
  SC_TRY(sc_study_get(drive->study, stop_key, &stored));
  if (stored && sscanf(stored, "%llx %d", &hash, &stop) == 2 && hash == drive->plan_purpose)
    drive->plan_stop = (enum sc_plan_stop)stop;
  free(stored);
  for (size_t r = 0; r < sc_graph_run_count(drive->graph); r++) {
    const sc_run *run = sc_graph_run_const(drive->graph, r);
    if (run->role != SC_RUN_TARGET)
      SC_TRY(sc_plan_known(drive->plan, run->n));
  }
  return 0;
}

static int remember_stop(sc_drive *drive, enum sc_plan_stop stop)
{
  char text[64];
  drive->plan_stop = stop;
  snprintf(text, sizeof text, "%llx %d", (unsigned long long)drive->plan_purpose, (int)stop);
  return sc_study_put(drive->study, stop_key, text);
}

/* Most steps (first and validation sizes) need no models, so the series are built only when they are asked for. */
static size_t series_count(void *user)
{
  sc_drive *drive = user;
  refresh_series(drive);
  return drive->series.count;
}

/* Contexts with the same counts are one series, which costs what they cost together. */
static double series_cost(void *user, size_t index) { return ((sc_drive *)user)->series.members[index]; }

/* Runs that repeat themselves are one: their count is exact. */
static size_t series_runs(void *user, double n)
{
  const sc_drive *drive = user;
  size_t runs = sc_drive_count_runs(drive, n);
  return runs && !drive->unsteady ? 1 : runs;
}

static double value_of_run(void *user, size_t index, double n, size_t run)
{
  const sc_drive *drive = user;
  for (size_t r = 0; r < sc_graph_run_count(drive->graph); r++) {
    const sc_run *at = sc_graph_run_const(drive->graph, r);
    if (at->n == n && at->role != SC_RUN_TARGET && run-- == 0)
      return sc_graph_value(drive->graph, r, drive->series.contexts[index], SC_METRIC_COUNT);
  }
  return 0;
}

/* Of a whole run: making its input and cleaning up cost as much as the command's own time. */
static double series_seconds(void *user, double n)
{
  const sc_drive *drive = user;
  double sum = 0, runs = 0;
  for (size_t r = 0; r < sc_graph_run_count(drive->graph); r++) {
    const sc_run *at = sc_graph_run_const(drive->graph, r);
    if (at->n == n && at->role != SC_RUN_TARGET)
      sum += at->wall_seconds, runs++;
  }
  return runs > 0 ? sum / runs + drive->overhead : 0;
}

static double expected_seconds(void *user, double n)
{
  sc_drive *drive = user;
  double seconds = sc_drive_expect(drive, n);
  return seconds < 0 ? seconds : seconds + drive->overhead;
}

/* A size whose time would decide whether executions take longer at larger sizes, where the times so far allow both, or
 * which ones do. */
static int deciding_size(void *user, double *n)
{
  const sc_drive *drive = user;
  const sc_drive_options *o = drive->options;
  sc_analysis *analysis;
  *n = 0;
  int err = sc_loaded_analyse(o->study_path, drive->workload, drive->graph, &o->fit, NULL, 0, NULL, &analysis);
  if (err == SC_E_TOOLITTLE) /* whoever reports says so */
    return 0;
  SC_TRY(err);
  sc_time_growth time = sc_analysis_time_growth(analysis);
  sc_analysis_free(analysis);
  if (time.state == SC_TIME_UNDECIDED || time.state == SC_TIME_UNCHECKED)
    *n = time.between > 0 ? time.between : isfinite(time.deciding) ? time.deciding : 0;
  else if (time.state == SC_TIME_GROWING)
    *n = time.between;
  return 0;
}

/* Times matter where they are sampled, and sizes that nobody listed may run. */
static bool times_may_decide(const sc_drive *drive)
{
  return sc_execute_samples(drive->execute.event) &&
         (!sc_workload_is_closed(drive->workload) || sc_workload_may_open(drive->workload));
}

/* "narrows the total count at n = 1,000,000 from +-40% to about +-12%" */
static void explain_step(const sc_drive *drive, const sc_plan_step *found, sc_drive_step *step)
{
  sc_plan_state state = sc_plan_status(drive->plan);
  int length = snprintf(step->why, sizeof step->why, "%s", sc_plan_reason_text(found->reason));
  if (state.expected < 0 || length < 0)
    return;
  snprintf(step->why + length, sizeof step->why - (size_t)length, ": the total count at %s = %s from %s to %s%s",
           drive->workload->parameter, sc_format_number(state.target).s, sc_format_margin(state.width).s,
           state.expected > 0 ? "about " : "", sc_format_margin(state.expected).s);
}

static void warn_of_budget(sc_drive *drive, sc_plan_state state)
{
  sc_drive_warn_of(drive, "the same command with a longer --budget resumes from there",
                   "the time of %s is used up: the total count at %s = %s is known to %s",
                   sc_format_seconds(sc_drive_budget(drive)).s, drive->workload->parameter,
                   sc_format_number(state.target).s, sc_format_margin(state.width).s);
}

/* The plan sees series, costs and times through callbacks alone, so that regress knows nothing of studies. */
static int next_of_plan(sc_drive *drive, sc_drive_step *step)
{
  const sc_plan_data data = {.user = drive,
                             .count = series_count,
                             .cost = series_cost,
                             .runs = series_runs,
                             .value = value_of_run,
                             .seconds = series_seconds,
                             .expect = expected_seconds,
                             .further = times_may_decide(drive) ? deciding_size : NULL,
                             .limit = sc_drive_chosen_limit(drive) + drive->overhead,
                             .left = sc_drive_seconds_left(drive),
                             .counts = !drive->unsteady};
  sc_plan_step found = {0};
  size_t iteration = sc_plan_status(drive->plan).iteration;
  if (sc_plan_decides(drive->plan) && !drive->made && drive->plan_stop != SC_PLAN_RUNNING)
    return 0;
  int more = sc_plan_next(drive->plan, &data, &found);
  if (drive->series.error < 0)
    return sc_err_kept(more); /* for want of memory; "no series" is what came of it */
  SC_TRY(more);
  sc_plan_state state = sc_plan_status(drive->plan);
  if (state.iteration != iteration)
    sc_drive_tell(drive, (sc_drive_event){.kind = SC_DRIVE_FITTED, .seconds = -1});
  if (more == 0) {
    if (state.stop == SC_PLAN_BUDGET)
      warn_of_budget(drive, state);
    return remember_stop(drive, state.stop);
  }
  *step = (sc_drive_step){.n = found.n,
                          .runs = found.runs,
                          .role = found.reason == SC_PLAN_CHECK ? SC_RUN_VALIDATION : SC_RUN_TRAINING,
                          .first = found.reason == SC_PLAN_INITIAL,
                          .check = found.reason == SC_PLAN_CHECK};
  explain_step(drive, &found, step);
  return more;
}

static void end_of_plan(const sc_drive *drive, char *text, size_t size)
{
  sc_plan_state state = sc_plan_status(drive->plan);
  if (state.iteration == 0) { /* nothing was to be decided: a study that had ended already */
    bool cut = drive->plan_stop == SC_PLAN_RUNNING && sc_drive_out_of_time(drive);
    snprintf(text, size, "%s", cut ? "the time is used up" : sc_plan_stop_text(drive->plan_stop));
    return;
  }
  int length = snprintf(text, size, "%s: at %s = %s %s", sc_plan_stop_text(state.stop), drive->workload->parameter,
                        sc_format_number(state.target).s, sc_format_margin(state.width).s);
  if (state.wide && length > 0 && (size_t)length < size)
    length += snprintf(text + length, size - (size_t)length, ", less closely %zu of the counts that make 1%% of it",
                       state.wide);
  if (sc_drive_times_are_cut(drive) && length > 0 && (size_t)length < size)
    length += snprintf(text + length, size - (size_t)length,
                       "; too little time is left for a size that shows whether an execution takes longer");
  if (length < 0 || (size_t)length >= size)
    return;
  if (state.stop == SC_PLAN_TOO_SLOW)
    snprintf(text + length, size - (size_t)length, " (%s); a longer --timeout lets it",
             sc_format_seconds(sc_drive_chosen_limit(drive)).s);
  else if ((state.stop == SC_PLAN_NO_GAIN || state.stop == SC_PLAN_STALLED) && sc_workload_may_open(drive->workload))
    snprintf(text + length, size - (size_t)length, "; larger sizes may: -P %s=LOW..HIGH+ (a file's <validation>)",
             drive->workload->parameter);
}

/* ---- by Algorithm 1 ---- */

static sc_drive_step step_of(const sc_refine_step *from)
{
  sc_drive_step step = {.n = from->n, .first = from->reason == SC_REFINE_INITIAL};
  step.role = from->role == SC_REFINE_TRAINING ? SC_RUN_TRAINING : SC_RUN_VALIDATION;
  step.check = from->reason == SC_REFINE_VALIDATE;
  snprintf(step.why, sizeof step.why, "%s", sc_refine_reason_text(from->reason));
  return step;
}

static double series_value(void *user, size_t index, double n)
{
  const sc_drive_series *series = &((const sc_drive *)user)->series;
  for (size_t s = 0; s < series->size_count; s++)
    if (series->sizes[s] == n)
      return series->values[index * series->size_count + s];
  return 0;
}

/* Algorithm 1 sees counts alone; how long a size takes is left to what admits it (measure.c). */
static int next_of_algorithm(sc_drive *drive, sc_drive_step *step)
{
  const sc_refine_data data = {drive, series_count, series_value, !drive->unsteady};
  size_t iteration = sc_refine_status(drive->refine).iteration;
  sc_refine_step found = {0};
  int more = sc_refine_next(drive->refine, &data, &found);
  if (drive->series.error < 0)
    return sc_err_kept(more); /* for want of memory; "no series" is what came of it */
  if (more >= 0 && sc_refine_status(drive->refine).iteration != iteration)
    sc_drive_tell(drive, (sc_drive_event){.kind = SC_DRIVE_FITTED, .seconds = -1});
  *step = step_of(&found);
  return more;
}

int sc_drive_choose_next(sc_drive *drive, sc_drive_step *step)
{
  drive->series.stale = true;
  return drive->plan ? next_of_plan(drive, step) : next_of_algorithm(drive, step);
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
    end_of_plan(drive, text, size);
  else
    end_of_algorithm(drive, text, size);
}

/* ---- the start ---- */

/* Spread geometrically over the whole range: for extrapolation, range beats number. */
static int choose_first(sc_drive *drive)
{
  const sc_workload *workload = drive->workload;
  size_t wanted = workload->first_count ? workload->first_count : SC_CHOOSE_FIRST;
  SC_TRY(SC_NEW(drive->first, wanted));
  double ratio = workload->range_high / workload->range_low;
  for (size_t i = 0; i < wanted; i++) {
    double size =
        workload->first_count ? workload->first[i] : workload->range_low * pow(ratio, (double)i / (double)(wanted - 1));
    if (!workload->first_count && i == wanted - 1)
      size = workload->range_high;
    if (sc_workload_has_whole_sizes(workload))
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
                                  workload->validation_count ? workload->validation_count : SC_CHOOSE_VALIDATION,
                              .max_iterations = options->max_iterations,
                              .prediction_error = options->prediction_error,
                              .integer_sizes = sc_workload_has_whole_sizes(workload),
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
                          .check = sc_workload_has_whole_sizes(workload) ? floor(check) : check,
                          .repeats = workload->repeats,
                          .max_iterations = options->max_iterations,
                          .integer_sizes = sc_workload_has_whole_sizes(workload),
                          .fit = options->fit};
  drive->check_count = plan.check > 0 && plan.check != workload->range_high;
  drive->check_size = plan.check;
  SC_TRY(sc_plan_new(&plan, &drive->plan));
  return recall_plan(drive, &plan);
}

int sc_drive_choose_start(sc_drive *drive)
{
  SC_TRY(choose_first(drive));
  return drive->options->refine == SC_DRIVE_REFINE_ALGORITHM ? start_algorithm(drive) : start_plan(drive);
}
