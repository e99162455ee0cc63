/* SPDX-License-Identifier: GPL-3.0-or-later */
/* radix N: radix sort of n numbers of 32 bits, a byte at a time. */
#include <stdio.h>
#include <stdlib.h>

#include "random.h"

static void pass(const uint32_t *from, uint32_t *to, size_t n, int shift)
{
  size_t starts[257] = {0};
  for (size_t i = 0; i < n; i++)
    starts[(from[i] >> shift & 255) + 1]++;
  for (int i = 0; i < 256; i++)
    starts[i + 1] += starts[i];
  for (size_t i = 0; i < n; i++)
    to[starts[from[i] >> shift & 255]++] = from[i];
}

int main(int argc, char **argv)
{
  size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
  uint32_t *a = malloc((n + 1) * sizeof *a), *b = malloc((n + 1) * sizeof *b);
  for (size_t i = 0; i < n; i++)
    a[i] = (uint32_t)random_next();
  for (int shift = 0; shift < 32; shift += 16) {
    pass(a, b, n, shift);
    pass(b, a, n, shift + 8);
  }
  printf("%u\n", n ? a[n / 2] : 0);
  free(a);
  free(b);
}
