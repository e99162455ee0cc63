/* SPDX-License-Identifier: MIT */
/* Waiting for conditions of C11's threads: the mutex is not held meanwhile. */
#include "do_wait.h"

int __scale_do_cnd_wait(cnd_t *condition, mtx_t *mutex, SC_HOW)
{
  SC_DO_CONDITION(condition, mutex, int result = cnd_wait(condition, mutex));
  return result;
}

int __scale_do_cnd_timedwait(cnd_t *condition, mtx_t *mutex, const struct timespec *until, SC_HOW)
{
  SC_DO_CONDITION(condition, mutex, int result = cnd_timedwait(condition, mutex, until));
  return result;
}
