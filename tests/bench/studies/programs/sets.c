/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sets N: n random unions of n sets, with path compression. */
#include <stdio.h>
#include <stdlib.h>

#include "random.h"

static unsigned *parents;

static unsigned find(unsigned set)
{
  while (parents[set] != set)
    set = parents[set] = parents[parents[set]];
  return set;
}

int main(int argc, char **argv)
{
  size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 0, sets = n;
  parents = malloc((n + 1) * sizeof *parents);
  for (size_t i = 0; i < n; i++)
    parents[i] = (unsigned)i;
  for (size_t i = 0; i < n; i++) {
    unsigned a = find((unsigned)(random_next() % n)), b = find((unsigned)(random_next() % n));
    sets -= a != b;
    parents[a] = b;
  }
  printf("%zu\n", sets);
  free(parents);
}
