/* SPDX-License-Identifier: MIT */
#include "names.h"
#include "event.h"
#include "table.h"
#include "tally.h"
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

static int names_of_own(const struct sc_table_value *value, const void *context)
{
  for (const struct scale_chunk *c = ((const struct sc_arena *)context)->current; c; c = sc_arena_older(c))
    if (value->tally - (uintptr_t)c < c->bytes)
      return 1;
  return 0;
}

void __scale_names_fork(struct sc_arena *own) { __scale_table_clear(&names, own ? names_of_own : NULL, own); }
