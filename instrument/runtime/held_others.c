/* SPDX-License-Identifier: MIT */
#include "held_others.h"
#include "bytes.h"
#include "held_list.h"
#include "held_store.h"
#include "how.h"
#include "owner.h"
#include "steps.h"
#include "tally.h"
#include "ticks.h"
#include "valgrind.h"
#include <pthread.h>

enum { SC_HELD_LOOKS = 8 /* holds of one lock that are looked at */ };

/* The thread that holds the lock, where libc notes it; 0: look at others. */
static uint32_t held_owner(uint64_t identity, uint32_t how)
{
#ifdef __GLIBC__
  if (!sc_event_of_libc(how) || __scale_valgrind) /* reading what libc writes looks like a race there */
    return 0;
  if (sc_event_class(how) == SCALE_CLASS_MUTEX)
    return (uint32_t)SC_PEEK(((const pthread_mutex_t *)(uintptr_t)identity)->__data.__owner);
  if (sc_event_class(how) == SCALE_CLASS_RWLOCK)
    return (uint32_t)SC_PEEK(((const pthread_rwlock_t *)(uintptr_t)identity)->__data.__cur_writer);
#endif
  return 0;
}

/* Its thread settles it. */
static void held_queue(struct sc_hold *h)
{
  struct sc_held *held = &SC_PEEK(h->of)->held;

  if (__atomic_exchange_n(&h->queued, 1, __ATOMIC_SEQ_CST))
    return;
  h->claim = SC_LOAD(held->claims);
  while (!SC_SWAP(held->claims, &h->claim, h))
    ;
}

/* Gives back one acquire of the hold, if it is one of that lock and another thread's. */
static int held_claim(const struct sc_arena *own, struct sc_hold *h, uint64_t identity, uint32_t how)
{
  uint64_t left = SC_LOAD(h->left); /* first: who reuses the memory changes it last */
  struct scale_tally *tally = sc_tally_at(SC_PEEK(h->tally));
  uint64_t now;
  int64_t held;

  SC_STEP();
  if (SC_PEEK(h->of) == own || !tally || !sc_hold_left(left) ||
      SC_PEEK(h->state) & (SC_HELD_INHERITED | SC_HELD_AWAY) || !sc_hold_of(h, identity, how))
    return 0;
  now = sc_ticks();
  held = sc_hold_ticks(h, now);
  SC_STORE(h->ended, now);
  if (!sc_held_take(h, left))
    return 0;
  if (sc_event_class(how) == SCALE_CLASS_SEMAPHORE)
    sc_tally_held(tally, held);
  SC_ADD(tally->foreign, 1);
  SC_ADD(tally->foreign_units, 1);
  held_queue(h);
  return 1;
}

static int held_claim_in(const struct sc_arena *own, struct sc_arena *a, uint64_t identity, uint32_t how)
{
  struct sc_hold *h = a && a != own ? sc_held_newest(a, identity, how) : NULL;

  for (int i = 0; h && i < SC_HELD_LOOKS; i++, h = __scale_held_older(a, h))
    if (held_claim(own, h, identity, how))
      return 1;
  return 0;
}

/* A list whose holds are all given back but not taken out yet is passed: that is what their threads are about to do. */
static int held_claim_listed(const struct sc_arena *own, uint64_t identity, uint32_t how)
{
  struct sc_table_at at = __scale_held_listed(identity, how);
  int claimed = 0;

  if (!at.value)
    return 0;
  for (struct sc_hold *h = sc_held_first(at), *next; h && !claimed; h = next) {
    next = h->after;
    claimed = held_claim(own, h, identity, how);
    if (!sc_hold_left(SC_LOAD(h->left)))
      __scale_held_unlink(at, h);
    else if (!claimed && SC_PEEK(h->of) != own)
      break;
  }
  __scale_held_leave(at, identity, how);
  return claimed;
}

int __scale_held_claim(const struct sc_arena *own, uint64_t identity, uint32_t how)
{
  uint32_t owner;

  for (int i = 0; i < SC_ARENA_NEAR; i++) {
    SC_STEP();
    if (held_claim_in(own, SC_LOAD(__scale_arenas_near[i]), identity, how))
      return 1;
  }
  if (!SC_LOAD(__scale_arenas_far))
    return 0;
  owner = held_owner(identity, how);
  return (owner && held_claim_in(own, __scale_owner_of(owner), identity, how)) || held_claim_listed(own, identity, how);
}

/* Who held it longest, among those looked at. */
struct held_oldest {
  uint64_t since, by;
};

static void held_older(const struct sc_hold *h, uint64_t identity, uint32_t how, struct held_oldest *oldest)
{
  uint64_t since = SC_PEEK(h->since), tally = SC_PEEK(h->tally);

  SC_STEP();
  if (!since) /* not timed: rather one that is */
    since = UINT64_MAX - 1;
  if (sc_hold_of(h, identity, how) && !(SC_PEEK(h->state) & SC_HELD_AWAY) && sc_hold_left(SC_PEEK(h->left)) &&
      since < oldest->since)
    *oldest = (struct held_oldest){since, tally};
}

static void held_oldest_in(struct sc_arena *a, uint64_t identity, uint32_t how, struct held_oldest *oldest)
{
  struct sc_hold *h = sc_held_newest(a, identity, how);

  for (int i = 0; h && i < SC_HELD_LOOKS; i++, h = __scale_held_older(a, h))
    held_older(h, identity, how, oldest);
}

static void held_oldest_listed(const struct sc_arena *own, uint64_t identity, uint32_t how, struct held_oldest *oldest)
{
  struct sc_table_at at = __scale_held_listed(identity, how);
  struct sc_hold *h = at.value ? sc_held_first(at) : NULL;

  for (int i = 0; h && i < SC_HELD_LOOKS; i++, h = h->after)
    if (SC_PEEK(h->of) != own)
      held_older(h, identity, how, oldest);
  if (at.value)
    __scale_held_leave(at, identity, how);
}

uint64_t __scale_held_by(const struct sc_arena *own, uint64_t identity, uint32_t how)
{
  struct held_oldest oldest = {UINT64_MAX, 0};
  uint32_t owner = held_owner(identity, how);

  for (int i = 0; i < SC_ARENA_NEAR; i++) {
    struct sc_arena *a = SC_LOAD(__scale_arenas_near[i]);
    SC_STEP();
    if (a && a != own && (!owner || (SC_PEEK(a->owner) & ~SC_ARENA_LEAVING) == owner))
      held_oldest_in(a, identity, how, &oldest);
  }
  if (!SC_LOAD(__scale_arenas_far) || (owner && oldest.by))
    return oldest.by;
  if (owner) {
    struct sc_arena *a = __scale_owner_of(owner);
    if (a && a != own)
      held_oldest_in(a, identity, how, &oldest);
  } else {
    held_oldest_listed(own, identity, how, &oldest);
  }
  return oldest.by;
}
