/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The arena and the block that an address of a profile lies in. */
#include <string.h>

#include "base/search.h"
#include "profiles/scprof/internal.h"

/* The arena chunk that an address lies in, or NULL. */
static const struct sc_chunk *chunk_of(const struct sc_reader *reader, uint64_t address)
{
  size_t low = sc_search_up_to(reader->arenas, reader->arena_count, sizeof *reader->arenas,
                               offsetof(struct sc_chunk, address), address);
  const struct sc_chunk *chunk = low ? &reader->arenas[low - 1] : NULL;
  return chunk && address - chunk->address < chunk->bytes ? chunk : NULL;
}

uint32_t sc_blocks_arena(const struct sc_reader *reader, uint64_t address)
{
  const struct sc_chunk *chunk = chunk_of(reader, address);
  return chunk ? chunk->arena : SC_NONE;
}

/* Whether `bytes` bytes of the chunk from `at` on are in use, and by blocks. */
static bool block_holds(const struct sc_chunk *chunk, uint64_t at, uint64_t bytes)
{
  return at >= sizeof(struct scale_chunk) + chunk->bitmap_bytes && at <= chunk->used && bytes <= chunk->used - at;
}

bool sc_blocks_starts(const struct sc_reader *reader, const struct sc_chunk *chunk, uint64_t at)
{
  uint64_t bit = at / SCALE_BLOCK_ALIGN;
  const unsigned char *bitmap = reader->data + chunk->offset + sizeof(struct scale_chunk);
  return at % SCALE_BLOCK_ALIGN == 0 && bitmap[bit / 8] >> (bit % 8) & 1;
}

bool sc_blocks_may_lose(const struct sc_reader *reader)
{
  return reader->header.lost_bytes || reader->header.truncated_nodes || reader->hole_bytes;
}

/* The process is still running and has got further than what was read: pointers may lead there. */
static bool is_growing(const struct sc_reader *reader, const struct sc_chunk *chunk)
{
  struct scale_header header;
  struct scale_chunk now;
  memcpy(&header, reader->data, sizeof header);
  if (!chunk)
    return header.used != reader->header.used;
  memcpy(&now, reader->data + chunk->offset, sizeof now);
  return chunk->used < chunk->bytes && now.used > chunk->used;
}

/* Pointers are those of the program that wrote the profile. One into a chunk that was lost, or that has grown since it
 * was mapped, is no damage: 0. Any other that no block begins at is. */
int sc_blocks_find(const struct sc_reader *reader, uint64_t address, uint64_t from, uint64_t *offset)
{
  const struct sc_chunk *chunk = chunk_of(reader, address);
  if (!chunk && (sc_blocks_may_lose(reader) || is_growing(reader, NULL)))
    return 0;
  uint64_t at = chunk ? address - chunk->address : 0;
  bool found = chunk && block_holds(chunk, at, sizeof(struct scale_node));
  if (!found && chunk && is_growing(reader, chunk))
    return 0;
  if (!found)
    return sc_reader_damaged(reader, from, "a pointer to 0x%llx, which is in no arena", (unsigned long long)address);
  struct scale_node node;
  memcpy(&node, reader->data + chunk->offset + at, sizeof node);
  if (!sc_blocks_starts(reader, chunk, at))
    return sc_reader_damaged(reader, from, "a pointer to 0x%llx, where no block begins", (unsigned long long)address);
  if (node.bytes < sizeof node || node.bytes > chunk->used - at)
    return sc_reader_damaged(reader, chunk->offset + at, "a block of %u bytes where %llu are left", node.bytes,
                             (unsigned long long)(chunk->used - at));
  *offset = chunk->offset + at;
  return 1;
}
