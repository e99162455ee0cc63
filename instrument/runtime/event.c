/* SPDX-License-Identifier: MIT */
#include "event.h"
#include "fork.h"
#include "heap.h"
#include "names.h"
#include "tally.h"
#include "thread.h"
#include "trace.h"
#include "units.h"
#include <pthread.h>

#define SC_EVENT_SLOW static __attribute__((noinline, preserve_most))

uint32_t __scale_event_on;

/* The calling thread's arena; NULL: no memory, or nobody wants to know. */
static inline struct sc_arena *event_arena(void)
{
  struct sc_arena *own = __scale_thread_own;

  if (__builtin_expect(!SC_PEEK(__scale_event_on), 0))
    return NULL;
  if (__builtin_expect(own != NULL, 1))
    return own;
  return __scale_thread_arena(__scale_process(), (uintptr_t)__builtin_frame_address(0));
}

static inline void event_trace(struct sc_arena *own, const struct scale_tally *tally, uint64_t identity, uint32_t event,
                               uint64_t units)
{
  if (__builtin_expect(own->trace != NULL, 0) && tally)
    __scale_trace_add(own, tally, identity, event, units, sc_ticks());
}

static void event_lost(void) { SC_ADD(__scale_process()->header->lost_events, 1); }

/* A tally of a pointer only: its name may have become known meanwhile. */
static inline void event_rename(struct scale_tally *tally, uint32_t how)
{
  if (__builtin_expect(how & SCALE_SITE_BY_INSTANCE << 8, 0) && !tally->named &&
      !(tally->acquires & (tally->acquires - 1)))
    SC_POKE(tally->named, __scale_names_find(tally->key, how));
}

SC_EVENT_SLOW void event_heap_acquired(uint64_t *cell, uint64_t address, uint64_t units, uint32_t how)
{
  struct sc_arena *own = event_arena();
  struct scale_tally *tally = own && address ? sc_tally(own, cell, address, how) : NULL;

  if (!tally)
    return;
  units = __scale_heap_usable(address, units);
  sc_tally_acquire(tally, units);
  __scale_heap_put(address, (uint32_t)((struct sc_heap_tally *)tally)->number);
  event_trace(own, tally, address, SCALE_EVENT_ACQUIRE, units);
}

SC_EVENT_SLOW void event_lock_acquired(uint64_t *cell, uint64_t identity, uint32_t how)
{
  struct sc_arena *own = event_arena();
  struct scale_tally *tally = own ? sc_tally(own, cell, identity, how) : NULL;
  uint64_t now;

  if (!tally)
    return;
  now = sc_ticks();
  sc_tally_acquire(tally, 1);
  sc_tally_seen(tally, identity, how);
  event_rename(tally, how);
  SC_POKE(tally->last_tick, now);
  if (!__scale_held_push(own, identity, tally, now, how))
    event_lost();
  event_trace(own, tally, identity, SCALE_EVENT_ACQUIRE, 1);
}

SC_EVENT_SLOW void event_unit_acquired(uint64_t *cell, uint64_t identity, uint64_t units, uint32_t how)
{
  struct sc_arena *own = event_arena();
  struct scale_tally *tally = own ? sc_tally(own, cell, identity, how) : NULL;
  uint64_t now;

  if (!tally)
    return;
  now = sc_ticks();
  sc_tally_acquire(tally, units);
  sc_tally_seen(tally, identity, how);
  event_rename(tally, how);
  SC_POKE(tally->last_tick, now);
  if (!__scale_units_acquired(own, identity, units, tally, now, how))
    event_lost();
  event_trace(own, tally, identity, SCALE_EVENT_ACQUIRE, units);
}

void __scale_event_acquired(uint64_t *cell, uint64_t identity, uint64_t units, uint32_t how)
{
  if (sc_event_class(how) == SCALE_CLASS_HEAP)
    event_heap_acquired(cell, identity, units, how);
  else if (sc_event_lock(how))
    event_lock_acquired(cell, identity, how);
  else
    event_unit_acquired(cell, identity, units, how);
}

void __scale_event_failed(uint64_t *cell, uint64_t identity, uint32_t how)
{
  struct sc_arena *own = event_arena();
  struct scale_tally *tally = own ? sc_tally(own, cell, identity, how) : NULL;

  if (!tally)
    return;
  SC_BUMP(tally->failures, 1);
  event_trace(own, tally, identity, SCALE_EVENT_FAIL, 0);
}

SC_EVENT_SLOW void event_heap_releases(uint64_t *cell, uint64_t address, uint32_t how)
{
  struct sc_arena *own = event_arena();
  struct scale_tally *tally = own && address && cell ? sc_tally(own, cell, address, how) : NULL;
  struct sc_heap_block block;

  if (!own || !address)
    return;
  block = __scale_heap_take(address);
  if (block.number)
    __scale_heap_returned(own, block);
  if (!tally)
    return;
  sc_tally_release(tally, block.units, !block.number);
  event_trace(own, tally, address, SCALE_EVENT_RELEASE, block.units);
}

SC_EVENT_SLOW void event_lock_releases(uint64_t *cell, uint64_t identity, uint32_t how)
{
  struct sc_arena *own = event_arena();
  struct scale_tally *tally = own && cell ? sc_tally(own, cell, identity, how) : NULL;
  int stranger = 0;

  if (!own)
    return;
  if (!__scale_held_pop(own, identity, how, &stranger))
    stranger = !__scale_held_claim(own, identity, how);
  if (!tally)
    return;
  sc_tally_release(tally, 1, stranger);
  sc_tally_seen(tally, identity, how);
  event_trace(own, tally, identity, SCALE_EVENT_RELEASE, 1);
}

/* `known` != 0: only if it was acquired then. */
SC_EVENT_SLOW void event_unit_releases(uint64_t *cell, uint64_t identity, uint64_t units, uint64_t known, uint32_t how)
{
  struct sc_arena *own = event_arena();
  struct scale_tally *tally = own && cell ? sc_tally(own, cell, identity, how) : NULL;
  uint64_t back;

  if (!own)
    return;
  back = __scale_units_released(own, identity, units, sc_ticks(), how, known);
  if (!tally)
    return;
  sc_tally_release(tally, back ? back : units, !back);
  sc_tally_seen(tally, identity, how);
  event_trace(own, tally, identity, SCALE_EVENT_RELEASE, back ? back : units);
}

void __scale_event_releases(uint64_t *cell, uint64_t identity, uint64_t units, uint32_t how)
{
  if (sc_event_class(how) == SCALE_CLASS_HEAP)
    event_heap_releases(cell, identity, how);
  else if (sc_event_lock(how))
    event_lock_releases(cell, identity, how);
  else
    event_unit_releases(cell, identity, units, 0, how);
}

void __scale_event_dropped(uint64_t identity, uint32_t how) { __scale_event_releases(NULL, identity, 1, how); }

uint64_t __scale_event_known(uint64_t identity, uint32_t how)
{
  return event_arena() ? __scale_units_since(identity, how) : 0;
}

void __scale_event_gave(uint64_t *cell, uint64_t identity, uint64_t known, uint32_t how)
{
  event_unit_releases(cell, identity, 1, known ? known : UINT64_MAX, how);
}

void __scale_event_used(uint64_t *cell, uint64_t identity, uint64_t units, uint32_t how)
{
  struct sc_arena *own = event_arena();
  struct scale_tally *tally = own ? sc_tally(own, cell, identity, how) : NULL;

  if (!tally)
    return;
  if (sc_event_kind(how) == SCALE_EVENT_WRITE)
    SC_BUMP(tally->writes, 1);
  else
    SC_BUMP(tally->reads, 1);
  sc_tally_seen(tally, identity, how);
  event_trace(own, tally, identity, sc_event_kind(how), units);
}

void __scale_event_named(uint64_t *cell, uint64_t identity, uint32_t how)
{
  struct sc_arena *own = event_arena();
  struct scale_tally *tally = own && !(how & SCALE_SITE_BY_INSTANCE << 8) ? sc_tally(own, cell, identity, how) : NULL;

  if (tally)
    __scale_names_set(identity, how, tally);
}

uint64_t __scale_event_waits(uint64_t *cell, uint64_t identity, uint32_t how)
{
  struct sc_arena *own = event_arena();

  if (!own)
    return 0;
  if (sc_event_lock(how)) {
    own->awaited_by = __scale_held_by(own, identity, how);
    own->awaited = identity;
  }
  return sc_ticks();
}

void __scale_event_waited(uint64_t *cell, uint64_t identity, uint64_t token, uint32_t how)
{
  struct sc_arena *own = token ? event_arena() : NULL;
  struct scale_tally *tally = own ? sc_tally(own, cell, identity, how) : NULL;
  uint64_t now = sc_ticks(), ticks = sc_ticks_between(token, now);

  if (!tally)
    return;
  SC_BUMP(tally->waits, 1);
  SC_BUMP(tally->wait_ticks, ticks);
  SC_POKE(tally->last_tick, now);
  sc_tally_seen(tally, identity, how);
  event_rename(tally, how);
  if (sc_event_lock(how))
    __scale_tally_waited(tally, own->awaited == identity ? own->awaited_by : 0, ticks);
  __scale_ticks_mark(__scale_process(), 0);
  event_trace(own, tally, identity, SCALE_EVENT_WAIT, sc_ticks_ns(ticks) / 1000);
}

void __scale_event_parts(uint64_t mutex)
{
  struct sc_arena *own = event_arena();

  if (own)
    __scale_held_part(own, mutex);
}

void __scale_event_rejoins(uint64_t mutex)
{
  struct sc_arena *own = event_arena();

  if (own)
    __scale_held_rejoin(own, mutex);
}
