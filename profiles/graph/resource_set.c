/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Resources, each once: a class, a name, and where that is declared. Instances of it are not told apart here: a lock
 * in each of a million nodes is one resource. */
#include "profiles/graph/resource_set.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/hash.h"

enum { MOST = UINT32_MAX - 1 };

/* Names and files are interned, so that their addresses stand for them. */
static uint32_t hash_resource(const sc_resource *r)
{
  uint64_t key = sc_hash_mix((uintptr_t)r->name + (uint64_t)r->resource_class);
  return (uint32_t)sc_hash_mix(key ^ ((uintptr_t)r->file + r->line));
}

static bool same_resource(const sc_resource *a, const sc_resource *b)
{
  return a->resource_class == b->resource_class && a->name == b->name && a->file == b->file && a->line == b->line;
}

static sc_index_slot *resource_position(const sc_resource_set *set, const sc_resource *resource)
{
  sc_index_slot *slot = sc_index_first(&set->table, hash_resource(resource));
  while (slot->number && !same_resource(set->list[slot->number - 1], resource))
    slot = sc_index_next(&set->table, slot);
  return slot;
}

/* Flags only ever turn on, and the largest capacity stays: the result must not depend on the order of processes. */
static enum sc_locations_news enrich_resource(sc_resource *known, const sc_resource *fresh)
{
  sc_resource before = *known;
  known->probe = known->probe || fresh->probe;
  known->global = known->global || fresh->global;
  known->idle = known->idle || fresh->idle;
  if (fresh->capacity > known->capacity)
    known->capacity = fresh->capacity;
  bool news = known->probe != before.probe || known->global != before.global || known->idle != before.idle ||
              known->capacity != before.capacity;
  return news ? SC_LOCATIONS_ENRICHED : SC_LOCATIONS_KNOWN;
}

/* Each on its own, as callers keep pointers to resources while others are added. */
static int intern_resource(sc_resource_set *set, const sc_resource *resource)
{
  if (set->count == MOST)
    return sc_err_set(SC_E_NOMEM, "too many resources");
  SC_TRY(sc_mem_grow(&set->list, &set->capacity, (size_t)set->count + 1, sizeof *set->list));
  sc_resource *own;
  SC_TRY(SC_NEW(own, 1));
  *own = *resource;
  set->list[set->count++] = own;
  return 0;
}

int sc_resource_set_intern(sc_resource_set *set, const sc_resource *resource, uint32_t *number,
                           enum sc_locations_news *news)
{
  enum sc_locations_news ignored;
  news = news ? news : &ignored;
  SC_TRY(sc_index_reserve(&set->table, (size_t)set->count + 1));
  sc_resource own = *resource;
  own.name = sc_pool_intern(&set->strings, resource->name ? resource->name : "");
  own.file = sc_pool_intern(&set->strings, resource->file ? resource->file : "");
  if (!own.name || !own.file)
    return SC_E_NOMEM;
  sc_index_slot *slot = resource_position(set, &own);
  if (slot->number) {
    *number = slot->number - 1;
    *news = enrich_resource(set->list[*number], &own);
    return 0;
  }
  SC_TRY(intern_resource(set, &own));
  *number = set->count - 1;
  sc_index_take(&set->table, slot, hash_resource(&own), set->count);
  *news = SC_LOCATIONS_NEW;
  return 0;
}

uint32_t sc_resource_set_namesake(const sc_resource_set *set, uint32_t resource, enum sc_resource_class resource_class)
{
  sc_resource wanted = *set->list[resource];
  wanted.resource_class = resource_class;
  uint32_t number = resource_position(set, &wanted)->number;
  return number ? number - 1 : SC_USAGE_NONE;
}

void sc_resource_set_free(sc_resource_set *set)
{
  for (uint32_t i = 0; i < set->count; i++)
    free(set->list[i]);
  free(set->list);
  sc_index_free(&set->table);
  sc_pool_free(&set->strings);
  *set = (sc_resource_set){0};
}
