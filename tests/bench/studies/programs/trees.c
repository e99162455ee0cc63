/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trees N: four balanced binary trees of n nodes: built from malloc, counted, freed. */
#include <stdio.h>
#include <stdlib.h>

struct tree {
  struct tree *left, *right;
};

static struct tree *grow(long nodes)
{
  if (nodes <= 0)
    return NULL;
  struct tree *tree = malloc(sizeof *tree);
  tree->left = grow((nodes - 1) / 2);
  tree->right = grow(nodes - 1 - (nodes - 1) / 2);
  return tree;
}

static long count(const struct tree *tree) { return tree ? 1 + count(tree->left) + count(tree->right) : 0; }

static void cut(struct tree *tree)
{
  if (!tree)
    return;
  cut(tree->left);
  cut(tree->right);
  free(tree);
}

int main(int argc, char **argv)
{
  long n = argc > 1 ? atol(argv[1]) : 0, sum = 0;
  for (int round = 0; round < 4; round++) {
    struct tree *tree = grow(n);
    sum += count(tree);
    cut(tree);
  }
  printf("%ld\n", sum);
}
