/* SPDX-License-Identifier: MIT */
#include "event.h"
#include "blocked.h"
#include "fork.h"
#include "heap.h"
#include "held.h"
#include "held_others.h"
#include "how.h"
#include "names.h"
#include "owner.h"
#include "pools.h"
#include "process.h"
#include "tally.h"
#include "thread.h"
#include "trace.h"
#include "units.h"

#define SC_EVENT_CLASS static __attribute__((noinline))

enum { SC_EVENT_ALL_TIMED = 1024, SC_EVENT_TRIAL = 64 };

SC_WEAK uint32_t __scale_event_idle(void)
{
  const struct sc_process *p = __scale_process();

  return (p->dormant || p->control) && !p->wants_file;
}

static __attribute__((noinline)) struct sc_arena *event_arena_slow(void)
{
  return SC_PEEK(__scale_event_on) ? __scale_thread_arena(__scale_process(), (uintptr_t)__builtin_frame_address(0))
                                   : NULL;
}

/* The calling thread's arena; NULL: no memory, or nobody wants to know. */
static inline struct sc_arena *event_arena(void)
{
  struct sc_arena *own = __scale_thread_own;
  return __builtin_expect(own != NULL, 1) ? own : event_arena_slow();
}

struct scale_tally *__scale_event_tally(struct sc_arena *own, uint64_t *cell, uint64_t identity, uint32_t how)
{
  struct scale_tally *tally = sc_tally_hinted(own, cell, identity);

  if (tally)
    return tally;
  if (__scale_process_forked())
    __scale_fork_child();
  return __scale_tally_make(own, cell, identity, how);
}

static __attribute__((noinline)) struct scale_tally *event_tally_slow(uint64_t *cell, uint64_t identity, uint32_t how)
{
  struct sc_arena *own = event_arena();
  return own ? __scale_event_tally(own, cell, identity, how) : NULL;
}

/* The event's tally; NULL: without one nothing counts. */
static inline struct scale_tally *event_tally(uint64_t *cell, uint64_t identity, uint32_t how)
{
  struct scale_tally *tally = sc_tally_at(SC_LOAD(*cell));

  if (__builtin_expect(tally != NULL, 1) && (!(how & SCALE_SITE_BY_INSTANCE << 8) || tally->key == identity))
    return tally;
  return event_tally_slow(cell, identity, how);
}

static inline void event_trace(const struct scale_tally *tally, uint64_t identity, uint32_t event, uint64_t units)
{
  if (__builtin_expect(SC_PEEK(__scale_trace_on), 0))
    __scale_trace_add(tally, identity, event, units);
}

/* A tally of a pointer only: its name may have become known meanwhile. */
static inline void event_rename(struct scale_tally *tally, uint32_t how)
{
  if (__builtin_expect(how & SCALE_SITE_BY_INSTANCE << 8, 0) && !tally->named &&
      !(tally->acquires & (tally->acquires - 1)))
    SC_POKE(tally->named, __scale_names_find(tally->key, how));
}

SC_EVENT_CLASS void event_heap_acquired(uint64_t *cell, uint64_t address, uint64_t units, uint32_t how)
{
  struct scale_tally *tally = event_tally(cell, address, how);

  if (!tally || !address)
    return;
  units = sc_heap_usable(address, units);
  sc_tally_acquire(tally, units);
  sc_out_more(event_arena(), SCALE_CLASS_HEAP, units);
  if (!sc_heap_put(address, (uint32_t)((struct sc_heap_tally *)tally)->number))
    sc_tally_forget(tally, units);
  event_trace(tally, address, SCALE_EVENT_ACQUIRE, units);
}

/* Locks and units: what is timed. */
static inline void event_timed(struct scale_tally *tally, uint64_t identity, uint64_t units, uint64_t now, uint32_t how)
{
  sc_tally_acquire(tally, units);
  sc_tally_seen(tally, identity, how);
  event_rename(tally, how);
  if (now)
    SC_POKE(tally->last_tick, now);
}

/*
 * Reading the clock may take as long as the lock itself, above all in virtual machines: of a tally's holds the first
 * are timed, of all further ones one among many, which then stands for as many. How many of them the next one stands
 * for; 0: it is not timed.
 */
static inline uint32_t event_weight(struct sc_arena *own, const struct scale_tally *tally)
{
  if (tally->acquires < SC_EVENT_ALL_TIMED || !own)
    return 1;
  own->held.dice = own->held.dice * 1664525 + 1013904223;
  return own->held.dice >> 28 ? 0 : 16;
}

/* Whether the first takes at a place showed that others give back, or nobody does: a queue's, which is left alone. */
static inline int event_of_queue(const struct scale_tally *tally)
{
  return SC_PEEK(tally->acquires) >= SC_EVENT_TRIAL && SC_PEEK(tally->returned) < SC_EVENT_TRIAL / 2;
}

/* `count` of a pool: how many there were. */
SC_EVENT_CLASS void event_lock_acquired(uint64_t *cell, uint64_t identity, uint64_t count, uint32_t how)
{
  struct scale_tally *tally = event_tally(cell, identity, how);
  struct sc_arena *own = event_arena();
  uint64_t now;
  uint32_t weight;

  if (!tally)
    return;
  if (own && sc_pool_event(how)) {
    if (event_of_queue(tally))
      return;
    __scale_pool_took(own, tally, identity, count);
  }
  weight = event_weight(own, tally);
  now = weight ? sc_ticks() : 0;
  event_timed(tally, identity, 1, now, how);
  if (!own || !__scale_held_push(own, identity, tally, now, weight, how))
    sc_tally_forget(tally, 1);
  event_trace(tally, identity, SCALE_EVENT_ACQUIRE, 1);
}

SC_EVENT_CLASS void event_unit_acquired(uint64_t *cell, uint64_t identity, uint64_t units, uint32_t how)
{
  struct scale_tally *tally = event_tally(cell, identity, how);
  struct sc_arena *own = event_arena();
  uint64_t now;

  if (!tally)
    return;
  now = sc_ticks();
  event_timed(tally, identity, units, now, how);
  sc_out_more(own, sc_event_class(how), units);
  if (!own || !__scale_units_acquired(own, identity, units, tally, now, how))
    sc_tally_forget(tally, units);
  event_trace(tally, identity, SCALE_EVENT_ACQUIRE, units);
}

/* The common case of the heap, in few instructions and without a frame: a tally and a place in the map are there, and
   glibc's sizes are read. 0: it is another one. */
static inline int event_heap_acquired_soon(const uint64_t *cell, uint64_t address, uint32_t how)
{
  struct scale_tally *tally = sc_tally_at(SC_LOAD(*cell));
  uint32_t *slot = sc_heap_soon(address), number;
  const struct sc_arena *own = __scale_thread_own;

  if (__builtin_expect(!slot || SC_PEEK(*slot) || !tally || !own || how & SCALE_SITE_BY_INSTANCE << 8, 0))
    return 0;
  number = (uint32_t)((struct sc_heap_tally *)tally)->number;
  if (__builtin_expect(!number, 0))
    return 0;
  sc_tally_acquire(tally, sc_heap_chunk(address));
  sc_out_more(own, SCALE_CLASS_HEAP, sc_heap_chunk(address));
  SC_POKE(*slot, number);
  return 1;
}

static inline int event_heap_releases_soon(const uint64_t *cell, uint64_t address, uint32_t how)
{
  struct scale_tally *tally = cell ? sc_tally_at(SC_LOAD(*cell)) : NULL;
  uint32_t *slot = sc_heap_soon(address);
  struct sc_heap_block block;

  if (__builtin_expect(!slot || !SC_PEEK(*slot) || !tally || how & SCALE_SITE_BY_INSTANCE << 8, 0))
    return 0;
  block = (struct sc_heap_block){SC_PEEK(*slot), sc_heap_chunk(address)};
  SC_POKE(*slot, 0);
  sc_heap_returned(__scale_thread_own, block);
  sc_out_less(__scale_thread_own, SCALE_CLASS_HEAP, block.units);
  sc_tally_release(tally, block.units, 0);
  return 1;
}

SC_WEAK void __scale_event_acquired(uint64_t *cell, uint64_t identity, uint64_t units, uint32_t how)
{
  if (!SC_PEEK(__scale_event_on)) /* first, for where there is no profile this is all that a call does */
    return;
  if (sc_event_class(how) == SCALE_CLASS_HEAP && event_heap_acquired_soon(cell, identity, how))
    return;
  if (sc_event_class(how) == SCALE_CLASS_HEAP)
    event_heap_acquired(cell, identity, units, how);
  else if (sc_event_lock(how))
    event_lock_acquired(cell, identity, units, how);
  else
    event_unit_acquired(cell, identity, units, how);
}

SC_WEAK void __scale_event_failed(uint64_t *cell, uint64_t identity, uint32_t how)
{
  struct scale_tally *tally = !SC_PEEK(__scale_event_on) ? NULL : event_tally(cell, identity, how);

  if (!tally)
    return;
  if (sc_pool_event(how) && __scale_thread_own)
    __scale_pool_waited(__scale_thread_own, tally, identity);
  SC_BUMP(tally->failures, 1);
  event_trace(tally, identity, SCALE_EVENT_FAIL, 0);
}

/* Releases: what is given back counts even if there is no tally, or no place (cell NULL), for the release itself. */

SC_EVENT_CLASS void event_heap_releases(uint64_t *cell, uint64_t address, uint32_t how)
{
  struct scale_tally *tally = cell && address ? event_tally(cell, address, how) : NULL;
  struct sc_heap_block block = sc_heap_take(address);

  if (block.number) {
    sc_heap_returned(__scale_thread_own, block);
    sc_out_less(event_arena(), SCALE_CLASS_HEAP, block.units);
  }
  if (!tally)
    return;
  sc_tally_release(tally, block.units, !block.number);
  event_trace(tally, address, SCALE_EVENT_RELEASE, block.units);
}

SC_EVENT_CLASS void event_lock_releases(uint64_t *cell, uint64_t identity, uint64_t units, uint32_t how)
{
  struct sc_arena *own = event_arena();
  struct scale_tally *tally;
  uint64_t back = 0;
  int stranger = 0;

  if (!own || (!units && sc_event_class(how) == SCALE_CLASS_SEMAPHORE) || (sc_pool_event(how) && !own->pool.has))
    return;
  do /* several units of a semaphore were acquired one by one */
    if (!__scale_held_pop(own, identity, how, &stranger))
      stranger = sc_pool_event(how) || !__scale_held_claim(own, identity, how);
  while (!stranger && ++back < units);
  if (!stranger && sc_pool_event(how))
    __scale_pool_gave(own, identity);
  if (stranger && how & SCALE_SITE_INFERRED << 8) /* a lock that is made, or something else altogether */
    return;
  tally = cell ? event_tally(cell, identity, how) : NULL;
  if (!tally)
    return;
  sc_tally_release(tally, units, stranger);
  sc_tally_seen(tally, identity, how);
  event_trace(tally, identity, SCALE_EVENT_RELEASE, units);
}

/* `known` != 0: only if it was acquired then. */
SC_EVENT_CLASS void event_unit_releases(uint64_t *cell, uint64_t identity, uint64_t units, uint64_t known, uint32_t how)
{
  struct scale_tally *tally = cell ? event_tally(cell, identity, how) : NULL;
  struct sc_arena *own = event_arena();
  uint64_t back;

  if (!own)
    return;
  back = __scale_units_released(own, identity, units, sc_ticks(), how, known);
  sc_out_less(own, sc_event_class(how), back);
  if (!tally)
    return;
  sc_tally_release(tally, back ? back : units, !back);
  sc_tally_seen(tally, identity, how);
  event_trace(tally, identity, SCALE_EVENT_RELEASE, back ? back : units);
}

SC_WEAK void __scale_event_releases(uint64_t *cell, uint64_t identity, uint64_t units, uint32_t how)
{
  if (!SC_PEEK(__scale_event_on))
    return;
  if (sc_event_class(how) == SCALE_CLASS_HEAP && event_heap_releases_soon(cell, identity, how))
    return;
  if (sc_event_class(how) == SCALE_CLASS_HEAP)
    event_heap_releases(cell, identity, how);
  else if (sc_event_lock(how))
    event_lock_releases(cell, identity, units, how);
  else
    event_unit_releases(cell, identity, units, 0, how);
}

SC_WEAK void __scale_event_dropped(uint64_t identity, uint32_t how) { __scale_event_releases(NULL, identity, 1, how); }

SC_WEAK uint64_t __scale_event_known(uint64_t identity, uint32_t how)
{
  return SC_PEEK(__scale_event_on) ? __scale_units_since(identity, how) : 0;
}

SC_WEAK void __scale_event_gave(uint64_t *cell, uint64_t identity, uint64_t known, uint32_t how)
{
  if (SC_PEEK(__scale_event_on))
    event_unit_releases(cell, identity, 1, known ? known : UINT64_MAX, how);
}

SC_WEAK void __scale_event_used(uint64_t *cell, uint64_t identity, uint64_t units, uint32_t how)
{
  struct scale_tally *tally = !SC_PEEK(__scale_event_on) ? NULL : event_tally(cell, identity, how);

  if (!tally)
    return;
  if (sc_event_kind(how) == SCALE_EVENT_WRITE)
    SC_BUMP(tally->writes, 1);
  else
    SC_BUMP(tally->reads, 1);
  if (sc_event_class(how) == SCALE_CLASS_CONDITION) /* a signal: work came until now */
    SC_POKE(tally->last_tick, sc_ticks());
  sc_tally_seen(tally, identity, how);
  event_trace(tally, identity, sc_event_kind(how), units);
}

SC_WEAK void __scale_event_named(uint64_t *cell, uint64_t identity, uint32_t how)
{
  struct scale_tally *tally = NULL;

  if (SC_PEEK(__scale_event_on) && !(how & SCALE_SITE_BY_INSTANCE << 8))
    tally = event_tally(cell, identity, how);

  if (tally)
    __scale_names_set(identity, how, tally);
}

/* Timed from outside, such a call may not have waited at all (SCALE_WAIT_LEAST_NS). */
static inline int event_may_return(uint32_t how) { return how & SCALE_SITE_DELAYED << 8; }

/* What the thread has waited for since the last such call began. Waits for locks are theirs: no other
   resource that is obtained under them has waited for that, and its time is shorter by as much. */
enum { SC_EVENT_FOR_LOCK = 1, SC_EVENT_FOR_ANY = 2, SC_EVENT_BEGAN = 4 };

static int event_delayed(struct sc_arena *own, uint64_t ticks, uint32_t how)
{
  uint32_t inside = sc_event_lock(how) ? SC_EVENT_FOR_LOCK | SC_EVENT_FOR_ANY : SC_EVENT_FOR_ANY;

  return sc_blocked_long(ticks) &&
         ((own && own->waited & inside) || __scale_blocked_since(own) || sc_ticks_ns(ticks) >= SCALE_WAIT_YIELDS_NS);
}

static inline uint64_t event_elsewhere(const struct sc_arena *own, uint32_t how)
{
  return own && event_may_return(how) && !sc_event_lock(how) ? own->locked_ticks : 0;
}

SC_WEAK uint64_t __scale_event_waits(uint64_t *cell, uint64_t identity, uint32_t how)
{
  struct sc_arena *own = SC_PEEK(__scale_event_on) ? event_arena() : NULL;
  uint64_t now = own ? sc_ticks() : 0;

  if (own && sc_event_lock(how)) {
    own->awaited_by = __scale_held_by(own, identity, how);
    own->awaited = identity;
  }
  if (event_may_return(how)) {
    if (own && own->waited != SC_EVENT_BEGAN) {
      __scale_blocked_since(own);
      own->waited = SC_EVENT_BEGAN;
    }
  } else if (own && sc_event_class(how) == SCALE_CLASS_CONDITION) {
    __scale_pool_waits(own, identity, now);
  }
  return now - event_elsewhere(own, how);
}

SC_WEAK uint64_t __scale_event_meets(uint64_t *cell, uint64_t identity, uint32_t how)
{
  uint64_t token = __scale_event_waits(cell, identity, how);
  const struct sc_arena *own = __scale_thread_own;

  return own && own->awaited_by ? token : 0;
}

/* A call of the system that may have waited. What only worked for long is processor time. */
SC_EVENT_CLASS void event_blocked(uint64_t *cell, uint64_t token, uint32_t how)
{
  struct sc_arena *own = __scale_thread_own;
  uint64_t now = token ? sc_ticks() : 0, ticks = sc_ticks_between(token, now);
  struct scale_tally *tally;
  int input = sc_event_class(how) == SCALE_CLASS_IO;

  if (!token || (input && !sc_blocked_long(ticks)))
    return;
  if (!__scale_blocked_since(own) && input)
    return;
  tally = event_tally(cell, 0, how);
  if (!tally)
    return;
  SC_BUMP(tally->waits, 1);
  SC_BUMP(tally->wait_ticks, ticks);
  SC_POKE(tally->last_tick, now);
  if (own) {
    own->waited |= SC_EVENT_FOR_ANY;
    __scale_held_blocked(own, tally, ticks);
  }
  __scale_ticks_mark(__scale_process(), 0);
  event_trace(tally, 0, SCALE_EVENT_WAIT, sc_ticks_ns(ticks) / 1000);
}

SC_WEAK void __scale_event_waited(uint64_t *cell, uint64_t identity, uint64_t token, uint32_t how)
{
  if (sc_event_class(how) >= SCALE_CLASS_SLEEP) {
    event_blocked(cell, token, how);
    return;
  }
  struct scale_tally *tally = token ? event_tally(cell, identity, how) : NULL;
  struct sc_arena *own = __scale_thread_own;
  uint64_t now = sc_ticks(), ticks;

  token += event_elsewhere(own, how);
  ticks = sc_ticks_between(token, now);
  if (!tally || (event_may_return(how) && !event_delayed(own, ticks, how)))
    return;
  if (!tally->waits && !tally->acquires && token < tally->first_tick) /* it was made when the wait was over */
    SC_POKE(tally->first_tick, token);
  SC_BUMP(tally->waits, 1);
  SC_BUMP(tally->wait_ticks, ticks);
  SC_POKE(tally->last_tick, now);
  sc_tally_seen(tally, identity, how);
  event_rename(tally, how);
  if (sc_event_lock(how))
    __scale_tally_waited(tally, own->awaited == identity ? own->awaited_by : 0, ticks);
  if (own) {
    if (sc_event_class(how) < SCALE_CLASS_SEMAPHORE) {
      own->locked_ticks += ticks;
      if (own->waited & SC_EVENT_BEGAN)
        __scale_blocked_since(own);
      own->waited |= SC_EVENT_FOR_LOCK;
    } else {
      own->waited |= SC_EVENT_FOR_ANY;
    }
    __scale_held_inside(own, tally, ticks, token);
  }
  __scale_ticks_mark(__scale_process(), 0);
  event_trace(tally, identity, SCALE_EVENT_WAIT, sc_ticks_ns(ticks) / 1000);
}

SC_WEAK void __scale_event_parts(uint64_t mutex)
{
  struct sc_arena *own = SC_PEEK(__scale_event_on) ? event_arena() : NULL;

  if (own)
    __scale_held_part(own, mutex);
}

SC_WEAK void __scale_event_rejoins(uint64_t mutex)
{
  struct sc_arena *own = SC_PEEK(__scale_event_on) ? event_arena() : NULL;

  if (own)
    __scale_held_rejoin(own, mutex);
}
