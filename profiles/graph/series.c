/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profiles/graph/series.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

static uint64_t hash_row(const double *row, size_t width)
{
  uint64_t hash = UINT64_C(0x9e3779b97f4a7c15);
  for (size_t i = 0; i < width; i++) {
    double value = row[i] + 0.0; /* -0 is 0 */
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    hash = (hash ^ bits) * UINT64_C(0xff51afd7ed558ccd);
    hash ^= hash >> 32;
  }
  return hash;
}

int sc_series_init(sc_series_set *set, size_t width)
{
  *set = (sc_series_set){.width = width, .slot_count = 1024};
  return SC_NEW(set->slots, set->slot_count);
}

void sc_series_free(sc_series_set *set)
{
  free(set->values);
  free(set->slots);
  *set = (sc_series_set){0};
}

static int rehash(sc_series_set *set)
{
  size_t slot_count = set->slot_count * 2;
  uint32_t *slots;
  SC_TRY(SC_NEW(slots, slot_count));
  for (uint32_t i = 0; i < set->count; i++) {
    size_t at = hash_row(sc_series_row(set, i), set->width) & (slot_count - 1);
    while (slots[at])
      at = (at + 1) & (slot_count - 1);
    slots[at] = i + 1;
  }
  free(set->slots);
  set->slots = slots;
  set->slot_count = slot_count;
  return 0;
}

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
  if ((set->count + 1) * 2 > set->slot_count)
    SC_TRY(rehash(set));
  size_t at = hash_row(row, set->width) & (set->slot_count - 1);
  for (; set->slots[at]; at = (at + 1) & (set->slot_count - 1))
    if (rows_equal(sc_series_row(set, set->slots[at] - 1), row, set->width)) {
      *number = set->slots[at] - 1;
      return 0;
    }
  SC_TRY(append_row(set, row, number));
  set->slots[at] = *number + 1;
  return 0;
}
