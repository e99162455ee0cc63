/* SPDX-License-Identifier: MIT */
/* What the end of a thread means for resources. */
#include "arena.h"
#include "event.h"
#include "thread.h"
#include "ticks.h"
#include "units.h"
#include <pthread.h>

extern int pthread_getattr_np(pthread_t thread, pthread_attr_t *attr) __attribute__((weak));
extern int pthread_attr_getdetachstate(const pthread_attr_t *attr, int *state) __attribute__((weak));
extern int pthread_attr_destroy(pthread_attr_t *attr) __attribute__((weak));

/* Nobody will join it: its unit comes back now. */
static int ends_detached(pthread_t self)
{
  pthread_attr_t attr;
  int state = PTHREAD_CREATE_JOINABLE;

  if (!pthread_getattr_np || !pthread_attr_getdetachstate || !pthread_attr_destroy ||
      pthread_getattr_np(self, &attr) != 0)
    return 0;
  pthread_attr_getdetachstate(&attr, &state);
  pthread_attr_destroy(&attr);
  return state == PTHREAD_CREATE_DETACHED;
}

void __scale_event_thread_ends(struct sc_arena *own)
{
  uint64_t self = (uintptr_t)pthread_self();
  uint64_t since;

  if (!SC_PEEK(__scale_event_on))
    return;
  __scale_held_settle(own);
  since = __scale_units_since(self, SCALE_CLASS_THREAD);
  if (since && ends_detached((pthread_t)self))
    __scale_event_gave(NULL, self, since, SCALE_CLASS_THREAD);
  __scale_ticks_mark(__scale_process(), 1);
}
