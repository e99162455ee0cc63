/* SPDX-License-Identifier: GPL-3.0-or-later */
/* floyd N: all shortest paths between n places (Floyd and Warshall). */
#include <stdio.h>
#include <stdlib.h>

#include "random.h"

int main(int argc, char **argv)
{
  size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
  int *way = malloc(n * n * sizeof *way + 1);
  for (size_t i = 0; i < n * n; i++)
    way[i] = random_next() % 8 ? 1000000 : (int)(random_next() % 100) + 1;
  for (size_t k = 0; k < n; k++)
    for (size_t i = 0; i < n; i++)
      for (size_t j = 0; j < n; j++)
        if (way[i * n + k] + way[k * n + j] < way[i * n + j])
          way[i * n + j] = way[i * n + k] + way[k * n + j];
  long sum = 0;
  for (size_t i = 0; i < n * n; i++)
    sum += way[i];
  printf("%ld\n", sum);
  free(way);
}
