/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Elapsed time at a point of several parameters, of the same parts as at the base (transitions/model/elapsed.h): time
 * on a processor is the predicted processor time by how much of the program runs at once, which is looked at for each
 * value of the further parameters; waiting follows the count that explains it best, shared among a further parameter's
 * workers where that explains it better.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "regress/core/line.h"
#include "runner/process/machine.h"
#include "runner/several/internal.h"
#include "runner/text/tuning.h"
#include "transitions/model/seconds.h"
#include "transitions/model/tuning.h"

/* Of each second, below and above. */
static const double WAIT_DOUBT[2] = {SC_ELAPSED_WAIT_DOUBT, SC_ELAPSED_WAIT_DOUBT},
                    LOAD_DOUBT[2] = {SC_ELAPSED_LOAD_LESS, SC_ELAPSED_LOAD_MORE}, NO_DOUBT[2] = {0, 0};
enum { LINES_MOST = 8 };
#define CONSTANT UINT32_MAX

/* seconds = start + each * count of a series, by the value of a further parameter if that divides it. */
typedef struct line {
  uint32_t series; /* CONSTANT: none */
  size_t divide;   /* number of the parameter; 0: none */
  double start, each, error, misfit;
  bool shows; /* the seconds rise by more than starts and exits scatter by */
} line;

/* Seconds of the runs: lines that explain them, the best one first, or a surface. */
typedef struct seconds {
  line lines[LINES_MOST];
  size_t count;
  sc_surface *surface; /* NULL: none */
  double same;         /* of every run, where they go with no count */
  bool scatter;        /* nobody timed them at their place */
} seconds;

/* How many processors the program keeps busy at a combination of the further parameters. */
typedef struct parallel {
  double others[SC_RUN_OTHERS];
  double used, on, low, high;
} parallel;

struct sc_several_time {
  seconds waiting, ready, processor; /* `processor` where costs are no times */
  bool of_costs;
  double processors; /* of the machine */
  parallel *parallel;
  size_t parallel_count;
  double kinds[SC_WAIT_KINDS]; /* of what is waited for: shares; all 0: not measured */
};

static const sc_run *run_of(const sc_several *s, size_t i) { return sc_graph_run_const(s->graph, s->runs[i]); }

static const double *elapsed_values_at(const sc_several *s, size_t i) { return s->at + i * s->parameters; }

static bool is_large(const sc_several *s, size_t i)
{
  return elapsed_values_at(s, i)[0] >= SC_ELAPSED_LARGE * s->high_varied;
}

/* ---- seconds of all runs ---- */

static double elapsed_x_of(const sc_several *s, const line *l, size_t i)
{
  double x = l->series == CONSTANT ? 1 : sc_series_row(&s->set, l->series)[i];
  return l->divide ? x / elapsed_values_at(s, i)[l->divide] : x;
}

static void fit_elapsed_line(const sc_several *s, const double *y, double least, line *l)
{
  double squares = 0, k = (double)s->run_count, lowest = INFINITY, highest = 0;
  sc_line_sums sums = {0};
  for (size_t i = 0; i < s->run_count; i++) {
    double x = elapsed_x_of(s, l, i);
    sc_line_add(&sums, x, y[i], fmax(y[i], least));
    lowest = fmin(lowest, x);
    highest = fmax(highest, x);
  }
  sc_line fitted = sc_line_fit(&sums);
  for (size_t i = 0; i < s->run_count; i++)
    squares += sc_line_miss(&fitted, elapsed_x_of(s, l, i), y[i], fmax(y[i], least));
  l->start = fitted.start;
  l->each = fitted.each;
  l->misfit = squares / k;
  l->shows = sc_seconds_show(l->each, lowest, highest);
  l->error = fitted.varies && k > 2 ? SC_SECONDS_ERRORS * sqrt(squares / (k - 2) * fitted.spread) : l->each;
}

static const sc_surface *surface_of(const sc_several *s, uint32_t series)
{
  uint32_t fit = s->fits[series];
  const sc_surface *model = fit == SC_SEVERAL_REST ? NULL : &s->models[fit];
  return model && (model->verdict == SC_VERDICT_MODEL || model->ambiguous) ? model : NULL;
}

/* Keeps the best ones, in order; none that is much worse than the best. */
static void keep_line(seconds *out, const line *l)
{
  size_t i = out->count < LINES_MOST ? out->count++ : LINES_MOST;
  if (i == LINES_MOST && out->lines[--i].misfit <= l->misfit)
    return;
  for (; i > 0 && out->lines[i - 1].misfit > l->misfit; i--)
    out->lines[i] = out->lines[i - 1];
  out->lines[i] = *l;
}

static void fit_lines(const sc_several *s, const double *y, seconds *out)
{
  double least = SC_SECONDS_LEAST;
  line l = {.series = CONSTANT};
  for (size_t i = 0; i < s->run_count; i++)
    least = fmax(least, SC_SECONDS_SMALL * y[i]);
  fit_elapsed_line(s, y, least, &l);
  out->same = l.start;
  keep_line(out, &l);
  for (uint32_t k = 0; k < s->set.count; k++)
    for (size_t divide = 0; divide < s->parameters && s->members[k] > 0 && surface_of(s, k); divide++) {
      l = (line){.series = k, .divide = divide};
      fit_elapsed_line(s, y, least, &l);
      keep_line(out, &l);
    }
  while (out->count > 1 && out->lines[out->count - 1].misfit > SC_SECONDS_AS_GOOD * out->lines[0].misfit)
    out->count--;
}

/* Where no line explains them, a model of the seconds themselves. */
static int fit_surface(const sc_several *s, const double *y, seconds *out)
{
  int err;
  sc_surface_series series = {
      .at = s->at, .y = y, .count = s->run_count, .parameters = s->parameters, .names = s->names};
  out->surface = sc_mem_new(1, sizeof *out->surface);
  if (!out->surface)
    return SC_E_NOMEM;
  SC_GOTO(sc_surface_fit(&series, &SC_FIT_OPTIONS_DEFAULT, out->surface));
  if (out->surface->verdict == SC_VERDICT_MODEL && out->surface->fit_error < sqrt(out->lines[0].misfit))
    return 0;
  out->lines[0].error = fmax(out->lines[0].error, out->lines[0].each); /* nothing explains them: a factor of two */
out:
  free(out->surface);
  out->surface = NULL;
  return err == SC_E_NUMERIC ? 0 : err;
}

static int fit_seconds(const sc_several *s, const double *y, bool surface, seconds *out)
{
  fit_lines(s, y, out);
  return surface && out->lines[0].misfit > SC_SECONDS_EXPLAINED * SC_SECONDS_EXPLAINED ? fit_surface(s, y, out) : 0;
}

/* What a line gives at the horizon, at other values. */
static double value_there(const sc_several *s, const line *l, const double *there)
{
  double count = l->series == CONSTANT ? 1 : sc_surface_value(surface_of(s, l->series), there);
  return l->start + l->each * (l->divide ? count / there[l->divide] : count);
}

/* `doubt`: of each second that goes with a count, below and above. What other lines give that are as good widens it. */
static int seconds_there(const sc_several *s, const seconds *from, const double *there, const double doubt[2],
                         sc_elsewhere_seconds *out)
{
  const line *best = &from->lines[0];
  double by = best->divide ? there[best->divide] : 1, at = value_there(s, best, there), low = at, high = at;
  *out = (sc_elsewhere_seconds){.has_own = from->surface != NULL};
  if (from->surface)
    return sc_surface_slice(from->surface, there, 0, &out->own);
  for (size_t i = 1; i < from->count; i++) {
    double other = value_there(s, &from->lines[i], there);
    low = fmin(low, other);
    high = fmax(high, other);
  }
  out->start = best->start;
  if (best->series == CONSTANT || !(best->each > 0))
    return 0;
  out->model = best->series;
  if (from->scatter && !best->shows) { /* the upper end alone goes with the count */
    double count = sc_surface_value(surface_of(s, best->series), there);
    out->start = from->same;
    out->above = (best->each + best->error) / by;
    if (count > 0)
      out->above = fmax(out->above, (high - from->same) / count);
    return 0;
  }
  out->each = best->each / by;
  out->below = hypot(hypot(best->error / by, doubt[0] * out->each), at > 0 ? (at - low) / at * out->each : 0);
  out->above = hypot(hypot(best->error / by, doubt[1] * out->each), at > 0 ? (high - at) / at * out->each : 0);
  return 0;
}

/* ---- what runs at once ---- */

static parallel *parallel_at(struct sc_several_time *t, const double *others)
{
  for (size_t i = 0; i < t->parallel_count; i++)
    if (memcmp(t->parallel[i].others, others, sizeof t->parallel[i].others) == 0)
      return &t->parallel[i];
  parallel *p = &t->parallel[t->parallel_count++];
  *p = (parallel){.low = INFINITY};
  memcpy(p->others, others, sizeof p->others);
  return p;
}

static int load_parallel(const sc_several *s, struct sc_several_time *t)
{
  t->parallel = sc_mem_new(s->run_count + 1, sizeof *t->parallel);
  if (!t->parallel)
    return SC_E_NOMEM;
  for (size_t i = 0; i < s->run_count; i++) {
    sc_elapsed_run run = sc_elapsed_of_run(run_of(s, i));
    if (!is_large(s, i) || !(run.on > 0))
      continue;
    parallel *p = parallel_at(t, run_of(s, i)->others);
    p->used += run.processor, p->on += run.on;
    p->low = fmin(p->low, run.processor / run.on);
    p->high = fmax(p->high, run.processor / run.on);
  }
  return 0;
}

/* The combination nearest to these values, by the logarithms of its values. */
static const parallel *find_nearest_parallel(const sc_several *s, const struct sc_several_time *t, const double *others)
{
  const parallel *best = NULL;
  double least = INFINITY;
  for (size_t i = 0; i < t->parallel_count; i++) {
    double distance = 0;
    for (size_t p = 1; p < s->parameters; p++)
      distance += fabs(log(others[p - 1] / t->parallel[i].others[p - 1]));
    if (distance < least) {
      least = distance;
      best = &t->parallel[i];
    }
  }
  return best;
}

/* The next smaller value of the one further parameter. */
static const parallel *elapsed_before(const struct sc_several_time *t, const parallel *of)
{
  const parallel *best = NULL;
  for (size_t i = 0; i < t->parallel_count; i++)
    if (t->parallel[i].others[0] < of->others[0] && (!best || t->parallel[i].others[0] > best->others[0]))
      best = &t->parallel[i];
  return best;
}

/* Processors kept busy. Beyond the largest value of a single further parameter they grow on as they last did, up to
 * those of the machine; the interval goes from no growth to growth in proportion. */
static void predict_parallel(const sc_several *s, const struct sc_several_time *t, const double *others,
                             sc_interval *out)
{
  const parallel *p = find_nearest_parallel(s, t, others), *q = s->parameters == 2 && p ? elapsed_before(t, p) : NULL;
  *out = (sc_interval){1, 1, 1};
  if (!p)
    return;
  *out = (sc_interval){p->used / p->on, p->low, p->high};
  if (q && others[0] > p->others[0]) {
    double last = out->value / (q->used / q->on), times = others[0] / p->others[0];
    double power = last > SC_SEVERAL_GREW ? fmin(1, log(last) / log(p->others[0] / q->others[0])) : 0;
    out->value = fmin(out->value * pow(times, power), fmax(out->value, t->processors));
    out->high = fmax(out->high, fmin(out->high * times, t->processors));
  }
  for (size_t i = 0; s->parameters > 2 && i < t->parallel_count; i++) { /* which of them does it is not looked at */
    out->low = fmin(out->low, t->parallel[i].low);
    out->high = fmax(out->high, t->parallel[i].high);
  }
}

/* ---- the whole ---- */

static void load_kinds(const sc_several *s, struct sc_several_time *t)
{
  double all = 0;
  for (size_t i = 0; i < s->run_count; i++) {
    const sc_run *run = run_of(s, i);
    for (int k = SC_WAIT_RUNNABLE + 1; k < SC_WAIT_KINDS && run->has_waits && is_large(s, i); k++) {
      t->kinds[k] += run->waits[k];
      all += run->waits[k];
    }
  }
  for (int k = 0; k < SC_WAIT_KINDS; k++)
    t->kinds[k] = all > 0 ? t->kinds[k] / all : 0;
}

static bool is_timed(const sc_several *s)
{
  for (size_t i = 0; i < s->run_count; i++)
    if (!(run_of(s, i)->wall_seconds > 0))
      return false;
  return sc_analysis_elapsed_known(s->judge->loaded.analysis);
}

int sc_several_time_load(sc_several *s)
{
  int err;
  if (!is_timed(s))
    return 0;
  struct sc_several_time *t = s->time = sc_mem_new(1, sizeof *t);
  double *waiting = sc_mem_new(3 * s->run_count, sizeof *waiting);
  if (!t || !waiting) {
    err = SC_E_NOMEM;
    goto out;
  }
  double *ready = waiting + s->run_count, *on = ready + s->run_count;
  for (size_t i = 0; i < s->run_count; i++) {
    sc_elapsed_run run = sc_elapsed_of_run(run_of(s, i));
    waiting[i] = run.waiting;
    ready[i] = run.ready;
    on[i] = run.on;
  }
  t->of_costs = sc_elapsed_has_costs(s->judge->loaded.analysis);
  t->waiting.scatter = t->ready.scatter = true;
  t->processors = fmax(1, sc_machine_processors(s->judge->machine));
  load_kinds(s, t);
  SC_GOTO(load_parallel(s, t));
  SC_GOTO(fit_seconds(s, waiting, true, &t->waiting));
  SC_GOTO(fit_seconds(s, ready, false, &t->ready));
  if (!t->of_costs)
    SC_GOTO(fit_seconds(s, on, true, &t->processor));
out:
  free(waiting);
  return err;
}

void sc_several_time_free(sc_several *s)
{
  if (!s->time)
    return;
  free(s->time->waiting.surface);
  free(s->time->ready.surface);
  free(s->time->processor.surface);
  free(s->time->parallel);
  free(s->time);
  s->time = NULL;
}

int sc_several_time_there(const sc_several *s, const double *others, sc_elsewhere_time *time)
{
  const struct sc_several_time *t = s->time;
  double there[SC_SURFACE_PARAMETERS] = {sc_analysis_horizon(s->judge->loaded.analysis)};
  sc_interval busy;
  memcpy(there + 1, others, (s->parameters - 1) * sizeof *there);
  predict_parallel(s, t, others, &busy);
  *time = (sc_elsewhere_time){.rate = 1 / busy.value, .rate_low = 1 / busy.high, .rate_high = 1 / busy.low};
  memcpy(time->shares, t->kinds, sizeof time->shares);
  for (int k = 0; k < SC_WAIT_KINDS; k++)
    time->measured = time->measured || t->kinds[k] > 0;
  if (!time->measured)
    time->shares[SC_WAIT_OTHER] = 1;
  for (size_t i = 0; i < s->run_count; i++)
    time->threads = fmax(time->threads, (double)sc_graph_run_const(s->graph, s->runs[i])->threads);
  SC_TRY(seconds_there(s, &t->waiting, there, WAIT_DOUBT, &time->waiting));
  SC_TRY(seconds_there(s, &t->ready, there, LOAD_DOUBT, &time->ready));
  return t->of_costs ? 0 : seconds_there(s, &t->processor, there, NO_DOUBT, &time->processor);
}
