/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page's data of what changed. */
#include <math.h>

#include "runner/accept/notice.h"
#include "runner/page/parts.h"
#include "runner/text/tuning.h"

/* A change as it is written. */
typedef struct telling {
  const sc_notices *notices;
  const sc_change *change;
  const char *variable; /* that its models are in */
  size_t predictions;
} telling;

static void write_state(const telling *t, const char *key, const sc_change_state *state, sc_page_json *json)
{
  sc_page_open(json, key, '{');
  sc_page_integer(json, "context", state->context == SC_COMPARE_NONE ? -1 : (int64_t)state->context);
  sc_page_integer(json, "resource", state->resource == SC_COMPARE_NONE ? -1 : (int64_t)state->resource);
  sc_page_model_brief(json, "model", state->model, t->variable);
  sc_page_open(json, "predictions", '[');
  for (size_t i = 0; state->predictions && i < t->predictions; i++)
    sc_page_interval(json, NULL, &state->predictions[i]);
  sc_page_close(json, ']');
  sc_page_close(json, '}');
}

/* Along a further parameter: its value in the predictions, and the focused one's. */
static void write_change_along(const sc_notice *notice, sc_page_json *json)
{
  sc_page_open(json, "along", '{');
  sc_page_text(json, "parameter", notice->parameter);
  sc_page_number(json, "at", notice->parameter_at, 17);
  sc_page_number(json, "n", notice->prediction_count ? notice->predictions[0].n : NAN, 17);
  sc_page_close(json, '}');
}

static void write_change(const telling *t, const sc_notice *along, sc_page_json *json)
{
  static const char *const of[] = {"count", "cost", "resource"};
  const sc_change *c = t->change;
  sc_page_open(json, NULL, '{');
  sc_page_text(json, "rule", sc_rule_id(c->rule));
  sc_page_text(json, "title", sc_rule_title(c->rule));
  sc_page_text(json, "help", sc_rule_help(c->rule));
  sc_page_text(json, "severity", sc_severity_name(c->severity));
  sc_page_text(json, "of", of[c->of]);
  sc_page_text(json, "metric", c->of == SC_CHANGE_OF_RESOURCE ? sc_resource_metric_name(c->metric) : NULL);
  if (along)
    write_change_along(along, json);
  write_state(t, "base", &c->base, json);
  write_state(t, "head", &c->head, json);
  sc_page_open(json, "contexts", '[');
  for (size_t i = 0; i < c->context_count && i < SC_PAGE_CHANGED; i++)
    sc_page_integer(json, NULL, c->contexts[i]);
  sc_page_close(json, ']');
  sc_page_integer(json, "context_count", (int64_t)c->context_count);
  sc_page_number(json, "factor", c->factor, 5);
  sc_page_number(json, "share", c->share, 4);
  sc_page_number(json, "emergence", c->emergence, 6);
  sc_page_number(json, "confidence", c->confidence, 3);
  sc_page_text(json, "evidence", c->evidence);
  sc_page_accepted(json, t->notices, c);
  sc_page_close(json, '}');
}

/* Those along further parameters, which were told of, and all others. */
static void write_changes(const sc_notices *notices, sc_page_json *json)
{
  const sc_comparison *comparison = notices->comparison;
  sc_page_open(json, "changes", '[');
  for (size_t i = 0; i < notices->count; i++) {
    const sc_notice *notice = &notices->list[i];
    if (notice->parameter && notice->about)
      write_change(&(telling){notices, notice->about, notice->parameter, notice->prediction_count}, notice, json);
  }
  for (size_t i = 0; i < comparison->count; i++)
    write_change(
        &(telling){notices, &comparison->list[i], notices->judge->loaded.workload->parameter, comparison->target_count},
        NULL, json);
  sc_page_close(json, ']');
}

int sc_page_changes_write(const sc_notices *notices, sc_page_json *json)
{
  const sc_judge *judge = notices->judge, *base = notices->base;
  const sc_comparison *comparison = notices->comparison;
  uint32_t contexts = sc_graph_context_count(judge->loaded.graph);
  uint32_t others = sc_graph_context_count(base->loaded.graph);
  sc_page_open(json, "comparison", '{');
  sc_page_bool(json, "same_machine", comparison->same_machine);
  sc_page_integer(json, "matched", (int64_t)comparison->matched);
  sc_page_integer(json, "renamed", (int64_t)comparison->renamed);
  sc_page_interval(json, "base_total", &comparison->base_total);
  sc_page_interval(json, "head_total", &comparison->head_total);
  sc_page_open(json, "targets", '[');
  for (size_t t = 0; t < comparison->target_count; t++)
    sc_page_number(json, NULL, comparison->targets[t], 17);
  sc_page_close(json, ']');
  sc_page_open(json, "base_of", '[');
  for (uint32_t c = 0; c < contexts; c++)
    sc_page_integer(json, NULL, comparison->base_of[c] < others ? (int64_t)comparison->base_of[c] : -1);
  sc_page_close(json, ']');
  write_changes(notices, json);
  sc_page_close(json, '}');
  return 0;
}
