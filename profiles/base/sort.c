/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sorting by a number in each item, by distribution where there are many. */
#include "base/sort.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
  BITS = 11,
  BUCKETS = 1 << BITS,
  FEW = 64 /* fewer are sorted faster by comparing */,
  RUN = 12 /* these by insertion */,
  BLOCK = 64 /* bytes that are exchanged at a time */
};

static uint32_t sort_key_of(const char *item, size_t key)
{
  uint32_t number;
  memcpy(&number, item + key, sizeof number);
  return number;
}

static void exchange_sort(char *a, char *b, size_t size)
{
  char held[BLOCK];
  for (size_t part; size; a += part, b += part, size -= part) {
    part = size < BLOCK ? size : BLOCK;
    memcpy(held, a, part);
    memcpy(a, b, part);
    memcpy(b, held, part);
  }
}

static void reverse_sort(char *items, size_t count, size_t size)
{
  for (size_t i = 0; i < count / 2; i++)
    exchange_sort(items + i * size, items + (count - 1 - i) * size, size);
}

/* How many of sorted items are less than the number; with `equal`, or as large. */
static size_t count_below(const char *items, size_t count, size_t size, size_t key, uint32_t number, bool equal)
{
  size_t low = 0;
  for (size_t high = count; low < high;) {
    size_t middle = low + (high - low) / 2;
    uint32_t found = sort_key_of(items + middle * size, key);
    if (found < number || (equal && found == number))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Two sorted parts, the first of `left`, into one, where they are: the lower ones of each, then the rest. */
static void merge_sorted(char *items, size_t left, size_t count, size_t size, size_t key)
{
  size_t right = count - left, i = left / 2, j = right / 2;
  char *second = items + left * size;
  if (!left || !right || sort_key_of(second - size, key) <= sort_key_of(second, key))
    return;
  if (left > right)
    j = count_below(second, right, size, key, sort_key_of(items + i * size, key), false);
  else
    i = count_below(items, left, size, key, sort_key_of(second + j * size, key), true);
  if (count == 2)
    i = 0, j = 1;
  char *turned = items + i * size;
  reverse_sort(turned, left - i, size);
  reverse_sort(second, j, size);
  reverse_sort(turned, left - i + j, size);
  merge_sorted(items, i, i + j, size, key);
  merge_sorted(items + (i + j) * size, left - i, count - i - j, size, key);
}

/* For few, and where there is no memory for more. */
static void sort_in_place(char *items, size_t count, size_t size, size_t key)
{
  size_t left = count / 2;
  if (count > RUN) {
    sort_in_place(items, left, size, key);
    sort_in_place(items + left * size, count - left, size, key);
    merge_sorted(items, left, count, size, key);
    return;
  }
  for (size_t i = 1; i < count; i++)
    for (char *at = items + i * size; at > items && sort_key_of(at - size, key) > sort_key_of(at, key); at -= size)
      exchange_sort(at - size, at, size);
}

/* By some bits of the key. */
static void distribute_sort(const char *from, char *to, size_t count, size_t size, size_t key, unsigned shift)
{
  size_t start[BUCKETS + 1] = {0};
  for (size_t i = 0; i < count; i++)
    start[(sort_key_of(from + i * size, key) >> shift) % BUCKETS + 1]++;
  for (size_t i = 1; i < BUCKETS; i++)
    start[i] += start[i - 1];
  for (size_t i = 0; i < count; i++)
    memcpy(to + start[(sort_key_of(from + i * size, key) >> shift) % BUCKETS]++ * size, from + i * size, size);
}

void sc_sort_by(void *items, size_t count, size_t size, size_t key)
{
  char *from = items, *to = count < FEW ? NULL : malloc(count * size), *own = to;
  uint32_t most = 0;
  if (!to) {
    sort_in_place(items, count, size, key);
    return;
  }
  for (size_t i = 0; i < count; i++)
    most = sort_key_of(from + i * size, key) > most ? sort_key_of(from + i * size, key) : most;
  for (unsigned shift = 0; shift < 32 && most >> shift; shift += BITS) {
    distribute_sort(from, to, count, size, key, shift);
    char *sorted = to;
    to = from;
    from = sorted;
  }
  if (from == own)
    memcpy(items, own, count * size);
  free(own);
}
