/* SPDX-License-Identifier: GPL-3.0-or-later */
/* As a probe set (docs/probe-sets.md): what scale-cc --scale-probes reads, with what a person needs to review it. */
#include <stdlib.h>
#include <string.h>

#include "runner/discover/explain.h"
#include "runner/discover/score.h"
#include "runner/text/format.h"
#include "runner/text/json_parts.h"
#include "runner/text/json_write.h"

/* A probe set has 1 MiB, 1,000 events, 120 KiB of what scale-cc hands to the compiler and texts of 1,023 bytes at most
 * (instrument/events/probes.h). */
enum {
  VERSION = 1,
  TEXT_BYTES = 1000,
  EVENTS = 1000,
  REJECTED = 500,
  LINES_BYTES = 120 << 10,
  LINE_BYTES = 100, /* of an event, beside the names */
  FILE_BYTES = 1000 << 10,
  ITEM_BYTES = 400 /* of an event or a rejected one, beside its texts */
};

typedef struct probes_step {
  const sc_discovery *d;
  sc_json json;
  size_t events, lines, bytes; /* so far: lines, bytes: not less than these will take */
} probes_step;

/* As nm prints it, and as a probe set may name it. */
static bool is_linkage_name(const char *name)
{
  return strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.$@") == strlen(name) &&
         strlen(name) <= TEXT_BYTES;
}

/* A text without control characters, cut to what a probe set takes between characters; it is freed. */
static void put_probes_text(probes_step *step, cJSON *object, const char *key, sc_buf *text)
{
  sc_buf shown = {0};
  step->json.failed |= sc_buf_finish(text) < 0 || sc_discovery_show(text->text, TEXT_BYTES, &shown) < 0;
  sc_buf_free(text);
  sc_json_text(&step->json, object, key, shown.text);
  for (const char *at = shown.text; at && *at; at++)
    step->bytes += 1 + (*at == '"' || *at == '\\');
  sc_buf_free(&shown);
}

/* A resource before this one that has an event of the same name. Probes do not tell functions of one name apart; and
 * the time of a call is spent waiting for one resource. */
static bool is_probes_taken(const sc_discovery *d, const sc_event *event, bool waits)
{
  const char *name = d->facts.functions[event->function].name;
  for (size_t i = 0; i < d->events_count; i++) {
    const sc_event *other = &d->events[i];
    if (other->resource < event->resource && sc_event_is_proposed(d, other) && other->role == event->role &&
        d->facts.functions[other->function].name == name && (waits || other->function != event->function))
      return true;
  }
  return false;
}

static bool is_probes_written(const sc_discovery *d, const sc_event *event)
{
  return sc_event_is_proposed(d, event) && is_linkage_name(d->facts.functions[event->function].name) &&
         !is_probes_taken(d, event, event->role == SC_ROLE_WAIT);
}

static bool has_both(const sc_discovery *d, const sc_resource *resource)
{
  bool acquires = false, releases = false;
  SC_FACTS_EACH (event, d->events, resource->events)
    if (is_probes_written(d, event)) {
      acquires |= event->role == SC_ROLE_ACQUIRE;
      releases |= event->role == SC_ROLE_RELEASE;
    }
  return acquires && releases;
}

/* Whether an acquire waits itself: then that is said with it. */
static bool waits_itself(const sc_discovery *d, const sc_event *event)
{
  SC_FACTS_EACH (other, d->events, d->resources[event->resource].events)
    if (other->role == SC_ROLE_WAIT && other->function == event->function)
      return true;
  return false;
}

static bool acquires_itself(const sc_discovery *d, const sc_event *event)
{
  SC_FACTS_EACH (other, d->events, d->resources[event->resource].events)
    if (other->role == SC_ROLE_ACQUIRE && other->function == event->function && is_probes_written(d, other))
      return true;
  return false;
}

/* Where it stands, why it is believed, what runs showed of it and what speaks against it. */
static void put_reason(probes_step *step, cJSON *item, const sc_event *event)
{
  sc_buf text = {0}, ran = {0}, against = {0};
  sc_explain_place(&step->d->facts.functions[event->function], &text);
  sc_buf_puts(&text, ": ");
  sc_explain_event(step->d, event, &text);
  sc_explain_ran(step->d, event, &ran);
  if (ran.length)
    sc_buf_printf(&text, "; %s", ran.text);
  sc_explain_against(step->d, event, &against);
  if (against.length)
    sc_buf_printf(&text, "; but: %s", against.text);
  put_probes_text(step, item, "reason", &text);
  sc_buf_free(&ran);
  sc_buf_free(&against);
}

static void put_probes_event(probes_step *step, cJSON *list, const sc_event *event)
{
  const sc_discovery *d = step->d;
  const sc_facts_function *function = &d->facts.functions[event->function];
  cJSON *item = sc_json_object(&step->json, list, NULL);
  sc_json_string(&step->json, item, "function", function->name);
  sc_json_string(&step->json, item, "event", sc_explain_role(event->role));
  if (event->unit != SC_UNIT_NONE)
    sc_explain_unit_json(&step->json, item, event->unit);
  if (event->unit == SC_UNIT_RETURN) /* an acquire that returns null has failed; a queue may be empty */
    sc_json_string(&step->json, item, "success", "nonzero");
  if (event->unit >= SC_UNIT_POINTEE && !function->result.pointers && strcmp(function->result.name, "int") == 0)
    sc_json_string(&step->json, item, "success", "zero");
  if (sc_discovery_is_shared(d, event))
    sc_json_bool(&step->json, item, "shared", true);
  if (event->role == SC_ROLE_ACQUIRE && waits_itself(d, event) && !is_probes_taken(d, event, true))
    sc_json_string(&step->json, sc_json_object(&step->json, item, "wait"), "when", "always");
  sc_json_number(&step->json, item, "confidence", sc_explain_confidence(d, event));
  put_reason(step, item, event);
  step->events++;
  step->bytes += strlen(function->name) + ITEM_BYTES;
}

static void put_probes_resource(probes_step *step, cJSON *list, const sc_resource *resource)
{
  const sc_discovery *d = step->d;
  cJSON *item = sc_json_object(&step->json, list, NULL);
  enum sc_mechanism_kind kind = d->mechanisms[resource->mechanism].kind;
  sc_buf name = {0}, text = {0}, doubts = {0};
  sc_explain_resource(d, resource, &name);
  size_t name_bytes = name.length < TEXT_BYTES ? name.length : TEXT_BYTES;
  put_probes_text(step, item, "name", &name);
  sc_json_string(&step->json, item, "class", sc_explain_class(kind));
  sc_buf_printf(&text, "Discovered: %s.", sc_score_word(resource->score));
  sc_explain_doubts(d, resource, &doubts);
  if (doubts.length)
    sc_buf_printf(&text, " Doubtful: %s.", doubts.text);
  sc_buf_free(&doubts);
  put_probes_text(step, item, "description", &text);
  if (kind == SC_BY_REFERENCES)
    sc_json_bool(&step->json, item, "counted", true);
  cJSON *events = sc_json_array(&step->json, item, "events");
  SC_FACTS_EACH (event, d->events, resource->events)
    if (is_probes_written(d, event) && !(event->role == SC_ROLE_WAIT && acquires_itself(d, event))) {
      put_probes_event(step, events, event);
      step->lines += strlen(d->facts.functions[event->function].name) + name_bytes + LINE_BYTES;
    }
  step->bytes += ITEM_BYTES;
}

/* Resources that have room, in their order; *left counts the others. */
static void put_resources(probes_step *step, cJSON *document, size_t count, size_t *left)
{
  const sc_discovery *d = step->d;
  cJSON *list = sc_json_array(&step->json, document, "resources");
  for (size_t i = 0; i < count; i++) {
    size_t events = step->events, lines = step->lines, bytes = step->bytes;
    if (!has_both(d, &d->resources[i]))
      continue;
    put_probes_resource(step, list, &d->resources[i]);
    if (step->json.failed || (step->events <= EVENTS && step->lines <= LINES_BYTES && step->bytes <= FILE_BYTES))
      continue;
    cJSON_DeleteItemFromArray(list, cJSON_GetArraySize(list) - 1);
    step->events = events;
    step->lines = lines;
    step->bytes = bytes;
    ++*left;
  }
}

static void put_probes_rejected_one(probes_step *step, cJSON *list, const sc_rejected *one)
{
  const sc_facts_function *function = &step->d->facts.functions[one->function];
  sc_buf text = {0};
  cJSON *item = sc_json_object(&step->json, list, NULL);
  sc_json_string(&step->json, item, "function", function->name);
  sc_json_string(&step->json, item, "event", sc_explain_role(one->role));
  sc_buf_printf(&text, "%s:%u: ", function->file, one->line);
  sc_explain_rejected(step->d, one, &text);
  put_probes_text(step, item, "reason", &text);
  step->bytes += strlen(function->name) + ITEM_BYTES;
}

/* What runs disprove first: most of the others nobody would have taken for an event. */
static void put_probes_rejected(probes_step *step, cJSON *document)
{
  const sc_discovery *d = step->d;
  cJSON *list = d->rejected_count ? sc_json_array(&step->json, document, "rejected") : NULL;
  size_t count = 0;
  for (int by_run = 1; by_run >= 0; by_run--)
    for (size_t i = 0; i < d->rejected_count && count < REJECTED && step->bytes + 4 * TEXT_BYTES < FILE_BYTES; i++)
      if (sc_rejected_by_run(&d->rejected[i]) == by_run &&
          is_linkage_name(d->facts.functions[d->rejected[i].function].name)) {
        put_probes_rejected_one(step, list, &d->rejected[i]);
        count++;
      }
}

static void put_description(probes_step *step, cJSON *document, size_t left)
{
  sc_buf text = {0};
  sc_buf_puts(&text, "Discovered by scale-run: review it before use. Each event says why it is believed.");
  if (step->d->ran) {
    sc_buf_puts(&text, " ");
    sc_explain_verdict(step->d, &text);
  }
  if (step->d->llm) {
    sc_buf_puts(&text, " ");
    sc_explain_llm(step->d, &text);
  }
  if (left)
    sc_buf_printf(&text, " Left out, as scale-cc takes no more: %s.", sc_format_plural(left, "resource").s);
  put_probes_text(step, document, "description", &text);
}

int sc_discover_print_probes(FILE *out, const sc_discovery *d, const sc_discover_view *view)
{
  probes_step step = {.d = d};
  cJSON *document = cJSON_CreateObject();
  size_t left = 0;
  sc_json_number(&step.json, document, "schema_version", VERSION);
  put_description(&step, document, 0);
  put_resources(&step, document, sc_explain_shown(d, view), &left);
  if (left) {
    cJSON_DeleteItemFromObjectCaseSensitive(document, "description");
    put_description(&step, document, left);
  }
  put_probes_rejected(&step, document);
  int err = 0;
  if (step.events == 0) {
    err = sc_err_set(SC_E_TOOLITTLE, "no resources were found: there is no probe set to write");
    (void)sc_err_hint(err, "scale-run discover --all shows what was looked at, and why it was rejected");
  }
  return sc_json_write(out, document, &step.json, err);
}
