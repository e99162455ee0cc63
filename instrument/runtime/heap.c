/* SPDX-License-Identifier: MIT */
#include "heap.h"
#include "allocator.h"
#include "os.h"
#include "outs.h"
#include "owner.h"
#include "tally_kinds.h"
#include "valgrind.h"

enum { SC_HEAP_NUMBERS = 1 << 22 };

SC_SHARED struct sc_heap_map __scale_heap;

/* Reserved addresses count against limits on a process' memory: with such a limit they stay the program's. */
static int heap_limited(void)
{
  static SC_SHARED int limited = -1;
  int known = SC_LOAD(limited);

  if (known < 0) {
    known = sc_os_limit(RLIMIT_AS) != UINT64_MAX || sc_os_limit(RLIMIT_DATA) != UINT64_MAX;
    SC_STORE(limited, known);
  }
  return known;
}

static void *heap_page(void **at, size_t bytes)
{
  void *page = SC_LOAD(*at), *before = NULL;

  if (page)
    return page;
  if (heap_limited())
    return NULL;
  page = sc_os_reserve(bytes);
  if (!page || SC_SWAP(*at, &before, page))
    return page;
  sc_os_unmap(page, bytes);
  return before;
}

static void *heap_root(void)
{
  return heap_page((void **)&__scale_heap.root, sizeof(*__scale_heap.root) << (SC_HEAP_ROOT_BITS + 1));
}

static struct sc_heap_owner *heap_owners(void)
{
  struct sc_heap_map *map = &__scale_heap;

  if (SC_LOAD(map->allocator) == SC_ALLOCATOR_UNDECIDED)
    SC_STORE(map->allocator, heap_root() ? __scale_allocator_kind() : SC_ALLOCATOR_GUESS);
  return heap_page((void **)&map->owners, SC_HEAP_NUMBERS * sizeof(*map->owners));
}

uint32_t __scale_heap_number(struct scale_tally *tally, struct sc_arena *arena)
{
  struct sc_heap_map *map = &__scale_heap;
  struct sc_heap_owner *owners = heap_owners();
  uint32_t number;

  if (!owners || SC_LOAD(map->numbers) >= SC_HEAP_NUMBERS - 1)
    return 0;
  number = SC_ADD(map->numbers, 1) + 1;
  if (number >= SC_HEAP_NUMBERS)
    return 0;
  owners[number] = (struct sc_heap_owner){tally, arena};
  return number;
}

/* The parent gave its tallies all different numbers: what the child gives goes on behind them. */
void __scale_heap_fork(struct scale_tally *tally, struct sc_arena *arena)
{
  struct sc_heap_map *map = &__scale_heap;
  uint32_t number = sc_heap_tally_number(tally);
  struct sc_heap_owner *owners = number && number < SC_HEAP_NUMBERS ? heap_owners() : NULL;

  if (!owners || owners[number].tally)
    return;
  owners[number] = (struct sc_heap_owner){tally, arena};
  if (number > map->numbers)
    map->numbers = number;
}

uint64_t __scale_heap_average(const struct scale_tally *tally)
{
  uint64_t acquires = tally ? SC_PEEK(tally->acquires) : 0;
  return acquires ? SC_PEEK(tally->units) / acquires : 0;
}

/* The leaf of an address, made if need be. A child of fork finds it empty: nothing there was allocated by it. */
static struct sc_heap_leaf *heap_make(uint64_t address)
{
  struct sc_heap_map *map = &__scale_heap;
  uint64_t half = address >> 3 & 1;
  struct sc_heap_leaf **branch, *leaf;

  if (address >> 47 || !heap_root())
    return NULL;
  branch = &map->root[half << SC_HEAP_ROOT_BITS | address >> SC_HEAP_LEAF_BITS];
  leaf = SC_LOAD(*branch);
  if (leaf)
    return leaf;
  leaf = heap_page((void **)branch, sizeof(*leaf));
  if (leaf)
    sc_os_advise(leaf, sizeof(*leaf), MADV_WIPEONFORK);
  return leaf;
}

/* Should a glibc write something else in front of its blocks one day, this finds out. */
static void heap_verify(uint64_t address)
{
  if (SC_LOAD(__scale_heap.allocator) == SC_ALLOCATOR_READ &&
      sc_heap_chunk(address) != malloc_usable_size((void *)(uintptr_t)address))
    SC_STORE(__scale_heap.allocator, SC_ALLOCATOR_ASK);
}

int __scale_heap_put_slow(uint64_t address, uint32_t number)
{
  int known = number && number <= SC_LOAD(__scale_heap.numbers);
  uint32_t *slot = known && heap_make(address) ? sc_heap_slot(address) : NULL;
  uint32_t before = slot ? SC_PEEK(*slot) : 0;
  struct scale_tally *tally;

  if (!slot)
    return 0;
  heap_verify(address);
  SC_POKE(*slot, number);
  tally = before ? __scale_heap.owners[before].tally : NULL;
  if (tally) {
    SC_ADD(tally->unseen, 1);
    SC_ADD(tally->unseen_units, __scale_heap_average(tally));
    sc_out_less(__scale_thread_own, SCALE_CLASS_HEAP, __scale_heap_average(tally));
  }
  return 1;
}
