/* SPDX-License-Identifier: MIT */
#include "held.h"
#include "arena.h"
#include "bytes.h"
#include "event.h"
#include "os.h"
#include "tally.h"
#include "ticks.h"
#include <pthread.h>

enum { SC_HELD_MOST = 1 << 16, SC_HELD_MARK = 1024 };

void __scale_held_reset(struct sc_held *held)
{
  SC_STORE(held->count, 0);
  if (!held->holds) {
    held->room = SC_HELD_FIRST;
    SC_STORE(held->holds, held->first);
  }
  for (uint32_t i = 0; i < held->room; i++)
    SC_STORE(held->holds[i].identity, 0);
  SC_POKE(held->claims, 0);
}

static int held_same(const struct sc_hold *h, uint64_t identity, uint32_t how)
{
  return SC_PEEK(h->identity) == identity && sc_event_class(SC_PEEK(h->how)) == sc_event_class(how);
}

/* `at` is when, or 0 for now. */
static inline void held_end(struct sc_held *held, struct sc_hold *h, uint64_t at)
{
  struct scale_tally *tally = sc_tally_at(h->tally);

  if (h->state || !tally)
    return;
  if (h->since) {
    at = at ? at : sc_ticks();
    sc_tally_hold(tally, sc_ticks_between(h->since, at), h->weight);
    SC_POKE(tally->last_tick, at);
  } else {
    SC_BUMP(tally->holds, 1);
  }
  if (++held->ended % SC_HELD_MARK == 0)
    __scale_ticks_mark(SC_LOAD(__scale_process_state), 0);
}

static void held_remove(struct sc_held *held, struct sc_hold *h)
{
  uint32_t count = held->count;

  SC_STORE(h->identity, 0);
  while (count && !held->holds[count - 1].identity)
    count--;
  SC_STORE(held->count, count);
}

void __scale_held_settle(struct sc_arena *own)
{
  struct sc_held *held = &own->held;

  __atomic_exchange_n(&held->claims, 0, __ATOMIC_ACQ_REL);
  for (uint32_t i = held->count; i-- > 0;) {
    struct sc_hold *h = &held->holds[i];
    uint32_t claimed = SC_PEEK(h->identity) ? SC_LOAD(h->claimed) : 0;
    if (!claimed)
      continue;
    SC_STORE(h->depth, h->depth - claimed); /* first: nobody is to claim the same acquire again */
    SC_ADD(h->claimed, -claimed);
    if (h->depth)
      continue;
    if (sc_event_class(h->how) != SCALE_CLASS_SEMAPHORE) /* there it is a hand-over */
      held_end(held, h, h->ended);
    held_remove(held, h);
  }
}

/* Whether a thread may acquire it while it holds it; if not, it was given back where nobody saw it. */
static int held_recursive(const struct sc_hold *h, uint32_t how)
{
  uint32_t resource_class = sc_event_class(how);

  if (sc_event_flags(how) & SCALE_SITE_PROBE || resource_class == SCALE_CLASS_SEMAPHORE)
    return 1;
  if (resource_class == SCALE_CLASS_RWLOCK)
    return sc_event_flags(how) & sc_event_flags(h->how) & SCALE_SITE_SHARED;
#ifdef __GLIBC__
  if (resource_class == SCALE_CLASS_MUTEX)
    return (((const pthread_mutex_t *)(uintptr_t)h->identity)->__data.__kind & 3) == PTHREAD_MUTEX_RECURSIVE_NP;
#endif
  return resource_class == SCALE_CLASS_MUTEX;
}

static int held_grow(struct sc_held *held)
{
  uint32_t room = held->room * 4;
  struct sc_hold *to = room > SC_HELD_MOST ? NULL : sc_os_reserve(sc_round_up(room * sizeof(*to), 4096));

  if (!to)
    return 0;
  sc_copy(to, held->holds, held->count * sizeof(*to));
  SC_STORE(held->holds, to); /* who waits may still read the old one: it stays */
  held->room = room;
  return 1;
}

/* A place for a hold: the end of the list, or a gap in a full one. An inner hold goes behind its outer one. */
static struct sc_hold *held_place(struct sc_held *held, int inner)
{
  if (held->count == held->room) {
    for (uint32_t i = 0; !inner && i < held->room; i++)
      if (!held->holds[i].identity)
        return &held->holds[i];
    if (!held_grow(held))
      return NULL;
  }
  SC_STORE(held->count, held->count + 1);
  return &held->holds[held->count - 1];
}

/* What the thread acquires and holds already. 1: that's all; 0: it is to be added, with *state. */
static int held_again(struct sc_held *held, uint64_t identity, const struct scale_tally *tally, uint32_t how,
                      uint32_t *state)
{
  for (uint32_t i = held->count; i-- > 0;) {
    struct sc_hold *h = &held->holds[i];
    if (!held_same(h, identity, how))
      continue;
    if (!held_recursive(h, how)) {
      if (!(h->state & SC_HELD_INHERITED) && h->tally) {
        SC_ADD(sc_tally_at(h->tally)->unseen, h->depth);
        SC_ADD(sc_tally_at(h->tally)->unseen_units, h->depth);
      }
      held_remove(held, h);
    } else if (h->tally == (uintptr_t)tally && !(h->state & (SC_HELD_INHERITED | SC_HELD_AWAY))) {
      SC_STORE(h->depth, h->depth + 1);
      return 1;
    } else {
      *state = SC_HELD_INNER;
    }
  }
  return 0;
}

int __scale_held_push(struct sc_arena *own, uint64_t identity, struct scale_tally *tally, uint64_t now, uint32_t weight,
                      uint32_t how)
{
  struct sc_held *held = &own->held;
  struct sc_hold *h;
  uint32_t state = 0;

  if (SC_PEEK(held->claims))
    __scale_held_settle(own);
  for (uint32_t i = 0; i < held->count; i++)
    if (held_same(&held->holds[i], identity, how)) {
      if (held_again(held, identity, tally, how, &state))
        return 1;
      break;
    }
  h = held_place(held, state != 0);
  if (!h)
    return 0;
  SC_POKE(h->tally, (uintptr_t)tally);
  SC_POKE(h->since, now);
  SC_POKE(h->weight, weight);
  SC_POKE(h->how, how);
  SC_POKE(h->state, state);
  SC_POKE(h->depth, 1);
  SC_POKE(h->claimed, 0);
  SC_STORE(h->identity, identity);
  return 1;
}

/* The hold that a release of the thread's own gives back: the newest of that lock, or NULL. */
static struct sc_hold *held_newest(const struct sc_held *held, uint64_t identity, uint32_t how)
{
  for (uint32_t i = held->count; i-- > 0;)
    if (held_same(&held->holds[i], identity, how))
      return &held->holds[i];
  return NULL;
}

int __scale_held_pop(struct sc_arena *own, uint64_t identity, uint32_t how, int *stranger)
{
  struct sc_held *held = &own->held;
  struct sc_hold *h;
  struct scale_tally *tally;

  if (__builtin_expect(SC_PEEK(held->claims) != 0, 0))
    __scale_held_settle(own);
  h = held_newest(held, identity, how);
  if (!h)
    return 0;
  tally = sc_tally_at(h->tally);
  *stranger = h->state & SC_HELD_INHERITED || !tally;
  if (!*stranger) {
    SC_BUMP(tally->returned, 1);
    SC_BUMP(tally->returned_units, 1);
  }
  SC_STORE(h->depth, h->depth - 1);
  if (!h->depth) {
    held_end(held, h, 0);
    held_remove(held, h);
  }
  return 1;
}

int __scale_held_claim(const struct sc_arena *own, uint64_t identity, uint32_t how)
{
  for (struct sc_arena *a = SC_LOAD(__scale_arenas); a; a = a->next) {
    struct sc_hold *holds = SC_LOAD(a->held.holds);
    uint32_t count = SC_LOAD(a->held.count);
    for (uint32_t i = count; a != own && holds && i-- > 0;) {
      struct sc_hold *h = &holds[i];
      uint32_t claimed = SC_LOAD(h->claimed);
      uint64_t tally = SC_PEEK(h->tally);
      if (!held_same(h, identity, how) || SC_PEEK(h->state) & (SC_HELD_INHERITED | SC_HELD_AWAY))
        continue;
      SC_STORE(h->ended, sc_ticks());
      while (claimed < SC_PEEK(h->depth))
        if (SC_SWAP(h->claimed, &claimed, claimed + 1)) {
          SC_ADD(a->held.claims, 1);
          SC_ADD(sc_tally_at(tally)->foreign, 1);
          SC_ADD(sc_tally_at(tally)->foreign_units, 1);
          return 1;
        }
    }
  }
  return 0;
}

/* The thread that holds the lock, where libc notes it; 0: look at all. */
static uint32_t held_owner(uint64_t identity, uint32_t how)
{
#ifdef __GLIBC__
  if (sc_event_flags(how) & SCALE_SITE_PROBE)
    return 0;
  if (sc_event_class(how) == SCALE_CLASS_MUTEX)
    return (uint32_t)SC_PEEK(((const pthread_mutex_t *)(uintptr_t)identity)->__data.__owner);
  if (sc_event_class(how) == SCALE_CLASS_RWLOCK)
    return (uint32_t)SC_PEEK(((const pthread_rwlock_t *)(uintptr_t)identity)->__data.__cur_writer);
#endif
  return 0;
}

/* The tally of the arena's hold, if it began before *oldest. */
static uint64_t held_older(const struct sc_arena *a, uint64_t identity, uint32_t how, uint64_t *oldest)
{
  struct sc_hold *holds = SC_LOAD(a->held.holds);
  uint32_t count = SC_LOAD(a->held.count);
  uint64_t by = 0;

  for (uint32_t i = 0; holds && i < count; i++) {
    struct sc_hold *h = &holds[i];
    uint64_t since = SC_PEEK(h->since), tally = SC_PEEK(h->tally);
    if (!since) /* not timed: rather one that is */
      since = UINT64_MAX - 1;
    if (held_same(h, identity, how) && !(SC_PEEK(h->state) & SC_HELD_AWAY) && SC_PEEK(h->claimed) < SC_PEEK(h->depth) &&
        since < *oldest) {
      *oldest = since;
      by = tally;
    }
  }
  return by;
}

uint64_t __scale_held_by(const struct sc_arena *own, uint64_t identity, uint32_t how)
{
  uint64_t oldest = UINT64_MAX, by = 0, older;
  uint32_t owner = held_owner(identity, how);

  for (struct sc_arena *a = SC_LOAD(__scale_arenas); a; a = a->next) {
    if (a == own || (owner && (SC_PEEK(a->owner) & ~SC_ARENA_LEAVING) != owner))
      continue;
    older = held_older(a, identity, how, &oldest);
    if (older)
      by = older;
  }
  return by;
}

/* The mutex's only entry, of one acquire: a recursive one held more often stays held in a condition wait. */
static struct sc_hold *held_only(struct sc_held *held, uint64_t mutex)
{
  struct sc_hold *only = NULL;

  for (uint32_t i = 0; i < held->count; i++)
    if (held_same(&held->holds[i], mutex, SCALE_CLASS_MUTEX)) {
      if (only || held->holds[i].depth != 1)
        return NULL;
      only = &held->holds[i];
    }
  return only;
}

void __scale_held_part(struct sc_arena *own, uint64_t mutex)
{
  struct sc_hold *h = held_only(&own->held, mutex);

  if (!h)
    return;
  held_end(&own->held, h, 0);
  SC_STORE(h->state, h->state | SC_HELD_AWAY);
}

void __scale_held_rejoin(struct sc_arena *own, uint64_t mutex)
{
  struct sc_hold *h = held_only(&own->held, mutex);

  if (!h || !(h->state & SC_HELD_AWAY))
    return;
  SC_POKE(h->since, sc_ticks());
  SC_POKE(h->weight, 1);
  SC_STORE(h->state, h->state & ~(uint32_t)SC_HELD_AWAY);
}

void __scale_held_inherit(struct sc_held *held)
{
  for (uint32_t i = 0; i < held->count; i++)
    held->holds[i].state |= SC_HELD_INHERITED;
  held->claims = 0;
}
