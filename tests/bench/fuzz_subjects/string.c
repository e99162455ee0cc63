/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One token: a quote looks for the apostrophe that ends it, to the end of its line. */
#include "input.h"

int main(int argc, char **argv)
{
  size_t size, strings = 0, end = 0;
  char *text = read_input(argc, argv, &size);
  for (size_t i = 0; i < size; i++) {
    if (text[i] != '"')
      continue;
#ifndef TWIN
    end = i + 1;
#else
    end = end > i ? end : i + 1; /* it is the same for all in front of it */
#endif
    while (end < size && text[end] != '\'' && text[end] != '\n')
      end++;
    strings += end < size;
  }
  printf("%zu\n", strings);
  return 0;
}
