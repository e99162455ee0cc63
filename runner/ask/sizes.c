/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The answer at one size, for people. */
#include <math.h>
#include <string.h>

#include "runner/ask/ask.h"
#include "runner/ask/flat.h"
#include "runner/text/context.h"
#include "runner/text/format.h"
#include "runner/text/table.h"

static bool are_sizes_timed(const sc_ask *ask) { return strcmp(ask->unit, "s") == 0; }

static const char *variable_of_sizes(const sc_ask *ask) { return ask->judge->loaded.workload->parameter; }

static const char *unit_of_sizes(const sc_ask *ask) { return are_sizes_timed(ask) ? "s" : ""; }

/* Of several contexts the order of the one that makes most of them: "9 contexts, n^2". */
static void add_sizes_order(const sc_ask *ask, const sc_flat_row *row, sc_buf *out)
{
  sc_text order = row->counted ? sc_ask_order(ask, row->context) : (sc_text){""};
  if (row->contexts > 1)
    sc_buf_printf(out, "%s%s", sc_format_plural(row->contexts, "context").s, *order.s ? ", " : "");
  sc_buf_puts(out, order.s);
}

/* "25.0 billion bytes": of work its unit, which no heading has. */
static sc_text count_sizes_text(const sc_ask *ask, uint32_t context, double count)
{
  sc_text text = sc_format_count(count), out;
  if (sc_graph_at(ask->judge->loaded.graph, context)->kind != SC_LOCATION_WORK)
    return text;
  snprintf(out.s, sizeof out.s, "%.40s %.16s", text.s, sc_context_counts(ask->judge->loaded.graph, context));
  return out;
}

static void add_cost(sc_table *table, const sc_ask *ask, const sc_flat_row *row, const sc_ask_size *size)
{
  sc_buf order = {0};
  add_sizes_order(ask, row, &order);
  sc_table_cell(table, row->title);
  sc_table_cell(table, sc_format_estimate(&row->value, unit_of_sizes(ask)).s);
  sc_table_cell(table, sc_format_interval(&row->value, unit_of_sizes(ask)).s);
  sc_table_cell(table, size->total.value > 0 ? sc_format_percent(row->value.value / size->total.value).s : "");
  sc_table_cell(table, row->counted ? count_sizes_text(ask, row->context, row->count).s : "");
  sc_table_cell(table, sc_buf_finish(&order) == 0 ? order.text : "?");
  sc_buf_free(&order);
}

static int finish_table(sc_table *table, FILE *out, size_t column, const sc_text_options *options)
{
  sc_table_fit(table, column, options->width - 2);
  int err = sc_table_print(table, out, 2, options->style.dim, options->style.off);
  sc_table_free(table);
  return err;
}

static int print_sizes_costs(FILE *out, const sc_ask *ask, sc_ask_size *size, const sc_text_options *options)
{
  sc_flat flat;
  sc_table *table = sc_table_new("lrrrrl");
  const char *const headings[] = {
      "own cost of", are_sizes_timed(ask) ? "time" : "cost", "95% interval", "of all", "executed", "order"};
  int err = sc_flat_make(ask->judge, size->n, size->rows, size->row_count, SC_RANK_COST, &flat);
  for (size_t i = 0; i < 6; i++)
    sc_table_cell(table, headings[i]);
  for (size_t i = 0; err == 0 && i < flat.count && i < ask->top; i++)
    add_cost(table, ask, &flat.rows[i], size);
  if (err == 0 && flat.count) {
    fputc('\n', out);
    err = finish_table(table, out, 0, options);
  } else
    sc_table_free(table);
  sc_flat_free(&flat);
  return err;
}

static void add_sizes_count(sc_table *table, const sc_ask *ask, const sc_flat_row *row)
{
  const sc_model *own = sc_analysis_model(ask->judge->loaded.analysis, row->context);
  sc_buf model = {0};
  if (row->contexts > 1 || own->verdict != SC_VERDICT_MODEL)
    add_sizes_order(ask, row, &model);
  else
    sc_context_formula(own, variable_of_sizes(ask), &model);
  sc_table_cell(table, row->title);
  sc_table_cell(table, count_sizes_text(ask, row->context, row->value.value).s);
  sc_table_cell(table, sc_format_interval(&row->value, "").s);
  sc_table_cell(table, sc_buf_finish(&model) == 0 ? model.text : "?");
  sc_buf_free(&model);
}

static int print_counts(FILE *out, const sc_ask *ask, sc_ask_size *size, const char *heading,
                        const sc_text_options *options)
{
  sc_flat flat;
  sc_table *table = sc_table_new("lrrl");
  const char *const headings[] = {heading, "count", "95% interval", "model"};
  int err = sc_flat_make(ask->judge, size->n, size->rows, size->row_count, SC_RANK_COUNT, &flat);
  for (size_t i = 0; i < 4; i++)
    sc_table_cell(table, headings[i]);
  for (size_t i = 0; err == 0 && i < flat.count && i < ask->top; i++)
    add_sizes_count(table, ask, &flat.rows[i]);
  if (err == 0) {
    fputc('\n', out);
    sc_table_fit_ends(table, 3, options->width - 2); /* formulas may be long; what matters most stands in front */
    err = finish_table(table, out, 0, options);
  } else
    sc_table_free(table);
  sc_flat_free(&flat);
  return err;
}

/* The other quantities of a function. */
static int print_sizes_values(FILE *out, const sc_ask *ask, const sc_ask_size *size, const sc_text_options *options)
{
  sc_table *table = sc_table_new("lrrr");
  const char *const headings[] = {"", "predicted", "95% interval", "supposed"};
  if (ask->quantity_count < 2) {
    sc_table_free(table);
    return 0;
  }
  for (size_t i = 0; i < 4; i++)
    sc_table_cell(table, i == 3 && !ask->supposed ? "" : headings[i]);
  for (size_t i = 0; i < ask->quantity_count; i++) {
    const sc_quantity *q = &ask->quantities[i];
    const sc_ask_value *value = &size->values[i];
    sc_table_cell(table, i                      ? q->metric
                         : are_sizes_timed(ask) ? "time, with all that is in it"
                                                : "cost, with all that is in it");
    sc_table_cell(table, sc_amount_estimate(q->kind, &value->predicted).s);
    sc_table_cell(table, sc_amount_interval(q->kind, &value->predicted).s);
    sc_table_cell(table, ask->supposed ? sc_amount_estimate(q->kind, &value->supposed).s : "");
  }
  fputc('\n', out);
  return finish_table(table, out, 0, options);
}

/* What callees are counted in: work has its unit in its cell. */
static const char *callee_counts(const sc_ask *ask, const sc_ask_neighbours *callees)
{
  size_t work = 0;
  for (size_t i = 0; i < callees->count; i++)
    work += sc_graph_at(ask->judge->loaded.graph, callees->rows[i].context)->kind == SC_LOCATION_WORK;
  return !work ? "calls" : work < callees->count ? "calls or work" : "work";
}

/* `apart`: executions have a column, as costs are something else. */
static void add_neighbour(sc_table *table, const sc_ask *ask, const sc_ask_size *size, const sc_ask_neighbour *row,
                          const char *counts, bool apart)
{
  bool told = strcmp(counts, sc_context_counts(ask->judge->loaded.graph, row->context)) == 0;
  sc_text count = told ? sc_format_count(row->count) : count_sizes_text(ask, row->context, row->count);
  sc_table_cell(table, row->title);
  sc_table_cell(table, row->counted ? count.s : "");
  if (apart)
    sc_table_cell(table, sc_format_count(row->executions.value).s);
  sc_table_cell(table, sc_format_estimate(&row->inclusive, unit_of_sizes(ask)).s);
  sc_table_cell(table, sc_format_interval(&row->inclusive, unit_of_sizes(ask)).s);
  sc_table_cell(table, size->total.value > 0 ? sc_format_percent(row->inclusive.value / size->total.value).s : "");
  sc_table_cell(table, sc_ask_order(ask, row->lead).s);
}

static void print_sizes_more(FILE *out, const sc_ask_neighbours *list)
{
  if (list->all > list->count)
    fprintf(out, "  and %s more (--top)\n", sc_format_count((double)(list->all - list->count)).s);
}

/* Ways to a function, or what it calls. */
static int print_neighbours(FILE *out, const sc_ask *ask, const sc_ask_size *size, const sc_ask_neighbours *list,
                            const char *heading, const char *counts, const sc_text_options *options)
{
  bool apart = sc_analysis_has_costs(ask->judge->loaded.analysis);
  sc_table *table = sc_table_new(apart ? "lrrrrrl" : "lrrrrl");
  const char *const headings[] = {
      heading,  counts, apart ? "executions" : NULL, are_sizes_timed(ask) ? "time" : "cost", "95% interval",
      "of all", "order"};
  for (size_t i = 0; i < 7; i++)
    if (headings[i])
      sc_table_cell(table, headings[i]);
  for (size_t i = 0; i < list->count; i++)
    add_neighbour(table, ask, size, &list->rows[i], counts, apart);
  fputc('\n', out);
  SC_TRY(finish_table(table, out, 0, options));
  print_sizes_more(out, list);
  return 0;
}

/* Work has its unit behind its name, as the table is wide: "strlen (bytes)". */
static void add_sizes_function(sc_table *table, const sc_ask *ask, const sc_ask_size *size, const sc_ask_neighbour *row)
{
  const sc_graph *graph = ask->judge->loaded.graph;
  sc_buf name = {0};
  sc_buf_puts(&name, row->title);
  if (sc_graph_at(graph, row->context)->kind == SC_LOCATION_WORK)
    sc_buf_printf(&name, " (%s)", sc_context_counts(graph, row->context));
  sc_table_cell(table, sc_buf_finish(&name) < 0 ? row->title : name.text);
  sc_buf_free(&name);
  sc_table_cell(table, row->counted ? sc_format_count(row->count).s : "");
  sc_table_cell(table, sc_format_estimate(&row->self, unit_of_sizes(ask)).s);
  sc_table_cell(table, sc_format_interval(&row->self, unit_of_sizes(ask)).s);
  sc_table_cell(table, sc_format_estimate(&row->inclusive, unit_of_sizes(ask)).s);
  sc_table_cell(table, size->total.value > 0 ? sc_format_percent(row->inclusive.value / size->total.value).s : "");
  sc_table_cell(table, sc_ask_order(ask, row->lead).s);
}

static int print_functions(FILE *out, const sc_ask *ask, const sc_ask_size *size, const sc_text_options *options)
{
  const sc_ask_neighbours *list = &size->functions;
  sc_table *table = sc_table_new("lrrrrrl");
  const char *const headings[] = {"function", callee_counts(ask, list), "self", "95% interval", "total", "of all",
                                  "order"};
  for (size_t i = 0; i < 7; i++)
    sc_table_cell(table, headings[i]);
  for (size_t i = 0; i < list->count; i++)
    add_sizes_function(table, ask, size, &list->rows[i]);
  fputc('\n', out);
  SC_TRY(finish_table(table, out, 0, options));
  print_sizes_more(out, list);
  return 0;
}

static void print_sizes_headline(FILE *out, const sc_ask *ask, const sc_ask_size *size, const sc_text_options *options)
{
  const sc_quantity *q = &ask->quantities[0];
  const sc_ask_value *value = &size->values[0];
  sc_buf text = {0};
  sc_buf_puts(&text, "At ");
  sc_judge_describe(ask->judge, size->n, &text);
  sc_buf_puts(&text, ": ");
  sc_quantity_phrase(q, sc_amount_estimate(q->kind, &value->predicted).s, &text);
  sc_buf_printf(&text, " (95%% interval: %s)", sc_amount_interval(q->kind, &value->predicted).s);
  if (q->costs && !q->whole && size->total.value > 0)
    sc_buf_printf(&text, ", %s of all", sc_format_percent(fmin(1, value->predicted.value / size->total.value)).s);
  if (ask->subject.kind == SC_SUBJECT_FUNCTION && ask->subject.places.count > 1)
    sc_buf_printf(&text, ", in %s", sc_format_plural(ask->subject.places.count, "context").s);
  fputs(options->style.bold, out);
  if (sc_buf_finish(&text) == 0)
    sc_format_wrap(out, text.text, 0, 2, options->width);
  fputs(options->style.off, out);
  sc_buf_free(&text);
  if (ask->supposed)
    fprintf(out, "  With what is supposed: %s (95%% interval: %s)\n", sc_amount_estimate(q->kind, &value->supposed).s,
            sc_amount_interval(q->kind, &value->supposed).s);
  sc_certainty_print(out, q, size->n, &value->certainty, options);
}

int sc_ask_print_size(FILE *out, const sc_ask *ask, sc_ask_size *size, const sc_text_options *options)
{
  print_sizes_headline(out, ask, size, options);
  if (ask->subject.kind == SC_SUBJECT_RESOURCE)
    return 0;
  SC_TRY(print_sizes_values(out, ask, size, options));
  if (ask->subject.kind == SC_SUBJECT_FUNCTION) {
    const char *counts = sc_context_counts(ask->judge->loaded.graph, ask->subject.places.contexts[0]);
    SC_TRY(print_neighbours(out, ask, size, &size->callers, "called in", counts, options));
    if (size->callees.count)
      SC_TRY(print_neighbours(out, ask, size, &size->callees, "callee", callee_counts(ask, &size->callees), options));
    return print_counts(out, ask, size, ask->subject.places.work ? "itself" : "itself and the loops in it", options);
  }
  if (ask->functions)
    return print_functions(out, ask, size, options);
  if (!ask->quantities[0].whole || ask->quantities[0].elapsed || ask->supposed)
    return 0;
  if (sc_analysis_has_costs(
          ask->judge->loaded.analysis)) /* else costs are the executions, which stand below with their models */
    SC_TRY(print_sizes_costs(out, ask, size, options));
  return print_counts(out, ask, size, "most executed", options);
}
