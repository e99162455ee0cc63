/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "profiles/graph/index.h"
#include "profiles/graph/locations.h"
#include "profiles/graph/pool.h"
#include "profiles/graph/usage.h"

/* The resources of a graph, each once and numbered from 0. Zero-initialise. */
typedef struct sc_resource_set {
  sc_pool strings;    /* their owner may keep others there */
  sc_resource **list; /* each on its own: resources don't move */
  size_t capacity;
  uint32_t count;
  sc_index table; /* number + 1 */
} sc_resource_set;

/* Finds or adds a resource by class, name, file and line (NULL strings are taken as ""). What an earlier equal one left
 * open (probe, global, idle, capacity) is filled in. `news` may be NULL. */
int sc_resource_set_intern(sc_resource_set *set, const sc_resource *resource, uint32_t *number,
                           enum sc_locations_news *news) SC_CHECK;
/* The resource of this class that is called as a resource of the set is, in the same place; SC_USAGE_NONE: there is
 * none. */
uint32_t sc_resource_set_namesake(const sc_resource_set *set, uint32_t resource, enum sc_resource_class resource_class);
void sc_resource_set_free(sc_resource_set *set);
