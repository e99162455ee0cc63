/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From counts and samples to what each context costs, and to the total. */
#include "transitions/model/costs.h"

#include <math.h>
#include <stdlib.h>

#include "base/buf.h"
#include "regress/core/term.h"
#include "transitions/model/cost_each.h"
#include "transitions/model/cost_growth.h"
#include "transitions/model/cost_times.h"
#include "transitions/model/fitting.h"
#include "transitions/model/footprint.h"
#include "transitions/model/large_blocks.h"
#include "transitions/model/measured.h"
#include "transitions/model/spent.h"
#include "transitions/model/time_open.h"
#include "transitions/model/time_points.h"
#include "transitions/model/tuning.h"
#include "transitions/model/untold.h"

int sc_costs_fit(const sc_series *series, const sc_fit_options *options, sc_model *model)
{
  return sc_fitting_take(sc_fit_select(series, options, model), model);
}

/* The carrier of a context whose own model cannot tell: its nearest modelled ancestor, or "once per run". */
static uint32_t carrier_of(const sc_analysis *a, uint32_t context)
{
  while (context) {
    context = sc_graph_parent(a->graph, context);
    if (!sc_analysis_has(a, context))
      break;
    if (sc_analysis_known(a, context) && a->series[context] != SC_NONE)
      return a->series[context];
  }
  return SC_SERIES_ONE;
}

/* A series without a model of its own follows another one (carrier_of), times the mean ratio of both; the extremes of
 * that ratio over the runs are its interval. */
void sc_costs_load_count(const sc_analysis *a, uint32_t context, sc_load *load)
{
  const double *own = sc_analysis_values(a, context);
  double sum = 0, base_sum = 0;
  *load = (sc_load){.model = a->series[context], .counted = true, .ratio = 1, .ratio_low = 1, .ratio_high = 1};
  load->weight = sc_analysis_executions(a, context, 1);
  if (sc_analysis_known(a, context))
    return;
  load->model = carrier_of(a, context);
  load->ratio_low = INFINITY;
  load->ratio_high = 0;
  const double *base = sc_series_row(&a->counts, load->model);
  for (size_t i = 0; i < a->run_count; i++) {
    sum += own[i];
    base_sum += base[i];
    if (base[i] > 0) {
      load->ratio_low = fmin(load->ratio_low, own[i] / base[i]);
      load->ratio_high = fmax(load->ratio_high, own[i] / base[i]);
    }
  }
  load->ratio = base_sum > 0 ? sum / base_sum : 0;
  load->ratio_low = fmin(load->ratio_low, load->ratio);
  load->ratio_high = fmax(load->ratio_high, load->ratio);
}

/* A foreign function's own cost is carried by the calls it makes. */
static int load_foreign(sc_analysis *a, const sc_measured *m, uint32_t context)
{
  uint32_t child = sc_measured_heaviest_child(m, context);
  if (child == SC_NONE || m->cost[context] <= 0)
    return 0;
  sc_load load = *sc_analysis_load(a, child);
  load.counted = false;
  load.each = m->cost[context] / sc_measured_count(m, child);
  load.below = load.above = 0;
  return sc_loads_set(&a->loads, context, &load);
}

/* The number of the series that costs most: what unattributed cost is taken to grow with when it has no model. */
static uint32_t dominant_model(const sc_analysis *a)
{
  double n = a->sizes[a->run_count - 1], most = 0;
  uint32_t best = SC_SERIES_ONE;
  for (size_t i = 0; i < a->total.count; i++) {
    const sc_blend_part *part = &a->total.parts[i];
    double cost = part->value * sc_model_value(&a->models[part->model], n);
    if (cost > most) {
      most = cost;
      best = part->model;
    }
  }
  return best;
}

/* Of what surely grows so: the best model of counts that scatter may be any. */
static double steepest_exponent(const sc_analysis *a)
{
  double steepest = 0;
  for (size_t i = 0; i < a->counts.count; i++)
    if (a->models[i].verdict == SC_VERDICT_MODEL)
      steepest = fmax(steepest, a->models[i].exponent_low);
  return steepest;
}

/* Its interval holds no rival, either, that grows faster than is credible. */
static void drop_steeper_rivals(sc_model *model, double most)
{
  size_t kept = 0;
  for (size_t i = 0; i < model->rival_count; i++)
    if (sc_term_order(model->rivals[i].terms, model->rivals[i].term_count).exponent <= most)
      model->rivals[kept++] = model->rivals[i];
  model->rival_count = kept;
}

/* A model of the cost itself, for processes and what the node budget cut off; false if the data give none that is
 * credible: unattributed cost grows no faster than what was counted. */
static int fit_cost(sc_analysis *a, const sc_measured *m, uint32_t context, double steepest, bool *fitted)
{
  int err = SC_E_NOMEM;
  double *values = sc_mem_new(a->run_count, sizeof *values), *sizes = sc_mem_new(a->run_count, sizeof *sizes);
  sc_series series = {.n = sizes, .y = values, .count = 0};
  sc_model model;
  *fitted = false;
  if (!values || !sizes)
    goto out;
  for (size_t i = 0; i < a->run_count; i++)
    if (m->priced[i]) {
      sizes[series.count] = a->sizes[i];
      values[series.count++] = sc_spent_at(a, i, context);
    }
  SC_GOTO(sc_costs_fit(&series, &a->options.fit, &model));
  if (model.verdict != SC_VERDICT_MODEL || model.order.exponent > steepest + SC_COSTS_FASTER || m->folded[context])
    goto out;
  drop_steeper_rivals(&model, steepest + SC_COSTS_FASTER);
  sc_load load = {.ratio = 1, .ratio_low = 1, .ratio_high = 1, .each = 1};
  SC_GOTO(sc_analysis_add_model(a, &model, &load.model));
  SC_GOTO(sc_loads_set(&a->loads, context, &load));
  *fitted = true;
out:
  free(values);
  free(sizes);
  return err;
}

/* Whether a cost rises at all: what start and end of a process cost scatters too much for a model, but does not grow.
 */
static bool costs_rises(const sc_analysis *a, const sc_measured *m, uint32_t context)
{
  double sums[2] = {0, 0}, runs[2] = {0, 0}, middle = sqrt(a->sizes[0] * a->sizes[a->run_count - 1]);
  for (size_t i = 0; i < a->run_count; i++) {
    bool large = a->sizes[i] > middle;
    if (!m->priced[i])
      continue;
    sums[large] += sc_spent_at(a, i, context);
    runs[large]++;
  }
  return !(runs[0] > 0 && runs[1] > 0) || sums[1] / runs[1] > SC_COSTS_RISE * sums[0] / runs[0];
}

static double priced_sum(const sc_analysis *a, const sc_measured *m, uint32_t model)
{
  double sum = 0;
  for (size_t i = 0; i < a->run_count; i++)
    if (m->priced[i])
      sum += sc_model_value(&a->models[model], a->sizes[i]);
  return sum;
}

/* What is sampled but not counted (a process outside all contexts, frames that were cut off): its own costs are fitted
 * if they can be, else it is taken to grow as what dominates the counted costs, or not at all. */
static int load_costs_uncounted(sc_analysis *a, const sc_measured *m)
{
  uint32_t dominant = dominant_model(a);
  double steepest = steepest_exponent(a);
  for (uint32_t c = 0; c < a->contexts; c++) {
    enum sc_location_kind kind = sc_graph_at(a->graph, c)->kind;
    bool fitted;
    if (!sc_analysis_has(a, c) || kind == SC_LOCATION_FOREIGN || a->series[c] != SC_NONE || m->cost[c] <= 0)
      continue;
    SC_TRY(fit_cost(a, m, c, steepest, &fitted));
    if (!fitted)
      SC_TRY(sc_cost_growth_load_uncounted(a, m, c, steepest, &fitted));
    uint32_t carrier = costs_rises(a, m, c) ? dominant : SC_SERIES_ONE;
    double base = fitted ? 0 : priced_sum(a, m, carrier);
    const sc_load load = {.model = carrier, .ratio = 1, .ratio_low = 0, .ratio_high = 2, .each = m->cost[c] / base};
    if (base > 0)
      SC_TRY(sc_loads_set(&a->loads, c, &load));
    sc_blend_part part = sc_costs_part(sc_analysis_load(a, c));
    SC_TRY(sc_blend_add(&a->total, &part));
  }
  return 0;
}

sc_blend_part sc_costs_part(const sc_load *load)
{
  if (load->growing)
    return (sc_blend_part){.model = load->cost_model,
                           .value = 1,
                           .low = fmax(0, 1 - load->growth_sum) * (1 - load->cheaper),
                           .high = (1 + load->growth_sum) * (1 + load->dearer),
                           .below = load->growth_error * load->growth_error,
                           .above = load->growth_error * load->growth_error};
  double below = load->ratio * load->below, above = load->ratio * load->above;
  return (sc_blend_part){.model = load->model,
                         .value = load->ratio * load->each,
                         .low = load->ratio_low * load->each * (1 - load->cheaper),
                         .high = load->ratio_high * load->each * (1 + load->dearer),
                         .below = below * below,
                         .above = above * above};
}

sc_blend_part sc_costs_count_part(const sc_load *load)
{
  return (sc_blend_part){.model = load->model, .value = load->ratio, .low = load->ratio_low, .high = load->ratio_high};
}

sc_blend_part sc_costs_executions_part(const sc_load *load)
{
  sc_blend_part part = load->counted ? sc_costs_count_part(load) : (sc_blend_part){0};
  part.value *= load->weight;
  part.low *= load->weight;
  part.high *= load->weight;
  return part;
}

/* Whether nothing but its series says how a context is predicted. */
static bool is_like_series(const sc_analysis *a, const sc_measured *m, uint32_t context)
{
  return sc_analysis_known(a, context) && !(m->cost[context] > 0) &&
         sc_graph_at(a->graph, context)->kind != SC_LOCATION_WORK;
}

/* `like`: [series] a context that is like its series, and has its load already; 0: none yet. */
static int load_context(sc_analysis *a, const sc_measured *m, uint32_t c, sc_cost_point *points, uint32_t *like)
{
  sc_load load;
  bool shared = is_like_series(a, m, c);
  if (shared && like[a->series[c]]) {
    sc_loads_share(&a->loads, c, like[a->series[c]]);
    return 0;
  }
  sc_costs_load_count(a, c, &load);
  sc_cost_each_load(m, c, sc_measured_sample_cost(m), points, &load);
  SC_TRY(sc_cost_growth_load(a, m, c, points, &load));
  if (shared)
    like[a->series[c]] = c;
  return sc_loads_set(&a->loads, c, &load);
}

/* `like` finds contexts with the same series and cost: a million contexts have few different loads. */
static int load_costs_counted(sc_analysis *a, const sc_measured *m)
{
  int err;
  sc_cost_point *points = NULL;
  uint32_t *like = NULL;
  SC_GOTO(SC_NEW(points, a->run_count));
  SC_GOTO(SC_NEW(like, a->counts.count));
  for (uint32_t c = 0; c < a->contexts; c++)
    if (a->series[c] != SC_NONE)
      SC_GOTO(load_context(a, m, c, points, like));
  err = sc_cost_growth_load_small(a, m, points);
out:
  free(points);
  free(like);
  return err;
}

/* Equal loads are counted and added once, times their number: the sum over a million contexts becomes one over hundreds
 * of loads, each time that something is predicted. */
int sc_costs_sum_up(sc_analysis *a)
{
  int err;
  sc_load_counts counts = {0};
  SC_GOTO(sc_load_counts_begin(&counts, &a->loads));
  for (uint32_t c = 0; c < a->contexts; c++)
    if (sc_analysis_has(a, c))
      sc_load_counts_add(&counts, &a->loads, c);
  SC_GOTO(sc_load_counts_blend(&counts, &a->loads, sc_costs_part, &a->total));
  err = sc_load_counts_blend(&counts, &a->loads, sc_costs_executions_part, &a->executions);
out:
  sc_load_counts_free(&counts);
  return err;
}

/* The order matters. Footprint and blocks say what memory may add to a price; undecided series must be marked before
 * times are divided among the others; what is not counted needs the total of what is. */
static int load_all(sc_analysis *a, const sc_measured *m)
{
  double modelled = 0, all = 0;
  SC_TRY(sc_footprint_load(a));
  sc_large_blocks_load(a);
  SC_TRY(load_costs_counted(a, m));
  SC_TRY(sc_untold_find(a, m));
  SC_TRY(sc_cost_times_load(a, m));
  for (uint32_t c = 0; c < a->contexts; c++) {
    if (!sc_analysis_has(a, c))
      continue;
    double weight = a->sampled ? m->cost[c] : sc_analysis_executions(a, c, sc_measured_count(m, c));
    if (sc_graph_at(a->graph, c)->kind == SC_LOCATION_FOREIGN && !a->few_samples)
      SC_TRY(load_foreign(a, m, c));
    all += weight;
    if (sc_analysis_known(a, c))
      modelled += weight;
  }
  SC_TRY(sc_costs_sum_up(a));
  a->modelled_share = all > 0 ? modelled / all : 0;
  if (a->sampled && !a->few_samples)
    SC_TRY(load_costs_uncounted(a, m));
  sc_blend_compact(&a->total);
  a->busy = sc_time_busy(a);
  return sc_footprint_weigh(a);
}

int sc_costs_load(sc_analysis *analysis)
{
  int err;
  sc_measured m;
  SC_GOTO(sc_measured_take(analysis, &m));
  SC_GOTO(sc_loads_begin(&analysis->loads, analysis->contexts));
  SC_GOTO(load_all(analysis, &m));
  SC_GOTO(sc_time_open_load(analysis));
out:
  sc_measured_free(&m);
  return err;
}
