/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/resources/compare.h"

#include <math.h>
#include <string.h>

#include "runner/resources/words.h"
#include "runner/table.h"

enum { TOP = 10 };

static bool same(const sc_resource *a, const sc_resource *b)
{
  return a->resource_class == b->resource_class && a->line == b->line && strcmp(a->name, b->name) == 0 &&
         strcmp(a->file, b->file) == 0;
}

static bool value_of(const sc_usage *row, enum sc_resource_metric metric, double *value)
{
  switch (metric) {
  case SC_RMETRIC_ACQUIRES:
    *value = row->values[SC_USAGE_ACQUIRES];
    return true;
  case SC_RMETRIC_HOLD_TOTAL:
    *value = row->values[SC_USAGE_HOLD_SECONDS];
    return true;
  case SC_RMETRIC_WAIT_TOTAL:
    *value = row->values[SC_USAGE_WAIT_SECONDS];
    return true;
  case SC_RMETRIC_PEAK:
    *value = row->values[SC_USAGE_PEAK];
    return true;
  case SC_RMETRIC_OUTSTANDING:
    *value = row->values[SC_USAGE_UNITS] - row->values[SC_USAGE_RETURNED_UNITS];
    return true;
  default:
    return false;
  }
}

bool sc_resource_actual(const sc_judge *judge, uint32_t resource, enum sc_resource_metric metric, double n,
                        double *value)
{
  const sc_graph *targets = judge->loaded.targets;
  const sc_resource *wanted = sc_usage_resource_at(judge->loaded.graph, resource);
  double sum = 0, runs = 0, part;
  bool touched = false;
  for (size_t run = 0; targets && run < sc_graph_run_count(targets); run++) {
    size_t count;
    const sc_usage *rows = sc_usage_rows(targets, run, &count);
    if (sc_graph_run_const(targets, run)->n != n)
      continue;
    runs++;
    for (size_t i = 0; i < count; i++)
      if (same(sc_usage_resource_at(targets, rows[i].resource), wanted)) {
        if (!value_of(&rows[i], metric, &part))
          return false;
        sum += part;
        touched = true;
      }
  }
  *value = touched ? fmax(0, sum / runs) : 0;
  return touched;
}

static int add_row(sc_table *table, const sc_judge *judge, uint32_t resource, enum sc_resource_metric metric, double n,
                   bool first)
{
  const sc_resource *what = sc_usage_resource_at(judge->loaded.graph, resource);
  sc_interval p;
  double actual;
  sc_buf name = {0};
  if (!sc_resource_actual(judge, resource, metric, n, &actual))
    return 0;
  SC_TRY(sc_resources_predict(judge->resources, resource, metric, n, &p));
  sc_resource_words_name(what, &name);
  if (sc_buf_finish(&name) == 0) {
    sc_table_cell(table, first ? name.text : "");
    sc_table_cell(table, sc_resource_metric_name(metric));
    sc_table_cell(table, sc_resource_words_value(metric, what, p.value).s);
    sc_table_cell(table, sc_resource_words_interval(metric, what, &p).s);
    sc_table_cell(table, sc_resource_words_value(metric, what, actual).s);
    sc_table_cell(table, sc_format_error(p.value, actual).s);
    sc_table_cell(table, actual >= p.low && actual <= p.high ? "" : "outside");
  }
  sc_buf_free(&name);
  return 0;
}

const enum sc_resource_metric *sc_resource_compared(const sc_resource *resource)
{
  static const enum sc_resource_metric times[] = {SC_RMETRIC_ACQUIRES, SC_RMETRIC_HOLD_TOTAL, SC_RMETRIC_WAIT_TOTAL};
  static const enum sc_resource_metric units[] = {SC_RMETRIC_ACQUIRES, SC_RMETRIC_PEAK, SC_RMETRIC_OUTSTANDING};
  return resource->resource_class <= SC_RESOURCE_BARRIER ? times : units;
}

static int add_resource(sc_table *table, const sc_judge *judge, uint32_t resource, double n)
{
  const enum sc_resource_metric *metrics = sc_resource_compared(sc_usage_resource_at(judge->loaded.graph, resource));
  for (size_t i = 0; i < SC_RESOURCE_COMPARED; i++)
    SC_TRY(add_row(table, judge, resource, metrics[i], n, i == 0));
  return 0;
}

int sc_resource_compare_print(FILE *out, const sc_judge *judge, double n, const sc_report_text_options *options)
{
  static const char *const headings[] = {"resource", "", "predicted", "95% interval", "actual", "error", ""};
  size_t count = 0, shown = 0, top = options->top ? options->top : TOP;
  const sc_resource_finding *findings = judge->resources ? sc_resources_findings(judge->resources, &count) : NULL;
  int err = 0;
  if (!count || !sc_judge_was_run(judge, n))
    return 0;
  sc_table *table = sc_table_new("llrrrrl");
  for (size_t i = 0; i < sizeof headings / sizeof *headings; i++)
    sc_table_cell(table, headings[i]);
  for (size_t i = 0; i < count && shown < top; i++) {
    size_t before = 0;
    while (before < i && findings[before].resource != findings[i].resource)
      before++;
    if (before < i)
      continue;
    SC_GOTO(add_resource(table, judge, findings[i].resource, n));
    shown++;
  }
  sc_table_fit(table, 0, options->width - 2);
  fprintf(out, "\n%sResources with findings%s\n", options->style.bold, options->style.off);
  err = sc_table_print(table, out, 2, options->style.dim, options->style.off);
out:
  sc_table_free(table);
  return err;
}
