/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Answers for people. */
#include <math.h>
#include <string.h>

#include "runner/ask/flat.h"
#include "runner/points/internal.h"
#include "runner/report/elapsed.h"
#include "runner/text/context.h"
#include "runner/text/format.h"
#include "runner/text/table.h"
#include "runner/text/tuning.h"

static bool are_points_timed(const sc_several *s) { return sc_analysis_timed(s->judge->loaded.analysis); }

static const char *unit_of_points(const sc_several *s) { return are_points_timed(s) ? "s" : ""; }

/* A context's model with four significant digits. */
static void add_short_formula(const sc_several *s, uint32_t context, sc_buf *out)
{
  const sc_surface *model = sc_several_surface(s, context);
  if (!model)
    return;
  if (!sc_several_count_formula(s, context, false, out, NULL))
    sc_buf_printf(out, "cannot tell: %s", model->why);
  else if (model->ambiguous)
    sc_buf_puts(out, " (or another form: points do not tell)");
}

static void print_wrapped(FILE *out, sc_buf *text, const sc_text_options *options)
{
  fputs("  ", out);
  if (sc_buf_finish(text) == 0)
    sc_format_wrap(out, text->text, 2, 2, options->width);
  sc_buf_free(text);
}

/* How far it is from what was measured, in each parameter. */
static void print_reach(FILE *out, const sc_several *s, const sc_several_answer *a, const sc_text_options *options)
{
  sc_buf text = {0};
  for (size_t i = 0; i < s->parameters; i++) {
    sc_buf_printf(&text, "%s%s is ", i ? "; " : "", s->names[i]);
    if (a->beyond[i] > 1)
      sc_buf_printf(&text, "%.3g times the largest measured (%s)", a->beyond[i], sc_format_number(s->high[i]).s);
    else
      sc_buf_printf(&text, "%s those measured (%s to %s)", a->point.at[i] < s->low[i] ? "below" : "within",
                    sc_format_number(s->low[i]).s, sc_format_number(s->high[i]).s);
    if (i == 0 && s->high_varied < s->high[0] && a->beyond_varied > 1)
      sc_buf_printf(&text, ", %.3g times the largest at which %s varied (%s)", a->beyond_varied,
                    s->parameters > 2 ? "the others were" : "the other one was", sc_format_number(s->high_varied).s);
  }
  sc_buf_puts(&text, ".");
  print_wrapped(out, &text, options);
}

static void print_basis(FILE *out, const sc_several_answer *a, const sc_text_options *options)
{
  sc_buf text = {0};
  if (a->untold) {
    sc_buf_printf(&text, "%s undecided, with %s of the executions measured; ", sc_format_plural(a->untold, "context").s,
                  sc_format_percent(a->untold_share).s);
    sc_buf_puts(&text,
                isinf(a->executions.high) ? "so the total has no upper end." : "they count as their best guess.");
    print_wrapped(out, &text, options);
  }
}

/* "512 bytes": of work its unit, which no heading has. */
static sc_text count_points_text(const sc_several *s, uint32_t context, double count)
{
  sc_text text = sc_format_count(count), out;
  if (sc_graph_at(s->graph, context)->kind != SC_LOCATION_WORK)
    return text;
  snprintf(out.s, sizeof out.s, "%.40s %.16s", text.s, sc_context_counts(s->graph, context));
  return out;
}

/* Of several contexts the model of the one that makes most of them: "2 contexts, n threads". */
static void add_context_row(sc_table *table, const sc_several *s, const sc_several_answer *a, const sc_flat_row *row,
                            bool costs)
{
  sc_buf model = {0};
  if (row->contexts > 1)
    sc_buf_printf(&model, "%s%s", sc_format_plural(row->contexts, "context").s, row->counted ? ", " : "");
  if (row->counted)
    add_short_formula(s, row->context, &model);
  sc_table_cell(table, row->title);
  sc_table_cell(table, row->counted ? count_points_text(s, row->context, row->count).s : "");
  sc_table_cell(table, !costs ? sc_format_interval(&row->value, "").s : "");
  sc_table_cell(table, costs ? sc_format_estimate(&row->value, unit_of_points(s)).s : "");
  sc_table_cell(table, costs ? sc_format_interval(&row->value, unit_of_points(s)).s : "");
  sc_table_cell(table, costs ? sc_format_percent(row->value.value / a->cost.value).s : "");
  sc_table_cell(table, sc_buf_finish(&model) == 0 ? model.text : "?");
  sc_buf_free(&model);
}

static int print_points_text_table(FILE *out, const sc_several *s, const sc_several_answer *a, const sc_flat *flat,
                                   bool costs, const sc_text_options *options)
{
  size_t top = options->top ? options->top : 10;
  const char *const headings[] = {costs ? "most costly" : "most executed",
                                  "executed",
                                  costs ? "" : "95% interval",
                                  are_points_timed(s) ? "own time" : "own cost",
                                  "95% interval",
                                  "of all",
                                  "model"};
  sc_table *table = sc_table_new("lrrrrrl");
  for (size_t i = 0; i < 7; i++)
    sc_table_cell(table, !costs && i >= 3 && i <= 5 ? "" : headings[i]);
  for (size_t i = 0; i < flat->count && i < top; i++)
    if (costs || flat->rows[i].counted)
      add_context_row(table, s, a, &flat->rows[i], costs);
  fputc('\n', out);
  sc_table_fit_ends(table, 6, options->width - 2);
  sc_table_fit(table, 0, options->width - 2);
  int err = sc_table_print_within(table, out, 2, 1, options->width, options->style.dim, options->style.off);
  sc_table_free(table);
  return err;
}

static int print_points_text_rows(FILE *out, const sc_several *s, sc_several_answer *a, const sc_judge *there,
                                  bool costs, const sc_text_options *options)
{
  sc_flat flat;
  int err = sc_flat_make(there, a->point.at[0], a->rows, a->row_count, costs ? SC_RANK_COST : SC_RANK_COUNT, &flat);
  if (err == 0 && flat.count)
    err = print_points_text_table(out, s, a, &flat, costs, options);
  sc_flat_free(&flat);
  return err;
}

/* A number of its own where it differs from processor time. */
static void add_points_text_elapsed(const sc_several *s, const sc_several_answer *a, sc_buf *text)
{
  if (a->timed &&
      !(a->costs && are_points_timed(s) && fabs(a->elapsed.value - a->cost.value) <= SC_REPORT_SAME * a->elapsed.value))
    sc_buf_printf(text, ", %s of elapsed time (%s)", sc_format_estimate(&a->elapsed, "s").s,
                  sc_format_interval(&a->elapsed, "s").s);
}

static void print_waits(FILE *out, const sc_several *s, const sc_several_answer *a, const sc_text_options *options)
{
  sc_buf where = {0}, text = {0};
  sc_several_describe(s, &a->point, &where);
  if (a->timed && sc_buf_finish(&where) == 0 && sc_report_elapsed_parts_note(&a->parts, where.text, &text))
    print_wrapped(out, &text, options);
  sc_buf_free(&where);
  sc_buf_free(&text);
}

int sc_several_print(FILE *out, const sc_several *s, sc_several_answer *a, const sc_text_options *options)
{
  sc_buf text = {0};
  sc_buf_puts(&text, "At ");
  sc_several_describe(s, &a->point, &text);
  sc_buf_printf(&text, ": %s executions (95%% interval: %s)", sc_format_count(a->executions.value).s,
                sc_format_interval(&a->executions, "").s);
  if (a->costs)
    sc_buf_printf(&text, ", %s of %s (%s)", sc_format_cost(a->cost.value, unit_of_points(s)).s,
                  are_points_timed(s) ? "processor time" : sc_analysis_cost_unit(s->judge->loaded.analysis),
                  sc_format_interval(&a->cost, unit_of_points(s)).s);
  add_points_text_elapsed(s, a, &text);
  fputs(options->style.bold, out);
  if (sc_buf_finish(&text) == 0)
    sc_format_wrap(out, text.text, 0, 2, options->width);
  fputs(options->style.off, out);
  sc_buf_free(&text);
  print_waits(out, s, a, options);
  print_reach(out, s, a, options);
  print_basis(out, a, options);
  if (!sc_workload_is_base(s->judge->loaded.workload, a->point.at + 1))
    SC_TRY(sc_several_print_prices(out, s, options));
  sc_judge there;
  SC_TRY(sc_several_place(s, a->point.at + 1, &there));
  int err = a->costs && a->cost.value > 0 ? print_points_text_rows(out, s, a, &there, true, options) : 0;
  err = err ?: print_points_text_rows(out, s, a, &there, false, options);
  sc_several_leave(&there);
  return err;
}
