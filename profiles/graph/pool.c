/* SPDX-License-Identifier: GPL-3.0-or-later */
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

/* Where `text` stands in the table or would be put. */
static size_t position(const sc_pool *pool, const char *text, size_t length)
{
  size_t mask = pool->slots - 1, at = sc_hash_mix(sc_hash_bytes(SC_HASH_START, text, length)) & mask;
  while (pool->table[at] && strcmp(pool->table[at], text) != 0)
    at = (at + 1) & mask;
  return at;
}

static int grow(sc_pool *pool)
{
  sc_pool larger = {.slots = pool->slots ? pool->slots * 2 : 256};
  larger.table = sc_mem_new(larger.slots, sizeof *larger.table);
  if (!larger.table)
    return SC_E_NOMEM;
  for (size_t i = 0; i < pool->slots; i++)
    if (pool->table[i])
      larger.table[position(&larger, pool->table[i], strlen(pool->table[i]))] = pool->table[i];
  free(pool->table);
  pool->table = larger.table;
  pool->slots = larger.slots;
  return 0;
}

static char *take(sc_pool *pool, size_t bytes)
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
  if (pool->count + 1 > pool->slots / 2 && grow(pool) < 0)
    return NULL;
  size_t length = strlen(text), at = position(pool, text, length);
  if (pool->table[at])
    return pool->table[at];
  char *copy = take(pool, length + 1);
  if (!copy)
    return NULL;
  memcpy(copy, text, length + 1);
  pool->table[at] = copy;
  pool->count++;
  return copy;
}

void sc_pool_free(sc_pool *pool)
{
  while (pool->blocks) {
    struct sc_pool_block *next = pool->blocks->next;
    free(pool->blocks);
    pool->blocks = next;
  }
  free(pool->table);
  *pool = (sc_pool){0};
}
