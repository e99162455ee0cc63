/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What runs disprove: gigiprofiler 3.5.1, also without a trace. Functions that run as often at every size are no events
 * of what grows. Where the program had probes, acquire and release are paired by the unit's address. What did not run
 * is neither confirmed nor disproved. */
#include <math.h>

#include "runner/discover/internal.h"
#include "runner/discover/measure.h"

/* One reference is like another; a counter belongs to the object that has it; and who takes from a queue may be back
 * before who put the unit there is. */
static bool pairs_exactly(const sc_discovery *d, const sc_event *event)
{
  enum sc_mechanism_kind kind = d->mechanisms[event->mechanism].kind;
  return kind == SC_BY_FREE_LIST || kind == SC_BY_ALLOCATOR || kind == SC_BY_BUFFER;
}

/* The type of the one object that a value points to, as far as the facts tell; "". It is no array of pointers. */
static const char *value_type(const sc_facts *facts, const sc_facts_function *function, const sc_facts_value *value)
{
  const sc_facts_field *field = value->address ? NULL : sc_facts_field_of(facts, value->place);
  const sc_facts_type_ref *type = field ? &field->type : NULL;
  if (sc_facts_is_argument(value))
    type = sc_discovery_argument_type(facts, function, value->number);
  return type && type->pointers == 1 ? type->name : "";
}

/* Whether objects of the event's type are moved anywhere: they come back with another address. */
static bool is_moved(const sc_discovery *d, const sc_event *event)
{
  const sc_facts *facts = &d->facts;
  const char *type = d->mechanisms[event->mechanism].type;
  for (size_t i = 0; *type && i < facts->functions_count; i++)
    SC_FACTS_EACH (call, facts->calls, facts->functions[i].calls) {
      uint64_t mask = sc_discovery_moves(d, call);
      for (unsigned k = 0; k < call->arguments.count && k < SC_UNIT_POINTEE && mask >> k; k++)
        SC_FACTS_EACH (value, facts->values, facts->lists[call->arguments.first + k])
          if (mask >> k & 1 && value_type(facts, &facts->functions[i], value) == type)
            return true;
    }
  return false;
}

/* What the probes of one resource, as the set had them, counted of an event's resource: units are paired within it. */
typedef struct others {
  bool acquire; /* whether there are probes of what acquires */
  double acquires, releases;
} others;

static others others_of(const sc_discovery *d, const sc_event *event)
{
  const sc_dealt *own = &d->dealt[event - d->events];
  others sum = {0};
  SC_FACTS_EACH (other, d->events, d->resources[event->resource].events) {
    const sc_dealt *dealt = &d->dealt[other - d->events];
    if (!other->chosen || !dealt->any || dealt->measured != own->measured ||
        dealt->counted.resource != own->counted.resource)
      continue;
    sum.acquire |= other->role == SC_ROLE_ACQUIRE;
    sum.acquires += dealt->counted.acquires;
    sum.releases += dealt->counted.releases;
  }
  return sum;
}

/* What is in a pool from the start came there by a release, too. What counts is what could have been acquired before.
 */
static enum sc_rejection check_release(const sc_discovery *d, sc_event *event)
{
  const sc_counted *counted = &d->dealt[event - d->events].counted;
  const others all = others_of(d, event);
  double known = counted->releases - counted->strangers, most = fmin(counted->releases, all.acquires);
  if (!all.acquire || counted->releases < SC_DISCOVER_LEAST || (known > 0 && known >= SC_DISCOVER_FAULTS * most))
    return SC_REJECT_NONE;
  if (!pairs_exactly(d, event))
    event->doubt = SC_DOUBT_STRANGERS;
  else if (is_moved(d, event))
    event->doubt = SC_DOUBT_MOVED;
  return event->doubt ? SC_REJECT_NONE : SC_REJECT_STRANGERS;
}

static enum sc_rejection check_acquire(const sc_discovery *d, sc_event *event)
{
  const sc_counted *counted = &d->dealt[event - d->events].counted;
  if (counted->acquires < SC_DISCOVER_LEAST || others_of(d, event).releases < SC_DISCOVER_LEAST)
    return SC_REJECT_NONE;
  if (counted->back <= 0 && pairs_exactly(d, event)) {
    if (!is_moved(d, event))
      return SC_REJECT_KEPT;
    event->doubt = SC_DOUBT_MOVED;
  }
  if (counted->unseen > SC_DISCOVER_FAULTS * counted->acquires)
    event->doubt = SC_DOUBT_UNSEEN;
  return SC_REJECT_NONE;
}

static enum sc_rejection check_wait(const sc_discovery *d, const sc_event *event)
{
  const sc_counted *counted = &d->dealt[event - d->events].counted;
  bool told = counted->waits >= SC_DISCOVER_LEAST;
  return told && counted->wait_seconds < SC_DISCOVER_DELAY * counted->waits ? SC_REJECT_NO_DELAY : SC_REJECT_NONE;
}

/* What makes room before another try does so once a try: what runs more often than any try has another purpose. */
static bool runs_more_than_tries(const sc_discovery *d, const sc_event *event)
{
  const sc_ran *ran = &d->ran[event->function];
  double tries = 0;
  bool retry = false;
  SC_FACTS_EACH (one, d->evidence, event->evidence)
    retry |= one->shape == SC_SEEN_WAIT_RETRY;
  SC_FACTS_EACH (other, d->events, d->resources[event->resource].events)
    if (other->role == SC_ROLE_ACQUIRE && d->ran[other->function].measured == ran->measured)
      tries = fmax(tries, d->ran[other->function].most);
  return retry && tries > 0 && ran->most > tries;
}

/* Whether a run reached the resource: what releases may run where there is nothing to release. */
static bool is_reached(const sc_discovery *d, const sc_resource *resource)
{
  SC_FACTS_EACH (event, d->events, resource->events)
    if (event->chosen && event->role == SC_ROLE_ACQUIRE && d->ran[event->function].ran)
      return true;
  return false;
}

static bool run_check_grows(const sc_discovery *d, const sc_resource *resource, enum sc_role role)
{
  SC_FACTS_EACH (event, d->events, resource->events)
    if (event->chosen && event->role == role && d->ran[event->function].grows)
      return true;
  return false;
}

/* It ran as often at every size. Where what acquires grows, a release that does not is a leak, or kept on purpose: it
 * stays. */
static bool is_constant(const sc_discovery *d, sc_event *event)
{
  const sc_ran *ran = &d->ran[event->function];
  const sc_resource *resource = &d->resources[event->resource];
  if (!ran->ran || ran->grows || !is_reached(d, resource))
    return false;
  if (event->role == SC_ROLE_WAIT || !run_check_grows(d, resource, SC_ROLE_ACQUIRE))
    return true;
  event->doubt = run_check_grows(d, resource, event->role) ? SC_DOUBT_CONSTANT : SC_DOUBT_NONE;
  return false;
}

static enum sc_rejection run_disproves(const sc_discovery *d, sc_event *event)
{
  const sc_dealt *dealt = &d->dealt[event - d->events];
  if (dealt->discarded)
    return SC_REJECT_TRACE;
  if (is_constant(d, event))
    return SC_REJECT_CONSTANT;
  if (runs_more_than_tries(d, event))
    return SC_REJECT_NO_RETRY;
  if (!dealt->any)
    return SC_REJECT_NONE;
  return event->role == SC_ROLE_ACQUIRE   ? check_acquire(d, event)
         : event->role == SC_ROLE_RELEASE ? check_release(d, event)
                                          : check_wait(d, event);
}

static int check_reject(sc_discovery *d, const sc_event *event, enum sc_rejection why)
{
  return sc_discovery_reject(d, &(sc_rejected){event->function, d->mechanisms[event->mechanism].place,
                                               d->facts.functions[event->function].line, event->role, why,
                                               (uint32_t)(event - d->events)});
}

/* ---- by calls alone -------------------------------------------------------------------------------------------- */

/* Whether its calls tell how many units come back: not where a queue may be empty, or on some paths only. */
static bool always_releases(const sc_discovery *d, const sc_event *event)
{
  bool always = event->unit != SC_UNIT_RETURN;
  SC_FACTS_EACH (one, d->evidence, event->evidence)
    always &= !one->conditional;
  return always;
}

/* Releases that grow faster than what acquires: they release something else, or some acquire is not known. */
static bool releases_more(const sc_discovery *d, const sc_resource *resource)
{
  double acquired = 0, released = 0;
  const sc_ran *first = NULL;
  SC_FACTS_EACH (event, d->events, resource->events) {
    const sc_ran *ran = &d->ran[event->function];
    if (!event->chosen || !ran->ran || event->role == SC_ROLE_WAIT)
      continue;
    first = first ? first : ran;
    if (ran->at != first->at || ran->measured != first->measured) /* not to be compared */
      return false;
    if (event->role == SC_ROLE_ACQUIRE)
      acquired += ran->most - ran->few;
    else if (always_releases(d, event))
      released += ran->most - ran->few;
  }
  return is_reached(d, resource) && released > (1 + SC_DISCOVER_SURPLUS) * acquired;
}

static void check_balance(sc_discovery *d, const sc_resource *resource)
{
  if (!releases_more(d, resource))
    return;
  SC_FACTS_EACH (event, d->events, resource->events)
    if (event->chosen && event->role == SC_ROLE_RELEASE && d->ran[event->function].ran && always_releases(d, event) &&
        !d->dealt[event - d->events].any)
      event->doubt = SC_DOUBT_UNBALANCED;
}

/* ---- resources ------------------------------------------------------------------------------------------------- */

static int check_resource(sc_discovery *d, sc_resource *resource)
{
  resource->proposed = sc_resource_is_shown(resource) && !resource->uncounted;
  sc_discovery_choose_again(d, resource, SC_ROLE_ACQUIRE);
  sc_discovery_choose_again(d, resource, SC_ROLE_RELEASE);
  SC_FACTS_EACH (event, d->events, resource->events)
    event->disproved = event->chosen ? run_disproves(d, event) : SC_REJECT_NONE;
  SC_FACTS_EACH (event, d->events, resource->events) {
    d->verdict.proposed += resource->proposed && event->chosen;
    event->chosen &= !event->disproved;
    if (!resource->proposed || !event->disproved)
      continue;
    SC_TRY(check_reject(d, event, event->disproved));
    d->verdict.rejected++;
  }
  check_balance(d, resource);
  SC_FACTS_EACH (event, d->events, resource->events)
    event->score -= event->doubt ? SC_DISCOVER_DOUBT : 0;
  resource->ran = is_reached(d, resource);
  return 0;
}

/* What is left of a resource that has lost a side. */
static int check_left(sc_discovery *d, const sc_resource *resource)
{
  SC_FACTS_EACH (event, d->events, resource->events) {
    if (!event->chosen || !resource->proposed)
      continue;
    if (!resource->complete) {
      SC_TRY(check_reject(d, event, SC_REJECT_LEFT));
      event->chosen = false;
      d->verdict.rejected++;
    } else if (!resource->ran || !d->ran[event->function].ran)
      d->verdict.not_run++;
    else if (sc_resource_is_shown(resource))
      d->verdict.kept++;
    else
      d->verdict.weak++;
  }
  return 0;
}

int sc_discovery_check(sc_discovery *d)
{
  for (size_t i = 0; i < d->resources_count; i++)
    SC_TRY(check_resource(d, &d->resources[i]));
  sc_discovery_order(d);
  for (size_t i = 0; i < d->resources_count; i++)
    SC_TRY(check_left(d, &d->resources[i]));
  return 0;
}
