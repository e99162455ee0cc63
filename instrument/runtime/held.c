/* SPDX-License-Identifier: MIT */
#include "held.h"
#include "held_list.h"
#include "held_others.h"
#include "held_store.h"
#include "how.h"
#include "steps.h"
#include "tally.h"
#include "ticks.h"
#include <pthread.h>

enum {
  SC_HELD_MARK = 1024, /* holds until the clock is looked at */
  SC_HELD_PLACES = 8 /* of a lock held more than once: places that acquired it last, which may have acquired it again */
};

/* `at` is when, or 0 for now. */
static inline void held_count(struct sc_held *held, struct sc_hold *h, struct scale_tally *tally, uint64_t at)
{
  if (h->since) {
    at = at ? at : sc_ticks();
    sc_tally_hold(tally, h->identity, sc_ticks_between(h->since, at), h->weight);
    SC_POKE(tally->last_tick, at);
  } else {
    SC_BUMP(tally->holds, 1);
  }
  if (++held->ended % SC_HELD_MARK == 0)
    __scale_ticks_mark(SC_LOAD(__scale_process_state), 0);
}

static __attribute__((noinline)) void held_end(struct sc_held *held, struct sc_hold *h, uint64_t at)
{
  struct scale_tally *tally = sc_tally_at(h->tally);

  if (tally && !(h->state & (SC_HELD_INNER | SC_HELD_AWAY | SC_HELD_INHERITED)))
    held_count(held, h, tally, at);
}

/* Another thread gave an acquire of it back: if that was the last, the hold is over. */
static void held_settle(struct sc_arena *own, struct sc_hold *h)
{
  __atomic_exchange_n(&h->queued, 0,
                      __ATOMIC_SEQ_CST); /* before `left` is read: what is claimed later is queued again */
  if (!h->identity || sc_hold_left(SC_LOAD(h->left)))
    return;
  if (sc_event_class(h->how) != SCALE_CLASS_SEMAPHORE) /* whoever gave it back added up its time */
    held_end(&own->held, h, h->ended);
  sc_held_remove(own, h);
}

void __scale_held_settle(struct sc_arena *own)
{
  struct sc_hold *h = __atomic_exchange_n(&own->held.claims, NULL, __ATOMIC_ACQ_REL), *next;

  for (; h; h = next) {
    SC_STEP();
    next = h->claim;
    held_settle(own, h);
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

/* One more acquire of a hold that others may give back meanwhile. 0: they gave back all. */
static int held_once_more(struct sc_hold *h)
{
  uint64_t left = SC_LOAD(h->left);

  while (sc_hold_left(left))
    if (SC_SWAP(h->left, &left, left + 1))
      return 1;
  return 0;
}

/* Units of a semaphore come back one by one, by whomever, in any order: only the sum of their times is known. Each is
   counted from the first one of its hold on, so what a later one was not held then is taken off at once. */
static void held_later_unit(const struct sc_hold *h, struct scale_tally *tally, uint64_t now)
{
  if (h->since)
    sc_tally_held(tally, -sc_hold_ticks(h, now ? now : sc_ticks()));
}

/* What the thread acquires and holds already. 1: that's all; 0: it is to be added, with *state. */
static int held_again(struct sc_arena *own, struct sc_hold *h, struct scale_tally *tally, uint64_t now, uint32_t how,
                      uint32_t *state)
{
  int unit = sc_event_class(how) == SCALE_CLASS_SEMAPHORE;

  for (int i = 0; h && i < SC_HELD_PLACES; i++) {
    struct sc_hold *older = __scale_held_older(own, h);
    SC_STEP();
    if (!held_recursive(h, how)) {
      if (!(h->state & SC_HELD_INHERITED) && h->tally) {
        SC_ADD(sc_tally_at(h->tally)->unseen, sc_hold_left(SC_PEEK(h->left)));
        SC_ADD(sc_tally_at(h->tally)->unseen_units, sc_hold_left(SC_PEEK(h->left)));
      }
      sc_held_remove(own, h);
      i = 0; /* it acquired each of them once */
    } else if (h->tally == (uintptr_t)tally && !(h->state & (SC_HELD_INHERITED | SC_HELD_AWAY)) && held_once_more(h)) {
      if (unit)
        held_later_unit(h, tally, now);
      return 1;
    } else if (!unit) {
      *state = SC_HELD_INNER;
    }
    h = older;
  }
  return 0;
}

int __scale_held_push(struct sc_arena *own, uint64_t identity, struct scale_tally *tally, uint64_t now, uint32_t weight,
                      uint32_t how)
{
  struct sc_hold *h;
  uint32_t state = 0;

  if (__builtin_expect(SC_PEEK(own->held.claims) != NULL, 0))
    __scale_held_settle(own);
  h = sc_held_newest(own, identity, how);
  if (__builtin_expect(h != NULL, 0) && held_again(own, h, tally, now, how, &state))
    return 1;
  h = sc_held_place(own, identity, how);
  if (!h)
    return 0;
  SC_POKE(h->tally, (uintptr_t)tally);
  SC_POKE(h->since, now);
  SC_POKE(h->weight, (uint8_t)weight);
  SC_POKE(h->how, how);
  if (__builtin_expect(state != 0, 0))
    SC_POKE(h->state, (uint16_t)(h->state | state));
  SC_STORE(h->left, ((SC_PEEK(h->left) >> 32) + 1) << 32 | 1);
  SC_STORE(h->identity, identity);
  if (__builtin_expect(own->number >= SC_ARENA_NEAR, 0))
    __scale_held_list(h, identity, how);
  return 1;
}

/* Takes an acquire of a hold, or of an older one of the same lock, before others do. */
static __attribute__((noinline)) struct sc_hold *held_take_shared(struct sc_arena *own, struct sc_hold *h)
{
  for (int i = 0; h && i < SC_HELD_PLACES; i++, h = __scale_held_older(own, h)) {
    SC_STEP();
    if (sc_held_take(h, SC_LOAD(h->left)))
      return h;
  }
  return NULL;
}

static inline void held_returned(struct scale_tally *tally)
{
  SC_BUMP(tally->returned, 1);
  SC_BUMP(tally->returned_units, 1);
}

/* `tally` NULL: of nobody who counts. */
static void held_unit_back(struct sc_arena *own, struct sc_hold *h, struct scale_tally *tally)
{
  uint64_t now;

  if (tally) {
    held_returned(tally);
    now = h->since ? sc_ticks() : 0;
    sc_tally_unit(tally, now ? sc_ticks_between(h->since, now) : 0, now ? h->weight : 0);
    if (now)
      SC_POKE(tally->last_tick, now);
    if (++own->held.ended % SC_HELD_MARK == 0)
      __scale_ticks_mark(SC_LOAD(__scale_process_state), 0);
  }
  if (!sc_hold_left(SC_PEEK(h->left)))
    sc_held_remove(own, h);
}

int __scale_held_pop(struct sc_arena *own, uint64_t identity, uint32_t how, int *stranger)
{
  struct sc_hold *h;
  struct scale_tally *tally;

  if (__builtin_expect(SC_PEEK(own->held.claims) != NULL, 0))
    __scale_held_settle(own);
  h = sc_held_newest(own, identity, how);
  if (!h)
    return 0;
  if (__builtin_expect(sc_held_shared(h->how) || !sc_hold_left(SC_PEEK(h->left)), 0)) {
    h = held_take_shared(own, h);
    if (!h)
      return 0;
  } else { /* while it is the thread's, nobody else may give it back */
    SC_POKE(h->left, SC_PEEK(h->left) - 1);
  }
  tally = sc_tally_at(h->tally);
  *stranger = !tally || h->state & SC_HELD_INHERITED;
  if (sc_event_class(how) == SCALE_CLASS_SEMAPHORE) {
    held_unit_back(own, h, *stranger ? NULL : tally);
    return 1;
  }
  if (__builtin_expect(tally != NULL && h->state == 0, 1)) { /* what most locks come to */
    held_returned(tally);
    if (!sc_hold_left(SC_PEEK(h->left))) {
      held_count(&own->held, h, tally, 0);
      sc_held_shrink(&own->held, h);
    }
    return 1;
  }
  if (!*stranger)
    held_returned(tally);
  if (!sc_hold_left(SC_PEEK(h->left))) {
    held_end(&own->held, h, 0);
    sc_held_remove(own, h);
  }
  return 1;
}

/* The mutex's only entry, of one acquire: a recursive one held more often stays held in a condition wait. */
static struct sc_hold *held_only(struct sc_arena *own, uint64_t mutex)
{
  struct sc_hold *h = sc_held_newest(own, mutex, SCALE_CLASS_MUTEX);

  return h && sc_hold_left(SC_PEEK(h->left)) == 1 && !__scale_held_older(own, h) ? h : NULL;
}

void __scale_held_part(struct sc_arena *own, uint64_t mutex)
{
  struct sc_hold *h = held_only(own, mutex);

  if (!h)
    return;
  held_end(&own->held, h, 0);
  SC_STORE(h->state, (uint16_t)(h->state | SC_HELD_AWAY));
}

void __scale_held_rejoin(struct sc_arena *own, uint64_t mutex)
{
  struct sc_hold *h = held_only(own, mutex);

  if (!h || !(h->state & SC_HELD_AWAY))
    return;
  SC_POKE(h->since, sc_ticks());
  SC_POKE(h->weight, 1);
  SC_STORE(h->state, (uint16_t)(h->state & ~SC_HELD_AWAY));
}

/* Whether it is held now, and by an acquire that counts. */
static int held_now(const struct sc_hold *h)
{
  return h->identity && h->tally && !(h->state & (SC_HELD_INNER | SC_HELD_AWAY | SC_HELD_INHERITED));
}

void __scale_held_inside(const struct sc_arena *own, struct scale_tally *tally, uint64_t ticks, uint64_t began)
{
  for (uint32_t i = 0; i < own->held.count; i++)
    if (held_now(&own->held.first[i]) && own->held.first[i].since <= began)
      __scale_tally_inside(tally, own->held.first[i].tally, ticks);
}

void __scale_held_blocked(const struct sc_arena *own, struct scale_tally *tally, uint64_t ticks)
{
  int any = 0;

  for (uint32_t i = 0; i < own->held.count; i++) {
    const struct sc_hold *h = &own->held.first[i];
    if (!held_now(h))
      continue;
    __scale_tally_waited(tally, h->tally, ticks);
    any = 1;
  }
  if (!any)
    __scale_tally_waited(tally, 0, ticks);
}

void __scale_held_reset(struct sc_arena *arena)
{
  struct sc_hold *h = __atomic_exchange_n(&arena->held.claims, NULL, __ATOMIC_ACQ_REL);

  for (; h; h = h->claim)
    __atomic_exchange_n(&h->queued, 0, __ATOMIC_SEQ_CST);
  arena->pool.condition = arena->pool.has = 0;
  __scale_held_drop(arena);
}

static void held_inherit(struct sc_hold *h)
{
  SC_STEP();
  h->state |= SC_HELD_INHERITED;
  h->queued = 0;
  h->record = NULL;
}

void __scale_held_fork(struct sc_arena *own)
{
  __scale_held_list_fork();
  __scale_held_store_fork(own);
  for (struct sc_arena *a = __scale_arenas; a; a = a->next) {
    a->held.claims = NULL;
    for (uint32_t i = 0; i < a->held.count; i++)
      held_inherit(&a->held.first[i]);
    for (struct sc_hold *h = a->held.in_use; h; h = h->in_use)
      held_inherit(h);
    if (a != own)
      __scale_held_drop(a);
  }
}
