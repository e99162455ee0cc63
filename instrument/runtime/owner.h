/* SPDX-License-Identifier: MIT */
#pragma once
/* Whose an arena is. */
#include "arena.h"

/* The calling thread's arena if it has one, else NULL. Exported: of a library whose code uses another copy of the
   runtime, no thread-local storage is then used, and the loader gives it none of the little it has for libraries that
   are opened at run time. */
extern _Thread_local struct sc_arena *__scale_thread_own __attribute__((visibility("default")));
/* The slot that the calling thread's code hands to what it calls next. */
extern _Thread_local void *__scale_slot;
/* The arena of the thread with that number, or of one before that had it; NULL: none. */
struct sc_arena *__scale_owner_of(uint32_t tid);
/* The arena is found by its thread's number from now on, no more by that of the one before. */
void __scale_owner_note(struct sc_arena *arena, uint32_t tid);
/* In a child of fork: no arena is found by a number, but the first ones. */
void __scale_owner_clear(void);
