/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists and arrays: free lists, queues, membership. What takes from a list says nothing by itself: of a free list it
 * acquires, of a queue it releases, and a cursor only walks. */
#include <stdlib.h>
#include <string.h>

#include "runner/discover/internal.h"

/* A list, by the place of its head. */
typedef struct list_of {
  uint32_t same_as; /* the place that stands for it */
  uint32_t link;    /* SC_FACTS_NONE until a link is seen */
  unsigned kinds[SC_FACTS_TAKE + 1];
  unsigned returned; /* pops and takes whose unit the caller gets, and has a use for */
  unsigned rings;    /* takes from the other end of an array that goes round */
  double words;      /* positive: what puts is called as if it acquired, what takes as if it released */
  bool filled;       /* something from outside is stored in it */
} list_of;

typedef struct links_step {
  sc_discovery *d;
  const sc_facts *facts;
  list_of *lists; /* [places_count] */
} links_step;

static uint32_t list_root(const links_step *step, uint32_t place)
{
  while (step->lists[place].same_as != place)
    place = step->lists[place].same_as;
  return place;
}

/* ---- which value is the unit ------------------------------------------------------------------------------ */

static bool same_value(const sc_facts_value *a, const sc_facts_value *b)
{
  return a->from == b->from && a->number == b->number && a->name == b->name && a->place == b->place &&
         a->address == b->address && a->behind == b->behind;
}

/* A call that gets what was in the head returns the unit ("get_object(head)"). */
static bool returns_head(const sc_facts *facts, const sc_facts_function *function, const sc_facts_link *link,
                         const sc_facts_value *value)
{
  if (link->head == SC_FACTS_NONE)
    return false;
  if (value->place == link->head)
    return !value->address;
  return sc_facts_is_result(value) && !sc_facts_puts_in(link->kind) &&
         sc_discovery_call_gets(facts, &facts->calls[function->calls.first + value->number], link->head);
}

static bool is_returned(const sc_facts *facts, const sc_facts_function *function, const sc_facts_link *link)
{
  SC_FACTS_EACH (value, facts->values, function->returns) {
    if (returns_head(facts, function, link, value))
      return true;
    SC_FACTS_EACH (unit, facts->values, link->unit)
      if (unit->from != SC_FACTS_OTHER && unit->from != SC_FACTS_NULL && same_value(unit, value))
        return true;
  }
  return false;
}

static bool is_unknown(const sc_facts *facts, sc_facts_slice values)
{
  SC_FACTS_EACH (value, facts->values, values)
    if (value->from == SC_FACTS_OTHER)
      return true;
  return false;
}

/* Of an array of numbers: the element of another array of the record that such a number stands for. */
static int slot_unit(const sc_facts *facts, const sc_facts_function *function, const sc_facts_link *link)
{
  const sc_facts_field *field = sc_facts_field_of(facts, link->head);
  int found = SC_UNIT_NONE;
  if (!field || field->type.pointers || link->count == SC_FACTS_NONE)
    return SC_UNIT_NONE;
  for (uint32_t i = 0; sc_facts_puts_in(link->kind) && i < function->arguments.count && i < SC_UNIT_POINTEE; i++)
    if (*sc_discovery_unit_type(facts, function, (int)i) &&
        sc_discovery_unit_type(facts, function, (int)i) != facts->places[link->head].record) {
      if (found != SC_UNIT_NONE)
        return SC_UNIT_NONE;
      found = (int)i;
    }
  SC_FACTS_EACH (value, facts->values, function->returns)
    if (!sc_facts_puts_in(link->kind) && value->address && value->place != SC_FACTS_NONE &&
        value->from == link->base.from && value->number == link->base.number &&
        facts->places[value->place].record == facts->places[link->head].record)
      found = SC_UNIT_RETURN;
  return found;
}

static int link_unit_of(const sc_facts *facts, const sc_facts_function *function, const sc_facts_link *link)
{
  uint32_t argument;
  if (sc_discovery_is_argument(facts, link->unit, &argument))
    return (int)argument;
  if (is_returned(facts, function, link))
    return SC_UNIT_RETURN;
  int slot = slot_unit(facts, function, link);
  if (slot != SC_UNIT_NONE)
    return slot;
  if (!sc_facts_puts_in(link->kind))
    for (uint32_t i = 0; i < function->arguments.count && i < SC_UNIT_POINTEE; i++)
      if (facts->type_refs[function->arguments.first + i].out)
        return SC_UNIT_POINTEE + (int)i;
  return SC_UNIT_NONE;
}

static const char *list_type(const links_step *step, uint32_t head, uint32_t link)
{
  const sc_facts_field *field = sc_facts_field_of(step->facts, head);
  if (link != SC_FACTS_NONE && step->facts->places[link].record)
    return step->facts->places[link].record;
  return field && !sc_discovery_is_generic(&field->type) ? field->type.name : "";
}

/* ---- what is done to each list ----------------------------------------------------------------------------- */

/* A place that is stored an argument, a call's result or an object made here, is filled from outside. */
static void links_fill(links_step *step, const sc_facts_function *function)
{
  SC_FACTS_EACH (store, step->facts->stores, function->stores)
    SC_FACTS_EACH (value, step->facts->values, store->value)
      if (store->place != SC_FACTS_NONE && (value->from == SC_FACTS_ARGUMENT || value->from == SC_FACTS_CALL) &&
          !value->address && value->place == SC_FACTS_NONE && !value->behind && store->base.from != SC_FACTS_WALKED)
        step->lists[store->place].filled = true;
}

/* What enters a list linked both ways in front is pushed; that it becomes the end of the links back is no tail. */
static bool is_links_back(const sc_facts *facts, const sc_facts_function *function, const sc_facts_link *link)
{
  if (link->kind == SC_FACTS_TAIL)
    SC_FACTS_EACH (other, facts->links, function->links)
      if (other->kind == SC_FACTS_PUSH && other->head == link->head && other->line == link->line)
        return true;
  return false;
}

static bool is_cursor(const links_step *step, const sc_facts_link *link)
{
  if (link->kind != SC_FACTS_POP && link->kind != SC_FACTS_TAKE)
    return false;
  return link->base.from == SC_FACTS_WALKED || link->base.from == SC_FACTS_LOCAL || !step->lists[link->head].filled;
}

static double word_for(const sc_discovery *d, uint32_t function, bool puts)
{
  const sc_name *name = &d->names[function];
  if (name->role >= SC_ROLE_WAIT)
    return 0;
  return (name->role == SC_ROLE_ACQUIRE) == puts ? name->weight : -name->weight;
}

static bool goes_round(const sc_facts *facts, const sc_facts_function *function)
{
  SC_FACTS_EACH (counter, facts->counters, function->counters)
    if (counter->ring)
      return true;
  return false;
}

static bool has_unit_for_caller(const links_step *step, const sc_facts_function *function, const sc_facts_link *link)
{
  return link_unit_of(step->facts, function, link) != SC_UNIT_NONE ||
         (is_unknown(step->facts, link->unit) && is_unknown(step->facts, function->returns)); /* numbers */
}

enum { SC_END_NONE = 0, SC_END_DISPOSED = 1, SC_END_HANDED_ON = 2 };

/* Whether what a call calls puts into the list, if there is room: that is not the end of a unit. */
static bool puts_back(const sc_facts *facts, const sc_facts_call *call, uint32_t head)
{
  if (call->target != SC_FACTS_NONE)
    SC_FACTS_EACH (link, facts->links, facts->functions[call->target].links)
      if (link->head == head && sc_facts_puts_in(link->kind))
        return true;
  return false;
}

/* What the function's calls get of the result of its call `number`, a unit of the list: bits SC_END_... */
static unsigned ends_of(const sc_discovery *d, const sc_facts_function *function, uint32_t number, uint32_t head)
{
  unsigned ends = SC_END_NONE;
  SC_FACTS_EACH (call, d->facts.calls, function->calls) {
    uint64_t disposes = puts_back(&d->facts, call, head) ? 0 : sc_discovery_disposes(d, call);
    for (uint32_t i = 0; i < call->arguments.count && i < SC_UNIT_POINTEE; i++)
      SC_FACTS_EACH (value, d->facts.values, d->facts.lists[call->arguments.first + i])
        if (sc_facts_is_result(value) && value->number == number)
          ends |= disposes >> i & 1 ? SC_END_DISPOSED : SC_END_HANDED_ON;
  }
  return ends;
}

/* Who gets a unit of a free list keeps it. The top of a stack is dropped or disposed of, or only looked at where
 * numbers and text are on it. */
static bool is_kept_by_callers(const sc_discovery *d, uint32_t number, uint32_t head, bool generic)
{
  SC_FACTS_EACH (caller, d->calls_in, d->callers[number]) {
    const sc_facts_function *function = &d->facts.functions[caller->function];
    enum sc_facts_result result = d->facts.calls[caller->call].result;
    uint32_t call = caller->call - function->calls.first;
    unsigned ends = ends_of(d, function, call, head);
    if (result == SC_FACTS_STORED || result == SC_FACTS_RETURNED ||
        sc_discovery_returns_call(&d->facts, function, call))
      return true;
    if (!generic && ((result == SC_FACTS_USED && ends == SC_END_NONE) || ends & SC_END_HANDED_ON))
      return true;
  }
  return d->callers[number].count == 0;
}

static void links_count(links_step *step, uint32_t number)
{
  const sc_facts_function *function = &step->facts->functions[number];
  SC_FACTS_EACH (link, step->facts->links, function->links) {
    if (link->head == SC_FACTS_NONE || is_cursor(step, link) || is_links_back(step->facts, function, link))
      continue;
    list_of *list = &step->lists[link->head];
    if (link->link != SC_FACTS_NONE)
      list->link = link->link;
    list->kinds[link->kind]++;
    bool generic = !*list_type(step, link->head, list->link) && slot_unit(step->facts, function, link) == SC_UNIT_NONE;
    if (link->kind == SC_FACTS_POP || link->kind == SC_FACTS_TAKE)
      list->returned +=
          has_unit_for_caller(step, function, link) && is_kept_by_callers(step->d, number, link->head, generic);
    list->rings += link->kind == SC_FACTS_TAKE && goes_round(step->facts, function);
    if (link->kind != SC_FACTS_UNLINK)
      list->words += word_for(step->d, number, sc_facts_puts_in(link->kind));
  }
}

/* The one list of the same record and link that fulfils `wanted`; SC_FACTS_NONE where not exactly one does. */
static uint32_t links_partner(const links_step *step, uint32_t place, uint32_t link,
                              bool (*wanted)(const list_of *list))
{
  uint32_t found = SC_FACTS_NONE;
  for (uint32_t i = 0; link != SC_FACTS_NONE && i < step->facts->places_count; i++) {
    if (i == place || step->lists[i].link != link || !wanted(&step->lists[i]) ||
        (place != SC_FACTS_NONE && step->facts->places[i].record != step->facts->places[place].record))
      continue;
    if (found != SC_FACTS_NONE)
      return SC_FACTS_NONE;
    found = i;
  }
  return found;
}

static bool list_pops(const list_of *list) { return list->kinds[SC_FACTS_POP] > 0; }
static bool list_puts(const list_of *list) { return list->kinds[SC_FACTS_PUSH] + list->kinds[SC_FACTS_TAIL] > 0; }

static void links_merge(links_step *step, uint32_t place, uint32_t into)
{
  list_of *from = &step->lists[place], *to = &step->lists[into];
  if (into == SC_FACTS_NONE || list_root(step, into) == place)
    return;
  from->same_as = into;
  for (size_t i = 0; i <= SC_FACTS_TAKE; i++)
    to->kinds[i] += from->kinds[i];
  to->words += from->words;
  to->returned += from->returned;
}

/* The tail of a queue belongs to its head; what is unlinked somewhere was put in somewhere. */
static void links_match(links_step *step)
{
  for (uint32_t i = 0; i < step->facts->places_count; i++) {
    list_of *list = &step->lists[i];
    if (list->kinds[SC_FACTS_TAIL] && !list_pops(list))
      links_merge(step, i, links_partner(step, i, list->link, list_pops));
    else if (list->kinds[SC_FACTS_UNLINK] && !list_puts(list))
      links_merge(step, i, links_partner(step, i, list->link, list_puts));
  }
}

/* ---- what that makes them ------------------------------------------------------------------------------------ */

/* What is taken out last in, first out, and handed to the caller, is free until then, unless names say that it is work.
 */
static bool is_free_list(const list_of *list) { return list->returned && list->words <= 0; }

static bool list_kind(const list_of *list, enum sc_mechanism_kind *kind)
{
  const unsigned *n = list->kinds;
  unsigned pushes = n[SC_FACTS_PUSH], pops = n[SC_FACTS_POP], tails = n[SC_FACTS_TAIL], unlinks = n[SC_FACTS_UNLINK];
  if (n[SC_FACTS_APPEND] && n[SC_FACTS_TAKE])
    *kind = list->rings ? SC_BY_QUEUE : is_free_list(list) ? SC_BY_FREE_LIST : SC_BY_ARRAY;
  else if (tails && pops)
    *kind = SC_BY_QUEUE;
  else if (pushes && pops)
    *kind = is_free_list(list) ? SC_BY_FREE_LIST : SC_BY_LIST;
  else if ((pushes || tails) && unlinks)
    *kind = SC_BY_LIST;
  else
    return false;
  return true;
}

/* What is appended to characters is text, and no unit. */
static bool is_text(const sc_facts *facts, uint32_t head)
{
  const sc_facts_field *field = sc_facts_field_of(facts, head);
  return field && strcmp(field->type.name, "char") == 0 && field->type.pointers <= 1;
}

static enum sc_seen link_shape(enum sc_mechanism_kind kind, enum sc_facts_link_kind link)
{
  switch (link) {
  case SC_FACTS_POP:
    return SC_SEEN_POP;
  case SC_FACTS_PUSH:
    return kind == SC_BY_LIST ? SC_SEEN_ENTER : SC_SEEN_PUSH;
  case SC_FACTS_TAIL:
    return kind == SC_BY_LIST ? SC_SEEN_ENTER : SC_SEEN_TAIL;
  case SC_FACTS_UNLINK:
    return SC_SEEN_UNLINK;
  case SC_FACTS_APPEND:
    return SC_SEEN_APPEND;
  default:
    return SC_SEEN_TAKE;
  }
}

static int links_cursor(links_step *step, uint32_t number, const sc_facts_link *link)
{
  bool acquires = step->d->names[number].role == SC_ROLE_ACQUIRE;
  return sc_discovery_reject(step->d, &(sc_rejected){number, link->head, link->line,
                                                     acquires ? SC_ROLE_ACQUIRE : SC_ROLE_RELEASE, SC_REJECT_CURSOR,
                                                     SC_FACTS_NONE});
}

static int links_evidence(links_step *step, uint32_t number, const sc_facts_link *link)
{
  sc_discovery *d = step->d;
  const sc_facts_function *function = &step->facts->functions[number];
  uint32_t head = link->head, mechanism;
  enum sc_mechanism_kind kind;
  if (head != SC_FACTS_NONE && is_cursor(step, link))
    return links_cursor(step, number, link);
  if (head == SC_FACTS_NONE && link->kind == SC_FACTS_UNLINK)
    head = links_partner(step, SC_FACTS_NONE, link->link, list_puts);
  if (head == SC_FACTS_NONE)
    return 0;
  head = list_root(step, head);
  if (is_text(step->facts, head)) {
    if (link->count != SC_FACTS_NONE)
      d->lengths[link->count] = 1;
    return 0;
  }
  if (!list_kind(&step->lists[head], &kind))
    return 0;
  SC_TRY(sc_discovery_mechanism(d, kind, head, list_type(step, head, step->lists[head].link), &mechanism));
  bool acquires = sc_facts_puts_in(link->kind) == (kind != SC_BY_FREE_LIST);
  int unit = link_unit_of(step->facts, function, link);
  return sc_discovery_evidence(d, &(sc_evidence){.function = number,
                                                 .mechanism = mechanism,
                                                 .role = acquires ? SC_ROLE_ACQUIRE : SC_ROLE_RELEASE,
                                                 .shape = link_shape(kind, link->kind),
                                                 .unit = unit,
                                                 .line = link->line,
                                                 .other = link->head == SC_FACTS_NONE ? head : link->head,
                                                 .conditional = link->conditional && unit != SC_UNIT_RETURN});
}

/* What moves a unit within one list: takes it out and puts it in again. */
static bool link_moves(const links_step *step, const sc_facts_function *function, const sc_facts_link *link)
{
  SC_FACTS_EACH (other, step->facts->links, function->links)
    if (other->head != SC_FACTS_NONE && link->head != SC_FACTS_NONE &&
        sc_facts_puts_in(other->kind) != sc_facts_puts_in(link->kind) &&
        list_root(step, other->head) == list_root(step, link->head))
      return true;
  return false;
}

static int links_function(links_step *step, uint32_t number)
{
  const sc_facts_function *function = &step->facts->functions[number];
  SC_FACTS_EACH (link, step->facts->links, function->links) {
    if (is_links_back(step->facts, function, link))
      continue;
    if (link_moves(step, function, link))
      SC_TRY(sc_discovery_reject(
          step->d, &(sc_rejected){number, link->head, link->line, SC_ROLE_RELEASE, SC_REJECT_NET_ZERO, SC_FACTS_NONE}));
    else
      SC_TRY(links_evidence(step, number, link));
  }
  return 0;
}

int sc_discovery_links(sc_discovery *d)
{
  links_step step = {.d = d, .facts = &d->facts};
  uint32_t count = (uint32_t)d->facts.functions_count;
  int err = SC_NEW(d->lengths, d->facts.places_count + 1);
  if (err == 0)
    err = SC_NEW(step.lists, d->facts.places_count + 1);
  for (uint32_t i = 0; err == 0 && i < d->facts.places_count; i++)
    step.lists[i] = (list_of){.same_as = i, .link = SC_FACTS_NONE};
  for (uint32_t i = 0; err == 0 && i < count; i++) {
    const sc_facts_function *function = &d->facts.functions[i];
    links_fill(&step, function);
    SC_FACTS_EACH (link, d->facts.links, function->links)
      if (sc_facts_puts_in(link->kind) && link->head != SC_FACTS_NONE)
        step.lists[link->head].filled = true;
  }
  /* The link that a queue's head and tail share is only known from both: a queue's head is filled by its tail. */
  for (uint32_t i = 0; err == 0 && i < count; i++)
    links_count(&step, i);
  if (err == 0)
    links_match(&step);
  for (uint32_t i = 0; err == 0 && i < count; i++)
    err = links_function(&step, i);
  free(step.lists);
  return err;
}
