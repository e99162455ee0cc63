/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "transitions/model/elapsed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "transitions/model/costs.h"
#include "transitions/model/data.h"
#include "transitions/model/predict.h"
#include "transitions/model/waiting.h"

enum { LEAST_SIZES = 3 };
/* Start and exit of a process, and what else runs on the machine, scatter by about this: below it a difference between
 * two sizes says nothing. */
static const double LEAST_SECONDS = 5e-4;
/* Seconds below this share of the largest count as absolute, not relative ones: predictions rest on the larger ones. */
static const double SMALL = 0.05;
/* Waiting that was measured to be proportional to a count is never known better than this: devices and timers. */
#define WAIT_DOUBT 0.1
/* How many times busier than during the measurement the machine may become. */
static const double LOAD_DOUBT = 2;
/* A line through a count explains the waiting if it misses by no more, on average. */
static const double EXPLAINED = 0.25;
/* A line through another count is as good while its squared error is at most this many times the best one's. */
static const double AS_GOOD = 1.5;
/* A line through a cause's own count that misses by no more than this needs no better one. */
static const double MISSES_LITTLE = 0.05;
/* Standard errors of a slope at 95 %, of the few sizes that studies have. */
static const double STANDARD_ERRORS = 2.5;
/* Runs from this share of the largest size on say how much of the processor time and the waiting is what. */
static const double LARGE = 0.5;
/* More waiting than this, as a share of the elapsed time, and processor time does not say how long a run takes. */
static const double MOSTLY = 0.5;

/* seconds = start + each * count of a series, neither negative, by relative least squares. */
typedef struct line {
  uint32_t model;
  double start, each, error; /* of `each`: half width at 95 % */
  double misfit;             /* mean square of the relative misses */
} line;

const char *sc_elapsed_wait_name(enum sc_wait_kind kind)
{
  static const char *const names[SC_WAIT_KINDS] = {[SC_WAIT_RUNNABLE] = "ready, but the processors were busy",
                                                   [SC_WAIT_IO] = "waiting for I/O",
                                                   [SC_WAIT_LOCK] = "waiting for locks",
                                                   [SC_WAIT_PROCESS] = "waiting for processes",
                                                   [SC_WAIT_SLEEP] = "sleeping",
                                                   [SC_WAIT_OTHER] = "waiting, reason unknown"};
  return kind < SC_WAIT_KINDS ? names[kind] : NULL;
}

bool sc_elapsed_is_metric(const char *word)
{
  static const char *const words[] = {"wall", "wall-time", "wall time", "elapsed", "elapsed-time", "elapsed time"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcmp(word, words[i]) == 0)
      return true;
  return false;
}

const char *sc_elapsed_wait_key(enum sc_wait_kind kind)
{
  static const char *const keys[SC_WAIT_KINDS] = {"runnable", "io", "lock", "process", "sleep", "other"};
  return kind < SC_WAIT_KINDS ? keys[kind] : NULL;
}

static const sc_run *run_at(const sc_analysis *a, size_t i) { return sc_graph_run_const(a->graph, a->runs[i]); }

sc_elapsed_run sc_elapsed_of_run(const sc_run *run)
{
  sc_elapsed_run r = {.processor = run->user_seconds + run->system_seconds};
  r.on = fmin(r.processor, run->wall_seconds);
  r.ready = run->has_waits ? fmin(run->waits[SC_WAIT_RUNNABLE], run->wall_seconds - r.on) : 0;
  r.waiting = fmax(0, run->wall_seconds - r.on - r.ready);
  return r;
}

static bool is_large(const sc_analysis *a, size_t i) { return a->sizes[i] >= LARGE * a->sizes[a->run_count - 1]; }

static double largest_of(const sc_analysis *a, const double *y)
{
  double largest = 0;
  for (size_t i = 0; i < a->run_count; i++)
    largest = fmax(largest, y[i]);
  return largest;
}

/* y [run_count] by x [run_count]. */
static line fit_line(const sc_analysis *a, const double *x, const double *y)
{
  double least = fmax(LEAST_SECONDS, SMALL * largest_of(a, y));
  double w = 0, sx = 0, sy = 0, xx = 0, xy = 0, squares = 0, k = (double)a->run_count;
  line l = {0};
  for (size_t i = 0; i < a->run_count; i++) {
    double scale = fmax(y[i], least), u = 1 / (scale * scale);
    w += u, sx += u * x[i], sy += u * y[i], xx += u * x[i] * x[i], xy += u * x[i] * y[i];
  }
  double det = w * xx - sx * sx;
  bool varies = det > 1e-12 * w * xx;
  l.each = varies ? fmax(0, (w * xy - sx * sy) / det) : 0;
  l.start = (sy - l.each * sx) / w;
  if (l.start < 0) {
    l.start = 0;
    l.each = xx > 0 ? xy / xx : 0;
  }
  for (size_t i = 0; i < a->run_count; i++) {
    double off = (y[i] - l.start - l.each * x[i]) / fmax(y[i], least);
    squares += off * off;
  }
  l.misfit = squares / k;
  l.error = varies && k > 2 ? STANDARD_ERRORS * sqrt(squares / (k - 2) * w / det) : l.each;
  return l;
}

static double line_at(const sc_analysis *a, const line *l, double n)
{
  return l->start + l->each * sc_model_value(&a->models[l->model], n);
}

/* Whether a line through the place's own executions misses the seconds by little more than the best one does. */
static bool is_own_as_good(const line *own, const line *best)
{
  return own->misfit <= fmax(AS_GOOD * best->misfit, MISSES_LITTLE * MISSES_LITTLE);
}

/* The count that explains the seconds best; what others that are as good predict at the horizon widens the error. One
 * that is known to be their cause (`own`) has no rivals if it explains them. */
static line best_line(const sc_analysis *a, const double *y, uint32_t own, double *low, double *high)
{
  line best = fit_line(a, sc_series_row(&a->counts, SC_SERIES_ONE), y);
  double horizon = sc_analysis_horizon(a);
  best.model = SC_SERIES_ONE;
  for (uint32_t s = SC_SERIES_ONE + 1; s < a->counts.count; s++) {
    line l = fit_line(a, sc_series_row(&a->counts, s), y);
    l.model = s;
    if (a->models[s].verdict == SC_VERDICT_MODEL && l.misfit < best.misfit)
      best = l;
  }
  if (own != SC_NONE) {
    line l = fit_line(a, sc_series_row(&a->counts, own), y);
    l.model = own;
    *low = *high = line_at(a, &l, horizon);
    if (is_own_as_good(&l, &best))
      return l;
  }
  *low = *high = line_at(a, &best, horizon);
  for (uint32_t s = SC_SERIES_ONE; s < a->counts.count; s++) {
    line l = fit_line(a, sc_series_row(&a->counts, s), y);
    l.model = s;
    if (a->models[s].verdict != SC_VERDICT_MODEL || l.misfit > AS_GOOD * best.misfit)
      continue;
    *low = fmin(*low, line_at(a, &l, horizon));
    *high = fmax(*high, line_at(a, &l, horizon));
  }
  return best;
}

int sc_elapsed_add_seconds(uint32_t model, double each, double below, double above, double start, sc_blend *out)
{
  below = fmin(each, below);
  if (each > 0)
    SC_TRY(sc_blend_add(
        out,
        &(sc_blend_part){
            .model = model, .value = each, .low = each, .high = each, .below = below * below, .above = above * above}));
  return sc_blend_add(
      out,
      &(sc_blend_part){.model = SC_SERIES_ONE, .value = start, .low = start / 2, .high = 2 * start + LEAST_SECONDS});
}

/* `doubt`: of each second, below and above. */
static int add_line(sc_analysis *a, const line *l, double low, double high, const double doubt[2], sc_blend *out)
{
  double at = line_at(a, l, sc_analysis_horizon(a));
  double below = at > 0 ? (at - low) / at * l->each : 0, above = at > 0 ? (high - at) / at * l->each : 0;
  below = hypot(hypot(l->error, doubt[0] * l->each), below);
  above = hypot(hypot(l->error, doubt[1] * l->each), above);
  return sc_elapsed_add_seconds(l->model, l->each, below, above, l->start, out);
}

/* Seconds of every run that grow with some count, or by a model of their own. */
static int load_seconds(sc_analysis *a, const double *y, uint32_t own, sc_blend *out)
{
  static const double doubt[2] = {WAIT_DOUBT, WAIT_DOUBT};
  double low, high;
  sc_model model;
  uint32_t number;
  line best = best_line(a, y, own, &low, &high);
  if (best.misfit <= EXPLAINED * EXPLAINED)
    return add_line(a, &best, low, high, doubt, out);
  SC_TRY(sc_costs_fit(&(sc_series){.n = a->sizes, .y = y, .count = a->run_count}, &a->options.fit, &model));
  if (model.verdict != SC_VERDICT_MODEL || model.fit_error >= sqrt(best.misfit)) {
    best.error = fmax(best.error, best.each); /* nothing explains them: a factor of two */
    return add_line(a, &best, low, high, doubt, out);
  }
  SC_TRY(sc_analysis_add_model(a, &model, &number));
  return sc_blend_add(out, &(sc_blend_part){.model = number, .value = 1, .low = 1, .high = 1});
}

int sc_elapsed_load_seconds(sc_analysis *a, const double *seconds, uint32_t own, bool only, sc_blend *out)
{
  static const double doubt[2] = {WAIT_DOUBT, WAIT_DOUBT};
  if (!only)
    return load_seconds(a, seconds, own, out);
  uint32_t model = own == SC_NONE ? SC_SERIES_ONE : own;
  line l = fit_line(a, sc_series_row(&a->counts, model), seconds);
  l.model = model;
  l.error = fmax(l.error, l.each); /* nobody looked for anything better: a factor of two */
  double at = line_at(a, &l, sc_analysis_horizon(a));
  return add_line(a, &l, at, at, doubt, out);
}

/* Waiting for a processor is what else runs on the machine: nothing of it when that is idle, and more when it is busier
 * than in the busiest of the runs. */
static int load_ready(sc_analysis *a, const double *y)
{
  double low, high, worst = LOAD_DOUBT;
  line best = best_line(a, y, SC_NONE, &low, &high);
  for (size_t i = 0; i < a->run_count; i++) {
    double at = line_at(a, &best, a->sizes[i]);
    if (is_large(a, i) && at > 0)
      worst = fmax(worst, y[i] / at);
  }
  return add_line(a, &best, low, high, (const double[2]){1, worst}, &a->elapsed.ready);
}

/* What one second of processor time takes: with several threads less than one. */
static void load_rate(sc_analysis *a)
{
  double used = 0, on = 0;
  struct sc_elapsed *e = &a->elapsed;
  e->rate_low = INFINITY;
  for (size_t i = 0; i < a->run_count; i++) {
    sc_elapsed_run run = sc_elapsed_of_run(run_at(a, i));
    double all = run.processor, own = run.on;
    if (!is_large(a, i) || all <= 0)
      continue;
    used += all, on += own;
    e->rate_low = fmin(e->rate_low, own / all);
    e->rate_high = fmax(e->rate_high, own / all);
  }
  e->rate = used > 0 ? on / used : 0;
  e->rate_low = fmin(e->rate_low, e->rate);
}

/* Of what is waited for: the kinds' shares. */
static void load_kinds(sc_analysis *a)
{
  struct sc_elapsed *e = &a->elapsed;
  double all = 0, sums[SC_WAIT_KINDS] = {0};
  e->measured = true;
  for (size_t i = 0; i < a->run_count; i++) {
    const sc_run *run = run_at(a, i);
    if (!is_large(a, i))
      continue;
    e->measured &= run->has_waits;
    for (int k = SC_WAIT_RUNNABLE + 1; k < SC_WAIT_KINDS; k++) {
      sums[k] += run->waits[k];
      all += run->waits[k];
    }
  }
  for (int k = SC_WAIT_RUNNABLE + 1; k < SC_WAIT_KINDS; k++)
    e->shares[k] = e->measured && all > 0 ? sums[k] / all : k == SC_WAIT_OTHER;
}

static bool can_be_known(const sc_analysis *a)
{
  size_t sizes = 0;
  for (size_t i = 0; i < a->run_count; i++) {
    if (!(run_at(a, i)->wall_seconds > 0))
      return false;
    sizes += i == 0 || a->sizes[i] != a->sizes[i - 1];
  }
  return sizes >= LEAST_SIZES && !a->options.root_count;
}

int sc_elapsed_load(sc_analysis *a)
{
  int err = 0;
  struct sc_elapsed *e = &a->elapsed;
  if (!can_be_known(a))
    return 0;
  double *waiting = sc_mem_new(3 * a->run_count, sizeof *waiting), *on, *ready;
  if (!waiting)
    return SC_E_NOMEM;
  on = waiting + a->run_count;
  ready = on + a->run_count;
  for (size_t i = 0; i < a->run_count; i++) {
    sc_elapsed_run run = sc_elapsed_of_run(run_at(a, i));
    on[i] = run.on;
    ready[i] = run.ready;
    waiting[i] = run.waiting;
  }
  e->of_costs = a->sampled && sc_analysis_timed(a);
  load_rate(a);
  load_kinds(a);
  SC_GOTO(load_seconds(a, waiting, SC_NONE, &e->waiting));
  SC_GOTO(load_ready(a, ready));
  if (!e->of_costs)
    SC_GOTO(load_seconds(a, on, SC_NONE, &e->processor));
  SC_GOTO(sc_waiting_load(a));
  e->known = true;
out:
  free(waiting);
  return err;
}

bool sc_analysis_elapsed_known(const sc_analysis *analysis) { return analysis->elapsed.known; }
bool sc_elapsed_has_costs(const sc_analysis *analysis) { return analysis->elapsed.of_costs; }

static int check(const sc_analysis *a, double n)
{
  if (!a->elapsed.known)
    return sc_err_hint(sc_err_set(SC_E_TOOLITTLE, "the elapsed time is not known"),
                       "it is measured with every run of `scale-run run`, at three or more sizes, and modelled "
                       "for the whole program");
  if (!isfinite(n) || n <= 0)
    return sc_err_set(SC_E_INPUT, "the size to predict is %g, not a positive number", n);
  return 0;
}

/* Time on a processor. */
static int predict_running(const sc_analysis *a, double n, const sc_interval *cost, sc_interval *out)
{
  const struct sc_elapsed *e = &a->elapsed;
  if (!e->of_costs) {
    SC_TRY(sc_blend_predict(&e->processor, a->models, n, a->options.level, out));
    sc_predict_allow_for_doubt(a, out);
    return 0;
  }
  *out = (sc_interval){cost->value * e->rate, cost->low * e->rate_low, cost->high * e->rate_high};
  return 0;
}

/* Waits that overlap, or hide behind others, at the sizes measured may not do so beyond: what surely is waited in
 * places passes. */
static int predict_waiting(const sc_analysis *a, double n, sc_interval *out)
{
  sc_interval least;
  SC_TRY(sc_blend_predict(&a->elapsed.waiting, a->models, n, a->options.level, out));
  SC_TRY(sc_waiting_least(a, n, &least));
  if (least.low > out->value)
    *out = (sc_interval){least.value, least.low, fmax(out->high, least.high)};
  return 0;
}

int sc_elapsed_predict(const sc_analysis *a, double n, const sc_interval *cost, sc_interval *out)
{
  sc_interval running, ready, waiting;
  SC_TRY(check(a, n));
  SC_TRY(predict_running(a, n, cost, &running));
  SC_TRY(predict_waiting(a, n, &waiting));
  SC_TRY(sc_blend_predict(&a->elapsed.ready, a->models, n, a->options.level, &ready));
  out->value = running.value + ready.value + waiting.value;
  out->low =
      out->value - hypot(hypot(running.value - running.low, ready.value - ready.low), waiting.value - waiting.low);
  out->high =
      out->value + hypot(hypot(running.high - running.value, ready.high - ready.value), waiting.high - waiting.value);
  out->low = fmax(0, out->low);
  return 0;
}

int sc_analysis_elapsed(const sc_analysis *analysis, double n, sc_interval *out)
{
  sc_interval cost;
  SC_TRY(check(analysis, n));
  SC_TRY(sc_analysis_total(analysis, n, &cost));
  return sc_elapsed_predict(analysis, n, &cost, out);
}

double sc_elapsed_expected(const sc_analysis *analysis, double n)
{
  sc_interval at;
  bool seconds = sc_analysis_timed(analysis);
  if (analysis->elapsed.known && sc_analysis_elapsed(analysis, n, &at) == 0)
    return at.value;
  return seconds && sc_analysis_total(analysis, n, &at) == 0 ? at.value : -1;
}

const sc_model *sc_elapsed_model(const sc_analysis *a, double n)
{
  const sc_model *most = NULL;
  double largest = 0;
  for (size_t i = 0; i < a->elapsed.waiting.count; i++) {
    const sc_blend_part *part = &a->elapsed.waiting.parts[i];
    double value = part->value * sc_model_value(&a->models[part->model], n);
    if (value > largest) {
      largest = value;
      most = &a->models[part->model];
    }
  }
  return most;
}

int sc_analysis_elapsed_parts(const sc_analysis *a, double n, sc_elapsed_parts *parts)
{
  sc_interval cost, running, waiting;
  SC_TRY(check(a, n));
  SC_TRY(sc_analysis_total(a, n, &cost));
  SC_TRY(predict_running(a, n, &cost, &running));
  SC_TRY(predict_waiting(a, n, &waiting));
  *parts = (sc_elapsed_parts){.measured = a->elapsed.measured, .processor = running.value};
  for (int k = 0; k < SC_WAIT_KINDS; k++)
    parts->waits[k] = waiting.value * a->elapsed.shares[k];
  parts->waits[SC_WAIT_RUNNABLE] = sc_blend_value(&a->elapsed.ready, a->models, n);
  return 0;
}

bool sc_elapsed_parts_mostly_wait(const sc_elapsed_parts *parts)
{
  double waits = 0;
  for (int k = 0; k < SC_WAIT_KINDS; k++)
    waits += parts->waits[k];
  return waits > MOSTLY * (waits + parts->processor);
}

bool sc_elapsed_mostly_waits(const sc_analysis *analysis, double n)
{
  sc_elapsed_parts parts;
  return analysis->elapsed.known && sc_analysis_elapsed_parts(analysis, n, &parts) == 0 &&
         sc_elapsed_parts_mostly_wait(&parts);
}

static size_t depth_of(const sc_graph *graph, uint32_t context)
{
  size_t depth = 0;
  for (; context; context = sc_graph_parent(graph, context))
    depth++;
  return depth;
}

bool sc_elapsed_goes_with(const sc_analysis *a, double n, sc_elapsed_place *place)
{
  const sc_blend *waiting = &a->elapsed.waiting;
  const sc_blend_part *most = NULL;
  double largest = 0, all = a->elapsed.known ? sc_blend_value(&a->elapsed.ready, a->models, n) : 0;
  size_t deepest = 0, found = 0;
  for (size_t i = 0; i < waiting->count; i++) {
    const sc_blend_part *part = &waiting->parts[i];
    double value = part->value * sc_model_value(&a->models[part->model], n);
    all += value;
    if (part->model != SC_SERIES_ONE && part->model < a->counts.count && value > largest) {
      largest = value;
      most = part;
    }
  }
  if (!a->elapsed.known || !most || largest <= MOSTLY * all)
    return false;
  *place = (sc_elapsed_place){.each = most->value};
  for (uint32_t c = 1; c < a->contexts; c++) {
    size_t depth = a->series[c] == most->model ? depth_of(a->graph, c) : 0;
    found += depth > 0;
    if (depth > deepest) {
      deepest = depth;
      place->context = c;
    }
  }
  place->others = found ? found - 1 : 0;
  return found > 0;
}
