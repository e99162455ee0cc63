/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "runner/process/caught_internal.h"

/* What is held, of each instance by whom. `instance`, `thread` and `tally_number` are numbers in the tables. */

/* The newest hold of an instance by the thread, or (`its` false) by another thread; NOBODY: nobody has it. */
uint32_t sc_caught_newest(const tallied_call *c, uint32_t instance, uint32_t thread, bool its);
/* The calling thread has a lock, once more perhaps. False: no memory. */
bool sc_caught_keep_lock(const tallied_call *c, uint32_t instance, uint32_t tally_number);
/* One acquire is given back, its own or else another thread's; false: nobody has it. */
bool sc_caught_give_lock(const tallied_call *c, uint32_t instance);
/* Whether an instance may be acquired several times, and comes back unit by unit. */
bool sc_caught_counted(const tallied_call *c, uint64_t identity);
/* Units are acquired. False: no memory. */
bool sc_caught_keep_units(const tallied_call *c, uint32_t instance, uint64_t identity, uint32_t tally_number,
                          uint64_t units);
/* Units come back: of what is counted as many, else all of the instance. Returns how many did. */
uint64_t sc_caught_give_units(const tallied_call *c, uint32_t instance, bool counted, uint64_t units);
