/* SPDX-License-Identifier: MIT */
#pragma once
#include "fork_keep.h"

/* In a child of fork, before anything else runs there: gives it a profile of its own. What is kept of the tree stays at
   its addresses (the forking thread's frames point into it), its counts start from 0. */
void __scale_fork_child(void);

/* Puts a copy, without its counts, in the place of what is kept of a chunk, in the child's file if it has one (else fd
   < 0). 0: that is nothing, or there is no memory. */
int __scale_fork_copy(struct sc_process *p, int fd, const struct sc_keep *keep, const struct sc_keep_chunk *at);
/* Puts empty private memory in the place of a chunk. */
void __scale_fork_forget(struct scale_chunk *chunk, uint64_t bytes);
/* The parent goes on while the child copies: what it has begun since may be in a whole copy. After all chunks are in
   place: takes the forking thread's arena back to blocks that are in the child, by whose records they can be read. */
void __scale_fork_prune(const struct sc_process *p, struct sc_arena *arena);
