/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Equal keys: the values of a key are a list, and each is put at its end. Keys are in a table that grows. */
#include "table.h"

int main(int argc, char **argv)
{
  size_t size;
  char *text = read_input(argc, argv, &size), *rest = text, *line;
  table keys = {0};
  while ((line = next_line(&rest))) {
    char *value = strchr(line, '=');
    if (!value || value == line)
      continue;
    *value = '\0';
    entry *key = table_get(&keys, line), *last = calloc(1, sizeof *last);
#ifndef TWIN
    entry *end = key;
    while (end->more)
      end = end->more;
    end->more = last;
#else
    last->more = key->more;
    key->more = last;
#endif
  }
  printf("%zu\n", keys.count);
  return 0;
}
