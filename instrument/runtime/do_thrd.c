/* SPDX-License-Identifier: MIT */
/* thrd_join, with the time that it waits. */
#include "do.h"

int __scale_do_thrd_join(thrd_t thread, int *value, SC_HOW)
{
  uint64_t known = __scale_event_known((uintptr_t)thread, how);
  SC_DO_WAIT(thread, thrd_busy, thrd_busy, thrd_join(thread, value), result == thrd_success)

  if (result == thrd_success)
    __scale_event_gave(cell, (uintptr_t)thread, known, how);
  return result;
}
