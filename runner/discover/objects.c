/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Objects that are made and disposed of, members of containers in fields, buffers that grow, and what fields own. */
#include <stdlib.h>
#include <string.h>

#include "runner/discover/internal.h"

/* ---- made and disposed of ---------------------------------------------------------------------------------- */

/* The call that a value is the result of, where that is memory that nobody else has; NULL. */
static const sc_facts_call *fresh_call(const sc_discovery *d, const sc_facts_function *function,
                                       const sc_facts_value *value)
{
  value = sc_discovery_passed(&d->facts, function, value);
  if (!sc_facts_is_result(value))
    return NULL;
  const sc_facts_call *call = &d->facts.calls[function->calls.first + value->number];
  /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a result is of a call */
  bool fresh = sc_discovery_allocates(d, call) || (call->target != SC_FACTS_NONE && d->flow[call->target].fresh);
  return fresh ? call : NULL;
}

/* What its caller gets may be what it handed over: only what else is returned is new. */
static bool returns_argument(const sc_facts *facts, const sc_facts_function *function)
{
  for (uint32_t i = 0; i < function->arguments.count && i < SC_UNIT_POINTEE; i++)
    if (sc_discovery_may_return(facts, function, (int)i))
      return true;
  return false;
}

/* What is handed about by value is a number, whatever it is called; a record is known as one. */
static bool is_number(const sc_facts *facts, const char *type)
{
  if (sc_facts_type_of(facts, type))
    return false;
  for (size_t i = 0; i < facts->type_refs_count; i++)
    if (facts->type_refs[i].name == type && !facts->type_refs[i].pointers)
      return true;
  return false;
}

/* The type of a unit where that may be a record; "". */
static const char *object_type(const sc_facts *facts, const sc_facts_function *function, int unit)
{
  const char *type = sc_discovery_unit_type(facts, function, unit);
  return *type && is_number(facts, type) ? "" : type;
}

/* Whether it writes what it allocates to a pointer of the caller's. */
static bool makes_out(const sc_discovery *d, const sc_facts_function *function, uint32_t argument, const char **type)
{
  const sc_facts *facts = &d->facts;
  const sc_facts_type_ref *ref = sc_discovery_argument_type(facts, function, argument);
  *type = ref->name;
  if (ref->pointers < 2 || sc_discovery_is_generic(ref))
    return false;
  SC_FACTS_EACH (store, facts->stores, function->stores) {
    if (store->place != SC_FACTS_NONE || store->base.from != SC_FACTS_ARGUMENT || store->base.number != argument)
      continue;
    SC_FACTS_EACH (value, facts->values, store->value) {
      const sc_facts_call *call = fresh_call(d, function, value);
      bool appends = call && call->target != SC_FACTS_NONE && returns_argument(facts, &facts->functions[call->target]);
      if (call && !appends) /* to what is there already */
        return !is_number(facts, ref->name);
    }
  }
  return false;
}

static int allocators_acquire(sc_discovery *d, uint32_t number)
{
  const sc_facts *facts = &d->facts;
  const sc_facts_function *function = &facts->functions[number];
  const char *type = d->flow[number].fresh_direct ? object_type(&d->facts, function, SC_UNIT_RETURN) : "";
  uint32_t mechanism;
  sc_evidence evidence = {.function = number, .unit = SC_UNIT_RETURN, .line = function->line, .other = SC_FACTS_NONE};
  if (*type) {
    SC_TRY(sc_discovery_mechanism(d, SC_BY_ALLOCATOR, SC_FACTS_NONE, type, &mechanism));
    evidence.mechanism = mechanism;
    evidence.shape = SC_SEEN_FRESH;
    evidence.conditional = returns_argument(facts, function);
    return sc_discovery_evidence(d, &evidence);
  }
  for (uint32_t i = 0; i < function->arguments.count && i < SC_UNIT_POINTEE; i++)
    if (makes_out(d, function, i, &type)) {
      SC_TRY(sc_discovery_mechanism(d, SC_BY_ALLOCATOR, SC_FACTS_NONE, type, &mechanism));
      evidence.mechanism = mechanism;
      evidence.shape = SC_SEEN_FRESH_OUT;
      evidence.unit = SC_UNIT_POINTEE + (int)i;
      return sc_discovery_evidence(d, &evidence);
    }
  return 0;
}

static bool gets_others(const sc_facts *facts, const sc_facts_function *function, uint32_t argument)
{
  for (uint32_t i = 0; i < function->arguments.count && i < SC_UNIT_POINTEE; i++)
    if (i != argument && *sc_discovery_unit_type(facts, function, (int)i))
      return true;
  return false;
}

/* Whether it disposes of the argument on some paths only. What is called a release, or gets nothing else, has nothing
 * to give back on the others. */
static bool disposes_sometimes(const sc_discovery *d, uint32_t number, uint32_t argument)
{
  const sc_facts *facts = &d->facts;
  SC_FACTS_EACH (call, facts->calls, facts->functions[number].calls)
    if (!call->conditional && sc_discovery_handed_on(facts, call, sc_discovery_disposes(d, call)) >> argument & 1)
      return false;
  return d->names[number].role != SC_ROLE_RELEASE && gets_others(facts, &facts->functions[number], argument);
}

/* It disposes of an argument, or (`pointee`) of what that points to. */
static int allocators_dispose(sc_discovery *d, uint32_t number, uint32_t argument, int pointee)
{
  const sc_facts_function *function = &d->facts.functions[number];
  const char *type = object_type(&d->facts, function, (int)argument);
  uint32_t mechanism;
  if (!*type)
    return 0;
  SC_TRY(sc_discovery_mechanism(d, SC_BY_ALLOCATOR, SC_FACTS_NONE, type, &mechanism));
  return sc_discovery_evidence(d, &(sc_evidence){.function = number,
                                                 .mechanism = mechanism,
                                                 .role = SC_ROLE_RELEASE,
                                                 .shape = SC_SEEN_DISPOSE,
                                                 .unit = (int)argument + pointee,
                                                 .line = function->line,
                                                 .other = SC_FACTS_NONE,
                                                 .conditional = !pointee && disposes_sometimes(d, number, argument)});
}

static int allocators_release(sc_discovery *d, uint32_t number)
{
  const sc_facts_function *function = &d->facts.functions[number];
  for (uint32_t i = 0; i < function->arguments.count && i < SC_UNIT_POINTEE; i++)
    if (d->flow[number].disposes_direct >> i & 1)
      SC_TRY(allocators_dispose(d, number, i, 0));
    else if (d->flow[number].behind >> i & 1 && sc_discovery_argument_type(&d->facts, function, i)->pointers == 2)
      SC_TRY(allocators_dispose(d, number, i, SC_UNIT_POINTEE));
  return 0;
}

int sc_discovery_allocators(sc_discovery *d)
{
  for (uint32_t i = 0; i < d->facts.functions_count; i++) {
    SC_TRY(allocators_acquire(d, i));
    SC_TRY(allocators_release(d, i));
  }
  return 0;
}

/* ---- members of a container in a field -------------------------------------------------------------------- */

typedef struct members_step {
  sc_discovery *d;
  unsigned char *roles; /* [places_count]: bit 0: something adds, bit 1: something removes */
} members_step;

/* The field or global that a container is in. */
static uint32_t container_place(const sc_facts *facts, sc_facts_slice values)
{
  SC_FACTS_EACH (value, facts->values, values) {
    if (value->place != SC_FACTS_NONE && value->from != SC_FACTS_LOCAL)
      return value->place;
    if (value->from == SC_FACTS_GLOBAL)
      return value->number;
  }
  return SC_FACTS_NONE;
}

/* Which argument of the caller is the member: handed on itself, or a node that is kept in it. */
static int member_unit(const sc_facts *facts, const sc_facts_function *function, const sc_facts_call *call,
                       unsigned container)
{
  int found = SC_UNIT_NONE;
  for (unsigned i = 0; i < call->arguments.count; i++) {
    uint32_t argument;
    sc_facts_slice values = facts->lists[call->arguments.first + i];
    if (i == container)
      continue;
    bool whole = sc_discovery_is_argument(facts, values, &argument);
    if (whole && *sc_discovery_unit_type(facts, function, (int)argument))
      return (int)argument;
    if (whole && found == SC_UNIT_NONE && !sc_discovery_argument_type(facts, function, argument)->pointers)
      found = (int)argument; /* a number: the handle of a buffer */
    SC_FACTS_EACH (value, facts->values, values) {
      if (value->from == SC_FACTS_ARGUMENT && value->number < SC_UNIT_POINTEE &&
          *sc_discovery_unit_type(facts, function, (int)value->number))
        found = (int)value->number;
      if (value->from == SC_FACTS_CALL && sc_discovery_returns_call(facts, function, value->number))
        found = SC_UNIT_RETURN;
    }
  }
  return found;
}

static int members_call(members_step *step, uint32_t number, const sc_facts_call *call, bool collect)
{
  sc_discovery *d = step->d;
  const sc_facts *facts = &d->facts;
  const sc_facts_function *function = &facts->functions[number];
  const sc_flow *callee = &d->flow[call->target];
  for (unsigned i = 0; i < call->arguments.count && i < SC_UNIT_POINTEE; i++) {
    bool adds = callee->adds >> i & 1, deletes = callee->deletes >> i & 1;
    uint32_t place = adds != deletes ? container_place(facts, facts->lists[call->arguments.first + i]) : SC_FACTS_NONE;
    if (place == SC_FACTS_NONE)
      continue;
    if (collect) {
      step->roles[place] |= adds ? 1 : 2;
      continue;
    }
    uint32_t mechanism;
    int unit = member_unit(facts, function, call, i);
    if (step->roles[place] != 3 || unit == SC_UNIT_NONE)
      continue;
    SC_TRY(
        sc_discovery_mechanism(d, SC_BY_CONTAINER, place, sc_discovery_unit_type(facts, function, unit), &mechanism));
    SC_TRY(sc_discovery_evidence(d, &(sc_evidence){.function = number,
                                                   .mechanism = mechanism,
                                                   .role = adds ? SC_ROLE_ACQUIRE : SC_ROLE_RELEASE,
                                                   .shape = adds ? SC_SEEN_CONTAINER_ADD : SC_SEEN_CONTAINER_DELETE,
                                                   .unit = unit,
                                                   .line = call->line,
                                                   .other = place,
                                                   .conditional = call->conditional}));
  }
  return 0;
}

int sc_discovery_containers(sc_discovery *d)
{
  members_step step = {.d = d};
  int err = SC_NEW(step.roles, d->facts.places_count + 1);
  for (int collect = 1; err == 0 && collect >= 0; collect--)
    for (uint32_t i = 0; err == 0 && i < d->facts.functions_count; i++)
      SC_FACTS_EACH (call, d->facts.calls, d->facts.functions[i].calls)
        if (err == 0 && call->target != SC_FACTS_NONE)
          err = members_call(&step, i, call, collect);
  free(step.roles);
  return err;
}

/* ---- buffers that grow: field = f(field) ------------------------------------------------------------------ */

static bool store_grows(const sc_discovery *d, const sc_facts_function *function, const sc_facts_store *store)
{
  SC_FACTS_EACH (value, d->facts.values, store->value) {
    const sc_facts_call *call = fresh_call(d, function, value);
    if (call && sc_discovery_call_gets(&d->facts, call, store->place))
      return true;
  }
  return false;
}

static int owner_of(const sc_facts *facts, const sc_facts_function *function, uint32_t place)
{
  for (uint32_t i = 0; facts->places[place].record && i < function->arguments.count && i < SC_UNIT_POINTEE; i++)
    if (sc_discovery_unit_type(facts, function, (int)i) == facts->places[place].record)
      return (int)i;
  return SC_UNIT_NONE;
}

static int buffers_evidence(sc_discovery *d, uint32_t number, uint32_t place, enum sc_role role, uint32_t line,
                            bool conditional)
{
  uint32_t mechanism;
  const char *record = d->facts.places[place].record;
  SC_TRY(sc_discovery_mechanism(d, SC_BY_BUFFER, place, record ? record : "", &mechanism));
  return sc_discovery_evidence(d, &(sc_evidence){.function = number,
                                                 .mechanism = mechanism,
                                                 .role = role,
                                                 .shape = role == SC_ROLE_ACQUIRE ? SC_SEEN_GROW : SC_SEEN_SHRINK,
                                                 .unit = owner_of(&d->facts, &d->facts.functions[number], place),
                                                 .line = line,
                                                 .other = place,
                                                 .conditional = conditional});
}

/* What is in such a field is handed to something that disposes of it. */
static int buffers_release(sc_discovery *d, uint32_t number, const sc_facts_call *call, const unsigned char *grows)
{
  const sc_facts *facts = &d->facts;
  uint64_t mask = sc_discovery_disposes(d, call);
  for (unsigned i = 0; mask && i < call->arguments.count && i < SC_UNIT_POINTEE; i++)
    if (mask >> i & 1)
      SC_FACTS_EACH (value, facts->values, facts->lists[call->arguments.first + i])
        if (value->place != SC_FACTS_NONE && grows[value->place] && !value->address)
          SC_TRY(buffers_evidence(d, number, value->place, SC_ROLE_RELEASE, call->line, call->conditional));
  return 0;
}

int sc_discovery_buffers(sc_discovery *d)
{
  const sc_facts *facts = &d->facts;
  unsigned char *grows;
  int err = SC_NEW(grows, facts->places_count + 1);
  for (uint32_t i = 0; err == 0 && i < facts->functions_count; i++)
    SC_FACTS_EACH (store, facts->stores, facts->functions[i].stores)
      if (err == 0 && store->place != SC_FACTS_NONE && store_grows(d, &facts->functions[i], store)) {
        grows[store->place] = 1;
        err = buffers_evidence(d, i, store->place, SC_ROLE_ACQUIRE, store->line, store->conditional);
      }
  for (uint32_t i = 0; err == 0 && i < facts->functions_count; i++)
    SC_FACTS_EACH (call, facts->calls, facts->functions[i].calls)
      if (err == 0)
        err = buffers_release(d, i, call, grows);
  free(grows);
  return err;
}

/* ---- objects that are made for a field, and disposed of from there ---------------------------------------- */

typedef struct owners_step {
  sc_discovery *d;
  uint32_t *same; /* [places_count]: the first place of the record that holds objects of this type; NONE: not known */
} owners_step;

/* The type of the objects that a field points to, where these belong to a record of another type; "". */
static const char *owned_type(const sc_facts *facts, uint32_t place)
{
  const sc_facts_field *field = sc_facts_field_of(facts, place);
  bool is = field && field->type.pointers && sc_facts_type_of(facts, field->type.name) &&
            !sc_discovery_is_generic(&field->type) && field->type.name != facts->places[place].record;
  return is ? field->type.name : "";
}

/* The head and the tail of a list are one. */
static uint32_t owner_place(owners_step *step, uint32_t place, const char *type)
{
  const sc_facts *facts = &step->d->facts;
  for (uint32_t i = 0; step->same[place] == SC_FACTS_NONE && i <= place; i++)
    if (facts->places[i].record == facts->places[place].record && owned_type(facts, i) == type)
      step->same[place] = i;
  return step->same[place];
}

/* `one`: if the owner is known, it has or had one of these for each call. */
static int owners_evidence(owners_step *step, uint32_t number, uint32_t place, const sc_facts_value *base,
                           enum sc_role role, uint32_t line, bool one)
{
  sc_discovery *d = step->d;
  uint32_t mechanism;
  /* What is made together with its owner is a part of that, and goes with it. */
  bool part = base->from == SC_FACTS_LOCAL || base->from == SC_FACTS_CALL;
  const char *type = place == SC_FACTS_NONE || part ? "" : owned_type(&d->facts, place);
  if (!*type)
    return 0;
  SC_TRY(sc_discovery_mechanism(d, SC_BY_OWNER, owner_place(step, place, type), type, &mechanism));
  int unit = owner_of(&d->facts, &d->facts.functions[number], place);
  return sc_discovery_evidence(d, &(sc_evidence){.function = number,
                                                 .mechanism = mechanism,
                                                 .role = role,
                                                 .shape = role == SC_ROLE_ACQUIRE ? SC_SEEN_KEEP : SC_SEEN_DROP,
                                                 .unit = unit,
                                                 .line = line,
                                                 .other = place,
                                                 .times = one && unit != SC_UNIT_NONE});
}

/* The call that makes one of the values, an object that the caller does not get; NULL. */
static const sc_facts_call *makes_one(const sc_discovery *d, const sc_facts_function *function, sc_facts_slice values)
{
  SC_FACTS_EACH (value, d->facts.values, values) {
    const sc_facts_call *call = fresh_call(d, function, value);
    if (call &&
        !sc_discovery_returns_call(&d->facts, function, (uint32_t)(call - d->facts.calls) - function->calls.first))
      return call;
  }
  return NULL;
}

/* What is made here is put into a list by a function that gets it. */
static int owners_linked(owners_step *step, uint32_t number, const sc_facts_call *call)
{
  const sc_facts *facts = &step->d->facts;
  const sc_facts_value unknown = {.from = SC_FACTS_OTHER, .place = SC_FACTS_NONE};
  uint32_t argument;
  if (call->target == SC_FACTS_NONE)
    return 0;
  SC_FACTS_EACH (link, facts->links, facts->functions[call->target].links)
    if (sc_facts_puts_in(link->kind) && sc_discovery_is_argument(facts, link->unit, &argument) &&
        argument < call->arguments.count &&
        makes_one(step->d, &facts->functions[number], facts->lists[call->arguments.first + argument]))
      SC_TRY(owners_evidence(step, number, link->head, &unknown, SC_ROLE_ACQUIRE, call->line, false));
  return 0;
}

static int owners_function(owners_step *step, uint32_t number)
{
  const sc_discovery *d = step->d;
  const sc_facts *facts = &d->facts;
  const sc_facts_function *function = &facts->functions[number];
  SC_FACTS_EACH (store, facts->stores, function->stores) {
    const sc_facts_call *made = makes_one(d, function, store->value);
    if (made)
      SC_TRY(owners_evidence(step, number, store->place, &store->base, SC_ROLE_ACQUIRE, store->line,
                             !made->loop && !made->conditional));
  }
  SC_FACTS_EACH (link, facts->links, function->links)
    if (sc_facts_puts_in(link->kind) && makes_one(d, function, link->unit))
      SC_TRY(owners_evidence(step, number, link->head, &link->base, SC_ROLE_ACQUIRE, link->line, false));
  SC_FACTS_EACH (call, facts->calls, function->calls) {
    uint64_t mask = sc_discovery_disposes(d, call);
    SC_TRY(owners_linked(step, number, call));
    uint64_t behind = call->target != SC_FACTS_NONE ? d->flow[call->target].behind : 0; /* of the field's address */
    for (unsigned i = 0; (mask | behind) && i < call->arguments.count && i < SC_UNIT_POINTEE; i++)
      if ((mask | behind) >> i & 1)
        SC_FACTS_EACH (value, facts->values, facts->lists[call->arguments.first + i])
          if ((value->address ? behind : mask) >> i & 1)
            SC_TRY(owners_evidence(step, number, value->place, value, SC_ROLE_RELEASE, call->line, !call->loop));
  }
  return 0;
}

int sc_discovery_owners(sc_discovery *d)
{
  owners_step step = {.d = d};
  int err = SC_NEW(step.same, d->facts.places_count + 1);
  for (size_t i = 0; err == 0 && i < d->facts.places_count; i++)
    step.same[i] = SC_FACTS_NONE;
  for (uint32_t i = 0; err == 0 && i < d->facts.functions_count; i++)
    err = owners_function(&step, i);
  free(step.same);
  return err;
}
