/* SPDX-License-Identifier: MIT */
#ifndef SCALE_RUNTIME_ALLOCATOR_H
#define SCALE_RUNTIME_ALLOCATOR_H

/* Whether malloc_usable_size knows every block that malloc and operator new give, so that asking it is safe: a program
   that brings its own malloc or operator new may give blocks that it would read rubbish before. */
int __scale_allocator_asks(void);
#endif
