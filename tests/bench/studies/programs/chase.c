/* SPDX-License-Identifier: GPL-3.0-or-later */
/* chase N: n nodes of a cache line, linked in random order into one ring, followed 20 times round. */
#include <stdio.h>
#include <stdlib.h>

#include "random.h"

struct node {
  struct node *next;
  long value, more[6];
};

int main(int argc, char **argv)
{
  size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
  struct node *nodes = calloc(n + 1, sizeof *nodes);
  size_t *order = malloc((n + 1) * sizeof *order);
  for (size_t i = 0; i < n; i++)
    order[i] = i;
  for (size_t i = n; i > 1; i--) {
    size_t j = random_next() % i, kept = order[i - 1];
    order[i - 1] = order[j];
    order[j] = kept;
  }
  for (size_t i = 0; i < n; i++) {
    nodes[order[i]].next = &nodes[order[(i + 1) % n]];
    nodes[order[i]].value = (long)i;
  }
  long sum = 0;
  struct node *at = nodes;
  for (size_t step = 0; step < 20 * n; step++) {
    sum += at->value;
    at = at->next;
  }
  printf("%ld\n", sum);
  free(order);
  free(nodes);
}
