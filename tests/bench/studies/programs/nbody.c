/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nbody N: ten steps of n bodies that all attract each other. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "random.h"

struct body {
  double x[3], v[3], mass;
};

static void pull(struct body *a, const struct body *b)
{
  double d[3], square = 1e-3;
  for (int k = 0; k < 3; k++) {
    d[k] = b->x[k] - a->x[k];
    square += d[k] * d[k];
  }
  double force = b->mass / (square * sqrt(square));
  for (int k = 0; k < 3; k++)
    a->v[k] += 1e-3 * force * d[k];
}

int main(int argc, char **argv)
{
  size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
  struct body *bodies = calloc(n + 1, sizeof *bodies);
  for (size_t i = 0; i < n; i++) {
    bodies[i].mass = 1;
    for (int k = 0; k < 3; k++)
      bodies[i].x[k] = (double)(random_next() % 1000);
  }
  for (int step = 0; step < 10; step++) {
    for (size_t i = 0; i < n; i++)
      for (size_t j = 0; j < n; j++)
        pull(&bodies[i], &bodies[j]);
    for (size_t i = 0; i < n; i++)
      for (int k = 0; k < 3; k++)
        bodies[i].x[k] += bodies[i].v[k];
  }
  printf("%g\n", bodies[0].x[0]);
  free(bodies);
}
