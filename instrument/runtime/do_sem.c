/* SPDX-License-Identifier: MIT */
/* POSIX semaphores: tried first, so that only what waits is timed. */
#include "do.h"
#include "valgrind.h"
#include <errno.h>

/* A waiting function acts upon a cancellation even where it would not wait; trying does not. What errno is left as by a
   try that failed, the real function overwrites or leaves: so does this. */
static int sem_try(sem_t *semaphore)
{
  int saved = errno;

  if (__builtin_expect(__scale_valgrind, 0)) /* helgrind sees no order of memory in a try */
    return EAGAIN;
  pthread_testcancel();
  if (sem_trywait(semaphore) == 0)
    return 0;
  errno = saved;
  return EAGAIN;
}

/* Why a wait ended without a unit: not that it was refused. */
static int sem_over(void) { return errno == ETIMEDOUT || errno == EINTR; }

#define DO_SEM(call) SC_DO_LOCK(semaphore, sem_try(semaphore), EAGAIN, call, result == 0, sem_over())
#define DO_SEM_UNTIL(clock, call)                                                                               \
  SC_DO_LOCK(semaphore, sc_do_refusable(clock, until) ? EAGAIN : sem_try(semaphore), EAGAIN, call, result == 0, \
             sem_over())

int __scale_do_sem_wait(sem_t *semaphore, SC_HOW) { DO_SEM(sem_wait(semaphore)); }

int __scale_do_sem_timedwait(sem_t *semaphore, const struct timespec *until, SC_HOW)
{
  DO_SEM_UNTIL(CLOCK_REALTIME, sem_timedwait(semaphore, until));
}

#ifdef __GLIBC__
int __scale_do_sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *until, SC_HOW)
{
  DO_SEM_UNTIL(clock, sem_clockwait(semaphore, clock, until));
}
#endif
