/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who calls whom, and what runs once; where fresh memory comes from and where it goes; which functions change a
 * container. */
#include <stdlib.h>
#include <string.h>

#include "runner/discover/internal.h"

int sc_discovery_find_callers(sc_discovery *d)
{
  const sc_facts *facts = &d->facts;
  size_t count = 0;
  SC_TRY(SC_NEW(d->callers, facts->functions_count + 1));
  SC_TRY(SC_NEW(d->calls_in, facts->calls_count + 1));
  for (size_t i = 0; i < facts->calls_count; i++)
    if (facts->calls[i].target != SC_FACTS_NONE)
      d->callers[facts->calls[i].target].count++;
  for (size_t i = 0; i < facts->functions_count; i++) {
    d->callers[i].first = (uint32_t)count;
    count += d->callers[i].count;
    d->callers[i].count = 0;
  }
  for (uint32_t i = 0; i < facts->functions_count; i++)
    SC_FACTS_EACH (call, facts->calls, facts->functions[i].calls)
      if (call->target != SC_FACTS_NONE) {
        sc_facts_slice *in = &d->callers[call->target];
        d->calls_in[in->first + in->count++] = (sc_caller){i, (uint32_t)(call - facts->calls)};
      }
  return 0;
}

/* Runs once, at start: every call is from main, or from such a function, and not in a loop. */
static bool starts_once(const sc_discovery *d, uint32_t number)
{
  const sc_facts_function *function = &d->facts.functions[number];
  if (function->address_taken || d->callers[number].count != 1)
    return false;
  const sc_caller *caller = &d->calls_in[d->callers[number].first];
  return d->starts[caller->function] && !d->facts.calls[caller->call].loop;
}

int sc_discovery_find_starts(sc_discovery *d)
{
  const sc_facts *facts = &d->facts;
  uint32_t *found;
  size_t count = 0;
  SC_TRY(SC_NEW(d->starts, facts->functions_count + 1));
  SC_TRY(SC_NEW(found, facts->functions_count + 1));
  for (uint32_t i = 0; i < facts->functions_count; i++)
    if ((d->starts[i] = strcmp(facts->functions[i].name, "main") == 0))
      found[count++] = i;
  d->is_program = count > 0;
  for (size_t i = 0; i < count; i++)
    SC_FACTS_EACH (call, facts->calls, facts->functions[found[i]].calls)
      if (call->target != SC_FACTS_NONE && !d->starts[call->target] && starts_once(d, call->target)) {
        d->starts[call->target] = 1;
        found[count++] = call->target;
      }
  free(found);
  return 0;
}

/* ---- memory ---------------------------------------------------------------------------------------------- */

/* An allocator of bytes rather than of objects: wrappers of malloc. */
static bool makes_bytes(const sc_discovery *d, uint32_t target)
{
  const sc_facts_function *function = &d->facts.functions[target];
  return d->flow[target].fresh && function->result.pointers && sc_discovery_is_generic(&function->result);
}

static void flow_fresh(sc_discovery *d, uint32_t number)
{
  const sc_facts *facts = &d->facts;
  const sc_facts_function *function = &facts->functions[number];
  sc_flow *flow = &d->flow[number];
  SC_FACTS_EACH (value, facts->values, function->returns) {
    const sc_facts_value *from = sc_discovery_passed(facts, function, value);
    if (!sc_facts_is_result(from))
      continue;
    const sc_facts_call *call = &facts->calls[function->calls.first + from->number];
    bool bytes = sc_discovery_allocates(d, call) || (call->target != SC_FACTS_NONE && makes_bytes(d, call->target));
    flow->fresh |= bytes || (call->target != SC_FACTS_NONE && d->flow[call->target].fresh);
    flow->fresh_direct |= bytes;
  }
}

/* The arguments that a call disposes of. *direct: as bytes, so that a test for null before it says nothing. */
static uint64_t call_disposes(const sc_discovery *d, const sc_facts_call *call, uint64_t *direct)
{
  uint64_t mask = sc_discovery_disposes(d, call);
  bool outside = call->target == SC_FACTS_NONE;
  *direct = outside ? mask : 0;
  for (unsigned i = 0; !outside && i < SC_UNIT_POINTEE && mask >> i; i++)
    if (mask >> i & 1 &&
        sc_discovery_is_generic(sc_discovery_argument_type(&d->facts, &d->facts.functions[call->target], i)))
      *direct |= UINT64_C(1) << i;
  return mask;
}

/* The argument is the first of a list, and the value that and what it walks to from there; SC_FACTS_NONE. */
static uint32_t list_argument(const sc_facts *facts, const sc_facts_function *function, sc_facts_slice values)
{
  const char *next = NULL;
  uint32_t argument = SC_FACTS_NONE;
  SC_FACTS_EACH (value, facts->values, values) {
    const sc_facts_field *field = value->from == SC_FACTS_WALKED ? sc_facts_field_of(facts, value->number) : NULL;
    if (field)
      next = field->type.name;
    else if (sc_facts_is_argument(value))
      argument = value->number;
    else if (value->from != SC_FACTS_NULL)
      return SC_FACTS_NONE;
  }
  bool is = next && argument < SC_UNIT_POINTEE && sc_discovery_unit_type(facts, function, (int)argument) == next;
  return is ? argument : SC_FACTS_NONE;
}

/* The function's own arguments that the call gets in a loop, with all that hangs on them, among those in the mask. */
static uint64_t walked_of(const sc_facts *facts, const sc_facts_function *function, const sc_facts_call *call,
                          uint64_t mask)
{
  uint64_t handed = 0;
  for (unsigned i = 0; call->loop && i < call->arguments.count && i < SC_UNIT_POINTEE && mask >> i; i++) {
    uint32_t list =
        mask >> i & 1 ? list_argument(facts, function, facts->lists[call->arguments.first + i]) : SC_FACTS_NONE;
    handed |= list != SC_FACTS_NONE ? UINT64_C(1) << list : 0;
  }
  return handed;
}

/* Bit i: what argument i of the function points to is one of the call's arguments in the mask. */
static uint64_t behind_of(const sc_facts *facts, const sc_facts_call *call, uint64_t mask)
{
  uint64_t found = 0;
  for (unsigned i = 0; i < call->arguments.count && i < SC_UNIT_POINTEE && mask >> i; i++)
    if (mask >> i & 1)
      SC_FACTS_EACH (value, facts->values, facts->lists[call->arguments.first + i])
        if (value->from == SC_FACTS_ARGUMENT && value->behind && value->number < SC_UNIT_POINTEE)
          found |= UINT64_C(1) << value->number;
  return found;
}

static void flow_disposes(sc_discovery *d, uint32_t number)
{
  const sc_facts_function *function = &d->facts.functions[number];
  sc_flow *flow = &d->flow[number];
  SC_FACTS_EACH (call, d->facts.calls, function->calls) {
    uint64_t direct, mask = call_disposes(d, call, &direct);
    uint64_t walked =
        walked_of(&d->facts, function, call, mask); /* a loop may end before it begins: the list is empty */
    uint64_t last = d->names[number].role == SC_ROLE_RELEASE ? mask & call->last : 0; /* one way of several, as its name
                                                                                         says */
    uint64_t all = call->conditional ? direct | last : mask;
    flow->disposes |= sc_discovery_handed_on(&d->facts, call, all) | walked;
    if (!call->loop) /* in a loop they are the elements of an array */
      flow->behind |= behind_of(&d->facts, call, all);
    if (!call->loop && call->target != SC_FACTS_NONE)
      flow->behind |= sc_discovery_handed_on(&d->facts, call, d->flow[call->target].behind);
    flow->disposes_direct |=
        sc_discovery_handed_on(&d->facts, call, direct) | walked_of(&d->facts, function, call, direct);
  }
}

/* The record of an allocator that a function gets first; "". */
static const char *allocator_of(const sc_discovery *d, uint32_t number)
{
  return sc_discovery_unit_type(&d->facts, &d->facts.functions[number], 0);
}

static bool is_named_free(const sc_name *name)
{
  static const char *const words[] = {"free", "dealloc", "deallocate", "pfree"};
  for (size_t i = 0; name->role == SC_ROLE_RELEASE && name->word && i < sizeof words / sizeof *words; i++)
    if (strcmp(name->word, words[i]) == 0)
      return true;
  return false;
}

/* What gives back the bytes of an allocator that is a record: another function of the record makes them, and this one
 * gets nothing else that could be it. That the memory goes back to a block of many is not looked at. */
static bool flow_counterpart(sc_discovery *d, uint32_t number)
{
  const sc_facts_function *function = &d->facts.functions[number];
  uint32_t found = 0;
  for (uint32_t i = 1; i < function->arguments.count && i < SC_UNIT_POINTEE; i++) {
    const sc_facts_type_ref *type = sc_discovery_argument_type(&d->facts, function, i);
    if (type->pointers == 1 && sc_discovery_is_generic(type)) {
      if (found)
        return false;
      found = i;
    }
  }
  const char *own = found && is_named_free(&d->names[number]) ? allocator_of(d, number) : "";
  uint64_t bit = UINT64_C(1) << found;
  for (uint32_t i = 0; *own && !(d->flow[number].disposes & bit) && i < d->facts.functions_count; i++)
    if (makes_bytes(d, i) && allocator_of(d, i) == own) {
      d->flow[number].disposes |= bit;
      d->flow[number].disposes_direct |= bit;
      return true;
    }
  return false;
}

static void flow_moves(sc_discovery *d, uint32_t number)
{
  SC_FACTS_EACH (call, d->facts.calls, d->facts.functions[number].calls)
    d->flow[number].moves |= sc_discovery_handed_on(&d->facts, call, sc_discovery_moves(d, call));
}

/* ---- containers ------------------------------------------------------------------------------------------- */

/* The argument that a record is, where the place is a field of the argument's own type. */
static uint64_t own_argument(const sc_discovery *d, const sc_facts_function *function, const sc_facts_value *base,
                             uint32_t place)
{
  if (base->from != SC_FACTS_ARGUMENT || place == SC_FACTS_NONE || base->number >= SC_UNIT_POINTEE)
    return 0;
  const sc_facts_type_ref *type = sc_discovery_argument_type(&d->facts, function, base->number);
  return type->pointers && d->facts.places[place].record == type->name ? UINT64_C(1) << base->number : 0;
}

static void containers_own(sc_discovery *d, uint32_t number)
{
  const sc_facts *facts = &d->facts;
  const sc_facts_function *function = &facts->functions[number];
  sc_flow *flow = &d->flow[number];
  SC_FACTS_EACH (link, facts->links, function->links) {
    uint64_t mask = own_argument(d, function, &link->base, link->head);
    bool adds = sc_facts_puts_in(link->kind);
    *(adds ? &flow->adds : &flow->deletes) |= mask;
    flow->links |= adds ? mask : 0;
  }
  SC_FACTS_EACH (counter, facts->counters, function->counters)
    if (counter->net && !counter->ring)
      *(counter->step > 0 ? &flow->adds : &flow->deletes) |= own_argument(d, function, &counter->base, counter->place);
}

static void containers_call(sc_discovery *d, uint32_t number)
{
  const sc_facts *facts = &d->facts;
  sc_flow *flow = &d->flow[number];
  SC_FACTS_EACH (call, facts->calls, facts->functions[number].calls) {
    if (call->target == SC_FACTS_NONE || call->conditional || call->loop)
      continue;
    const sc_flow callee = d->flow[call->target]; /* as it is before: it may be the function itself */
    flow->adds |= sc_discovery_handed_on(facts, call, callee.adds & ~callee.deletes);
    flow->deletes |= sc_discovery_handed_on(facts, call, callee.deletes & ~callee.adds);
  }
}

/* Whether a look at the function and what it calls showed more of it. */
static bool flow_grows(sc_discovery *d, uint32_t number)
{
  const sc_flow *flow = &d->flow[number], before = *flow;
  flow_fresh(d, number);
  flow_disposes(d, number);
  flow_moves(d, number);
  containers_call(d, number);
  return flow->fresh != before.fresh || flow->fresh_direct != before.fresh_direct ||
         flow->disposes != before.disposes || flow->behind != before.behind ||
         flow->disposes_direct != before.disposes_direct || flow->moves != before.moves || flow->adds != before.adds ||
         flow->deletes != before.deletes;
}

/* Functions that are to be looked at again, each once: a ring. */
typedef struct flow_queue {
  uint32_t *functions;  /* [functions_count] */
  unsigned char *waits; /* [functions_count] */
  uint32_t first, length;
} flow_queue;

static void queue_put(flow_queue *queue, uint32_t room, uint32_t function)
{
  if (queue->waits[function])
    return;
  queue->waits[function] = 1;
  queue->functions[((size_t)queue->first + queue->length++) % room] = function;
}

static uint32_t queue_take(flow_queue *queue, uint32_t room)
{
  uint32_t function = queue->functions[queue->first];
  queue->first = (queue->first + 1) % room;
  queue->length--;
  queue->waits[function] = 0;
  return function;
}

static void queue_callers(flow_queue *queue, const sc_discovery *d, uint32_t number)
{
  SC_FACTS_EACH (caller, d->calls_in, d->callers[number])
    queue_put(queue, (uint32_t)d->facts.functions_count, caller->function);
}

int sc_discovery_flow(sc_discovery *d)
{
  uint32_t count = (uint32_t)d->facts.functions_count;
  flow_queue queue = {0};
  SC_TRY(SC_NEW(d->flow, count + 1));
  for (uint32_t i = 0; i < count; i++)
    containers_own(d, i);
  int err = SC_NEW(queue.waits, count + 1);
  if (err == 0)
    err = SC_NEW(queue.functions, count + 1);
  for (uint32_t i = 0; err == 0 && i < count; i++)
    queue_put(&queue, count, i);
  for (bool again = err == 0; again;) { /* sets only grow, so this ends */
    while (queue.length) {
      uint32_t number = queue_take(&queue, count);
      if (flow_grows(d, number))
        queue_callers(&queue, d, number);
    }
    again = false;
    for (uint32_t i = 0; i < count; i++)
      if (flow_counterpart(d, i)) {
        queue_callers(&queue, d, i);
        again = true;
      }
  }
  free(queue.waits);
  free(queue.functions);
  return err;
}
