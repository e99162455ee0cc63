/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Events become resources: those of one mechanism; which layer of functions stands for it, and in which order they
 * are shown. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "runner/discover/internal.h"
#include "runner/discover/llm.h"

static int by_resource(const void *a, const void *b)
{
  const sc_event *x = a, *y = b;
  return SC_COMPARE(x->mechanism, y->mechanism) ?: SC_COMPARE(x->role, y->role) ?: SC_COMPARE(x->layer, y->layer)
         ?: SC_COMPARE(y->score, x->score) ?: SC_COMPARE(x->function, y->function);
}

/* ---- the layer ------------------------------------------------------------------------------------------------ */

static bool calls_event(const sc_discovery *d, const sc_resource *resource, const sc_event *event)
{
  const sc_facts *facts = &d->facts;
  SC_FACTS_EACH (other, d->events, resource->events) {
    if (other == event || other->role != event->role || other->layer > event->layer || !other->chosen)
      continue;
    SC_FACTS_EACH (call, facts->calls, facts->functions[event->function].calls)
      if (call->target == other->function)
        return true;
  }
  return false;
}

/* Whether it may be chosen: once runs were looked at, only where one of them reached it. */
static bool may_choose(const sc_discovery *d, const sc_event *event, enum sc_role role)
{
  return event->role == role && (!d->ran || d->ran[event->function].grows);
}

/* The innermost functions of a role, without those that call another one of them: each unit is counted once. */
static void resource_choose(const sc_discovery *d, const sc_resource *resource, enum sc_role role)
{
  unsigned layer = UINT32_MAX;
  double best = 0;
  SC_FACTS_EACH (event, d->events, resource->events)
    if (may_choose(d, event, role)) {
      layer = event->layer < layer ? event->layer : layer;
      best = fmax(best, event->score);
    }
  double least = fmin(best, SC_DISCOVER_PERHAPS);
  bool any = false;
  SC_FACTS_EACH (event, d->events, resource->events)
    if (may_choose(d, event, role) && event->layer == layer && event->score >= least)
      any = event->chosen = true;
  SC_FACTS_EACH (event, d->events, resource->events)
    if (!any && may_choose(d, event, role) && event->score >= best)
      any = event->chosen = true;
  SC_FACTS_EACH (event, d->events, resource->events)
    if (role != SC_ROLE_WAIT && event->role == role && event->chosen && calls_event(d, resource, event))
      event->chosen = false;
}

void sc_discovery_choose_again(const sc_discovery *d, const sc_resource *resource, enum sc_role role)
{
  bool other = false;
  SC_FACTS_EACH (event, d->events, resource->events) {
    if (event->role == role && event->chosen && d->ran[event->function].ran)
      return;
    other |= may_choose(d, event, role) && event->score >= SC_DISCOVER_PERHAPS;
  }
  SC_FACTS_EACH (event, d->events, resource->events)
    event->chosen &= event->role != role || !other;
  if (other)
    resource_choose(d, resource, role);
}

/* ---- containers and internals --------------------------------------------------------------------------------- */

/* A record that functions add pointers of any type to: a list, a tree, a dictionary. */
static bool is_container(const sc_discovery *d, const char *type)
{
  const sc_facts *facts = &d->facts;
  const sc_facts_type *record = sc_facts_type_of(facts, type);
  if (!record || record->fields.count > SC_DISCOVER_CONTAINER_FIELDS)
    return false;
  for (uint32_t i = 0; i < facts->functions_count; i++) {
    const sc_facts_function *function = &facts->functions[i];
    uint64_t adds = d->flow[i].links;
    bool own = false, any = false;
    for (uint32_t k = 0; adds && k < function->arguments.count && k < SC_UNIT_POINTEE; k++) {
      const sc_facts_type_ref *ref = sc_discovery_argument_type(facts, function, k);
      own |= (adds >> k & 1) && ref->name == type;
      any |= !(adds >> k & 1) && ref->pointers == 1 && strcmp(ref->name, "void") == 0;
    }
    if (own && any)
      return true;
  }
  return false;
}

/* The same, or a node of one: a record with a link to its own type and a pointer of any type. */
static bool is_node(const sc_discovery *d, const char *name)
{
  const sc_facts_type *type = sc_facts_type_of(&d->facts, name);
  bool links = false, holds = false;
  if (!type)
    return false;
  SC_FACTS_EACH (field, d->facts.fields, type->fields) {
    links |= field->type.pointers && field->type.name == name;
    holds |= field->type.pointers == 1 && strcmp(field->type.name, "void") == 0;
  }
  return links && holds && type->fields.count <= SC_DISCOVER_NODE_FIELDS;
}

static void resource_callers(const sc_discovery *d, sc_resource *resource)
{
  const char *file = NULL;
  resource->internal = true;
  SC_FACTS_EACH (event, d->events, resource->events) {
    if (!event->chosen)
      continue;
    const sc_facts_slice callers = d->callers[event->function];
    resource->sites += callers.count;
    SC_FACTS_EACH (caller, d->calls_in, callers) {
      const char *other = d->facts.functions[caller->function].file;
      resource->internal &= !file || other == file;
      file = other;
    }
    resource->internal &= !file || d->facts.functions[event->function].file == file;
  }
  resource->internal &= file != NULL && d->facts.units_count > 1;
}

/* ---- the order ------------------------------------------------------------------------------------------------- */

static double best_of(const sc_discovery *d, const sc_resource *resource, enum sc_role role)
{
  double best = -INFINITY;
  SC_FACTS_EACH (event, d->events, resource->events)
    if (event->role == role && event->chosen)
      best = fmax(best, event->score);
  return best;
}

static bool is_one_function(const sc_discovery *d, const sc_resource *resource)
{
  uint32_t function = SC_FACTS_NONE;
  SC_FACTS_EACH (event, d->events, resource->events)
    if (event->chosen && event->role != SC_ROLE_WAIT) {
      if (function != SC_FACTS_NONE && function != event->function)
        return false;
      function = event->function;
    }
  return true;
}

/* Functions that get a unit: what much of a program works with matters to it. */
static size_t users_of(const sc_discovery *d, const char *type)
{
  const sc_facts *facts = &d->facts;
  size_t count = 0;
  for (size_t i = 0; *type && i < facts->functions_count; i++)
    SC_FACTS_EACH (ref, facts->type_refs, facts->functions[i].arguments)
      if (ref->name == type) {
        count++;
        break;
      }
  return count;
}

/* How often it was acquired where that was measured: what a run does most matters to it. */
static double resource_acquired(const sc_discovery *d, const sc_resource *resource)
{
  double calls = 0;
  SC_FACTS_EACH (event, d->events, resource->events)
    if (d->ran && event->chosen && event->role == SC_ROLE_ACQUIRE)
      calls += d->ran[event->function].most;
  return calls;
}

/* Of a library: what those who use it can obtain and give back. */
static bool is_interface(const sc_discovery *d, const sc_resource *resource)
{
  unsigned roles = 0;
  SC_FACTS_EACH (event, d->events, resource->events)
    if (!d->facts.functions[event->function].is_static && event->score >= SC_DISCOVER_PERHAPS)
      roles |= 1U << event->role;
  return !d->is_program && roles & 1U << SC_ROLE_ACQUIRE && roles & 1U << SC_ROLE_RELEASE;
}

static void resource_rank(const sc_discovery *d, sc_resource *resource)
{
  const sc_mechanism *mechanism = &d->mechanisms[resource->mechanism];
  double acquire = best_of(d, resource, SC_ROLE_ACQUIRE), release = best_of(d, resource, SC_ROLE_RELEASE);
  resource->complete = isfinite(acquire) && isfinite(release) && !is_one_function(d, resource);
  resource->score = isfinite(acquire) && isfinite(release) ? fmin(acquire, release) : fmin(fmax(acquire, release), 0);
  resource->score -= mechanism->local ? SC_DISCOVER_LOCAL : 0;
  resource->container = is_container(d, mechanism->type) || is_node(d, mechanism->type);
  resource->interface = is_interface(d, resource);
  resource->rank = resource->score + SC_DISCOVER_CALLS * log10(1 + resource_acquired(d, resource)) +
                   SC_DISCOVER_SITES * log10(1 + (double)resource->sites) +
                   SC_DISCOVER_USERS * log10(1 + (double)users_of(d, mechanism->type)) +
                   SC_LLM_RANK * sc_llm_takes(d, resource, &(const sc_llm_answer *){NULL}) -
                   (resource->container ? SC_DISCOVER_CONTAINER : 0) - (resource->internal ? SC_DISCOVER_INTERNAL : 0);
}

static int by_rank(const void *a, const void *b)
{
  const sc_resource *x = a, *y = b;
  return SC_COMPARE(sc_resource_is_shown(y), sc_resource_is_shown(x)) ?: SC_COMPARE(x->uncounted, y->uncounted)
         ?: SC_COMPARE(y->ran, x->ran)
         ?: SC_COMPARE(y->interface, x->interface)
         ?: SC_COMPARE(y->rank, x->rank)
         ?: SC_COMPARE(x->mechanism, y->mechanism);
}

/* Whether each call of its events makes, or disposes of, one object of an owner that is known. */
static bool is_uncounted(const sc_discovery *d, const sc_resource *resource)
{
  if (d->mechanisms[resource->mechanism].kind == SC_BY_OWNER)
    SC_FACTS_EACH (event, d->events, resource->events)
      SC_FACTS_EACH (one, d->evidence, event->evidence)
        if ((one->shape == SC_SEEN_KEEP || one->shape == SC_SEEN_DROP) && !one->times)
          return true;
  return false;
}

static int resource_add(sc_discovery *d, size_t first, size_t end)
{
  sc_resource resource = {.mechanism = d->events[first].mechanism,
                          .events = {(uint32_t)first, (uint32_t)(end - first)}};
  for (enum sc_role role = SC_ROLE_ACQUIRE; role < SC_ROLE_COUNT; role++)
    resource_choose(d, &resource, role);
  resource_callers(d, &resource);
  resource.uncounted = is_uncounted(d, &resource);
  SC_TRY(sc_mem_grow(&d->resources, &d->resources_capacity, d->resources_count + 1, sizeof *d->resources));
  d->resources[d->resources_count++] = resource;
  return 0;
}

/* What has only one side is kept with the reason. */
static int resources_alone(sc_discovery *d)
{
  for (size_t i = 0; i < d->resources_count; i++) {
    const sc_resource *resource = &d->resources[i];
    if (resource->complete)
      continue;
    SC_FACTS_EACH (event, d->events, resource->events)
      if (event->chosen && event->score >= SC_DISCOVER_PERHAPS)
        SC_TRY(sc_discovery_reject(d, &(sc_rejected){event->function, d->mechanisms[event->mechanism].place,
                                                     d->evidence[event->evidence.first].line, event->role,
                                                     SC_REJECT_ALONE, SC_FACTS_NONE}));
  }
  return 0;
}

void sc_discovery_order(sc_discovery *d)
{
  for (size_t i = 0; i < d->resources_count; i++)
    resource_rank(d, &d->resources[i]);
  if (d->resources_count)
    qsort(d->resources, d->resources_count, sizeof *d->resources, by_rank);
  for (uint32_t i = 0; i < d->resources_count; i++)
    SC_FACTS_EACH (event, d->events, d->resources[i].events)
      event->resource = i;
}

int sc_discovery_resources(sc_discovery *d)
{
  if (d->events_count)
    qsort(d->events, d->events_count, sizeof *d->events, by_resource);
  for (size_t first = 0, end; first < d->events_count; first = end) {
    for (end = first + 1; end < d->events_count && d->events[end].mechanism == d->events[first].mechanism;)
      end++;
    SC_TRY(resource_add(d, first, end));
  }
  sc_discovery_order(d);
  return resources_alone(d);
}
