/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Under Valgrind. Its race detectors (helgrind, drd) don't know atomic accesses, and would report the runtime's own
 * memory, which threads share without locks, in programs that they are to check. They are told to leave that memory
 * alone: once for each mapping, so that accesses cost nothing.
 */
#include <stddef.h>
#include <stdint.h>

/* 1 under Valgrind, once __scale_valgrind_begin was called in this copy of the runtime. */
__attribute__((visibility("hidden"))) extern uint32_t __scale_valgrind;
/* Finds out, and exempts what is marked with SC_SHARED. */
void __scale_valgrind_begin(void);
/* Whether this is Valgrind's memcheck, which tells of bytes that are read and should not be. */
int __scale_valgrind_checks_memory(void);
void __scale_valgrind_exempt(const void *at, size_t bytes);

/* Variables that threads share. */
#define SC_SHARED __attribute__((section("scale_shared")))

/* Of memory made later, that threads share without locks. */
static inline void sc_valgrind_exempt(const void *at, size_t bytes)
{
  if (__builtin_expect(__scale_valgrind, 0))
    __scale_valgrind_exempt(at, bytes);
}
