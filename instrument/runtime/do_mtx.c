/* SPDX-License-Identifier: MIT */
/* Mutexes of C11's threads: tried first, so that only what waits is timed. */
#include "do.h"

#define DO_MTX(call) \
  SC_DO_LOCK(mutex, mtx_trylock(mutex), thrd_busy, call, result == thrd_success, result == thrd_timedout)

int __scale_do_mtx_lock(mtx_t *mutex, SC_HOW) { DO_MTX(mtx_lock(mutex)); }

int __scale_do_mtx_timedlock(mtx_t *mutex, const struct timespec *until, SC_HOW)
{
  DO_MTX(mtx_timedlock(mutex, until));
}
