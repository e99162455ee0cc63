/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verify's tables: what was predicted for a size beside what it was. */
#include <math.h>
#include <string.h>

#include "runner/judge/held_out.h"
#include "runner/report/elapsed.h"
#include "runner/report/held_out.h"
#include "runner/report/plain.h"
#include "runner/report/text.h"
#include "runner/report/untold.h"
#include "runner/resources/compare.h"
#include "runner/text/format.h"
#include "runner/text/table.h"

static void add_compared_row(sc_table *table, const char *name, sc_text predicted, const sc_interval *interval,
                             const char *unit, sc_text actual, double value)
{
  sc_table_cell(table, name);
  sc_table_cell(table, predicted.s);
  sc_table_cell(table, sc_format_interval(interval, unit).s);
  sc_table_cell(table, actual.s);
  sc_table_cell(table, sc_format_error(interval->value, value).s);
  sc_table_cell(table, sc_format_within(interval, unit, value) ? "" : "outside");
}

static int add_compared_finding(sc_table *table, const sc_judge *judge, size_t index, double n)
{
  const sc_finding *f = &judge->findings.list[index];
  sc_interval predicted;
  double actual = 0;
  sc_buf name = {0};
  int err;
  sc_buf_printf(&name, "%zu. ", index + 1);
  sc_report_finding_title(judge, f, &name);
  SC_GOTO(sc_buf_finish(&name));
  SC_GOTO(sc_finding_count(judge->loaded.analysis, f, n, &predicted));
  if (sc_report_finding_actual(judge, f, n, &actual))
    add_compared_row(table, name.text, sc_format_number(round(predicted.value)), &predicted, "",
                     sc_format_number(actual), actual);
out:
  sc_buf_free(&name);
  return err;
}

static int print_errors(FILE *out, const sc_judge *judge, double n, const sc_text_options *options)
{
  sc_held_out errors;
  SC_TRY(sc_judge_count_errors(judge, n, &errors));
  if (!errors.contexts)
    return 0;
  sc_buf text = {0};
  sc_report_held_out_sentence(judge, &errors, &text);
  int err = sc_buf_finish(&text);
  if (err == 0) {
    fputs("  ", out);
    sc_format_wrap(out, text.text, 2, 2, options->width);
  }
  sc_buf_free(&text);
  return err;
}

/* Where the elapsed time is another than predicted: what it went to, as when others had the processors. */
static int print_elapsed_parts(FILE *out, const sc_judge *judge, double n, const sc_text_options *options)
{
  double actual;
  sc_interval predicted;
  sc_elapsed_parts parts;
  sc_buf where = {0}, note = {0};
  if (!sc_analysis_elapsed_known(judge->loaded.analysis) || !sc_judge_actual_elapsed(judge, n, &actual) ||
      !sc_judge_actual_parts(judge, n, &parts))
    return 0;
  SC_TRY(sc_analysis_elapsed(judge->loaded.analysis, n, &predicted));
  if (sc_format_within(&predicted, "s", actual))
    return 0;
  sc_judge_describe(judge, n, &where);
  sc_buf_puts(&where, ", as it ran,");
  int err = sc_buf_finish(&where);
  if (err == 0 && sc_report_elapsed_parts_note(&parts, where.text, &note) && (err = sc_buf_finish(&note)) == 0) {
    fputs("  ", out);
    sc_format_wrap(out, note.text, 2, 2, options->width);
  }
  sc_buf_free(&where);
  sc_buf_free(&note);
  return err;
}

int sc_report_compare_parts_print(FILE *out, const sc_judge *judge, double n, const sc_text_options *options)
{
  SC_TRY(print_elapsed_parts(out, judge, n, options));
  SC_TRY(print_errors(out, judge, n, options));
  sc_report_plain_print(out, judge, options);
  if (sc_report_untold_at(judge, n))
    sc_report_untold_print(out, judge, options);
  return sc_resource_compare_print(out, judge, n, options);
}

/* Counts first: they are exact or wrong, while times differ by the machine's mood, too. */
int sc_report_compare_print(FILE *out, const sc_judge *judge, double n, const sc_text_options *options)
{
  bool time = sc_analysis_timed(judge->loaded.analysis);
  const char *unit = time ? "s" : "";
  size_t shown = options->top ? options->top : 10;
  sc_interval total;
  double actual = 0;
  int err = 0;
  sc_table *table = sc_table_new("lrrrrl");
  const char *const headings[] = {"count or cost", "predicted", "95% interval", "actual", "error", ""};
  for (size_t i = 0; i < 6; i++)
    sc_table_cell(table, headings[i]);
  for (size_t i = 0; i < judge->findings.count && i < shown; i++)
    SC_GOTO(add_compared_finding(table, judge, i, n));
  if (sc_judge_actual_total(judge, n, &actual)) {
    SC_GOTO(sc_analysis_total(judge->loaded.analysis, n, &total));
    add_compared_row(table, time ? "processor time, total" : "cost, total", sc_format_cost(total.value, unit), &total,
                     unit, sc_format_cost(actual, unit), actual);
  }
  if (sc_analysis_elapsed_known(judge->loaded.analysis) && sc_judge_actual_elapsed(judge, n, &actual)) {
    SC_GOTO(sc_analysis_elapsed(judge->loaded.analysis, n, &total));
    add_compared_row(table, "elapsed time", sc_format_cost(total.value, "s"), &total, "s", sc_format_cost(actual, "s"),
                     actual);
  }
  sc_table_fit(table, 0, options->width - 2);
  fprintf(out, "%sPredicted and actual at %s = %s%s\n", options->style.bold, judge->loaded.workload->parameter,
          sc_format_number(n).s, options->style.off);
  SC_GOTO(sc_table_print(table, out, 2, options->style.dim, options->style.off));
  err = sc_report_compare_parts_print(out, judge, n, options);
out:
  sc_table_free(table);
  return err;
}
