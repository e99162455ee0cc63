/* SPDX-License-Identifier: MIT */
/* pthread_join, with the time that it waits. */
#include "do.h"
#include "valgrind.h"
#include <errno.h>

/* By the time this returns, another thread may bear the number. Valgrind takes no try for a join that orders memory. */
int __scale_do_pthread_join(pthread_t thread, void **value, SC_HOW)
{
  uint64_t known = __scale_event_known((uintptr_t)thread, how);
#ifdef __GLIBC__
  SC_DO_WAIT(thread, __scale_valgrind ? EBUSY : pthread_tryjoin_np(thread, value), EBUSY, pthread_join(thread, value),
             result == 0)
#else
  SC_DO_WAIT(thread, EBUSY, EBUSY, pthread_join(thread, value), result == 0)
#endif
  if (result == 0)
    __scale_event_gave(cell, (uintptr_t)thread, known, how);
  return result;
}
