/* SPDX-License-Identifier: MIT */
#pragma once
#include "fork_keep.h"

/* Puts a copy, without its counts, in the place of what is kept of a chunk, in the child's file if it has one (else fd
   < 0). 0: that is nothing, or there is no memory. */
int __scale_fork_copy(struct sc_process *p, int fd, const struct sc_keep *keep, const struct sc_keep_chunk *at);
/* Puts empty private memory in the place of a chunk. */
void __scale_fork_forget(struct scale_chunk *chunk, uint64_t bytes);
