/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Tallies: what the events of one place in one context did. A cell of a node
 * leads to the first one; they are made when an event first needs them, in the
 * arena of the node, and written by the thread whose arena it is.
 */
#include "arena.h"
#include "bytes.h"
#include "outs.h"
#include "tally_kinds.h"
#include "ticks.h"

enum {
  SC_TALLY_INSTANCES = 64, /* told apart in one cell; the others share one */
  SC_TALLY_HOLDERS = 64    /* told apart in one tally */
};

/* Profiles have addresses as numbers. */
static inline struct scale_tally *sc_tally_at(uint64_t address) { return (struct scale_tally *)(uintptr_t)address; }

/* Both in one word, for a cache whose entries are checked by it. */
static inline uint64_t sc_tally_mix(const uint64_t *cell, uint64_t identity)
{
  uint64_t mixed = ((uintptr_t)cell ^ identity << 13 ^ identity >> 51) * UINT64_C(0x9e3779b97f4a7c15);
  return (mixed ^ mixed >> 29) * UINT64_C(0xbf58476d1ce4e5b9) ^ identity;
}

/* The tally that the thread last had of the cell and the identity, where the cell has one an instance; NULL: ask
   __scale_tally_make. */
static inline struct scale_tally *sc_tally_hinted(const struct sc_arena *own, const uint64_t *cell, uint64_t identity)
{
  uint64_t mixed = sc_tally_mix(cell, identity);
  const struct sc_arena_instance *hint = &own->instances[mixed % SC_ARENA_INSTANCES];
  uint64_t found = SC_PEEK(hint->tally);

  return found && SC_PEEK(hint->check) == (mixed ^ found) ? sc_tally_at(found) : NULL;
}

/* The tally of the cell for the identity, or NULL without memory: the event is then counted as lost. */
__attribute__((preserve_most)) struct scale_tally *__scale_tally_make(struct sc_arena *own, uint64_t *cell,
                                                                      uint64_t identity, uint32_t how);
/* Notes that an instance was seen whose bit is not set yet. */
__attribute__((preserve_most)) void __scale_tally_instance(struct scale_tally *tally, uint64_t identity, uint32_t how);
/* The lock's share in the tally, if it is not where it is looked for first; NULL: others have more. */
__attribute__((preserve_most)) struct scale_share *__scale_tally_share(struct sc_lock_tally *tally, uint64_t identity,
                                                                       uint32_t weight);
/* Adds a wait of `ticks` for what the tally `by` (0: unknown) held. */
void __scale_tally_waited(struct scale_tally *tally, uint64_t by, uint64_t ticks);
/* Adds ticks of waiting during which the thread itself held what the tally `held` acquired. */
void __scale_tally_inside(struct scale_tally *tally, uint64_t held, uint64_t ticks);

/* Eight bits of an identity: of addresses, whose lower ones are alike. */
static inline uint64_t sc_tally_hash(uint64_t identity)
{
  identity *= UINT64_C(0x9e3779b97f4a7c15);
  return identity >> 56;
}

/* Sets the instance's bit, by which distinct instances are counted. */
static inline void sc_tally_seen(struct scale_tally *tally, uint64_t identity, uint32_t how)
{
  uint64_t bit = sc_tally_hash(identity);

  if (__builtin_expect(!((&tally->instances_0)[bit / 64] >> (bit % 64) & 1), 0))
    __scale_tally_instance(tally, identity, how);
}

/* By the tally's thread alone. Others give back by adding to foreign_units, hence the difference. */
static inline void sc_tally_acquire(struct scale_tally *tally, uint64_t units)
{
  uint64_t all = SC_PEEK(tally->units) + units, now;

  SC_BUMP(tally->acquires, 1);
  SC_POKE(tally->units, all);
  now = all - SC_PEEK(tally->returned_units) - SC_PEEK(tally->foreign_units) - SC_PEEK(tally->unseen_units);
  if ((int64_t)(now - tally->peak) > 0)
    SC_POKE(tally->peak, now);
}

/* By the tally's thread alone. `stranger`: what is given back was acquired by another thread. */
static inline void sc_tally_release(struct scale_tally *tally, uint64_t units, int stranger)
{
  SC_BUMP(tally->releases, 1);
  SC_BUMP(tally->units_released, units);
  if (stranger)
    SC_BUMP(tally->strangers, 1);
}

/* What was acquired could not be remembered: nobody will see it come back. */
static inline void sc_tally_forget(struct scale_tally *tally, uint64_t units)
{
  SC_ADD(tally->unseen, 1);
  SC_ADD(tally->unseen_units, units);
  SC_ADD(SC_LOAD(__scale_process_state)->header->lost_events, 1);
}

/* Adds to the hold time of units that any thread may give back. While some are out it may be less than nothing. */
static inline void sc_tally_held(struct scale_tally *tally, int64_t ticks)
{
  SC_ADD(tally->hold_ticks, (uint64_t)ticks);
}

/* The count of holds that last as long; NULL if the tally has no such counts. */
static inline uint32_t *sc_tally_bucket(struct scale_tally *tally, uint64_t ticks)
{
  uint32_t bucket = 63 - (uint32_t)__builtin_clzll(sc_ticks_ns(ticks) | 1);

  if (tally->bytes < sizeof(struct sc_timed_tally))
    return NULL;
  return &((struct sc_timed_tally *)tally)->buckets[bucket < SCALE_HOLD_BUCKETS ? bucket : SCALE_HOLD_BUCKETS - 1];
}

/* Where a lock's share is looked for first. */
static inline uint64_t sc_tally_share_place(uint64_t identity) { return sc_tally_hash(identity) % SCALE_SHARES; }

/* Adds a hold to the lock's own share; it stands for `weight` holds, as not all are timed. */
static inline void sc_tally_hold_of(struct scale_tally *tally, uint64_t identity, uint64_t ticks, uint32_t weight)
{
  struct sc_lock_tally *locks = (struct sc_lock_tally *)tally;
  struct scale_share *share;

  if (tally->bytes < sizeof(struct sc_lock_tally))
    return;
  share = &locks->shares[sc_tally_share_place(identity)];
  if (__builtin_expect(SC_PEEK(share->identity) != identity, 0))
    share = __scale_tally_share(locks, identity, weight);
  if (!share)
    return;
  SC_BUMP(share->holds, weight);
  SC_BUMP(share->hold_ticks, ticks * weight);
}

/* Adds a hold of that many ticks to the tally, its histogram and the lock's share. */
static inline void sc_tally_hold(struct scale_tally *tally, uint64_t identity, uint64_t ticks, uint32_t weight)
{
  uint32_t *bucket = sc_tally_bucket(tally, ticks);

  SC_BUMP(tally->holds, 1);
  SC_BUMP(tally->hold_ticks, ticks * weight);
  sc_tally_hold_of(tally, identity, ticks, weight);
  if (bucket)
    SC_BUMP(*bucket, weight);
}

/* A hold whose thread ends it, of a unit that others might have given back; `weight` 0: it is not timed. */
static inline void sc_tally_unit(struct scale_tally *tally, uint64_t ticks, uint32_t weight)
{
  uint32_t *bucket = weight ? sc_tally_bucket(tally, ticks) : NULL;

  SC_BUMP(tally->holds, 1);
  if (weight)
    sc_tally_held(tally, (int64_t)(ticks * weight));
  if (bucket)
    SC_BUMP(*bucket, weight);
}

/* `holds` of them, of what any thread may give back. */
static inline void sc_tally_hold_shared(struct scale_tally *tally, uint64_t ticks, uint64_t holds)
{
  uint32_t *bucket = sc_tally_bucket(tally, ticks);

  SC_ADD(tally->holds, holds);
  SC_ADD(tally->hold_ticks, ticks * holds);
  if (bucket)
    SC_ADD(*bucket, (uint32_t)holds);
}
