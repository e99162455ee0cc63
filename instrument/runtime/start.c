/* SPDX-License-Identifier: MIT */
/*
 * The first and the last moment of the runtime. Every instrumented library has
 * one too, but symbol preemption makes all code use one runtime: the others
 * find out and stay idle.
 */
#include "bytes.h"
#include "ends.h"
#include "enter.h"
#include "event.h"
#include "fork.h"
#include "held.h"
#include "module.h"
#include "owner.h"
#include "process.h"
#include "serve.h"
#include "thread.h"
#include "ticks.h"
#include "trim.h"
#include "valgrind.h"
#include <errno.h>

/* Before and after all that the program can ask for itself (its priorities start at 101 too). */
enum { SC_START_PRIORITY = 101 };

#ifdef __GLIBC__
/* What pthread_atfork is made of. That one lives in an archive of libc's which libtool names before us. */
extern int __register_atfork(void (*before)(void), void (*parent)(void), void (*child)(void), void *library);
extern void *__dso_handle __attribute__((weak, visibility("hidden")));
static void start_at_fork(void) { __register_atfork(NULL, NULL, __scale_fork_child, &__dso_handle); }
#else
static void start_at_fork(void) { pthread_atfork(NULL, NULL, __scale_fork_child); }
#endif

/* Link with -u __scale_runtime: a copy of the runtime then comes into every executable and library, even when a
   library before it in the link has one to offer that may be built without instrumentation tomorrow. */
extern const char __scale_runtime;
const char __scale_runtime = 1;
/* The same for what other objects of the archive offer; names that no library has to offer. */
extern const char __scale_resize_here __attribute__((visibility("hidden")));
extern const char __scale_refs_here __attribute__((visibility("hidden")));
static __attribute__((used)) const char *const start_pulls[] = {&__scale_resize_here, &__scale_refs_here};

extern void __scale_enter_here(void) __attribute__((visibility("hidden"))); /* only its address matters */

/* Whether calls to the runtime end up in this copy of it. */
static int start_active(void)
{
  uintptr_t used = (uintptr_t)&__scale_enter;
  __asm__("" : "+r"(used)); /* two names, two addresses: the compiler would answer without looking */
  return used == (uintptr_t)&__scale_enter_here;
}

/* glibc hands constructors what main gets. */
static __attribute__((constructor(SC_START_PRIORITY))) void start_begin(int argc, char **argv)
{
  int saved = errno;

  __scale_valgrind_begin(); /* in each copy: functions that may wait (do.h) look at their own */
  SC_STORE(__scale_idle, __scale_event_idle());
  if (start_active()) {
    __scale_process();
    __scale_thread_start(__scale_ends_thread);
    start_at_fork();
    __scale_serve(argv);
  }
  errno = saved;
}

static __attribute__((destructor(SC_START_PRIORITY))) void start_end(void)
{
  int saved = errno;

  if (start_active()) {
    if (__scale_thread_own)
      __scale_held_settle(__scale_thread_own);
    __scale_ticks_mark(__scale_process(), 1);
    if (!__scale_process()->control) /* the next child needs the room */
      __scale_trim(__scale_process());
    SC_STORE(__scale_process()->header->exited, 1);
    __scale_thread_stop();
  }
  errno = saved;
}
