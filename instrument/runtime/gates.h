/* SPDX-License-Identifier: MIT */
#pragma once
/* What the gates call. */
#include <stdint.h>

struct scale_function;

/* Whoever refers to it has the gates of this copy of the runtime. */
__attribute__((visibility("hidden"))) extern const char __scale_gates;

/* Where in an arena's cache an entry behind the slot is looked for: by what is called, its code if that is known, else
   its index. __scale_call_gate computes the same. */
#define SC_GATES_FACTOR 0x5bd1e995
#define SC_GATES_SHIFT  24
#define SC_GATES_CACHE  256 /* entries, a power of two */

/* The place in the cache. */
static inline uint64_t sc_gates_hash(uint64_t slot, uint64_t what)
{
  return ((slot + what) * SC_GATES_FACTOR) >> SC_GATES_SHIFT & (SC_GATES_CACHE - 1);
}

/* Added to the result of __scale_enter_at. */
#define SC_GATES_JUMPED 1

/* __scale_node, the caller's stack pointer given. */
__attribute__((visibility("hidden"), preserve_most)) void *__scale_node_at(void *slot, struct scale_function *fn,
                                                                           uintptr_t stack);
/* __scale_enter for a function entered at the stack address `entered` (0: none that matters). The result has
   SC_GATES_JUMPED added if a tail call through that slot jumped there. */
__attribute__((visibility("hidden"), preserve_most)) uintptr_t __scale_enter_at(void *from, struct scale_function *fn,
                                                                                uintptr_t entered);
