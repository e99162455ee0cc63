/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions that hand on what another one does: they return what it acquired, or hand it their own argument in any
 * case. What is handed over on some paths only is no event of theirs. */
#include <stdlib.h>

#include "base/hash.h"
#include "runner/discover/internal.h"

/* Where the index has a function and a root, or where they would be. */
static sc_index_slot *known_slot(const sc_discovery *d, uint32_t function, uint32_t root, uint32_t *hash)
{
  const uint32_t key[2] = {function, root};
  *hash = sc_hash_key(key, sizeof key);
  sc_index_slot *slot = sc_index_first(&d->known_index, *hash);
  for (; slot->number; slot = sc_index_next(&d->known_index, slot))
    if (d->known[slot->number - 1].function == function && d->known[slot->number - 1].mechanism == root)
      break;
  return slot;
}

const sc_known *sc_discovery_known(const sc_discovery *d, uint32_t function, uint32_t mechanism)
{
  uint32_t hash;
  if (!d->known_index.slots)
    return NULL;
  const sc_index_slot *slot = known_slot(d, function, sc_discovery_root(d, mechanism), &hash);
  return slot->number ? &d->known[slot->number - 1] : NULL;
}

/* sc_discovery_known, made anew if it is missing. The pointer holds until the next is made. */
static int make_known(sc_discovery *d, uint32_t function, uint32_t mechanism, sc_known **known)
{
  uint32_t hash;
  mechanism = sc_discovery_root(d, mechanism);
  SC_TRY(sc_index_reserve(&d->known_index, d->known_count + 1));
  sc_index_slot *slot = known_slot(d, function, mechanism, &hash);
  if (!slot->number) {
    SC_TRY(sc_mem_grow(&d->known, &d->known_capacity, d->known_count + 1, sizeof *d->known));
    d->known[d->known_count++] = (sc_known){.function = function, .mechanism = mechanism, .unit = SC_UNIT_NONE};
    sc_index_take(&d->known_index, slot, hash, (uint32_t)d->known_count);
  }
  *known = &d->known[slot->number - 1];
  return 0;
}

/* Handed over on some paths only, but at the end and by a function that is called a release: the others have nothing to
 * give back (a null pointer, a count that is not zero). */
static bool forward_ends(const sc_discovery *d, const sc_caller *caller, const sc_known *known)
{
  const sc_facts_call *call = &d->facts.calls[caller->call];
  return known->roles == 1U << SC_ROLE_RELEASE && known->unit >= 0 && known->unit < SC_UNIT_POINTEE &&
         call->last >> known->unit & 1 && d->names[caller->function].role == SC_ROLE_RELEASE;
}

/* What the caller's unit is, where it hands on; SC_UNIT_NONE where it does not. *conditional: it would, on some paths.
 */
static int forward_unit(const sc_facts *facts, const sc_facts_function *caller, const sc_facts_call *call, int unit,
                        bool *conditional)
{
  uint32_t argument, number = (uint32_t)(call - facts->calls) - caller->calls.first;
  *conditional = false;
  if (unit == SC_UNIT_RETURN)
    return sc_discovery_returns_call(facts, caller, number) ? SC_UNIT_RETURN : SC_UNIT_NONE;
  if (unit < 0 || (unsigned)unit % SC_UNIT_POINTEE >= call->arguments.count)
    return SC_UNIT_NONE;
  int pointee = unit / SC_UNIT_POINTEE * SC_UNIT_POINTEE;
  sc_facts_slice values = facts->lists[call->arguments.first + (uint32_t)unit % SC_UNIT_POINTEE];
  if (!pointee && sc_discovery_is_handle(facts, caller, values, &argument)) {
    *conditional = call->conditional;
    return (int)argument + SC_UNIT_POINTEE;
  }
  if (!sc_discovery_is_argument(facts, values, &argument)) {
    if (!call->conditional && !pointee)
      SC_FACTS_EACH (value, facts->values, values)
        if (sc_facts_is_result(value) && sc_discovery_returns_call(facts, caller, value->number))
          return SC_UNIT_RETURN;
    return SC_UNIT_NONE;
  }
  *conditional = call->conditional;
  return (int)argument + pointee;
}

/* A wrapper that is found in this round. */
typedef struct wrapper {
  uint32_t function, mechanism, of, line;
  enum sc_role role;
  int unit;
  bool conditional;
} wrapper;

typedef struct forward_step {
  sc_discovery *d;
  unsigned layer;
  SC_FACTS_ARRAY(wrapper, found);
} forward_step;

static int forward_reject(sc_discovery *d, const sc_caller *caller, const sc_known *known, enum sc_role role)
{
  if (role != SC_ROLE_RELEASE || d->names[caller->function].role != SC_ROLE_RELEASE)
    return 0;
  return sc_discovery_reject(d, &(sc_rejected){caller->function, d->mechanisms[known->mechanism].place,
                                               d->facts.calls[caller->call].line, role, SC_REJECT_CONDITIONAL,
                                               known->function});
}

static int forward_from(forward_step *step, const sc_known *known)
{
  sc_discovery *d = step->d;
  const sc_facts *facts = &d->facts;
  enum sc_role role = known->roles == 1 ? SC_ROLE_ACQUIRE : SC_ROLE_RELEASE;
  SC_FACTS_EACH (caller, d->calls_in, d->callers[known->function]) {
    bool conditional;
    const sc_facts_call *call = &facts->calls[caller->call];
    int unit = forward_unit(facts, &facts->functions[caller->function], call, known->unit, &conditional);
    if (caller->function == known->function || sc_discovery_known(d, caller->function, known->mechanism))
      continue;
    if (conditional && !forward_ends(d, caller, known)) {
      SC_TRY(forward_reject(d, caller, known, role));
      continue;
    }
    if (unit == SC_UNIT_NONE)
      continue;
    SC_TRY(sc_mem_grow(&step->found, &step->found_capacity, step->found_count + 1, sizeof *step->found));
    step->found[step->found_count++] =
        (wrapper){caller->function, known->mechanism, known->function, call->line, role, unit, conditional};
  }
  return 0;
}

static int forward_take(forward_step *step)
{
  sc_discovery *d = step->d;
  for (size_t i = 0; i < step->found_count; i++) {
    const wrapper *one = &step->found[i];
    sc_known *known;
    SC_TRY(make_known(d, one->function, one->mechanism, &known));
    if (known->roles == 0) {
      known->unit = one->unit;
      known->layer = step->layer;
    }
    known->roles |= 1U << one->role;
    SC_TRY(sc_discovery_evidence(
        d, &(sc_evidence){.function = one->function,
                          .mechanism = one->mechanism,
                          .role = one->role,
                          .shape = one->unit == SC_UNIT_RETURN ? SC_SEEN_FORWARD_RESULT : SC_SEEN_FORWARD_CALL,
                          .unit = one->unit,
                          .line = one->line,
                          .other = one->of,
                          .layer = step->layer}));
  }
  step->found_count = 0;
  return 0;
}

static int forward_begin(sc_discovery *d)
{
  for (size_t i = 0; i < d->evidence_count; i++) {
    const sc_evidence *evidence = &d->evidence[i];
    sc_known *known;
    SC_TRY(make_known(d, evidence->function, evidence->mechanism, &known));
    known->roles |= 1U << evidence->role;
    bool own = evidence->mechanism == known->mechanism; /* a counter beside it knows less of the unit */
    if (known->unit == SC_UNIT_NONE || (own && evidence->unit != SC_UNIT_NONE))
      known->unit = evidence->unit;
  }
  return 0;
}

int sc_discovery_forward(sc_discovery *d)
{
  forward_step step = {.d = d, .layer = 1};
  int err = forward_begin(d);
  size_t first = 0, end = d->known_count;
  for (; err == 0 && first < end && step.layer <= SC_DISCOVER_LAYERS; step.layer++) {
    for (size_t i = first; err == 0 && i < end; i++) {
      sc_known known = d->known[i];
      bool one = known.roles == 1U << SC_ROLE_ACQUIRE || known.roles == 1U << SC_ROLE_RELEASE;
      if (one && d->mechanisms[known.mechanism].kind != SC_BY_BUFFER)
        err = forward_from(&step, &known);
    }
    if (err == 0)
      err = forward_take(&step);
    first = end;
    end = d->known_count;
  }
  free(step.found);
  return err;
}
