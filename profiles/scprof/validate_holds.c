/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists instead of a table: a unit is rarely held by more than one or two tasks, and lists that end are reused. */
#include "profiles/scprof/validate_holds.h"

#include <stdlib.h>

#include "base/buf.h"

bool sc_validate_holds_by(const sc_validate_holds *holds, uint32_t first, uint32_t task)
{
  while (first && holds->list[first - 1].task != task)
    first = holds->list[first - 1].next;
  return first != 0;
}

bool sc_validate_holds_by_others(const sc_validate_holds *holds, uint32_t first, uint32_t task)
{
  while (first && holds->list[first - 1].task == task)
    first = holds->list[first - 1].next;
  return first != 0;
}

int sc_validate_holds_take(sc_validate_holds *holds, uint32_t *first, uint32_t task, uint64_t depth)
{
  for (uint32_t at = *first; at; at = holds->list[at - 1].next)
    if (holds->list[at - 1].task == task) {
      holds->list[at - 1].depth += depth;
      return 0;
    }
  if (!holds->unused) {
    SC_TRY(sc_mem_grow(&holds->list, &holds->capacity, holds->count + 1, sizeof *holds->list));
    holds->list[holds->count] = (struct sc_validate_hold){0};
    holds->unused = (uint32_t)++holds->count;
  }
  uint32_t number = holds->unused;
  holds->unused = holds->list[number - 1].next;
  holds->list[number - 1] = (struct sc_validate_hold){.task = task, .next = *first, .depth = depth};
  *first = number;
  return 0;
}

/* Whoever holds it may be given back for by another: without a hold of the task's own the first one in the list is
 * taken. */
uint64_t sc_validate_holds_give(sc_validate_holds *holds, uint32_t *first, uint32_t task, uint64_t depth)
{
  uint32_t *at = first;
  while (*at && holds->list[*at - 1].task != task)
    at = &holds->list[*at - 1].next;
  if (!*at)
    at = first;
  if (!*at)
    return 0;
  struct sc_validate_hold *hold = &holds->list[*at - 1];
  uint64_t back = depth < hold->depth ? depth : hold->depth;
  hold->depth -= back;
  if (hold->depth)
    return 0;
  uint32_t number = *at;
  *at = hold->next;
  hold->next = holds->unused;
  holds->unused = number;
  return depth - back;
}

void sc_validate_holds_give_all(sc_validate_holds *holds, uint32_t *first, uint32_t task, uint64_t depth)
{
  while (*first && depth)
    depth = sc_validate_holds_give(holds, first, task, depth);
}

void sc_validate_holds_free(sc_validate_holds *holds) { free(holds->list); }
