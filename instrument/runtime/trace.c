/* SPDX-License-Identifier: MIT */
#include "trace.h"
#include "bytes.h"
#include "file.h"
#include "owner.h"
#include "ticks.h"
#include "valgrind.h"

SC_SHARED uint32_t __scale_trace_on;

static struct scale_ring *trace_ring(struct scale_chunk *chunk) { return (struct scale_ring *)(chunk + 1); }

void __scale_trace_begin(struct sc_process *p, struct sc_arena *arena)
{
  uint64_t bytes =
      sizeof(struct scale_chunk) + sizeof(struct scale_ring) + (uint64_t)p->trace * sizeof(struct scale_traced);
  struct scale_chunk *chunk, *before = NULL;
  struct scale_ring *ring;

  chunk = __scale_file_chunk(p, SCALE_CHUNK_TRACE, 0, sc_round_up(bytes, SCALE_CHUNK_ALIGN), arena->number);
  if (!chunk)
    return;
  ring = trace_ring(chunk);
  ring->capacity = p->trace;
  chunk->used = bytes;
  SC_STORE(__scale_trace_on, 1);
  SC_SWAP(arena->trace, &before, chunk); /* a handler's ring, if there is one already; ours stays empty */
}

void __scale_trace_add(const struct scale_tally *tally, uint64_t identity, uint32_t event, uint64_t units)
{
  struct scale_chunk *chunk = __scale_thread_own ? __scale_thread_own->trace : NULL;
  struct scale_ring *ring;
  struct scale_traced *to;
  uint64_t written;

  if (!chunk)
    return;
  ring = trace_ring(chunk);
  written = SC_PEEK(ring->written);
  to = (struct scale_traced *)(ring + 1) + written % ring->capacity;
  to->ticks = sc_ticks();
  to->tally = (uintptr_t)tally;
  to->identity = identity;
  to->event = event;
  to->units = units < UINT32_MAX ? (uint32_t)units : UINT32_MAX;
  SC_STORE(ring->written, written + 1);
}
