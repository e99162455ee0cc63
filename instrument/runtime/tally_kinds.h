/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What a tally has behind the fields that readers know. Its size says which of these it is, so that nothing in it has
 * to: tallies of classes that are neither held nor on the heap are a struct scale_tally alone.
 */
#include "layout.h"

struct sc_timed_tally { /* what is held */
  struct scale_tally tally;
  uint32_t buckets[SCALE_HOLD_BUCKETS];
};
struct sc_lock_tally { /* locks: one place may acquire many */
  struct sc_timed_tally timed;
  struct scale_share shares[SCALE_SHARES];
};
struct sc_heap_tally {
  struct scale_tally tally;
  uint64_t number; /* in the map of the heap; 0: none yet */
};
/* A tally's number in the map of the heap; 0: it has none. Blocks are rounded up, with zeroes. */
static inline uint32_t sc_heap_tally_number(const struct scale_tally *tally)
{
  if (tally->bytes < sizeof(struct sc_heap_tally) || tally->bytes >= sizeof(struct sc_timed_tally))
    return 0;
  return (uint32_t)((const struct sc_heap_tally *)tally)->number;
}
