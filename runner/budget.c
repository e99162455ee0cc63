/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/budget.h"

#include <string.h>

#include "runner/format.h"
#include "runner/report_json.h"
#include "runner/table.h"

int sc_budget_judge(const sc_judge *judge, size_t index, sc_budget_verdict *verdict)
{
  const sc_budget *budget = &judge->loaded.workload->budgets[index];
  const sc_analysis *analysis = judge->loaded.analysis;
  *verdict = (sc_budget_verdict){.state = SC_BUDGET_CANNOT_TELL};
  verdict->timed = strcmp(sc_analysis_cost_unit(analysis), "s") == 0;
  if (!verdict->timed)
    return 0;
  SC_TRY(sc_analysis_total(analysis, budget->n, &verdict->predicted));
  verdict->was_run = sc_judge_actual_total(judge, budget->n, &verdict->actual);
  double low = verdict->was_run ? verdict->actual : verdict->predicted.low;
  double high = verdict->was_run ? verdict->actual : verdict->predicted.high;
  if (high <= budget->limit)
    verdict->state = SC_BUDGET_KEPT;
  else if (low > budget->limit)
    verdict->state = SC_BUDGET_BROKEN;
  return 0;
}

int sc_budget_any_broken(const sc_judge *judge)
{
  sc_budget_verdict verdict;
  for (size_t i = 0; i < judge->loaded.workload->budget_count; i++) {
    SC_TRY(sc_budget_judge(judge, i, &verdict));
    if (verdict.state == SC_BUDGET_BROKEN)
      return 1;
  }
  return 0;
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
  return verdict->timed ? "cannot tell" : "cannot tell: no time was measured";
}

int sc_budget_print(FILE *out, const sc_judge *judge, const sc_report_text_options *options)
{
  const sc_workload *workload = judge->loaded.workload;
  int err;
  if (!workload->budget_count)
    return 0;
  sc_table *table = sc_table_new("rrrrrl");
  const char *const headings[] = {workload->parameter, "limit", "predicted", "95% interval", "actual", ""};
  for (size_t i = 0; i < sizeof headings / sizeof *headings; i++)
    sc_table_cell(table, headings[i]);
  for (size_t i = 0; i < workload->budget_count; i++) {
    sc_budget_verdict verdict;
    SC_GOTO(sc_budget_judge(judge, i, &verdict));
    sc_table_cell(table, sc_format_number(workload->budgets[i].n).s);
    sc_table_cell(table, sc_format_seconds(workload->budgets[i].limit).s);
    sc_table_cell(table, verdict.timed ? sc_format_seconds(verdict.predicted.value).s : "");
    sc_table_cell(table, verdict.timed ? sc_format_interval(&verdict.predicted, "s").s : "");
    sc_table_cell(table, verdict.was_run ? sc_format_seconds(verdict.actual).s : "");
    sc_table_cell(table, verdict_text(&verdict));
  }
  fprintf(out, "\n%sBudgets (processor time)%s\n", options->style.bold, options->style.off);
  err = sc_table_print(table, out, 2, options->style.dim, options->style.off);
out:
  sc_table_free(table);
  return err;
}

int sc_budget_to_json(const sc_judge *judge, cJSON *document)
{
  static const char *const states[] = {"kept", "broken", "cannot_tell"};
  const sc_workload *workload = judge->loaded.workload;
  cJSON *list = cJSON_AddArrayToObject(document, "budgets");
  for (size_t i = 0; i < workload->budget_count; i++) {
    sc_budget_verdict verdict;
    SC_TRY(sc_budget_judge(judge, i, &verdict));
    cJSON *item = cJSON_CreateObject();
    cJSON_AddItemToArray(list, item);
    cJSON_AddStringToObject(item, "metric", workload->budgets[i].metric);
    cJSON_AddNumberToObject(item, "n", workload->budgets[i].n);
    cJSON_AddNumberToObject(item, "limit", workload->budgets[i].limit);
    cJSON_AddItemToObject(item, "predicted",
                          verdict.timed ? sc_report_json_interval(&verdict.predicted) : cJSON_CreateNull());
    cJSON_AddItemToObject(item, "actual", verdict.was_run ? cJSON_CreateNumber(verdict.actual) : cJSON_CreateNull());
    cJSON_AddStringToObject(item, "verdict", states[verdict.state]);
  }
  return 0;
}
