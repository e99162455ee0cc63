/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "transitions/cost_each.h"

#include <math.h>

/* A mean of ratios (the paper's average) needs this many samples in each run; below it the noise of the small runs
 * would outweigh the large ones, and the sums over all runs are divided instead. */
enum { SC_COSTS_SAMPLES = 30 };
/* Samples an unsampled context may still have missed, at 95 %: -ln 0.05. */
static const double MISSED_SAMPLES = 3;

typedef struct ratios {
  double samples, fewest; /* samples in all runs, and in the poorest run that executed the context */
  double mean, squares;   /* of cost/count over the runs, by Welford */
  size_t runs;
} ratios;

static ratios collect_ratios(const sc_measured *m, uint32_t context)
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

void sc_cost_each_load(const sc_measured *m, uint32_t context, double one_sample, sc_load *load)
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
