/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a function does: calls, counters, links, stores, waits. */
#include <string.h>

#include "runner/discover/facts_internal.h"

enum { ARGUMENTS = 64 };

/* Which of the words, which end in NULL, it is. */
static int effects_word(const sc_facts_at *at, const cJSON *item, const char *key, const char *const *words, int *index)
{
  const char *text;
  SC_TRY(sc_facts_text(at, item, key, &text));
  for (*index = 0; words[*index]; ++*index)
    if (strcmp(words[*index], text) == 0)
      return 0;
  return sc_facts_fault(at, "'%s' is '%.40s'", key, text);
}

static int call_last(const sc_facts_at *at, const cJSON *item, sc_facts_call *call)
{
  const cJSON *list = cJSON_GetObjectItemCaseSensitive(item, "last");
  if (list && !cJSON_IsArray(list))
    return sc_facts_fault(at, "'last' is not a list");
  for (const cJSON *number = list ? list->child : NULL; number; number = number->next) {
    if (!cJSON_IsNumber(number) || !(number->valuedouble >= 0))
      return sc_facts_fault(at, "'last' has something else than numbers of arguments in it");
    if (number->valuedouble < ARGUMENTS)
      call->last |= UINT64_C(1) << (unsigned)number->valuedouble;
  }
  return 0;
}

static int call_arguments(const sc_facts_at *at, const cJSON *item, sc_facts_call *call)
{
  sc_facts *facts = at->facts;
  const cJSON *list = cJSON_GetObjectItemCaseSensitive(item, "arguments");
  call->arguments = (sc_facts_slice){(uint32_t)facts->lists_count, 0};
  if (list && !cJSON_IsArray(list))
    return sc_facts_fault(at, "'arguments' is not a list");
  for (const cJSON *value = list ? list->child : NULL; value && call->arguments.count < ARGUMENTS;
       value = value->next) {
    sc_facts_slice values;
    SC_TRY(sc_facts_parse_values(at, value, &values));
    SC_TRY(SC_FACTS_ADD(facts, lists));
    facts->lists[facts->lists_count++] = values;
    call->arguments.count++;
  }
  return 0;
}

static int effects_call(const sc_facts_at *at, const cJSON *item)
{
  static const char *const results[] = {"unused", "used", "tested", "stored", "returned", NULL};
  sc_facts *facts = at->facts;
  sc_facts_call call = {.target = SC_FACTS_NONE};
  const char *callee;
  int result = SC_FACTS_UNUSED;
  SC_TRY(sc_facts_text(at, item, "callee", &callee));
  if (*callee && !(call.callee = sc_facts_intern(facts, callee)))
    return SC_E_NOMEM;
  SC_TRY(sc_facts_read_place(at, item, "through", &call.through));
  SC_TRY(sc_facts_number(at, item, "line", UINT32_MAX, &call.line));
  SC_TRY(call_arguments(at, item, &call));
  SC_TRY(call_last(at, item, &call));
  SC_TRY(sc_facts_flag(at, item, "conditional", &call.conditional));
  SC_TRY(sc_facts_flag(at, item, "loop", &call.loop));
  if (cJSON_GetObjectItemCaseSensitive(item, "result"))
    SC_TRY(effects_word(at, item, "result", results, &result));
  call.result = (enum sc_facts_result)result;
  SC_TRY(SC_FACTS_ADD(facts, calls));
  facts->calls[facts->calls_count++] = call;
  return 0;
}

static int counter_numbers(const sc_facts_at *at, const cJSON *item, sc_facts_counter *counter)
{
  const cJSON *step = cJSON_GetObjectItemCaseSensitive(item, "step");
  const cJSON *net = cJSON_GetObjectItemCaseSensitive(item, "net");
  if (!cJSON_IsNumber(step))
    return sc_facts_fault(at, "'step' is not a number");
  if (net && !cJSON_IsNumber(net) && !cJSON_IsNull(net))
    return sc_facts_fault(at, "'net' is not a number or null");
  counter->step = (step->valuedouble > 0) - (step->valuedouble < 0);
  /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): not NULL here */
  counter->net = cJSON_IsNumber(net) ? (net->valuedouble > 0) - (net->valuedouble < 0) : SC_FACTS_NET_UNKNOWN;
  return 0;
}

static int effects_counter(const sc_facts_at *at, const cJSON *item)
{
  sc_facts_counter counter = {0};
  SC_TRY(sc_facts_read_place(at, item, "place", &counter.place));
  if (counter.place == SC_FACTS_NONE)
    return 0; /* of no record and no global: nobody else can be seen to count it */
  SC_TRY(sc_facts_read_base(at, item, &counter.base));
  SC_TRY(counter_numbers(at, item, &counter));
  SC_TRY(sc_facts_flag(at, item, "tested_zero", &counter.tested_zero));
  SC_TRY(sc_facts_flag(at, item, "ring", &counter.ring));
  SC_TRY(sc_facts_flag(at, item, "conditional", &counter.conditional));
  SC_TRY(sc_facts_number(at, item, "line", UINT32_MAX, &counter.line));
  SC_TRY(SC_FACTS_ADD(at->facts, counters));
  at->facts->counters[at->facts->counters_count++] = counter;
  return 0;
}

static int effects_link(const sc_facts_at *at, const cJSON *item)
{
  static const char *const kinds[] = {"pop", "push", "tail", "unlink", "append", "take", NULL};
  sc_facts_link link = {0};
  int kind;
  SC_TRY(effects_word(at, item, "kind", kinds, &kind));
  link.kind = (enum sc_facts_link_kind)kind;
  SC_TRY(sc_facts_read_place(at, item, "head", &link.head));
  SC_TRY(sc_facts_read_place(at, item, "link", &link.link));
  SC_TRY(sc_facts_read_place(at, item, "count", &link.count));
  SC_TRY(sc_facts_read_base(at, item, &link.base));
  SC_TRY(sc_facts_parse_values(at, cJSON_GetObjectItemCaseSensitive(item, "unit"), &link.unit));
  SC_TRY(sc_facts_flag(at, item, "conditional", &link.conditional));
  SC_TRY(sc_facts_number(at, item, "line", UINT32_MAX, &link.line));
  SC_TRY(SC_FACTS_ADD(at->facts, links));
  at->facts->links[at->facts->links_count++] = link;
  return 0;
}

static int effects_store(const sc_facts_at *at, const cJSON *item)
{
  sc_facts_store store = {0};
  SC_TRY(sc_facts_read_place(at, item, "place", &store.place));
  SC_TRY(sc_facts_read_base(at, item, &store.base));
  SC_TRY(sc_facts_parse_values(at, cJSON_GetObjectItemCaseSensitive(item, "value"), &store.value));
  SC_TRY(sc_facts_flag(at, item, "conditional", &store.conditional));
  SC_TRY(sc_facts_number(at, item, "line", UINT32_MAX, &store.line));
  SC_TRY(SC_FACTS_ADD(at->facts, stores));
  at->facts->stores[at->facts->stores_count++] = store;
  return 0;
}

static int effects_wait(const sc_facts_at *at, const cJSON *item)
{
  sc_facts *facts = at->facts;
  const cJSON *list = cJSON_GetObjectItemCaseSensitive(item, "rereads");
  sc_facts_wait wait = {.rereads = {(uint32_t)facts->places_listed_count, 0}};
  SC_TRY(sc_facts_number(at, item, "call", UINT32_MAX, &wait.call));
  SC_TRY(sc_facts_flag(at, item, "loop", &wait.loop));
  if (list && !cJSON_IsArray(list))
    return sc_facts_fault(at, "'rereads' is not a list");
  for (const cJSON *place = list ? list->child : NULL; place; place = place->next) {
    uint32_t number;
    if (!cJSON_IsString(place))
      return sc_facts_fault(at, "'rereads' has something else than fields and globals in it");
    SC_TRY(sc_facts_parse_place(at, place->valuestring, &number));
    SC_TRY(SC_FACTS_ADD(facts, places_listed));
    facts->places_listed[facts->places_listed_count++] = number;
    wait.rereads.count++;
  }
  SC_TRY(SC_FACTS_ADD(facts, waits));
  facts->waits[facts->waits_count++] = wait;
  return 0;
}

static int effects_returns(const sc_facts_at *at, const cJSON *item, sc_facts_function *function)
{
  const cJSON *list = cJSON_GetObjectItemCaseSensitive(item, "returns");
  function->returns = (sc_facts_slice){(uint32_t)at->facts->values_count, 0};
  if (list && !cJSON_IsArray(list))
    return sc_facts_fault(at, "'returns' is not a list");
  for (const cJSON *value = list ? list->child : NULL; value; value = value->next) {
    sc_facts_slice values;
    SC_TRY(sc_facts_parse_values(at, value, &values));
    function->returns.count += values.count;
  }
  return 0;
}

/* Arguments and calls that a value or wait names are there. */
static int effects_check(const sc_facts_at *at, const sc_facts_function *function, size_t first_value)
{
  const sc_facts *facts = at->facts;
  for (size_t i = first_value; i < facts->values_count; i++)
    if ((facts->values[i].from == SC_FACTS_CALL || facts->values[i].from == SC_FACTS_WRITTEN) &&
        facts->values[i].number >= function->calls.count)
      return sc_facts_fault(at, "a value is the result of call %u of %u", facts->values[i].number,
                            function->calls.count);
  SC_FACTS_EACH (wait, facts->waits, function->waits)
    if (wait->call >= function->calls.count)
      return sc_facts_fault(at, "a wait is call %u of %u", wait->call, function->calls.count);
  return 0;
}

int sc_facts_read_effects(const sc_facts_at *outside, const cJSON *item, sc_facts_function *function)
{
  sc_facts *facts = outside->facts;
  const struct {
    const char *key;
    int (*read)(const sc_facts_at *at, const cJSON *item);
    size_t *count;
    sc_facts_slice *slice;
  } parts[] = {{"calls", effects_call, &facts->calls_count, &function->calls},
               {"counters", effects_counter, &facts->counters_count, &function->counters},
               {"links", effects_link, &facts->links_count, &function->links},
               {"stores", effects_store, &facts->stores_count, &function->stores},
               {"waits", effects_wait, &facts->waits_count, &function->waits}};
  sc_facts_at at = *outside;
  size_t first_value = facts->values_count;
  at.function = function->name;
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    const cJSON *list;
    at.list = parts[i].key;
    at.index = 0;
    SC_TRY(sc_facts_list(&at, item, parts[i].key, &list));
    *parts[i].slice = (sc_facts_slice){(uint32_t)*parts[i].count, 0};
    for (const cJSON *one = list ? list->child : NULL; one; one = one->next, at.index++)
      SC_TRY(parts[i].read(&at, one));
    parts[i].slice->count = (uint32_t)(*parts[i].count - parts[i].slice->first);
  }
  SC_TRY(effects_returns(&at, item, function));
  return effects_check(&at, function, first_value);
}
