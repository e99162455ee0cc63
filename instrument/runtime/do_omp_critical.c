/* SPDX-License-Identifier: MIT */
#include "do.h"

/* What clang calls at a critical section. There is no way to try: who finds it held by a thread that is known to hold
   it waits. All of a program's critical sections are compiled so, and only a thread between its real acquire and the
   record of it is missed. */
extern void __kmpc_critical(void *place, int32_t thread, void *lock);
extern void __kmpc_critical_with_hint(void *place, int32_t thread, void *lock, uint32_t hint);

#define DO_CRITICAL(call)                                           \
  uint64_t token = __scale_event_meets(cell, (uintptr_t)lock, how); \
  call;                                                             \
  if (token)                                                        \
    __scale_event_waited(cell, (uintptr_t)lock, token, how);        \
  __scale_event_acquired(cell, (uintptr_t)lock, 1, how)

void __scale_do___kmpc_critical(void *place, int32_t thread, void *lock, SC_HOW)
{
  DO_CRITICAL(__kmpc_critical(place, thread, lock));
}

void __scale_do___kmpc_critical_with_hint(void *place, int32_t thread, void *lock, uint32_t hint, SC_HOW)
{
  DO_CRITICAL(__kmpc_critical_with_hint(place, thread, lock, hint));
}
