/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Who allocated what: a map from addresses to the numbers of tallies, four bytes
 * for each sixteen of heap; only pages that blocks begin in exist.
 */
#include "allocator.h"
#include "arena.h"
#include "bytes.h"
#include "trace.h"

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
  struct sc_heap_leaf **root;   /* NULL as long as there is nothing */
  struct sc_heap_owner *owners; /* by number. Empty: a tally that the parent of this child made after the fork */
  uint32_t numbers;             /* given out */
  enum sc_allocator allocator;  /* READ: there is a root */
};
extern struct sc_heap_map __scale_heap;
extern size_t malloc_usable_size(void *block) __attribute__((weak));

/* In a child of fork: it may find a tally in its copy of the tree that its parent made after the fork. The map knows
   it, too, from now on, if it is one of the heap. */
void __scale_heap_fork(struct scale_tally *tally, struct sc_arena *arena);
/* Bytes of a block where the allocator cannot be asked: as blocks of the tally (NULL: unknown) are on average. */
uint64_t __scale_heap_average(const struct scale_tally *tally);
/* Puts a block where no leaf is yet, or where the map still knows another one, which was freed unseen. 0: no memory. */
int __scale_heap_put_slow(uint64_t address, uint32_t number);

/* What glibc writes in front of a block: the size of its chunk, and in the lowest three bits other things, among them
   that it is a mapping of its own. */
static inline uint64_t sc_heap_chunk(uint64_t address)
{
  uint64_t size = ((const uint64_t *)(uintptr_t)address)[-1];

  return (size & ~UINT64_C(7)) - (size & 2 ? 16 : 8);
}

/* Whether a block of glibc's is a mapping of its own. Smaller ones never are. */
enum { SC_HEAP_MAPPED = 128 * 1024 };
/* By the bit that glibc keeps in front of a block; false with another allocator. */
static inline int sc_heap_is_mapped(uint64_t address)
{
  return __scale_heap.allocator == SC_ALLOCATOR_READ && ((const uint64_t *)(uintptr_t)address)[-1] & 2;
}

/* Bytes of a block, as its allocator gave them; 0: it cannot be asked. */
static inline uint64_t sc_heap_bytes(uint64_t address)
{
  if (__builtin_expect(__scale_heap.allocator == SC_ALLOCATOR_READ, 1))
    return sc_heap_chunk(address);
  return __scale_heap.allocator == SC_ALLOCATOR_ASK ? malloc_usable_size((void *)(uintptr_t)address) : 0;
}

/* Bytes of a block that the allocator just gave: what it says, or `requested`, or 1 if neither is known. */
static inline uint64_t sc_heap_usable(uint64_t address, uint64_t requested)
{
  uint64_t bytes = sc_heap_bytes(address);

  return bytes ? bytes : requested ? requested : 1;
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

/* The same where nothing but the map has to be looked at: glibc's block, no trace; else NULL. */
static inline uint32_t *sc_heap_soon(uint64_t address)
{
  struct sc_heap_leaf *leaf;

  if (__builtin_expect(SC_PEEK(__scale_heap.allocator) != SC_ALLOCATOR_READ || SC_PEEK(__scale_trace_on) ||
                           address >> 47 || !address || address & 15,
                       0))
    return NULL;
  leaf = SC_LOAD(__scale_heap.root[address >> SC_HEAP_LEAF_BITS]);
  return leaf ? &leaf->slot[address >> SC_HEAP_GRAIN_BITS & (SC_HEAP_LEAF_SLOTS - 1)] : NULL;
}

/* The block belongs to the tally of that number from now on. 0: there is no memory to note that. */
static inline int sc_heap_put(uint64_t address, uint32_t number)
{
  uint32_t *slot = sc_heap_slot(address);

  if (__builtin_expect(!slot || SC_PEEK(*slot) || !number, 0))
    return __scale_heap_put_slow(address, number);
  SC_POKE(*slot, number);
  return 1;
}

/* Takes the block out. */
static inline struct sc_heap_block sc_heap_take(uint64_t address)
{
  uint32_t *slot = sc_heap_slot(address);
  struct sc_heap_block block = {slot ? SC_PEEK(*slot) : 0, 0};

  if (!block.number)
    return block;
  SC_POKE(*slot, 0);
  block.units = sc_heap_bytes(address);
  if (__builtin_expect(!block.units, 0))
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
  } else if (owner->tally) {
    SC_ADD(owner->tally->foreign, 1);
    SC_ADD(owner->tally->foreign_units, block.units);
  }
}
