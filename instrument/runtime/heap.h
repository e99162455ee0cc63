/* SPDX-License-Identifier: MIT */
#ifndef SCALE_RUNTIME_HEAP_H
#define SCALE_RUNTIME_HEAP_H
/*
 * Who allocated what: a map from addresses to the numbers of tallies, four bytes
 * for each sixteen of heap, of which only pages exist that blocks begin in.
 */
#include "arena.h"
#include "bytes.h"

/* A block taken out of the map. */
struct sc_heap_block {
  uint32_t number; /* of the tally; 0: nobody knows who allocated it */
  uint64_t units;
};

/* The number by which the map knows a tally in the arena; 0: no memory. */
uint32_t __scale_heap_number(struct scale_tally *tally, struct sc_arena *arena);
/* Bytes of a block that the allocator just gave: what it says, or `requested`, or 1 if neither is known. */
uint64_t __scale_heap_usable(uint64_t address, uint64_t requested);
/* The block belongs to the tally from now on. If the map still knows another one there, that one was freed unseen. */
void __scale_heap_put(uint64_t address, uint32_t number);
/* Takes the block out. */
struct sc_heap_block __scale_heap_take(uint64_t address);
/* Accounts for a block that was given back by the thread of the arena `own`. */
void __scale_heap_returned(const struct sc_arena *own, struct sc_heap_block block);
/* In a child of fork: nothing there was allocated by it. */
void __scale_heap_fork(void);
#endif
