/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "transitions/resources/cells.h"

/* What one role does to a condition, in the runs of the larger half of the sizes. */
typedef struct sc_rpart {
  uint32_t resource, role;
  double waits, signals;
  sc_rcall wait, signal; /* of the one place that does most */
  double wait_most, signal_most;
} sc_rpart;

typedef struct sc_rparts {
  sc_rpart *list; /* to be freed */
  size_t count, capacity;
} sc_rparts;

int sc_rparts_gather(const sc_resources *r, sc_rparts *parts) SC_CHECK;
/* NULL: the role does nothing to it. */
const sc_rpart *sc_rpart_of(const sc_rparts *parts, uint32_t resource, uint32_t role);
/* Whether a row of a condition is a signal; else it is a wait. */
bool sc_rpart_signals(const sc_usage *row);
bool sc_rpart_condition(const sc_resources *r, uint32_t resource);
