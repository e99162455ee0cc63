/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Units behind conditions: what threads take where they had to wait for a condition otherwise, and give back where they
 * signal it. They are semaphores to whoever counts; here is what a semaphore's functions would know by themselves.
 */
#include "how.h"

struct sc_arena;

/* The calling thread begins to wait for a condition, at a time in ticks. */
void __scale_pool_waits(struct sc_arena *own, uint64_t condition, uint64_t now);
/* It got on without one. */
void __scale_pool_waited(struct sc_arena *own, struct scale_tally *tally, uint64_t condition);
/* It got on, and took one, which may be one more. `count`: how many there were; 0: nobody knows. */
void __scale_pool_took(struct sc_arena *own, struct scale_tally *tally, uint64_t condition, uint64_t count);
/* It gave a unit of its own back. */
void __scale_pool_gave(struct sc_arena *own, uint64_t condition);
void __scale_pool_fork(void);
