/* SPDX-License-Identifier: MIT */
#pragma once
/* The newest events of each thread, if SCALE_TRACE says how many: a ring in the profile. */
#include "arena.h"

/* Gives the arena its ring. */
void __scale_trace_begin(struct sc_process *p, struct sc_arena *arena);
/* Adds an event of the calling thread, which need not have a ring. */
void __scale_trace_add(const struct scale_tally *tally, uint64_t identity, uint32_t event, uint64_t units);
/* 1: some thread has a ring. */
extern uint32_t __scale_trace_on;
