/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bubble N: bubble sort of n random numbers. */
#include <stdio.h>
#include <stdlib.h>

#include "random.h"

int main(int argc, char **argv)
{
  size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
  int *values = malloc((n + 1) * sizeof *values), moved = 1;
  for (size_t i = 0; i < n; i++)
    values[i] = (int)(random_next() % 1000000);
  for (size_t end = n; moved && end > 1; end--) {
    moved = 0;
    for (size_t i = 1; i < end; i++)
      if (values[i - 1] > values[i]) {
        int kept = values[i];
        values[i] = values[i - 1];
        values[i - 1] = kept;
        moved = 1;
      }
  }
  printf("%d\n", n ? values[n / 2] : 0);
  free(values);
}
