/* SPDX-License-Identifier: GPL-3.0-or-later */
/* docs/review.schema.json */
#include <math.h>
#include <string.h>

#include "runner/quantity/budget.h"
#include "runner/report/json.h"
#include "runner/review/build.h"
#include "runner/review/json.h"
#include "runner/review/words.h"
#include "runner/text/json_parts.h"

void sc_notice_json_number(cJSON *object, const char *name, double value)
{
  if (isfinite(value))
    cJSON_AddNumberToObject(object, name, value);
  else
    cJSON_AddNullToObject(object, name);
}

void sc_notice_json_text(cJSON *object, const char *name, const char *text)
{
  if (text)
    cJSON_AddStringToObject(object, name, text);
  else
    cJSON_AddNullToObject(object, name);
}

static void add_interval(cJSON *object, const char *name, bool known, const sc_interval *interval)
{
  if (known)
    sc_json_interval(&(sc_json){0}, object, name, interval);
  else
    cJSON_AddNullToObject(object, name);
}

static void add_location(cJSON *item, const sc_notice *notice)
{
  if (!*notice->file) {
    cJSON_AddNullToObject(item, "location");
    return;
  }
  cJSON *location = cJSON_AddObjectToObject(item, "location");
  cJSON_AddStringToObject(location, "file", notice->file);
  cJSON_AddNumberToObject(location, "line", notice->line);
  cJSON_AddNumberToObject(location, "column", notice->column);
  cJSON_AddNumberToObject(location, "end_line", notice->end_line);
  cJSON_AddNumberToObject(location, "end_column", notice->end_column);
}

static void add_predictions(cJSON *item, const sc_notice *notice)
{
  cJSON *list = cJSON_AddArrayToObject(item, "predictions");
  for (size_t i = 0; i < notice->prediction_count; i++) {
    const sc_notice_prediction *p = &notice->predictions[i];
    cJSON *prediction = cJSON_CreateObject();
    cJSON_AddItemToArray(list, prediction);
    cJSON_AddNumberToObject(prediction, "n", p->n);
    add_interval(prediction, "before", p->has_before, &p->before);
    add_interval(prediction, "after", p->has_after, &p->after);
    add_interval(prediction, "cost", p->has_cost, &p->cost);
  }
}

static void add_steps(cJSON *item, const sc_notice *notice)
{
  cJSON *list = cJSON_AddArrayToObject(item, "context");
  if (notice->spread)
    list = cJSON_AddArrayToObject(item, "places");
  for (size_t i = 0; i < notice->step_count; i++) {
    cJSON *step = cJSON_CreateObject();
    cJSON_AddItemToArray(list, step);
    cJSON_AddStringToObject(step, "text", notice->steps[i].text);
    cJSON_AddStringToObject(step, "file", notice->steps[i].file);
    cJSON_AddNumberToObject(step, "line", notice->steps[i].line);
    cJSON_AddNumberToObject(step, "column", notice->steps[i].column);
  }
}

static void add_notice(cJSON *list, const sc_notice *notice)
{
  cJSON *item = cJSON_CreateObject();
  cJSON_AddItemToArray(list, item);
  cJSON_AddStringToObject(item, "rule", sc_rule_id(notice->rule));
  cJSON_AddStringToObject(item, "severity", sc_severity_name(notice->severity));
  cJSON_AddStringToObject(item, "subject", notice->subject);
  add_location(item, notice);
  cJSON_AddStringToObject(item, "message", notice->message);
  sc_notice_json_text(item, "parameter", notice->parameter);
  sc_notice_json_number(item, "parameter_at", notice->parameter ? notice->parameter_at : NAN);
  cJSON_AddStringToObject(item, "evidence", notice->evidence);
  cJSON_AddStringToObject(item, "advice", notice->advice);
  sc_notice_json_text(item, "before", notice->before);
  sc_notice_json_text(item, "after", notice->after);
  cJSON_AddStringToObject(item, "metric", notice->metric);
  cJSON_AddStringToObject(item, "unit", notice->unit);
  add_predictions(item, notice);
  add_interval(item, "emergence", !isnan(notice->emergence.value), &notice->emergence);
  sc_notice_json_number(item, "confidence", notice->confidence);
  sc_notice_json_number(item, "share", notice->share);
  cJSON_AddBoolToObject(item, "superlinear", notice->superlinear);
  add_steps(item, notice);
  cJSON_AddStringToObject(item, "fingerprint", notice->fingerprint);
  cJSON_AddBoolToObject(item, "changed", notice->changed);
  sc_report_json_accepted(item, notice->accepted ? notice : NULL);
}

static void add_total(cJSON *document, const sc_notices *notices)
{
  const sc_comparison *c = notices->comparison;
  if (!c || !c->target_count) {
    cJSON_AddNullToObject(document, "total");
    return;
  }
  cJSON *total = cJSON_AddObjectToObject(document, "total");
  cJSON_AddNumberToObject(total, "n", sc_analysis_horizon(notices->judge->loaded.analysis));
  sc_json_interval(&(sc_json){0}, total, "before", &c->base_total);
  sc_json_interval(&(sc_json){0}, total, "after", &c->head_total);
  cJSON_AddStringToObject(total, "unit", c->total_unit);
  cJSON_AddBoolToObject(total, "same_machine", c->same_machine);
}

int sc_notices_print_json(FILE *out, const sc_notices *notices)
{
  const sc_analysis_options *asked = sc_analysis_get_options(notices->judge->loaded.analysis);
  cJSON *document = sc_report_json_document(notices->judge, "review");
  sc_notice_json_text(document, "base", notices->base ? notices->base->study : NULL);
  cJSON *targets = cJSON_AddArrayToObject(document, "targets");
  for (size_t i = 0; i < asked->target_count; i++)
    cJSON_AddItemToArray(targets, cJSON_CreateNumber(asked->targets[i]));
  cJSON_AddStringToObject(document, "verdict", notices->verdict);
  cJSON *counts = cJSON_AddObjectToObject(document, "counts");
  for (int severity = SC_SEVERITY_NOTE; severity <= SC_SEVERITY_ERROR; severity++)
    cJSON_AddNumberToObject(counts, sc_severity_name((enum sc_severity)severity),
                            (double)sc_notices_count(notices, (enum sc_severity)severity));
  cJSON_AddNumberToObject(counts, "accepted", (double)notices->accepted);
  add_total(document, notices);
  cJSON *list = cJSON_AddArrayToObject(document, "notices");
  for (size_t i = 0; i < notices->count; i++)
    add_notice(list, &notices->list[i]);
  int err = sc_budget_to_json(notices->judge, document);
  if (err < 0) {
    cJSON_Delete(document);
    return err;
  }
  return sc_report_json_write(out, document);
}
