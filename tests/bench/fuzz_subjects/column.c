/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tokens on one line: the column of each is counted from the line's begin. */
#include "input.h"

int main(int argc, char **argv)
{
  size_t size, sum = 0, column = 0;
  char *text = read_input(argc, argv, &size), *line = text;
  for (char *at = text; *at; at++) {
    column = (*at & 0xc0) == 0x80 ? column : column + 1;
    if (*at == '\n') {
      line = at + 1;
      column = 0;
    }
    if (*at != ';')
      continue;
#ifndef TWIN
    column = 0;
    for (const char *back = line; back <= at; back++)
      column += (*back & 0xc0) != 0x80;
#endif
    sum += column;
  }
  printf("%zu\n", sum + (size_t)(line - text));
  return 0;
}
