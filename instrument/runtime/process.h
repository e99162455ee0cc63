/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Makes the state of the process (state.h): where the profile goes and how large it may become. Read once, from the
 * environment:
 *   SCALE_PROFILE_DIR  the folder for profiles; without it nothing is written
 *   SCALE_PROFILE_MAX  most bytes for nodes (1G by default)
 *   SCALE_TRACE        events that each thread's trace keeps (none by default)
 *   SCALE_FUZZ         the folder of who starts it for many inputs (serve.h), in place of SCALE_PROFILE_DIR
 * All are ignored in set-user-id programs.
 */
#include "bytes.h"
#include "state.h"

/* The process's state, made at the first call; never NULL. Safe in signal handlers. */
struct sc_process *__scale_process(void);
/* After fork without handlers (the bare system call): 1 until the child has been set up. */
int __scale_process_forked(void);
/* Marks this process as the one that owns the state. */
void __scale_process_own(void);

/* __scale_process, where each new context asks. */
static inline struct sc_process *sc_process_now(void)
{
  struct sc_process *p = SC_LOAD(__scale_process_state);
  return __builtin_expect(p != NULL, 1) ? p : __scale_process();
}
