/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_RUNNER_FIT_STORE_INTERNAL_H
#define SC_RUNNER_FIT_STORE_INTERNAL_H
#include "base/buf.h"
#include "runner/fit/store.h"

#define NO_SERIES UINT32_MAX

typedef struct record {
  uint64_t hash;
  uint64_t first, last; /* segments of the spool */
  uint32_t set;
  bool bad;
} record;

/* In the spool: a segment, its key if it is the first of its series, its points. All in multiples of 8 bytes. */
typedef struct segment {
  uint64_t previous; /* 1 + the place of the segment before in the same series; 0: the first, a key follows */
  uint64_t bytes;    /* of all, this head included */
  uint64_t points;
} segment;
typedef struct key_head {
  uint32_t callpath, metric, unit, padded; /* lengths; of the three together, filled up to a multiple of 8 */
} key_head;

struct sc_store {
  sc_spool spool;
  record *records;
  size_t count, capacity;
  uint32_t *slots; /* open addressing; 1 + index of a record */
  size_t slot_count;
  sc_store_set **sets;
  size_t set_count, set_capacity;
  uint64_t seed;
  uint32_t current; /* whose segment is open, or NO_SERIES */
  uint64_t open;    /* the open segment */
  sc_buf key;       /* of the current series: key_head and texts */
  uint64_t *chain;  /* when loading */
  size_t chain_capacity, at_capacity, y_capacity, repeats_capacity;
  double *at, *y;
  size_t *repeats;
  sc_buf loaded_key;
};
#endif
