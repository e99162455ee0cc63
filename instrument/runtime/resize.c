/* SPDX-License-Identifier: MIT */
/* Calls that give back and obtain in one: realloc, mremap, and what a probe set says. */
#include "event.h"
#include "heap.h"
#include "how.h"
#include "owner.h"
#include "tally.h"
#include "thread.h"
#include "trace.h"
#include "units.h"

/* Brings this object into every link unit (start.c). */
extern const char __scale_resize_here __attribute__((visibility("hidden")));
const char __scale_resize_here = 1;

const char __scale_resize = 1;

/* A token of the heap is a block: its number in the low bits, its units above. Of others, it is when they were
   acquired. */
enum { SC_RESIZE_NUMBER_BITS = 24 };

SC_WEAK uint64_t __scale_event_resizes(uint64_t identity, uint32_t how)
{
  struct sc_heap_block block;

  if (!SC_PEEK(__scale_event_on) || !identity)
    return 0;
  if (sc_event_class(how) != SCALE_CLASS_HEAP)
    return __scale_units_since(identity, how);
  block = sc_heap_take(identity);
  return block.number ? block.units << SC_RESIZE_NUMBER_BITS | block.number : 0;
}

static struct sc_heap_block resize_block(uint64_t token)
{
  return (struct sc_heap_block){(uint32_t)token & ((1u << SC_RESIZE_NUMBER_BITS) - 1), token >> SC_RESIZE_NUMBER_BITS};
}

static void resize_failed(struct scale_tally *tally, uint64_t token, uint64_t identity, uint32_t how)
{
  if (sc_event_class(how) == SCALE_CLASS_HEAP && token)
    sc_heap_put(identity, resize_block(token).number);
  if (tally)
    SC_BUMP(tally->failures, 1);
}

/* What came back of the old instance. */
static uint64_t resize_return(struct sc_arena *own, uint64_t token, uint64_t identity, uint64_t now, uint32_t how)
{
  struct sc_heap_block block = resize_block(token);

  if (!token)
    return 0;
  if (sc_event_class(how) != SCALE_CLASS_HEAP)
    return __scale_units_released(own, identity, UINT64_MAX, now, how, token);
  sc_heap_returned(own, block);
  return block.units;
}

static uint64_t resize_release(struct sc_arena *own, uint64_t token, uint64_t identity, uint64_t now, uint32_t how)
{
  uint64_t back = resize_return(own, token, identity, now, how);

  sc_out_less(own, sc_event_class(how), back);
  return back;
}

static uint64_t resize_acquire(struct sc_arena *own, struct scale_tally *tally, uint64_t identity, uint64_t units,
                               uint64_t now, uint32_t how)
{
  int heap = sc_event_class(how) == SCALE_CLASS_HEAP;

  if (heap)
    units = sc_heap_usable(identity, units);
  sc_tally_acquire(tally, units);
  sc_out_more(own, sc_event_class(how), units);
  if (heap ? !sc_heap_put(identity, (uint32_t)((struct sc_heap_tally *)tally)->number)
           : !__scale_units_acquired(own, identity, units, tally, now, how))
    sc_tally_forget(tally, units);
  return units;
}

/* Bytes that a block took along: none where it stayed, or where it is a mapping of its own, whose pages moved. */
static uint64_t resize_copied(uint64_t back, uint64_t old_identity, uint64_t new_identity, uint64_t units, uint32_t how)
{
  uint64_t copied = back < units ? back : units;

  if (sc_event_class(how) != SCALE_CLASS_HEAP || !old_identity || !new_identity || old_identity == new_identity)
    return 0;
  return copied >= SC_HEAP_MAPPED && sc_heap_is_mapped(new_identity) ? 0 : copied;
}

static __attribute__((noinline)) uint64_t resize_count(uint64_t *cell, uint64_t token, uint64_t old_identity,
                                                       uint64_t new_identity, uint64_t units, uint32_t ok, uint32_t how)
{
  struct sc_arena *own = __scale_thread_own;
  struct scale_tally *tally = own ? sc_tally_at(SC_LOAD(*cell)) : NULL;
  uint64_t now = sc_event_class(how) == SCALE_CLASS_HEAP ? 0 : sc_ticks(), back;

  if (!own)
    return 0;
  if (!tally || how & SCALE_SITE_BY_INSTANCE << 8)
    tally = __scale_event_tally(own, cell, new_identity, how);
  if (!ok) {
    resize_failed(tally, token, old_identity, how);
    return 0;
  }
  back = resize_release(own, token, old_identity, now, how);
  if (!tally)
    return 0;
  if (old_identity)
    sc_tally_release(tally, back, !token);
  if (new_identity)
    units = resize_acquire(own, tally, new_identity, units, now, how);
  if (now)
    SC_POKE(tally->last_tick, now);
  if (SC_PEEK(__scale_trace_on))
    __scale_trace_add(tally, new_identity, SCALE_EVENT_RESIZE, units);
  return resize_copied(back, old_identity, new_identity, units, how);
}

SC_WEAK uint64_t __scale_event_resized(uint64_t *cell, uint64_t token, uint64_t old_identity, uint64_t new_identity,
                                       uint64_t units, uint32_t ok, uint32_t how)
{
  if (!SC_PEEK(__scale_event_on))
    return 0;
  return resize_count(cell, token, old_identity, new_identity, units, ok, how);
}
