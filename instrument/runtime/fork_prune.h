/* SPDX-License-Identifier: MIT */
#pragma once
#include "arena.h"

/* The parent goes on while the child copies: what it has begun since may be in a whole copy. After all chunks are in
   place: takes the forking thread's arena back to blocks that are in the child, by whose records they can be read. */
void __scale_fork_prune(const struct sc_process *p, struct sc_arena *arena);
