/* SPDX-License-Identifier: MIT */
#include "held_store.h"
#include "held_list.h"
#include "how.h"
#include "os.h"
#include "steps.h"
#include "table.h"
#include "valgrind.h"

enum {
  SC_HELD_PIECE = 32, /* holds that memory is obtained for at a time, at first and at most */
  SC_HELD_PIECE_MOST = 1 << 16,
  SC_HELD_STUCK = 1 /* identity of a hold that could not be taken out of its lock's list: its memory stays there */
};

/* Holds behind the arrays, of all threads. In values `tally` is the newest hold of a lock and thread; only that thread
   changes it. */
static SC_SHARED struct sc_table held_table;

static uint64_t held_key(const struct sc_arena *arena, uint64_t identity, uint32_t how)
{
  return __scale_table_key(sc_event_class(how),
                           identity ^ (arena->number + UINT64_C(1)) * UINT64_C(0x9e3779b97f4a7c15));
}

struct held_wanted {
  const struct sc_arena *arena;
  uint64_t identity;
  uint32_t how;
};

static int held_wish(const struct sc_table_value *value, const void *context)
{
  const struct held_wanted *w = context;
  const struct sc_hold *h = (const struct sc_hold *)(uintptr_t)SC_PEEK(value->tally);

  return h && SC_PEEK(h->of) == w->arena && sc_hold_of(h, w->identity, w->how);
}

static struct sc_table_at held_seek(const struct sc_arena *arena, uint64_t identity, uint32_t how)
{
  struct held_wanted wanted = {arena, identity, how};

  return __scale_table_seek(&held_table, held_key(arena, identity, how), held_wish, &wanted);
}

struct sc_hold *__scale_held_behind(const struct sc_arena *arena, uint64_t identity, uint32_t how)
{
  struct sc_table_at at = held_seek(arena, identity, how);

  return at.value ? (struct sc_hold *)(uintptr_t)SC_PEEK(at.value->tally) : NULL;
}

struct sc_hold *__scale_held_older(struct sc_arena *arena, const struct sc_hold *h)
{
  struct sc_held *held = &arena->held;
  int behind = (SC_PEEK(h->state) & SC_HELD_BEHIND) != 0;

  if (behind && SC_LOAD(h->older))
    return SC_LOAD(h->older);
  for (uint32_t i = behind ? SC_PEEK(held->count) : (uint32_t)(h - held->first); i-- > 0;)
    if (sc_hold_of(&held->first[i], SC_PEEK(h->identity), SC_PEEK(h->how)))
      return &held->first[i];
  return NULL;
}

/* Obtains memory for further holds. */
static int held_piece(struct sc_held *held)
{
  uint32_t count = held->piece_count ? held->piece_count * 2 : SC_HELD_PIECE;
  struct sc_hold *piece;

  if (count > SC_HELD_PIECE_MOST)
    count = SC_HELD_PIECE_MOST;
  piece = sc_os_reserve(sc_round_up(count * sizeof(*piece), 4096));
  if (!piece)
    return 0;
  held->piece_count = held->fresh_count = count;
  held->fresh = piece;
  return 1;
}

/* A signal handler may do the same in between: the list is away then, and it takes a fresh one. */
static struct sc_hold *held_unused(struct sc_held *held)
{
  struct sc_hold *h = __atomic_exchange_n(&held->unused, NULL, __ATOMIC_ACQ_REL), *rest, *tail, *none = NULL;

  if (!h)
    return NULL;
  for (rest = h->older; rest && !SC_SWAP(held->unused, &none, rest); none = NULL) {
    struct sc_hold *given = __atomic_exchange_n(&held->unused, NULL, __ATOMIC_ACQ_REL); /* back by the handler */
    SC_STEP();
    for (tail = given; tail && tail->older; tail = tail->older)
      SC_STEP();
    if (tail) {
      tail->older = rest;
      rest = given;
    }
  }
  return h;
}

static struct sc_hold *held_new(struct sc_held *held)
{
  struct sc_hold *h = held_unused(held);

  if (!h && (held->fresh_count || held_piece(held)))
    h = &held->fresh[--held->fresh_count];
  return h;
}

static void held_free(struct sc_held *held, struct sc_hold *h)
{
  struct sc_hold *top = SC_LOAD(held->unused);

  do {
    SC_STEP();
    SC_STORE(h->older, top); /* others may still be looking */
  } while (!SC_SWAP(held->unused, &top, h));
}

/* The newest of the lock from now on, or NULL without one. 0: no memory. */
static int held_lead(struct sc_arena *own, struct sc_table_at at, uint64_t key, struct sc_hold *h)
{
  if (at.value && h) {
    SC_STORE(at.value->tally, (uintptr_t)h);
  } else if (at.value) {
    SC_STORE(at.value->tally, 0);
    __scale_table_leave(at, 0);
  } else if (h) {
    at = __scale_table_add(&held_table, key);
    if (!at.value)
      return 0;
    at.value->arena = own->number;
    SC_POKE(at.value->tally, (uintptr_t)h);
    __scale_table_leave(at, key);
  }
  return 1;
}

static struct sc_hold *held_place_behind(struct sc_arena *own, uint64_t identity, uint32_t how, struct sc_table_at at)
{
  struct sc_held *held = &own->held;
  struct sc_hold *h = held_new(held);

  if (!h)
    return NULL;
  SC_POKE(h->of, own);
  SC_STORE(h->older, at.value ? (struct sc_hold *)(uintptr_t)at.value->tally : NULL);
  h->newer = NULL;
  SC_POKE(h->state, SC_HELD_BEHIND);
  if (!held_lead(own, at, held_key(own, identity, how), h)) {
    held_free(held, h);
    return NULL;
  }
  if (h->older)
    h->older->newer = h;
  h->in_use_before = NULL;
  h->in_use = held->in_use;
  held->in_use = h;
  if (h->in_use)
    h->in_use->in_use_before = h;
  SC_STORE(held->more, held->more + 1);
  return h;
}

struct sc_hold *__scale_held_place_slow(struct sc_arena *own, uint64_t identity, uint32_t how)
{
  struct sc_held *held = &own->held;
  struct sc_table_at at = held_seek(own, identity, how);
  struct sc_hold *h = NULL;
  int inner = 0;

  if (at.value)
    return held_place_behind(own, identity, how, at);
  if (held->count < SC_HELD_FIRST) {
    SC_STORE(held->count, held->count + 1);
    h = &held->first[held->count - 1];
  }
  for (uint32_t i = 0; !h && !inner && i < SC_HELD_FIRST; i++) /* an inner hold goes behind its outer one */
    inner = sc_hold_of(&held->first[i], identity, how);
  for (uint32_t i = 0; !h && !inner && i < SC_HELD_FIRST; i++)
    if (!held->first[i].identity)
      h = &held->first[i];
  if (!h)
    return held_place_behind(own, identity, how, at);
  SC_POKE(h->state, 0);
  return h;
}

static void held_remove_behind(struct sc_arena *own, struct sc_hold *h)
{
  struct sc_held *held = &own->held;

  if (h->newer)
    SC_STORE(h->newer->older, h->older);
  else
    held_lead(own, held_seek(own, h->identity, h->how), held_key(own, h->identity, h->how), h->older);
  SC_STORE(h->identity, 0);
  if (h->older)
    h->older->newer = h->newer;
  if (h->in_use_before)
    h->in_use_before->in_use = h->in_use;
  else
    held->in_use = h->in_use;
  if (h->in_use)
    h->in_use->in_use_before = h->in_use_before;
  SC_STORE(held->more, held->more - 1);
  held_free(held, h);
}

void __scale_held_remove_slow(struct sc_arena *own, struct sc_hold *h)
{
  if (!__scale_held_unlist(h)) /* another thread may just take it out of its list */
    SC_STORE(h->identity, SC_HELD_STUCK);
  else if (h->state & SC_HELD_BEHIND)
    held_remove_behind(own, h);
  else
    sc_held_shrink(&own->held, h);
}

static void held_drop(struct sc_hold *h)
{
  SC_STEP();
  SC_STORE(h->left, (SC_PEEK(h->left) >> 32) << 32);
  SC_STORE(h->queued, 0);
  SC_STORE(h->identity, __scale_held_unlist(h) ? 0 : SC_HELD_STUCK);
}

void __scale_held_drop(struct sc_arena *arena)
{
  struct sc_held *held = &arena->held;
  struct sc_hold *h = held->in_use, *next;
  uint32_t stuck = 0;

  for (uint32_t i = 0; i < held->count; i++) {
    if (held->first[i].identity)
      held_drop(&held->first[i]);
    if (held->first[i].identity)
      stuck = i + 1;
  }
  SC_STORE(held->count, stuck);
  held->in_use = NULL;
  SC_STORE(held->more, 0);
  for (; h; h = next) {
    struct sc_table_at at = held_seek(arena, h->identity, h->how);
    next = h->in_use;
    if (at.value)
      __scale_table_leave(at, 0);
    held_drop(h);
    if (!h->identity)
      held_free(held, h);
  }
}

static int held_of_own(const struct sc_table_value *value, const void *own)
{
  return value->arena == ((const struct sc_arena *)own)->number;
}

void __scale_held_store_fork(const struct sc_arena *own)
{
  __scale_table_clear(&held_table, own ? held_of_own : NULL, own);
}
