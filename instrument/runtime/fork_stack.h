/* SPDX-License-Identifier: MIT */
#pragma once
/* The calling thread's stack, in which its frames keep addresses of blocks. */
#include <stdint.h>

struct sc_fork_stack {
  uint64_t low, top; /* what the thread's frames may take, and where they begin */
};

/* Finds the calling thread's stack. 0: it is on another one than its own (a fiber's, a signal handler's), or where its
   own ends is not known. */
int __scale_fork_stack(struct sc_fork_stack *stack);

typedef void sc_fork_word(void *context, uint64_t word);
/* Visits each word of the frames above this call, and of the registers that are theirs. */
void __scale_fork_words(const struct sc_fork_stack *stack, sc_fork_word *visit, void *context);
