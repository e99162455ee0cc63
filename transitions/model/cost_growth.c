/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prices that grow with the size: found, fitted, and multiplied into the models of counts. */
#include "transitions/model/cost_growth.h"

#include <math.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/compare.h"
#include "regress/core/power.h"
#include "transitions/model/cost_each.h"
#include "transitions/model/spent.h"
#include "transitions/model/tuning.h"

/* A slope near an integer is that integer, a walk over everything there is: what is left of it is caches. */
static double simple_slope(const sc_cost_slope *slope)
{
  double whole = round(slope->slope);
  return fabs(slope->slope - whole) <= fmax(SC_COST_GROWTH_INTEGER, 2 * slope->error) ? whole : slope->slope;
}

sc_model sc_cost_growth_times(const sc_model *count, double factor, double exponent)
{
  sc_model model = *count;
  sc_model_scale(&model, factor, exponent);
  model.exact = false;
  model.error = -1;
  return model;
}

static sc_model cost_growth_times(const sc_model *count, const sc_cost_slope *slope, double exponent, size_t sizes)
{
  sc_model model = sc_cost_growth_times(count, exp(slope->level - exponent * slope->centre), exponent);
  model.fit_error = slope->residual;
  model.points = sizes;
  return model;
}

static double error_at(const sc_analysis *a, const sc_cost_slope *slope, double chosen)
{
  double away = log(sc_analysis_horizon(a)) - slope->centre;
  double steepness = hypot(slope->error, (slope->slope - chosen) / 2);
  return a->quantile * hypot(slope->level_error, steepness * away);
}

/* Enough sizes over a wide enough range: with the slope asked for, the cost of one execution has about tripled. Less of
 * a range shows a rise that is far steeper. */
static bool well_seen(const sc_cost_point *points, size_t count, const sc_cost_slope *slope)
{
  double range = points[count - 1].n / points[0].n;
  bool steep =
      range >= SC_COST_GROWTH_STEEP_RANGE && pow(range, slope->slope - 2 * slope->error) >= SC_COST_GROWTH_STEEP_RISE;
  return sc_cost_slope_sizes(points, count) >= SC_COST_GROWTH_SIZES && (range >= SC_COST_GROWTH_RANGE || steep);
}

/* What is executed as often at each size has no caches to overflow but by going over the data, and needs less: three
 * sizes and the shorter range, if it is a walk over everything there is, once. */
static bool walks_once(const sc_analysis *a, uint32_t context, const sc_cost_point *points, size_t count,
                       const sc_cost_slope *slope)
{
  return sc_analysis_model(a, context)->order.exponent < SC_ORDER_STEP &&
         points[count - 1].n >= SC_COST_GROWTH_STEEP_RANGE * points[0].n && simple_slope(slope) == 1;
}

static bool fit_certain(const sc_cost_point *points, size_t count, sc_cost_slope *slope)
{
  return sc_cost_slope_fit(points, count, slope) && sc_cost_slope_certain(slope);
}

static bool is_growth_certain(const sc_cost_point *points, size_t count, sc_cost_slope *slope)
{
  return fit_certain(points, count, slope) && well_seen(points, count, slope);
}

/* Bytes get dearer by caches alone: what goes over them again and again is counted. */
static bool is_seen(const sc_analysis *a, const sc_measured *m, uint32_t context)
{
  return a->sampled && sc_graph_at(a->graph, context)->kind != SC_LOCATION_WORK &&
         a->options.fit.engine != SC_FIT_DELTA_INFER && !m->folded[context] && sc_analysis_known(a, context);
}

/* A price that grows multiplies the model of the counts, which makes the order of the cost one that no count shows:
 * only where it is worth something, certain, and seen at enough sizes. */
int sc_cost_growth_load(sc_analysis *a, const sc_measured *m, uint32_t context, sc_cost_point *points, sc_load *load)
{
  sc_cost_slope slope;
  if (!is_seen(a, m, context) || m->cost[context] < SC_COST_GROWTH_WORTH * m->all)
    return 0;
  size_t count = sc_cost_each_points(m, context, SC_COST_GROWTH_SAMPLES, points);
  if (!fit_certain(points, count, &slope) ||
      !(well_seen(points, count, &slope) || walks_once(a, context, points, count, &slope)))
    return 0;
  load->growth = simple_slope(&slope);
  sc_model model =
      cost_growth_times(sc_analysis_model(a, context), &slope, load->growth, sc_cost_slope_sizes(points, count));
  SC_TRY(sc_analysis_add_model(a, &model, &load->cost_model));
  load->growth_error = error_at(a, &slope, load->growth);
  load->growing = true;
  return 0;
}

/* What was spent at each size on average, by its samples: points[run_count], returns how many sizes. Below one sample
 * nothing is known but that there was hardly any. */
static size_t spent_points(const sc_measured *m, uint32_t context, sc_power_point *points)
{
  const sc_analysis *a = m->analysis;
  size_t count = 0;
  for (size_t i = 0, end; i < a->run_count; i = end) {
    double cost = 0, samples = 0, runs = 0;
    for (end = i; end < a->run_count && a->sizes[end] == a->sizes[i]; end++) {
      double one = m->priced[end] ? sc_spent_at(a, end, context) : 0;
      runs += m->priced[end];
      cost += one;
      samples += m->per_sample[end] > 0 ? one / m->per_sample[end] : 0;
    }
    if (cost > 0 && samples > 0)
      points[count++] = (sc_power_point){
          .n = a->sizes[i], .y = cost / runs, .error = hypot(SC_TIME_POINTS_SCATTER, 1 / sqrt(fmax(1, samples)))};
  }
  return count;
}

/* start + part (n / largest)^exponent. */
static sc_model with_start(const sc_power *fit, const sc_power_point *points, size_t count)
{
  double largest = points[count - 1].n;
  sc_model model = {.verdict = SC_VERDICT_MODEL, .error = -1, .points = count, .n_min = points[0].n, .n_max = largest};
  model.terms[model.term_count++] =
      (sc_term){.coefficient = fit->at_largest / pow(largest, fit->exponent), .exponent = fit->exponent};
  if (fit->start > 0)
    model.terms[model.term_count++] = (sc_term){.coefficient = fit->start};
  model.order = (sc_order){.exponent = fit->exponent, .integer = (int)round(fit->exponent)};
  model.exponent_low = fit->low;
  model.y_max = fit->start + fit->at_largest;
  return model;
}

/* Whether it rises beyond doubt: a start alone explains the sizes too badly. */
static bool surely_rises(const sc_power_point *points, size_t count, const sc_power *fit)
{
  return fit->low > 0 && fit->at_largest > 0 && points[count - 1].n >= SC_COST_GROWTH_STEEP_RANGE * points[0].n;
}

/* What a process pays to start is a part of what no function has; what grows beside it may grow by any order that the
 * sizes leave plausible, and the interval is that of all of these. */
int sc_cost_growth_load_uncounted(sc_analysis *a, const sc_measured *m, uint32_t context, double steepest,
                                  bool *grown_cost)
{
  int err = 0;
  sc_power fit, simple;
  sc_power_point *points;
  *grown_cost = false;
  if (m->folded[context] || a->options.fit.engine == SC_FIT_DELTA_INFER)
    return 0;
  SC_TRY(SC_NEW(points, a->run_count));
  size_t count = spent_points(m, context, points);
  double far = fmax(sc_analysis_horizon(a), count ? points[count - 1].n : 0);
  if (!count || !sc_power_fit(points, count, far, &fit) || !surely_rises(points, count, &fit))
    goto out;
  /* What goes over everything there is has a whole exponent; steeper than that only what is no less by any means. */
  double steep = fmax(fit.low, fmax(SC_COSTS_HIDDEN, steepest + SC_COSTS_STEEPEST));
  double whole = fmax(1, round(fmin(fit.exponent, steep)));
  if (whole >= fit.low && whole <= fit.high && sc_power_at(points, count, whole, &simple)) {
    fit.exponent = whole;
    fit.start = simple.start;
    fit.at_largest = simple.at_largest;
  }
  sc_model model = with_start(&fit, points, count);
  double value = sc_model_value(&model, far), least = sc_power_least(points, count, far);
  double most = sc_power_most(points, count, fmax(steep, fit.exponent), far);
  sc_load load = {.ratio = 1, .ratio_low = 1, .ratio_high = 1, .each = 1};
  load.below = fmax(0, 1 - least / value);
  load.above = fmax(0, most / value - 1);
  SC_GOTO(sc_analysis_add_model(a, &model, &load.model));
  SC_GOTO(sc_loads_set(&a->loads, context, &load));
  *grown_cost = true;
out:
  free(points);
  return err;
}

/* A context that hardly costs anything: what is summed up has executions of the same order, to half a power. */
typedef struct place {
  long order;
  uint32_t context;
} place;

static int compare_growing_cost_places(const void *left, const void *right)
{
  const place *x = left, *y = right;
  return SC_COMPARE(x->order, y->order) ?: SC_COMPARE(x->context, y->context);
}

static size_t find_small(const sc_analysis *a, const sc_measured *m, place *places)
{
  size_t count = 0;
  for (uint32_t c = 0; c < a->contexts; c++)
    if (a->series[c] != SC_NONE && is_seen(a, m, c) && sc_measured_count(m, c) > 0 && m->cost[c] > 0 &&
        m->cost[c] < SC_COST_GROWTH_WORTH * m->all)
      places[count++] = (place){lround(2 * sc_analysis_model(a, c)->order.exponent), c};
  qsort(places, count, sizeof *places, compare_growing_cost_places);
  return count;
}

static double context_cost_at(const sc_measured *m, uint32_t context, size_t run)
{
  return m->priced[run] ? sc_spent_at(m->analysis, run, context) : 0;
}

/* What all cost in each run, over what their executions would at their mean costs: where no mean changes, that is 1, in
 * whatever proportions their executions grow. */
static size_t sum_points(const sc_measured *m, const place *places, size_t count, sc_cost_point *points)
{
  const sc_analysis *a = m->analysis;
  size_t used = 0;
  for (size_t i = 0; i < a->run_count; i++) {
    double cost = 0, steady = 0;
    for (size_t k = 0; k < count; k++) {
      uint32_t c = places[k].context;
      cost += context_cost_at(m, c, i);
      steady += sc_analysis_values(a, c)[i] * m->cost[c] / sc_measured_count(m, c);
    }
    if (m->per_sample[i] > 0 && steady > 0 && cost >= SC_COST_GROWTH_SAMPLES * m->per_sample[i])
      points[used++] = (sc_cost_point){a->sizes[i], cost / steady, cost / m->per_sample[i]};
  }
  return used;
}

/* Executions in the runs that were priced, each times (n / the centre)^exponent. */
static double sum_grown_executions(const sc_measured *m, uint32_t context, double exponent, double centre)
{
  double sum = 0;
  for (size_t i = 0; i < m->analysis->run_count; i++)
    if (m->priced[i])
      sum += sc_analysis_values(m->analysis, context)[i] * exp(exponent * (log(m->analysis->sizes[i]) - centre));
  return sum;
}

/* Whether its samples, few as they are, stand in the small runs better as those of a steady cost do, by
 * SC_COST_GROWTH_DISSENT. */
static bool samples_dissent(const sc_measured *m, uint32_t context, double exponent, double centre)
{
  const sc_analysis *a = m->analysis;
  double likelihood = 0, all = log(sum_grown_executions(m, context, exponent, centre) / sc_measured_count(m, context));
  for (size_t i = 0; i < a->run_count; i++)
    if (m->per_sample[i] > 0)
      likelihood += context_cost_at(m, context, i) / m->per_sample[i] * (exponent * (log(a->sizes[i]) - centre) - all);
  return likelihood < -SC_COST_GROWTH_DISSENT;
}

static double samples_of(const sc_measured *m, uint32_t context)
{
  double samples = 0;
  for (size_t i = 0; i < m->analysis->run_count; i++)
    samples += m->per_sample[i] > 0 ? context_cost_at(m, context, i) / m->per_sample[i] : 0;
  return samples;
}

/* Its part of the sum: the sum's growth, at the level of its own cost. */
static int load_part(sc_analysis *a, const sc_measured *m, uint32_t context, const sc_cost_slope *sum, size_t sizes)
{
  sc_load load = *sc_analysis_load(a, context);
  sc_cost_slope slope = *sum;
  load.growth = simple_slope(sum);
  slope.level = log(m->cost[context] / sum_grown_executions(m, context, load.growth, sum->centre));
  sc_model model = cost_growth_times(sc_analysis_model(a, context), &slope, load.growth, sizes);
  SC_TRY(sc_analysis_add_model(a, &model, &load.cost_model));
  load.growth_error = a->quantile / sqrt(fmax(1, samples_of(m, context)));
  load.growth_sum = error_at(a, sum, load.growth);
  load.growing = true;
  return sc_loads_set(&a->loads, context, &load);
}

static double sum_places_cost(const sc_measured *m, const place *places, size_t count)
{
  double sum = 0;
  for (size_t k = 0; k < count; k++)
    sum += m->cost[places[k].context];
  return sum;
}

/* Places too small to show a growth each are taken together with those of the same order. Fitted twice: places whose
 * own samples contradict the slope of the sum are left out, and the rest must show it without them. */
static int load_sum(sc_analysis *a, const sc_measured *m, place *places, size_t count, sc_cost_point *points)
{
  sc_cost_slope slope;
  size_t kept = 0, used = sum_points(m, places, count, points);
  if (!is_growth_certain(points, used, &slope))
    return 0;
  for (size_t k = 0; k < count; k++)
    if (!samples_dissent(m, places[k].context, simple_slope(&slope), slope.centre))
      places[kept++] = places[k];
  used = sum_points(m, places, kept, points);
  if (kept < 2 || sum_places_cost(m, places, kept) < SC_COST_GROWTH_WORTH * m->all ||
      !is_growth_certain(points, used, &slope))
    return 0;
  for (size_t k = 0; k < kept; k++)
    SC_TRY(load_part(a, m, places[k].context, &slope, sc_cost_slope_sizes(points, used)));
  return 0;
}

int sc_cost_growth_load_small(sc_analysis *a, const sc_measured *m, sc_cost_point *points)
{
  int err = 0;
  place *places;
  SC_TRY(SC_NEW(places, a->contexts + 1));
  size_t count = find_small(a, m, places);
  for (size_t i = 0, end; i < count; i = end) {
    for (end = i + 1; end < count && places[end].order == places[i].order; end++)
      ;
    SC_GOTO(load_sum(a, m, places + i, end - i, points));
  }
out:
  free(places);
  return err;
}
