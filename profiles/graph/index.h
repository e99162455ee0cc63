/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* A hash table, with open addressing, of the numbers by which its owner knows its things. Of each thing's hash 32 bits
 * are kept: others are told apart, and the table grows, without a look at the things. Zero-initialise. */
typedef struct sc_index_slot {
  uint32_t hash, number; /* number 0: free */
} sc_index_slot;

typedef struct sc_index {
  sc_index_slot *slots;
  size_t mask, count; /* of the numbers; at most half the slots are taken */
} sc_index;

/* Makes room for `count` numbers; to be called before any other. */
int sc_index_reserve(sc_index *index, size_t count) SC_CHECK;
void sc_index_free(sc_index *index);

/* The first slot where a thing with this hash, or none, may be; and the next, if that was another thing. */
static inline sc_index_slot *sc_index_skip(const sc_index *index, uint32_t hash, size_t at)
{
  for (;; at++) {
    sc_index_slot *slot = &index->slots[at & index->mask];
    if (!slot->number || slot->hash == hash)
      return slot;
  }
}

/* See sc_index_skip: a loop over the slots of a hash ends at one whose number is 0. */
static inline sc_index_slot *sc_index_first(const sc_index *index, uint32_t hash)
{
  return sc_index_skip(index, hash, hash);
}

/* The one behind it that may be. */
static inline sc_index_slot *sc_index_next(const sc_index *index, const sc_index_slot *slot)
{
  return sc_index_skip(index, slot->hash, (size_t)(slot - index->slots) + 1);
}

/* Takes a free slot that was found for this hash. There must be room. */
static inline void sc_index_take(sc_index *index, sc_index_slot *slot, uint32_t hash, uint32_t number)
{
  *slot = (sc_index_slot){hash, number};
  index->count++;
}
