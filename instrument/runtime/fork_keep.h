/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What a child of fork needs of its parent's tree: the blocks that its frames have addresses of, and those above them.
 * All else it makes anew where it comes to it, so that its profile is as large as what it does.
 */
#include "arena.h"

struct sc_keep_chunk {
  struct scale_chunk *chunk;
  uint64_t *bits; /* as the chunk's bitmap, of the blocks that are kept */
  uint64_t *pins; /* a bit for each SCALE_BLOCK_ALIGN bytes that an address was found of */
};
struct sc_keep {
  struct sc_keep_chunk *at; /* the arena's chunks, the newest first; NULL: no memory */
  uint32_t count;
  uint64_t bytes;     /* mapped for all of this */
  uint64_t low, high; /* addresses that the chunks lie between */
  uint64_t nodes;
  int whole; /* 1: all blocks, as those that are needed could not be found */
};

/* Finds what the calling thread needs of its arena (NULL: it has none), as the parent has it. */
void __scale_keep_find(struct sc_keep *keep, const struct sc_arena *own);
void __scale_keep_free(struct sc_keep *keep);
/* In the child's own copy of the kept blocks, unless it has all: has entries lead to others that are there, and frees
   those that nobody needs. */
void __scale_keep_link(struct sc_process *p, const struct sc_keep *keep);
/* Has the child's file tell what functions the kept blocks are of. */
void __scale_keep_need(struct sc_process *p, const struct sc_keep *keep);
