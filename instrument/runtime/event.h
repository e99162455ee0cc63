/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What compiled code calls around the calls that do something to a resource.
 * `cell` is the address of the site's cell in the calling function's node, `how`
 * says what kind of event (how.h): class | flags << 8 | event << 16 | resource << 20.
 * They are ordinary functions: each stands beside a call, around which the caller
 * keeps no registers anyway. None of them changes errno.
 */
#include "layout.h"

#define SC_HOOK __attribute__((visibility("default")))

/* An acquire that succeeded. Of the heap, `units` is what was asked for, or 0 if that is not known. */
SC_HOOK void __scale_event_acquired(uint64_t *cell, uint64_t identity, uint64_t units, uint32_t how);
/* An acquire that failed. */
SC_HOOK void __scale_event_failed(uint64_t *cell, uint64_t identity, uint32_t how);
/* Before what gives units back (of the heap: all of the block) is done. */
SC_HOOK void __scale_event_releases(uint64_t *cell, uint64_t identity, uint64_t units, uint32_t how);
SC_HOOK void __scale_event_used(uint64_t *cell, uint64_t identity, uint64_t units, uint32_t how);
SC_HOOK void __scale_event_named(uint64_t *cell, uint64_t identity, uint32_t how);
/* Before a call that may wait: a token; after it, if it did. */
SC_HOOK uint64_t __scale_event_waits(uint64_t *cell, uint64_t identity, uint32_t how);
/* As __scale_event_waits, of a lock that cannot be tried: 0 if no thread is known to hold it, so that nobody waits. */
SC_HOOK uint64_t __scale_event_meets(uint64_t *cell, uint64_t identity, uint32_t how);
SC_HOOK void __scale_event_waited(uint64_t *cell, uint64_t identity, uint64_t token, uint32_t how);
/* Before a call that gives `identity` back and obtains another instance, or the same, in one: a token; and after it. */
SC_HOOK uint64_t __scale_event_resizes(uint64_t identity, uint32_t how);
SC_HOOK uint64_t __scale_event_resized(uint64_t *cell, uint64_t token, uint64_t old_identity, uint64_t new_identity,
                                       uint64_t units, uint32_t ok, uint32_t how);

/* For the wrappers of functions that wait (do.h), which may live in another copy of the runtime than the one in use:
   a condition wait gives the mutex back, and has it again; */
SC_HOOK void __scale_event_parts(uint64_t mutex);
SC_HOOK void __scale_event_rejoins(uint64_t mutex);
/* when an instance was acquired (0: nobody knows), and that instance, if it is still the same one, was given back; */
SC_HOOK uint64_t __scale_event_known(uint64_t identity, uint32_t how);
SC_HOOK void __scale_event_gave(uint64_t *cell, uint64_t identity, uint64_t known, uint32_t how);
/* a release that no place in the program's code is known for. */
SC_HOOK void __scale_event_dropped(uint64_t identity, uint32_t how);

/* For other copies of the runtime, when they start. 1: there is no profile, and none was asked for. */
SC_HOOK uint32_t __scale_event_idle(void);

/* Whoever refers to it has resizes of this copy of the runtime. */
__attribute__((visibility("hidden"))) extern const char __scale_resize;

struct sc_arena;
struct scale_tally;
/* The cell's tally for the identity, made if need be; NULL: no memory. */
__attribute__((preserve_most)) struct scale_tally *__scale_event_tally(struct sc_arena *own, uint64_t *cell,
                                                                       uint64_t identity, uint32_t how);
