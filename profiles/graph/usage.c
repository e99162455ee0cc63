/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profiles/graph/usage.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "profiles/graph/internal.h"
#include "profiles/layout.inc"

_Static_assert((int)SC_RESOURCE_PROCESS == SCALE_CLASS_PROCESS && (int)SC_RESOURCE_HEAP == SCALE_CLASS_HEAP,
               "layout.inc");
_Static_assert((int)SC_USAGE_EVENT_RESIZE == SCALE_EVENT_RESIZE && (int)SC_USAGE_EVENT_WAIT == SCALE_EVENT_WAIT,
               "layout.inc");
_Static_assert((int)SC_USAGE_BUCKETS == SCALE_HOLD_BUCKETS, "layout.inc");

static const struct {
  const char *name, *unit, *many;
} classes[] = {
    [SC_RESOURCE_MUTEX] = {"mutex", "lock", "mutexes"},
    [SC_RESOURCE_RWLOCK] = {"rwlock", "lock", "rwlocks"},
    [SC_RESOURCE_SPINLOCK] = {"spinlock", "lock", "spinlocks"},
    [SC_RESOURCE_SEMAPHORE] = {"semaphore", "unit", "semaphores"},
    [SC_RESOURCE_CONDITION] = {"condition", "unit", "conditions"},
    [SC_RESOURCE_BARRIER] = {"barrier", "unit", "barriers"},
    [SC_RESOURCE_THREAD] = {"thread", "thread", "threads"},
    [SC_RESOURCE_HEAP] = {"heap", "byte", "heap"},
    [SC_RESOURCE_MAPPING] = {"mapping", "byte", "mappings"},
    [SC_RESOURCE_DESCRIPTOR] = {"descriptor", "descriptor", "descriptors"},
    [SC_RESOURCE_STREAM] = {"stream", "stream", "streams"},
    [SC_RESOURCE_OTHER] = {"other", "unit", "others"},
    [SC_RESOURCE_SLEEP] = {"sleep", "unit", "sleep"},
    [SC_RESOURCE_IO] = {"io", "unit", "I/O"},
    [SC_RESOURCE_PROCESS] = {"process", "unit", "processes"},
};
enum { CLASSES = sizeof classes / sizeof *classes };

static const char *const events[] = {
    [SC_USAGE_EVENT_ACQUIRE] = "acquire", [SC_USAGE_EVENT_READ] = "read",       [SC_USAGE_EVENT_WRITE] = "write",
    [SC_USAGE_EVENT_WAIT] = "wait",       [SC_USAGE_EVENT_RELEASE] = "release", [SC_USAGE_EVENT_NAME] = "name",
    [SC_USAGE_EVENT_RESIZE] = "resize",
};
enum { EVENTS = sizeof events / sizeof *events };

const char *sc_resource_class_name(enum sc_resource_class resource_class)
{
  assert(resource_class >= SC_RESOURCE_MUTEX && (int)resource_class < CLASSES);
  return classes[resource_class].name;
}

bool sc_resource_class_blocks(enum sc_resource_class resource_class) { return resource_class >= SC_RESOURCE_SLEEP; }

const char *sc_resource_class_unit(enum sc_resource_class resource_class)
{
  assert(resource_class >= SC_RESOURCE_MUTEX && (int)resource_class < CLASSES);
  return classes[resource_class].unit;
}

const char *sc_resource_class_plural(enum sc_resource_class resource_class)
{
  assert(resource_class >= SC_RESOURCE_MUTEX && (int)resource_class < CLASSES);
  return classes[resource_class].many;
}

const char *sc_usage_event_name(enum sc_usage_event event)
{
  assert(event >= SC_USAGE_EVENT_ACQUIRE && (int)event < EVENTS);
  return events[event];
}

int sc_usage_resource(sc_graph *graph, const sc_resource *resource, uint32_t *number)
{
  if (resource->resource_class < SC_RESOURCE_MUTEX || (int)resource->resource_class >= CLASSES)
    return sc_err_set(SC_E_INTERNAL, "no such class of resources (%d)", (int)resource->resource_class);
  return sc_resource_set_intern(&graph->usage.resources, resource, number, NULL);
}

uint32_t sc_usage_resource_count(const sc_graph *graph) { return graph->usage.resources.count; }

const sc_resource *sc_usage_resource_at(const sc_graph *graph, uint32_t number)
{
  assert(number < graph->usage.resources.count);
  return graph->usage.resources.list[number];
}

bool sc_usage_is_discarded(const sc_graph *graph, const char *via, const char *resource)
{
  for (size_t i = 0; i < graph->usage.discarded_count; i++)
    if (!strcmp(graph->usage.discarded[i].via, via) && !strcmp(graph->usage.discarded[i].resource, resource))
      return true;
  return false;
}

int sc_usage_add_discarded(sc_graph *graph, const sc_discarded_event *event)
{
  struct sc_usage_tables *tables = &graph->usage;
  if (sc_usage_is_discarded(graph, event->via, event->resource))
    return 0;
  sc_discarded_event own = {sc_pool_intern(&tables->resources.strings, event->via),
                            sc_pool_intern(&tables->resources.strings, event->resource),
                            sc_pool_intern(&tables->resources.strings, event->why)};
  if (!own.via || !own.resource || !own.why)
    return SC_E_NOMEM;
  SC_TRY(sc_mem_grow(&tables->discarded, &tables->discarded_capacity, tables->discarded_count + 1,
                     sizeof *tables->discarded));
  tables->discarded[tables->discarded_count++] = own;
  return sc_usage_drop(graph, own.via, own.resource);
}

const sc_discarded_event *sc_usage_discarded(const sc_graph *graph, size_t *count)
{
  *count = graph->usage.discarded_count;
  return graph->usage.discarded;
}

void sc_usage_free(struct sc_usage_tables *tables)
{
  sc_resource_set_free(&tables->resources);
  free(tables->discarded);
}
