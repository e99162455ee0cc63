/* SPDX-License-Identifier: MIT */
#include "arena.h"
#include "bytes.h"
#include "chunks.h"
#include "file.h"
#include "os.h"
#include "steps.h"
#include "valgrind.h"

SC_SHARED struct sc_arena *__scale_arenas;
SC_SHARED struct sc_arena *__scale_arenas_near[SC_ARENA_NEAR];
SC_SHARED uint32_t __scale_arenas_far;

/* Puts an empty root block into a fresh first chunk. */
static struct sc_root *put_root(struct scale_chunk *chunk)
{
  struct sc_block block = {chunk, (struct scale_node *)((char *)chunk + chunk->used)};

  chunk->used += sizeof(struct sc_root);
  block.node->bytes = sizeof(struct sc_root);
  __scale_arena_publish(block);
  return (struct sc_root *)block.node;
}

/* Where a server's children count, all that they need is the server's: what a child maps is not there for the next one.
   Half is the first thread's, and each of the others gets an equal part of the rest. 0: there are no more. */
static uint64_t arena_first_bytes(struct sc_process *p)
{
  uint64_t spare = sc_arena_spare(p);

  if (!p->control)
    return SC_ARENA_FIRST_BYTES;
  if (SC_LOAD(p->arena_bytes) == 0)
    return p->budget / 2;
  if (SC_LOAD(p->header->arenas) <= spare)
    return (p->budget / 2 / spare) & ~(uint64_t)(SCALE_CHUNK_ALIGN - 1);
  SC_ADD(p->header->truncated_nodes, 1);
  return 0;
}

struct sc_arena *__scale_arena_new(struct sc_process *p)
{
  uint64_t bytes = arena_first_bytes(p);
  struct sc_arena *arena = bytes ? sc_os_map(NULL, sc_round_up(sizeof(*arena), 4096), -1, 0) : NULL;
  struct scale_chunk *chunk = NULL;
  uint64_t number;

  if (!arena)
    return NULL;
  number = SC_ADD(p->header->arenas, 1);
  chunk = __scale_file_chunk(p, SCALE_CHUNK_ARENA, SCALE_CHUNK_FIRST, bytes, (uint32_t)number);
  if (!chunk) {
    sc_os_unmap(arena, sc_round_up(sizeof(*arena), 4096));
    return NULL;
  }
  SC_ADD(p->arena_bytes, bytes);
  arena->number = (uint32_t)number;
  arena->root = put_root(chunk);
  arena->current = chunk;
  __scale_chunks_add(chunk, arena);
  for (uint32_t i = 0; i < SC_HELD_FIRST; i++)
    arena->held.first[i].of = arena;
  return arena;
}

void __scale_arena_link(struct sc_arena *arena)
{
  if (arena->number < SC_ARENA_NEAR)
    SC_STORE(__scale_arenas_near[arena->number], arena);
  else
    SC_STORE(__scale_arenas_far, 1);
  arena->next = SC_LOAD(__scale_arenas);
  while (!SC_SWAP(__scale_arenas, &arena->next, arena))
    ;
}

/* Takes `bytes` from the chunk; NULL if they don't fit. */
static struct scale_node *arena_take(struct scale_chunk *chunk, uint64_t bytes)
{
  uint64_t used = SC_LOAD(chunk->used);

  do {
    if (bytes > chunk->bytes - used)
      return NULL;
  } while (!SC_SWAP(chunk->used, &used, used + bytes));
  return (struct scale_node *)((char *)chunk + used);
}

/* How large the chunk behind one of `before` bytes should be; 0 when the budget forbids any. */
static uint64_t arena_chunk_bytes(const struct sc_process *p, uint64_t before, uint64_t bytes, int forced)
{
  /* header and bitmap (a bit per SCALE_BLOCK_ALIGN bytes) come on top */
  uint64_t least = sc_round_up(bytes + bytes / 100 + 2 * sizeof(struct scale_chunk), SCALE_CHUNK_ALIGN);
  uint64_t next = before * 2 < SC_ARENA_CHUNK_MAX ? before * 2 : SC_ARENA_CHUNK_MAX;
  uint64_t given = SC_LOAD(p->arena_bytes);
  uint64_t left = given < p->budget ? p->budget - given : 0;

  if (least < SC_ARENA_FIRST_BYTES)
    least = SC_ARENA_FIRST_BYTES;
  if (next < least)
    next = least;
  if (next <= left)
    return next;
  return least <= left || forced ? least : 0;
}

static struct sc_block arena_grow(struct sc_process *p, struct sc_arena *arena, uint64_t bytes, int forced)
{
  struct sc_block block = {NULL, NULL};
  struct scale_chunk *before = SC_LOAD(arena->current);
  uint64_t size = arena_chunk_bytes(p, before == SC_LOAD(arena->shut) ? 0 : before->bytes, bytes, forced);

  if (!size)
    return block;
  SC_ADD(p->arena_bytes, size);
  block.chunk = __scale_file_chunk(p, SCALE_CHUNK_ARENA, 0, size, arena->number);
  if (!block.chunk) {
    SC_ADD(p->arena_bytes, -size);
    return block;
  }
  __scale_chunks_add(block.chunk, arena);
  block.node = arena_take(block.chunk, bytes);
  block.chunk->next = (uintptr_t)before;
  while (!SC_SWAP(arena->current, &before, block.chunk))
    block.chunk->next = (uintptr_t)before;
  return block;
}

struct sc_block __scale_arena_block(struct sc_process *p, struct sc_arena *arena, uint64_t bytes, int forced)
{
  struct sc_block block;

  bytes = sc_round_up(bytes, SCALE_BLOCK_ALIGN);
  block.chunk = SC_LOAD(arena->current);
  block.node = block.chunk == SC_LOAD(arena->shut) ? NULL : arena_take(block.chunk, bytes);
  if (!block.node)
    block = arena_grow(p, arena, bytes, forced);
  if (block.node)
    block.node->bytes = (uint32_t)bytes;
  return block;
}

void __scale_arena_publish(struct sc_block block)
{
  uint64_t bit = (uint64_t)((char *)block.node - (char *)block.chunk) / SCALE_BLOCK_ALIGN;
  __atomic_fetch_or(&sc_arena_bitmap(block.chunk)[bit / 64], UINT64_C(1) << (bit % 64), __ATOMIC_RELEASE);
}

struct scale_node *__scale_arena_block_at(struct scale_chunk *chunk, const void *address)
{
  uint64_t bit = (uint64_t)((char *)address - (char *)chunk) / SCALE_BLOCK_ALIGN;
  uint64_t word = bit / 64;
  uint64_t bits = sc_arena_bitmap(chunk)[word] & (UINT64_MAX >> (63 - bit % 64));
  struct scale_node *block;

  while (!bits) {
    SC_STEP();
    if (!word)
      return NULL;
    bits = sc_arena_bitmap(chunk)[--word];
  }
  block = (struct scale_node *)((char *)chunk + (word * 64 + 63 - (uint64_t)__builtin_clzll(bits)) * SCALE_BLOCK_ALIGN);
  return (uintptr_t)address - (uintptr_t)block < block->bytes ? block : NULL;
}

struct scale_node *__scale_arena_owner(struct sc_arena **arena, const void *address)
{
  struct scale_chunk *chunk = *arena ? SC_LOAD((*arena)->current) : NULL;

  /* A frame that moved to another thread (a fiber) brings slots of the thread it began in. */
  if (!chunk || (uintptr_t)address - (uintptr_t)chunk >= chunk->bytes)
    chunk = __scale_chunks_find(address, arena);
  return chunk ? __scale_arena_block_at(chunk, address) : NULL;
}

static int arena_begins_in(struct scale_chunk *chunk, uint64_t address)
{
  uint64_t at = address - (uintptr_t)chunk;
  uint64_t bit = at / SCALE_BLOCK_ALIGN;

  return at < chunk->bytes && at % SCALE_BLOCK_ALIGN == 0 && sc_arena_bitmap(chunk)[bit / 64] >> (bit % 64) & 1;
}

int __scale_arena_begins(uint64_t address)
{
  struct sc_arena *arena = NULL;
  struct scale_chunk *chunk = __scale_chunks_find((const void *)(uintptr_t)address, &arena);

  return chunk && arena_begins_in(chunk, address);
}
