/* SPDX-License-Identifier: GPL-3.0-or-later */
/* life N: eight generations of Conway's game on n x n cells. */
#include <stdio.h>
#include <stdlib.h>

#include "random.h"

static int neighbours(const unsigned char *cells, size_t n, size_t x, size_t y)
{
  int sum = 0;
  for (size_t dy = 0; dy < 3; dy++)
    for (size_t dx = 0; dx < 3; dx++)
      sum += (dx != 1 || dy != 1) && cells[(y + dy + n - 1) % n * n + (x + dx + n - 1) % n];
  return sum;
}

int main(int argc, char **argv)
{
  size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 0, alive = 0;
  unsigned char *cells = malloc(n * n + 1), *next = malloc(n * n + 1);
  for (size_t i = 0; i < n * n; i++)
    cells[i] = random_next() % 3 == 0;
  for (int generation = 0; generation < 8; generation++) {
    for (size_t y = 0; y < n; y++)
      for (size_t x = 0; x < n; x++) {
        int around = neighbours(cells, n, x, y);
        next[y * n + x] = around == 3 || (around == 2 && cells[y * n + x]);
      }
    unsigned char *kept = cells;
    cells = next;
    next = kept;
  }
  for (size_t i = 0; i < n * n; i++)
    alive += cells[i];
  printf("%zu\n", alive);
  free(cells);
  free(next);
}
