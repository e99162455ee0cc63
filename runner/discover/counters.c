/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counters that one function counts up and another counts down: references, and gauges of how much is out. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "runner/discover/internal.h"

enum { TYPES = 64 };

typedef struct count_of {
  unsigned ups, downs; /* functions */
  bool references;
  unsigned owners[2];       /* functions that get or return the record with the counter: down, up */
  const char *type;         /* of a unit */
  sc_facts_slice functions; /* of `counting` */
} count_of;

typedef struct counters_step {
  sc_discovery *d;
  const sc_facts *facts;
  count_of *counts;   /* [places_count] */
  uint32_t *counting; /* functions, those of each place together */
} counters_step;

/* What a function does to the place altogether: 1, -1, or 0 where it counts both ways. */
static int net_of(const sc_facts *facts, const sc_facts_function *function, uint32_t place)
{
  int net = 0;
  bool up = false, down = false;
  SC_FACTS_EACH (counter, facts->counters, function->counters) {
    if (counter->place != place || counter->ring)
      continue;
    up |= counter->step > 0;
    down |= counter->step < 0;
    net = counter->net;
  }
  if (up != down)
    return net == 0 ? 0 : up ? 1 : -1;
  return net == SC_FACTS_NET_UNKNOWN ? 0 : net;
}

/* It is the first counter of this place in the function: each is judged once. */
static bool is_first(const sc_facts *facts, const sc_facts_function *function, const sc_facts_counter *counter)
{
  const sc_facts_counter *first = facts->counters + function->counters.first;
  for (; first < counter; first++)
    if (first->place == counter->place)
      return false;
  return true;
}

/* Whether a count that came to zero leads to something's end: a call on some paths, with the record itself. */
static bool disposes_at_zero(const counters_step *step, const sc_facts_function *function,
                             const sc_facts_counter *counter)
{
  const sc_facts *facts = step->facts;
  const sc_facts_value *base = &counter->base;
  if (!counter->tested_zero)
    return false;
  SC_FACTS_EACH (call, facts->calls, function->calls) {
    if (!call->conditional)
      continue;
    bool named_so = call->target != SC_FACTS_NONE && step->d->names[call->target].role == SC_ROLE_RELEASE;
    uint64_t mask = named_so ? UINT64_MAX : sc_discovery_disposes(step->d, call);
    uint64_t handed = sc_discovery_handed_on(facts, call, mask);
    if (handed && (base->from != SC_FACTS_ARGUMENT || (base->number < SC_UNIT_POINTEE && handed >> base->number & 1)))
      return true;
  }
  return false;
}

static bool is_named_so(const char *field)
{
  static const char *const words[] = {"refcount", "refcnt",   "ref_count", "references", "nrefs",
                                      "refs",     "usecount", "pincount",  "pin_count",  "holders"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcasestr(field, words[i]))
      return true;
  return strcasecmp(field, "ref") == 0;
}

/* "curr_conns", "blocked_clients": how many there are now. */
static bool is_gauge(const char *field)
{
  static const char *const words[] = {"curr",   "active", "used",        "in_use",  "inuse",  "busy",
                                      "opened", "live",   "outstanding", "pending", "blocked"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcasestr(field, words[i]))
      return !strcasestr(field, "free");
  return false;
}

static bool counter_gets(const sc_facts *facts, const sc_facts_function *function, const char *type)
{
  for (int i = SC_UNIT_RETURN; type && i < (int)function->arguments.count && i < SC_UNIT_POINTEE; i++)
    if (sc_discovery_unit_type(facts, function, i) == type)
      return true;
  return false;
}

static void counters_count(counters_step *step, uint32_t number)
{
  const sc_facts *facts = step->facts;
  const sc_facts_function *function = &facts->functions[number];
  SC_FACTS_EACH (counter, facts->counters, function->counters) {
    count_of *count = &step->counts[counter->place];
    int net = net_of(facts, function, counter->place);
    count->references |= is_named_so(facts->places[counter->place].field) ||
                         (counter->step < 0 && disposes_at_zero(step, function, counter));
    if (is_first(facts, function, counter)) {
      count->functions.count++;
      count->ups += net > 0;
      count->downs += net < 0;
      count->owners[net > 0] += net && counter_gets(facts, function, facts->places[counter->place].record);
    }
  }
}

/* ---- the unit ------------------------------------------------------------------------------------------------ */

typedef struct type_votes {
  const char *name;
  unsigned up, down;
} type_votes;

static void vote_counter(type_votes *votes, const char *type, bool up)
{
  size_t i = 0;
  if (!*type)
    return;
  while (i < TYPES - 1 && votes[i].name && votes[i].name != type)
    i++;
  votes[i].name = type;
  votes[i].up += up;
  votes[i].down += !up;
}

/* The record type that most of the functions get or return, rather than the one that has the counter. */
static const char *gauge_type(const counters_step *step, uint32_t place)
{
  const sc_facts *facts = step->facts;
  type_votes votes[TYPES] = {0};
  size_t best = TYPES;
  SC_FACTS_EACH (number, step->counting, step->counts[place].functions) {
    const sc_facts_function *function = &facts->functions[*number];
    int net = net_of(facts, function, place);
    for (int i = SC_UNIT_RETURN; net && i < (int)function->arguments.count && i < SC_UNIT_POINTEE; i++)
      vote_counter(votes, sc_discovery_unit_type(facts, function, i), net > 0);
  }
  for (size_t i = 0; i < TYPES; i++) {
    bool owner = votes[i].name && votes[i].name == facts->places[place].record;
    if (!votes[i].up || !votes[i].down)
      continue;
    if (best == TYPES || (owner ? 0 : votes[i].up + votes[i].down) > votes[best].up + votes[best].down ||
        votes[best].name == facts->places[place].record)
      best = i;
  }
  return best == TYPES ? "" : votes[best].name;
}

static int counter_unit_of(const counters_step *step, const sc_facts_function *function,
                           const sc_facts_counter *counter, const char *type)
{
  const sc_facts *facts = step->facts;
  bool references = step->counts[counter->place].references;
  if (references && counter->base.from == SC_FACTS_ARGUMENT && counter->base.number < SC_UNIT_POINTEE &&
      sc_discovery_unit_type(facts, function, (int)counter->base.number) == type)
    return (int)counter->base.number;
  if (*type && sc_discovery_unit_type(facts, function, SC_UNIT_RETURN) == type && counter->step > 0)
    return SC_UNIT_RETURN;
  for (uint32_t i = 0; *type && i < function->arguments.count && i < SC_UNIT_POINTEE; i++)
    if (sc_discovery_unit_type(facts, function, (int)i) == type)
      return (int)i;
  return SC_UNIT_NONE;
}

static int counters_function(counters_step *step, uint32_t number)
{
  const sc_facts *facts = step->facts;
  const sc_facts_function *function = &facts->functions[number];
  SC_FACTS_EACH (counter, facts->counters, function->counters) {
    const count_of *count = &step->counts[counter->place];
    int net = net_of(facts, function, counter->place);
    uint32_t mechanism;
    if (!is_first(facts, function, counter) || !count->ups || !count->downs || step->d->lengths[counter->place])
      continue;
    if (net == 0) {
      SC_TRY(sc_discovery_reject(step->d, &(sc_rejected){number, counter->place, counter->line,
                                                         counter->step > 0 ? SC_ROLE_ACQUIRE : SC_ROLE_RELEASE,
                                                         SC_REJECT_NET_ZERO, SC_FACTS_NONE}));
      continue;
    }
    SC_TRY(sc_discovery_mechanism(step->d, count->references ? SC_BY_REFERENCES : SC_BY_COUNTER, counter->place,
                                  count->type, &mechanism));
    int unit = counter_unit_of(step, function, counter, count->type);
    enum sc_seen up = count->references ? SC_SEEN_REF_UP : SC_SEEN_COUNT_UP;
    enum sc_seen down = count->references ? SC_SEEN_REF_DOWN : SC_SEEN_COUNT_DOWN;
    sc_evidence evidence = {.function = number,
                            .mechanism = mechanism,
                            .role = net > 0 ? SC_ROLE_ACQUIRE : SC_ROLE_RELEASE,
                            .shape = net > 0 ? up : down,
                            .unit = unit,
                            .line = counter->line,
                            .other = counter->place,
                            .conditional = counter->conditional && !count->references};
    SC_TRY(sc_discovery_evidence(step->d, &evidence));
    evidence.shape = SC_SEEN_GAUGE;
    if (!count->references && is_gauge(facts->places[counter->place].field))
      SC_TRY(sc_discovery_evidence(step->d, &evidence));
  }
  return 0;
}

static int counters_by_place(counters_step *step)
{
  const sc_facts *facts = step->facts;
  uint32_t sum = 0;
  for (size_t i = 0; i < facts->places_count; i++) {
    sc_facts_slice *functions = &step->counts[i].functions;
    functions->first = sum;
    sum += functions->count;
    functions->count = 0;
  }
  SC_TRY(SC_NEW(step->counting, sum + 1));
  for (uint32_t i = 0; i < facts->functions_count; i++)
    SC_FACTS_EACH (counter, facts->counters, facts->functions[i].counters)
      if (is_first(facts, &facts->functions[i], counter)) {
        sc_facts_slice *functions = &step->counts[counter->place].functions;
        step->counting[functions->first + functions->count++] = i;
      }
  return 0;
}

int sc_discovery_counters(sc_discovery *d)
{
  counters_step step = {.d = d, .facts = &d->facts};
  int err = SC_NEW(step.counts, d->facts.places_count + 1);
  for (uint32_t i = 0; err == 0 && i < d->facts.functions_count; i++)
    counters_count(&step, i);
  if (err == 0)
    err = counters_by_place(&step);
  for (uint32_t i = 0; err == 0 && i < d->facts.places_count; i++) {
    count_of *count = &step.counts[i];
    if (count->ups && count->downs)
      count->type =
          count->references && count->owners[0] && count->owners[1] ? d->facts.places[i].record : gauge_type(&step, i);
  }
  for (uint32_t i = 0; err == 0 && i < d->facts.functions_count; i++)
    err = counters_function(&step, i);
  free(step.counts);
  free(step.counting);
  return err;
}
