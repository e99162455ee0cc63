/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lcs N: longest common subsequence of two texts of n letters, with the whole table. */
#include <stdio.h>
#include <stdlib.h>

#include "random.h"

int main(int argc, char **argv)
{
  size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 0, width = n + 1;
  char *a = malloc(n + 1), *b = malloc(n + 1);
  int *table = calloc(width * width, sizeof *table);
  for (size_t i = 0; i < n; i++) {
    a[i] = (char)('a' + random_next() % 4);
    b[i] = (char)('a' + random_next() % 4);
  }
  for (size_t i = 1; i <= n; i++)
    for (size_t j = 1; j <= n; j++) {
      int left = table[i * width + j - 1], above = table[(i - 1) * width + j];
      int best = left > above ? left : above;
      table[i * width + j] = a[i - 1] == b[j - 1] ? table[(i - 1) * width + j - 1] + 1 : best;
    }
  printf("%d\n", table[n * width + n]);
  free(a);
  free(b);
  free(table);
}
