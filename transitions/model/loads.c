/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The distinct loads of all contexts, each once, and sums over contexts by how many have each. */
#include "transitions/model/loads.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/hash.h"
#include "base/sort.h"

enum { WORDS = sizeof(sc_load) / sizeof(uint64_t) };
_Static_assert(sizeof(sc_load) == 12 * sizeof(double) + 2 * sizeof(uint32_t) + 8, "bytes between the fields");

static uint32_t hash_load(const sc_load *load)
{
  uint64_t words[WORDS], sum = 0;
  memcpy(words, load, sizeof words);
  for (size_t i = 0; i < WORDS; i++)
    sum = (sum ^ words[i] ^ words[i] >> 32) * UINT64_C(0x9e3779b97f4a7c15);
  return (uint32_t)sc_hash_mix(sum);
}

int sc_loads_begin(sc_loads *loads, size_t contexts)
{
  *loads = (sc_loads){.count = 1, .capacity = 64};
  SC_TRY(SC_NEW(loads->numbers, contexts + 1));
  SC_TRY(SC_NEW(loads->list, loads->capacity));
  return sc_index_reserve(&loads->index, 1);
}

void sc_loads_free(sc_loads *loads)
{
  free(loads->numbers);
  free(loads->list);
  sc_index_free(&loads->index);
  *loads = (sc_loads){0};
}

/* Loads are hashed and compared as bytes, for which those between the fields have to be zero, too: whoever makes one
 * initialises all of it. */
int sc_loads_set(sc_loads *loads, uint32_t context, const sc_load *load)
{
  sc_load copy = *load; /* may be in the list, which grows */
  uint32_t key = hash_load(&copy);
  if (memcmp(&copy, &loads->list[loads->numbers[context]], sizeof copy) == 0)
    return 0;
  SC_TRY(sc_index_reserve(&loads->index, loads->count + 1));
  sc_index_slot *slot = sc_index_first(&loads->index, key);
  while (slot->number && memcmp(&loads->list[slot->number], &copy, sizeof copy) != 0)
    slot = sc_index_next(&loads->index, slot);
  if (!slot->number) {
    SC_TRY(sc_mem_grow(&loads->list, &loads->capacity, loads->count + 1, sizeof *loads->list));
    sc_index_take(&loads->index, slot, key, (uint32_t)loads->count);
    loads->list[loads->count++] = copy;
  }
  loads->numbers[context] = slot->number;
  return 0;
}

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
