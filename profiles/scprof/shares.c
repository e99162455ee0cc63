/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds locks that are hot among many of one name. A tally keeps the busiest few apart and the rest in one sum, so
 * that what is said of a lock is never more than was seen of it. */
#include "profiles/scprof/shares.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "profiles/graph/tuning.h"
#include "profiles/scprof/trace.h"

static int add_share(sc_shares *shares, const sc_share *share)
{
  if (!(share->holds > 0))
    return 0;
  SC_TRY(sc_mem_grow(&shares->list, &shares->capacity, shares->count + 1, sizeof *shares->list));
  shares->list[shares->count++] = *share;
  return 0;
}

static bool is_lock(const struct scale_site_event *site)
{
  return site->resource_class <= SCALE_CLASS_SPINLOCK && site->event == SCALE_EVENT_ACQUIRE;
}

/* What the tally has behind its histogram, and the rest of its holds. */
int sc_shares_add(sc_shares *shares, const struct sc_reader *reader, size_t tally, const struct scale_tally *data)
{
  const struct sc_tally *known = &reader->tallies[tally];
  const struct scale_site_event *site = sc_tallies_site(reader, known);
  size_t offset = sizeof *data + sizeof(uint32_t) * SCALE_HOLD_BUCKETS;
  struct scale_share own[SCALE_SHARES] = {0};
  sc_share rest = {known->resource, 0, (double)data->holds, sc_reader_seconds(reader, data->hold_ticks)};
  if (!is_lock(site) || data->hold_ticks >> 63)
    return 0;
  if (site->flags & SCALE_SITE_BY_INSTANCE)
    rest.identity = data->key == UINT64_MAX ? 0 : data->key;
  else if (data->bytes >= offset + sizeof own)
    memcpy(own, reader->data + known->offset + offset, sizeof own);
  for (size_t i = 0; i < SCALE_SHARES; i++) {
    sc_share share = {known->resource, own[i].identity, (double)own[i].holds,
                      sc_reader_seconds(reader, own[i].hold_ticks)};
    if (own[i].identity && !(own[i].hold_ticks >> 63))
      SC_TRY(add_share(shares, &share));
    rest.holds -= share.holds;
    rest.seconds -= share.seconds;
  }
  rest.seconds = fmax(0, rest.seconds);
  return add_share(shares, &rest);
}

static int compare_shares(const void *left, const void *right)
{
  const sc_share *a = left, *b = right;
  return SC_COMPARE(a->resource, b->resource) ?: SC_COMPARE(a->identity, b->identity);
}

/* Adds up those of one identity, which stand one behind the other; returns how many are left. */
static size_t merge_share(sc_share *list, size_t count)
{
  size_t used = 0;
  for (size_t i = 0; i < count; i++) {
    if (used && list[used - 1].identity == list[i].identity) {
      list[used - 1].holds += list[i].holds;
      list[used - 1].seconds += list[i].seconds;
    } else {
      list[used++] = list[i];
    }
  }
  return used;
}

static double bits_set(const uint64_t bits[SC_USAGE_BITMAP])
{
  double set = 0;
  for (int i = 0; i < SC_USAGE_BITMAP; i++)
    set += __builtin_popcountll(bits[i]);
  return set;
}

/* Of one resource. */
static void sum_resource(sc_share *list, size_t count, struct sc_usage_extent *extent)
{
  double instances = sc_usage_instances(extent->bits), apart = 0, holds = 0, seconds = 0;
  count = merge_share(list, count);
  for (size_t i = 0; i < count; i++) {
    apart += list[i].identity != 0;
    holds += list[i].holds;
    seconds += list[i].seconds;
    if (list[i].identity)
      extent->busiest_seconds = fmax(extent->busiest_seconds, list[i].seconds);
  }
  if (apart >= bits_set(extent->bits)) /* all of them: else more set a bit than are told apart */
    instances = extent->instances = apart;
  if (!(instances > 1))
    return;
  double mean = holds / instances;
  for (size_t i = 0; i < count; i++)
    if (list[i].identity && list[i].seconds >= SC_SHARES_HOT * seconds / instances &&
        list[i].holds >= mean + SC_SHARES_HOT_DEVIATIONS * sqrt(mean) + SC_SHARES_HOT_LEAST) {
      extent->hot++;
      extent->hot_seconds += list[i].seconds;
    }
}

void sc_shares_sum(sc_shares *shares, const struct sc_reader *reader, struct sc_usage_extent *extents)
{
  sc_share *list = shares->list;
  if (shares->count)
    qsort(list, shares->count, sizeof *list, compare_shares);
  for (size_t i = 0, end; i < shares->count; i = end) {
    for (end = i + 1; end < shares->count && list[end].resource == list[i].resource; end++)
      ;
    if (!reader->resources.list[list[i].resource]->global) /* its instances are other processes', too */
      sum_resource(list + i, end - i, &extents[list[i].resource]);
  }
}

void sc_shares_free(sc_shares *shares)
{
  free(shares->list);
  *shares = (sc_shares){0};
}
