/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "runner/ask/ask.h"
#include "runner/context.h"
#include "runner/format.h"
#include "runner/report_untold.h"
#include "runner/table.h"

static bool is_time(const sc_ask *ask) { return strcmp(ask->unit, "s") == 0; }

static const char *variable_of(const sc_ask *ask) { return ask->judge->loaded.workload->parameter; }

static void add_row(sc_table *table, const sc_ask *ask, const sc_rank_row *row, const sc_ask_size *size)
{
  const sc_analysis *analysis = ask->judge->loaded.analysis;
  const char *unit = is_time(ask) ? "s" : "";
  char order[64] = "";
  sc_buf name = {0};
  sc_context_title(sc_analysis_graph(analysis), row->context, &name);
  if (row->counted)
    sc_model_format_order(&sc_analysis_model(analysis, row->context)->order, variable_of(ask), order, sizeof order);
  sc_table_cell(table, sc_buf_finish(&name) == 0 ? name.text : "?");
  sc_table_cell(table, sc_format_cost(row->cost.value, unit).s);
  sc_table_cell(table, sc_format_interval(&row->cost, unit).s);
  sc_table_cell(table, size->total.value > 0 ? sc_format_percent(row->cost.value / size->total.value).s : "");
  sc_table_cell(table, row->counted ? sc_format_count(row->count.value).s : "");
  sc_table_cell(table, order);
  sc_buf_free(&name);
}

static int print_costs(FILE *out, const sc_ask *ask, const sc_ask_size *size, const sc_report_text_options *options)
{
  sc_table *table = sc_table_new("lrrrrl");
  const char *const headings[] = {"own cost of", is_time(ask) ? "time" : "cost", "95% interval", "of all", "executed",
                                  "order"};
  for (size_t i = 0; i < 6; i++)
    sc_table_cell(table, headings[i]);
  for (size_t i = 0; i < size->row_count && i < ask->top && size->rows[i].cost.value > 0; i++)
    add_row(table, ask, &size->rows[i], size);
  sc_table_fit(table, 0, options->width - 2);
  int err = sc_table_print(table, out, 2, options->style.dim, options->style.off);
  sc_table_free(table);
  return err;
}

static int print_counts(FILE *out, const sc_ask *ask, const sc_ask_size *size, const sc_report_text_options *options)
{
  const sc_analysis *analysis = ask->judge->loaded.analysis;
  sc_table *table = sc_table_new("lrrl");
  const char *const headings[] = {"most executed", "count", "95% interval", "model"};
  for (size_t i = 0; i < 4; i++)
    sc_table_cell(table, headings[i]);
  for (size_t i = 0; i < size->row_count && i < ask->top && size->rows[i].counted; i++) {
    const sc_rank_row *row = &size->rows[i];
    sc_buf name = {0}, model = {0};
    sc_context_title(sc_analysis_graph(analysis), row->context, &name);
    sc_context_formula(sc_analysis_model(analysis, row->context), variable_of(ask), &model);
    sc_table_cell(table, sc_buf_finish(&name) == 0 ? name.text : "?");
    sc_table_cell(table, sc_format_count(row->count.value).s);
    sc_table_cell(table, sc_format_interval(&row->count, "").s);
    sc_table_cell(table, sc_buf_finish(&model) == 0 ? model.text : "?");
    sc_buf_free(&model);
    sc_buf_free(&name);
  }
  sc_table_fit(table, 0, options->width - 2);
  int err = sc_table_print(table, out, 2, options->style.dim, options->style.off);
  sc_table_free(table);
  return err;
}

/* How far this is from what was measured, and what that means. */
static void print_distance(FILE *out, const sc_ask *ask, double n, const sc_report_text_options *options)
{
  sc_buf text = {0};
  sc_text low = sc_format_number(ask->n_min), high = sc_format_number(ask->n_max);
  const char *v = variable_of(ask);
  if (n < ask->n_min)
    sc_buf_printf(&text,
                  "Warning: below the sizes measured (%s = %s to %s), where constant parts weigh more than the "
                  "models know. A lower range (-P or <range>) helps.",
                  v, low.s, high.s);
  else if (n <= ask->n_max)
    sc_buf_printf(&text, "Within the sizes measured (%s = %s to %s).", v, low.s, high.s);
  else
    sc_buf_printf(&text, "%s times the largest size measured (%s)%s", sc_format_count(n / ask->n_max).s, high.s,
                  n <= ask->n_max * 10
                      ? "."
                      : ": this holds if the program goes on as it did. What only begins above that size was not seen; "
                        "a wider range (-P or <range>) says more.");
  if (sc_buf_finish(&text) == 0) {
    fputs("  ", out);
    sc_format_wrap(out, text.text, 2, 2, options->width);
  }
  sc_buf_free(&text);
}

static int print_size(FILE *out, const sc_ask *ask, sc_ask_size *size, const sc_report_text_options *options)
{
  fprintf(out, "%sAt %s = %s: %s%s%s (95%% interval: %s)\n", options->style.bold, variable_of(ask),
          sc_format_number(size->n).s, sc_format_estimate(&size->total, ask->unit).s,
          is_time(ask) ? " of processor time" : "", options->style.off, sc_format_interval(&size->total, ask->unit).s);
  print_distance(out, ask, size->n, options);
  if (sc_report_untold_at(ask->judge, size->n))
    sc_report_untold_print(out, ask->judge, options);
  fputc('\n', out);
  sc_rank_sort(size->rows, size->row_count, SC_RANK_COST);
  SC_TRY(print_costs(out, ask, size, options));
  fputc('\n', out);
  sc_rank_sort(size->rows, size->row_count, SC_RANK_COUNT);
  return print_counts(out, ask, size, options);
}

static void print_limit(FILE *out, const sc_ask *ask, const sc_report_text_options *options)
{
  const sc_ask_limit *limit = ask->limit;
  sc_text amount = sc_format_cost(limit->limit, ask->unit);
  const char *v = variable_of(ask), *what = is_time(ask) ? " of processor time" : "";
  if (limit->at_smallest.value >= limit->limit) {
    fprintf(out, "%s%s%s is exceeded at %s = %s already, the smallest size measured%s (%s there)\n",
            options->style.bold, amount.s, what, v, sc_format_number(limit->smallest).s, options->style.off,
            sc_format_cost(limit->at_smallest.value, ask->unit).s);
    return;
  }
  if (sc_analysis_untold(ask->judge->loaded.analysis)->unbounded && !(limit->n.value <= ask->n_max)) {
    fprintf(out, "%sCannot tell when %s%s is reached%s\n", options->style.bold, amount.s, what, options->style.off);
    sc_report_untold_print(out, ask->judge, options);
    return;
  }
  if (!isfinite(limit->n.value)) {
    fprintf(out, "%s%s%s is never reached%s by the predicted total", options->style.bold, amount.s, what,
            options->style.off);
    if (isfinite(limit->n.low))
      fprintf(out, "; at its upper bound from %s = %s on", v, sc_format_number(round(limit->n.low)).s);
    fputc('\n', out);
    return;
  }
  fprintf(out, "%s%s%s is reached at %s = %s%s (95%% interval: %s", options->style.bold, amount.s, what, v,
          sc_format_number(round(limit->n.value)).s, options->style.off, sc_format_number(round(limit->n.low)).s);
  if (isfinite(limit->n.high))
    fprintf(out, " to %s)\n", sc_format_number(round(limit->n.high)).s);
  else
    fputs(" to never)\n", out);
  print_distance(out, ask, limit->n.value, options);
}

int sc_ask_print_text(FILE *out, sc_ask *ask, const sc_report_text_options *options)
{
  const char *study = ask->judge->study;
  bool other = strcmp(study, "scale.db") != 0;
  for (size_t i = 0; i < ask->size_count; i++) {
    if (i)
      fputc('\n', out);
    SC_TRY(print_size(out, ask, &ask->sizes[i], options));
  }
  if (ask->limit) {
    if (ask->size_count)
      fputc('\n', out);
    print_limit(out, ask, options);
  }
  fprintf(out, "\nNext: ");
  if (ask->size_count && ask->sizes[0].n > ask->n_max)
    fprintf(out, "scale-run verify%s%s --at %s=%.12g\n", other ? " " : "", other ? study : "", variable_of(ask),
            ask->sizes[0].n);
  else
    fprintf(out, "scale-run report%s%s\n", other ? " " : "", other ? study : "");
  return 0;
}
