/* SPDX-License-Identifier: MIT */
#include "do.h"
#include <errno.h>

#define DO_READ(call)  SC_DO_LOCK(lock, pthread_rwlock_tryrdlock(lock), EBUSY, call, result == 0)
#define DO_WRITE(call) SC_DO_LOCK(lock, pthread_rwlock_trywrlock(lock), EBUSY, call, result == 0)

int __scale_do_pthread_rwlock_rdlock(pthread_rwlock_t *lock, SC_HOW) { DO_READ(pthread_rwlock_rdlock(lock)); }

int __scale_do_pthread_rwlock_wrlock(pthread_rwlock_t *lock, SC_HOW) { DO_WRITE(pthread_rwlock_wrlock(lock)); }

int __scale_do_pthread_rwlock_timedrdlock(pthread_rwlock_t *lock, const struct timespec *until, SC_HOW)
{
  DO_READ(pthread_rwlock_timedrdlock(lock, until));
}

int __scale_do_pthread_rwlock_timedwrlock(pthread_rwlock_t *lock, const struct timespec *until, SC_HOW)
{
  DO_WRITE(pthread_rwlock_timedwrlock(lock, until));
}

#ifdef __GLIBC__
int __scale_do_pthread_rwlock_clockrdlock(pthread_rwlock_t *lock, clockid_t clock, const struct timespec *until, SC_HOW)
{
  DO_READ(pthread_rwlock_clockrdlock(lock, clock, until));
}

int __scale_do_pthread_rwlock_clockwrlock(pthread_rwlock_t *lock, clockid_t clock, const struct timespec *until, SC_HOW)
{
  DO_WRITE(pthread_rwlock_clockwrlock(lock, clock, until));
}
#endif
