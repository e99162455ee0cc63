/* SPDX-License-Identifier: MIT */
/* Locks of OpenMP: tried first, so that only what waits is timed. */
#include "do.h"

/* In OpenMP's library, which a program that calls them is linked to. */
extern int omp_test_lock(void *lock);
extern void omp_set_lock(void *lock);

void __scale_do_omp_set_lock(void *lock, SC_HOW)
{
  if (!omp_test_lock(lock)) {
    uint64_t token = __scale_event_waits(cell, (uintptr_t)lock, how);
    omp_set_lock(lock);
    __scale_event_waited(cell, (uintptr_t)lock, token, how);
  }
  __scale_event_acquired(cell, (uintptr_t)lock, 1, how);
}
