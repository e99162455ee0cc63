/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Whether a call of the system waited, or only worked: read() of a file in memory copies, that of a pipe waits until
 * somebody writes.
 */
#include "arena.h"
#include "process.h"
#include "ticks.h"

/* Nobody waits for less. */
static inline int sc_blocked_long(uint64_t ticks)
{
  if (__builtin_expect(!SC_PEEK(__scale_ticks_scale), 0))
    __scale_ticks_ratio(__scale_process());
  return sc_ticks_ns(ticks) >= SCALE_WAIT_LEAST_NS;
}

/* Whether the calling thread gave up its processor to wait since it was asked last: what is preempted or copies for
 * long does not. 1 if the system does not say. A system call: behind calls that took long. */
int __scale_blocked_since(struct sc_arena *own);
