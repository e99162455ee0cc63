/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The word that says what an event is about, which the pass packs into one argument: class, the site's flags, the
 * event, and of the application's own units something that tells one resource from another. Tallies, holds and names
 * ask it, too, far below event.c.
 */
#include "layout.h"

/* Its parts. */
static inline uint32_t sc_event_class(uint32_t how) { return how & 0xff; }
static inline uint32_t sc_event_flags(uint32_t how) { return how >> 8 & 0xff; }
static inline uint32_t sc_event_kind(uint32_t how) { return how >> 16 & 0xf; }
static inline uint32_t sc_event_resource(uint32_t how) { return how >> 20; }
/* Whether the identity of a lock is the address of libc's, which says more of it. */
static inline int sc_event_of_libc(uint32_t how)
{
  return !(sc_event_flags(how) & (SCALE_SITE_PROBE | SCALE_SITE_GLOBAL | SCALE_SITE_INFERRED));
}
/* Kept in the list of held locks. */
static inline int sc_event_lock(uint32_t how) { return sc_event_class(how) <= SCALE_CLASS_SEMAPHORE; }
/* Whether it is about units behind a condition (pools.h). */
static inline int sc_pool_event(uint32_t how)
{
  return (how & (0xff | SCALE_SITE_INFERRED << 8)) == (SCALE_CLASS_SEMAPHORE | SCALE_SITE_INFERRED << 8);
}
/* Whether acquires are given back by whoever comes first: `left` is no thread's own then. */
static inline int sc_held_shared(uint32_t how)
{
  return sc_event_class(how) == SCALE_CLASS_SEMAPHORE || how & (SCALE_SITE_SHARED | SCALE_SITE_PROBE) << 8;
}
