/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "transitions/model/elapsed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "transitions/model/data.h"
#include "transitions/model/predict.h"
#include "transitions/model/seconds.h"
#include "transitions/model/time_open.h"
#include "transitions/model/tuning.h"
#include "transitions/model/waiting.h"

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

static bool is_large(const sc_analysis *a, size_t i)
{
  return a->sizes[i] >= SC_ELAPSED_LARGE * a->sizes[a->run_count - 1];
}

/* Waiting for a processor is what else runs on the machine: nothing of it when that is idle, and more when it is busier
 * than in the busiest of the runs. */
static int load_ready(sc_analysis *a, const double *y)
{
  double low, high, worst = SC_ELAPSED_LOAD;
  sc_seconds_line best = sc_seconds_best_line(a, y, SC_NONE, &low, &high);
  for (size_t i = 0; i < a->run_count; i++) {
    double at = sc_seconds_line_at(a, &best, a->sizes[i]);
    if (is_large(a, i) && at > 0)
      worst = fmax(worst, y[i] / at);
  }
  return sc_seconds_add_scattering(a, y, &best, low, high, (const double[2]){1, worst}, &a->elapsed.ready);
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
  return sizes >= SC_ELAPSED_SIZES && !a->options.root_count;
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
  SC_GOTO(sc_seconds_load_scattering(a, waiting, &e->waiting));
  SC_GOTO(load_ready(a, ready));
  if (!e->of_costs)
    SC_GOTO(sc_seconds_load(a, on, SC_NONE, false, &e->processor));
  SC_GOTO(sc_waiting_load(a));
  e->known = true;
out:
  free(waiting);
  return err;
}

bool sc_analysis_elapsed_known(const sc_analysis *analysis) { return analysis->elapsed.known; }
bool sc_elapsed_has_costs(const sc_analysis *analysis) { return analysis->elapsed.of_costs; }

static int check_elapsed_size(const sc_analysis *a, double n)
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
    out->high = fmax(out->high, out->value * sc_time_open_factor_of(a, &e->processor, n));
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

/* The three parts are measured apart and err on their own, so that ends of their intervals add as squares. */
int sc_elapsed_predict(const sc_analysis *a, double n, const sc_interval *cost, sc_interval *out)
{
  sc_interval running, ready, waiting;
  SC_TRY(check_elapsed_size(a, n));
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
  SC_TRY(check_elapsed_size(analysis, n));
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
  SC_TRY(check_elapsed_size(a, n));
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
  return waits + parts->processor >= SC_ELAPSED_SHORT && waits > SC_ELAPSED_MOSTLY * (waits + parts->processor);
}

bool sc_elapsed_mostly_waits(const sc_analysis *analysis, double n)
{
  sc_elapsed_parts parts;
  return analysis->elapsed.known && sc_analysis_elapsed_parts(analysis, n, &parts) == 0 &&
         sc_elapsed_parts_mostly_wait(&parts);
}

/* Many contexts may have the series that waiting is proportional to; the deepest is nearest to the call that waits, and
 * says most to the reader. */
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
  if (!a->elapsed.known || !most || largest <= SC_ELAPSED_MOSTLY * all)
    return false;
  *place = (sc_elapsed_place){.each = most->value};
  for (uint32_t c = 1; c < a->contexts; c++) {
    size_t depth = a->series[c] == most->model ? sc_graph_depth(a->graph, c) : 0;
    found += depth > 0;
    if (depth > deepest) {
      deepest = depth;
      place->context = c;
    }
  }
  place->others = found ? found - 1 : 0;
  return found > 0;
}

static bool elapsed_contains(const uint32_t *contexts, size_t count, uint32_t context)
{
  size_t low = 0;
  while (low < count) {
    size_t middle = low + (count - low) / 2;
    if (contexts[middle] == context)
      return true;
    if (contexts[middle] < context)
      low = middle + 1;
    else
      count = middle;
  }
  return false;
}

/* Seconds of several threads may pass at the same moment: the share is of the elapsed time of all threads. */
int sc_elapsed_waited(const sc_analysis *a, const uint32_t *contexts, size_t count, double n, double *seconds,
                      double *share)
{
  sc_interval elapsed;
  *seconds = *share = 0;
  if (!a->elapsed.known || !a->elapsed.place_count)
    return 0;
  for (size_t i = 0; i < a->elapsed.place_count; i++) {
    const sc_waiting_place *place = &a->elapsed.places[i];
    if (place->blocks && elapsed_contains(contexts, count, place->context))
      *seconds += sc_blend_value(&place->blend, a->models, n);
  }
  if (*seconds <= 0)
    return 0;
  SC_TRY(sc_analysis_elapsed(a, n, &elapsed));
  *share = sc_predict_share(*seconds, elapsed.value * fmax(1, a->elapsed.threads));
  return 0;
}
