/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Broken budgets as notices. */
#include <string.h>

#include "runner/quantity/budget.h"
#include "runner/review/build.h"
#include "runner/review/words.h"

/* Of the whole program: where most of it goes. */
static uint32_t worst_context(const sc_judge *judge)
{
  return judge->findings.count ? judge->findings.list[0].context : SC_BUDGET_NONE;
}

static int locate_budget(sc_notice *notice, const sc_judge *judge, const sc_budget *budget,
                         const sc_budget_verdict *verdict)
{
  uint32_t context = verdict->context;
  if (verdict->resource != SC_BUDGET_NONE)
    return sc_notice_locate_resource(notice, judge, verdict->resource, SC_RULE_BUDGET, SC_USAGE_NONE, 0, 0);
  if (context == SC_BUDGET_NONE)
    context = worst_context(judge);
  if (context != SC_BUDGET_NONE)
    SC_TRY(sc_notice_locate(notice, judge, context, 0, 0));
  notice->fingerprint[0] = '\0'; /* its text tells it from others, wherever it is found to be broken */
  return 0;
}

static int set_budget_prediction(sc_notice *notice, const sc_budget *budget, const sc_budget_verdict *verdict)
{
  notice->unit = verdict->kind == SC_AMOUNT_RATIO ? SC_NOTICE_RATIO : sc_amount_unit(verdict->kind);
  SC_TRY(SC_NEW(notice->predictions, 1));
  sc_interval actual = {verdict->actual, verdict->actual, verdict->actual};
  notice->predictions[0] = (sc_notice_prediction){
      .n = budget->n, .has_after = true, .after = verdict->was_run ? actual : verdict->predicted};
  notice->prediction_count = 1;
  return 0;
}

static int add_broken(sc_notices *notices, const sc_budget *budget, const sc_budget_verdict *verdict)
{
  sc_notice *notice;
  sc_buf text = {0}, words = {0};
  SC_TRY(sc_notice_add(notices, SC_RULE_BUDGET, SC_SEVERITY_ERROR, &notice));
  SC_TRY(locate_budget(notice, notices->judge, budget, verdict));
  SC_TRY(sc_notice_copy(&notice->subject, budget->text));
  SC_TRY(sc_notice_copy(&notice->metric, budget->metric));
  if (verdict->known)
    SC_TRY(set_budget_prediction(notice, budget, verdict));
  if (*verdict->found)
    SC_TRY(sc_notice_copy(&notice->after, verdict->found));
  sc_budget_words(verdict, &words);
  sc_buf_printf(&text, "budget broken: %s; ", budget->text);
  if (sc_buf_finish(&words) == 0)
    sc_buf_puts(&text, words.text);
  SC_TRY(sc_notice_set(&notice->evidence, &words));
  SC_TRY(sc_notice_set(&notice->message, &text));
  SC_TRY(sc_notice_copy(&notice->advice, sc_rule_help(SC_RULE_BUDGET)));
  notice->confidence = verdict->was_run ? 1 : sc_analysis_get_options(notices->judge->loaded.analysis)->level;
  notice->superlinear = false;
  notice->resource = verdict->resource != SC_BUDGET_NONE;
  return 0;
}

int sc_notices_add_budgets(sc_notices *notices)
{
  const sc_workload *workload = notices->judge->loaded.workload;
  for (size_t i = 0; i < workload->budget_count; i++) {
    sc_budget_verdict verdict;
    SC_TRY(sc_budget_judge(notices->judge, i, &verdict));
    if (verdict.state == SC_BUDGET_BROKEN)
      SC_TRY(add_broken(notices, &workload->budgets[i], &verdict));
  }
  return 0;
}
