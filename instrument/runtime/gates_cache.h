/* SPDX-License-Identifier: MIT */
#pragma once
#include <stdint.h>

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
