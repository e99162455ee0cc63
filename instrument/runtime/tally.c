/* SPDX-License-Identifier: MIT */
#include "tally.h"
#include "heap.h"
#include "how.h"
#include "names.h"
#include "owner.h"
#include "trace.h"

static int tally_by_instance(uint32_t how) { return sc_event_flags(how) & SCALE_SITE_BY_INSTANCE; }

static uint64_t tally_bytes(uint32_t how)
{
  uint32_t event = sc_event_kind(how), resource_class = sc_event_class(how);

  if (event != SCALE_EVENT_ACQUIRE && event != SCALE_EVENT_RESIZE)
    return sizeof(struct scale_tally);
  if (resource_class == SCALE_CLASS_HEAP)
    return sizeof(struct sc_heap_tally);
  if (resource_class <= SCALE_CLASS_SPINLOCK && !tally_by_instance(how))
    return sizeof(struct sc_lock_tally);
  return sizeof(struct sc_timed_tally);
}

/* Another one may be under way: a handler interrupts at any step. Whoever links first wins, the other stays unused. */
static struct scale_tally *tally_new(struct sc_process *p, uint64_t *link, uint64_t *cell, uint64_t key, uint32_t how)
{
  struct sc_arena *arena = __scale_thread_own;
  struct scale_node *owner = SC_LOAD(p->tallies_full) ? NULL : __scale_arena_owner(&arena, cell);
  struct sc_block block = {0};
  struct scale_tally *tally;
  uint64_t none = 0;

  if (owner && owner->function && owner->function < SCALE_HOLDER)
    block = __scale_arena_block(p, arena, tally_bytes(how), 0);
  tally = (struct scale_tally *)block.node;
  if (!tally) {
    if (owner)
      SC_STORE(p->tallies_full, 1);
    return NULL;
  }
  __scale_ticks_ratio(p);
  tally->parent = (uintptr_t)owner;
  tally->creator = (uintptr_t)link;
  tally->function = SCALE_TALLY;
  tally->key = key;
  tally->first_tick = tally->last_tick = sc_ticks();
  if (tally_by_instance(how))
    tally->named = __scale_names_find(key, how);
  if (tally->bytes >= sizeof(struct sc_heap_tally) && sc_event_class(how) == SCALE_CLASS_HEAP)
    ((struct sc_heap_tally *)tally)->number = __scale_heap_number(tally, arena);
  __scale_arena_publish(block);
  if (!SC_SWAP(*link, &none, (uintptr_t)tally))
    return sc_tally_at(none);
  __scale_ticks_mark(p, 0);
  return tally;
}

/* The cell's tally for the identity, or what stands for all identities beyond the first ones. */
static struct scale_tally *tally_of_instance(struct sc_process *p, uint64_t *cell, uint64_t identity, uint32_t how)
{
  uint64_t *link = cell;
  struct scale_tally *tally;
  uint32_t seen = 0;

  for (;; link = &tally->next, seen++) {
    uint64_t key = seen < SC_TALLY_INSTANCES ? identity : UINT64_MAX;
    tally = sc_tally_at(SC_LOAD(*link));
    if (!tally)
      tally = tally_new(p, link, cell, key, how);
    if (!tally || tally->key == key)
      return tally;
  }
}

struct scale_tally *__scale_tally_make(struct sc_arena *own, uint64_t *cell, uint64_t identity, uint32_t how)
{
  struct sc_process *p = SC_LOAD(__scale_process_state);
  uint64_t mixed = sc_tally_mix(cell, identity);
  struct sc_arena_instance *hint = &own->instances[mixed % SC_ARENA_INSTANCES];
  struct scale_tally *tally;

  if (p->trace && !own->trace && p->has_file && !SC_LOAD(p->full))
    __scale_trace_begin(p, own);
  tally = tally_by_instance(how) ? tally_of_instance(p, cell, identity, how) : tally_new(p, cell, cell, 0, how);
  if (!tally) {
    SC_ADD(p->header->lost_events, 1);
    return NULL;
  }
  if (tally_by_instance(how)) {
    SC_POKE(hint->tally, (uintptr_t)tally);
    SC_POKE(hint->check, mixed ^ (uintptr_t)tally);
  }
  return tally;
}

void __scale_tally_instance(struct scale_tally *tally, uint64_t identity, uint32_t how)
{
  uint64_t bit = sc_tally_hash(identity);
  uint64_t *word = &(&tally->instances_0)[bit / 64];

  SC_POKE(*word, SC_PEEK(*word) | UINT64_C(1) << (bit % 64));
  if (!tally_by_instance(how))
    __scale_names_set(identity, how, tally);
}

struct scale_share *__scale_tally_share(struct sc_lock_tally *tally, uint64_t identity, uint32_t weight)
{
  uint64_t first = sc_tally_share_place(identity);
  struct scale_share *least = NULL;

  for (uint64_t i = 0; i < SCALE_SHARES; i++) {
    struct scale_share *share = &tally->shares[(first + i) % SCALE_SHARES];
    if (SC_PEEK(share->identity) == identity)
      return share;
    if (!least || SC_PEEK(share->holds) < SC_PEEK(least->holds))
      least = share;
    if (!SC_PEEK(share->identity))
      break;
  }
  if (SC_PEEK(least->holds) > weight)
    return NULL;
  SC_POKE(least->holds, 0);
  SC_POKE(least->hold_ticks, 0);
  SC_POKE(least->identity, identity);
  return least;
}

/* The record of who held, made if need be; one without holder stands for all when there are too many. */
static struct scale_holder *tally_holder(struct sc_process *p, struct scale_tally *tally, uint64_t by)
{
  struct sc_arena *arena = __scale_thread_own;
  uint64_t *link = &tally->holders;
  struct scale_holder *holder;
  struct sc_block block;
  uint64_t none = 0;

  for (uint32_t seen = 0; (holder = (struct scale_holder *)(uintptr_t)SC_LOAD(*link)); link = &holder->next) {
    if (++seen > SC_TALLY_HOLDERS)
      by = 0;
    if (holder->tally == by)
      return holder;
  }
  if (!__scale_arena_owner(&arena, tally))
    return NULL;
  block = __scale_arena_block(p, arena, sizeof(*holder), 0);
  holder = (struct scale_holder *)block.node;
  if (!holder)
    return NULL;
  holder->parent = (uintptr_t)tally;
  holder->creator = (uintptr_t)link;
  holder->function = SCALE_HOLDER;
  holder->tally = by;
  __scale_arena_publish(block);
  return SC_SWAP(*link, &none, (uintptr_t)holder) ? holder : (struct scale_holder *)(uintptr_t)none;
}

void __scale_tally_waited(struct scale_tally *tally, uint64_t by, uint64_t ticks)
{
  struct sc_process *p = SC_LOAD(__scale_process_state);
  struct scale_holder *holder = tally_holder(p, tally, by);

  if (holder) {
    SC_BUMP(holder->waits, 1);
    SC_BUMP(holder->wait_ticks, ticks);
  }
}

void __scale_tally_inside(struct scale_tally *tally, uint64_t held, uint64_t ticks)
{
  struct scale_holder *holder = tally_holder(SC_LOAD(__scale_process_state), tally, held);

  if (holder && holder->tally == held)
    SC_BUMP(holder->inside_ticks, ticks);
}
