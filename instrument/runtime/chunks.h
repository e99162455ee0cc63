/* SPDX-License-Identifier: MIT */
#pragma once
/* Which chunk something lies in, however many there are: by address, and of records by their place among all, too. */
#include "layout.h"

struct sc_arena;

/* From now on the chunk is found. `arena` is whose it is, or NULL for records. */
void __scale_chunks_add(struct scale_chunk *chunk, struct sc_arena *arena);
/* The arena's chunk that `address` lies in, and whose it is; NULL if it is in none. */
struct scale_chunk *__scale_chunks_find(const void *address, struct sc_arena **arena);
/* The chunk of records that the place lies in, or NULL. */
struct scale_chunk *__scale_chunks_records(uint64_t place);
