/* SPDX-License-Identifier: GPL-3.0-or-later */
/* deflate N: compresses a text of n bytes with zlib. */
#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

#include "random.h"

int main(int argc, char **argv)
{
  size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
  uLongf length = compressBound(n);
  unsigned char *text = malloc(n + 1), *packed = malloc(length);
  for (size_t i = 0; i < n; i++)
    text[i] = (unsigned char)("etaoin shrdlu\n"[random_next() % 14]);
  if (compress(packed, &length, text, n) != Z_OK)
    return 3;
  printf("%lu\n", (unsigned long)length);
  free(text);
  free(packed);
}
