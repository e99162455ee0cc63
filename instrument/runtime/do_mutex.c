/* SPDX-License-Identifier: MIT */
/* POSIX mutexes: tried first, so that only what waits is timed. */
#include "do.h"
#include <errno.h>

/* A robust mutex whose owner died is locked all the same, and what that thread acquired is given back. */
static bool mutex_is_locked(pthread_mutex_t *mutex, int result, uint32_t how)
{
  if (result == EOWNERDEAD)
    __scale_event_dropped((uintptr_t)mutex, how);
  return result == 0 || result == EOWNERDEAD;
}

/* One that the thread holds already is busy, too: the real
   function says so, or waits for ever. */
#define DO_MUTEX(call) \
  SC_DO_LOCK(mutex, pthread_mutex_trylock(mutex), EBUSY, call, mutex_is_locked(mutex, result, how), result == ETIMEDOUT)

int __scale_do_pthread_mutex_lock(pthread_mutex_t *mutex, SC_HOW) { DO_MUTEX(pthread_mutex_lock(mutex)); }

int __scale_do_pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *until, SC_HOW)
{
  DO_MUTEX(pthread_mutex_timedlock(mutex, until));
}

#ifdef __GLIBC__
int __scale_do_pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *until, SC_HOW)
{
  SC_DO_LOCK(mutex, sc_do_refusable(clock, NULL) ? EBUSY : pthread_mutex_trylock(mutex), EBUSY,
             pthread_mutex_clocklock(mutex, clock, until), mutex_is_locked(mutex, result, how), result == ETIMEDOUT);
}
#endif
