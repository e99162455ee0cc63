/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/report/text.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "runner/accept/notice.h"
#include "runner/quantity/budget.h"
#include "runner/report/command.h"
#include "runner/report/coverage.h"
#include "runner/report/elapsed.h"
#include "runner/report/held_out.h"
#include "runner/report/json.h"
#include "runner/report/outcome.h"
#include "runner/report/plain.h"
#include "runner/report/processes.h"
#include "runner/report/untold.h"
#include "runner/resources/section.h"
#include "runner/several/several.h"
#include "runner/text/format.h"
#include "runner/text/operand.h"
#include "runner/text/outfile.h"
#include "runner/text/table.h"
#include "runner/text/text_stream.h"
#include "runner/text/tuning.h"
#include "transitions/model/elapsed.h"

static void print_report_text_title(FILE *out, const sc_judge *judge, const sc_text_options *options)
{
  const sc_workload *workload = judge->loaded.workload;
  const sc_analysis_options *asked = sc_analysis_get_options(judge->loaded.analysis);
  double low, high;
  sc_analysis_range(judge->loaded.analysis, &low, &high);
  const char *title = workload->title && *workload->title ? workload->title : workload->name;
  fputs(options->style.bold, out);
  sc_utf8_print(title && *title ? title : judge->study, out);
  fprintf(out, "%s\n", options->style.off);
  sc_buf text = {0}, unit = {0};
  sc_utf8_show(workload->unit ? workload->unit : "", &unit);
  if (sc_buf_finish(&unit) < 0)
    return; /* kept: the command fails */
  sc_buf_printf(&text, "Measured at %s = %s to %s%s%s: %s, %s.", workload->parameter, sc_format_number(low).s,
                sc_format_number(high).s, *unit.text ? " " : "", unit.text,
                sc_format_plural(sc_graph_size_count(judge->loaded.graph), "size").s,
                sc_format_plural(sc_graph_run_count(judge->loaded.graph), "run").s);
  for (size_t i = 0; i < asked->target_count; i++)
    sc_buf_printf(&text, "%s%s", i ? ", " : " Predicted: ", sc_format_number(asked->targets[i]).s);
  if (asked->target_count)
    sc_buf_puts(&text, ".");
  if (workload->other_count) {
    sc_buf_puts(&text, " ");
    sc_several_note(judge, &text);
    sc_buf_puts(&text, judge->several ? "." : "; for others: ");
    if (!judge->several)
      sc_workload_example(workload, &text);
  }
  for (size_t i = 0; i < asked->root_count; i++) {
    sc_buf_puts(&text, i ? ", " : " Restricted to what runs below ");
    sc_utf8_show(asked->roots[i], &text);
  }
  if (sc_buf_finish(&text) == 0)
    sc_format_wrap(out, text.text, 0, 0, options->width);
  sc_buf_free(&text);
  sc_buf_free(&unit);
}

/* Worth a full entry: superlinear, or a noticeable share of the cost at some target. */
static bool report_text_matters(const sc_judge *judge, const sc_finding *f)
{
  const sc_analysis_options *asked = sc_analysis_get_options(judge->loaded.analysis);
  bool small = asked->target_count > 0;
  for (size_t i = 0; i < asked->target_count; i++)
    small &= f->predictions[i].share < SC_REPORT_SMALL;
  return !small || f->superlinear;
}

/* " (2 accepted)" */
static sc_text count_accepted(const sc_judge *judge, const sc_text_options *options)
{
  sc_text text = {""};
  size_t accepted = 0;
  for (size_t i = 0; i < judge->findings.count - judge->findings.linear; i++)
    accepted += sc_notices_accepted(options->notices, &judge->findings.list[i]) != NULL;
  if (accepted)
    snprintf(text.s, sizeof text.s, " (%zu accepted)", accepted);
  return text;
}

/* Those that are linear, or the others. Accepted ones stand behind all others. */
static int print_report_text_each(FILE *out, const sc_judge *judge, const sc_text_options *options, bool linear,
                                  size_t *shown)
{
  size_t top = options->top ? options->top : options->brief ? SC_TOP_BRIEF : SC_TOP;
  sc_text_options one = *options;
  one.brief = options->brief || (linear && !options->all && !options->details);
  for (int accepted = 0; accepted < 2; accepted++)
    for (size_t i = 0; i < judge->findings.count; i++) {
      const sc_finding *f = &judge->findings.list[i];
      if (f->linear != linear || (sc_notices_accepted(options->notices, f) != NULL) != accepted)
        continue;
      if (!options->all && (*shown >= top || !report_text_matters(judge, f)))
        continue;
      if (!one.brief || *shown == 0)
        fputc('\n', out);
      SC_TRY(sc_report_finding_print(out, judge, i, &one));
      ++*shown;
    }
  return 0;
}

/* Where the rest of what findings have to say is. */
static void print_report_text_more(FILE *out, const sc_judge *judge, const sc_text_options *options)
{
  size_t resources = 0;
  if (judge->resources)
    sc_resources_findings(judge->resources, &resources);
  if (options->brief || options->details || judge->findings.count - judge->findings.linear + resources == 0)
    return;
  sc_buf text = {0};
  sc_buf_puts(&text, "In full, with what was counted and where: scale-run report");
  sc_report_print_command(out, judge, &text, " --details", options->width);
}

static void print_hidden(FILE *out, const sc_judge *judge, const sc_text_options *options, size_t count,
                         const char *what)
{
  sc_buf text = {0};
  sc_buf_printf(&text, "%s not shown here: scale-run report", sc_format_plural(count, what).s);
  sc_report_print_command(out, judge, &text, " --all", options->width);
}

/* What grows with the workload, as most programs do: place, cost and share. */
static int print_linear(FILE *out, const sc_judge *judge, const sc_text_options *options)
{
  size_t shown = 0, count = judge->findings.linear;
  if (!count || options->brief)
    return 0;
  fprintf(out, "\n%sLinear growth%s, in proportion to the workload: no findings\n", options->style.bold,
          options->style.off);
  SC_TRY(print_report_text_each(out, judge, options, true, &shown));
  if (shown == 0)
    fputs("  ", out);
  if (shown < count)
    print_hidden(out, judge, options, count - shown, "place");
  return 0;
}

int sc_report_negligible_print(FILE *out, const sc_judge *judge, const sc_text_options *options)
{
  size_t count = judge->findings.suppressed;
  if (!count)
    return 0;
  bool population = sc_analysis_get_options(judge->loaded.analysis)->population;
  fprintf(out, "\n%sNegligible growth%s, below 1%% of the total at every target%s: no findings\n", options->style.bold,
          options->style.off, population ? ", or a call for each of the load" : "");
  for (size_t i = 0; i < count; i++)
    SC_TRY(sc_report_finding_print_brief(out, judge, &judge->findings.negligible[i], options));
  return 0;
}

/* What costs next to nothing: how many places or, with --all, which. */
static int print_negligible(FILE *out, const sc_judge *judge, const sc_text_options *options)
{
  size_t count = judge->findings.suppressed;
  if (!count || options->brief)
    return 0;
  if (!options->all) {
    fprintf(out, "\n%s %s with the workload too, at a negligible cost", sc_format_plural(count, "more place").s,
            count == 1 ? "grows" : "grow");
    fprintf(out, " (--all lists %s).\n", count == 1 ? "it" : "them");
    return 0;
  }
  return sc_report_negligible_print(out, judge, options);
}

static int print_report_text_findings(FILE *out, const sc_judge *judge, const sc_text_options *options)
{
  size_t count = judge->findings.count - judge->findings.linear, shown = 0;
  if (!judge->findings.count && sc_analysis_untold(judge->loaded.analysis)->most) {
    fputs("\nNo finding can be made:\n", out);
    sc_report_untold_print(out, judge, options);
    return 0;
  }
  if (count)
    fprintf(out, "\n%s%s%s\n", sc_format_plural(count, "finding").s, count_accepted(judge, options).s,
            count > 1 ? ", worst first: how they grow and what they cost" : "");
  SC_TRY(sc_report_coverage_print(out, judge, options));
  SC_TRY(print_report_text_each(out, judge, options, false, &shown));
  if (shown && shown < count)
    fputc('\n', out);
  if (shown < count)
    print_hidden(out, judge, options, count - shown, "finding");
  SC_TRY(print_linear(out, judge, options));
  return print_negligible(out, judge, options);
}

/* A command can be copied however it is broken. */
static void print_remedy(FILE *out, const char *remedy, bool command, const sc_text_options *options)
{
  sc_buf shown = {0}, lines = {0};
  sc_utf8_show(remedy, &shown);
  int err = sc_buf_finish(&shown);
  if (err == 0 && command)
    sc_format_command(shown.text, options->width, &lines);
  if (err == 0 && !command)
    sc_format_wrap(out, shown.text, 0, 0, options->width);
  else if (sc_buf_finish(&lines) == 0)
    fprintf(out, "%s\n", lines.text);
  sc_buf_free(&shown);
  sc_buf_free(&lines);
}

/* The line that everything begins with, and what would decide where it leaves something open. */
static int print_outcome(FILE *out, const sc_judge *judge, const sc_text_options *options)
{
  sc_buf text = {0}, remedy = {0};
  sc_outcome outcome;
  SC_TRY(sc_outcome_of(judge, options->notices, &outcome));
  int err = sc_outcome_text(judge, &outcome, &text);
  sc_buf_puts(&text, ".");
  err = err ?: sc_buf_finish(&text);
  if (err == 0) {
    fputs(options->style.bold, out);
    sc_format_wrap(out, text.text, 0, 0, options->width);
    fputs(options->style.off, out);
    sc_outcome_add_remedy(judge, &outcome, &remedy);
    if (remedy.length && sc_buf_finish(&remedy) == 0)
      print_remedy(out, remedy.text, !outcome.chance, options);
    fputc('\n', out);
  }
  sc_buf_free(&text);
  sc_buf_free(&remedy);
  return err;
}

/* A number that the whole program has at every size. */
typedef struct whole {
  const char *unit;
  int (*predict)(const sc_analysis *analysis, double n, sc_interval *out);
  bool (*actual)(const sc_judge *judge, double n, double *value);
} whole;

static int add_whole(sc_table *table, const sc_judge *judge, const whole *what, double n)
{
  double low, high, actual = 0;
  sc_interval at;
  char beyond[72] = "";
  sc_analysis_range(judge->loaded.analysis, &low, &high);
  SC_TRY(what->predict(judge->loaded.analysis, n, &at));
  bool known = what->actual(judge, n, &actual);
  if (n > high)
    snprintf(beyond, sizeof beyond, "%s x", sc_format_count(n / high).s);
  sc_table_cell(table, sc_format_number(n).s);
  bool tells = sc_format_tells(&at, what->unit);
  sc_table_cell(table, tells ? sc_format_estimate(&at, what->unit).s : sc_format_unknown().s);
  sc_table_cell(table, tells ? sc_format_interval(&at, what->unit).s : sc_format_least(&at, what->unit).s);
  sc_table_cell(table, known ? sc_format_cost(actual, what->unit).s : "");
  sc_table_cell(table, known && tells ? sc_format_error(at.value, actual).s : "");
  sc_table_cell(table, beyond);
  return 0;
}

static int print_report_text_whole(FILE *out, const sc_judge *judge, const whole *what, const sc_text_options *options)
{
  const sc_analysis_options *asked = sc_analysis_get_options(judge->loaded.analysis);
  int err = 0;
  sc_table *table = sc_table_new("rrrrrr");
  const char *const headings[] = {
      judge->loaded.workload->parameter, "predicted", "95% interval", "actual", "error", "beyond measured"};
  for (size_t i = 0; i < 6; i++)
    sc_table_cell(table, headings[i]);
  for (size_t i = 0; i < asked->target_count; i++)
    if (options->terse < SC_TERSE_TARGETS || asked->targets[i] == sc_analysis_horizon(judge->loaded.analysis))
      SC_GOTO(add_whole(table, judge, what, asked->targets[i]));
  err = sc_table_print(table, out, 2, options->style.dim, options->style.off);
out:
  sc_table_free(table);
  return err;
}

static int print_report_text_total(FILE *out, const sc_judge *judge, const sc_text_options *options)
{
  bool time = sc_analysis_timed(judge->loaded.analysis);
  const whole total = {time ? "s" : "", sc_analysis_total, sc_judge_actual_total};
  if (!sc_analysis_get_options(judge->loaded.analysis)->target_count)
    return 0;
  fprintf(out, "\n%sTotal %s%s%s\n", options->style.bold, time ? "processor time" : "cost in ",
          time ? "" : sc_analysis_cost_unit(judge->loaded.analysis), options->style.off);
  SC_TRY(print_report_text_whole(out, judge, &total, options));
  if (judge->findings.count && sc_report_untold_at(judge, sc_analysis_horizon(judge->loaded.analysis)))
    sc_report_untold_print(out, judge, options);
  return 0;
}

static int print_report_text_elapsed(FILE *out, const sc_judge *judge, const sc_text_options *options)
{
  const sc_analysis_options *asked = sc_analysis_get_options(judge->loaded.analysis);
  static const whole elapsed = {"s", sc_analysis_elapsed, sc_judge_actual_elapsed};
  bool differs = false;
  sc_buf note = {0};
  if (!asked->target_count || !sc_analysis_elapsed_known(judge->loaded.analysis))
    return 0;
  for (size_t i = 0; i < asked->target_count; i++)
    differs |= sc_report_elapsed_differs(judge, asked->targets[i]);
  if (!differs) {
    fputs("  Elapsed time: within 10% of that.\n", out);
    return 0;
  }
  fprintf(out, "\n%sElapsed time%s\n", options->style.bold, options->style.off);
  SC_TRY(print_report_text_whole(out, judge, &elapsed, options));
  if (options->terse < SC_TERSE_NOTES &&
      sc_report_elapsed_note(judge, sc_analysis_horizon(judge->loaded.analysis), &note) && sc_buf_finish(&note) == 0) {
    fputs("  ", out);
    sc_format_wrap(out, note.text, 2, 2, options->width);
  }
  sc_buf_free(&note);
  return 0;
}

bool sc_report_may_verify(const sc_judge *judge, double n)
{
  const char *unit = sc_analysis_cost_unit(judge->loaded.analysis);
  double low, high, most = strcmp(unit, "s") == 0 ? SC_REPORT_SECONDS : SC_REPORT_EXECUTIONS;
  sc_interval total;
  sc_analysis_range(judge->loaded.analysis, &low, &high);
  if (judge->loaded.attached > 0)
    return false;
  return n > high && !sc_judge_was_run(judge, n) && sc_analysis_total(judge->loaded.analysis, n, &total) == 0 &&
         total.value <= most && sc_elapsed_expected(judge->loaded.analysis, n) <= SC_REPORT_SECONDS;
}

static void print_at(FILE *out, const sc_judge *judge, double n)
{
  sc_buf at = {0};
  sc_judge_describe_option(judge, n, &at);
  fprintf(out, " --at %s\n", sc_buf_finish(&at) == 0 ? at.text : "");
  sc_buf_free(&at);
}

/* To `verify` at n, or to `ask` where n is 0. */
static void print_question(FILE *out, const sc_judge *judge, double n)
{
  fprintf(out, "Next: scale-run %s", n ? "verify" : "ask");
  sc_operand_print_study(judge->study, out);
  if (n || !sc_analysis_get_options(judge->loaded.analysis)->target_count)
    print_at(out, judge, n ? n : sc_report_target(judge));
  else
    fprintf(out, " --limit %s\n",
            sc_analysis_timed(judge->loaded.analysis) ? "time=1s"
            : judge->loaded.entries                   ? "calls=1e9"
                                                      : "iterations=1e9");
}

static void print_report_text_next(FILE *out, const sc_judge *judge, const sc_text_options *options)
{
  const sc_analysis_options *asked = sc_analysis_get_options(judge->loaded.analysis);
  sc_buf again = {0};
  double n = 0;
  for (size_t i = 0; i < asked->target_count; i++)
    if (!n && sc_report_may_verify(judge, asked->targets[i]))
      n = asked->targets[i];
  if (options->brief) {
    sc_buf_puts(&again, "Next: scale-run report");
    sc_report_print_command(out, judge, &again, "", options->width);
  } else
    print_question(out, judge, n);
  sc_resource_section_print_next(out, judge);
}

static int print_report_text_report(FILE *out, const sc_judge *judge, const sc_text_options *options)
{
  SC_TRY(print_outcome(out, judge, options));
  print_report_text_title(out, judge, options);
  SC_TRY(print_report_text_findings(out, judge, options));
  SC_TRY(sc_resource_section_print(out, judge, options));
  SC_TRY(print_report_text_total(out, judge, options));
  SC_TRY(print_report_text_elapsed(out, judge, options));
  if (options->terse < SC_TERSE_NOTES) {
    sc_report_plain_print(out, judge, options);
    SC_TRY(sc_report_processes_print(out, judge, options));
  }
  SC_TRY(sc_report_held_out_print(out, judge, options));
  SC_TRY(sc_budget_print(out, judge, options));
  sc_report_caveats_print(out, judge, options);
  fputc('\n', out);
  print_report_text_more(out, judge, options);
  print_report_text_next(out, judge, options);
  return 0;
}

/* Whether the brief report, with the line above it where the command was typed, fits on a screen. */
static int fits_screen(const sc_judge *judge, const sc_text_options *options, bool *fits)
{
  sc_text_stream memory;
  size_t lines = 0;
  SC_TRY(sc_text_stream_open(&memory));
  int err = sc_text_stream_close(&memory, print_report_text_report(memory.stream, judge, options));
  for (size_t i = 0; err == 0 && i < memory.length; i++)
    lines += memory.text[i] == '\n';
  *fits = lines < SC_REPORT_SCREEN;
  free(memory.text);
  return err;
}

int sc_report_text_print(FILE *out, const sc_judge *judge, const sc_text_options *options)
{
  sc_text_options fitted = *options;
  bool fits = !options->brief;
  while (!fits && fitted.terse < SC_TERSE_TARGETS) {
    SC_TRY(fits_screen(judge, &fitted, &fits));
    fitted.terse += !fits;
  }
  return print_report_text_report(out, judge, &fitted);
}

int sc_report_print(const char *path, const sc_judge *judge, bool json, sc_text_options options)
{
  sc_outfile output;
  SC_TRY(sc_outfile_open(path, &output));
  options.width = sc_terminal_width(output.stream);
  options.style = sc_terminal_style(output.stream);
  int err = json ? sc_report_json_print(output.stream, judge, options.notices, options.all)
                 : sc_report_text_print(output.stream, judge, &options);
  return sc_outfile_close(&output, err);
}
