/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether inferred units are a pool, from the threads' observations of how many are out and left together. The total
 * is chosen by a majority vote that needs two numbers (Boyer and Moore, 1981), which the runtime has begun for each
 * thread. */
#include "profiles/scprof/pools.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "profiles/graph/tuning.h"

struct taken { /* of one resource, all threads together */
  bool inferred;
  double acquires, returned, waits, observed;
  uint64_t all; /* that are out and left together, as most observations say */
  double votes; /* for that, less those against it */
};

static bool is_inferred(const struct scale_site_event *site)
{
  return site->resource_class == SCALE_CLASS_SEMAPHORE && site->flags & SCALE_SITE_INFERRED;
}

bool sc_pools_takes(const struct scale_site_event *site)
{
  return is_inferred(site) && site->event == SCALE_EVENT_ACQUIRE;
}

/* Most of all is what most of each thread's are, or nothing is. */
static void add_votes(struct taken *to, uint64_t all, double votes)
{
  if (all == to->all) {
    to->votes += votes;
    return;
  }
  to->all = votes > to->votes ? all : to->all;
  to->votes = votes > to->votes ? votes - to->votes : to->votes - votes;
}

static void add_taken(const struct sc_reader *reader, size_t tally, struct taken *list)
{
  struct scale_tally data;
  const struct sc_tally *known = &reader->tallies[tally];
  const struct scale_site_event *site = sc_tallies_site(reader, known);
  struct taken *to = &list[known->resource];
  to->inferred = to->inferred || is_inferred(site);
  if (!sc_pools_takes(site))
    return;
  memcpy(&data, reader->data + known->offset, sizeof data);
  to->acquires += (double)data.acquires;
  to->returned += (double)data.returned;
  to->waits += (double)data.waits;
  to->observed += (double)data.strangers;
  add_votes(to, data.reads, (double)data.writes);
}

static bool is_pool(const struct taken *t)
{
  bool agree = t->observed < SC_POOLS_OBSERVED || t->votes >= SC_POOLS_AGREE * t->observed;
  return t->acquires > 0 && t->returned >= SC_POOLS_RETURNED * t->acquires && agree;
}

int sc_pools_find(const struct sc_reader *reader, const sc_pools *pools)
{
  const sc_resource_set *set = &reader->resources;
  struct taken *list = sc_mem_new(set->count, sizeof *list);
  if (!list)
    return SC_E_NOMEM;
  for (size_t i = 0; i < reader->tally_count; i++)
    add_taken(reader, i, list);
  for (uint32_t i = 0; i < set->count; i++) {
    if (!list[i].inferred)
      continue;
    uint32_t condition = sc_resource_set_namesake(set, i, SC_RESOURCE_CONDITION);
    bool apart = condition != SC_USAGE_NONE || !(list[i].waits > 0); /* no wait would be told twice */
    pools->left_out[i] = !(apart && is_pool(&list[i]));
    if (pools->left_out[i])
      continue;
    if (condition != SC_USAGE_NONE)
      pools->untimed[condition] = true;
    if (list[i].votes > 0)
      set->list[i]->capacity = (double)list[i].all;
  }
  free(list);
  return 0;
}
