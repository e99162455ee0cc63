/* SPDX-License-Identifier: MIT */
/* POSIX rwlocks: tried first, so that only what waits is timed. */
#include "do.h"
#include <errno.h>

#define DO_TRY(try, call)           SC_DO_LOCK(lock, try, EBUSY, call, result == 0, result == ETIMEDOUT)
#define DO_READ(call)               DO_TRY(pthread_rwlock_tryrdlock(lock), call)
#define DO_WRITE(call)              DO_TRY(pthread_rwlock_trywrlock(lock), call)
#define DO_READ_UNTIL(clock, call)  DO_TRY(sc_do_refusable(clock, until) ? EBUSY : pthread_rwlock_tryrdlock(lock), call)
#define DO_WRITE_UNTIL(clock, call) DO_TRY(sc_do_refusable(clock, until) ? EBUSY : pthread_rwlock_trywrlock(lock), call)

int __scale_do_pthread_rwlock_rdlock(pthread_rwlock_t *lock, SC_HOW) { DO_READ(pthread_rwlock_rdlock(lock)); }

int __scale_do_pthread_rwlock_wrlock(pthread_rwlock_t *lock, SC_HOW) { DO_WRITE(pthread_rwlock_wrlock(lock)); }

int __scale_do_pthread_rwlock_timedrdlock(pthread_rwlock_t *lock, const struct timespec *until, SC_HOW)
{
  DO_READ_UNTIL(CLOCK_REALTIME, pthread_rwlock_timedrdlock(lock, until));
}

int __scale_do_pthread_rwlock_timedwrlock(pthread_rwlock_t *lock, const struct timespec *until, SC_HOW)
{
  DO_WRITE_UNTIL(CLOCK_REALTIME, pthread_rwlock_timedwrlock(lock, until));
}

#ifdef __GLIBC__
int __scale_do_pthread_rwlock_clockrdlock(pthread_rwlock_t *lock, clockid_t clock, const struct timespec *until, SC_HOW)
{
  DO_READ_UNTIL(clock, pthread_rwlock_clockrdlock(lock, clock, until));
}

int __scale_do_pthread_rwlock_clockwrlock(pthread_rwlock_t *lock, clockid_t clock, const struct timespec *until, SC_HOW)
{
  DO_WRITE_UNTIL(clock, pthread_rwlock_clockwrlock(lock, clock, until));
}
#endif
