/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "transitions/costs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

/* A mean of ratios (the paper's average) needs this many samples in each run; below it the noise of the small runs
 * would outweigh the large ones, and the sums over all runs are divided instead. */
enum { SC_COSTS_SAMPLES = 30 };
/* Samples an unsampled context may still have missed, at 95 %: -ln 0.05. */
static const double MISSED_SAMPLES = 3;

/* What was measured, summed over the runs with the analysis' cost event. */
typedef struct measured {
  const sc_analysis *analysis;
  bool *priced;       /* [run_count] the run has the cost event */
  double *per_sample; /* [run_count] cost of one sample; 0 unknown */
  double *cost;       /* [contexts] own cost, with that of contexts below that were never counted */
  double *count;      /* [contexts] */
  bool *folded;       /* [contexts] cost includes another context's */
} measured;

int sc_costs_fit(const sc_series *series, const sc_fit_options *options, sc_model *model)
{
  int err = sc_fit_select(series, options, model);
  if (err != SC_E_NUMERIC)
    return err;
  *model = (sc_model){.verdict = SC_VERDICT_CANNOT_TELL, .error = -1};
  snprintf(model->why, sizeof model->why, "%s", sc_err_message());
  return 0;
}

static size_t runs_with_event(const sc_analysis *analysis, const char *event)
{
  size_t count = 0;
  for (size_t i = 0; i < analysis->run_count; i++)
    count += strcmp(sc_graph_run_const(analysis->graph, analysis->runs[i])->cost_event, event) == 0;
  return count;
}

static bool is_clock(const char *event)
{
  return strstr(event, "clock") != NULL && strstr(event, "clockticks") == NULL;
}

/* The event most runs were sampled with: costs of different events cannot be added. */
static void choose_event(sc_analysis *analysis)
{
  size_t most = 0;
  analysis->event[0] = 0;
  for (size_t i = 0; i < analysis->run_count; i++) {
    const char *event = sc_graph_run_const(analysis->graph, analysis->runs[i])->cost_event;
    size_t count = event[0] ? runs_with_event(analysis, event) : 0;
    if (count > most) {
      most = count;
      snprintf(analysis->event, sizeof analysis->event, "%s", event);
    }
  }
}

static void measure_runs(sc_analysis *analysis, measured *m)
{
  double all = 0;
  choose_event(analysis);
  for (size_t i = 0; i < analysis->run_count; i++) {
    const sc_run *run = sc_graph_run_const(analysis->graph, analysis->runs[i]);
    double sum = 0;
    m->priced[i] = analysis->event[0] && strcmp(run->cost_event, analysis->event) == 0;
    for (uint32_t c = 0; m->priced[i] && c < analysis->contexts; c++)
      sum += sc_graph_value(analysis->graph, analysis->runs[i], c, SC_METRIC_COST);
    m->per_sample[i] = run->samples ? sum / (double)run->samples : 0;
    all += sum;
  }
  analysis->sampled = all > 0;
  if (!analysis->sampled)
    analysis->unit = "iterations";
  else
    analysis->unit = is_clock(analysis->event) ? "s" : analysis->event;
}

static bool in_scope(const sc_analysis *analysis, uint32_t context) { return analysis->scope[context] != SC_SCOPE_OUT; }

/* The counted child that a foreign function called most often: its own cost grows with these calls. */
static uint32_t heaviest_child(const measured *m, uint32_t context)
{
  uint32_t best = SC_NONE;
  for (uint32_t c = sc_graph_first_child(m->analysis->graph, context); c;
       c = sc_graph_next_sibling(m->analysis->graph, c))
    if (m->count[c] > 0 && (best == SC_NONE || m->count[c] > m->count[best]))
      best = c;
  return best;
}

/* Cost without executions (the optimiser replaced the loop, or nothing was called back) belongs to what is above. */
static bool must_fold(const measured *m, uint32_t context)
{
  enum sc_location_kind kind = sc_graph_at(m->analysis->graph, context)->kind;
  if (kind == SC_LOCATION_FOREIGN)
    return heaviest_child(m, context) == SC_NONE;
  return sc_analysis_counted(m->analysis, context) && m->count[context] <= 0;
}

static void measure_contexts(measured *m)
{
  const sc_analysis *a = m->analysis;
  for (uint32_t c = 0; c < a->contexts; c++)
    for (size_t i = 0; in_scope(a, c) && i < a->run_count; i++) {
      if (a->sampled && !m->priced[i])
        continue;
      m->cost[c] += sc_graph_value(a->graph, a->runs[i], c, SC_METRIC_COST);
      if (a->series[c] != SC_NONE)
        m->count[c] += sc_analysis_values(a, c)[i];
    }
  for (uint32_t c = a->contexts; c-- > 1;) {
    uint32_t parent = sc_graph_parent(a->graph, c);
    if (m->cost[c] <= 0 || !must_fold(m, c) || !in_scope(a, parent))
      continue;
    m->cost[parent] += m->cost[c];
    m->folded[parent] = true;
    m->cost[c] = 0;
  }
}

/* The carrier of a context whose own model cannot tell: its nearest modelled ancestor, or "once per run". */
static uint32_t carrier_of(const sc_analysis *a, uint32_t context)
{
  while (context) {
    context = sc_graph_parent(a->graph, context);
    if (!in_scope(a, context))
      break;
    if (sc_analysis_known(a, context) && a->series[context] != SC_NONE)
      return a->series[context];
  }
  return SC_SERIES_ONE;
}

static void load_count(const sc_analysis *a, uint32_t context, sc_load *load)
{
  const double *own = sc_analysis_values(a, context);
  double sum = 0, base_sum = 0;
  *load = (sc_load){.model = a->series[context], .counted = true, .ratio = 1, .ratio_low = 1, .ratio_high = 1};
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

typedef struct ratios {
  double samples, fewest; /* samples in all runs, and in the poorest run that executed the context */
  double mean, squares;   /* of cost/count over the runs, by Welford */
  size_t runs;
} ratios;

static ratios collect_ratios(const measured *m, uint32_t context)
{
  const sc_analysis *a = m->analysis;
  ratios r = {.fewest = INFINITY};
  for (size_t i = 0; i < a->run_count; i++) {
    double count = sc_analysis_values(a, context)[i];
    if (!m->priced[i] || count <= 0)
      continue;
    double cost = sc_graph_value(a->graph, a->runs[i], context, SC_METRIC_COST);
    double samples = m->per_sample[i] > 0 ? cost / m->per_sample[i] : (cost > 0 ? INFINITY : 0);
    double delta = cost / count - r.mean;
    r.samples += samples;
    r.fewest = fmin(r.fewest, samples);
    r.mean += delta / (double)++r.runs;
    r.squares += delta * (cost / count - r.mean);
  }
  return r;
}

/* Cost of one sample on average; for contexts that no sample hit. */
static double sample_cost(const measured *m)
{
  double sum = 0;
  size_t count = 0;
  for (size_t i = 0; i < m->analysis->run_count; i++)
    if (m->priced[i] && m->per_sample[i] > 0) {
      sum += m->per_sample[i];
      count++;
    }
  return count ? sum / (double)count : 0;
}

static void load_each(const measured *m, uint32_t context, double one_sample, sc_load *load)
{
  double z = m->analysis->quantile, count = m->count[context], cost = m->cost[context];
  if (!m->analysis->sampled) {
    load->each = 1;
    return;
  }
  if (count <= 0)
    return;
  ratios r = collect_ratios(m, context);
  if (!m->folded[context] && r.fewest >= SC_COSTS_SAMPLES && r.runs > 1) {
    load->each = r.mean;
    load->below = load->above = z * sqrt(r.squares / (double)(r.runs - 1) / (double)r.runs);
  } else if (cost > 0) {
    double samples = fmax(1, one_sample > 0 ? cost / one_sample : INFINITY);
    load->each = cost / count;
    load->below = load->each * z / sqrt(samples);
    load->above = load->each * z * sqrt(samples + 1) / samples;
    if (isinf(samples))
      load->below = load->above = 0;
  } else {
    load->above = MISSED_SAMPLES * one_sample / count;
  }
  load->below = fmin(load->below, load->each);
}

/* A foreign function's own cost is carried by the calls it makes. */
static void load_foreign(const measured *m, uint32_t context)
{
  sc_analysis *a = (sc_analysis *)m->analysis;
  uint32_t child = heaviest_child(m, context);
  sc_load *load = &a->loads[context];
  if (child == SC_NONE || m->cost[context] <= 0)
    return;
  *load = a->loads[child];
  load->counted = false;
  load->each = m->cost[context] / m->count[child];
  load->below = load->above = 0;
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

static double steepest_exponent(const sc_analysis *a)
{
  double steepest = 0;
  for (size_t i = 0; i < a->counts.count; i++)
    if (a->models[i].verdict == SC_VERDICT_MODEL)
      steepest = fmax(steepest, a->models[i].order.exponent);
  return steepest;
}

/* A model of the cost itself, for processes and what the node budget cut off; false if the data give none that is
 * credible: unattributed cost grows no faster than what was counted. */
static int fit_cost(sc_analysis *a, const measured *m, uint32_t context, double steepest, bool *fitted)
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
      values[series.count++] = sc_graph_value(a->graph, a->runs[i], context, SC_METRIC_COST);
    }
  SC_GOTO(sc_costs_fit(&series, &a->options.fit, &model));
  if (model.verdict != SC_VERDICT_MODEL || model.order.exponent > steepest + 0.25 || m->folded[context])
    goto out;
  SC_GOTO(sc_mem_grow(&a->models, &a->model_capacity, a->model_count + 1, sizeof *a->models));
  a->models[a->model_count] = model;
  a->loads[context] =
      (sc_load){.model = (uint32_t)a->model_count++, .ratio = 1, .ratio_low = 1, .ratio_high = 1, .each = 1};
  *fitted = true;
out:
  free(values);
  free(sizes);
  return err;
}

static int load_uncounted(sc_analysis *a, const measured *m)
{
  uint32_t dominant = dominant_model(a);
  double steepest = steepest_exponent(a), base = 0;
  for (size_t i = 0; i < a->run_count; i++)
    if (m->priced[i])
      base += sc_series_row(&a->counts, dominant)[i];
  for (uint32_t c = 0; c < a->contexts; c++) {
    enum sc_location_kind kind = sc_graph_at(a->graph, c)->kind;
    bool fitted;
    if (!in_scope(a, c) || kind == SC_LOCATION_FOREIGN || a->series[c] != SC_NONE || m->cost[c] <= 0)
      continue;
    SC_TRY(fit_cost(a, m, c, steepest, &fitted));
    if (!fitted && base > 0)
      a->loads[c] =
          (sc_load){.model = dominant, .ratio = 1, .ratio_low = 0, .ratio_high = 2, .each = m->cost[c] / base};
    sc_blend_part part = sc_costs_part(&a->loads[c]);
    SC_TRY(sc_blend_add(&a->total, &part));
  }
  return 0;
}

sc_blend_part sc_costs_part(const sc_load *load)
{
  double below = load->ratio * load->below, above = load->ratio * load->above;
  return (sc_blend_part){.model = load->model,
                         .value = load->ratio * load->each,
                         .low = load->ratio_low * load->each,
                         .high = load->ratio_high * load->each,
                         .below = below * below,
                         .above = above * above};
}

sc_blend_part sc_costs_count_part(const sc_load *load)
{
  return (sc_blend_part){.model = load->model, .value = load->ratio, .low = load->ratio_low, .high = load->ratio_high};
}

static void compact_when_large(sc_blend *blend, const sc_analysis *a)
{
  if (blend->count > 2 * a->counts.count + 1024)
    sc_blend_compact(blend);
}

static int load_all(sc_analysis *a, const measured *m)
{
  double one_sample = sample_cost(m), modelled = 0, all = 0;
  for (uint32_t c = 0; c < a->contexts; c++)
    if (a->series[c] != SC_NONE) {
      load_count(a, c, &a->loads[c]);
      load_each(m, c, one_sample, &a->loads[c]);
    }
  for (uint32_t c = 0; c < a->contexts; c++) {
    sc_blend_part part, count;
    if (!in_scope(a, c))
      continue;
    double weight = a->sampled ? m->cost[c] : m->count[c];
    if (sc_graph_at(a->graph, c)->kind == SC_LOCATION_FOREIGN)
      load_foreign(m, c);
    part = sc_costs_part(&a->loads[c]);
    count = sc_costs_count_part(&a->loads[c]);
    all += weight;
    if (sc_analysis_known(a, c))
      modelled += weight;
    if (part.value > 0 || part.above > 0)
      SC_TRY(sc_blend_add(&a->total, &part));
    if (a->loads[c].counted)
      SC_TRY(sc_blend_add(&a->executions, &count));
    compact_when_large(&a->total, a);
    compact_when_large(&a->executions, a);
  }
  sc_blend_compact(&a->total);
  sc_blend_compact(&a->executions);
  a->modelled_share = all > 0 ? modelled / all : 0;
  if (a->sampled)
    SC_TRY(load_uncounted(a, m));
  sc_blend_compact(&a->total);
  return 0;
}

int sc_costs_load(sc_analysis *analysis)
{
  int err = SC_E_NOMEM;
  measured m = {.analysis = analysis};
  analysis->loads = sc_mem_new(analysis->contexts, sizeof *analysis->loads);
  m.priced = sc_mem_new(analysis->run_count, sizeof *m.priced);
  m.per_sample = sc_mem_new(analysis->run_count, sizeof *m.per_sample);
  m.cost = sc_mem_new(analysis->contexts, sizeof *m.cost);
  m.count = sc_mem_new(analysis->contexts, sizeof *m.count);
  m.folded = sc_mem_new(analysis->contexts, sizeof *m.folded);
  if (!analysis->loads || !m.priced || !m.per_sample || !m.cost || !m.count || !m.folded)
    goto out;
  measure_runs(analysis, &m);
  measure_contexts(&m);
  SC_GOTO(load_all(analysis, &m));
out:
  free(m.priced);
  free(m.per_sample);
  free(m.cost);
  free(m.count);
  free(m.folded);
  return err;
}
