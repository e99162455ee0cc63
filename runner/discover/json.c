/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For scripts. */
#include "runner/discover/explain.h"
#include "runner/discover/score.h"
#include "runner/text/json_parts.h"
#include "runner/text/json_write.h"

enum { VERSION = 1 };

typedef void (*explain_fn)(const sc_discovery *d, const sc_event *event, sc_buf *out);

/* A composed text, which is freed. */
static void put_text(sc_json *json, cJSON *object, const char *key, sc_buf *text)
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
  put_text(json, object, key, &text);
}

static void put_function(sc_json *json, cJSON *object, const sc_discovery *d, uint32_t number)
{
  const sc_facts_function *function = &d->facts.functions[number];
  sc_json_string(json, object, "function", function->shown);
  sc_json_string(json, object, "linkage_name", function->name);
  sc_json_string(json, object, "file", function->file);
  sc_json_number(json, object, "line", function->line);
}

static void put_unit(sc_json *json, cJSON *object, int unit)
{
  if (unit == SC_UNIT_NONE) {
    sc_json_null(json, object, "unit");
    return;
  }
  cJSON *item = sc_json_object(json, object, "unit");
  if (unit == SC_UNIT_RETURN)
    sc_json_bool(json, item, "return", true);
  else
    sc_json_number(json, item, unit < SC_UNIT_POINTEE ? "argument" : "pointee_of", unit % SC_UNIT_POINTEE);
}

static void put_event(sc_json *json, cJSON *list, const sc_discovery *d, const sc_event *event)
{
  cJSON *item = sc_json_object(json, list, NULL);
  put_function(json, item, d, event->function);
  sc_json_string(json, item, "event", sc_explain_role(event->role));
  put_unit(json, item, event->unit);
  sc_json_bool(json, item, "proposed", event->chosen);
  sc_json_number(json, item, "layer", event->layer);
  sc_json_number(json, item, "score", event->score);
  sc_json_number(json, item, "confidence", sc_score_confidence(event->score));
  put_explained(json, item, "reason", d, event, sc_explain_event);
  put_explained(json, item, "against", d, event, sc_explain_against);
}

static void put_resource(sc_json *json, cJSON *list, const sc_discovery *d, size_t number)
{
  const sc_resource *resource = &d->resources[number];
  const sc_mechanism *mechanism = &d->mechanisms[resource->mechanism];
  cJSON *item = sc_json_object(json, list, NULL);
  sc_buf name = {0}, doubts = {0};
  sc_json_number(json, item, "rank", (double)number + 1);
  sc_explain_resource(d, resource, &name);
  put_text(json, item, "name", &name);
  sc_json_text(json, item, "unit_type", mechanism->type);
  sc_json_string(json, item, "mechanism", sc_explain_mechanism(mechanism->kind));
  sc_json_string(json, item, "place",
                 mechanism->place == SC_FACTS_NONE ? NULL : d->facts.places[mechanism->place].text);
  sc_json_string(json, item, "class", sc_explain_class(mechanism->kind));
  sc_json_string(json, item, "confidence", resource->complete ? sc_score_word(resource->score) : "one side only");
  sc_json_number(json, item, "score", resource->score);
  sc_json_number(json, item, "call_sites", (double)resource->sites);
  sc_explain_doubts(d, resource, &doubts);
  put_text(json, item, "doubts", &doubts);
  cJSON *events = sc_json_array(json, item, "events");
  SC_FACTS_EACH (event, d->events, resource->events)
    put_event(json, events, d, event);
}

static void put_rejected(sc_json *json, cJSON *document, const sc_discovery *d)
{
  cJSON *list = sc_json_array(json, document, "rejected");
  for (size_t i = 0; i < d->rejected_count; i++) {
    cJSON *item = sc_json_object(json, list, NULL);
    sc_buf text = {0};
    put_function(json, item, d, d->rejected[i].function);
    sc_json_string(json, item, "event", sc_explain_role(d->rejected[i].role));
    sc_explain_rejected(d, &d->rejected[i], &text);
    put_text(json, item, "reason", &text);
  }
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
  cJSON *list = sc_json_array(&json, document, "resources");
  for (size_t i = 0; i < count; i++)
    put_resource(&json, list, d, i);
  put_rejected(&json, document, d);
  return sc_json_write(out, document, &json, 0);
}
