/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "instrument/events/probes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/infile.h"
#include "base/utf8.h"
#include "instrument/events/place.h"
#include "instrument/events/probes_internal.h"

/* ---- the events of all sets together -------------------------------------------------------------- */

static bool probes_same_text(const char *a, const char *b) { return a == b || (a && b && strcmp(a, b) == 0); }

static bool probes_same_aliases(const sc_probes_resource *a, const sc_probes_resource *b)
{
  bool same = a->alias_count == b->alias_count;
  for (size_t i = 0; same && i < a->alias_count; i++)
    same = strcmp(a->aliases[i].from, b->aliases[i].from) == 0 && strcmp(a->aliases[i].to, b->aliases[i].to) == 0;
  return same;
}

static bool probes_same_resource(const sc_probes_resource *a, const sc_probes_resource *b)
{
  return a->resource_class == b->resource_class && strcmp(a->word, b->word) == 0 && a->global == b->global &&
         a->idle == b->idle && a->counted == b->counted && a->capacity == b->capacity && a->weight == b->weight &&
         probes_same_aliases(a, b);
}

static bool probes_same_event(const sc_probes_event *a, const sc_probes_event *b)
{
  return a->unit.from == b->unit.from && a->unit.argument == b->unit.argument && a->unit.offset == b->unit.offset &&
         a->units.from == b->units.from && a->units.number == b->units.number &&
         a->units.argument[0] == b->units.argument[0] && a->units.argument[1] == b->units.argument[1] &&
         a->success == b->success && a->timed == b->timed && a->waited == b->waited && a->sharing == b->sharing &&
         a->sharing_argument == b->sharing_argument && a->sharing_value == b->sharing_value &&
         probes_same_text(a->touches, b->touches);
}

static int probes_conflict(const sc_probes_at *at, const struct sc_probes_set *set, const cJSON *before,
                           const char *what, const char *hint)
{
  sc_probes_fault(at, NULL, "%s than in %s:%u", what, set->name,
                  sc_place_line(set->text, set->bytes, set->root, before));
  return sc_err_hint(SC_E_INPUT, "%s", hint);
}

/* 1: an equal event is there, 0: add it. */
static int probes_compare(const sc_probes_at *at, const sc_probes_event *before, const sc_probes_event *event)
{
  const sc_probes_resource *resource = event->resource, *other = before->resource;
  bool same_name = probes_same_text(resource->name, other->name) && resource->name;
  if (same_name && resource != other && !probes_same_resource(resource, other))
    return probes_conflict(at, before->set, before->item, "a resource that is described otherwise",
                           "one resource has one class, capacity, weight and kind of use in all probe sets");
  if (before->event != event->event || strcmp(before->function, event->function) != 0)
    return 0;
  if (resource != other && !(same_name || (!resource->name && !other->name && probes_same_resource(resource, other)))) {
    if (before->timed && event->timed)
      return probes_conflict(at, before->set, before->item, "the same call waits for another resource",
                             "remove one of the two, or its 'wait': the time of a call is spent on one of them");
    return 0;
  }
  if (!probes_same_event(before, event))
    return probes_conflict(at, before->set, before->item, "the same event of the same function in other words",
                           "remove one of the two");
  return 1;
}

static int probes_check_count(const sc_probes_at *at, const sc_probes *probes)
{
  if (probes->event_count + probes->work_count < SC_PROBES_EVENTS)
    return 0;
  sc_probes_fault(at, NULL, "more than %d events", SC_PROBES_EVENTS);
  return sc_err_hint(SC_E_INPUT, "describe the functions that matter");
}

static int probes_add(const sc_probes_at *at, sc_probes *probes, const sc_probes_event *event)
{
  for (size_t i = 0; i < probes->event_count; i++) {
    int found = probes_compare(at, &probes->events[i], event);
    if (found)
      return found < 0 ? found : 0;
  }
  SC_TRY(probes_check_count(at, probes));
  SC_TRY(sc_mem_grow(&probes->events, &probes->event_capacity, probes->event_count + 1, sizeof *probes->events));
  probes->events[probes->event_count++] = *event;
  return 0;
}

static int probes_add_work(const sc_probes_at *at, sc_probes *probes, const sc_probes_work *work)
{
  for (size_t i = 0; i < probes->work_count; i++) {
    const sc_probes_work *before = &probes->works[i];
    if (strcmp(before->function, work->function) != 0)
      continue;
    if (sc_probes_work_equal(before, work))
      return 0;
    return probes_conflict(at, before->set, before->item, "other work of the same function",
                           "remove one of the two: the work of a function has one amount");
  }
  SC_TRY(probes_check_count(at, probes));
  SC_TRY(sc_mem_grow(&probes->works, &probes->work_capacity, probes->work_count + 1, sizeof *probes->works));
  probes->works[probes->work_count++] = *work;
  return 0;
}

/* ---- one set ---------------------------------------------------------------------------------------- */

static int probes_events(sc_probes_at *at, sc_probes *probes, const cJSON *list, const sc_probes_resource *resource)
{
  for (at->item = list->child; at->item; at->item = at->item->next) {
    sc_probes_event event;
    at->what = "an event";
    SC_TRY(sc_probes_parse_event(at, resource, &event));
    event.resource = resource;
    event.set = at->set;
    event.item = at->item;
    SC_TRY(probes_add(at, probes, &event));
  }
  return 0;
}

static int probes_resources(sc_probes_at *at, sc_probes *probes, struct sc_probes_set *set, const cJSON *list)
{
  if (!cJSON_IsArray(list) || !list->child) {
    sc_probes_fault(at, list, "'resources' has to be a list of at least one");
    return sc_err_hint(SC_E_INPUT, "write [{\"name\": ..., \"class\": ..., \"events\": [...]}, ...]");
  }
  set->resources = sc_mem_new((size_t)cJSON_GetArraySize(list), sizeof *set->resources);
  if (!set->resources)
    return SC_E_NOMEM;
  for (at->item = list->child; at->item; at->item = at->item->next) {
    at->what = "a resource";
    SC_TRY(sc_probes_parse_resource(at, &set->resources[set->resource_count++]));
  }
  const sc_probes_resource *resource = set->resources;
  for (const cJSON *item = list->child; item; item = item->next)
    SC_TRY(probes_events(at, probes, cJSON_GetObjectItemCaseSensitive(item, "events"), resource++));
  return 0;
}

/* The events that belong to no resource. */
static int probes_works(sc_probes_at *at, sc_probes *probes, const cJSON *list)
{
  if (!cJSON_IsArray(list) || !list->child) {
    sc_probes_fault(at, list, "'events' has to be a list of at least one");
    return sc_err_hint(SC_E_INPUT, "write [{\"function\": ..., \"event\": \"work\", \"units\": ...}, ...]");
  }
  for (at->item = list->child; at->item; at->item = at->item->next) {
    sc_probes_work work;
    at->what = "an event";
    SC_TRY(sc_probes_work_parse(at, &work));
    work.set = at->set;
    work.item = at->item;
    SC_TRY(probes_add_work(at, probes, &work));
  }
  return 0;
}

static int probes_rejected(sc_probes_at at, const cJSON *list)
{
  if (!cJSON_IsArray(list)) {
    sc_probes_fault(&at, list, "'rejected' has to be a list");
    return sc_err_hint(SC_E_INPUT, "write [{\"function\": ..., \"event\": ..., \"reason\": ...}, ...]");
  }
  at.what = "a rejected event";
  for (at.item = list->child; at.item; at.item = at.item->next)
    SC_TRY(sc_probes_parse_rejected(&at));
  return 0;
}

static int probes_set(sc_probes_at *at, sc_probes *probes, struct sc_probes_set *set)
{
  static const char *const keys[] = {"$schema",         "schema_version", "program",
                                     "program_version", "description",    "resources",
                                     "events",          "rejected",       NULL};
  static const char *const texts[] = {"$schema", "program", "program_version", "description"};
  const cJSON *item, *events = cJSON_GetObjectItemCaseSensitive(set->root, "events");
  const char *text;
  double version;
  SC_TRY(sc_probes_value_object(at, keys));
  SC_TRY(sc_probes_value_member(at, "schema_version", &item));
  SC_TRY(sc_probes_value_integer(at, item, 1, 1, &version));
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    if ((item = cJSON_GetObjectItemCaseSensitive(set->root, texts[i])))
      SC_TRY(sc_probes_value_text(at, item, &text));
  if ((item = cJSON_GetObjectItemCaseSensitive(set->root, "rejected")))
    SC_TRY(probes_rejected(*at, item));
  if (!events || cJSON_HasObjectItem(set->root, "resources")) {
    SC_TRY(sc_probes_value_member(at, "resources", &item));
    SC_TRY(probes_resources(at, probes, set, item));
  }
  return events ? probes_works(at, probes, events) : 0;
}

/* What cJSON takes without a word: bytes that are no UTF-8, and NULs, also as \u0000. */
static int probes_check_text(const char *text, size_t bytes, const char *name)
{
  size_t length;
  for (size_t at = 0; at < bytes; at += length) {
    length = sc_utf8_length(text + at, bytes - at);
    if (length && !(text[at] == '\\' && bytes - at >= 6 && memcmp(text + at, "\\u0000", 6) == 0))
      continue;
    sc_err_set(SC_E_INPUT, "%s:%u: %s", name, sc_place_line_of(text, at),
               length || !text[at] ? "a NUL character" : "not UTF-8");
    return sc_err_hint(SC_E_INPUT, "save the file as UTF-8 text");
  }
  return 0;
}

static int probes_json(const char *text, size_t bytes, const char *name, cJSON **root)
{
  const char *stopped = NULL;
  SC_TRY(probes_check_text(text, bytes, name));
  *root = cJSON_ParseWithLengthOpts(text, bytes + 1, &stopped, 1);
  if (*root)
    return 0;
  size_t at = stopped && stopped >= text && stopped <= text + bytes ? (size_t)(stopped - text) : 0;
  sc_err_set(SC_E_INPUT, "%s:%u: no JSON from here on: '%.*s'", name, sc_place_line_of(text, at),
             (int)(strcspn(text + at, "\n") < 40 ? strcspn(text + at, "\n") : 40), text + at);
  return sc_err_hint(SC_E_INPUT, "a comma, quote or bracket may be missing or too many here or just before");
}

/* Takes the text, which has a NUL behind its bytes. */
static int probes_parse_owned(sc_probes *probes, char *text, size_t bytes, const char *name)
{
  struct sc_probes_set *set = sc_mem_new(1, sizeof *set);
  if (!set) {
    free(text);
    return SC_E_NOMEM;
  }
  set->next = probes->sets;
  probes->sets = set;
  set->text = text;
  set->bytes = bytes;
  set->name = sc_mem_copy_string(name);
  if (!set->name)
    return SC_E_NOMEM;
  SC_TRY(probes_json(text, bytes, name, &set->root));
  sc_probes_at at = {.set = set, .item = set->root, .what = "a probe set"};
  return probes_set(&at, probes, set);
}

static int probes_too_long(const char *name)
{
  sc_err_set(SC_E_INPUT, "%s: longer than %d bytes", name, SC_PROBES_FILE_BYTES);
  return sc_err_hint(SC_E_INPUT, "is it a probe set? docs/probe-sets.md says what one looks like");
}

int sc_probes_parse(sc_probes *probes, const char *text, size_t bytes, const char *name)
{
  if (bytes > SC_PROBES_FILE_BYTES)
    return probes_too_long(name);
  char *copy = sc_mem_new(bytes + 1, 1);
  if (!copy)
    return SC_E_NOMEM;
  memcpy(copy, text, bytes);
  return probes_parse_owned(probes, copy, bytes, name);
}

int sc_probes_read(sc_probes *probes, const char *path)
{
  char what[4200];
  sc_buf text = {0};
  snprintf(what, sizeof what, "the probe set %s", path);
  int err = sc_infile_read(path, SC_E_IO, what, SC_PROBES_FILE_BYTES, &text);
  if (err == SC_E_IO)
    (void)sc_err_hint(err, "give its whole path: compilers run in many folders");
  else if (err == 0)
    err = sc_probes_parse(probes, text.text, text.length, path);
  sc_buf_free(&text);
  return err;
}

void sc_probes_free(sc_probes *probes)
{
  for (struct sc_probes_set *set = probes->sets, *next; set; set = next) {
    next = set->next;
    for (size_t i = 0; i < set->resource_count; i++)
      free(set->resources[i].aliases);
    free(set->resources);
    cJSON_Delete(set->root);
    free(set->name);
    free(set->text);
    free(set);
  }
  free(probes->events);
  free(probes->works);
  memset(probes, 0, sizeof *probes);
}
