/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the steps of a discovery share. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/utf8.h"
#include "runner/discover/internal.h"

int sc_discovery_mechanism(sc_discovery *d, enum sc_mechanism_kind kind, uint32_t place, const char *type,
                           uint32_t *mechanism)
{
  const void *key[3] = {(const void *)(uintptr_t)kind, (const void *)(uintptr_t)place,
                        place == SC_FACTS_NONE ? type : NULL};
  uint32_t hash = sc_hash_key(key, sizeof key);
  SC_TRY(sc_index_reserve(&d->mechanism_index, d->mechanisms_count + 1));
  sc_index_slot *slot = sc_index_first(&d->mechanism_index, hash);
  for (; slot->number; slot = sc_index_next(&d->mechanism_index, slot)) {
    const sc_mechanism *found = &d->mechanisms[slot->number - 1];
    if (found->kind == kind && found->place == place && (place != SC_FACTS_NONE || found->type == type)) {
      *mechanism = slot->number - 1;
      return 0;
    }
  }
  SC_TRY(sc_mem_grow(&d->mechanisms, &d->mechanisms_capacity, d->mechanisms_count + 1, sizeof *d->mechanisms));
  *mechanism = (uint32_t)d->mechanisms_count;
  d->mechanisms[d->mechanisms_count++] = (sc_mechanism){kind, place, type, *mechanism, false};
  sc_index_take(&d->mechanism_index, slot, hash, *mechanism + 1);
  return 0;
}

uint32_t sc_discovery_root(const sc_discovery *d, uint32_t mechanism)
{
  while (d->mechanisms[mechanism].parent != mechanism)
    mechanism = d->mechanisms[mechanism].parent;
  return mechanism;
}

int sc_discovery_evidence(sc_discovery *d, const sc_evidence *evidence)
{
  SC_TRY(sc_mem_grow(&d->evidence, &d->evidence_capacity, d->evidence_count + 1, sizeof *d->evidence));
  d->evidence[d->evidence_count++] = *evidence;
  return 0;
}

int sc_discovery_reject(sc_discovery *d, const sc_rejected *rejected)
{
  SC_TRY(sc_mem_grow(&d->rejected, &d->rejected_capacity, d->rejected_count + 1, sizeof *d->rejected));
  d->rejected[d->rejected_count++] = *rejected;
  return 0;
}

int sc_discovery_show(const char *text, size_t limit, sc_buf *shown)
{
  sc_utf8_show(text, shown);
  SC_TRY(sc_buf_finish(shown));
  if (shown->length <= limit)
    return 0;
  while (limit && ((unsigned char)shown->text[limit] & 0xc0) == 0x80)
    limit--;
  shown->text[shown->length = limit] = '\0';
  return 0;
}

bool sc_discovery_is_argument(const sc_facts *facts, sc_facts_slice values, uint32_t *argument)
{
  bool found = false;
  SC_FACTS_EACH (value, facts->values, values) {
    if (value->from == SC_FACTS_NULL)
      continue;
    if (!sc_facts_is_argument(value) || (found && value->number != *argument))
      return false;
    found = true;
    *argument = value->number;
  }
  return found && *argument < SC_UNIT_POINTEE;
}

uint64_t sc_discovery_handed_on(const sc_facts *facts, const sc_facts_call *call, uint64_t mask)
{
  uint64_t handed = 0;
  for (unsigned i = 0; i < call->arguments.count && i < SC_UNIT_POINTEE && mask >> i; i++) {
    uint32_t argument;
    if (mask >> i & 1 && sc_discovery_is_argument(facts, facts->lists[call->arguments.first + i], &argument))
      handed |= UINT64_C(1) << argument;
  }
  return handed;
}

/* What the call's function does with its argument: keeps it in this field of the record that it gets first. */
static bool call_wraps(const sc_facts *facts, const sc_facts_call *call, uint32_t place, uint32_t result)
{
  if (call->target == SC_FACTS_NONE)
    return false;
  SC_FACTS_EACH (store, facts->stores, facts->functions[call->target].stores) {
    uint32_t argument;
    if (store->place != place || !sc_facts_is_argument(&store->base) || store->base.number != 0 ||
        !sc_discovery_is_argument(facts, store->value, &argument) || argument >= call->arguments.count)
      continue;
    SC_FACTS_EACH (value, facts->values, facts->lists[call->arguments.first + argument])
      if (sc_facts_is_result(value) && value->number == result)
        return true;
  }
  return false;
}

/* What was in the only field of a record, which is a pointer: of a handle. */
static bool is_in_handle(const sc_facts *facts, const sc_facts_value *value)
{
  const sc_facts_field *field = value->address ? NULL : sc_facts_field_of(facts, value->place);
  return field && field->type.pointers &&
         sc_facts_type_of(facts, facts->places[value->place].record)->fields.count == 1;
}

/* The function returns a handle, as a number is returned, and the value is what is in it. */
static bool is_handle(const sc_facts *facts, const sc_facts_function *function, const sc_facts_value *value)
{
  return value->from == SC_FACTS_LOCAL && is_in_handle(facts, value) && !function->result.pointers &&
         facts->places[value->place].record == function->result.name;
}

bool sc_discovery_is_handle(const sc_facts *facts, const sc_facts_function *function, sc_facts_slice values,
                            uint32_t *argument)
{
  bool found = false;
  SC_FACTS_EACH (value, facts->values, values) {
    if (value->from == SC_FACTS_NULL)
      continue;
    const sc_facts_type_ref *type = value->from == SC_FACTS_ARGUMENT && value->number < SC_UNIT_POINTEE
                                        ? sc_discovery_argument_type(facts, function, value->number)
                                        : NULL;
    if (!type || !is_in_handle(facts, value) || type->pointers != 1 ||
        type->name != facts->places[value->place].record || (found && value->number != *argument))
      return false;
    found = true;
    *argument = value->number;
  }
  return found;
}

bool sc_discovery_returns_call(const sc_facts *facts, const sc_facts_function *function, uint32_t number)
{
  SC_FACTS_EACH (value, facts->values, function->returns) {
    if (sc_facts_is_result(value) && value->number == number)
      return true;
    if (is_handle(facts, function, value))
      SC_FACTS_EACH (call, facts->calls, function->calls)
        if (call_wraps(facts, call, value->place, number))
          return true;
  }
  return false;
}

enum { PASSES = 3 }; /* of one value, one within the other */

const sc_facts_value *sc_discovery_passed(const sc_facts *facts, const sc_facts_function *function,
                                          const sc_facts_value *value)
{
  for (unsigned i = 0; i < PASSES && sc_facts_is_result(value); i++) {
    const sc_facts_call *call = &facts->calls[function->calls.first + value->number];
    uint32_t argument;
    if (call->target == SC_FACTS_NONE ||
        !sc_discovery_is_argument(facts, facts->functions[call->target].returns, &argument) ||
        argument >= call->arguments.count || facts->lists[call->arguments.first + argument].count != 1)
      break;
    value = &facts->values[facts->lists[call->arguments.first + argument].first];
  }
  return value;
}

bool sc_discovery_may_return(const sc_facts *facts, const sc_facts_function *function, int argument)
{
  const char *type = sc_discovery_unit_type(facts, function, SC_UNIT_RETURN);
  if (!*type || sc_discovery_unit_type(facts, function, argument) != type)
    return false;
  SC_FACTS_EACH (value, facts->values, function->returns)
    if (sc_facts_is_argument(value) && (int)value->number == argument)
      return true;
  return false;
}

bool sc_discovery_call_gets(const sc_facts *facts, const sc_facts_call *call, uint32_t place)
{
  for (unsigned i = 0; i < call->arguments.count; i++)
    SC_FACTS_EACH (value, facts->values, facts->lists[call->arguments.first + i])
      if (value->place == place && !value->address && value->from != SC_FACTS_LOCAL)
        return true;
  return false;
}

bool sc_discovery_is_generic(const sc_facts_type_ref *type)
{
  static const char *const words[] = {"",        "void",     "char",      "bool",          "int",    "unsigned",
                                      "long",    "short",    "size_t",    "unsigned char", "float",  "double",
                                      "uint8_t", "uint16_t", "uint32_t",  "uint64_t",      "int8_t", "int16_t",
                                      "int32_t", "int64_t",  "uintptr_t", "signed char",   "_Bool",  "long long"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcmp(type->name, words[i]) == 0)
      return true;
  return strncmp(type->name, "unsigned ", 9) == 0 || strncmp(type->name, "long ", 5) == 0;
}

const sc_facts_type_ref *sc_discovery_argument_type(const sc_facts *facts, const sc_facts_function *function,
                                                    uint32_t argument)
{
  static const sc_facts_type_ref unknown = {.name = ""};
  return argument < function->arguments.count ? &facts->type_refs[function->arguments.first + argument] : &unknown;
}

const char *sc_discovery_unit_type(const sc_facts *facts, const sc_facts_function *function, int unit)
{
  const sc_facts_type_ref *type = unit == SC_UNIT_RETURN ? &function->result
                                  : unit >= 0
                                      ? sc_discovery_argument_type(facts, function, (uint32_t)unit % SC_UNIT_POINTEE)
                                      : NULL;
  return type && type->pointers && !sc_discovery_is_generic(type) ? type->name : "";
}

/* ---- memory, also outside the program ------------------------------------------------------------------------- */

typedef struct outside {
  const char *name;
  bool allocates;
  uint64_t disposes, moves; /* bit i: of argument i */
} outside;

/* What a function that is not in the program does with memory. */
static const outside *outside_of(const sc_facts_call *call)
{
  static const outside none = {0};
  static const outside rows[] = {
#define ALLOCATES(name)          {name, true, 0, 0},
#define MOVES(name, argument)    {name, true, 0, UINT64_C(1) << (argument)},
#define DISPOSES(name, argument) {name, false, UINT64_C(1) << (argument), 0},
#include "runner/discover/allocators.def"
#undef ALLOCATES
#undef MOVES
#undef DISPOSES
  };
  for (size_t i = 0; call->callee && i < sizeof rows / sizeof *rows; i++)
    if (strcmp(call->callee, rows[i].name) == 0)
      return &rows[i];
  return &none;
}

/* Of an indirect call: what the field that it goes through is called. */
static bool field_says(const sc_discovery *d, const sc_facts_call *call, const char *const *words)
{
  const char *field = call->through == SC_FACTS_NONE ? "" : d->facts.places[call->through].field;
  for (; *words; words++)
    if (strcasestr(field, *words))
      return true;
  return false;
}

bool sc_discovery_allocates(const sc_discovery *d, const sc_facts_call *call)
{
  static const char *const words[] = {"alloc", NULL};
  static const char *const others[] = {"dealloc", "free", NULL};
  if (!call->callee)
    return field_says(d, call, words) && !field_says(d, call, others);
  return call->target == SC_FACTS_NONE && outside_of(call)->allocates;
}

uint64_t sc_discovery_disposes(const sc_discovery *d, const sc_facts_call *call)
{
  static const char *const words[] = {"free", "dealloc", NULL};
  static const char *const others[] = {"freel", "is_free", "nfree", NULL};
  if (call->target != SC_FACTS_NONE)
    return d->flow[call->target].disposes;
  if (!call->callee && call->arguments.count && field_says(d, call, words) && !field_says(d, call, others))
    return UINT64_C(1) << (call->arguments.count - 1);
  return outside_of(call)->disposes;
}

uint64_t sc_discovery_moves(const sc_discovery *d, const sc_facts_call *call)
{
  return call->target != SC_FACTS_NONE ? d->flow[call->target].moves : outside_of(call)->moves;
}
