/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The chunks of a profile: checked one by one, and listed by address and by arena. */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/compare.h"
#include "profiles/scprof/internal.h"

/* Every block of the chunk has its bit, and the bitmap fits. */
static bool arena_fits(const struct scale_chunk *chunk)
{
  uint64_t bits = chunk->bytes / SCALE_BLOCK_ALIGN;
  return (uint64_t)chunk->bitmap_bytes * 8 >= bits && chunk->bytes >= sizeof *chunk &&
         chunk->bitmap_bytes < chunk->bytes - sizeof *chunk;
}

/* Whether the traced events fit. The ring of a process that was killed before it began it has no room for any. */
static bool ring_fits(const struct sc_reader *reader, uint64_t offset, const struct scale_chunk *chunk)
{
  struct scale_ring ring;
  if (chunk->bytes < sizeof *chunk + sizeof ring)
    return false;
  memcpy(&ring, reader->data + offset + sizeof *chunk, sizeof ring);
  return ring.capacity <= (chunk->bytes - sizeof *chunk - sizeof ring) / sizeof(struct scale_traced);
}

/* Takes what is left of a chunk that the end of the file cuts off. */
static int shorten_chunk(struct sc_reader *reader, uint64_t offset, struct scale_chunk *chunk)
{
  uint64_t left = reader->end - offset;
  if (chunk->bytes <= left)
    return 0;
  int err = sc_reader_damaged(reader, offset, "a chunk of %llu bytes where %llu are left",
                              (unsigned long long)chunk->bytes, (unsigned long long)left);
  reader->hole_bytes += chunk->bytes - left;
  chunk->bytes = left / SCALE_BLOCK_ALIGN * SCALE_BLOCK_ALIGN;
  return sc_reader_forgive(reader, err);
}

/* What the checksum covers. */
static int check_fixed(const struct sc_reader *reader, uint64_t offset, const struct scale_chunk *chunk)
{
  uint32_t crc = (uint32_t)crc32(0, (const Bytef *)chunk, offsetof(struct scale_chunk, crc));
  if (crc != chunk->crc)
    return sc_reader_damaged(reader, offset, "a chunk header's checksum is 0x%08x instead of 0x%08x", crc, chunk->crc);
  if (chunk->bytes < SCALE_CHUNK_ALIGN || chunk->bytes % SCALE_CHUNK_ALIGN)
    return sc_reader_damaged(reader, offset, "a chunk of the impossible length of %llu bytes",
                             (unsigned long long)chunk->bytes);
  if (chunk->type < SCALE_CHUNK_RECORDS || chunk->type > SCALE_CHUNK_TRACE)
    return sc_reader_damaged(reader, offset, "a chunk of the unknown type %u", chunk->type);
  if (chunk->address % SCALE_BLOCK_ALIGN || chunk->address + chunk->bytes < chunk->address)
    return sc_reader_damaged(reader, offset, "a chunk at the impossible address 0x%llx",
                             (unsigned long long)chunk->address);
  return 0;
}

/* A chunk whose length is right but whose counter is not is read to its end: blocks in it are checked on their own. */
static int check_chunk(struct sc_reader *reader, uint64_t offset, struct scale_chunk *chunk)
{
  SC_TRY(check_fixed(reader, offset, chunk));
  SC_TRY(shorten_chunk(reader, offset, chunk));
  if (chunk->type == SCALE_CHUNK_ARENA && !arena_fits(chunk))
    return sc_reader_damaged(reader, offset, "a block bitmap of %u bytes in a chunk of %llu bytes", chunk->bitmap_bytes,
                             (unsigned long long)chunk->bytes);
  if (chunk->type == SCALE_CHUNK_TRACE && !ring_fits(reader, offset, chunk))
    return sc_reader_damaged(reader, offset, "a trace that is longer than its chunk of %llu bytes",
                             (unsigned long long)chunk->bytes);
  uint64_t least = sizeof *chunk + (chunk->type == SCALE_CHUNK_ARENA ? chunk->bitmap_bytes : 0);
  if (chunk->used >= least)
    return 0;
  int err = sc_reader_damaged(reader, offset, "a chunk with %llu bytes in use, fewer than its header has",
                              (unsigned long long)chunk->used);
  chunk->used = chunk->bytes;
  return sc_reader_forgive(reader, err);
}

static int add_chunk(struct sc_reader *reader, uint64_t offset, const struct scale_chunk *chunk)
{
  SC_TRY(sc_mem_grow(&reader->chunks, &reader->chunk_capacity, reader->chunk_count + 1, sizeof *reader->chunks));
  reader->chunks[reader->chunk_count++] = (struct sc_chunk){
      .offset = offset,
      .bytes = chunk->bytes,
      .address = chunk->address,
      /* whoever found the chunk full has added to `used` before it saw that */
      .used = chunk->used < chunk->bytes ? chunk->used : chunk->bytes,
      .arena = chunk->arena,
      .base = reader->header.version > SCALE_FILE_VERSION_LEAST ? chunk->base : 0,
      .bitmap_bytes = chunk->type == SCALE_CHUNK_ARENA ? chunk->bitmap_bytes : 0,
      .type = chunk->type,
      .flags = chunk->flags,
  };
  return 0;
}

static int by_address(const void *left, const void *right)
{
  const struct sc_chunk *a = left, *b = right;
  return SC_COMPARE(a->address, b->address);
}

/* By address, for the bisection that every pointer of the profile takes; overlaps would make a pointer mean two
 * blocks. */
static int index_arenas(struct sc_reader *reader)
{
  reader->arenas = sc_mem_new(reader->chunk_count, sizeof *reader->arenas);
  if (!reader->arenas)
    return SC_E_NOMEM;
  for (size_t i = 0; i < reader->chunk_count; i++)
    if (reader->chunks[i].type == SCALE_CHUNK_ARENA)
      reader->arenas[reader->arena_count++] = reader->chunks[i];
  qsort(reader->arenas, reader->arena_count, sizeof *reader->arenas, by_address);
  for (size_t i = 1; i < reader->arena_count; i++)
    if (reader->arenas[i].address < reader->arenas[i - 1].address + reader->arenas[i - 1].bytes)
      return sc_reader_damaged(reader, reader->arenas[i].offset, "two chunks at the same address 0x%llx",
                               (unsigned long long)reader->arenas[i].address);
  return 0;
}

/* Whether the chunk whose missing magic number made the hole has been begun meanwhile: the process is still running. */
static bool is_hole_filled(const struct sc_reader *reader, uint64_t hole)
{
  uint32_t magic;
  memcpy(&magic, reader->data + hole, sizeof magic);
  return hole && magic;
}

/* Reads the chunk at `offset` and goes behind it, or one step on if it is damaged or none. */
static int read_chunk(struct sc_reader *reader, struct scale_chunk *chunk, uint64_t *offset)
{
  int err = chunk->magic == SCALE_CHUNK_MAGIC
                ? check_chunk(reader, *offset, chunk)
                : sc_reader_damaged(reader, *offset, "0x%08x where a chunk should begin", chunk->magic);
  if (err == 0)
    err = add_chunk(reader, *offset, chunk);
  else if (err == SC_E_DAMAGED)
    reader->hole_bytes += SCALE_CHUNK_ALIGN;
  *offset +=
      err == 0 ? (chunk->bytes + SCALE_CHUNK_ALIGN - 1) / SCALE_CHUNK_ALIGN * SCALE_CHUNK_ALIGN : SCALE_CHUNK_ALIGN;
  return err;
}

/* A chunk gets its place in the file before its magic number is written. A process killed in between leaves a hole,
 * whose end is unknown: what follows is looked for at the next possible places, as behind a damaged chunk.
 * Behind what the process gave out there may be reserved room, of zeros. */
int sc_chunks_scan(struct sc_reader *reader)
{
  uint64_t offset = SCALE_HEADER_BYTES, hole = 0;
  bool lost = false; /* inside a damaged chunk: told already */
  while (offset < reader->end && reader->end - offset >= sizeof(struct scale_chunk)) {
    struct scale_chunk chunk;
    memcpy(&chunk, reader->data + offset, sizeof chunk);
    if (offset >= reader->header.used && chunk.magic != SCALE_CHUNK_MAGIC)
      break;
    if (chunk.magic != SCALE_CHUNK_MAGIC && is_hole_filled(reader, hole)) {
      reader->hole_bytes -= offset - hole;
      offset = hole;
      hole = 0;
      continue;
    }
    if (chunk.magic == 0) {
      hole = hole ? hole : offset;
      reader->hole_bytes += SCALE_CHUNK_ALIGN;
      offset += SCALE_CHUNK_ALIGN;
      continue;
    }
    int err = read_chunk(reader, &chunk, &offset);
    if (!lost || err != SC_E_DAMAGED)
      SC_TRY(sc_reader_forgive(reader, err));
    lost = err == SC_E_DAMAGED;
    hole = 0;
  }
  return index_arenas(reader);
}
