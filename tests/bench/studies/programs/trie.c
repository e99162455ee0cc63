/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trie N: n words of eight letters into a tree of letters, then looked up. */
#include <stdio.h>
#include <stdlib.h>

#include "random.h"

struct letter {
  struct letter *next[16];
  long words;
};

static struct letter *follow(struct letter *at, uint64_t word, int make)
{
  for (int i = 0; i < 8 && at; i++, word >>= 4) {
    if (!at->next[word & 15] && make)
      at->next[word & 15] = calloc(1, sizeof *at);
    at = at->next[word & 15];
  }
  return at;
}

int main(int argc, char **argv)
{
  size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
  struct letter *root = calloc(1, sizeof *root);
  long found = 0;
  for (size_t i = 0; i < n; i++)
    follow(root, random_next(), 1)->words++;
  random_state = 88172645463325252u;
  for (size_t i = 0; i < n; i++)
    found += follow(root, random_next(), 0)->words;
  printf("%ld\n", found);
}
