/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Every loop over threads, locks, units, entries, chunks or records counts its steps where the runtime is built for
 * unit tests, which see that an operation takes no more of them when there is more of everything. In the target it is
 * nothing.
 */
#ifdef SCALE_COUNT_STEPS
extern uint64_t __scale_steps;
#define SC_STEP() ((void)__atomic_fetch_add(&__scale_steps, 1, __ATOMIC_RELAXED))
#else
#define SC_STEP() ((void)0)
#endif
