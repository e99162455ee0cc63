/* SPDX-License-Identifier: MIT */
#include "distinct.h"

#include <stdlib.h>

static int compare(const void *a, const void *b)
{
  int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

size_t count_distinct(int *customers, size_t count)
{
  size_t distinct = 0;
  qsort(customers, count, sizeof *customers, compare);
  for (size_t i = 0; i < count; i++)
    if (i == 0 || customers[i] != customers[i - 1])
      distinct++;
  return distinct;
}
