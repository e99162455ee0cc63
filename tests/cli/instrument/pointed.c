/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct operations {
  size_t (*length)(const char *);
  void *(*copy)(void *, const void *, size_t);
};

extern const struct operations table;
typedef int (*comparison)(const void *, const void *);

int main(int argc, char **argv)
{
  size_t n = argc > 1 ? (size_t)atol(argv[1]) : 0;
  char *text = malloc(n + 1), *copy = malloc(n + 1);
  char **words = malloc((n + 1) * sizeof *words);
  memset(text, 'x', n);
  text[n] = '\0';
  for (size_t i = 0; i < n; i++)
    words[i] = text + i;
  table.copy(copy, text, n + 1);
  qsort(words, n, sizeof *words, (comparison)strcmp);
  printf("%zu\n", table.length(copy));
  return 0;
}
