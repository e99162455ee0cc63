/* SPDX-License-Identifier: MIT */
#pragma once
/* Where the holds of a thread are. Of a lock there may be several: of places that acquired it one after another. */
#include "arena.h"
#include "bytes.h"
#include "how.h"
#include "ticks.h"

/* Acquires that are left of a hold, for whoever gives one back. */
static inline uint32_t sc_hold_left(uint64_t left) { return (uint32_t)left; }

/* Takes one acquire of the use `left` of a hold. 0: none is left. */
static inline int sc_held_take(struct sc_hold *h, uint64_t left)
{
  uint64_t now = left;

  while (sc_hold_left(now) && now >> 32 == left >> 32)
    if (SC_SWAP(h->left, &now, now - 1))
      return 1;
  return 0;
}

/* Until now, of a unit that comes back; 0 if the hold is not timed. A stranger asks before it takes the unit: then the
   memory may be another hold's. */
static inline int64_t sc_hold_ticks(const struct sc_hold *h, uint64_t now)
{
  uint64_t since = SC_PEEK(h->since);

  return since ? (int64_t)(sc_ticks_between(since, now) * SC_PEEK(h->weight)) : 0;
}

/* Whether it is a hold of this lock: one address may be two locks of different classes, one after the other. */
static inline int sc_hold_of(const struct sc_hold *h, uint64_t identity, uint32_t how)
{
  return SC_PEEK(h->identity) == identity && sc_event_class(SC_PEEK(h->how)) == sc_event_class(how);
}

/* The newest hold behind the array; any thread may ask. NULL without one. */
struct sc_hold *__scale_held_behind(const struct sc_arena *arena, uint64_t identity, uint32_t how);
/* The arena's newest hold of the lock, for any thread; NULL without one. */
static inline struct sc_hold *sc_held_newest(struct sc_arena *arena, uint64_t identity, uint32_t how)
{
  struct sc_held *held = &arena->held;
  struct sc_hold *h;

  if (__builtin_expect(SC_PEEK(held->more) != 0, 0) && (h = __scale_held_behind(arena, identity, how)))
    return h;
  for (h = held->first + SC_PEEK(held->count); h-- > held->first;)
    if (SC_PEEK(h->identity) == identity && __builtin_expect(sc_event_class(SC_PEEK(h->how) ^ how) == 0, 1))
      return h;
  return NULL;
}

/* The one that is older than `h`, of the same lock and thread; NULL for the oldest. */
struct sc_hold *__scale_held_older(struct sc_arena *arena, const struct sc_hold *h);
struct sc_hold *__scale_held_place_slow(struct sc_arena *own, uint64_t identity, uint32_t how);
void __scale_held_remove_slow(struct sc_arena *own, struct sc_hold *h);

/* A place for a hold of the lock, in front of all that the thread has of it; NULL without memory. The caller fills it
   in, its identity last. */
static inline struct sc_hold *sc_held_place(struct sc_arena *own, uint64_t identity, uint32_t how)
{
  struct sc_held *held = &own->held;
  struct sc_hold *h = &held->first[held->count];

  if (__builtin_expect(held->more || held->count == SC_HELD_FIRST, 0))
    return __scale_held_place_slow(own, identity, how);
  SC_STORE(held->count, held->count + 1);
  SC_POKE(h->state, 0);
  return h;
}

/* Takes a hold out of the array. */
static inline void sc_held_shrink(struct sc_held *held, struct sc_hold *h)
{
  uint32_t count = held->count;

  SC_STORE(h->identity, 0);
  while (count && !held->first[count - 1].identity)
    count--;
  SC_STORE(held->count, count);
}

/* Takes a hold out. */
static inline void sc_held_remove(struct sc_arena *own, struct sc_hold *h)
{
  if (__builtin_expect(h->state & (SC_HELD_BEHIND | SC_HELD_LISTED), 0))
    __scale_held_remove_slow(own, h);
  else
    sc_held_shrink(&own->held, h);
}

/* Takes out all, of a thread that is gone, perhaps in the midst of anything. */
void __scale_held_drop(struct sc_arena *arena);
/* In a child of fork: forgets where holds of all arenas but `own` are. */
void __scale_held_store_fork(const struct sc_arena *own);
