/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What compiled code calls in the place of functions that may wait: they do the
 * same (results, errno, cancellation), and record it. Each tries first; only when
 * that fails somebody waits, and the time is taken. They come into a link unit by
 * families, each an object that refers to the functions it stands for, and reach
 * the runtime in use by its exported functions only.
 */
#include "event.h"
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <threads.h>
#include <time.h>

/* Each link unit has its own: a library may come without them tomorrow. */
#define SC_DO  __attribute__((visibility("hidden")))
#define SC_HOW uint64_t *cell, uint32_t how

SC_DO int __scale_do_pthread_mutex_lock(pthread_mutex_t *mutex, SC_HOW);
SC_DO int __scale_do_pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *until, SC_HOW);
SC_DO int __scale_do_pthread_rwlock_rdlock(pthread_rwlock_t *lock, SC_HOW);
SC_DO int __scale_do_pthread_rwlock_wrlock(pthread_rwlock_t *lock, SC_HOW);
SC_DO int __scale_do_pthread_rwlock_timedrdlock(pthread_rwlock_t *lock, const struct timespec *until, SC_HOW);
SC_DO int __scale_do_pthread_rwlock_timedwrlock(pthread_rwlock_t *lock, const struct timespec *until, SC_HOW);
SC_DO int __scale_do_pthread_spin_lock(pthread_spinlock_t *lock, SC_HOW);
SC_DO int __scale_do_sem_wait(sem_t *semaphore, SC_HOW);
SC_DO int __scale_do_sem_timedwait(sem_t *semaphore, const struct timespec *until, SC_HOW);
SC_DO int __scale_do_pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex, SC_HOW);
SC_DO int __scale_do_pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex,
                                            const struct timespec *until, SC_HOW);
SC_DO int __scale_do_pthread_barrier_wait(pthread_barrier_t *barrier, SC_HOW);
SC_DO int __scale_do_pthread_join(pthread_t thread, void **result, SC_HOW);
#ifdef __GLIBC__
SC_DO int __scale_do_pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *until,
                                             SC_HOW);
SC_DO int __scale_do_pthread_rwlock_clockrdlock(pthread_rwlock_t *lock, clockid_t clock, const struct timespec *until,
                                                SC_HOW);
SC_DO int __scale_do_pthread_rwlock_clockwrlock(pthread_rwlock_t *lock, clockid_t clock, const struct timespec *until,
                                                SC_HOW);
SC_DO int __scale_do_sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *until, SC_HOW);
SC_DO int __scale_do_pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock,
                                            const struct timespec *until, SC_HOW);
#endif
SC_DO int __scale_do_mtx_lock(mtx_t *mutex, SC_HOW);
SC_DO int __scale_do_mtx_timedlock(mtx_t *mutex, const struct timespec *until, SC_HOW);
SC_DO int __scale_do_cnd_wait(cnd_t *condition, mtx_t *mutex, SC_HOW);
SC_DO int __scale_do_cnd_timedwait(cnd_t *condition, mtx_t *mutex, const struct timespec *until, SC_HOW);
SC_DO int __scale_do_thrd_join(thrd_t thread, int *result, SC_HOW);
/* OpenMP */
SC_DO void __scale_do_omp_set_lock(void *lock, SC_HOW);
SC_DO void __scale_do___kmpc_critical(void *place, int32_t thread, void *lock, SC_HOW);
SC_DO void __scale_do___kmpc_critical_with_hint(void *place, int32_t thread, void *lock, uint32_t hint, SC_HOW);
/* Locks of files, between threads and processes: how to note an exclusive one, a shared one, and what gives them back.
 */
#define SC_HOW_FILE SC_HOW, uint64_t *shared_cell, uint32_t shared, uint64_t *back_cell, uint32_t back
SC_DO int __scale_do_flock(int file, int operation, SC_HOW_FILE);
SC_DO int __scale_do_fcntl(int file, int command, void *range, SC_HOW_FILE);
SC_DO int __scale_do_lockf(int file, int command, off_t length, SC_HOW, uint64_t *back_cell, uint32_t back);
SC_DO int __scale_do_close(int file, SC_HOW);
/* std::thread::join, and std::condition_variable::wait(std::unique_lock<std::mutex> &), of libstdc++ */
SC_DO void __scale_do_thread_join(void *thread, SC_HOW);
SC_DO void __scale_do_condition_variable_wait(void *condition, void *lock, SC_HOW);
/* std::counting_semaphore::acquire, and try_acquire_for and try_acquire_until, of libstdc++ */
SC_DO void __scale_do_semaphore_acquire(int *units, SC_HOW, void (*acquire)(int *));
SC_DO bool __scale_do_semaphore_try_acquire(int *units, const void *time, SC_HOW, bool (*acquire)(int *, const void *));

/* Whether the real function may refuse to wait until then even if it need not wait: such a call is not tried first. */
static inline bool sc_do_refusable(clockid_t clock, const struct timespec *until)
{
  return (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC) ||
         (until != NULL && (until->tv_nsec < 0 || until->tv_nsec >= 1000000000));
}

/* The same as `try`, and if that says `busy`, `call`, timed. The result. It was a wait if the result says that it
   `waited`: a call that is refused (EDEADLK, EINVAL) did not wait. */
#define SC_DO_WAIT(identity, try, busy, call, waited)                       \
  int result = try;                                                         \
  if (result == (busy)) {                                                   \
    uint64_t token = __scale_event_waits(cell, (uintptr_t)(identity), how); \
    result = call;                                                          \
    if (waited)                                                             \
      __scale_event_waited(cell, (uintptr_t)(identity), token, how);        \
  }

/* That, of a lock: an acquire if the result says that it is the thread's now, else a failure, after a wait if it says
   that the time is `over`. */
#define SC_DO_LOCK(identity, try, busy, call, acquired, over)      \
  do {                                                             \
    SC_DO_WAIT(identity, try, busy, call, (acquired) || (over))    \
    if (acquired)                                                  \
      __scale_event_acquired(cell, (uintptr_t)(identity), 1, how); \
    else                                                           \
      __scale_event_failed(cell, (uintptr_t)(identity), how);      \
    return result;                                                 \
  } while (0)
