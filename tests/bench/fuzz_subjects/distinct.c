/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Distinct keys: each is compared with all that were seen. */
#include "table.h"

int main(int argc, char **argv)
{
  size_t size, count = 0;
  char *text = read_input(argc, argv, &size), *rest = text, *line;
  table keys = {0};
  const char **seen = malloc((size + 1) * sizeof *seen);
  while ((line = next_line(&rest))) {
#ifndef TWIN
    size_t i = 0;
    while (i < count && strcmp(seen[i], line) != 0)
      i++;
    if (i == count)
      seen[count++] = line;
#else
    (void)table_get(&keys, line);
    count = keys.count;
#endif
  }
  printf("%zu\n", count);
  free(seen);
  return 0;
}
