/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "runner/ask/supposing.h"
#include "runner/context.h"
#include "runner/table.h"

enum { PLACES = 5, NARROW = 96 };

static bool is_time(const sc_supposing *s)
{
  return strcmp(sc_analysis_cost_unit(s->judge->loaded.analysis), "s") == 0;
}

static void print_place(FILE *out, const sc_supposing *s, const sc_supposing_item *item,
                        const sc_supposing_place *place, const sc_report_text_options *options)
{
  const sc_analysis *analysis = s->judge->loaded.analysis;
  const sc_graph *graph = s->judge->loaded.graph;
  const char *variable = s->judge->loaded.workload->parameter;
  const sc_model *model = sc_analysis_model(analysis, place->context);
  double low, high;
  sc_buf text = {0};
  sc_analysis_range(analysis, &low, &high);
  sc_context_title(graph, place->context, &text);
  sc_buf_puts(&text, ": ");
  if (model->verdict == SC_VERDICT_MODEL)
    sc_context_formula(model, variable, &text);
  else
    sc_buf_puts(&text, "no model of its");
  sc_buf_printf(&text, " %s, supposed %s", sc_context_counts(graph, place->context), item->what);
  if (!strstr(item->what, "times"))
    sc_buf_printf(&text, " from the %s at %s = %s on", sc_format_count(place->anchor_count).s, variable,
                  sc_format_number(low).s);
  if (sc_buf_finish(&text) == 0) {
    fputs("  ", out);
    sc_format_wrap(out, text.text, 2, 4, options->width);
  }
  sc_buf_free(&text);
}

static void print_item(FILE *out, const sc_supposing *s, const sc_supposing_item *item,
                       const sc_report_text_options *options)
{
  fprintf(out, "%sSuppose %s%s\n", options->style.bold, item->text, options->style.off);
  for (size_t i = 0; i < item->place_count && i < PLACES; i++)
    print_place(out, s, item, &item->places[i], options);
  if (item->place_count > PLACES)
    fprintf(out, "  and %s\n", sc_format_plural(item->place_count - PLACES, "more place").s);
}

static sc_text share(const sc_interval *part, const sc_interval *whole)
{
  return sc_format_percent(whole->value > 0 ? fmin(1, part->value / whole->value) : 0);
}

/* "saves 87%", "costs 3.2 times as much". */
static sc_text change(const sc_supposing_size *size)
{
  double ratio = size->before.value > 0 ? size->after.value / size->before.value : 1;
  sc_text out;
  if (ratio <= 1)
    snprintf(out.s, sizeof out.s, "-%.50s", sc_format_percent(1 - ratio).s);
  else if (ratio < 2)
    snprintf(out.s, sizeof out.s, "+%.50s", sc_format_percent(ratio - 1).s);
  else
    snprintf(out.s, sizeof out.s, "%.50s x", sc_format_count(ratio).s);
  return out;
}

static int print_sizes(FILE *out, const sc_supposing *s, const sc_report_text_options *options)
{
  const char *unit = is_time(s) ? "s" : "";
  bool narrow = options->width < NARROW;
  const char *const headings[] = {s->judge->loaded.workload->parameter,
                                  "before",
                                  narrow ? "" : "95% interval",
                                  "after",
                                  "95% interval",
                                  "change",
                                  "of it before",
                                  "after"};
  sc_table *table = sc_table_new("rrrrrrrr");
  for (size_t i = 0; i < 8; i++)
    sc_table_cell(table, headings[i]);
  for (size_t i = 0; i < s->size_count; i++) {
    const sc_supposing_size *size = &s->sizes[i];
    sc_table_cell(table, sc_format_number(size->n).s);
    sc_table_cell(table, sc_format_estimate(&size->before, unit).s);
    sc_table_cell(table, narrow ? "" : sc_format_interval(&size->before, unit).s);
    sc_table_cell(table, sc_format_estimate(&size->after, unit).s);
    sc_table_cell(table, sc_format_interval(&size->after, unit).s);
    sc_table_cell(table, change(size).s);
    sc_table_cell(table, share(&size->part_before, &size->before).s);
    sc_table_cell(table, share(&size->part_after, &size->after).s);
  }
  fprintf(out, "\n%sTotal %s%s%s\n", options->style.bold, is_time(s) ? "processor time" : "cost in ",
          is_time(s) ? "" : sc_analysis_cost_unit(s->judge->loaded.analysis), options->style.off);
  int err = sc_table_print(table, out, 2, options->style.dim, options->style.off);
  sc_table_free(table);
  return err;
}

static void print_worst(FILE *out, const sc_supposing *s, const sc_report_text_options *options)
{
  const sc_supposing_worst *w = &s->worst;
  sc_buf text = {0};
  if (!s->has_worst)
    return;
  sc_buf_printf(&text, "Then the worst finding at %s = %s: ", s->judge->loaded.workload->parameter,
                sc_format_number(w->n).s);
  sc_context_title(s->judge->loaded.graph, w->context, &text);
  sc_buf_printf(&text, ", %s, %s, %s of the total", w->order, sc_format_cost(w->cost, is_time(s) ? "s" : "").s,
                sc_format_percent(fmin(1, w->share)).s);
  if (sc_buf_finish(&text) == 0)
    sc_format_wrap(out, text.text, 0, 2, options->width);
  sc_buf_free(&text);
}

int sc_supposing_print(FILE *out, const sc_supposing *supposing, const sc_report_text_options *options)
{
  for (size_t i = 0; i < supposing->item_count; i++)
    print_item(out, supposing, &supposing->items[i], options);
  SC_TRY(print_sizes(out, supposing, options));
  print_worst(out, supposing, options);
  return 0;
}
