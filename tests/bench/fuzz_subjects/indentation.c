/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Indentation: the parent of a line is looked for among all lines above it. */
#include "input.h"

int main(int argc, char **argv)
{
  size_t size, count = 0, depth = 0, sum = 0;
  char *text = read_input(argc, argv, &size), *at = text;
  size_t *indents = malloc((size + 1) * sizeof *indents), *open = malloc((size + 1) * sizeof *open);
  while (*at) {
    size_t indent = 0;
    while (*at == ' ') {
      at++;
      indent++;
    }
    while (*at && *at++ != '\n')
      ;
    indents[count] = indent;
#ifndef TWIN
    size_t parent = count;
    while (parent > 0 && indents[parent - 1] >= indent && indent > 0)
      parent--;
    sum += parent;
#else
    while (depth > 0 && indents[open[depth - 1]] >= indent)
      depth--;
    sum += depth ? open[depth - 1] : 0;
    open[depth++] = count;
#endif
    count++;
  }
  printf("%zu %zu\n", count, sum + depth);
  free(indents);
  free(open);
  return 0;
}
