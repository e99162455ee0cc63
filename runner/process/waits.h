/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <sys/types.h>

#include "profiles/graph/graph.h"

/* For what a process waits while it runs on no processor: looked up in /proc from outside, at intervals, by the system
 * call that its first thread is in. A thread that waits for others waits for what they wait for. Needs no privileges;
 * where /proc says nothing (a program that changed its user), nothing is seen. Zero-initialise. */
typedef struct sc_waits {
  unsigned looks;               /* so far */
  unsigned seen[SC_WAIT_KINDS]; /* of these, waiting */
  double next;                  /* sc_clock_now() of the next look */
} sc_waits;

/* Milliseconds until the next look; 0: now. */
int sc_waits_due(const sc_waits *waits, double now);
/* Looks, if it is time. */
void sc_waits_look(sc_waits *waits, pid_t pid, double now);
/* Divides what of the elapsed seconds was no processor time: by the seconds that the first thread was ready to run (<
 * 0: unknown), the rest by what was seen. */
void sc_waits_divide(const sc_waits *waits, double elapsed, double processor, double ready,
                     double seconds[SC_WAIT_KINDS]);
/* The kind of a system call with these first two arguments. */
enum sc_wait_kind sc_waits_kind(long call, unsigned long first, unsigned long second);
