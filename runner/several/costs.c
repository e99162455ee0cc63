/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an execution costs, and whether that holds away from the base values. */
#include <math.h>

#include "base/buf.h"
#include "runner/several/internal.h"

/* Samples below which measured and predicted cost are not compared: their own error is a tenth then. */
static const double SAMPLES_LEAST = 100;

bool sc_several_counted(const sc_several *s, uint32_t context)
{
  const double *row = sc_series_row(&s->set, s->series[context]);
  for (size_t i = 0; i < s->run_count; i++)
    if (row[i] > 0)
      return true;
  return false;
}

/* Seconds, or events, that an execution takes where it was never seen at the base values: from all runs. */
static double pooled_price(const sc_several *s, uint32_t context)
{
  double cost = 0, count = 0;
  for (size_t i = 0; i < s->run_count; i++) {
    cost += sc_graph_value(s->graph, s->runs[i], context, SC_METRIC_COST);
    count += sc_graph_value(s->graph, s->runs[i], context, SC_METRIC_COUNT);
  }
  return count > 0 ? cost / count : 0;
}

/* Own costs of all contexts, measured and by their executions, of the runs away from the base; both are summed up. */
static int compare_run(const sc_several *s, size_t run, double *measured, double *predicted)
{
  const sc_analysis *analysis = s->judge->loaded.analysis;
  double n = sc_graph_run_const(s->graph, run)->n;
  for (uint32_t c = 1; c < s->contexts; c++) {
    sc_interval base = {0};
    if (!sc_analysis_in_scope(analysis, c))
      continue;
    double count = sc_graph_value(s->graph, run, c, SC_METRIC_COUNT);
    *measured += sc_graph_value(s->graph, run, c, SC_METRIC_COST);
    if (!sc_several_counted(s, c))
      SC_TRY(sc_analysis_cost(analysis, c, n, &base));
    *predicted += base.value + count * s->prices[c];
  }
  return 0;
}

static int check(sc_several *s)
{
  double measured = 0, predicted = 0, samples = 0;
  s->checked = NAN;
  for (size_t i = 0; i < s->run_count; i++) {
    const sc_run *run = sc_graph_run_const(s->graph, s->runs[i]);
    if (run->role != SC_RUN_VARIED || !run->cost_event[0])
      continue;
    samples += (double)run->samples;
    SC_TRY(compare_run(s, s->runs[i], &measured, &predicted));
  }
  if (samples >= SAMPLES_LEAST && predicted > 0)
    s->checked = measured / predicted;
  return 0;
}

int sc_several_price(sc_several *s)
{
  s->prices = sc_mem_new(s->contexts, sizeof *s->prices);
  if (!s->prices)
    return SC_E_NOMEM;
  for (uint32_t c = 1; c < s->contexts; c++) {
    double each = sc_analysis_cost_each(s->judge->loaded.analysis, c);
    s->prices[c] = each > 0 ? each : pooled_price(s, c);
  }
  return check(s);
}
