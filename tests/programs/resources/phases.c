/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Benign: n threads compute in phases that end at a barrier. One has more to do than the others, which wait for it. */
#include "program.h"
#include <pthread.h>

enum { PHASES = 15 };

static pthread_barrier_t phase_end;

static void *compute(void *number)
{
  for (int phase = 0; phase < PHASES; phase++) {
    program_pause(number ? 1000 : 10000);
    pthread_barrier_wait(&phase_end);
  }
  return NULL;
}

int main(int argc, char **argv)
{
  long n = program_size(argc, argv);
  pthread_t *threads = calloc((size_t)n, sizeof *threads);
  if (!threads || pthread_barrier_init(&phase_end, NULL, (unsigned)n))
    return 1;
  for (long i = 0; i < n; i++)
    pthread_create(&threads[i], NULL, compute, (void *)i);
  for (long i = 0; i < n; i++)
    pthread_join(threads[i], NULL);
  pthread_barrier_destroy(&phase_end);
  printf("%ld\n", n * PHASES);
  free(threads);
  return 0;
}
