/* SPDX-License-Identifier: MIT */
/* std::counting_semaphore: tried first, so that only what waits is timed. */
#include "do.h"

/* libstdc++'s std::counting_semaphore is the number of its units, and its functions are inline: the program's own copy
   of what waits comes as the last argument. */
static bool semaphore_try(int *units)
{
  int free = __atomic_load_n(units, __ATOMIC_ACQUIRE);

  while (free != 0)
    if (__atomic_compare_exchange_n(units, &free, free - 1, false, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE))
      return true;
  return false;
}

void __scale_do_semaphore_acquire(int *units, SC_HOW, void (*acquire)(int *))
{
  if (!semaphore_try(units)) {
    uint64_t token = __scale_event_waits(cell, (uintptr_t)units, how);
    acquire(units);
    __scale_event_waited(cell, (uintptr_t)units, token, how);
  }
  __scale_event_acquired(cell, (uintptr_t)units, 1, how);
}

/* try_acquire_for and try_acquire_until. */
bool __scale_do_semaphore_try_acquire(int *units, const void *time, SC_HOW, bool (*acquire)(int *, const void *))
{
  SC_DO_LOCK(units, semaphore_try(units), false, acquire(units, time), result, true);
}
