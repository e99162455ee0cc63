/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Distinct series of counts, found by their values' hash. A series is compared with the ones of equal hash value by
 * value: two that differ anywhere may not share a model. */
#include "profiles/graph/series.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

/* Every bit of a double has to count: whole numbers differ in the upper bits alone. Not sc_hash_key, which takes bytes:
 * here a word a step, for each of a million contexts. */
static uint32_t hash_series_row(const double *row, size_t width)
{
  uint64_t hash = UINT64_C(0x9e3779b97f4a7c15);
  for (size_t i = 0; i < width; i++) {
    double value = row[i] + 0.0; /* -0 is 0 */
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    hash = (hash ^ bits) * UINT64_C(0xff51afd7ed558ccd);
    hash ^= hash >> 32;
  }
  return (uint32_t)hash;
}

void sc_series_free(sc_series_set *set)
{
  free(set->values);
  sc_index_free(&set->index);
  *set = (sc_series_set){0};
}

/* Not memcmp: 0 and -0 are the same count. */
static bool rows_equal(const double *a, const double *b, size_t width)
{
  for (size_t i = 0; i < width; i++)
    if (a[i] != b[i])
      return false;
  return true;
}

static int append_row(sc_series_set *set, const double *row, uint32_t *number)
{
  if (set->count >= UINT32_MAX - 1)
    return sc_err_set(SC_E_NOMEM, "too many different series of counts");
  SC_TRY(sc_mem_grow(&set->values, &set->capacity, (set->count + 1) * set->width, sizeof *set->values));
  memcpy(set->values + set->count * set->width, row, set->width * sizeof *row);
  *number = (uint32_t)set->count++;
  return 0;
}

int sc_series_add(sc_series_set *set, uint32_t series, uint32_t *number)
{
  SC_TRY(sc_mem_grow(&set->values, &set->capacity, (set->count + 1) * set->width, sizeof *set->values));
  return append_row(set, sc_series_row(set, series), number);
}

int sc_series_intern(sc_series_set *set, const double *row, uint32_t *number)
{
  uint32_t hash = hash_series_row(row, set->width);
  SC_TRY(sc_index_reserve(&set->index, set->index.count + 1));
  sc_index_slot *slot = sc_index_first(&set->index, hash);
  for (; slot->number; slot = sc_index_next(&set->index, slot))
    if (rows_equal(sc_series_row(set, slot->number - 1), row, set->width)) {
      *number = slot->number - 1;
      return 0;
    }
  SC_TRY(append_row(set, row, number));
  sc_index_take(&set->index, slot, hash, *number + 1);
  return 0;
}
