/* SPDX-License-Identifier: MIT */
#include "names.h"
#include "how.h"
#include "table.h"
#include "valgrind.h"

static SC_SHARED struct sc_table names;

/* Classes whose instances are told apart by what they are called. */
static int names_wanted(uint32_t resource_class)
{
  return resource_class <= SCALE_CLASS_BARRIER || resource_class == SCALE_CLASS_OTHER;
}

void __scale_names_set(uint64_t identity, uint32_t how, const struct scale_tally *tally)
{
  uint64_t key = __scale_table_key(sc_event_class(how), identity);
  struct sc_table_at at;

  if (!identity || !names_wanted(sc_event_class(how)))
    return;
  at = __scale_table_find(&names, key, NULL, NULL, 0);
  if (!at.value)
    at = __scale_table_add(&names, key);
  if (!at.value)
    return;
  at.value->tally = (uintptr_t)tally;
  __scale_table_leave(at, key);
}

uint64_t __scale_names_find(uint64_t identity, uint32_t how)
{
  struct sc_table_value found;

  if (!identity || !names_wanted(sc_event_class(how)) ||
      !__scale_table_look(&names, __scale_table_key(sc_event_class(how), identity), &found))
    return 0;
  return found.tally;
}

struct names_visitor {
  void (*visit)(void *context, uint64_t tally);
  void *context;
};

static int names_visit(const struct sc_table_value *value, const void *context)
{
  const struct names_visitor *visitor = context;

  visitor->visit(visitor->context, value->tally);
  return 1;
}

void __scale_names_visit(void (*visit)(void *context, uint64_t tally), void *context)
{
  struct names_visitor visitor = {visit, context};

  __scale_table_clear(&names, names_visit, &visitor);
}

static int names_there(const struct sc_table_value *value, const void *context)
{
  return __scale_arena_begins(value->tally);
}

void __scale_names_fork(void) { __scale_table_clear(&names, names_there, NULL); }
