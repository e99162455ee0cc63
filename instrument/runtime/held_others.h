/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Locks that other threads hold. libc notes who has a mutex, or a rwlock for writing; who has a unit of a semaphore,
 * reads under a rwlock, or has a lock of the program's own, nobody notes. The first threads are asked one by one;
 * further ones keep a list for each such lock, of their holds, the oldest first.
 */
#include "arena.h"

/* The calling thread gives back an acquire of another one: 1 if any has one. */
int __scale_held_claim(const struct sc_arena *own, uint64_t identity, uint32_t how);
/* The tally of whoever, but the calling thread, has held it longest, as far as few of them say; 0 if nobody. */
uint64_t __scale_held_by(const struct sc_arena *own, uint64_t identity, uint32_t how);
