/* SPDX-License-Identifier: MIT */
#include "heap.h"
#include "allocator.h"
#include "os.h"
#include "tally.h"

enum {
  SC_HEAP_LEAF_BITS = 26, /* of an address, in one leaf: 64 MiB of heap */
  SC_HEAP_GRAIN_BITS = 4,
  SC_HEAP_ROOT_BITS = 47 - SC_HEAP_LEAF_BITS, /* then the half that addresses not divisible by 16 have */
  SC_HEAP_LEAF_SLOTS = 1 << (SC_HEAP_LEAF_BITS - SC_HEAP_GRAIN_BITS),
  SC_HEAP_PAGE_BITS = 12, /* of a number: tallies in one page of the list of tallies */
  SC_HEAP_PAGES = 1 << 10
};

struct heap_leaf {
  uint32_t slot[SC_HEAP_LEAF_SLOTS];
};
struct heap_owner {
  struct scale_tally *tally;
  struct sc_arena *arena;
};

extern size_t malloc_usable_size(void *block) __attribute__((weak));

static struct heap_leaf **heap_root;
static struct heap_owner *heap_owners[SC_HEAP_PAGES];
static uint32_t heap_numbers;
/* Whether malloc_usable_size knows every block; found out when the first tally comes. */
static enum { SC_HEAP_UNDECIDED, SC_HEAP_ASKS, SC_HEAP_GUESSES } heap_sizes;

static void *heap_page(void **at, size_t bytes)
{
  void *page = SC_LOAD(*at), *before = NULL;

  if (page)
    return page;
  page = sc_os_reserve(bytes);
  if (!page || SC_SWAP(*at, &before, page))
    return page;
  sc_os_unmap(page, bytes);
  return before;
}

uint32_t __scale_heap_number(struct scale_tally *tally, struct sc_arena *arena)
{
  uint32_t number = SC_ADD(heap_numbers, 1) + 1, page = number >> SC_HEAP_PAGE_BITS;
  struct heap_owner *owners;

  if (SC_LOAD(heap_sizes) == SC_HEAP_UNDECIDED)
    SC_STORE(heap_sizes, __scale_allocator_asks() ? SC_HEAP_ASKS : SC_HEAP_GUESSES);
  if (page >= SC_HEAP_PAGES) {
    SC_ADD(heap_numbers, -1);
    return 0;
  }
  owners = heap_page((void **)&heap_owners[page], sizeof(*owners) << SC_HEAP_PAGE_BITS);
  if (!owners)
    return 0;
  owners[number & ((1 << SC_HEAP_PAGE_BITS) - 1)] = (struct heap_owner){tally, arena};
  return number;
}

static inline struct heap_owner *heap_owner(uint32_t number)
{
  return &SC_LOAD(heap_owners[number >> SC_HEAP_PAGE_BITS])[number & ((1 << SC_HEAP_PAGE_BITS) - 1)];
}

/* The leaf that an address lies in; NULL if there is none, which `make` would try to change. */
static inline struct heap_leaf **heap_branch(uint64_t address)
{
  struct heap_leaf **root = SC_LOAD(heap_root);
  uint64_t half = address >> 3 & 1;

  return root && !(address >> 47) ? &root[half << SC_HEAP_ROOT_BITS | address >> SC_HEAP_LEAF_BITS] : NULL;
}

static inline uint32_t *heap_slot(struct heap_leaf *leaf, uint64_t address)
{
  return &leaf->slot[address >> SC_HEAP_GRAIN_BITS & (SC_HEAP_LEAF_SLOTS - 1)];
}

static __attribute__((noinline)) struct heap_leaf *heap_make(uint64_t address)
{
  struct heap_leaf **branch;

  if (address >> 47 || !heap_page((void **)&heap_root, sizeof(*heap_root) << (SC_HEAP_ROOT_BITS + 1)))
    return NULL;
  branch = heap_branch(address);
  return heap_page((void **)branch, sizeof(**branch));
}

uint64_t __scale_heap_usable(uint64_t address, uint64_t requested)
{
  if (__builtin_expect(SC_PEEK(heap_sizes) == SC_HEAP_ASKS, 1))
    return malloc_usable_size((void *)(uintptr_t)address);
  return requested ? requested : 1;
}

/* Bytes of a block of the tally: exactly, or as its blocks are on average. */
static uint64_t heap_units(const struct scale_tally *tally, uint64_t address)
{
  uint64_t acquires;

  if (__builtin_expect(address && SC_PEEK(heap_sizes) == SC_HEAP_ASKS, 1))
    return malloc_usable_size((void *)(uintptr_t)address);
  acquires = SC_PEEK(tally->acquires);
  return acquires ? SC_PEEK(tally->units) / acquires : 0;
}

static __attribute__((noinline)) void heap_unseen(uint32_t number)
{
  struct scale_tally *tally = heap_owner(number)->tally;

  SC_ADD(tally->unseen, 1);
  SC_ADD(tally->unseen_units, heap_units(tally, 0));
}

void __scale_heap_put(uint64_t address, uint32_t number)
{
  struct heap_leaf **branch = heap_branch(address);
  struct heap_leaf *leaf = branch ? SC_LOAD(*branch) : NULL;
  uint32_t *slot, before;

  if (__builtin_expect(!leaf, 0)) {
    leaf = heap_make(address);
    if (!leaf) {
      SC_ADD(SC_LOAD(__scale_process_state)->header->lost_events, 1);
      return;
    }
  }
  slot = heap_slot(leaf, address);
  before = SC_PEEK(*slot);
  SC_POKE(*slot, number);
  if (__builtin_expect(before != 0, 0))
    heap_unseen(before);
}

struct sc_heap_block __scale_heap_take(uint64_t address)
{
  struct heap_leaf **branch = heap_branch(address);
  struct heap_leaf *leaf = branch ? SC_LOAD(*branch) : NULL;
  struct sc_heap_block block = {0, 0};
  uint32_t *slot;

  if (!leaf)
    return block;
  slot = heap_slot(leaf, address);
  block.number = SC_PEEK(*slot);
  if (block.number) {
    SC_POKE(*slot, 0);
    block.units = heap_units(heap_owner(block.number)->tally, address);
  }
  return block;
}

void __scale_heap_returned(const struct sc_arena *own, struct sc_heap_block block)
{
  const struct heap_owner *owner = heap_owner(block.number);

  if (owner->arena == own) {
    SC_BUMP(owner->tally->returned, 1);
    SC_BUMP(owner->tally->returned_units, block.units);
  } else {
    SC_ADD(owner->tally->foreign, 1);
    SC_ADD(owner->tally->foreign_units, block.units);
  }
}

void __scale_heap_fork(void)
{
  for (uint64_t i = 0; heap_root && i < UINT64_C(2) << SC_HEAP_ROOT_BITS; i++)
    if (heap_root[i])
      sc_os_advise(heap_root[i], sizeof(struct heap_leaf), MADV_DONTNEED);
}
