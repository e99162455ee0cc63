/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One comment for a code review: the verdict, a table of what changed, details folded. */
#include <stdlib.h>
#include <string.h>

#include "runner/report/elapsed.h"
#include "runner/review/review.h"
#include "runner/review/words.h"

enum { ROWS = 50, DETAILS = 20, PLACES = 12 }; /* a comment has at most 65,536 characters on GitHub */

static void escape_markdown(FILE *out, const char *text)
{
  sc_buf escaped = {0};
  sc_notice_markdown(text, &escaped);
  if (escaped.length && sc_buf_finish(&escaped) == 0)
    fputs(escaped.text, out);
  sc_buf_free(&escaped);
}

/* In a table a code span needs its pipes escaped, and one more backtick at its ends than its text has in a row. */
static void markdown_code(FILE *out, const char *text)
{
  size_t most = 0, run = 0;
  for (const char *at = text; *at; at++) {
    run = *at == '`' ? run + 1 : 0;
    most = run > most ? run : most;
  }
  for (size_t i = 0; i <= most; i++)
    fputc('`', out);
  if (most)
    fputc(' ', out);
  for (const char *at = text; *at; at++)
    fprintf(out, *at == '|' ? "\\|" : "%c", *at);
  if (most)
    fputc(' ', out);
  for (size_t i = 0; i <= most; i++)
    fputc('`', out);
}

static int print_markdown_where(FILE *out, const sc_notice *notice)
{
  char *place = sc_notice_place(notice->file, notice->line, 0);
  if (!place)
    return SC_E_NOMEM;
  markdown_code(out, *notice->subject ? notice->subject : "?");
  escape_markdown(out, notice->caller ? notice->caller : "");
  if (*place) {
    fputs("<br>", out);
    escape_markdown(out, place);
  }
  free(place);
  return 0;
}

static void print_figures(FILE *out, const sc_notices *notices, const sc_notice *notice)
{
  const sc_notice_prediction *last = sc_notice_last(notice);
  if (!last)
    return;
  escape_markdown(out, notice->metric);
  fputs(": ", out);
  if (last->has_before)
    escape_markdown(out, sc_notice_value(notice->unit, last->before.value).s);
  if (notices->comparison && notice->rule != SC_RULE_BUDGET)
    fputs(last->has_before ? " → " : "none → ", out);
  escape_markdown(out, last->has_after ? sc_notice_value(notice->unit, last->after.value).s : "none");
  if (!last->has_cost)
    return;
  bool time = sc_analysis_timed(notices->judge->loaded.analysis);
  fprintf(out, ", %s", sc_format_cost_share(&last->cost, time ? "s" : NULL, last->share, " of all").s);
  if (notice->parameter)
    fprintf(out, " at %s = %s", notice->parameter, sc_format_number(notice->parameter_at).s);
}

static void print_reached(FILE *out, const sc_notice_inputs *inputs)
{
  sc_buf text = {0};
  sc_notice_reached(&inputs->reached[0], &text);
  if (text.length && sc_buf_finish(&text) == 0)
    escape_markdown(out, text.text);
  else
    fputs("–", out);
  sc_buf_free(&text);
}

static void print_markdown_model(FILE *out, const char *model)
{
  if (model)
    markdown_code(out, model);
  else
    fputs("–", out);
}

static int print_markdown_row(FILE *out, const sc_notices *notices, const sc_notice *notice)
{
  static const char *const marks[] = {"", "⚠️ ", "❌ "};
  fprintf(out, "| %s", notice->rule == SC_RULE_BETTER ? "✅ " : marks[notice->severity]);
  escape_markdown(out, notice->title);
  fputs(" | ", out);
  SC_TRY(print_markdown_where(out, notice));
  fputs(" | ", out);
  if (notices->comparison) {
    print_markdown_model(out, notice->before);
    fputs(" | ", out);
  }
  print_markdown_model(out, notice->after);
  fputs(" | ", out);
  if (notice->inputs)
    print_reached(out, notice->inputs);
  else
    print_figures(out, notices, notice);
  fprintf(out, " | %s |\n", sc_text_confidence(notice->confidence));
  return 0;
}

/* "n = 1,000,000, threads = 64", of a notice (NULL: of the study) where its prediction is. */
static void markdown_size(FILE *out, const sc_notices *notices, const sc_notice *notice, double n)
{
  sc_buf text = {0};
  if (notice)
    sc_notice_point(notices, notice, n, &text);
  else
    sc_judge_describe(notices->judge, n, &text);
  if (sc_buf_finish(&text) == 0)
    escape_markdown(out, text.text);
  sc_buf_free(&text);
}

static void print_markdown_heading(FILE *out, const sc_notices *notices)
{
  double largest = 0;
  fprintf(out, "\n| | where | %s | ", notices->comparison ? "before | after" : "model");
  if (sc_notices_of_search(notices)) {
    fputs("takes 1 s at", out);
    return;
  }
  const sc_analysis_options *asked = sc_analysis_get_options(notices->judge->loaded.analysis);
  for (size_t i = 0; i < asked->target_count; i++)
    largest = asked->targets[i] > largest ? asked->targets[i] : largest;
  fputs("at ", out);
  markdown_size(out, notices, NULL, largest);
}

static int print_markdown_table(FILE *out, const sc_notices *notices)
{
  size_t open = notices->count - notices->accepted;
  if (!open)
    return 0;
  print_markdown_heading(out, notices);
  fprintf(out, " | confidence |\n|---|---|---|%s---|---|\n", notices->comparison ? "---|" : "");
  for (size_t i = 0; i < open && i < ROWS; i++) /* accepted ones stand behind them */
    SC_TRY(print_markdown_row(out, notices, &notices->list[i]));
  if (open > ROWS)
    fprintf(out, "\nThe first %d of %zu.\n", ROWS, open);
  return 0;
}

static void markdown_item(FILE *out, const char *label, const char *text)
{
  if (!text || !*text)
    return;
  fprintf(out, "- %s: ", label);
  escape_markdown(out, text);
  fputc('\n', out);
}

/* Of many places the worst, first: the steps end with it. */
static void print_markdown_places(FILE *out, const sc_notice *notice)
{
  size_t shown = notice->step_count < PLACES ? notice->step_count : PLACES;
  fputs("- Places: ", out);
  for (size_t i = 0; i < shown; i++) {
    fputs(i ? ", " : "", out);
    escape_markdown(out, notice->steps[notice->step_count - 1 - i].text);
  }
  fputs(shown < notice->step_count ? ", …\n" : "\n", out);
}

static void print_markdown_context(FILE *out, const sc_notice *notice)
{
  static const char between[] = " › ";
  if (!notice->step_count)
    return;
  fputs("- Context: ", out);
  for (size_t i = 0; i < notice->step_count; i++) {
    bool cut = false;
    for (; !notice->steps[i].telling; i++)
      cut = true;
    fprintf(out, "%s%s%s", i ? between : "", cut ? "…" : "", cut ? between : "");
    escape_markdown(out, notice->steps[i].text);
  }
  fputc('\n', out);
}

/* The family and its example as code, which nothing in them ends. */
static void print_markdown_inputs(FILE *out, const sc_notice_inputs *inputs)
{
  const char *label;
  sc_buf text = {0};
  for (size_t i = 0; inputs && sc_notice_inputs_line(inputs, i, &label, &text); i++) {
    if (text.length && sc_buf_finish(&text) == 0) {
      fprintf(out, "- %s: ", label);
      if (i == 0 || i == 2)
        markdown_code(out, text.text);
      else
        escape_markdown(out, text.text);
      fputc('\n', out);
    }
    sc_buf_free(&text);
  }
}

static void print_details(FILE *out, const sc_notices *notices, const sc_notice *notice)
{
  fputs("\n**", out);
  escape_markdown(out, notice->message);
  fprintf(out, "** (%s)\n\n", sc_rule_id(notice->rule));
  for (size_t i = 0; i < notice->prediction_count; i++) {
    const sc_notice_prediction *p = &notice->predictions[i];
    fputs("- At ", out);
    markdown_size(out, notices, notice, p->n);
    fputs(": ", out);
    escape_markdown(out, notice->metric);
    fputc(' ', out);
    if (p->has_before)
      fprintf(out, "%s (%s)%s", sc_notice_value(notice->unit, p->before.value).s,
              sc_notice_range(notice->unit, &p->before).s, p->has_after ? " → " : "");
    if (p->has_after)
      fprintf(out, "%s (%s)", sc_notice_value(notice->unit, p->after.value).s,
              sc_notice_range(notice->unit, &p->after).s);
    fputc('\n', out);
  }
  print_markdown_inputs(out, notice->inputs);
  char *emergence = sc_notice_emergence(notices, notice);
  markdown_item(out, "Emergence", emergence);
  free(emergence);
  markdown_item(out, "Evidence", notice->evidence);
  if (notice->spread)
    print_markdown_places(out, notice);
  else
    print_markdown_context(out, notice);
  markdown_item(out, "Do", notice->advice);
  markdown_item(out, "Fingerprint", notice->fingerprint);
}

static void print_folded(FILE *out, const sc_notices *notices)
{
  size_t open = notices->count - notices->accepted, shown = open < DETAILS ? open : DETAILS;
  if (open) {
    fputs("\n<details><summary>Evidence, contexts and what to do</summary>\n", out);
    for (size_t i = 0; i < shown; i++)
      print_details(out, notices, &notices->list[i]);
    if (shown < open)
      fprintf(out, "\nThe first %zu of %zu.\n", shown, open);
    fputs("\n</details>\n", out);
  }
  if (notices->accepted) {
    fprintf(out, "\n<details><summary>%zu accepted</summary>\n\n", notices->accepted);
    for (size_t i = 0; i < notices->count; i++) {
      const sc_notice *notice = &notices->list[i];
      if (!notice->accepted)
        continue;
      fputs("- ", out);
      escape_markdown(out, notice->message);
      fprintf(out, " — until %s: ", notice->accepted_until);
      escape_markdown(out, notice->accepted);
      fputc('\n', out);
    }
    fputs("\n</details>\n", out);
  }
}

static void print_markdown_total(FILE *out, const sc_notices *notices)
{
  const sc_comparison *c = notices->comparison;
  const char *unit = c ? c->total_unit : "";
  bool time = strcmp(unit, "s") == 0;
  if (!c || !c->target_count || (time && !c->same_machine))
    return;
  fputs("\nIn total, predicted at ", out);
  markdown_size(out, notices, NULL, sc_analysis_horizon(notices->judge->loaded.analysis));
  fprintf(out, ": %s (%s) → %s (%s)", sc_format_cost(c->base_total.value, time ? "s" : "").s,
          sc_format_interval(&c->base_total, time ? "s" : "").s, sc_format_cost(c->head_total.value, time ? "s" : "").s,
          sc_format_interval(&c->head_total, time ? "s" : "").s);
  fputs(time ? " of processor time" : " ", out);
  escape_markdown(out, time ? "" : unit);
  fputs(".\n", out);
}

static void print_paragraph(FILE *out, const char *text)
{
  if (!*text)
    return;
  fputc('\n', out);
  escape_markdown(out, text);
  fputc('\n', out);
}

static void print_markdown_elapsed(FILE *out, const sc_notices *notices)
{
  sc_buf note = {0};
  if (sc_notices_of_search(notices))
    return;
  double horizon = sc_analysis_horizon(notices->judge->loaded.analysis);
  if (sc_report_elapsed_note(notices->judge, horizon, &note) && sc_buf_finish(&note) == 0)
    print_paragraph(out, note.text);
  sc_buf_free(&note);
}

int sc_notices_print_markdown(FILE *out, const sc_notices *notices)
{
  fputs("**", out);
  escape_markdown(out, notices->verdict);
  fputs("**\n", out);
  SC_TRY(print_markdown_table(out, notices));
  print_paragraph(out, notices->coverage);
  print_markdown_total(out, notices);
  print_markdown_elapsed(out, notices);
  print_paragraph(out, notices->times);
  print_folded(out, notices);
  return 0;
}
