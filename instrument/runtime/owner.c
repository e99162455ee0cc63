/* SPDX-License-Identifier: MIT */
#include "owner.h"
#include "bytes.h"
#include "steps.h"
#include "table.h"
#include "valgrind.h"

/* What __scale_slot starts as: a slot nobody counts in. */
static struct scale_entry owner_no_context = {.key = SCALE_NO_CONTEXT};

__attribute__((visibility("default"))) SC_WEAK _Thread_local void *__scale_slot = &owner_no_context;

SC_WEAK _Thread_local struct sc_arena *__scale_thread_own;

/* Further arenas by their threads' numbers: in values `tally` is the arena. */
static SC_SHARED struct sc_table owner_table;

static int owner_is(const struct sc_arena *arena, uint32_t tid)
{
  return arena && (SC_LOAD(arena->owner) & ~SC_ARENA_LEAVING) == tid;
}

static int owner_wish(const struct sc_table_value *value, const void *tid)
{
  return owner_is((const struct sc_arena *)(uintptr_t)SC_PEEK(value->tally), *(const uint32_t *)tid);
}

static int owner_arena_is(const struct sc_table_value *value, const void *arena)
{
  return value->tally == (uintptr_t)arena;
}

struct sc_arena *__scale_owner_of(uint32_t tid)
{
  struct sc_table_at at;

  for (int i = 0; i < SC_ARENA_NEAR; i++) {
    SC_STEP();
    if (owner_is(SC_LOAD(__scale_arenas_near[i]), tid))
      return SC_LOAD(__scale_arenas_near[i]);
  }
  at = __scale_table_seek(&owner_table, __scale_table_key(0, tid), owner_wish, &tid);
  return at.value ? (struct sc_arena *)(uintptr_t)SC_PEEK(at.value->tally) : NULL;
}

void __scale_owner_note(struct sc_arena *arena, uint32_t tid)
{
  struct sc_table_at at;

  if (arena->number < SC_ARENA_NEAR || arena->noted == tid)
    return;
  at = arena->noted ? __scale_table_find(&owner_table, __scale_table_key(0, arena->noted), owner_arena_is, arena, 1)
                    : (struct sc_table_at){NULL, NULL};
  if (at.value)
    __scale_table_leave(at, 0);
  arena->noted = tid;
  at = __scale_table_add(&owner_table, __scale_table_key(0, tid));
  if (!at.value)
    return;
  *at.value = (struct sc_table_value){.tally = (uintptr_t)arena};
  __scale_table_leave(at, __scale_table_key(0, tid));
}

void __scale_owner_clear(void) { __scale_table_clear(&owner_table, NULL, NULL); }
