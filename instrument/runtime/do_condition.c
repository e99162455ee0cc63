/* SPDX-License-Identifier: MIT */
/* Waiting for POSIX conditions: the mutex is not held meanwhile. */
#include "do_wait.h"

int __scale_do_pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex, SC_HOW)
{
  SC_DO_CONDITION(condition, mutex, int result = pthread_cond_wait(condition, mutex));
  return result;
}

int __scale_do_pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until,
                                      SC_HOW)
{
  SC_DO_CONDITION(condition, mutex, int result = pthread_cond_timedwait(condition, mutex, until));
  return result;
}

#ifdef __GLIBC__
int __scale_do_pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock,
                                      const struct timespec *until, SC_HOW)
{
  SC_DO_CONDITION(condition, mutex, int result = pthread_cond_clockwait(condition, mutex, clock, until));
  return result;
}
#endif
