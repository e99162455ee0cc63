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
/* What the map is made of; the functions below know it. */
enum {
  SC_HEAP_LEAF_BITS = 26, /* of an address, in one leaf: 64 MiB of heap */
  SC_HEAP_GRAIN_BITS = 4,
  SC_HEAP_ROOT_BITS = 47 - SC_HEAP_LEAF_BITS, /* and one more: addresses not divisible by 16 have a half of their own */
  SC_HEAP_LEAF_SLOTS = 1 << (SC_HEAP_LEAF_BITS - SC_HEAP_GRAIN_BITS)
};
struct sc_heap_leaf {
  uint32_t slot[SC_HEAP_LEAF_SLOTS];
};
struct sc_heap_owner {
  struct scale_tally *tally;
  struct sc_arena *arena;
};
struct sc_heap_map {
  struct sc_heap_leaf **root;                                      /* NULL as long as there is nothing */
  struct sc_heap_owner *owners;                                    /* by number */
  uint32_t numbers;                                                /* given out */
  enum { SC_HEAP_UNDECIDED, SC_HEAP_ASKS, SC_HEAP_GUESSES } sizes; /* whether malloc_usable_size knows every block */
};
extern struct sc_heap_map __scale_heap;
extern size_t malloc_usable_size(void *block) __attribute__((weak));

/* Bytes of a block where the allocator cannot be asked: as blocks of the tally are on average. */
uint64_t __scale_heap_average(const struct scale_tally *tally);
/* Puts a block where no leaf is yet, or where the map still knows another one, which was freed unseen. */
void __scale_heap_put_slow(uint64_t address, uint32_t number);

/* Bytes of a block that the allocator just gave: what it says, or `requested`, or 1 if neither is known. */
static inline uint64_t sc_heap_usable(uint64_t address, uint64_t requested)
{
  if (__builtin_expect(__scale_heap.sizes == SC_HEAP_ASKS, 1))
    return malloc_usable_size((void *)(uintptr_t)address);
  return requested ? requested : 1;
}

/* Where the map has a block; NULL if nothing near it was ever noted. */
static inline uint32_t *sc_heap_slot(uint64_t address)
{
  struct sc_heap_leaf **root = SC_LOAD(__scale_heap.root), *leaf;

  if (__builtin_expect(!root || address >> 47, 0))
    return NULL;
  leaf = SC_LOAD(root[(address >> 3 & 1) << SC_HEAP_ROOT_BITS | address >> SC_HEAP_LEAF_BITS]);
  return leaf ? &leaf->slot[address >> SC_HEAP_GRAIN_BITS & (SC_HEAP_LEAF_SLOTS - 1)] : NULL;
}

/* The block belongs to the tally of that number from now on. */
static inline void sc_heap_put(uint64_t address, uint32_t number)
{
  uint32_t *slot = sc_heap_slot(address);

  if (__builtin_expect(slot && !SC_PEEK(*slot), 1))
    SC_POKE(*slot, number);
  else
    __scale_heap_put_slow(address, number);
}

/* Takes the block out. */
static inline struct sc_heap_block sc_heap_take(uint64_t address)
{
  uint32_t *slot = sc_heap_slot(address);
  struct sc_heap_block block = {slot ? SC_PEEK(*slot) : 0, 0};

  if (!block.number)
    return block;
  SC_POKE(*slot, 0);
  if (__builtin_expect(__scale_heap.sizes == SC_HEAP_ASKS, 1))
    block.units = malloc_usable_size((void *)(uintptr_t)address);
  else
    block.units = __scale_heap_average(__scale_heap.owners[block.number].tally);
  return block;
}

/* Accounts for a block that was given back by the thread of the arena `own`. */
static inline void sc_heap_returned(const struct sc_arena *own, struct sc_heap_block block)
{
  const struct sc_heap_owner *owner = &__scale_heap.owners[block.number];

  if (__builtin_expect(owner->arena == own, 1)) {
    SC_BUMP(owner->tally->returned, 1);
    SC_BUMP(owner->tally->returned_units, block.units);
  } else {
    SC_ADD(owner->tally->foreign, 1);
    SC_ADD(owner->tally->foreign_units, block.units);
  }
}

#endif
