/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For scripts. */
#include "runner/discover/explain.h"
#include "runner/discover/llm.h"
#include "runner/discover/score.h"
#include "runner/text/json_parts.h"
#include "runner/text/json_write.h"

enum { VERSION = 1 };

typedef void (*explain_fn)(const sc_discovery *d, const sc_event *event, sc_buf *out);

/* A composed text, which is freed. */
static void put_discovered_text(sc_json *json, cJSON *object, const char *key, sc_buf *text)
{
  json->failed |= sc_buf_finish(text) < 0;
  sc_json_text(json, object, key, text->text);
  sc_buf_free(text);
}

static void put_explained(sc_json *json, cJSON *object, const char *key, const sc_discovery *d, const sc_event *event,
                          explain_fn explain)
{
  sc_buf text = {0};
  explain(d, event, &text);
  put_discovered_text(json, object, key, &text);
}

static void put_function(sc_json *json, cJSON *object, const sc_discovery *d, uint32_t number)
{
  const sc_facts_function *function = &d->facts.functions[number];
  sc_json_string(json, object, "function", function->shown);
  sc_json_string(json, object, "linkage_name", function->name);
  sc_json_string(json, object, "file", function->file);
  sc_json_number(json, object, "line", function->line);
}

/* What probes counted; null without any. */
static void put_counted(sc_json *json, cJSON *measured, const sc_dealt *dealt)
{
  cJSON *probes = sc_json_object_if(json, measured, "probes", dealt->any);
  if (!probes)
    return;
  sc_json_number(json, probes, "acquires", dealt->counted.acquires);
  sc_json_number(json, probes, "failures", dealt->counted.failures);
  sc_json_number(json, probes, "came_back", dealt->counted.back);
  sc_json_number(json, probes, "releases", dealt->counted.releases);
  sc_json_number(json, probes, "releases_of_unknown", dealt->counted.strangers);
  sc_json_number(json, probes, "waits", dealt->counted.waits);
  sc_json_number(json, probes, "wait_seconds", dealt->counted.wait_seconds);
}

/* What runs showed: null where none were looked at. */
static void put_measured(sc_json *json, cJSON *item, const sc_discovery *d, const sc_event *event)
{
  const sc_ran *ran = d->ran ? &d->ran[event->function] : NULL;
  cJSON *measured = sc_json_object_if(json, item, "measured", ran);
  if (!measured)
    return;
  /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): measured is made of it */
  sc_json_bool(json, measured, "ran", ran->ran);
  sc_json_bool(json, measured, "grows", ran->grows);
  sc_json_number(json, measured, "study", ran->measured);
  sc_json_number(json, measured, "calls_at_smallest", ran->few);
  sc_json_number(json, measured, "calls", ran->most);
  sc_json_number(json, measured, "at", ran->at);
  sc_json_string(json, measured, "doubt", sc_explain_doubt(event->doubt));
  put_counted(json, measured, &d->dealt[event - d->events]);
}

static void put_discovered_event(sc_json *json, cJSON *list, const sc_discovery *d, const sc_event *event)
{
  cJSON *item = sc_json_object(json, list, NULL);
  put_function(json, item, d, event->function);
  sc_json_string(json, item, "event", sc_explain_role(event->role));
  sc_explain_unit_json(json, item, event->unit);
  sc_json_bool(json, item, "shared", sc_discovery_is_shared(d, event));
  sc_json_bool(json, item, "proposed", sc_event_is_proposed(d, event));
  sc_json_number(json, item, "layer", event->layer);
  sc_json_number(json, item, "score", event->score);
  sc_json_number(json, item, "confidence", sc_explain_confidence(d, event));
  put_explained(json, item, "reason", d, event, sc_explain_event);
  put_explained(json, item, "against", d, event, sc_explain_against);
  put_measured(json, item, d, event);
}

static void put_discovered_resource(sc_json *json, cJSON *list, const sc_discovery *d, size_t number)
{
  const sc_resource *resource = &d->resources[number];
  const sc_mechanism *mechanism = &d->mechanisms[resource->mechanism];
  cJSON *item = sc_json_object(json, list, NULL);
  sc_buf name = {0}, doubts = {0}, balance = {0};
  sc_json_number(json, item, "rank", (double)number + 1);
  sc_explain_resource(d, resource, &name);
  put_discovered_text(json, item, "name", &name);
  sc_json_text(json, item, "unit_type", mechanism->type);
  sc_json_string(json, item, "mechanism", sc_explain_mechanism(mechanism->kind));
  sc_json_string(json, item, "place",
                 mechanism->place == SC_FACTS_NONE ? NULL : d->facts.places[mechanism->place].text);
  sc_json_string(json, item, "class", sc_explain_class(mechanism->kind));
  sc_json_string(json, item, "confidence", resource->complete ? sc_score_word(resource->score) : "one side only");
  sc_json_number(json, item, "score", resource->score);
  sc_json_number(json, item, "call_sites", (double)resource->sites);
  sc_explain_doubts(d, resource, &doubts);
  put_discovered_text(json, item, "doubts", &doubts);
  sc_explain_balance(d, resource, &balance);
  put_discovered_text(json, item, "balance", &balance);
  cJSON *events = sc_json_array(json, item, "events");
  SC_FACTS_EACH (event, d->events, resource->events)
    put_discovered_event(json, events, d, event);
}

static void put_discovered_rejected(sc_json *json, cJSON *document, const sc_discovery *d)
{
  cJSON *list = sc_json_array(json, document, "rejected");
  for (size_t i = 0; i < d->rejected_count; i++) {
    cJSON *item = sc_json_object(json, list, NULL);
    sc_buf text = {0};
    put_function(json, item, d, d->rejected[i].function);
    sc_json_string(json, item, "event", sc_explain_role(d->rejected[i].role));
    sc_explain_rejected(d, &d->rejected[i], &text);
    put_discovered_text(json, item, "reason", &text);
    sc_json_bool(json, item, "by_run", sc_rejected_by_run(&d->rejected[i]));
  }
}

static void put_studies(sc_json *json, cJSON *document, const sc_discovery *d)
{
  cJSON *list = sc_json_array(json, document, "studies");
  for (size_t i = 0; i < d->measured_count; i++) {
    cJSON *item = sc_json_object(json, list, NULL);
    sc_json_string(json, item, "study", d->measured[i].study);
    sc_json_string(json, item, "parameter", d->measured[i].parameter);
    sc_json_number(json, item, "smallest", d->measured[i].smallest);
    sc_json_number(json, item, "largest", d->measured[i].largest);
    sc_json_number(json, item, "runs", (double)d->measured[i].runs);
  }
  cJSON *verdict = sc_json_object_if(json, document, "verdict", d->ran);
  if (!verdict)
    return;
  sc_json_number(json, verdict, "proposed", (double)d->verdict.proposed);
  sc_json_number(json, verdict, "kept", (double)d->verdict.kept);
  sc_json_number(json, verdict, "weak", (double)d->verdict.weak);
  sc_json_number(json, verdict, "rejected", (double)d->verdict.rejected);
  sc_json_number(json, verdict, "not_run", (double)d->verdict.not_run);
}

/* Without a language model it is null. */
static void put_llm(sc_json *json, cJSON *document, const sc_discovery *d)
{
  const sc_llm *llm = d->llm;
  cJSON *item = sc_json_object_if(json, document, "llm", llm);
  if (!item)
    return;
  sc_json_number(json, item, "questions", (double)llm->asked);
  sc_json_number(json, item, "unanswered", (double)llm->left);
  sc_json_number(json, item, "changed", (double)llm->stale);
  sc_json_number(json, item, "requests", (double)llm->requests);
  sc_json_number(json, item, "tokens", llm->tokens);
  sc_json_number(json, item, "answers", (double)llm->answered);
  sc_json_number(json, item, "not_asked_for", (double)llm->strange);
  sc_json_number(json, item, "of_another_form", (double)llm->invalid);
  sc_json_number(json, item, "unusable_requests", (double)llm->unusable);
  sc_json_text(json, item, "fault", llm->fault.text);
}

int sc_discover_print_json(FILE *out, const sc_discovery *d, const sc_discover_view *view)
{
  sc_json json = {0};
  cJSON *document = cJSON_CreateObject();
  size_t count = sc_explain_shown(d, view);
  sc_json_number(&json, document, "schema_version", VERSION);
  sc_json_string(&json, document, "document", "discover");
  sc_json_number(&json, document, "units", (double)d->facts.units_count);
  sc_json_number(&json, document, "functions", (double)d->facts.functions_count);
  put_studies(&json, document, d);
  put_llm(&json, document, d);
  cJSON *list = sc_json_array(&json, document, "resources");
  for (size_t i = 0; i < count; i++)
    put_discovered_resource(&json, list, d, i);
  put_discovered_rejected(&json, document, d);
  return sc_json_write(out, document, &json, 0);
}
