/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Resources and events of a probe set, from JSON. */
#include <stdlib.h>
#include <string.h>

#include "instrument/events/probes_internal.h"

static const char *const parse_events[] = {"acquire", "read", "write", "wait", "release", "name", "resize", NULL};
static const char *const parse_outcomes[] = {"always",      "zero",        "nonzero", "negative",
                                             "nonnegative", "notminusone", NULL};

const char *sc_probes_event_word(enum scale_event event) { return parse_events[event - SCALE_EVENT_ACQUIRE]; }
const char *sc_probes_outcome_word(sc_probes_outcome outcome) { return parse_outcomes[outcome]; }

bool sc_probes_is_resource_event(const cJSON *word)
{
  for (size_t i = 0; cJSON_IsString(word) && parse_events[i]; i++)
    if (strcmp(parse_events[i], word->valuestring) == 0)
      return true;
  return false;
}

/* ---- what an event is about ------------------------------------------------------------------ */

static int parse_unit(const sc_probes_at *event, const cJSON *item, sc_probes_unit *unit)
{
  static const char *const keys[] = {"argument", "field", "pointee_of", "return", NULL};
  sc_probes_at at = sc_probes_inside(event, item, "a unit");
  SC_TRY(sc_probes_value_object(&at, keys));
  const cJSON *argument = cJSON_GetObjectItemCaseSensitive(item, "argument");
  const cJSON *field = cJSON_GetObjectItemCaseSensitive(item, "field");
  const cJSON *pointee = cJSON_GetObjectItemCaseSensitive(item, "pointee_of");
  const cJSON *result = cJSON_GetObjectItemCaseSensitive(item, "return");
  if (!argument + !pointee + !result != 2 || (field && !argument)) {
    sc_probes_fault(&at, NULL, "a unit is one thing");
    return sc_err_hint(SC_E_INPUT, "write {\"argument\": 0}, {\"argument\": 0, \"field\": 16} (what stands 16 bytes "
                                   "behind the address), {\"pointee_of\": 0} or {\"return\": true}");
  }
  if (result) {
    unit->from = SC_PROBES_RESULT;
    return sc_probes_value_return(&at, result);
  }
  unit->from = argument && !field ? SC_PROBES_ARGUMENT : SC_PROBES_FIELD;
  if (field) {
    double offset;
    SC_TRY(sc_probes_value_integer(&at, field, 0, INT32_MAX, &offset));
    unit->offset = (uint32_t)offset;
  }
  return sc_probes_value_argument(&at, argument ? argument : pointee, &unit->argument);
}

/* {"argument": 1} or {"argument": [0, 1]} */
static int parse_amount_argument(const sc_probes_at *at, const cJSON *item, sc_probes_amount *units)
{
  units->from = SC_PROBES_VALUE;
  if (!cJSON_IsArray(item))
    return sc_probes_value_argument(at, item, &units->argument[0]);
  units->from = SC_PROBES_PRODUCT;
  if (cJSON_GetArraySize(item) != 2) {
    sc_probes_fault(at, item, "a product has two factors");
    return sc_err_hint(SC_E_INPUT, "write {\"argument\": [0, 1]} for argument 0 times argument 1");
  }
  SC_TRY(sc_probes_value_argument(at, item->child, &units->argument[0]));
  return sc_probes_value_argument(at, item->child->next, &units->argument[1]);
}

static int parse_amount(const sc_probes_at *event, const cJSON *item, sc_probes_amount *units)
{
  static const char *const keys[] = {"argument", "return", NULL};
  sc_probes_at at = sc_probes_inside(event, item, "the number of units");
  if (cJSON_IsString(item) && strcmp(item->valuestring, "all") == 0) {
    units->from = SC_PROBES_ALL;
    return 0;
  }
  if (cJSON_IsNumber(item)) {
    double number;
    SC_TRY(sc_probes_value_integer(&at, item, 0, UINT32_MAX, &number));
    units->number = (uint32_t)number;
    return 0;
  }
  SC_TRY(sc_probes_value_object(&at, keys));
  const cJSON *argument = cJSON_GetObjectItemCaseSensitive(item, "argument");
  const cJSON *result = cJSON_GetObjectItemCaseSensitive(item, "return");
  if (!argument == !result) {
    sc_probes_fault(&at, NULL, "the number of units is one thing");
    return sc_err_hint(SC_E_INPUT,
                       "write a number, {\"argument\": 1}, {\"argument\": [0, 1]} (a product), {\"return\": true} or "
                       "\"all\"");
  }
  if (argument)
    return parse_amount_argument(&at, argument, units);
  units->from = SC_PROBES_RETURNED;
  return sc_probes_value_return(&at, result);
}

/* ---- how it went -------------------------------------------------------------------------------- */

static int parse_outcome(const sc_probes_at *at, const cJSON *item, sc_probes_outcome *outcome)
{
  size_t index;
  SC_TRY(sc_probes_value_word(at, item, parse_outcomes, &index));
  *outcome = (sc_probes_outcome)index;
  return 0;
}

static int parse_wait(const sc_probes_at *event, const cJSON *item, sc_probes_event *to)
{
  static const char *const keys[] = {"when", NULL};
  sc_probes_at at = sc_probes_inside(event, item, "a wait");
  const cJSON *when;
  SC_TRY(sc_probes_value_object(&at, keys));
  SC_TRY(sc_probes_value_member(&at, "when", &when));
  to->timed = true;
  return parse_outcome(&at, when, &to->waited);
}

static int parse_shared(const sc_probes_at *event, const cJSON *item, sc_probes_event *to)
{
  static const char *const keys[] = {"argument", "equals", NULL};
  const cJSON *argument, *equals;
  double value;
  if (cJSON_IsBool(item)) {
    to->sharing = cJSON_IsTrue(item) ? SC_PROBES_SHARED : SC_PROBES_EXCLUSIVE;
    return 0;
  }
  sc_probes_at at = sc_probes_inside(event, item, "'shared'");
  SC_TRY(sc_probes_value_object(&at, keys));
  SC_TRY(sc_probes_value_member(&at, "argument", &argument));
  SC_TRY(sc_probes_value_member(&at, "equals", &equals));
  SC_TRY(sc_probes_value_argument(&at, argument, &to->sharing_argument));
  SC_TRY(sc_probes_value_integer(&at, equals, INT32_MIN, INT32_MAX, &value));
  to->sharing = SC_PROBES_SHARED_IF;
  to->sharing_value = (int32_t)value;
  return 0;
}

static int parse_touches(const sc_probes_at *at, const cJSON *item, sc_probes_event *to)
{
  const char *known[65] = {0};
  size_t count = 0, index;
  for (size_t i = 0; i < at->set->resource_count && count < 64; i++)
    if (at->set->resources[i].name)
      known[count++] = at->set->resources[i].name;
  SC_TRY(sc_probes_value_text(at, item, &to->touches));
  for (size_t i = 0; i < at->set->resource_count; i++)
    if (at->set->resources[i].name && strcmp(at->set->resources[i].name, to->touches) == 0)
      return 0;
  return sc_probes_value_word(at, item, known, &index);
}

/* ---- what goes together --------------------------------------------------------------------------- */

static bool parse_is_lock(const sc_probes_resource *resource)
{
  return resource->resource_class == SCALE_CLASS_MUTEX || resource->resource_class == SCALE_CLASS_RWLOCK;
}

/* Keys that say something about some events only. */
static int parse_check_keys(const sc_probes_at *at, bool lock, enum scale_event event)
{
  enum {
    A = 1 << SCALE_EVENT_ACQUIRE,
    R = 1 << SCALE_EVENT_READ,
    W = 1 << SCALE_EVENT_WRITE,
    WAIT = 1 << SCALE_EVENT_WAIT,
    BACK = 1 << SCALE_EVENT_RELEASE,
    SIZE = 1 << SCALE_EVENT_RESIZE
  };
  static const struct {
    const char *key;
    int events; /* that it is for */
    const char *hint;
  } rows[] = {{"units", A | R | W | BACK | SIZE, "acquire, read, write, release, resize"},
              {"success", A | R | W | BACK | SIZE, "acquire, read, write, release, resize"},
              {"wait", A | WAIT, "acquire, wait"},
              {"shared", A | BACK, "acquire and release, of locks"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(at->item, rows[i].key);
    bool fits = rows[i].events >> event & 1;
    if (item && lock && strcmp(rows[i].key, "units") == 0) {
      sc_probes_fault(at, item, "a lock has no 'units'");
      return sc_err_hint(SC_E_INPUT, "leave it out, or choose another class");
    }
    if (item && (!fits || (!lock && strcmp(rows[i].key, "shared") == 0))) {
      sc_probes_fault(at, item, "'%s' says nothing about '%s'%s", rows[i].key, sc_probes_event_word(event),
                      fits ? " of what is no lock" : "");
      return sc_err_hint(SC_E_INPUT, "it is for: %s", rows[i].hint);
    }
  }
  return 0;
}

static int parse_check_unit(const sc_probes_at *at, const sc_probes_resource *resource, const sc_probes_event *event)
{
  const cJSON *unit = cJSON_GetObjectItemCaseSensitive(at->item, "unit");
  if (parse_is_lock(resource) && event->event == SCALE_EVENT_RESIZE) {
    sc_probes_fault(at, NULL, "a lock cannot be resized");
    return sc_err_hint(SC_E_INPUT, "choose another event or class");
  }
  if (event->event == SCALE_EVENT_RESIZE && (!unit || event->unit.from == SC_PROBES_RESULT)) {
    sc_probes_fault(at, unit, "a resize has to name the old unit");
    return sc_err_hint(SC_E_INPUT, "add \"unit\", such as {\"argument\": 0}; the new one is what the function returns");
  }
  if (event->event == SCALE_EVENT_NAME && resource->name) {
    sc_probes_fault(at, NULL, "a 'name' for a resource that has one");
    return sc_err_hint(SC_E_INPUT,
                       "leave out this event; it is for locks that are named by what the program calls them");
  }
  if (parse_is_lock(resource) && event->unit.from == SC_PROBES_NONE) {
    sc_probes_fault(at, NULL, "an event of a lock without 'unit'");
    return sc_err_hint(SC_E_INPUT, "add \"unit\", such as {\"argument\": 0}: which lock it is");
  }
  if (event->units.from == SC_PROBES_ALL && event->event != SCALE_EVENT_RELEASE) {
    sc_probes_fault(at, cJSON_GetObjectItemCaseSensitive(at->item, "units"), "'all' says nothing about '%s'",
                    sc_probes_event_word(event->event));
    return sc_err_hint(SC_E_INPUT, "it is for: release");
  }
  return 0;
}

/* Work is nobody's resource. */
static int parse_refuse_work(const sc_probes_at *at)
{
  const cJSON *word = cJSON_GetObjectItemCaseSensitive(at->item, "event");
  if (!cJSON_IsString(word) || strcmp(word->valuestring, "work") != 0)
    return 0;
  sc_probes_fault(at, word, "'work' belongs to no resource");
  return sc_err_hint(SC_E_INPUT, "move it into \"events\" of the probe set itself, beside \"resources\"");
}

/* What is for the reader alone, also as scale-run discover writes it: why the event is believed, and how much. */
static int parse_remarks(const sc_probes_at *at)
{
  static const char *const keys[] = {"description", "reason"};
  const cJSON *item;
  const char *text;
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    if ((item = cJSON_GetObjectItemCaseSensitive(at->item, keys[i])))
      SC_TRY(sc_probes_value_text(at, item, &text));
  item = cJSON_GetObjectItemCaseSensitive(at->item, "confidence");
  if (!item || (cJSON_IsNumber(item) && item->valuedouble >= 0 && item->valuedouble <= 1))
    return 0;
  sc_probes_fault(at, item, "'confidence' has to be a number from 0 to 1");
  return sc_err_hint(SC_E_INPUT, "write 0.9 for 9 of 10, or leave it out");
}

int sc_probes_parse_rejected(const sc_probes_at *at)
{
  static const char *const keys[] = {"function", "event", "reason", NULL};
  const cJSON *item;
  const char *text;
  size_t index;
  SC_TRY(sc_probes_value_object(at, keys));
  SC_TRY(sc_probes_value_member(at, "function", &item));
  SC_TRY(sc_probes_value_function(at, item, &text));
  SC_TRY(sc_probes_value_member(at, "event", &item));
  SC_TRY(sc_probes_value_word(at, item, parse_events, &index));
  SC_TRY(sc_probes_value_member(at, "reason", &item));
  return sc_probes_value_text(at, item, &text);
}

int sc_probes_parse_event(const sc_probes_at *at, const sc_probes_resource *resource, sc_probes_event *event)
{
  static const char *const keys[] = {"function", "event",  "description", "unit",       "units",  "success",
                                     "wait",     "shared", "touches",     "confidence", "reason", NULL};
  const cJSON *item;
  size_t index;
  memset(event, 0, sizeof *event);
  event->units.number = 1;
  SC_TRY(parse_refuse_work(at));
  SC_TRY(sc_probes_value_object(at, keys));
  SC_TRY(sc_probes_value_member(at, "function", &item));
  SC_TRY(sc_probes_value_function(at, item, &event->function));
  SC_TRY(sc_probes_value_member(at, "event", &item));
  SC_TRY(sc_probes_value_word(at, item, parse_events, &index));
  event->event = (enum scale_event)(SCALE_EVENT_ACQUIRE + (int)index);
  event->timed = event->event == SCALE_EVENT_WAIT;
  SC_TRY(parse_check_keys(at, parse_is_lock(resource), event->event));
  SC_TRY(parse_remarks(at));
  if ((item = cJSON_GetObjectItemCaseSensitive(at->item, "unit")))
    SC_TRY(parse_unit(at, item, &event->unit));
  if ((item = cJSON_GetObjectItemCaseSensitive(at->item, "units")))
    SC_TRY(parse_amount(at, item, &event->units));
  if ((item = cJSON_GetObjectItemCaseSensitive(at->item, "success")))
    SC_TRY(parse_outcome(at, item, &event->success));
  if ((item = cJSON_GetObjectItemCaseSensitive(at->item, "wait")))
    SC_TRY(parse_wait(at, item, event));
  if ((item = cJSON_GetObjectItemCaseSensitive(at->item, "shared")))
    SC_TRY(parse_shared(at, item, event));
  if ((item = cJSON_GetObjectItemCaseSensitive(at->item, "touches")))
    SC_TRY(parse_touches(at, item, event));
  return parse_check_unit(at, resource, event);
}

/* ---- resources -------------------------------------------------------------------------------------- */

static int parse_aliases(const sc_probes_at *at, const cJSON *item, sc_probes_resource *resource)
{
  size_t count = (size_t)cJSON_GetArraySize(item);
  if (!cJSON_IsObject(item)) {
    sc_probes_fault(at, item, "'aliases' has to be an object");
    return sc_err_hint(SC_E_INPUT, "write {\"name found in the program\": \"name to show\", ...}");
  }
  if (resource->name) {
    sc_probes_fault(at, item, "'aliases' of a resource with a name");
    return sc_err_hint(SC_E_INPUT, "leave out \"name\" (the locks are then called as the program calls them) or this");
  }
  resource->aliases = count ? sc_mem_new(count, sizeof *resource->aliases) : NULL;
  if (count && !resource->aliases)
    return SC_E_NOMEM;
  for (const cJSON *member = item->child; member; member = member->next) {
    sc_probes_alias *alias = &resource->aliases[resource->alias_count++];
    SC_TRY(sc_probes_value_text(at, member, &alias->to));
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): as many as members */
    alias->from = member->string;
    const char *flaw = sc_probes_value_flaw(alias->from);
    if (flaw || strchr(alias->from, ';') || strpbrk(alias->to, "=;")) {
      sc_probes_fault(at, member, "an alias that %s", flaw ? flaw : "has one of ; = in it");
      return sc_err_hint(SC_E_INPUT, "write \"name found in the program\": \"name to show\"");
    }
  }
  return 0;
}

/* Whether any of the events tells shared holds from others. */
static bool parse_has_shared(const cJSON *events)
{
  for (const cJSON *event = events->child; event; event = event->next)
    if (cJSON_GetObjectItemCaseSensitive(event, "shared"))
      return true;
  return false;
}

static int parse_class(const sc_probes_at *at, sc_probes_resource *resource)
{
  static const char *const words[] = {"lock", "pool", "queue", "cache", "memory", "other", NULL};
  const cJSON *item, *events;
  size_t index;
  SC_TRY(sc_probes_value_member(at, "class", &item));
  SC_TRY(sc_probes_value_word(at, item, words, &index));
  SC_TRY(sc_probes_value_member(at, "events", &events));
  if (!cJSON_IsArray(events) || !events->child) {
    sc_probes_fault(at, events, "'events' has to be a list of at least one");
    return sc_err_hint(SC_E_INPUT, "write [{\"function\": ..., \"event\": \"acquire\", ...}, ...]");
  }
  resource->word = words[index];
  resource->resource_class = index != 0                 ? SCALE_CLASS_OTHER
                             : parse_has_shared(events) ? SCALE_CLASS_RWLOCK
                                                        : SCALE_CLASS_MUTEX;
  return 0;
}

static int parse_weight(const sc_probes_at *at, sc_probes_resource *resource)
{
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(at->item, "weight");
  resource->weight = item ? cJSON_GetNumberValue(item) : -1;
  if (!item || (resource->weight >= 0 && resource->weight <= 1))
    return 0;
  sc_probes_fault(at, item, "'weight' has to be a number from 0 to 1");
  return sc_err_hint(SC_E_INPUT, "probes of weight 1 are dropped last, of weight 0 first; the default is 0.5");
}

int sc_probes_parse_resource(const sc_probes_at *at, sc_probes_resource *resource)
{
  static const char *const keys[] = {"name",   "class",   "description", "shared_between_processes",
                                     "idle",   "counted", "capacity",    "aliases",
                                     "events", "weight",  NULL};
  const cJSON *item;
  const char *description;
  double capacity;
  SC_TRY(sc_probes_value_object(at, keys));
  SC_TRY(parse_class(at, resource));
  if ((item = cJSON_GetObjectItemCaseSensitive(at->item, "name")))
    SC_TRY(sc_probes_value_text(at, item, &resource->name));
  else if (!parse_is_lock(resource)) {
    sc_probes_fault(at, NULL, "a resource without 'name'");
    return sc_err_hint(SC_E_INPUT, "add \"name\": only locks are named by what the program calls them");
  }
  if ((item = cJSON_GetObjectItemCaseSensitive(at->item, "description")))
    SC_TRY(sc_probes_value_text(at, item, &description));
  SC_TRY(sc_probes_value_flag(at, "shared_between_processes", &resource->global));
  SC_TRY(sc_probes_value_flag(at, "idle", &resource->idle));
  SC_TRY(sc_probes_value_flag(at, "counted", &resource->counted));
  if (resource->counted && parse_is_lock(resource)) {
    sc_probes_fault(at, cJSON_GetObjectItemCaseSensitive(at->item, "counted"), "'counted' says nothing about locks");
    return sc_err_hint(SC_E_INPUT, "leave it out: locks that are taken twice are known");
  }
  if ((item = cJSON_GetObjectItemCaseSensitive(at->item, "capacity"))) {
    SC_TRY(sc_probes_value_integer(at, item, 1, UINT32_MAX, &capacity));
    resource->capacity = (uint32_t)capacity;
  }
  SC_TRY(parse_weight(at, resource));
  if ((item = cJSON_GetObjectItemCaseSensitive(at->item, "aliases")))
    SC_TRY(parse_aliases(at, item, resource));
  return 0;
}
