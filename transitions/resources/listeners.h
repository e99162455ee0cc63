/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "transitions/resources/types.h"

/*
 * Threads that wait for whatever comes from outside, in epoll_wait, poll, select or accept. They are no pool of ours:
 * who asks, and how many requests a return brings, nobody sees. How long they do not wait is seen.
 */
typedef struct sc_listeners {
  double threads;                 /* that begin in the same function, as many at all sizes */
  uint32_t context, line, column; /* of the call that they wait in longest, at the largest size */
  const char *via;                /* it: "epoll_wait" */
  double busy_small, busy_large;  /* share of the time of a run in which they do not wait, 0..1, at the smallest and the
                                     largest size */
  double full; /* the size at which nothing of it is left, if it goes on in proportion; 0: it does not */
} sc_listeners;

/* Those with most threads first, `most` at most; how many. Where the parameter counts threads or clients. */
size_t sc_resources_listeners(const sc_resources *resources, sc_listeners *out, size_t most);
/* Whether a row is one of such waits, and of a call that whoever serves one connection does not wait in. */
bool sc_rlistens(const sc_usage *row);
