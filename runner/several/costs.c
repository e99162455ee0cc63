/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an execution costs, and whether that holds away from the base values. */
#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "runner/several/internal.h"
#include "runner/text/format.h"
#include "runner/text/tuning.h"

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

/* What all executions take on average, at the largest size of the base. */
static double average_price(const sc_several *s)
{
  const sc_analysis *analysis = s->judge->loaded.analysis;
  const sc_graph *graph = s->judge->loaded.graph;
  size_t run = sc_analysis_run(analysis, sc_analysis_run_count(analysis) - 1);
  double cost = 0, count = 0;
  for (uint32_t c = 1; c < s->contexts; c++) {
    cost += sc_graph_value(graph, run, c, SC_METRIC_COUNT) * sc_analysis_cost_each(analysis, c);
    count += sc_graph_executions(graph, run, c);
  }
  return count > 0 ? cost / count : 0;
}

/* Cost of a run away from the base, and what is predicted for it: the cost at the base, and of executions that are more
 * or fewer than there, `extra`, what they take. */
static int compare_run(const sc_several *s, size_t run, double *measured, double *predicted, double *extra)
{
  const sc_analysis *analysis = s->judge->loaded.analysis;
  double at[SC_SURFACE_PARAMETERS] = {sc_graph_run_const(s->graph, run)->n};
  sc_interval base;
  sc_workload_base(s->judge->loaded.workload, at + 1);
  SC_TRY(sc_analysis_total(analysis, at[0], &base));
  *predicted += base.value;
  *measured += sc_graph_value(s->graph, run, 0, SC_METRIC_COST);
  for (uint32_t c = 1; c < s->contexts; c++) {
    const sc_surface *model = sc_several_surface(s, c);
    const sc_several_product *product = s->products[s->series[c]];
    if (!sc_analysis_in_scope(analysis, c))
      continue;
    *measured += sc_graph_value(s->graph, run, c, SC_METRIC_COST);
    double count = product ? sc_several_product_value(s, product, at) : model ? sc_surface_value(model, at) : NAN;
    if (isfinite(count))
      *extra += s->prices[c] * (sc_graph_value(s->graph, run, c, SC_METRIC_COUNT) - count);
  }
  return 0;
}

/* Only where these executions make the better part of the cost do the runs say anything of their price. */
static int check_costs(sc_several *s)
{
  double measured = 0, predicted = 0, extra = 0, samples = 0;
  s->checked = NAN;
  for (size_t i = 0; i < s->run_count; i++) {
    const sc_run *run = sc_graph_run_const(s->graph, s->runs[i]);
    if (run->role != SC_RUN_VARIED || !run->cost_event[0])
      continue;
    samples += (double)run->samples;
    SC_TRY(compare_run(s, s->runs[i], &measured, &predicted, &extra));
  }
  if (samples >= SC_SEVERAL_SAMPLES && extra > predicted)
    s->checked = measured / (predicted + extra);
  return 0;
}

int sc_several_price(sc_several *s)
{
  double average = average_price(s);
  s->costs = sc_analysis_has_costs(s->judge->loaded.analysis);
  s->prices = sc_mem_new(s->contexts, sizeof *s->prices);
  s->priced = sc_mem_new(s->contexts, sizeof *s->priced);
  if (!s->prices || !s->priced)
    return SC_E_NOMEM;
  for (uint32_t c = 1; c < s->contexts; c++) {
    double each = sc_analysis_cost_each(s->judge->loaded.analysis, c);
    s->prices[c] = each > 0 ? each : pooled_price(s, c);
    s->priced[c] = s->prices[c] > 0;
    if (!(s->prices[c] > 0))
      s->prices[c] = average * sc_location_weight(sc_graph_at(s->graph, c));
  }
  return check_costs(s);
}

bool sc_several_has_prices(const sc_several *several) { return several->costs; }

int sc_several_print_prices(FILE *out, const sc_several *s, const sc_text_options *options)
{
  sc_buf text = {0};
  if (!s->costs)
    return 0;
  sc_buf_printf(&text, "%s: what an execution takes is known at the base values (",
                sc_analysis_timed(s->judge->loaded.analysis) ? "Times" : "Costs");
  const sc_workload *workload = s->judge->loaded.workload;
  for (size_t i = 0; i < workload->other_count; i++)
    sc_buf_printf(&text, "%s%s = %s", i ? ", " : "", workload->others[i].name,
                  sc_format_number(workload->others[i].base).s);
  sc_buf_puts(&text, ") and taken to be the same elsewhere. ");
  if (isfinite(s->checked))
    sc_buf_printf(&text, "At the other values measured it took %.2f times that.", s->checked);
  else
    sc_buf_puts(&text, "Runs at other values were too short to see whether it is: the interval does not hold that.");
  fputs("  ", out);
  if (sc_buf_finish(&text) == 0)
    sc_format_wrap(out, text.text, 2, 2, options->width);
  sc_buf_free(&text);
  return 0;
}
