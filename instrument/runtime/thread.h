/* SPDX-License-Identifier: MIT */
#ifndef SCALE_RUNTIME_THREAD_H
#define SCALE_RUNTIME_THREAD_H
/*
 * Threads and their arenas. A thread gets an arena when it first enters
 * instrumented code: that of a thread that is gone, or a new one, so that ten
 * thousand short threads need no more room than one.
 */
#include "arena.h"

/* The calling thread's arena, or NULL when there is no memory. `stack` is its stack
   pointer. */
struct sc_arena *__scale_thread_arena(struct sc_process *p, uint64_t stack);
/* The arena of the thread with that number, or of one before that had it; NULL: none. */
struct sc_arena *__scale_thread_of(uint32_t tid);
/* Makes the arena the calling thread's own; all others become free to be adopted (in a child of fork). */
void __scale_thread_only(struct sc_arena *own);
/* The calling thread's arena if it has one, else NULL. Exported: of a library whose code uses another copy of the
   runtime, no thread-local storage is then used, and the loader gives it none of the little it has for libraries that
   are opened at run time. */
extern _Thread_local struct sc_arena *__scale_thread_own __attribute__((visibility("default")));

/* The program's first and last moments: a key whose destructor tells the end of threads. */
void __scale_thread_start(void);
void __scale_thread_stop(void);
#endif
