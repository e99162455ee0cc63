/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What editors and review tools pick up: "file:line:column: severity: message [rule]"; for people with details indented
 * below. */
#include <stdlib.h>
#include <string.h>

#include "runner/review/review.h"
#include "runner/review/words.h"

enum { INDENT = 4, LABEL = 16, WIDTH = 100, PLACES = 3 };

static void print_review_labelled(FILE *out, const char *label, const char *text)
{
  if (!text || !*text)
    return;
  fprintf(out, "%*s%-*s", INDENT, "", LABEL - INDENT, label);
  sc_format_wrap(out, text, LABEL, LABEL, WIDTH);
}

static void print_review_text_predictions(FILE *out, const sc_notices *notices, const sc_notice *notice)
{
  bool compared = notices->comparison && notice->rule != SC_RULE_BUDGET;
  for (size_t i = 0; i < notice->prediction_count; i++) {
    const sc_notice_prediction *p = &notice->predictions[i];
    sc_buf text = {0};
    sc_notice_point(notices, notice, p->n, &text);
    sc_buf_printf(&text, ": %s ", notice->metric);
    if (p->has_before)
      sc_buf_printf(&text, "%s (%s)", sc_notice_value(notice->unit, p->before.value).s,
                    sc_notice_range(notice->unit, &p->before).s);
    if (p->has_before || compared)
      sc_buf_puts(&text, p->has_before ? p->has_after ? " -> " : " -> none" : "none -> ");
    if (p->has_after)
      sc_buf_printf(&text, "%s (%s)", sc_notice_value(notice->unit, p->after.value).s,
                    sc_notice_range(notice->unit, &p->after).s);
    if (sc_buf_finish(&text) == 0)
      print_review_labelled(out, i ? "" : "Predicted", text.text);
    sc_buf_free(&text);
  }
}

/* The worst of many places, which are the last steps. */
static void print_review_text_places(FILE *out, const sc_notice *notice)
{
  for (size_t i = 0; i < notice->step_count && i < PLACES; i++)
    print_review_labelled(out, i ? "" : "Places", notice->steps[notice->step_count - 1 - i].text);
  if (notice->step_count > PLACES)
    fprintf(out, "%*sand %zu more\n", LABEL, "", notice->step_count - PLACES);
}

static void print_review_text_context(FILE *out, const sc_notice *notice)
{
  if (notice->spread) {
    print_review_text_places(out, notice);
    return;
  }
  for (size_t i = 0; i < notice->step_count; i++)
    print_review_labelled(out, i ? "" : "Context", notice->steps[i].text);
}

static void print_review_text_inputs(FILE *out, const sc_notice_inputs *inputs)
{
  const char *label;
  sc_buf text = {0};
  for (size_t i = 0; inputs && sc_notice_inputs_line(inputs, i, &label, &text); i++) {
    if (text.length && sc_buf_finish(&text) == 0)
      print_review_labelled(out, label, text.text);
    sc_buf_free(&text);
  }
}

static int print_review_text_line(FILE *out, const sc_notices *notices, const sc_notice *notice)
{
  char *place = sc_notice_place(notice->file, notice->line, notice->column);
  if (!place)
    return SC_E_NOMEM;
  fprintf(out, "%s: %s: %s [%s]\n", *place ? place : notices->judge->study,
          sc_severity_name(notice->accepted ? SC_SEVERITY_NOTE : notice->severity), notice->message,
          sc_rule_id(notice->rule));
  free(place);
  return 0;
}

static int print_notice(FILE *out, const sc_notices *notices, const sc_notice *notice)
{
  sc_buf text = {0};
  SC_TRY(print_review_text_line(out, notices, notice));
  if (notice->accepted) {
    sc_buf_printf(&text, "until %s: %s", notice->accepted_until, notice->accepted);
    if (sc_buf_finish(&text) == 0)
      print_review_labelled(out, "Accepted", text.text);
    sc_buf_free(&text);
    return 0;
  }
  print_review_labelled(out, "Before", notice->before);
  print_review_labelled(out, notices->comparison ? "After" : "Model", notice->after);
  print_review_text_inputs(out, notice->inputs);
  print_review_text_predictions(out, notices, notice);
  char *emergence = sc_notice_emergence(notices, notice);
  print_review_labelled(out, "Emergence", emergence);
  free(emergence);
  sc_buf_printf(&text, "%.2f", notice->confidence);
  if (sc_buf_finish(&text) == 0)
    print_review_labelled(out, "Confidence", text.text);
  sc_buf_free(&text);
  print_review_labelled(out, "Evidence", notice->evidence);
  print_review_text_context(out, notice);
  print_review_labelled(out, "Do", notice->advice);
  print_review_labelled(out, "Fingerprint", notice->fingerprint);
  return 0;
}

int sc_notices_print_lines(FILE *out, const sc_notices *notices)
{
  for (size_t i = 0; i < notices->count; i++)
    SC_TRY(print_review_text_line(out, notices, &notices->list[i]));
  return 0;
}

int sc_notices_print_text(FILE *out, const sc_notices *notices)
{
  for (size_t i = 0; i < notices->count; i++)
    SC_TRY(print_notice(out, notices, &notices->list[i]));
  fprintf(out, "%s\n", notices->verdict);
  if (*notices->coverage)
    fprintf(out, "%s\n", notices->coverage);
  if (*notices->times)
    fprintf(out, "%s\n", notices->times);
  return 0;
}
