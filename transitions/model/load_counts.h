/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SC_TRANSITIONS_MODEL_LOAD_COUNTS_H
#define SC_TRANSITIONS_MODEL_LOAD_COUNTS_H
#include "transitions/model/blend.h"
#include "transitions/model/loads.h"

/* How many contexts have each load: together they come to as many times the same, which is blended once. */
typedef struct sc_load_counts {
  uint32_t *times; /* [loads] */
  uint32_t *used;  /* [used_count] loads that any has */
  size_t used_count;
} sc_load_counts;

/* For the loads that there are; none may be set while it lives. Also after a failure to be freed. */
int sc_load_counts_begin(sc_load_counts *counts, const sc_loads *loads) SC_CHECK;
void sc_load_counts_free(sc_load_counts *counts);
static inline void sc_load_counts_add(sc_load_counts *counts, const sc_loads *loads, uint32_t context)
{
  uint32_t number = loads->numbers[context];
  if (counts->times[number]++ == 0)
    counts->used[counts->used_count++] = number;
}
/* Begins again with none. */
void sc_load_counts_clear(sc_load_counts *counts);
/* Sorts `used`. */
void sc_load_counts_sort(sc_load_counts *counts);
/* Adds what they come to, a part of each of them. */
int sc_load_counts_blend(sc_load_counts *counts, const sc_loads *loads, sc_blend_part (*part)(const sc_load *load),
                         sc_blend *blend) SC_CHECK;
#endif
