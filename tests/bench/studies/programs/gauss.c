/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gauss N: solves n equations by elimination with pivots. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "random.h"

static size_t pivot(double **rows, size_t n, size_t column)
{
  size_t best = column;
  for (size_t i = column + 1; i < n; i++)
    if (fabs(rows[i][column]) > fabs(rows[best][column]))
      best = i;
  return best;
}

int main(int argc, char **argv)
{
  size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
  double **rows = malloc((n + 1) * sizeof *rows), product = 0;
  for (size_t i = 0; i < n; i++) {
    rows[i] = malloc((n + 1) * sizeof **rows);
    for (size_t j = 0; j <= n; j++)
      rows[i][j] = (double)(random_next() % 1000) / 500 - 1;
  }
  for (size_t k = 0; k < n; k++) {
    size_t best = pivot(rows, n, k);
    double *kept = rows[k];
    rows[k] = rows[best];
    rows[best] = kept;
    product += log(fabs(rows[k][k]));
    for (size_t i = k + 1; i < n; i++) {
      double factor = rows[i][k] / rows[k][k];
      for (size_t j = k; j <= n; j++)
        rows[i][j] -= factor * rows[k][j];
    }
  }
  printf("%g\n", product);
  for (size_t i = 0; i < n; i++)
    free(rows[i]);
  free(rows);
}
