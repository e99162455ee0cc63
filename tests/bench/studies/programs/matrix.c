/* SPDX-License-Identifier: GPL-3.0-or-later */
/* matrix N: multiplies two n x n matrices, the inner product innermost. */
#include <stdio.h>
#include <stdlib.h>

static void multiply(const double *a, const double *b, double *c, size_t n)
{
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) {
      double sum = 0;
      for (size_t k = 0; k < n; k++)
        sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
}

int main(int argc, char **argv)
{
  size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
  double *a = malloc(n * n * sizeof *a), *b = malloc(n * n * sizeof *b), *c = malloc(n * n * sizeof *c);
  for (size_t i = 0; i < n * n; i++) {
    a[i] = (double)(i % 7);
    b[i] = (double)(i % 5);
  }
  multiply(a, b, c, n);
  printf("%g\n", c[n * n / 2]);
  free(a);
  free(b);
  free(c);
}
