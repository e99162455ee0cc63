/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/sort.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"

enum { BITS = 11, BUCKETS = 1 << BITS, FEW = 256 /* fewer are sorted faster by comparing */ };

static uint32_t key_of(const char *item, size_t key)
{
  uint32_t number;
  memcpy(&number, item + key, sizeof number);
  return number;
}

static int compare(const void *a, const void *b, void *key)
{
  return SC_COMPARE(key_of(a, *(const size_t *)key), key_of(b, *(const size_t *)key));
}

/* By some bits of the key. */
static void distribute(const char *from, char *to, size_t count, size_t size, size_t key, unsigned shift)
{
  size_t start[BUCKETS + 1] = {0};
  for (size_t i = 0; i < count; i++)
    start[(key_of(from + i * size, key) >> shift) % BUCKETS + 1]++;
  for (size_t i = 1; i < BUCKETS; i++)
    start[i] += start[i - 1];
  for (size_t i = 0; i < count; i++)
    memcpy(to + start[(key_of(from + i * size, key) >> shift) % BUCKETS]++ * size, from + i * size, size);
}

void sc_sort_by(void *items, size_t count, size_t size, size_t key)
{
  char *from = items, *to = count < FEW ? NULL : malloc(count * size), *own = to;
  uint32_t most = 0;
  if (!to) {
    qsort_r(items, count, size, compare, &key);
    return;
  }
  for (size_t i = 0; i < count; i++)
    most = key_of(from + i * size, key) > most ? key_of(from + i * size, key) : most;
  for (unsigned shift = 0; shift < 32 && most >> shift; shift += BITS) {
    distribute(from, to, count, size, key, shift);
    char *sorted = to;
    to = from;
    from = sorted;
  }
  if (from == own)
    memcpy(items, own, count * size);
  free(own);
}
