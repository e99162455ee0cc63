/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/process/uprobes_events.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "runner/process/seen.h"

typedef struct choosing {
  sc_uprobes_events *events;
  const sc_uprobes_place *places;
  const sc_functions *functions;
  const char **why; /* [events of the sets] why it is not caught, or NULL */
} choosing;

static bool is_pair(const sc_probes_event *event)
{
  return event->event == SCALE_EVENT_ACQUIRE || event->event == SCALE_EVENT_RELEASE;
}

static bool asks_result(const sc_probes_event *event)
{
  return event->unit.from == SC_PROBES_RESULT || event->units.from == SC_PROBES_RETURNED ||
         event->success != SC_PROBES_ALWAYS || (event->timed && event->waited != SC_PROBES_ALWAYS);
}

/* ---- values ---- */

static const char *check_argument(const sc_function *function, unsigned argument)
{
  const sc_values *values = &function->values;
  if (function->copied)
    return "the compiler made a copy of it with other arguments";
  if (!values->known)
    return argument < SCALE_ARGUMENTS ? NULL : "an argument is on the stack";
  if (argument >= values->count)
    return argument < SCALE_ARGUMENTS ? "it has fewer arguments" : "an argument is on the stack";
  return values->arguments[argument].place < SCALE_ARGUMENTS ? NULL : "an argument is in no register for numbers";
}

static const char *check_result(const sc_function *function, const sc_probes_event *event)
{
  return asks_result(event) && function->values.known && !function->values.result_bytes ? "it returns no number" : NULL;
}

/* The value's number in a capture, added if need be; -2: there is no room. */
static int add_probe_value(struct scale_capture *to, const sc_function *function, enum scale_value_from from,
                           unsigned argument, uint32_t offset)
{
  unsigned place = function->values.known ? function->values.arguments[argument].place : argument;
  for (unsigned i = 0; i < to->values; i++)
    if (to->value[i].from == from && to->value[i].argument == place && to->value[i].offset == offset)
      return (int)i;
  if (to->values == SCALE_VALUES)
    return -2;
  to->value[to->values] = (struct scale_value){(unsigned char)from, (unsigned char)place, 0, offset};
  return (int)to->values++;
}

static uint8_t argument_bytes(const sc_function *function, unsigned argument)
{
  return function->values.known ? function->values.arguments[argument].bytes : 0;
}

/* An argument of the event, as sc_caught_event has it. */
static int take_probe_argument(struct scale_capture *to, const sc_function *function, unsigned argument, int *index,
                               uint8_t *bytes)
{
  *index = add_probe_value(to, function, SCALE_VALUE_ARGUMENT, argument, 0);
  *bytes = argument_bytes(function, argument);
  return *index == -2 ? -1 : 0;
}

static const char *check_arguments(const sc_function *function, const sc_probes_event *event)
{
  const char *why = NULL;
  if (event->unit.from == SC_PROBES_ARGUMENT || event->unit.from == SC_PROBES_FIELD)
    why = check_argument(function, event->unit.argument);
  if (!why && (event->units.from == SC_PROBES_VALUE || event->units.from == SC_PROBES_PRODUCT))
    why = check_argument(function, event->units.argument[0]);
  if (!why && event->units.from == SC_PROBES_PRODUCT)
    why = check_argument(function, event->units.argument[1]);
  if (!why && event->sharing == SC_PROBES_SHARED_IF)
    why = check_argument(function, event->sharing_argument);
  return why;
}

/* Adds to a capture what the event needs. */
static const char *capture_event(struct scale_capture *to, const sc_function *function, sc_caught_event *caught)
{
  const sc_probes_event *event = caught->event;
  struct scale_capture more = *to;
  bool full = false;
  uint8_t ignored;
  if (event->unit.from == SC_PROBES_ARGUMENT)
    full = take_probe_argument(&more, function, event->unit.argument, &caught->unit, &caught->unit_bytes) < 0;
  if (event->unit.from == SC_PROBES_FIELD) {
    enum scale_value_from from = sc_caught_after(event) ? SCALE_VALUE_AFTER : SCALE_VALUE_BEFORE;
    caught->unit = add_probe_value(&more, function, from, event->unit.argument, event->unit.offset);
    full = caught->unit == -2;
  }
  for (int i = 0; i < 2; i++)
    if (event->units.from == SC_PROBES_PRODUCT || (event->units.from == SC_PROBES_VALUE && i == 0))
      full |= take_probe_argument(&more, function, event->units.argument[i], &caught->units[i],
                                  &caught->units_bytes[i]) < 0;
  if (event->sharing == SC_PROBES_SHARED_IF)
    full |= take_probe_argument(&more, function, event->sharing_argument, &caught->sharing, &ignored) < 0;
  if (full)
    return "its events need too many of its arguments";
  if (sc_caught_before(event))
    more.tells |= SCALE_TELLS_ENTRY;
  if (sc_caught_after(event))
    more.tells |= SCALE_TELLS_RETURN;
  *to = more;
  return NULL;
}

/* ---- resources ---- */

static const char *name_resource(const sc_probes_event *event, char *text, size_t size)
{
  if (event->resource->name)
    return event->resource->name;
  snprintf(text, size, "locks of %.200s", event->function);
  return text;
}

/* A set's resource without a name is called after the function that its first event is of. */
static int intern_resource(const choosing *c, const sc_probes_event *event, const char *name, uint32_t *number)
{
  sc_caught_events *to = &c->events->caught;
  const sc_probes_resource *of = event->resource;
  for (*number = 0; *number < to->resource_count; ++*number) {
    const sc_resource *known = &to->resources[*number].resource;
    if ((int)known->resource_class == (int)of->resource_class && strcmp(known->name, name) == 0)
      return 0;
  }
  SC_TRY(sc_mem_grow(&to->resources, &to->resource_room, to->resource_count + 1, sizeof *to->resources));
  char *copy = sc_mem_copy_string(name);
  if (!copy)
    return SC_E_NOMEM;
  to->resources[to->resource_count++] =
      (sc_caught_resource){.resource = {.resource_class = (enum sc_resource_class)of->resource_class,
                                        .name = copy,
                                        .file = "",
                                        .probe = true,
                                        .global = of->global,
                                        .idle = of->idle,
                                        .capacity = of->capacity},
                           .counted = of->counted};
  return 0;
}

static const sc_probes_event *first_of_resource(const sc_probes *probes, const sc_probes_resource *resource)
{
  for (size_t i = 0; i < probes->event_count; i++)
    if (probes->events[i].resource == resource)
      return &probes->events[i];
  return NULL;
}

/* The one that an event touches is the application's own, whatever the set has it for. */
static int intern_touched(const choosing *c, const sc_probes_event *event, uint32_t *number)
{
  sc_probes_resource plain = {.name = event->touches, .resource_class = SCALE_CLASS_OTHER};
  *number = UINT32_MAX;
  if (!event->touches)
    return 0;
  for (size_t i = 0; i < c->events->probes.event_count; i++) {
    const sc_probes_resource *known = c->events->probes.events[i].resource;
    if (known->name && known->resource_class == SCALE_CLASS_OTHER && strcmp(known->name, event->touches) == 0)
      plain = *known;
  }
  const sc_probes_event like = {.function = event->function, .resource = &plain};
  return intern_resource(c, &like, plain.name, number);
}

/* ---- choosing ---- */

static const char *check_event(const choosing *c, size_t number)
{
  const sc_probes_event *event = &c->events->probes.events[number];
  const sc_uprobes_place *place = &c->places[number];
  if (place->function == UINT32_MAX)
    return place->why;
  const sc_function *function = &c->functions->list[place->function];
  if (event->event == SCALE_EVENT_RESIZE)
    return "uprobes do not catch what resizes";
  if (function->inlined)
    return "the compiler inlined some of its calls";
  if (function->split)
    return "the compiler inlined a part of it";
  if (sc_caught_after(event) && place->harm)
    return place->harm;
  return check_result(function, event) ?: check_arguments(function, event);
}

/* Without some of its acquires or releases a resource has none. */
static void check_resources(const choosing *c)
{
  const sc_probes *probes = &c->events->probes;
  for (size_t i = 0; i < probes->event_count; i++) {
    if (!c->why[i] || !is_pair(&probes->events[i]))
      continue;
    for (size_t k = 0; k < probes->event_count; k++)
      if (probes->events[k].resource == probes->events[i].resource && !c->why[k])
        c->why[k] = "others of its resource are not";
  }
}

static int keep_event(const choosing *c, size_t number)
{
  const sc_probes_event *event = &c->events->probes.events[number];
  const sc_uprobes_place *place = &c->places[number];
  const sc_function *function = &c->functions->list[place->function];
  sc_caught_events *to = &c->events->caught;
  char text[240];
  sc_caught_event caught = {.event = event,
                            .function = place->function,
                            .unit = SC_CAUGHT_NO_VALUE,
                            .units = {SC_CAUGHT_NO_VALUE, SC_CAUGHT_NO_VALUE},
                            .sharing = SC_CAUGHT_NO_VALUE,
                            .result_bytes = function->values.result_bytes};
  SC_TRY(intern_resource(c, event,
                         name_resource(first_of_resource(&c->events->probes, event->resource), text, sizeof text),
                         &caught.resource));
  SC_TRY(intern_touched(c, event, &caught.touched));
  (void)capture_event(&c->events->captures[place->function], function, &caught);
  SC_TRY(sc_mem_grow(&to->list, &to->room, to->count + 1, sizeof *to->list));
  to->list[to->count++] = caught;
  return 0;
}

/* Whether a function's values have room for all its events, one after the other. */
static void check_room(const choosing *c, struct scale_capture *captures)
{
  const sc_probes *probes = &c->events->probes;
  for (size_t i = 0; i < probes->event_count; i++) {
    sc_caught_event trial = {.event = &probes->events[i]};
    if (!c->why[i] && probes->events[i].event != SCALE_EVENT_NAME)
      c->why[i] = capture_event(&captures[c->places[i].function], &c->functions->list[c->places[i].function], &trial);
  }
}

static int compare_functions(const void *left, const void *right)
{
  const sc_caught_event *a = left, *b = right;
  return SC_COMPARE(a->function, b->function) ?: SC_COMPARE(a->event, b->event);
}

static void note_uncaught(const choosing *c, size_t number)
{
  const sc_probes_event *event = &c->events->probes.events[number];
  char what[200], name[240];
  snprintf(what, sizeof what, "%s: %s", sc_probes_event_word(event->event), c->why[number]);
  sc_seen_add(&c->events->uncaught, what, event->function,
              name_resource(first_of_resource(&c->events->probes, event->resource), name, sizeof name), 0);
}

static int refuse_all_events(const choosing *c)
{
  const sc_probes *probes = &c->events->probes;
  const sc_probes_event *first = probes->event_count ? &probes->events[0] : NULL;
  if (!first) {
    (void)sc_err_set(SC_E_INPUT, "the probe set has no events of resources: uprobes catch no work");
    return sc_err_hint(SC_E_INPUT, "--uprobes %s counts calls of its functions",
                       probes->work_count ? probes->works[0].function : "parse,lookup");
  }
  (void)sc_err_set(SC_E_INPUT, "no event of the probe set can be caught: %.200s of the first one: %s", first->function,
                   c->why[0] ? c->why[0] : "it counts as nothing");
  return sc_err_hint(SC_E_INPUT, "a program that is stripped needs its debug symbols (Debian: a package that ends in "
                                 "-dbgsym); other programs: --uprobes, or scale-cc");
}

static int choose_all(const choosing *c)
{
  const sc_probes *probes = &c->events->probes;
  for (size_t i = 0; i < probes->event_count; i++)
    c->why[i] = check_event(c, i);
  check_resources(c);
  struct scale_capture *trial = sc_mem_new(c->functions->count, sizeof *trial);
  if (!trial)
    return SC_E_NOMEM;
  check_room(c, trial);
  free(trial);
  check_resources(c);
  for (size_t i = 0; i < probes->event_count; i++) {
    if (c->why[i])
      note_uncaught(c, i);
    else if (probes->events[i].event != SCALE_EVENT_NAME)
      SC_TRY(keep_event(c, i));
  }
  SC_TRY(sc_buf_finish(&c->events->uncaught));
  if (!c->events->caught.count)
    return refuse_all_events(c);
  qsort(c->events->caught.list, c->events->caught.count, sizeof *c->events->caught.list, compare_functions);
  return 0;
}

int sc_uprobes_events_choose(sc_uprobes_events *events, const sc_uprobes_place *places, const sc_functions *functions)
{
  choosing c = {events, places, functions, sc_mem_new(events->probes.event_count, sizeof *c.why)};
  int err = c.why ? SC_NEW(events->captures, functions->count) : SC_E_NOMEM;
  err = err ?: choose_all(&c);
  free(c.why);
  return err;
}

void sc_uprobes_events_free(sc_uprobes_events *events)
{
  for (size_t i = 0; i < events->caught.resource_count; i++)
    free((char *)events->caught.resources[i].resource.name);
  free(events->caught.resources);
  free(events->caught.list);
  free(events->captures);
  sc_buf_free(&events->uncaught);
  sc_probes_free(&events->probes);
  *events = (sc_uprobes_events){0};
}
