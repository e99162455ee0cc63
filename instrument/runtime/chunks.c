/* SPDX-License-Identifier: MIT */
#include "chunks.h"
#include "bytes.h"
#include "file.h"
#include "steps.h"
#include "table.h"
#include "valgrind.h"

enum {
  SC_CHUNKS_FIRST = 12, /* of arenas, and of records: looked at one by one; a program of one thread has no more */
  /* the others are found by the pieces of this size that they lie in, small ones by pages */
  SC_CHUNKS_PIECE = 64 << 10,
  SC_CHUNKS_PAGE = 4096,
  SC_CHUNKS_SMALL = 16 << 10
};

enum chunks_by { CHUNKS_PIECES, CHUNKS_PAGES, CHUNKS_OFFSETS, CHUNKS_OFFSET_PAGES };

/* In values of the table: `tally` is the chunk, `since` its arena. */
static SC_SHARED struct sc_table chunks_table;
static SC_SHARED struct chunks_places {
  uint32_t count; /* of all chunks, also of those in the table */
  struct chunks_place {
    uint64_t from,
        bytes; /* where it is in memory, of records among all records; `bytes` is 0 until the rest is there */
    struct scale_chunk *chunk;
    struct sc_arena *arena;
  } first[SC_CHUNKS_FIRST];
} chunks_of_arenas, chunks_of_records;

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
  struct chunks_places *places = arena ? &chunks_of_arenas : &chunks_of_records;
  uint32_t number = SC_ADD(places->count, 1);

  if (number < SC_CHUNKS_FIRST) {
    struct chunks_place *place = &places->first[number];
    place->from = arena ? (uintptr_t)chunk : sc_file_place(chunk);
    place->chunk = chunk;
    place->arena = arena;
    SC_STORE(place->bytes, chunk->bytes);
    return;
  }
  if (arena)
    chunks_note(chunk, arena, (uintptr_t)chunk, CHUNKS_PIECES);
  else
    chunks_note(chunk, NULL, sc_file_place(chunk), CHUNKS_OFFSETS);
}

static int chunks_has(const struct scale_chunk *chunk, int arena, uint64_t where)
{
  uint64_t from = arena ? (uintptr_t)chunk : sc_file_place(chunk);

  return chunk && where - from < chunk->bytes;
}

static int chunks_wish(const struct sc_table_value *value, const void *where)
{
  return chunks_has((const struct scale_chunk *)(uintptr_t)value->tally, value->since != 0, *(const uint64_t *)where);
}

static struct scale_chunk *chunks_search(uint64_t where, enum chunks_by pieces, struct sc_arena **arena)
{
  struct chunks_places *places = arena ? &chunks_of_arenas : &chunks_of_records;
  uint32_t count = SC_LOAD(places->count);
  struct sc_table_at at;

  /* The newest first: each is twice as large as the one before. */
  for (uint32_t i = count < SC_CHUNKS_FIRST ? count : SC_CHUNKS_FIRST; i-- > 0;) {
    struct chunks_place *place = &places->first[i];
    uint64_t bytes = SC_LOAD(place->bytes);
    SC_STEP();
    if (where - place->from < bytes) {
      if (arena)
        *arena = place->arena;
      return place->chunk;
    }
  }
  if (count <= SC_CHUNKS_FIRST)
    return NULL;
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

struct scale_chunk *__scale_chunks_records(uint64_t place) { return chunks_search(place, CHUNKS_OFFSETS, NULL); }
