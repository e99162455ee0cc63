/* SPDX-License-Identifier: MIT */
/* What the end of a thread means for resources. */
#include "ends.h"
#include "arena.h"
#include "event.h"
#include "held.h"
#include "process.h"
#include "thread.h"
#include "ticks.h"
#include "units.h"
#include <errno.h>
#include <pthread.h>
#include <time.h>

/* Declared once more to make them weak. NOLINTBEGIN(readability-redundant-declaration) */
extern int pthread_clockjoin_np(pthread_t thread, void **result, clockid_t clock, const struct timespec *until)
    __attribute__((weak));
extern int pthread_setcancelstate(int state, int *before) __attribute__((weak));
/* NOLINTEND(readability-redundant-declaration) */

/*
 * Nobody will join the calling thread: its unit comes back now. To join oneself is refused, and the reason tells
 * (pthread_getattr_np would tell, too, but allocates). It is a point of cancellation, so not without a guard; the time
 * is long past, so it never waits.
 */
static int ends_detached(pthread_t self)
{
  const struct timespec past = {0, 0};
  int before, refused;

  if (!pthread_clockjoin_np || !pthread_setcancelstate || pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before) != 0)
    return 0;
  refused = pthread_clockjoin_np(self, NULL, CLOCK_MONOTONIC, &past);
  pthread_setcancelstate(before, NULL);
  return refused == EINVAL;
}

static void ends_account(struct sc_arena *own)
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

void __scale_ends_thread(void *arena)
{
  ends_account(arena);
  __scale_thread_leave(arena);
}
