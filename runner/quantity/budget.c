/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/quantity/budget.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/same.h"
#include "runner/quantity/quantity.h"
#include "runner/text/format.h"
#include "runner/text/json_parts.h"
#include "runner/text/table.h"
#include "transitions/model/elapsed.h"

/* What the study has no measurements of cannot be judged; that is no mistake in the budget. */
static bool not_measured(const sc_judge *judge, const sc_budget *budget, sc_budget_verdict *verdict)
{
  bool timed = sc_same_text(sc_analysis_cost_unit(judge->loaded.analysis), "s");
  bool of_time = sc_same_text(budget->metric, "time") || sc_same_text(budget->metric, "own time");
  if (of_time && !timed)
    snprintf(verdict->why, sizeof verdict->why, "no time was measured");
  else if (sc_elapsed_is_metric(budget->metric) && !sc_analysis_elapsed_known(judge->loaded.analysis))
    snprintf(verdict->why, sizeof verdict->why, "no elapsed time is known of the whole program");
  else if (sc_same_text(budget->metric, "memory") && !judge->resources)
    snprintf(verdict->why, sizeof verdict->why, "nothing of memory was recorded");
  return *verdict->why != '\0';
}

static int find_actual(const sc_quantity *quantity, double n, sc_budget_verdict *verdict)
{
  sc_quantity_point *points = NULL;
  size_t count = 0;
  int err = sc_quantity_measured(quantity, &points, &count);
  for (size_t i = 0; err == 0 && i < count; i++)
    if (points[i].verified && points[i].n == n) {
      verdict->was_run = true;
      verdict->actual = points[i].value;
    }
  free(points);
  return err;
}

static void compare_with_limit(sc_budget_verdict *verdict)
{
  double low = verdict->was_run ? verdict->actual : verdict->predicted.low;
  double high = verdict->was_run ? verdict->actual : verdict->predicted.high;
  if (high <= verdict->limit)
    verdict->state = SC_BUDGET_KEPT;
  else if (low > verdict->limit)
    verdict->state = SC_BUDGET_BROKEN;
  else
    snprintf(verdict->why, sizeof verdict->why, "the limit lies inside the interval");
}

/* A budget is judged by the same quantity as `ask` answers with, so that the two can never disagree: its words are put
 * together as `ask --of` takes them. */
static int judge_quantity(const sc_judge *judge, const sc_budget *budget, sc_budget_verdict *verdict)
{
  const sc_subject everything = {.kind = SC_SUBJECT_TOTAL};
  sc_quantity quantity = {0};
  sc_buf text = {0};
  int err;
  sc_buf_puts(&text, budget->metric);
  if (budget->subject)
    sc_buf_printf(&text, "(%s)", budget->subject);
  SC_GOTO(sc_buf_finish(&text));
  SC_GOTO(sc_quantity_parse(judge, &everything, NULL, text.text, text.length, &quantity));
  verdict->kind = quantity.kind;
  verdict->limit = budget->limit;
  if (budget->limit_text && !sc_same_text(budget->limit_text, "0"))
    SC_GOTO(sc_amount_parse(budget->limit_text, quantity.kind, &verdict->limit));
  if (quantity.resource_count)
    verdict->resource = quantity.resources[0].resource;
  else if (budget->subject && quantity.context_count)
    verdict->context = quantity.contexts[0];
  SC_GOTO(sc_quantity_predict(&quantity, budget->n, &verdict->predicted));
  SC_GOTO(find_actual(&quantity, budget->n, verdict));
  verdict->known = true;
  compare_with_limit(verdict);
out:
  sc_quantity_free(&quantity);
  sc_buf_free(&text);
  return err;
}

int sc_budget_judge(const sc_judge *judge, size_t index, sc_budget_verdict *verdict)
{
  const sc_budget *budget = &judge->loaded.workload->budgets[index];
  *verdict = (sc_budget_verdict){.state = SC_BUDGET_CANNOT_TELL, .context = SC_BUDGET_NONE, .resource = SC_BUDGET_NONE};
  if (not_measured(judge, budget, verdict))
    return 0;
  int err = sc_same_text(budget->metric, "order") ? sc_budget_judge_order(judge, budget, verdict)
                                                  : judge_quantity(judge, budget, verdict);
  return err < 0 ? sc_err_prefix(err, "the budget \"%.100s\"", budget->text) : 0;
}

const char *sc_budget_state_name(enum sc_budget_state state)
{
  static const char *const names[] = {"kept", "broken", "cannot_tell"};
  return names[state];
}

void sc_budget_words(const sc_budget_verdict *verdict, sc_buf *out)
{
  if (verdict->was_run)
    sc_buf_printf(out, "measured %s", sc_amount_text(verdict->kind, verdict->actual).s);
  else if (verdict->known)
    sc_buf_printf(out, "predicted %s (%s)", sc_amount_text(verdict->kind, verdict->predicted.value).s,
                  sc_amount_interval(verdict->kind, &verdict->predicted).s);
  else if (*verdict->found)
    sc_buf_printf(out, "it grows as %s", verdict->found);
  if (*verdict->why)
    sc_buf_printf(out, "%s%s", out->length ? ": " : "", verdict->why);
}

static const char *verdict_text(const sc_budget_verdict *verdict)
{
  switch (verdict->state) {
  case SC_BUDGET_KEPT:
    return verdict->was_run ? "kept when run" : "kept";
  case SC_BUDGET_BROKEN:
    return verdict->was_run ? "BROKEN when run" : "BROKEN";
  case SC_BUDGET_CANNOT_TELL:
    break;
  }
  return "cannot tell";
}

static void add_budget_row(sc_table *table, const sc_budget *budget, const sc_budget_verdict *v)
{
  sc_buf words = {0};
  sc_table_cell(table, budget->text);
  sc_table_cell(table, v->known ? sc_amount_text(v->kind, v->predicted.value).s : v->found);
  sc_table_cell(table, v->known ? sc_amount_interval(v->kind, &v->predicted).s : "");
  sc_table_cell(table, v->was_run ? sc_amount_text(v->kind, v->actual).s : "");
  sc_buf_puts(&words, verdict_text(v));
  if (*v->why && !v->known) /* else the numbers say it */
    sc_buf_printf(&words, ": %s", v->why);
  sc_table_cell(table, sc_buf_finish(&words) == 0 ? words.text : "");
  sc_buf_free(&words);
}

int sc_budget_print(FILE *out, const sc_judge *judge, const sc_text_options *options)
{
  const sc_workload *workload = judge->loaded.workload;
  int err;
  if (!workload->budget_count)
    return 0;
  sc_table *table = sc_table_new("lrrrl");
  const char *const headings[] = {"", "predicted", "95% interval", "actual", ""};
  for (size_t i = 0; i < sizeof headings / sizeof *headings; i++)
    sc_table_cell(table, headings[i]);
  for (size_t i = 0; i < workload->budget_count; i++) {
    sc_budget_verdict verdict;
    SC_GOTO(sc_budget_judge(judge, i, &verdict));
    add_budget_row(table, &workload->budgets[i], &verdict);
  }
  sc_table_fit(table, 0, options->width - 2);
  fprintf(out, "\n%sBudgets%s\n", options->style.bold, options->style.off);
  err = sc_table_print(table, out, 2, options->style.dim, options->style.off);
out:
  sc_table_free(table);
  return err;
}

static void add_budget_json(sc_json *json, cJSON *item, const sc_budget *budget, const sc_budget_verdict *v)
{
  bool order = sc_same_text(budget->metric, "order");
  sc_json_string(json, item, "text", budget->text);
  sc_json_string(json, item, "metric", budget->metric);
  sc_json_string(json, item, "of", budget->subject);
  sc_json_number(json, item, "n", order ? NAN : budget->n);
  if (order)
    sc_json_string(json, item, "limit", budget->limit_text);
  else
    sc_json_number(json, item, "limit", v->known ? v->limit : budget->limit);
  sc_json_string(json, item, "unit", v->known ? sc_amount_unit(v->kind) : "");
  sc_json_interval(json, item, "predicted", v->known ? &v->predicted : NULL);
  sc_json_text(json, item, "order", v->found);
  sc_json_number(json, item, "actual", v->was_run ? v->actual : NAN);
  sc_json_string(json, item, "verdict", sc_budget_state_name(v->state));
  sc_json_string(json, item, "why", v->why);
}

int sc_budget_to_json(sc_json *json, const sc_judge *judge, cJSON *document)
{
  const sc_workload *workload = judge->loaded.workload;
  cJSON *list = sc_json_array(json, document, "budgets");
  for (size_t i = 0; i < workload->budget_count; i++) {
    sc_budget_verdict verdict;
    SC_TRY(sc_budget_judge(judge, i, &verdict));
    add_budget_json(json, sc_json_object(json, list, NULL), &workload->budgets[i], &verdict);
  }
  return 0;
}
