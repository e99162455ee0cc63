/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Processes without a profile. Their code counts all the same, but nobody will
 * read it: so a function has one node in each thread instead of one in each
 * context, which is found and cached as fast as can be.
 */
#include "arena.h"

/* The node of `fn` in the arena, made if need be; NULL without memory. Its creator is the function's module. */
struct scale_node *__scale_dormant_node(struct sc_process *p, struct sc_arena *arena, const struct scale_function *fn);
