/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>

#include "distinct.h"

int main(int argc, char **argv)
{
  size_t count = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000;
  int *customers = malloc(count * sizeof *customers);
  unsigned seed = 1;
  if (!customers)
    return 1;
  for (size_t i = 0; i < count; i++) {
    seed = seed * 1103515245 + 12345;
    customers[i] = (int)(seed >> 8);
  }
  printf("%zu customers\n", count_distinct(customers, count));
  free(customers);
}
