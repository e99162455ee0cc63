/* SPDX-License-Identifier: MIT */
/* POSIX spin locks: tried first, so that only what waits is timed. */
#include "do.h"
#include <errno.h>

int __scale_do_pthread_spin_lock(pthread_spinlock_t *lock, SC_HOW)
{
  SC_DO_LOCK(lock, pthread_spin_trylock(lock), EBUSY, pthread_spin_lock(lock), result == 0, 0);
}
