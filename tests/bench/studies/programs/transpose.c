/* SPDX-License-Identifier: GPL-3.0-or-later */
/* transpose N: transposes an n x n matrix four times, row by row. */
#include <stdio.h>
#include <stdlib.h>

static void transpose(const float *from, float *to, size_t n)
{
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++)
      to[j * n + i] = from[i * n + j] + 1;
}

int main(int argc, char **argv)
{
  size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
  float *a = calloc(n * n, sizeof *a), *b = calloc(n * n, sizeof *b);
  for (int round = 0; round < 2; round++) {
    transpose(a, b, n);
    transpose(b, a, n);
  }
  printf("%g\n", (double)a[n]);
  free(a);
  free(b);
}
