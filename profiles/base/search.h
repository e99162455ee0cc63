/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* How many of list[count] have a key of at most `key`. An element has `size` bytes and its key at `offset`; they are in
 * the order of their keys. */
static inline size_t sc_search_up_to(const void *list, size_t count, size_t size, size_t offset, uint64_t key)
{
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    uint64_t found;
    memcpy(&found, (const char *)list + middle * size + offset, sizeof found);
    if (found <= key)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}
