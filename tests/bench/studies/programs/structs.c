/* SPDX-License-Identifier: GPL-3.0-or-later */
/* structs N: sorts n records by name with qsort. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"

struct record {
  char name[16];
  long value, more[5];
};

static int compare(const void *a, const void *b)
{
  return strcmp(((const struct record *)a)->name, ((const struct record *)b)->name);
}

int main(int argc, char **argv)
{
  size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
  struct record *records = calloc(n + 1, sizeof *records);
  for (size_t i = 0; i < n; i++) {
    snprintf(records[i].name, sizeof records[i].name, "%08lx", (long)(random_next() & 0xffffffff));
    records[i].value = (long)i;
  }
  qsort(records, n, sizeof *records, compare);
  printf("%s %ld\n", records[n / 2].name, records[n / 2].value);
  free(records);
}
