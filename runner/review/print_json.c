/* SPDX-License-Identifier: GPL-3.0-or-later */
/* docs/review.schema.json */
#include <math.h>
#include <string.h>

#include "runner/quantity/budget.h"
#include "runner/report/json.h"
#include "runner/review/review.h"
#include "runner/review/words.h"
#include "runner/text/json_parts.h"

static void add_review_json_location(sc_json *json, cJSON *item, const sc_notice *notice)
{
  cJSON *location = sc_json_object_if(json, item, "location", *notice->file);
  if (!location)
    return;
  sc_json_string(json, location, "file", notice->file);
  sc_json_number(json, location, "line", notice->line);
  sc_json_number(json, location, "column", notice->column);
  sc_json_number(json, location, "end_line", notice->end_line);
  sc_json_number(json, location, "end_column", notice->end_column);
}

static void add_review_json_predictions(sc_json *json, cJSON *item, const sc_notice *notice)
{
  cJSON *list = sc_json_array(json, item, "predictions");
  for (size_t i = 0; i < notice->prediction_count; i++) {
    const sc_notice_prediction *p = &notice->predictions[i];
    cJSON *prediction = sc_json_object(json, list, NULL);
    sc_json_number(json, prediction, "n", p->n);
    sc_json_interval(json, prediction, "before", p->has_before ? &p->before : NULL);
    sc_json_interval(json, prediction, "after", p->has_after ? &p->after : NULL);
    sc_json_interval(json, prediction, "cost", p->has_cost ? &p->cost : NULL);
  }
}

static void add_steps(sc_json *json, cJSON *item, const sc_notice *notice)
{
  cJSON *list = sc_json_array(json, item, "context");
  if (notice->spread)
    list = sc_json_array(json, item, "places");
  for (size_t i = 0; i < notice->step_count; i++) {
    cJSON *step = sc_json_object(json, list, NULL);
    sc_json_string(json, step, "text", notice->steps[i].text);
    sc_json_string(json, step, "file", notice->steps[i].file);
    sc_json_number(json, step, "line", notice->steps[i].line);
    sc_json_number(json, step, "column", notice->steps[i].column);
  }
}

/* What a search for inputs has to tell, or null. */
static void add_review_json_inputs(sc_json *json, cJSON *item, const sc_notice_inputs *inputs)
{
  static const char *const goals[SC_NOTICE_GOALS] = {"bytes_1s", "bytes_1min"};
  cJSON *object = sc_json_object_if(json, item, "inputs", inputs);
  if (!object)
    return;
  sc_json_string(json, object, "family", inputs->family);
  cJSON *example = sc_json_object(json, object, "example");
  sc_json_string(json, example, "text", inputs->example);
  sc_json_number(json, example, "n", inputs->example_n);
  sc_json_number(json, example, "bytes", inputs->example_bytes);
  sc_json_text(json, object, "confirmed", inputs->confirmed);
  sc_json_number(json, object, "order", inputs->order);
  sc_json_number(json, object, "ends", inputs->ends);
  for (int i = 0; i < SC_NOTICE_GOALS; i++)
    sc_json_interval(json, object, goals[i], isnan(inputs->reached[i].value) ? NULL : &inputs->reached[i]);
  sc_json_number(json, object, "seconds_per_megabyte", inputs->per_megabyte);
  sc_json_text(json, object, "file", inputs->file);
}

static void add_notice(sc_json *json, cJSON *list, const sc_notice *notice)
{
  cJSON *item = sc_json_object(json, list, NULL);
  sc_json_string(json, item, "rule", sc_rule_id(notice->rule));
  sc_json_string(json, item, "severity", sc_severity_name(notice->severity));
  sc_json_string(json, item, "subject", notice->subject);
  add_review_json_location(json, item, notice);
  sc_json_string(json, item, "message", notice->message);
  sc_json_string(json, item, "parameter", notice->parameter);
  sc_json_number(json, item, "parameter_at", notice->parameter ? notice->parameter_at : NAN);
  sc_json_string(json, item, "evidence", notice->evidence);
  sc_json_string(json, item, "advice", notice->advice);
  sc_json_string(json, item, "before", notice->before);
  sc_json_string(json, item, "after", notice->after);
  sc_json_string(json, item, "metric", notice->metric);
  sc_json_string(json, item, "unit", notice->unit);
  add_review_json_predictions(json, item, notice);
  sc_json_interval(json, item, "emergence", !isnan(notice->emergence.value) ? &notice->emergence : NULL);
  sc_json_number(json, item, "confidence", notice->confidence);
  sc_json_number(json, item, "share", notice->share);
  sc_json_bool(json, item, "superlinear", notice->superlinear);
  add_review_json_inputs(json, item, notice->inputs);
  add_steps(json, item, notice);
  sc_json_string(json, item, "fingerprint", notice->fingerprint);
  sc_json_bool(json, item, "changed", notice->changed);
  sc_report_json_accepted(json, item, notice->accepted ? notice : NULL);
}

static void add_total(sc_json *json, cJSON *document, const sc_notices *notices)
{
  const sc_comparison *c = notices->comparison;
  cJSON *total = sc_json_object_if(json, document, "total", c && c->target_count);
  if (!total)
    return;
  sc_json_number(json, total, "n", sc_analysis_horizon(notices->judge->loaded.analysis));
  sc_json_interval(json, total, "before", &c->base_total);
  sc_json_interval(json, total, "after", &c->head_total);
  /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): the total is made of it */
  sc_json_string(json, total, "unit", c->total_unit);
  sc_json_bool(json, total, "same_machine", c->same_machine);
}

int sc_notices_print_json(FILE *out, const sc_notices *notices)
{
  const sc_analysis_options *asked =
      sc_notices_of_search(notices) ? NULL : sc_analysis_get_options(notices->judge->loaded.analysis);
  sc_json writer = {0}, *json = &writer;
  cJSON *document = sc_report_json_document(notices->judge, "review");
  sc_json_string(json, document, "base", notices->base ? notices->base->study : NULL);
  cJSON *targets = sc_json_array(json, document, "targets");
  for (size_t i = 0; asked && i < asked->target_count; i++)
    sc_json_number(json, targets, NULL, asked->targets[i]);
  sc_json_string(json, document, "verdict", notices->verdict);
  cJSON *counts = sc_json_object(json, document, "counts");
  for (int severity = SC_SEVERITY_NOTE; severity <= SC_SEVERITY_ERROR; severity++)
    sc_json_number(json, counts, sc_severity_name((enum sc_severity)severity),
                   (double)sc_notices_count(notices, (enum sc_severity)severity));
  sc_json_number(json, counts, "accepted", (double)notices->accepted);
  add_total(json, document, notices);
  cJSON *list = sc_json_array(json, document, "notices");
  for (size_t i = 0; i < notices->count; i++)
    add_notice(json, list, &notices->list[i]);
  return sc_json_write(out, document, json, sc_budget_to_json(json, notices->judge, document));
}
