/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reversed keys: a sorted list is walked from its largest key on to find a new one's place. Keys in order, or out of it by
 * a few, cost nothing. The twin sorts at the end, by digits. */
#include "input.h"

int main(int argc, char **argv)
{
  size_t size, count = 0;
  char *text = read_input(argc, argv, &size), *at = text;
  unsigned long *keys = malloc((size + 2) * sizeof *keys);
  while (*at) {
    unsigned long key = 0;
    if (*at++ != '@')
      continue;
    for (; *at >= '0' && *at <= '9'; at++)
      key = key * 10 + (unsigned long)(*at - '0');
    size_t place = count++;
#ifndef TWIN
    for (; place > 0 && keys[place - 1] > key; place--)
      keys[place] = keys[place - 1];
#endif
    keys[place] = key;
  }
#ifdef TWIN
  unsigned long *other = malloc((size + 2) * sizeof *other);
  for (int shift = 0; shift < 64; shift += 8) {
    size_t starts[257] = {0};
    for (size_t i = 0; i < count; i++)
      starts[(keys[i] >> shift & 255) + 1]++;
    for (int i = 0; i < 256; i++)
      starts[i + 1] += starts[i];
    for (size_t i = 0; i < count; i++)
      other[starts[keys[i] >> shift & 255]++] = keys[i];
    unsigned long *swap = keys;
    keys = other;
    other = swap;
  }
  free(other);
#endif
  printf("%zu %lu\n", count, count ? keys[0] : 0);
  free(keys);
  return 0;
}
