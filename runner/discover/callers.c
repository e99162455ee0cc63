/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What callers do with what they obtain: hand it to another function at the end (pairs), or try again (waits). */
#include <limits.h>
#include <stdlib.h>

#include "base/hash.h"
#include "runner/discover/internal.h"

enum { DEEP = 3 };

/* ---- waits ---------------------------------------------------------------------------------------------------- */

static int waits_evidence(sc_discovery *d, uint32_t function, uint32_t mechanism, enum sc_seen shape, uint32_t line,
                          uint32_t other)
{
  return sc_discovery_evidence(d, &(sc_evidence){.function = function,
                                                 .mechanism = mechanism,
                                                 .role = SC_ROLE_WAIT,
                                                 .shape = shape,
                                                 .unit = SC_UNIT_NONE,
                                                 .line = line,
                                                 .other = other});
}

/* The resource that a place belongs to: its own, else one that is kept in the same record. */
static uint32_t waits_mechanism(const sc_discovery *d, uint32_t place)
{
  uint32_t found = SC_FACTS_NONE;
  for (uint32_t i = 0; i < d->mechanisms_count; i++) {
    const sc_mechanism *mechanism = &d->mechanisms[i];
    if (place == SC_FACTS_NONE)
      return found;
    if (mechanism->place == place)
      return i;
    if (mechanism->place != SC_FACTS_NONE && d->facts.places[place].record && found == SC_FACTS_NONE &&
        d->facts.places[mechanism->place].record == d->facts.places[place].record)
      found = i;
  }
  return found;
}

static int waits_block(sc_discovery *d, uint32_t number)
{
  const sc_facts *facts = &d->facts;
  const sc_facts_function *function = &facts->functions[number];
  SC_FACTS_EACH (wait, facts->waits, function->waits) {
    if (!wait->loop)
      continue;
    SC_FACTS_EACH (place, facts->places_listed, wait->rereads) {
      uint32_t mechanism = waits_mechanism(d, *place);
      const sc_known *known = mechanism != SC_FACTS_NONE ? sc_discovery_known(d, number, mechanism) : NULL;
      if (mechanism == SC_FACTS_NONE ||
          (known && known->roles & 1U << SC_ROLE_RELEASE)) /* who waits for work is idle */
        continue;
      SC_TRY(waits_evidence(d, number, mechanism, SC_SEEN_WAIT_BLOCK,
                            facts->calls[function->calls.first + wait->call].line, *place));
      break;
    }
  }
  return 0;
}

/* Whether a function gives something back, as far as it was looked at. */
typedef struct seen_giving {
  size_t acquire;        /* what is said of it: holds for one function that acquires */
  unsigned char yes, no; /* the least depth at which it does, and the first one at which that is not known */
} seen_giving;

typedef struct waits_step {
  sc_discovery *d;
  seen_giving *seen; /* [functions_count] */
  size_t acquire;
} waits_step;

/* Whether it gives something of the mechanism back, itself or by what it calls. */
static bool gives_back(waits_step *step, uint32_t function, uint32_t mechanism, unsigned char depth)
{
  const sc_discovery *d = step->d;
  seen_giving *seen = &step->seen[function];
  if (seen->acquire != step->acquire)
    *seen = (seen_giving){step->acquire, UCHAR_MAX, 0};
  if (depth >= seen->yes || depth < seen->no)
    return depth >= seen->yes;
  const sc_known *known = sc_discovery_known(d, function, mechanism);
  bool gives = known && known->roles & 1U << SC_ROLE_RELEASE;
  if (depth > 0)
    SC_FACTS_EACH (call, d->facts.calls, d->facts.functions[function].calls) {
      if (gives)
        break;
      gives = call->target != SC_FACTS_NONE && call->target != function &&
              gives_back(step, call->target, mechanism, depth - 1);
    }
  if (gives)
    seen->yes = depth;
  else
    seen->no = depth + 1;
  return gives;
}

/* Whether a call in the loop of one that tries to acquire may be what is done where there is nothing. */
static bool may_make_room(waits_step *step, const sc_known *acquire, const sc_facts_call *tries,
                          const sc_facts_call *call)
{
  const sc_discovery *d = step->d;
  return call->loop && call->conditional && call->target != SC_FACTS_NONE && call->target != acquire->function &&
         call->line > tries->line && !sc_discovery_known(d, call->target, acquire->mechanism) &&
         gives_back(step, call->target, acquire->mechanism, DEEP);
}

/* A loop that acquires and tests whether it did, and else calls something that gives back: that is the wait. A loop
 * that calls much of the kind does other work besides. */
static int waits_retry(waits_step *step, const sc_known *acquire)
{
  sc_discovery *d = step->d;
  const sc_facts *facts = &d->facts;
  SC_FACTS_EACH (caller, d->calls_in, d->callers[acquire->function]) {
    const sc_facts_call *tries = &facts->calls[caller->call];
    unsigned count = 0;
    if (!tries->loop || tries->result < SC_FACTS_TESTED)
      continue;
    SC_FACTS_EACH (call, facts->calls, facts->functions[caller->function].calls)
      count += may_make_room(step, acquire, tries, call);
    if (count > SC_DISCOVER_RETRIES)
      continue;
    SC_FACTS_EACH (call, facts->calls, facts->functions[caller->function].calls)
      if (may_make_room(step, acquire, tries, call))
        SC_TRY(waits_evidence(d, call->target, acquire->mechanism, SC_SEEN_WAIT_RETRY, call->line, caller->function));
  }
  return 0;
}

int sc_discovery_waits(sc_discovery *d)
{
  waits_step step = {.d = d};
  size_t count = d->known_count;
  int err = SC_NEW(step.seen, d->facts.functions_count + 1);
  for (uint32_t i = 0; err == 0 && i < d->facts.functions_count; i++)
    err = waits_block(d, i);
  for (size_t i = 0; err == 0 && i < count; i++) {
    sc_known known = d->known[i];
    if (known.roles == 1U << SC_ROLE_ACQUIRE && known.unit == SC_UNIT_RETURN &&
        d->mechanisms[known.mechanism].kind == SC_BY_FREE_LIST && /* nothing else can be used up, */
        !d->flow[known.function].fresh) {                         /* nor this where more is made */
      step.acquire = i + 1;
      err = waits_retry(&step, &known);
    }
  }
  free(step.seen);
  return err;
}

/* ---- pairs ---------------------------------------------------------------------------------------------------- */

typedef struct pair {
  uint32_t from, to;   /* functions: the one's result is last used by the other */
  int from_unit, unit; /* what `from` returns or writes; argument of `to` */
  uint32_t times, line;
} pair;

typedef struct pairs_step {
  sc_discovery *d;
  SC_FACTS_ARRAY(pair, pairs);
  sc_index index;
} pairs_step;

static int pairs_add(pairs_step *step, const pair *one)
{
  const uint32_t key[2] = {one->from, one->to};
  uint32_t hash = sc_hash_key(key, sizeof key);
  SC_TRY(sc_index_reserve(&step->index, step->pairs_count + 1));
  sc_index_slot *slot = sc_index_first(&step->index, hash);
  for (; slot->number; slot = sc_index_next(&step->index, slot)) {
    pair *found = &step->pairs[slot->number - 1];
    if (found->from == one->from && found->to == one->to) {
      found->times++;
      return 0;
    }
  }
  SC_TRY(sc_mem_grow(&step->pairs, &step->pairs_capacity, step->pairs_count + 1, sizeof *step->pairs));
  step->pairs[step->pairs_count++] = *one;
  sc_index_take(&step->index, slot, hash, (uint32_t)step->pairs_count);
  return 0;
}

/* What of a call the value is: its result, or what it wrote for the caller. */
static int pairs_unit(const sc_facts_value *value)
{
  if (sc_facts_is_result(value))
    return SC_UNIT_RETURN;
  return value->from == SC_FACTS_WRITTEN && value->argument < SC_UNIT_POINTEE ? SC_UNIT_POINTEE + (int)value->argument
                                                                              : SC_UNIT_NONE;
}

static int pairs_function(pairs_step *step, const sc_facts_function *function)
{
  const sc_facts *facts = &step->d->facts;
  SC_FACTS_EACH (call, facts->calls, function->calls)
    for (unsigned i = 0; call->target != SC_FACTS_NONE && i < call->arguments.count && i < SC_UNIT_POINTEE; i++) {
      if (!(call->last >> i & 1))
        continue;
      SC_FACTS_EACH (value, facts->values, facts->lists[call->arguments.first + i]) {
        int from_unit = pairs_unit(value);
        if (from_unit == SC_UNIT_NONE)
          continue;
        uint32_t from = facts->calls[function->calls.first + value->number].target;
        if (from != SC_FACTS_NONE && from != call->target)
          SC_TRY(pairs_add(step, &(pair){from, call->target, from_unit, (int)i, 1, call->line}));
      }
    }
  return 0;
}

static int pairs_evidence(sc_discovery *d, const pair *one, uint32_t mechanism, enum sc_role role, unsigned layer)
{
  bool acquires = role == SC_ROLE_ACQUIRE;
  return sc_discovery_evidence(d, &(sc_evidence){.function = acquires ? one->from : one->to,
                                                 .mechanism = mechanism,
                                                 .role = role,
                                                 .shape = SC_SEEN_PAIRED,
                                                 .unit = acquires ? one->from_unit : one->unit,
                                                 .line = one->line,
                                                 .other = acquires ? one->to : one->from,
                                                 .times = one->times,
                                                 .layer = layer});
}

/* Whether it makes or disposes of memory of any type: who pairs it with what is about one type says nothing of it. */
static bool is_allocator(const sc_discovery *d, uint32_t function, int unit)
{
  const sc_flow *flow = &d->flow[function];
  bool disposes = unit >= 0 && unit < SC_UNIT_POINTEE && flow->disposes_direct >> unit & 1;
  bool is = unit == SC_UNIT_RETURN ? flow->fresh_direct : disposes;
  return is && !*sc_discovery_unit_type(&d->facts, &d->facts.functions[function], unit);
}

/* Whether it is called as if it acquired, or released. Of a release the name has to be a clear one: anything may be the
 * last thing that is done with a unit, while who returns it is where it comes from. */
static bool is_called_so(const sc_name *name, enum sc_role role)
{
  return name->role == role && (role == SC_ROLE_ACQUIRE || name->weight >= SC_DISCOVER_VERB);
}

/* Where one of the two is known and the other is called as its counterpart, that is one, too. */
static int pairs_judge(sc_discovery *d, const pair *one, const sc_known *known, enum sc_role role)
{
  bool acquires = role == SC_ROLE_ACQUIRE;
  uint32_t other = acquires ? one->to : one->from;
  enum sc_role opposite = acquires ? SC_ROLE_RELEASE : SC_ROLE_ACQUIRE;
  const sc_known *there = sc_discovery_known(d, other, known->mechanism);
  if (known->roles != 1U << role || known->unit != (acquires ? one->from_unit : one->unit))
    return 0;
  if (d->names[acquires ? one->from : one->to].role == opposite || d->names[other].role == role)
    return 0; /* one of the names says that it is not so */
  if (there ? there->roles != 1U << opposite
            : one->times < SC_DISCOVER_PAIRS || !is_called_so(&d->names[other], opposite) ||
                  is_allocator(d, other, acquires ? one->unit : one->from_unit))
    return 0;
  SC_TRY(pairs_evidence(d, one, known->mechanism, role, known->layer));
  return there ? 0 : pairs_evidence(d, one, known->mechanism, opposite, known->layer);
}

int sc_discovery_pairs(sc_discovery *d)
{
  pairs_step step = {.d = d};
  size_t known_count = d->known_count;
  int err = 0;
  for (size_t i = 0; err == 0 && i < d->facts.functions_count; i++)
    err = pairs_function(&step, &d->facts.functions[i]);
  /* By function, so that each pair meets what is known of its two ends only. */
  sc_facts_slice *of = NULL;
  uint32_t *order = NULL;
  if (err == 0)
    err = SC_NEW(of, d->facts.functions_count + 1);
  if (err == 0)
    err = SC_NEW(order, known_count + 1);
  for (size_t i = 0; err == 0 && i < known_count; i++)
    of[d->known[i].function].count++;
  for (size_t i = 0, sum = 0; err == 0 && i < d->facts.functions_count; sum += of[i].count, of[i++].count = 0)
    of[i].first = (uint32_t)sum;
  for (size_t i = 0; err == 0 && i < known_count; i++) {
    sc_facts_slice *slice = &of[d->known[i].function];
    order[slice->first + slice->count++] = (uint32_t)i;
  }
  for (size_t p = 0; err == 0 && p < step.pairs_count; p++)
    for (int role = SC_ROLE_ACQUIRE; err == 0 && role <= SC_ROLE_RELEASE; role++) {
      sc_facts_slice slice = of[role == SC_ROLE_ACQUIRE ? step.pairs[p].from : step.pairs[p].to];
      for (uint32_t k = 0; err == 0 && k < slice.count; k++)
        err = pairs_judge(d, &step.pairs[p], &d->known[order[slice.first + k]], (enum sc_role)role);
    }
  free(of);
  free(order);
  free(step.pairs);
  sc_index_free(&step.index);
  return err;
}
