/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Answers to --suppose as text. */
#include <math.h>
#include <string.h>

#include "runner/ask/supposing.h"
#include "runner/text/context.h"
#include "runner/text/table.h"

enum { PLACES = 5 };

static bool is_supposing_timed(const sc_supposing *s) { return sc_analysis_timed(s->judge->loaded.analysis); }

static void print_supposed_place(FILE *out, const sc_supposing *s, const sc_supposing_item *item,
                                 const sc_supposing_place *place, const sc_text_options *options)
{
  const sc_analysis *analysis = s->judge->loaded.analysis;
  const sc_graph *graph = s->judge->loaded.graph;
  const char *variable = s->judge->loaded.workload->parameter;
  const sc_model *model = sc_analysis_model(analysis, place->context);
  double low, high;
  sc_buf text = {0}, formula = {0};
  sc_analysis_range(analysis, &low, &high);
  sc_context_title(graph, place->context, &text);
  sc_buf_puts(&text, ": ");
  if (model->verdict == SC_VERDICT_MODEL)
    sc_context_formula(model, variable, &formula);
  else
    sc_buf_puts(&formula, "no model of its");
  if (sc_buf_finish(&formula) == 0) {
    const char *counts = sc_context_counts(graph, place->context);
    bool one = strcmp(formula.text, "1") == 0;
    sc_buf_printf(&text, "%s %.*s, supposed %s", formula.text, (int)(strlen(counts) - one), counts, item->what);
  }
  sc_buf_free(&formula);
  if (!strstr(item->what, "times"))
    sc_buf_printf(&text, " from the %s at %s = %s on", sc_format_count(place->anchor_count).s, variable,
                  sc_format_number(low).s);
  if (sc_buf_finish(&text) == 0) {
    fputs("  ", out);
    sc_format_wrap(out, text.text, 2, 4, options->width);
  }
  sc_buf_free(&text);
}

static void print_item(FILE *out, const sc_supposing *s, const sc_supposing_item *item, const sc_text_options *options)
{
  fprintf(out, "%sSuppose %s%s\n", options->style.bold, item->text, options->style.off);
  for (size_t i = 0; i < item->place_count && i < PLACES; i++)
    print_supposed_place(out, s, item, &item->places[i], options);
  if (item->place_count > PLACES)
    fprintf(out, "  and %s\n", sc_format_plural(item->place_count - PLACES, "more place").s);
}

static sc_text supposed_share(const sc_interval *part, const sc_interval *whole)
{
  return sc_format_percent(whole->value > 0 ? fmin(1, part->value / whole->value) : 0);
}

/* "saves 87%", "costs 3.2 times as much". */
static sc_text change_supposed(const sc_supposing_size *size)
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

enum { BEFORE_INTERVAL = 2, OF_IT_BEFORE = 6, COLUMNS = 8 };

/* Row 0 is the heading. */
static void make_row(const sc_supposing *s, size_t row, sc_text cells[COLUMNS])
{
  const char *const headings[COLUMNS] = {s->judge->loaded.workload->parameter,
                                         "before",
                                         "95% interval",
                                         "after",
                                         "95% interval",
                                         "change",
                                         "of it before",
                                         "after"};
  const char *unit = is_supposing_timed(s) ? "s" : "";
  if (row == 0) {
    for (size_t i = 0; i < COLUMNS; i++)
      snprintf(cells[i].s, sizeof cells[i].s, "%.60s", headings[i]);
    return;
  }
  const sc_supposing_size *size = &s->sizes[row - 1];
  cells[0] = sc_format_number(size->n);
  cells[1] = sc_format_estimate(&size->before, unit);
  cells[2] = sc_format_interval(&size->before, unit);
  cells[3] = sc_format_estimate(&size->after, unit);
  cells[4] = sc_format_interval(&size->after, unit);
  cells[5] = change_supposed(size);
  cells[6] = supposed_share(&size->part_before, &size->before);
  cells[7] = supposed_share(&size->part_after, &size->after);
}

static int table_width(const sc_supposing *s, const bool shown[COLUMNS])
{
  int width = 0;
  sc_text cells[COLUMNS];
  for (size_t column = 0; column < COLUMNS; column++) {
    int most = 0;
    for (size_t row = 0; shown[column] && row <= s->size_count; row++) {
      make_row(s, row, cells);
      most = sc_format_columns(cells[column].s) > most ? sc_format_columns(cells[column].s) : most;
    }
    width += shown[column] ? most + 2 : 0;
  }
  return width;
}

/* What was before is known from elsewhere: its interval gives way first, then the shares. */
static int print_sizes(FILE *out, const sc_supposing *s, const sc_text_options *options)
{
  bool shown[COLUMNS] = {true, true, true, true, true, true, true, true};
  sc_text cells[COLUMNS];
  bool open = s->size_count && isinf(s->sizes[s->size_count - 1].before.high);
  if (!open) /* which is worth more than shares */
    shown[BEFORE_INTERVAL] = table_width(s, shown) <= options->width;
  shown[OF_IT_BEFORE] = shown[OF_IT_BEFORE + 1] = table_width(s, shown) <= options->width;
  shown[BEFORE_INTERVAL] = table_width(s, shown) <= options->width;
  sc_table *table = sc_table_new("rrrrrrrr");
  for (size_t row = 0; row <= s->size_count; row++) {
    make_row(s, row, cells);
    for (size_t i = 0; i < COLUMNS; i++)
      sc_table_cell(table, shown[i] ? cells[i].s : "");
  }
  fprintf(out, "\n%sTotal %s%s%s\n", options->style.bold, is_supposing_timed(s) ? "processor time" : "cost in ",
          is_supposing_timed(s) ? "" : sc_analysis_cost_unit(s->judge->loaded.analysis), options->style.off);
  int err = sc_table_print(table, out, 2, options->style.dim, options->style.off);
  sc_table_free(table);
  return err;
}

static void print_worst(FILE *out, const sc_supposing *s, const sc_text_options *options)
{
  const sc_supposing_worst *w = &s->worst;
  sc_buf text = {0};
  if (!s->has_worst)
    return;
  sc_buf_printf(&text, "Then the worst finding at %s = %s: ", s->judge->loaded.workload->parameter,
                sc_format_number(w->n).s);
  sc_report_finding_title(s->judge, w->finding, &text);
  sc_buf_printf(&text, ", %s, %s, %s of the total", w->order,
                sc_format_cost(w->cost, is_supposing_timed(s) ? "s" : "").s, sc_format_percent(fmin(1, w->share)).s);
  if (sc_buf_finish(&text) == 0)
    sc_format_wrap(out, text.text, 0, 2, options->width);
  sc_buf_free(&text);
}

int sc_supposing_print(FILE *out, const sc_supposing *supposing, const sc_text_options *options)
{
  for (size_t i = 0; i < supposing->item_count; i++)
    print_item(out, supposing, &supposing->items[i], options);
  SC_TRY(print_sizes(out, supposing, options));
  print_worst(out, supposing, options);
  return 0;
}
