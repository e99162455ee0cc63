/* SPDX-License-Identifier: MIT */
#pragma once

enum sc_allocator {
  SC_ALLOCATOR_UNDECIDED,
  SC_ALLOCATOR_GUESS, /* nobody can be asked how large a block is */
  SC_ALLOCATOR_ASK,   /* malloc_usable_size can */
  SC_ALLOCATOR_READ   /* it is glibc's: the size stands in front of the block, and to read it there is faster */
};

/* Whether malloc_usable_size knows every block that malloc and operator new give, so that asking it is safe: a program
   that brings its own malloc or operator new may give blocks that it would read rubbish before. */
enum sc_allocator __scale_allocator_kind(void);
