/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What one execution of a context costs, with its interval. */
#include "transitions/model/cost_each.h"

#include <math.h>
#include <string.h>

#include "transitions/model/large_blocks.h"
#include "transitions/model/spent.h"
#include "transitions/model/tuning.h"

typedef struct ratios {
  double samples, fewest; /* samples in all runs, and in the poorest run that executed the context */
  double mean, squares;   /* of cost/count over the runs, by Welford */
  size_t runs;
} ratios;

/* Mean and squares by Welford's recurrence: costs an execution of nanoseconds beside sums of seconds would lose their
 * differences in a difference of sums. */
static ratios collect_ratios(const sc_measured *m, uint32_t context)
{
  const sc_analysis *a = m->analysis;
  ratios r = {.fewest = INFINITY};
  for (size_t i = 0; i < a->run_count; i++) {
    double count = sc_analysis_values(a, context)[i];
    if (!m->priced[i] || count <= 0)
      continue;
    double cost = sc_spent_at(a, i, context);
    double samples = m->per_sample[i] > 0 ? cost / m->per_sample[i] : (cost > 0 ? INFINITY : 0);
    double delta = cost / count - r.mean;
    r.samples += samples;
    r.fewest = fmin(r.fewest, samples);
    r.mean += delta / (double)++r.runs;
    r.squares += delta * (cost / count - r.mean);
  }
  return r;
}

/* The least that is expected of a count of samples, by that count: the quantile of a gamma distribution (Wilson and
 * Hilferty, PNAS 17, 1931). Few samples are no reason to expect none. */
static double least_expected(double samples, double z)
{
  double k = fmax(samples, 1);
  return pow(fmax(0, 1 - 1 / (9 * k) - z / (3 * sqrt(k))), 3);
}

/* From sums over runs: `samples` of them cost `cost` in `count` executions. */
static void divide_sums(const sc_measured *m, double cost, double count, double samples, sc_load *load)
{
  double z = m->analysis->quantile;
  load->each = cost / count;
  load->below = load->above = 0;
  if (isfinite(samples)) {
    load->below = load->each * (1 - least_expected(samples, z));
    load->above = load->each * z * sqrt(samples + 1) / fmax(samples, 1);
  }
}

/* The paper's average, where samples allow. */
static bool average_ratios(const sc_measured *m, uint32_t context, sc_load *load)
{
  ratios r = collect_ratios(m, context);
  if (r.fewest < SC_COSTS_SAMPLES || r.runs < 2)
    return false;
  load->each = r.mean;
  load->below = load->above = m->analysis->quantile * sqrt(r.squares / (double)(r.runs - 1) / (double)r.runs);
  return true;
}

/* What runs of one size had together that saw too little of a context for a point each: to leave them out would make a
 * size dear by those that happened to see more. */
typedef struct pool {
  double cost, executions, samples;
} pool;

size_t sc_cost_each_points(const sc_measured *m, uint32_t context, double samples, sc_cost_point *points)
{
  const sc_analysis *a = m->analysis;
  size_t count = 0;
  for (size_t i = 0, end; i < a->run_count; i = end) {
    pool few = {0};
    for (end = i; end < a->run_count && a->sizes[end] == a->sizes[i]; end++) {
      double executions = sc_analysis_values(a, context)[end];
      if (!m->priced[end] || executions <= 0)
        continue;
      double cost = sc_spent_at(a, end, context), seen = m->per_sample[end] > 0 ? cost / m->per_sample[end] : 0;
      if (seen > 0 && seen >= samples)
        points[count++] = (sc_cost_point){a->sizes[i], cost / executions, seen};
      else
        few = (pool){few.cost + cost, few.executions + executions, few.samples + seen};
    }
    if (few.samples > 0 && few.samples >= samples)
      points[count++] = (sc_cost_point){a->sizes[i], few.cost / few.executions, few.samples};
  }
  return count;
}

static void allow_for_caches(const sc_measured *m, double n, sc_load *load)
{
  double reach = log(sc_analysis_horizon(m->analysis) / n);
  if (reach > 0)
    load->above = hypot(load->above, load->each * expm1(SC_COSTS_CACHE * reach));
}

/* Runs in which that many samples are to be expected: those that only happen to have one would make small sizes dear.
 */
static size_t expected_points(const sc_measured *m, uint32_t context, double each, sc_cost_point *points)
{
  const sc_analysis *a = m->analysis;
  size_t count = 0;
  for (size_t i = 0; i < a->run_count; i++) {
    double executions = sc_analysis_values(a, context)[i], cost = m->priced[i] ? sc_spent_at(a, i, context) : 0;
    if (m->per_sample[i] > 0 && cost > 0 && executions * each >= SC_COSTS_TREND * m->per_sample[i])
      points[count++] = (sc_cost_point){a->sizes[i], cost / executions, cost / m->per_sample[i]};
  }
  return count;
}

/* What runs as often at each size may hide the work that grows: the cost that it had last is the least that it may be
 * at the horizon, and the trend, by whose logarithm it grows, the most. The interval stays. */
static void move_to_middle(double trend, sc_load *load)
{
  double low = load->each - load->below, high = load->each + load->above;
  load->each = fmin(load->each * exp(trend / 2), high);
  load->below = load->each - low;
  load->above = high - load->each;
}

/* What the caches did to the cost of one execution so far they may go on doing up to the horizon: in this direction the
 * interval takes in the power law through the points. */
static void widen_by_trend(const sc_measured *m, uint32_t context, double n, sc_cost_point *points, sc_load *load)
{
  sc_cost_slope slope;
  size_t count = expected_points(m, context, load->each, points);
  double reach = log(sc_analysis_horizon(m->analysis) / n);
  if (!(reach > 0) || !sc_cost_slope_fit(points, count, &slope) || fabs(slope.slope) < 2 * slope.error)
    return;
  double steepest = fmax(SC_COSTS_STEEPEST, SC_COSTS_HIDDEN - sc_analysis_model(m->analysis, context)->order.exponent);
  if (slope.slope > 0)
    load->above = fmax(load->above, load->each * expm1(reach * fmin(slope.slope + slope.error, steepest)));
  else
    load->below = fmax(load->below, -load->each * expm1(reach * (slope.slope - slope.error)));
  if (slope.slope > 0 && sc_analysis_model(m->analysis, context)->order.exponent < SC_ORDER_STEP)
    move_to_middle(reach * fmin(slope.slope, steepest), load);
}

/* The largest sizes tell most about still larger ones: those from half of the largest on, and smaller ones only as far
 * as it takes to have enough samples. */
static bool divide_recent(const sc_measured *m, uint32_t context, sc_cost_point *points, sc_load *load)
{
  const sc_analysis *a = m->analysis;
  double cost = 0, count = 0, samples = 0, sizes = 0, half = a->sizes[a->run_count - 1] / 2;
  for (size_t i = a->run_count; i-- > 0 && (a->sizes[i] >= half || samples < SC_COSTS_RECENT);) {
    double executions = sc_analysis_values(a, context)[i];
    if (!m->priced[i] || executions <= 0)
      continue;
    double spent = sc_spent_at(a, i, context);
    cost += spent;
    count += executions;
    sizes += executions * a->sizes[i];
    samples += m->per_sample[i] > 0 ? spent / m->per_sample[i] : (spent > 0 ? INFINITY : 0);
  }
  if (cost <= 0 || count <= 0)
    return false;
  divide_sums(m, cost, count, samples, load);
  allow_for_caches(m, sizes / count, load);
  widen_by_trend(m, context, sizes / count, points, load);
  return true;
}

/* No less than any processor takes, unless it was seen: a block of fresh pages is no work to clear. */
static void raise_to_fastest(double least, sc_load *load)
{
  double low = load->each - load->below, high = load->each + load->above;
  if (load->each >= least || high <= least)
    return;
  load->each = least;
  load->below = least - fmax(0, low);
  load->above = high - least;
}

void sc_cost_each_bound(const sc_analysis *a, uint32_t context, sc_load *load)
{
  double least = SC_COSTS_FASTEST * load->weight;
  if (sc_graph_at(a->graph, context)->kind != SC_LOCATION_WORK || !sc_analysis_timed(a))
    return;
  if (load->each > least)
    load->below = fmin(load->below, load->each - least);
  if (a->options.fit.engine == SC_FIT_DELTA_INFER)
    return;
  raise_to_fastest(least, load);
  sc_large_blocks_allow(a, context, load);
}

/* A context that no sample hit is not free: it may have taken what a few samples (SC_COSTS_MISSED) could have missed.
 * The paper's engine averages the ratios of the runs, as its authors do. */
void sc_cost_each_load(const sc_measured *m, uint32_t context, double one_sample, sc_cost_point *points, sc_load *load)
{
  bool paper = m->analysis->options.fit.engine == SC_FIT_DELTA_INFER;
  double count = sc_measured_count(m, context), cost = m->cost[context];
  if (!m->analysis->sampled) {
    load->each = load->weight;
    return;
  }
  if (count <= 0)
    return;
  if (cost <= 0)
    load->above = SC_COSTS_MISSED * one_sample / count;
  else if (m->folded[context])
    divide_sums(m, cost, count, one_sample > 0 ? cost / one_sample : INFINITY, load);
  else if (paper ? !average_ratios(m, context, load) : !divide_recent(m, context, points, load))
    divide_sums(m, cost, count, one_sample > 0 ? cost / one_sample : INFINITY, load);
  load->below = fmin(load->below, load->each);
  sc_cost_each_bound(m->analysis, context, load);
}
