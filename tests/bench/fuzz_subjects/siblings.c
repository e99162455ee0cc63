/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Siblings: a child is put behind the last one, which is looked for from the first on. */
#include "input.h"

typedef struct node {
  struct node *parent, *first, *last, *next;
} node;

static node *add_child(node *parent)
{
  node *made = calloc(1, sizeof *made), *last = parent->first;
  made->parent = parent;
#ifndef TWIN
  while (last && last->next)
    last = last->next;
#else
  last = parent->last;
  parent->last = made;
#endif
  if (last)
    last->next = made;
  else
    parent->first = made;
  return made;
}

int main(int argc, char **argv)
{
  size_t size, count = 0;
  char *text = read_input(argc, argv, &size);
  node root = {0}, *at = &root;
  for (; *text; text++) {
    if (*text == '<') {
      at = add_child(at);
      count++;
    } else if (*text == '/' && at->parent) {
      at = at->parent;
    }
  }
  printf("%zu\n", count);
  return 0;
}
