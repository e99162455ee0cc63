/* SPDX-License-Identifier: MIT */
#include "held_others.h"
#include "bytes.h"
#include "event.h"
#include "held_store.h"
#include "steps.h"
#include "table.h"
#include "tally.h"
#include "thread.h"
#include "ticks.h"
#include "valgrind.h"
#include <pthread.h>

enum { SC_HELD_LOOKS = 8 /* holds of one lock that are looked at */ };

/* Lists of holds, by lock. In values `tally` is the oldest hold, `since` the newest, `units` where the slot's key is.
 */
static SC_SHARED struct sc_table held_lists;

enum { SC_HELD_ROBUST = 16 /* of glibc's mutexes: in __kind */ };

/* Whether libc notes who has it, until that one gives it back. Of a robust mutex it says so no more when its owner died
   and the next one has it. */
static int held_noted(uint64_t identity, uint32_t how)
{
#ifdef __GLIBC__
  uint32_t resource_class = sc_event_class(how);

  if (sc_event_flags(how) & SCALE_SITE_PROBE)
    return 0;
  return (resource_class == SCALE_CLASS_MUTEX &&
          !(((const pthread_mutex_t *)(uintptr_t)identity)->__data.__kind & SC_HELD_ROBUST)) ||
         (resource_class == SCALE_CLASS_RWLOCK && !(sc_event_flags(how) & SCALE_SITE_SHARED));
#else
  return 0;
#endif
}

/* The thread that holds the lock, where libc notes it; 0: look at others. */
static uint32_t held_owner(uint64_t identity, uint32_t how)
{
#ifdef __GLIBC__
  if (sc_event_flags(how) & SCALE_SITE_PROBE || __scale_valgrind) /* reading what libc writes looks like a race there */
    return 0;
  if (sc_event_class(how) == SCALE_CLASS_MUTEX)
    return (uint32_t)SC_PEEK(((const pthread_mutex_t *)(uintptr_t)identity)->__data.__owner);
  if (sc_event_class(how) == SCALE_CLASS_RWLOCK)
    return (uint32_t)SC_PEEK(((const pthread_rwlock_t *)(uintptr_t)identity)->__data.__cur_writer);
#endif
  return 0;
}

static uint64_t held_list_key(uint64_t identity, uint32_t how)
{
  return __scale_table_key(sc_event_class(how), identity);
}

static struct sc_hold *held_first(struct sc_table_at at) { return (struct sc_hold *)(uintptr_t)at.value->tally; }

/* Takes a hold out of the claimed list. */
static void held_unlink(struct sc_table_at at, struct sc_hold *h)
{
  if (h->before)
    h->before->after = h->after;
  else
    at.value->tally = (uintptr_t)h->after;
  if (h->after)
    h->after->before = h->before;
  else
    at.value->since = (uintptr_t)h->before;
  SC_STORE(h->record, NULL);
}

static void held_leave(struct sc_table_at at, uint64_t key) { __scale_table_leave(at, held_first(at) ? key : 0); }

void __scale_held_list(struct sc_hold *h, uint64_t identity, uint32_t how)
{
  uint64_t key = held_list_key(identity, how);
  struct sc_table_at at;

  if (held_noted(identity, how))
    return;
  at = __scale_table_find(&held_lists, key, NULL, NULL, 0);
  if (!at.value) {
    at = __scale_table_add(&held_lists, key);
    if (!at.value) /* others will not find it */
      return;
    at.value->tally = at.value->since = 0;
    SC_POKE(at.value->units, (uintptr_t)at.key); /* whose hold was just taken out of a list there may read it still */
  }
  h->after = NULL;
  h->before = (struct sc_hold *)(uintptr_t)at.value->since;
  if (h->before)
    h->before->after = h;
  else
    at.value->tally = (uintptr_t)h;
  at.value->since = (uintptr_t)h;
  SC_POKE(h->state, (uint16_t)(h->state | SC_HELD_LISTED));
  SC_STORE(h->record, at.value);
  __scale_table_leave(at, key);
}

int __scale_held_unlist(struct sc_hold *h)
{
  uint64_t key = held_list_key(h->identity, h->how);
  struct sc_table_at at = {NULL, SC_LOAD(h->record)};

  if (!at.value)
    return 1;
  at.key = (uint64_t *)(uintptr_t)SC_PEEK(at.value->units);
  if (!__scale_table_claim(at, key)) /* somebody took it out, and the list was given up? */
    return !SC_LOAD(h->record);
  if (SC_LOAD(h->record) == at.value)
    held_unlink(at, h);
  held_leave(at, key);
  return 1;
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
  uint64_t key = held_list_key(identity, how);
  struct sc_table_at at = __scale_table_find(&held_lists, key, NULL, NULL, 0);
  int claimed = 0;

  if (!at.value)
    return 0;
  for (struct sc_hold *h = held_first(at), *next; h && !claimed; h = next) {
    next = h->after;
    claimed = held_claim(own, h, identity, how);
    if (!sc_hold_left(SC_LOAD(h->left)))
      held_unlink(at, h);
    else if (!claimed && SC_PEEK(h->of) != own)
      break;
  }
  held_leave(at, key);
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
  return (owner && held_claim_in(own, __scale_thread_of(owner), identity, how)) ||
         held_claim_listed(own, identity, how);
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
  uint64_t key = held_list_key(identity, how);
  struct sc_table_at at = __scale_table_find(&held_lists, key, NULL, NULL, 0);
  struct sc_hold *h = at.value ? held_first(at) : NULL;

  for (int i = 0; h && i < SC_HELD_LOOKS; i++, h = h->after)
    if (SC_PEEK(h->of) != own)
      held_older(h, identity, how, oldest);
  if (at.value)
    held_leave(at, key);
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
    struct sc_arena *a = __scale_thread_of(owner);
    if (a && a != own)
      held_oldest_in(a, identity, how, &oldest);
  } else {
    held_oldest_listed(own, identity, how, &oldest);
  }
  return oldest.by;
}

void __scale_held_others_fork(void) { __scale_table_clear(&held_lists, NULL, NULL); }
