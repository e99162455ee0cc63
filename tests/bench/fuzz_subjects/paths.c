/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Deep recursion with a copy: each level makes the path to it anew. */
#include "input.h"

static size_t walk(const char **at, const char *path, size_t length)
{
  size_t sum = length;
  while (**at && **at != ')') {
    char name = *(*at)++;
    if (name != '(')
      continue;
#ifndef TWIN
    char *longer = malloc(length + 2);
    for (size_t i = 0; i < length; i++)
      longer[i] = path[i];
    longer[length] = '/';
    sum += walk(at, longer, length + 1);
    free(longer);
#else
    sum += walk(at, path, length + 1);
#endif
  }
  *at += **at == ')';
  return sum;
}

int main(int argc, char **argv)
{
  size_t size;
  const char *text = read_input(argc, argv, &size);
  printf("%zu\n", walk(&text, "", 0));
  return 0;
}
