/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `ask --at n=1e6,threads=64`. */
#include <stdlib.h>
#include <string.h>

#include "runner/points/internal.h"
#include "runner/report/json.h"
#include "runner/text/operand.h"
#include "runner/text/terminal.h"
#include "runner/text/tuning.h"

static int print_points(FILE *out, const sc_several *s, sc_several_answer *answers, size_t count, size_t top)
{
  const sc_text_options options = {.top = top, .width = sc_terminal_width(out), .style = sc_terminal_style(out)};
  for (size_t i = 0; i < count; i++) {
    if (i)
      fputc('\n', out);
    SC_TRY(sc_several_print(out, s, &answers[i], &options));
  }
  return 0;
}

/* Of a sweep the last point, the largest, that takes no longer than is suggested: there is most to learn. */
static const sc_several_answer *choose_next(const sc_several_answer *answers, size_t count, bool sweep)
{
  for (size_t i = count; sweep && i-- > 0;)
    if (!answers[i].timed || answers[i].elapsed.value <= SC_REPORT_SECONDS)
      return &answers[i];
  return answers;
}

static int print_points_text(const sc_several *s, sc_several_answer *answers, size_t count, const sc_options *asked)
{
  const sc_text_options options = {.width = sc_terminal_width(stdout), .style = sc_terminal_style(stdout)};
  sc_buf text = {0};
  if (asked->sweep)
    SC_TRY(sc_several_print_sweep(stdout, s, answers, count, &options));
  else
    SC_TRY(print_points(stdout, s, answers, count, asked->top ? (size_t)asked->top : SC_TOP));
  const sc_several_answer *next = choose_next(answers, count, asked->sweep);
  for (size_t i = 0; i < s->parameters; i++)
    sc_buf_printf(&text, "%s%s=%.12g", i ? "," : "", s->names[i], next->point.at[i]);
  if (sc_buf_finish(&text) == 0) {
    fputs("\nNext: scale-run verify", stdout);
    sc_operand_print_study(s->judge->study, stdout);
    printf(" --at %s\n", text.text);
  }
  sc_buf_free(&text);
  return 0;
}

static int print_points_json(const sc_several *s, sc_several_answer *answers, size_t count, size_t top)
{
  sc_json json = {0};
  cJSON *document = sc_report_json_document(s->judge, "ask");
  sc_several_json_measured(&json, document, s);
  cJSON *list = sc_json_array(&json, document, "points");
  for (size_t i = 0; i < count; i++)
    sc_several_json_point(&json, list, s, &answers[i], top);
  return sc_json_write(stdout, document, &json, 0);
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
  int err = sc_judge_open_unvaried(&own, judge);
  free(own.at);
  return err < 0 ? err : sc_several_new(judge, several);
}

static int answer_points(const sc_several *s, const sc_options *options, sc_several_answer **answers, size_t *count)
{
  char *list = NULL;
  *answers = NULL;
  *count = 0;
  if (options->sweep)
    SC_TRY(sc_several_sweep_list(s, options->at, options->sweep, &list));
  int err = sc_several_answers(s, list ? list : options->at, answers, count);
  free(list);
  return err;
}

/* What the study judged at each combination answers; executions and costs of everything alone have models of all
 * parameters to show. */
static bool asks_more(const sc_options *options)
{
  return options->all || options->function || options->functions || options->of || options->resource ||
         options->limit || options->suppose || options->plot || options->svg;
}

int sc_several_ask(const sc_options *options)
{
  sc_judge judge = {0};
  sc_several *s = NULL;
  sc_several_answer *answers = NULL;
  size_t count = 0;
  int err;
  SC_GOTO(sc_several_open(options, &judge, &s));
  if (options->over && strcmp(options->over, s->names[0]) != 0) {
    err = sc_several_ask_over(s, options);
    goto out;
  }
  if (asks_more(options)) {
    err = sc_several_ask_elsewhere(s, options);
    goto out;
  }
  SC_GOTO(answer_points(s, options, &answers, &count));
  err = options->json ? print_points_json(s, answers, count, options->top ? (size_t)options->top : SC_TOP)
                      : print_points_text(s, answers, count, options);
out:
  sc_several_answers_free(answers, count);
  sc_several_free(s);
  sc_judge_close(&judge);
  return err;
}
