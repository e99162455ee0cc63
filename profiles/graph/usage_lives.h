/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "profiles/graph/usage.h"

/*
 * What processes have out at a time. A process that ends gives back all it has, so what several of them have is added
 * up only for those that were alive together: the most over time, of each row. Processes are added in the order they
 * began.
 */
enum { SC_USAGE_OUT_PEAK, SC_USAGE_OUT_KEPT, SC_USAGE_OUT_KEPT_UNITS, SC_USAGE_OUTS };

/* One process's part of a row. */
struct sc_usage_part {
  uint64_t ended; /* number of an event; UINT64_MAX: lives */
  double out[SC_USAGE_OUTS];
};

/* A row's: those that live, in a heap with the first to end on top, and the process that is being added. */
struct sc_usage_alive {
  struct sc_usage_part *heap, own;
  size_t count, capacity;
  uint64_t process;                               /* whose part `own` is; 0: nobody's yet */
  double sum[SC_USAGE_OUTS], most[SC_USAGE_OUTS]; /* of the heap; at any time so far */
  double kept_by_one;                             /* most that one process kept */
};

/* Adds to what the process has that began as event `began` (not 0; the last to begin so far). */
int sc_usage_alive_add(struct sc_usage_alive *alive, uint64_t began, uint64_t ended, const sc_usage *more) SC_CHECK;
/* Peak, what was returned and what one process kept, of a row whose other values are the sums over processes. */
void sc_usage_alive_set(const struct sc_usage_alive *alive, sc_usage *row);
