/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "transitions/resources/cells.h"

/* What one role does to a condition, or to a semaphore that hands something over, in the runs of the larger half of the
 * sizes. */
typedef struct sc_rpart {
  uint32_t resource, role;
  double waits, signals; /* of a semaphore: units that it took, whether it waited or not, and posted */
  sc_rcall wait, signal; /* of the one place that does most */
  double wait_most, signal_most;
} sc_rpart;

typedef struct sc_rparts {
  sc_rpart *list; /* to be freed */
  size_t count, capacity;
} sc_rparts;

/* Of all runs, one part for each resource that may be a queue and each role. SC_E_NOMEM. */
int sc_rparts_gather(const sc_resources *r, sc_rparts *parts) SC_CHECK;
/* NULL: the role does nothing to it. */
const sc_rpart *sc_rpart_of(const sc_rparts *parts, uint32_t resource, uint32_t role);
/* Whether a row of such a resource is a signal; else it is a wait. */
bool sc_rpart_signals(const sc_usage *row);
/* How often it signals, or else waits, as in sc_rpart. */
double sc_rpart_times(const sc_resources *r, const sc_usage *row);
/* A condition, or a semaphore that one thread raises and another one takes. */
bool sc_rpart_queues(const sc_resources *r, uint32_t resource);
/* Of these the semaphores. */
bool sc_rpart_counts(const sc_resources *r, uint32_t resource);
