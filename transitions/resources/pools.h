/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_TRANSITIONS_RESOURCES_POOLS_H
#define SC_TRANSITIONS_RESOURCES_POOLS_H
#include "transitions/resources/roles.h"

/*
 * Queues of work behind condition variables: threads of one role wait for the condition until others, their clients,
 * have put something there and signal it. Such a pool is a resource with as many units as it has threads. A request is
 * an acquire, its service the hold. docs/resources.md, "Pools behind conditions", has the rules.
 */
enum { SC_RPOOL_ROLES = 8 }; /* of each side; of more those that do most */

typedef struct sc_rpool {
  uint32_t resource; /* the condition that workers wait for */
  uint32_t answers;  /* the one that clients wait for meanwhile; SC_USAGE_NONE: not known, or none */
  sc_resource as;    /* what the condition's cell is taken for: units as many as workers */
  bool closed;       /* a client waits until what it asked for is done */
  double limit;      /* the most it can be busy, for another pool that it works for, or that works for it, is busier */
  sc_rcall take;     /* a worker's wait for work */
  uint32_t workers[SC_RPOOL_ROLES], clients[SC_RPOOL_ROLES];
  size_t worker_count, client_count;
} sc_rpool;

/* Looks for pools, and makes the cells of their conditions say what a resource's do. Only where the parameter is a
 * number of threads or clients. */
int sc_rpools_find(sc_resources *r) SC_CHECK;
void sc_rpools_free(sc_resources *r);
/* The pool whose work is queued behind a condition; NULL: not a pool's. */
static inline const sc_rpool *sc_rpool_at(const sc_resources *r, uint32_t resource)
{
  return r->pools ? r->pools[resource] : NULL;
}

#endif
