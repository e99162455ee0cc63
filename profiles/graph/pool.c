/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Strings, each once, in blocks that never move: equal strings are equal pointers, which is what hashes and
 * comparisons of locations, resources and rows rest on. */
#include "profiles/graph/pool.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/hash.h"

struct sc_pool_block {
  struct sc_pool_block *next;
  size_t used, bytes;
  char text[];
};

enum { BLOCK_BYTES = 65536 };

/* Strings are never freed one by one: blocks make one malloc of about a thousand of them. */
static char *take_bytes(sc_pool *pool, size_t bytes)
{
  struct sc_pool_block *block = pool->blocks;
  if (!block || block->bytes - block->used < bytes) {
    size_t room = bytes > BLOCK_BYTES ? bytes : BLOCK_BYTES;
    block = sc_mem_new(1, sizeof *block + room);
    if (!block)
      return NULL;
    block->bytes = room;
    block->next = pool->blocks;
    pool->blocks = block;
  }
  char *text = block->text + block->used;
  block->used += bytes;
  return text;
}

const char *sc_pool_intern(sc_pool *pool, const char *text)
{
  size_t length = strlen(text);
  /* All that can fail is done before the string is added, so that an error leaves the set as it was. */
  uint32_t hash = sc_hash_key(text, length);
  if (sc_index_reserve(&pool->index, pool->count + 1) < 0 ||
      sc_mem_grow(&pool->strings, &pool->capacity, pool->count + 1, sizeof *pool->strings) < 0)
    return NULL;
  sc_index_slot *slot = sc_index_first(&pool->index, hash);
  while (slot->number && strcmp(pool->strings[slot->number - 1], text) != 0)
    slot = sc_index_next(&pool->index, slot);
  if (slot->number)
    return pool->strings[slot->number - 1];
  char *copy = take_bytes(pool, length + 1);
  if (!copy)
    return NULL;
  memcpy(copy, text, length + 1);
  pool->strings[pool->count++] = copy;
  sc_index_take(&pool->index, slot, hash, (uint32_t)pool->count);
  return copy;
}

void sc_pool_free(sc_pool *pool)
{
  while (pool->blocks) {
    struct sc_pool_block *next = pool->blocks->next;
    free(pool->blocks);
    pool->blocks = next;
  }
  free(pool->strings);
  sc_index_free(&pool->index);
  *pool = (sc_pool){0};
}
