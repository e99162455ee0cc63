/* SPDX-License-Identifier: MIT */
/* std::condition_variable::wait: the mutex is not held meanwhile. */
#include "do_wait.h"

extern void _ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE(void *condition, void *lock);

/* The lock's first field points to the std::mutex, whose first and only one is the pthread_mutex_t. */
void __scale_do_condition_variable_wait(void *condition, void *lock, SC_HOW)
{
  uint64_t mutex = *(const uint64_t *)lock;

  SC_DO_CONDITION(condition, mutex, _ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE(condition, lock));
}
