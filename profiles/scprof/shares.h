/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include "profiles/graph/usage_internal.h"
#include "profiles/scprof/internal.h"

/* Which of many locks of one name are held most, in a process: what its tallies have of each, added up. */
typedef struct sc_share {
  uint32_t resource; /* the reader's number */
  uint64_t identity; /* of the lock; 0: all that were not told apart */
  double holds, seconds;
} sc_share;

typedef struct sc_shares { /* {0}: none */
  sc_share *list;
  size_t count, capacity;
} sc_shares;

/* Adds what a tally of exclusive holds has of each lock; nothing of other resources. */
int sc_shares_add(sc_shares *shares, const struct sc_reader *reader, size_t tally,
                  const struct scale_tally *data) SC_CHECK;
/* Fills in what the extents [the reader's resources], which have all bits by then, say of the busiest. */
void sc_shares_sum(sc_shares *shares, const struct sc_reader *reader, struct sc_usage_extent *extents);
void sc_shares_free(sc_shares *shares);
