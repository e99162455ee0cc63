/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Predictions: counts, costs and totals at a size. */
#include <math.h>
#include <string.h>

#include "transitions/model/costs.h"
#include "transitions/model/count_doubt.h"
#include "transitions/model/data.h"
#include "transitions/model/footprint.h"
#include "transitions/model/inverse.h"
#include "transitions/model/predict.h"
#include "transitions/model/sums.h"
#include "transitions/model/time_open.h"
#include "transitions/model/tuning.h"

static int check_size(double n)
{
  if (!isfinite(n) || n <= 0)
    return sc_err_set(SC_E_INPUT, "the size to predict is %g, not a positive number", n);
  return 0;
}

static int check_context(const sc_analysis *analysis, uint32_t context, double n)
{
  if (!sc_analysis_in_scope(analysis, context))
    return sc_err_set(SC_E_INPUT, "context %u is outside the analysis", context);
  return check_size(n);
}

static int predict_part(const sc_analysis *analysis, sc_blend_part part, double n, sc_interval *out)
{
  sc_blend blend = {.parts = &part, .count = 1};
  return sc_sums_blend(analysis, &blend, n, out);
}

void sc_predict_open_end(const sc_analysis *analysis, bool open, double n, sc_interval *out)
{
  if (open && n > analysis->sizes[analysis->run_count - 1])
    out->high = INFINITY;
}

void sc_predict_allow_for_doubt(const sc_analysis *analysis, sc_interval *seconds)
{
  double doubt = seconds->value * analysis->options.doubt;
  if (!(doubt > 0))
    return;
  seconds->low = fmax(0, seconds->value - hypot(seconds->value - seconds->low, doubt));
  if (isfinite(seconds->high))
    seconds->high = seconds->value + hypot(seconds->high - seconds->value, doubt);
}

/* Doubts about all costs at once, which no repeat at a small size shows: the machine at another moment, caches that the
 * data leave, and growth of the time of an execution that was never checked. */
sc_cost_doubt sc_analysis_cost_doubt(const sc_analysis *analysis, double n)
{
  bool timed = sc_analysis_timed(analysis), beyond = n > analysis->sizes[analysis->run_count - 1];
  double rise = fmax(0, sc_footprint_factor(analysis, n) - 1), doubt = timed ? fmax(0, analysis->options.doubt) : 0;
  double moment = 0;
  if (timed && beyond && analysis->options.fit.engine != SC_FIT_DELTA_INFER)
    moment = SC_PREDICT_MOMENT + SC_PREDICT_SHARED * analysis->busy;
  return (sc_cost_doubt){.less = hypot(doubt, moment),
                         .more = hypot(rise, hypot(doubt, moment)),
                         .open = sc_time_open_factor(analysis, n)};
}

/* What is known of the costs that executions had in the runs. */
static void allow_for_steady(const sc_analysis *analysis, double n, sc_interval *total)
{
  sc_cost_doubt all = sc_analysis_cost_doubt(analysis, n);
  total->low = fmax(0, total->value - hypot(total->value - total->low, total->value * all.less));
  if (isfinite(total->high))
    total->high = total->value + hypot(total->high - total->value, total->value * all.more);
}

static void allow_for_open_time(const sc_analysis *analysis, double n, sc_interval *total)
{
  total->high = fmax(total->high, total->value * sc_time_open_factor(analysis, n));
}

void sc_predict_allow_for_common(const sc_analysis *analysis, double n, sc_interval *total)
{
  allow_for_steady(analysis, n, total);
  allow_for_open_time(analysis, n, total);
}

/* Of what several contexts do together each may have any share. */
static int allow_for_share(const sc_analysis *analysis, uint32_t context, double n, sc_interval *count)
{
  uint32_t sum = sc_analysis_sum(analysis, context);
  sc_interval all;
  if (sum == SC_NONE || n <= analysis->sizes[analysis->run_count - 1])
    return 0;
  SC_TRY(sc_model_predict(&analysis->models[sum], n, analysis->options.level, &all));
  *count = (sc_interval){count->value, 0, fmax(count->high, all.high)};
  return 0;
}

int sc_analysis_count(const sc_analysis *analysis, uint32_t context, double n, sc_interval *out)
{
  SC_TRY(check_context(analysis, context, n));
  if (!sc_analysis_load(analysis, context)->counted) {
    *out = (sc_interval){0};
    return 0;
  }
  SC_TRY(predict_part(analysis, sc_costs_count_part(sc_analysis_load(analysis, context)), n, out));
  SC_TRY(allow_for_share(analysis, context, n, out));
  sc_count_doubt_allow(analysis, context, n, out);
  sc_predict_open_end(analysis, sc_analysis_load(analysis, context)->open, n, out);
  return 0;
}

static double exact_share(const sc_analysis *a)
{
  size_t largest = a->runs[a->run_count - 1];
  double exact = 0, all = 0;
  for (uint32_t c = 1; c < a->contexts; c++) {
    if (a->series[c] == SC_NONE)
      continue;
    double count = sc_graph_value(a->graph, largest, c, SC_METRIC_COUNT);
    if (count > 0)
      count = sc_analysis_executions(a, c, count);
    all += count;
    exact += sc_analysis_known(a, c) && a->models[a->series[c]].exact ? count : 0;
  }
  return all > 0 ? exact / all : 1;
}

double sc_analysis_exact_share(const sc_analysis *analysis)
{
  struct sc_sums_largest *known = sc_sums_largest(analysis);
  if (known->exact < 0)
    known->exact = exact_share(analysis);
  return known->exact;
}

uint32_t sc_analysis_like(const sc_analysis *analysis, uint32_t context) { return analysis->loads.numbers[context]; }

size_t sc_analysis_likes(const sc_analysis *analysis) { return analysis->loads.count; }

int sc_predict_steady_cost(const sc_analysis *analysis, uint32_t context, double n, sc_interval *out)
{
  SC_TRY(check_context(analysis, context, n));
  SC_TRY(predict_part(analysis, sc_costs_part(sc_analysis_load(analysis, context)), n, out));
  allow_for_steady(analysis, n, out);
  sc_predict_open_end(analysis, sc_analysis_load(analysis, context)->open, n, out);
  return 0;
}

int sc_analysis_cost(const sc_analysis *analysis, uint32_t context, double n, sc_interval *out)
{
  SC_TRY(sc_predict_steady_cost(analysis, context, n, out));
  allow_for_open_time(analysis, n, out);
  return 0;
}

int sc_predict_steady_total(const sc_analysis *analysis, double n, sc_interval *out)
{
  SC_TRY(check_size(n));
  SC_TRY(sc_sums_predict(analysis, n, out));
  allow_for_steady(analysis, n, out);
  sc_predict_open_end(analysis, analysis->untold.unbounded, n, out);
  return 0;
}

int sc_analysis_total(const sc_analysis *analysis, double n, sc_interval *out)
{
  SC_TRY(sc_predict_steady_total(analysis, n, out));
  allow_for_open_time(analysis, n, out);
  return 0;
}

int sc_analysis_total_executions(const sc_analysis *analysis, double n, sc_interval *out)
{
  SC_TRY(check_size(n));
  SC_TRY(sc_blend_predict(&analysis->executions, analysis->models, n, analysis->options.level, out));
  sc_sums_whole(out);
  sc_predict_open_end(analysis, analysis->untold.unbounded, n, out);
  return 0;
}

double sc_analysis_dearer(const sc_analysis *analysis, double n)
{
  return fmax(sc_footprint_factor(analysis, n), sc_time_open_factor(analysis, n));
}

bool sc_analysis_parts(const sc_analysis *analysis, uint32_t context, sc_blend_part *count, sc_blend_part *cost)
{
  const sc_load *load = sc_analysis_load(analysis, context);
  *count = sc_costs_executions_part(load);
  *cost = sc_costs_part(load);
  return load->open;
}

typedef struct blend_at {
  const sc_analysis *analysis;
  const sc_blend *blend;
} blend_at;

static int predict_blend(void *user, double n, sc_interval *out)
{
  const blend_at *at = user;
  return sc_blend_predict(at->blend, at->analysis->models, n, at->analysis->options.level, out);
}

int sc_predict_limit(const sc_analysis *analysis, const sc_blend *blend, double limit, double from, sc_interval *out)
{
  blend_at at = {analysis, blend};
  return sc_inverse_find(predict_blend, &at, limit, &(sc_inverse_range){from, SC_INVERSE_FAR, 2}, out);
}

static bool takes_share(const sc_analysis *analysis, const sc_blend *blend, double share, double n)
{
  double part = sc_blend_value(blend, analysis->models, n);
  double whole = sc_sums_cost(analysis, n);
  return isfinite(part) && part > 0 && part >= share * whole;
}

/* Up to the horizon it must last, so that a large share of a tiny start-up is no emergence; what happens far beyond the
 * horizon, where something steeper may take over, does not take it back. */
static double first_lasting(const sc_analysis *analysis, const sc_blend *blend, double share, double *failed)
{
  double since = INFINITY, horizon = sc_analysis_horizon(analysis);
  for (double n = *failed = analysis->sizes[0], next; n <= SC_PREDICT_FAR; n = next) {
    if (takes_share(analysis, blend, share, n)) {
      since = fmin(since, n);
    } else {
      since = INFINITY;
      *failed = n;
    }
    if (n >= horizon && isfinite(since))
      return since;
    next = n < horizon ? fmin(2 * n, horizon) : 2 * n;
  }
  return INFINITY;
}

double sc_predict_share_size(const sc_analysis *analysis, const sc_blend *blend, double share)
{
  double low, high = first_lasting(analysis, blend, share, &low);
  for (int i = 0; isfinite(high) && i < 50 && high - low > 1e-6 * high; i++) {
    double middle = low + (high - low) / 2;
    *(takes_share(analysis, blend, share, middle) ? &high : &low) = middle;
  }
  return high;
}

double sc_predict_share(double part, double whole)
{
  if (isinf(part) && isinf(whole)) /* an exponential beyond all numbers is all there is */
    return part > 0 && whole > 0;
  return part > 0 && whole > 0 && isfinite(whole) ? fmin(1, part / whole) : 0;
}
