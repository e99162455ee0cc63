/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Answers for people. */
#include <string.h>

#include "runner/ask/ask.h"
#include "runner/report/plain.h"
#include "runner/resources/ask.h"
#include "runner/several/several.h"
#include "runner/text/operand.h"

/* An empty line between two parts of an answer. */
static void separate_answer_text(FILE *out, bool *first)
{
  if (!*first)
    fputc('\n', out);
  *first = false;
}

static void print_answer_text_next(FILE *out, const sc_ask *ask)
{
  sc_buf at = {0};
  double n = 0;
  for (size_t i = 0; i < ask->size_count; i++)
    if (!n && sc_report_may_verify(ask->judge, ask->sizes[i].n))
      n = ask->sizes[i].n;
  fprintf(out, "\nNext: scale-run %s", n ? "verify" : "report");
  sc_operand_print_study(ask->judge->study, out);
  sc_judge_describe_option(ask->judge, n, &at);
  if (n && sc_buf_finish(&at) == 0)
    fprintf(out, " --at %s", at.text);
  fputc('\n', out);
  sc_buf_free(&at);
}

static int print_limits(FILE *out, const sc_ask *ask, bool *first, const sc_text_options *options)
{
  for (size_t i = 0; i < ask->limit_count; i++) {
    separate_answer_text(out, first);
    sc_limit_print(out, &ask->limits[i], options);
    if (!ask->supposing)
      continue;
    sc_buf text = {0};
    sc_buf_puts(&text, "With what is supposed: ");
    sc_limit_text(&ask->supposed_limits[i], &text);
    if (sc_buf_finish(&text) == 0)
      sc_format_wrap(out, text.text, 0, 2, options->width);
    sc_buf_free(&text);
  }
  return 0;
}

static bool has_answer_text_costs(const sc_ask *ask)
{
  bool costs = ask->supposing;
  for (size_t i = 0; i < ask->quantity_count; i++)
    costs = costs || ask->quantities[i].costs;
  for (size_t i = 0; i < ask->limit_count; i++)
    costs = costs || ask->limits[i].quantity.costs;
  return costs;
}

int sc_ask_print_text(FILE *out, sc_ask *ask, const sc_text_options *options)
{
  bool first = true;
  if (ask->supposing) {
    separate_answer_text(out, &first);
    SC_TRY(sc_supposing_print(out, ask->supposing, options));
  }
  if (ask->subject.kind == SC_SUBJECT_RESOURCE && (ask->size_count || !ask->sweep_count)) {
    separate_answer_text(out, &first);
    SC_TRY(sc_resource_ask_text(out, ask->judge, &ask->subject.resource, ask->subject_title, options));
  }
  bool plain = ask->supposing && ask->subject.kind == SC_SUBJECT_TOTAL && ask->quantities[0].costs;
  for (size_t i = 0; i < ask->size_count && !plain; i++) { /* what is supposed has the sizes in its table */
    separate_answer_text(out, &first);
    SC_TRY(sc_ask_print_size(out, ask, &ask->sizes[i], options));
  }
  if (ask->sweep_count) {
    separate_answer_text(out, &first);
    SC_TRY(sc_ask_print_sweep(out, ask, options));
  }
  SC_TRY(print_limits(out, ask, &first, options));
  if (ask->quantity_count && ask->quantities[0].kind == SC_AMOUNT_TIME)
    sc_report_plain_print(out, ask->judge, options);
  if (ask->continued)
    return 0;
  if (sc_analysis_moved(ask->judge->loaded.analysis) && sc_several_has_prices(ask->judge->several) &&
      has_answer_text_costs(ask)) {
    fputc('\n', out);
    SC_TRY(sc_several_print_prices(out, ask->judge->several, options));
  }
  print_answer_text_next(out, ask);
  return 0;
}
