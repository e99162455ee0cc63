/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Threads and their arenas. A thread gets an arena when it first enters
 * instrumented code: that of a thread that is gone, or a new one, so that ten
 * thousand short threads need no more room than one.
 */
#include "owner.h"

/* The calling thread's arena, or NULL when there is no memory. `stack` is its stack
   pointer. */
struct sc_arena *__scale_thread_arena(struct sc_process *p, uint64_t stack);
/* Makes the arena the calling thread's own; all others become free to be adopted (in a child of fork). */
void __scale_thread_only(struct sc_arena *own);
/* The calling thread, which ends, gives its arena up. It may still run instrumented code (other keys' destructors), so
   nobody takes it until the kernel says that the thread is gone. */
void __scale_thread_leave(struct sc_arena *arena);

/* The program's first and last moments: `leaves` is called with the arena of each thread that ends, on that thread. */
void __scale_thread_start(void (*leaves)(void *arena));
void __scale_thread_stop(void);
