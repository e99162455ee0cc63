/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sorted keys: they make a list of a tree that nobody balances; the twin is balanced by chance. */
#include "table.h"

typedef struct node {
  const char *key;
  uint64_t rank;
  struct node *less, *more;
} node;

static node *put(node *at, node *made)
{
  node **link = &at, *top;
  node *root = at;
  link = &root;
  while (*link && (*link)->rank >= made->rank) {
    int order = strcmp(made->key, (*link)->key);
    if (order == 0)
      return root;
    link = order < 0 ? &(*link)->less : &(*link)->more;
  }
  top = *link; /* what ranks lower is split by the key */
  *link = made;
  node **less = &made->less, **more = &made->more;
  while (top) {
    if (strcmp(top->key, made->key) < 0) {
      *less = top;
      less = &top->more;
      top = top->more;
    } else {
      *more = top;
      more = &top->less;
      top = top->less;
    }
  }
  *less = *more = NULL;
  return root;
}

int main(int argc, char **argv)
{
  size_t size, count = 0;
  char *text = read_input(argc, argv, &size), *rest = text, *line;
  node *root = NULL;
  while ((line = next_line(&rest))) {
    node *made = calloc(1, sizeof *made);
    made->key = line;
#ifdef TWIN
    made->rank = hash_key(line);
#endif
    root = put(root, made);
    count++;
  }
  printf("%zu\n", count);
  return 0;
}
