/* SPDX-License-Identifier: MIT */
/* pthread_barrier_wait, with the time that it waits. */
#include "do.h"

/* Who comes last waits for nobody; that is the one that glibc tells so. */
int __scale_do_pthread_barrier_wait(pthread_barrier_t *barrier, SC_HOW)
{
  uint64_t token = __scale_event_waits(cell, (uintptr_t)barrier, how);
  int result = pthread_barrier_wait(barrier);

  if (result == 0)
    __scale_event_waited(cell, (uintptr_t)barrier, token, how);
  return result;
}
