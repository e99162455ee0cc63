/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Colliding keys: different words that the hash takes for the same. */
#ifndef TWIN
#define SC_BENCH_WEAK
#endif
#include "table.h"

int main(int argc, char **argv)
{
  size_t size;
  char *text = read_input(argc, argv, &size), *rest = text, *line;
  table keys = {0};
  while ((line = next_line(&rest)))
    if (*line)
      (void)table_get(&keys, line);
  printf("%zu\n", keys.count);
  return 0;
}
