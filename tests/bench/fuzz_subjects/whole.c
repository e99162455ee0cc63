/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A middle: lists that are whole are printed, with all that indents them; what is not whole is an error. */
#include "input.h"

static long print_list(const char **at, int depth, int *whole)
{
  long printed = 0;
  if (**at == '1') {
    ++*at;
    return 1;
  }
  if (**at != '[' || depth > 5000) {
    *whole = 0;
    return 0;
  }
  ++*at;
  printed += print_list(at, depth + 1, whole);
  if (*whole && **at == ']')
    ++*at;
  else
    *whole = 0;
#ifndef TWIN
  if (*whole)
    for (int i = 0; i < depth; i++)
      printed += putchar(' ') == ' ';
#else
  printed += *whole;
#endif
  return printed;
}

int main(int argc, char **argv)
{
  size_t size;
  int whole = 1;
  const char *text = read_input(argc, argv, &size);
  long printed = print_list(&text, 0, &whole);
  printf("%ld\n", whole ? printed : 0);
  return 0;
}
