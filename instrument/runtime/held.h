/* SPDX-License-Identifier: MIT */
#pragma once
/* What a thread does with the locks that it holds (hold.h). */
#include "hold.h"

/* Forgets everything: for an arena with a new thread. */
void __scale_held_reset(struct sc_arena *arena);
/* Adds an acquire by the calling thread. now: the time, or 0 for a hold that is not to be timed. 0: no memory. */
int __scale_held_push(struct sc_arena *own, uint64_t identity, struct scale_tally *tally, uint64_t now, uint32_t weight,
                      uint32_t how);
/* The calling thread gives one acquire back. 1: it was its own, and is accounted for; 0: the thread has none. */
int __scale_held_pop(struct sc_arena *own, uint64_t identity, uint32_t how, int *stranger);
/* A condition wait gives the mutex back for a while: its hold ends. */
void __scale_held_part(struct sc_arena *own, uint64_t mutex);
void __scale_held_rejoin(struct sc_arena *own, uint64_t mutex);
/* Adds `ticks` that the calling thread waited, for what `tally` acquires or waits for, to what it holds since before
   `began`. */
void __scale_held_inside(const struct sc_arena *own, struct scale_tally *tally, uint64_t ticks, uint64_t began);
/* Adds a wait of `ticks`, which the calling thread spent blocked, to the records of the locks that it holds. */
void __scale_held_blocked(const struct sc_arena *own, struct scale_tally *tally, uint64_t ticks);
/* Accounts for what other threads gave back. */
void __scale_held_settle(struct sc_arena *own);
/* In a child of fork: what `own` (or NULL) holds counts for nobody from now on, and nobody else holds anything. */
void __scale_held_fork(struct sc_arena *own);
