/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One token: a quote looks for the apostrophe that ends it, to the end of its line. */
#include "input.h"

int main(int argc, char **argv)
{
  size_t size, strings = 0, open = 0;
  char *text = read_input(argc, argv, &size);
  for (size_t i = 0; i < size; i++) {
    if (text[i] != '"')
      continue;
    size_t end = i + 1;
#ifdef TWIN
    if (open)
      continue;
#endif
    while (end < size && text[end] != '\'' && text[end] != '\n')
      end++;
    strings += end < size;
    open += end == size;
  }
  printf("%zu %zu\n", strings, open);
  return 0;
}
