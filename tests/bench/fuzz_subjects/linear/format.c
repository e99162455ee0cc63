/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A formatter of nested blocks with a limit of indentation, so that its output is linear, too. */
#include "../input.h"

enum { DEEPEST = 8 };

static void begin_line(size_t depth)
{
  putchar('\n');
  for (size_t i = 0; i < depth && i < DEEPEST; i++)
    putchar(' ');
}

int main(int argc, char **argv)
{
  size_t size, depth = 0;
  int blank = 0;
  for (const char *at = read_input(argc, argv, &size); *at; at++) {
    if (*at == ' ' || *at == '\t' || *at == '\n') {
      blank = 1;
      continue;
    }
    if (blank && *at != ';')
      putchar(' ');
    blank = 0;
    if (*at == '}' && depth) {
      begin_line(--depth);
    }
    putchar(*at);
    if (*at == '{')
      begin_line(++depth);
    else if (*at == ';')
      begin_line(depth);
  }
  putchar('\n');
  return 0;
}
