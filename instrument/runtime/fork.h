/* SPDX-License-Identifier: MIT */
#ifndef SCALE_RUNTIME_FORK_H
#define SCALE_RUNTIME_FORK_H
#include "arena.h"

/* In a child of fork, before anything else runs there: gives it a profile of its own. The tree stays at its
   addresses (the forking thread's frames point into it), its counts start from 0. */
void __scale_fork_child(void);

/* The parent goes on while the child copies: what it has begun since may be in the copy, or half of it. */
/* Copies a chunk up to `used` bytes, and of the blocks in it those that were complete. */
void __scale_fork_snapshot(struct scale_chunk *to, const struct scale_chunk *from);
/* After all chunks are in place: takes the forking thread's arena back to blocks that are in the child, by whose
   records they can be read. */
void __scale_fork_prune(const struct sc_process *p, struct sc_arena *arena);
#endif
