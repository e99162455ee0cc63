/* SPDX-License-Identifier: MIT */
/* std::thread::join, with the time that it waits. */
#include "do.h"

extern void _ZNSt6thread4joinEv(void *thread);

/* The handle is the object's first field. What join throws passes through here. */
void __scale_do_thread_join(void *thread, SC_HOW)
{
  uint64_t handle = *(const uint64_t *)thread;
  uint64_t known = __scale_event_known(handle, how);
  uint64_t token = __scale_event_waits(cell, handle, how);

  _ZNSt6thread4joinEv(thread);
  __scale_event_waited(cell, handle, token, how);
  __scale_event_gave(cell, handle, known, how);
}
