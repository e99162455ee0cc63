/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `ask --at n=1e6,threads=64`. */
#include <stdlib.h>
#include <string.h>

#include "runner/operand.h"
#include "runner/report_json.h"
#include "runner/several/internal.h"
#include "runner/terminal.h"

enum { TOP = 10 };

static int print_text(const sc_several *s, sc_several_answer *answers, size_t count, size_t top)
{
  const sc_report_text_options options = {
      .top = top, .width = sc_terminal_width(stdout), .style = sc_terminal_style(stdout)};
  sc_buf text = {0};
  for (size_t i = 0; i < count; i++) {
    if (i)
      putchar('\n');
    SC_TRY(sc_several_print(stdout, s, &answers[i], &options));
  }
  for (size_t i = 0; i < s->parameters; i++)
    sc_buf_printf(&text, "%s%s=%.12g", i ? "," : "", s->names[i], answers[0].point.at[i]);
  if (sc_buf_finish(&text) == 0) {
    fputs("\nNext: scale-run verify", stdout);
    sc_operand_print_study(s->judge->study, stdout);
    printf(" --at %s\n", text.text);
  }
  sc_buf_free(&text);
  return 0;
}

static int print_json(const sc_several *s, sc_several_answer *answers, size_t count, size_t top)
{
  sc_json json = {0};
  cJSON *document = sc_report_json_document(s->judge, "ask");
  sc_several_json_measured(&json, document, s);
  cJSON *list = sc_json_array(&json, document, "points");
  for (size_t i = 0; i < count; i++)
    sc_several_json_point(&json, list, s, &answers[i], top);
  if (!json.failed)
    return sc_report_json_write(stdout, document);
  cJSON_Delete(document);
  return sc_err_set(SC_E_NOMEM, "out of memory while composing JSON");
}

int sc_several_answers(const sc_several *s, const char *list, sc_several_answer **answers, size_t *count)
{
  sc_several_point *points = NULL;
  size_t point_count = 0;
  int err;
  *answers = NULL;
  *count = 0;
  SC_GOTO(sc_several_points(s, list, &points, &point_count));
  *answers = sc_mem_new(point_count + 1, sizeof **answers);
  if (!*answers) {
    err = SC_E_NOMEM;
    goto out;
  }
  for (; *count < point_count; ++*count)
    SC_GOTO(sc_several_predict(s, &points[*count], &(*answers)[*count]));
out:
  free(points);
  return err;
}

void sc_several_answers_free(sc_several_answer *answers, size_t count)
{
  for (size_t i = 0; answers && i < count; i++)
    sc_several_answer_free(&answers[i]);
  free(answers);
}

int sc_several_open(const sc_options *options, sc_judge *judge, sc_several **several)
{
  sc_options own = *options;
  *several = NULL;
  SC_TRY(sc_several_focused(options, &own.at));
  int err = sc_judge_open(&own, judge);
  free(own.at);
  return err < 0 ? err : sc_several_new(judge, several);
}

/* Questions that have one parameter. */
static int check_options(const sc_options *options)
{
  const char *name = options->limit      ? "limit"
                     : options->sweep    ? "sweep"
                     : options->suppose  ? "suppose"
                     : options->function ? "function"
                     : options->resource ? "resource"
                     : options->of       ? "of"
                     : options->plot     ? "plot"
                     : options->svg      ? "svg"
                                         : NULL;
  if (!name)
    return 0;
  (void)sc_err_set(SC_E_USAGE, "--%s is answered at the base values of further parameters only", name);
  return sc_err_hint(SC_E_USAGE, "leave the further parameters out of --at, or ask without --%s", name);
}

int sc_several_ask(const sc_options *options)
{
  sc_judge judge = {0};
  sc_several *s = NULL;
  sc_several_answer *answers = NULL;
  size_t count = 0, top = options->top ? (size_t)options->top : TOP;
  int err;
  SC_GOTO(check_options(options));
  SC_GOTO(sc_several_open(options, &judge, &s));
  SC_GOTO(sc_several_answers(s, options->at, &answers, &count));
  err = options->json ? print_json(s, answers, count, top) : print_text(s, answers, count, top);
out:
  sc_several_answers_free(answers, count);
  sc_several_free(s);
  sc_judge_close(&judge);
  return err;
}
