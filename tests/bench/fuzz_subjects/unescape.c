/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Escaping: each escape closes the gap that it leaves by moving all that follows. */
#include "input.h"

int main(int argc, char **argv)
{
  size_t size;
  char *text = read_input(argc, argv, &size);
#ifndef TWIN
  for (char *at = text; *at; at++)
    if (*at == '%' && at[1])
      memmove(at, at + 1, size - (size_t)(at - text));
#else
  char *to = text;
  for (char *at = text; *at; at++) {
    at += *at == '%' && at[1];
    *to++ = *at;
  }
  *to = '\0';
#endif
  puts(text);
  return 0;
}
