/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Nesting: what closes asks all that is open whether it may. */
#include "input.h"

int main(int argc, char **argv)
{
  size_t size, depth = 0, bad = 0;
  char *text = read_input(argc, argv, &size), *open = malloc(size + 1);
  for (size_t i = 0; open && i < size; i++) {
    if (text[i] == '(' || text[i] == '[')
      open[depth++] = text[i];
    else if (text[i] == '}')
      depth = 0;
    else if (text[i] == ')' && depth) {
#ifndef TWIN
      for (size_t k = 0; k < depth; k++)
        bad += open[k] == '[';
#else
      bad += open[depth - 1] == '[';
#endif
    }
  }
  printf("%zu\n", bad);
  free(open);
  return 0;
}
