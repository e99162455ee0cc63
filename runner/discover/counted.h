/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "profiles/graph/graph.h"

/* What a function does to a resource. */
enum sc_role { SC_ROLE_ACQUIRE, SC_ROLE_RELEASE, SC_ROLE_WAIT, SC_ROLE_COUNT };

/* What the probes of an event counted in a run. */
typedef struct sc_counted {
  uint32_t resource;          /* the graph's number of what the probes say it is of */
  double acquires, failures;  /* that worked, and not */
  double back;                /* of these acquires came back where it was seen */
  double unseen;              /* acquired again before it was seen to come back */
  double releases, strangers; /* strangers: of what nobody was seen to acquire */
  double waits, wait_seconds;
  double instances; /* distinct ones of its resource */
  double peak;      /* units that it acquired and that were out at a time, at most */
} sc_counted;

/* Adds what the probes of all calls of a function (linkage name) counted for this role in a run: of the resource of
 * this name, or of another one where none of them is of that. False: there are none. */
bool sc_counted_add(const sc_graph *graph, size_t run, const char *function, enum sc_role role, const char *resource,
                    sc_counted *counted);
/* Why the trace of a run disproves what probes say of a function and a resource of this name, or of any resource where
 * no probe names that one; NULL: it does not. The text is the graph's. */
const char *sc_counted_discarded(const sc_graph *graph, const char *function, const char *resource);
