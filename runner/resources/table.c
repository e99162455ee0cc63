/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/resources/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runner/resources/numbers.h"
#include "runner/resources/words.h"
#include "runner/text/table.h"
#include "runner/text/tuning.h"

typedef struct row {
  uint32_t resource;
  size_t rank; /* of its worst finding; SIZE_MAX: none */
  double now[SC_RMETRIC_COUNT], then[SC_RMETRIC_COUNT];
} row;

static double horizon(const sc_judge *judge) { return sc_analysis_horizon(judge->loaded.analysis); }

static int fill_resource_row(const sc_judge *judge, row *r)
{
  static const enum sc_resource_metric shown[] = {SC_RMETRIC_ACQUIRES, SC_RMETRIC_WAITS,       SC_RMETRIC_HOLD,
                                                  SC_RMETRIC_WAIT,     SC_RMETRIC_UTILISATION, SC_RMETRIC_OUTSTANDING,
                                                  SC_RMETRIC_PEAK};
  for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
    enum sc_resource_metric metric = shown[i];
    const sc_resource_series *series = sc_resources_series(judge->resources, r->resource, SC_USAGE_NONE, metric);
    sc_interval predicted = {NAN, NAN, NAN};
    if (sc_resource_number_is_void(judge, r->resource, metric))
      series = NULL;
    r->now[metric] = NAN;
    if (series)
      SC_TRY(sc_resource_number_now(judge, r->resource, metric, &r->now[metric]));
    if (series && series->count)
      SC_TRY(sc_resources_predict(judge->resources, r->resource, metric, horizon(judge), &predicted));
    r->then[metric] = predicted.value;
  }
  return 0;
}

static bool above(double value, double limit) { return isfinite(value) && value > limit; }

/* Has a finding, is used noticeably, is waited for, or is kept. */
static bool matters(const row *r)
{
  return r->rank != SIZE_MAX || above(r->then[SC_RMETRIC_UTILISATION], SC_RESOURCES_LINE) ||
         above(r->now[SC_RMETRIC_WAITS], 0) || above(r->now[SC_RMETRIC_OUTSTANDING], 0);
}

static double compare_by(double a, double b) { return (isnan(b) ? -1 : b) - (isnan(a) ? -1 : a); }

static int compare_rows(const void *left, const void *right)
{
  const row *a = left, *b = right;
  if (a->rank != b->rank)
    return a->rank < b->rank ? -1 : 1;
  double by = compare_by(a->then[SC_RMETRIC_UTILISATION], b->then[SC_RMETRIC_UTILISATION]);
  by = by != 0 ? by : compare_by(a->now[SC_RMETRIC_ACQUIRES], b->now[SC_RMETRIC_ACQUIRES]);
  return by != 0 ? (by > 0 ? 1 : -1) : a->resource < b->resource ? -1 : a->resource > b->resource;
}

static size_t rank_of(const sc_judge *judge, uint32_t resource)
{
  size_t count;
  const sc_resource_finding *findings = sc_resources_findings(judge->resources, &count);
  for (size_t i = 0; i < count; i++)
    if (findings[i].resource == resource)
      return i;
  return SIZE_MAX;
}

static int gather_resources(const sc_judge *judge, const sc_text_options *options, row **rows, size_t *count)
{
  uint32_t all = sc_usage_resource_count(judge->loaded.graph);
  *count = 0;
  SC_TRY(SC_NEW(*rows, all));
  for (uint32_t i = 0; i < all; i++) {
    if (sc_resource_class_blocks(sc_usage_resource_at(judge->loaded.graph, i)->resource_class) ||
        sc_usage_condition_has_units(judge->loaded.graph, i))
      continue;
    row *r = &(*rows)[*count];
    *r = (row){.resource = i, .rank = rank_of(judge, i)};
    SC_TRY(fill_resource_row(judge, r));
    *count += options->resources || matters(r);
  }
  qsort(*rows, *count, sizeof **rows, compare_rows);
  return 0;
}

static void cell(sc_table *table, const sc_judge *judge, const row *r, enum sc_resource_metric metric, bool then)
{
  double value = metric == SC_RMETRIC_COUNT ? NAN : then ? r->then[metric] : r->now[metric];
  const sc_resource *resource = sc_usage_resource_at(judge->loaded.graph, r->resource);
  bool zero = value == 0 && (metric == SC_RMETRIC_WAITS || metric == SC_RMETRIC_OUTSTANDING);
  sc_table_cell(table, isnan(value) || zero ? "" : sc_resource_words_value(metric, resource, value).s);
}

static void add_resource_row(sc_table *table, const sc_judge *judge, const row *r)
{
  const sc_resource *resource = sc_usage_resource_at(judge->loaded.graph, r->resource);
  sc_resource_hot hot;
  sc_buf name = {0};
  sc_resource_words_name(resource, &name);
  if (sc_resources_hot(judge->resources, r->resource, &hot))
    sc_buf_printf(&name, ", %.0f of %.0f hot", hot.hot, hot.instances);
  sc_table_cell(table, sc_buf_finish(&name) == 0 ? name.text : "?");
  sc_buf_free(&name);
  sc_table_cell(table, sc_resource_class_name(resource->resource_class));
  cell(table, judge, r, SC_RMETRIC_ACQUIRES, false);
  cell(table, judge, r, SC_RMETRIC_WAITS, false);
  cell(table, judge, r, SC_RMETRIC_HOLD, false);
  cell(table, judge, r, SC_RMETRIC_UTILISATION, false);
  cell(table, judge, r, SC_RMETRIC_UTILISATION, true);
  bool counted = !sc_resource_class_locks(resource->resource_class);
  cell(table, judge, r, counted ? SC_RMETRIC_PEAK : SC_RMETRIC_COUNT, false);
  cell(table, judge, r, counted ? SC_RMETRIC_PEAK : SC_RMETRIC_COUNT, true);
  cell(table, judge, r, SC_RMETRIC_OUTSTANDING, false);
  cell(table, judge, r, SC_RMETRIC_OUTSTANDING, true);
}

static int print_heading(FILE *out, const sc_judge *judge, double high, const sc_text_options *options)
{
  sc_buf text = {0};
  sc_buf_puts(&text, "at ");
  sc_judge_describe(judge, high, &text);
  sc_buf_puts(&text, sc_resources_measured(judge->resources) ? "" : ", by models of all runs");
  sc_buf_puts(&text, ": acquires, waits, mean hold, utilisation, units out at most and at the end");
  int err = sc_buf_finish(&text);
  if (err == 0) {
    fprintf(out, "\n%sResources%s ", options->style.bold, options->style.off);
    sc_format_wrap(out, text.text, (int)strlen("Resources "), 2, options->width);
  }
  sc_buf_free(&text);
  return err;
}

int sc_resource_table_print(FILE *out, const sc_judge *judge, const sc_text_options *options)
{
  size_t count, shown = 0, top = options->top ? options->top : SC_TOP;
  double low, high;
  row *rows = NULL;
  char then[80];
  int err = gather_resources(judge, options, &rows, &count);
  sc_table *table = sc_table_new("llrrrrrrrrr");
  if (err < 0 || !count)
    goto out;
  sc_analysis_range(judge->loaded.analysis, &low, &high);
  snprintf(then, sizeof then, "at %s", sc_format_count(horizon(judge)).s);
  const char *const headings[] = {"resource", "class", "acquired", "waits", "hold", "used",
                                  then,       "peak",  then,       "kept",  then};
  for (size_t i = 0; i < sizeof headings / sizeof *headings; i++)
    sc_table_cell(table, headings[i]);
  for (; shown < count && (options->resources || shown < top); shown++)
    add_resource_row(table, judge, &rows[shown]);
  sc_table_fit(table, 0, options->width - 2);
  SC_GOTO(print_heading(out, judge, high, options));
  err = sc_table_print(table, out, 2, options->style.dim, options->style.off);
  if (shown < count)
    fprintf(out, "  %s not shown here: --resources\n", sc_format_plural(count - shown, "resource").s);
out:
  sc_table_free(table);
  free(rows);
  return err;
}
