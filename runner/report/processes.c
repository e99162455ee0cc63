/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/report/processes.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "runner/report/plain.h"
#include "runner/text/context.h"
#include "runner/text/format.h"
#include "runner/text/table.h"
#include "transitions/model/data.h"

/* Told by the kernel of a process, not counted in a call of a library. */
static bool is_kernels(const sc_graph *graph, uint32_t context)
{
  const sc_location *at = sc_graph_at(graph, context);
  return at->kind == SC_LOCATION_WORK && at->nth >= SC_UNIT_MICROSECONDS;
}

/* Microseconds as times, others as numbers. */
static sc_text format_consumed(const sc_location *what, double value)
{
  return what->nth == SC_UNIT_MICROSECONDS ? sc_format_seconds(value * 1e-6) : sc_format_count(value);
}

static double mean_at(const sc_graph *graph, uint32_t context, double n)
{
  double sum = 0, runs = 0;
  for (size_t run = 0; run < sc_graph_run_count(graph); run++)
    if (sc_graph_run_const(graph, run)->n == n) {
      sum += sc_graph_value(graph, run, context, SC_METRIC_COUNT);
      runs++;
    }
  return runs > 0 ? sum / runs : 0;
}

static int add_process_row(sc_table *table, const sc_judge *judge, uint32_t context, const double *target)
{
  const sc_analysis *analysis = judge->loaded.analysis;
  const sc_graph *graph = judge->loaded.graph;
  const sc_location *what = sc_graph_at(graph, context);
  double low, high;
  sc_interval at = {0};
  sc_buf name = {0}, formula = {0};
  sc_analysis_range(analysis, &low, &high);
  if (target)
    SC_TRY(sc_analysis_count(analysis, context, *target, &at));
  sc_utf8_show(sc_graph_at(graph, sc_graph_parent(graph, context))->display, &name);
  if (sc_analysis_known(analysis, context))
    sc_context_formula(sc_analysis_model(analysis, context), judge->loaded.workload->parameter, &formula);
  sc_table_cell(table, sc_buf_finish(&name) == 0 ? name.text : "?");
  sc_table_cell(table, what->name);
  sc_table_cell(table, format_consumed(what, mean_at(graph, context, low)).s);
  sc_table_cell(table, format_consumed(what, mean_at(graph, context, high)).s);
  sc_table_cell(table, target ? format_consumed(what, at.value).s : "");
  sc_buf_free(&name);
  sc_buf_printf(&name, "%s to %s", format_consumed(what, at.low).s, format_consumed(what, at.high).s);
  sc_table_cell(table, target && sc_buf_finish(&name) == 0 ? name.text : "");
  sc_buf_free(&name);
  sc_table_cell(table, sc_buf_finish(&formula) == 0 ? formula.text : "");
  sc_buf_free(&formula);
  return 0;
}

static sc_table *begin_processes_table(const sc_judge *judge, const double *target)
{
  sc_table *table = sc_table_new("llrrrll");
  const char *parameter = judge->loaded.workload->parameter;
  double low, high;
  char heading[200];
  sc_analysis_range(judge->loaded.analysis, &low, &high);
  sc_table_cell(table, "process");
  sc_table_cell(table, "takes");
  snprintf(heading, sizeof heading, "%.100s = %s", parameter, sc_format_number(low).s);
  sc_table_cell(table, heading);
  sc_table_cell(table, sc_format_number(high).s);
  sc_table_cell(table, target ? sc_format_number(*target).s : "");
  sc_table_cell(table, target ? "95% interval" : "");
  sc_table_cell(table, "model");
  return table;
}

static int add_process_json(sc_json *json, cJSON *list, const sc_judge *judge, uint32_t context)
{
  const sc_analysis *analysis = judge->loaded.analysis;
  const sc_analysis_options *asked = sc_analysis_get_options(analysis);
  const sc_graph *graph = judge->loaded.graph;
  const sc_location *what = sc_graph_at(graph, context);
  double low, high;
  cJSON *item = sc_json_object(json, list, NULL), *predictions;
  sc_analysis_range(analysis, &low, &high);
  sc_json_text(json, item, "process", sc_graph_at(graph, sc_graph_parent(graph, context))->display);
  sc_json_text(json, item, "takes", what->name);
  sc_json_text(json, item, "unit", sc_location_unit(what));
  sc_json_number(json, item, "smallest", mean_at(graph, context, low));
  sc_json_number(json, item, "largest", mean_at(graph, context, high));
  predictions = sc_json_array(json, item, "predictions");
  for (size_t i = 0; i < asked->target_count; i++) {
    sc_interval at;
    SC_TRY(sc_analysis_count(analysis, context, asked->targets[i], &at));
    cJSON *prediction = sc_json_object(json, predictions, NULL);
    sc_json_number(json, prediction, "n", asked->targets[i]);
    sc_json_interval(json, prediction, "predicted", &at);
  }
  return 0;
}

int sc_report_processes_json(sc_json *json, const sc_judge *judge, cJSON *document)
{
  const sc_graph *graph = judge->loaded.graph;
  if (!(judge->loaded.attached > 0))
    return 0;
  cJSON *list = sc_json_array(json, document, "processes");
  for (uint32_t c = 1; c < sc_graph_context_count(graph); c++)
    if (is_kernels(graph, c))
      SC_TRY(add_process_json(json, list, judge, c));
  return 0;
}

int sc_report_processes_print(FILE *out, const sc_judge *judge, const sc_text_options *options)
{
  const sc_graph *graph = judge->loaded.graph;
  const sc_analysis_options *asked = sc_analysis_get_options(judge->loaded.analysis);
  const double *target = asked->target_count ? asked->targets : NULL;
  sc_table *table = NULL;
  sc_buf unit = {0};
  int err = 0;
  if (!(judge->loaded.attached > 0))
    return 0;
  for (uint32_t c = 1; err == 0 && c < sc_graph_context_count(graph); c++)
    if (is_kernels(graph, c)) {
      table = table ?: begin_processes_table(judge, target);
      err = table ? add_process_row(table, judge, c, target) : SC_E_NOMEM;
    }
  if (err == 0 && table) {
    sc_report_attached_unit(judge, &unit);
    fprintf(out, "\n%sProcesses, by the kernel, per %s%s\n", options->style.bold,
            sc_buf_finish(&unit) == 0 ? unit.text : "?", options->style.off);
    sc_table_fit(table, 0, options->width - 2);
    err = sc_table_print(table, out, 2, options->style.dim, options->style.off);
  }
  sc_buf_free(&unit);
  sc_table_free(table);
  return err;
}
