/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "transitions/model/load_counts.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/sort.h"

int sc_load_counts_begin(sc_load_counts *counts, const sc_loads *loads)
{
  *counts = (sc_load_counts){0};
  SC_TRY(SC_NEW(counts->times, loads->count));
  return SC_NEW(counts->used, loads->count);
}

void sc_load_counts_free(sc_load_counts *counts)
{
  free(counts->times);
  free(counts->used);
  *counts = (sc_load_counts){0};
}

void sc_load_counts_sort(sc_load_counts *counts)
{
  sc_sort_by(counts->used, counts->used_count, sizeof *counts->used, 0);
}

void sc_load_counts_clear(sc_load_counts *counts)
{
  for (size_t i = 0; i < counts->used_count; i++)
    counts->times[counts->used[i]] = 0;
  counts->used_count = 0;
}

int sc_load_counts_blend(sc_load_counts *counts, const sc_loads *loads, sc_blend_part (*part)(const sc_load *load),
                         sc_blend *blend)
{
  sc_load_counts_sort(counts);
  for (size_t i = 0; i < counts->used_count; i++) {
    double times = counts->times[counts->used[i]];
    sc_blend_part one = part(&loads->list[counts->used[i]]);
    one.value *= times;
    one.low *= times;
    one.high *= times;
    one.below *= times;
    one.above *= times;
    if (sc_blend_counts(&one))
      SC_TRY(sc_blend_add(blend, &one));
  }
  sc_blend_compact(blend);
  return 0;
}
