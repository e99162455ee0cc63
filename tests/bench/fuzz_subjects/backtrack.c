/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Backtracking: letters that an equals sign ends are looked for from each letter on. */
#include "input.h"

int main(int argc, char **argv)
{
  size_t size, found = 0;
  char *text = read_input(argc, argv, &size);
  for (size_t i = 0; i < size; i++) {
    size_t end = i;
    while (text[end] >= 'a' && text[end] <= 'z')
      end++;
    found += end > i && text[end] == '=';
#ifdef TWIN
    i = end > i ? end - 1 : i;
#endif
  }
  printf("%zu\n", found);
  return 0;
}
