/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Time, as cheap as it comes: the processor's counter where it runs evenly on
 * all processors, else CLOCK_MONOTONIC in nanoseconds by the kernel's shared
 * code. What a tick lasts follows from the two pairs in the profile's header.
 */
#include "bytes.h"
#include "state.h"

enum sc_ticks_source { SC_TICKS_CLOCK, SC_TICKS_COUNTER };

/* enum sc_ticks_source; the clock until __scale_ticks_choose was called. */
extern uint32_t __scale_ticks_source;
/* Nanoseconds a tick lasts, times 2^32; 0 until __scale_ticks_ratio was called. */
extern uint64_t __scale_ticks_scale;

/* CLOCK_MONOTONIC in nanoseconds. */
uint64_t __scale_ticks_clock(void);
/* Finds out what the processor has. Once, before the first header is made. */
void __scale_ticks_choose(void);
/* Makes a header's first pair. */
void __scale_ticks_begin(struct scale_header *h);
/* Renews the header's second pair; unless `now`, only if the last time is some time ago. */
void __scale_ticks_mark(struct sc_process *p, int now);
/* Sees to it that __scale_ticks_scale is known: may spin for some microseconds, once. */
void __scale_ticks_ratio(struct sc_process *p);

/* Now: of the processor's counter where that runs at one speed on all processors, else of the kernel's clock. */
static inline uint64_t sc_ticks(void)
{
#if defined(__x86_64__)
  if (__builtin_expect(SC_PEEK(__scale_ticks_source) == SC_TICKS_COUNTER, 1))
    return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
  uint64_t ticks;
  if (SC_PEEK(__scale_ticks_source) == SC_TICKS_COUNTER) {
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
  }
#endif
  return __scale_ticks_clock();
}

/* In nanoseconds; 0 before __scale_ticks_ratio. */
static inline uint64_t sc_ticks_ns(uint64_t ticks)
{
  return (uint64_t)(((unsigned __int128)ticks * SC_PEEK(__scale_ticks_scale)) >> 32);
}

/* From one moment to another, perhaps on another processor. */
static inline uint64_t sc_ticks_between(uint64_t from, uint64_t to) { return to > from ? to - from : 0; }
