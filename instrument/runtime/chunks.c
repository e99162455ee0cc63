/* SPDX-License-Identifier: MIT */
#include "chunks.h"
#include "bytes.h"
#include "file.h"
#include "steps.h"
#include "table.h"
#include "valgrind.h"

enum {
  SC_CHUNKS_FIRST = 8, /* looked at one by one; a program of one thread has no more */
  /* the others are found by the pieces of this size that they lie in, small ones by pages */
  SC_CHUNKS_PIECE = 64 << 10,
  SC_CHUNKS_PAGE = 4096,
  SC_CHUNKS_SMALL = 16 << 10
};

enum chunks_by { CHUNKS_PIECES, CHUNKS_PAGES, CHUNKS_OFFSETS, CHUNKS_OFFSET_PAGES };

/* In values of the table: `tally` is the chunk, `since` its arena. */
static SC_SHARED struct sc_table chunks_table;
static SC_SHARED struct chunks_place {
  struct scale_chunk *chunk;
  struct sc_arena *arena;
} chunks_first[SC_CHUNKS_FIRST];
static SC_SHARED uint32_t chunks_count;

static void chunks_note(struct scale_chunk *chunk, struct sc_arena *arena, uint64_t from, enum chunks_by pieces)
{
  int small = chunk->bytes < SC_CHUNKS_SMALL;
  uint64_t piece = small ? SC_CHUNKS_PAGE : SC_CHUNKS_PIECE;

  for (uint64_t at = from / piece; at <= (from + chunk->bytes - 1) / piece; at++) {
    uint64_t key = __scale_table_key(small ? pieces + 1 : pieces, at);
    struct sc_table_at to = __scale_table_add(&chunks_table, key);
    SC_STEP();
    if (!to.value) /* found no more: what is in it counts, but gets no further contexts */
      return;
    *to.value = (struct sc_table_value){.tally = (uintptr_t)chunk, .since = (uintptr_t)arena};
    __scale_table_leave(to, key);
  }
}

void __scale_chunks_add(struct scale_chunk *chunk, struct sc_arena *arena)
{
  uint32_t number = SC_ADD(chunks_count, 1);

  if (number < SC_CHUNKS_FIRST) {
    chunks_first[number].arena = arena;
    SC_STORE(chunks_first[number].chunk, chunk);
    return;
  }
  if (arena)
    chunks_note(chunk, arena, (uintptr_t)chunk, CHUNKS_PIECES);
  else
    chunks_note(chunk, NULL, sc_file_offset(chunk), CHUNKS_OFFSETS);
}

static int chunks_has(const struct scale_chunk *chunk, int arena, uint64_t where)
{
  uint64_t from = arena ? (uintptr_t)chunk : sc_file_offset(chunk);

  return chunk && where - from < chunk->bytes;
}

static int chunks_wish(const struct sc_table_value *value, const void *where)
{
  return chunks_has((const struct scale_chunk *)(uintptr_t)value->tally, value->since != 0, *(const uint64_t *)where);
}

static struct scale_chunk *chunks_search(uint64_t where, enum chunks_by pieces, struct sc_arena **arena)
{
  struct sc_table_at at;

  for (int i = 0; i < SC_CHUNKS_FIRST; i++) {
    struct scale_chunk *chunk = SC_LOAD(chunks_first[i].chunk);
    SC_STEP();
    if (chunk && !chunks_first[i].arena == !arena && chunks_has(chunk, arena != NULL, where)) {
      if (arena)
        *arena = chunks_first[i].arena;
      return chunk;
    }
  }
  at = __scale_table_seek(&chunks_table, __scale_table_key(pieces, where / SC_CHUNKS_PIECE), chunks_wish, &where);
  if (!at.value)
    at = __scale_table_seek(&chunks_table, __scale_table_key(pieces + 1, where / SC_CHUNKS_PAGE), chunks_wish, &where);
  if (!at.value)
    return NULL;
  if (arena)
    *arena = (struct sc_arena *)(uintptr_t)at.value->since;
  return (struct scale_chunk *)(uintptr_t)at.value->tally;
}

struct scale_chunk *__scale_chunks_find(const void *address, struct sc_arena **arena)
{
  struct sc_arena *of = *arena;
  struct scale_chunk *chunk = chunks_search((uintptr_t)address, CHUNKS_PIECES, &of);

  if (chunk)
    *arena = of;
  return chunk;
}

struct scale_chunk *__scale_chunks_records(uint64_t offset) { return chunks_search(offset, CHUNKS_OFFSETS, NULL); }
