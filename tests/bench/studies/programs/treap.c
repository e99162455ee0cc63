/* SPDX-License-Identifier: GPL-3.0-or-later */
/* treap N: a balanced tree by random priorities: n keys in, half of them out again. */
#include <stdio.h>
#include <stdlib.h>

#include "random.h"

struct node {
  struct node *left, *right;
  uint64_t key, priority;
};

static struct node *merge(struct node *a, struct node *b)
{
  if (!a || !b)
    return a ? a : b;
  if (a->priority > b->priority) {
    a->right = merge(a->right, b);
    return a;
  }
  b->left = merge(a, b->left);
  return b;
}

static void split(struct node *tree, uint64_t key, struct node **low, struct node **high)
{
  if (!tree) {
    *low = *high = NULL;
  } else if (tree->key < key) {
    split(tree->right, key, &tree->right, high);
    *low = tree;
  } else {
    split(tree->left, key, low, &tree->left);
    *high = tree;
  }
}

int main(int argc, char **argv)
{
  size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 0, kept = 0;
  struct node *root = NULL, *low, *high, *middle;
  uint64_t *keys = malloc((n + 1) * sizeof *keys);
  for (size_t i = 0; i < n; i++) {
    struct node *node = calloc(1, sizeof *node);
    node->key = keys[i] = random_next();
    node->priority = random_next();
    split(root, node->key, &low, &high);
    root = merge(merge(low, node), high);
  }
  for (size_t i = 0; i < n; i += 2) {
    split(root, keys[i], &low, &high);
    split(high, keys[i] + 1, &middle, &high);
    kept += !middle;
    free(middle);
    root = merge(low, high);
  }
  printf("%zu\n", kept);
  free(keys);
}
