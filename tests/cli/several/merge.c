/* SPDX-License-Identifier: GPL-3.0-or-later */
/* n iterations of each of `threads` threads, and a merge of their results: n for each thread; with PAIRS n for each pair
 * of threads, which is the same at one thread. */
#include <pthread.h>
#include <stdlib.h>

static volatile long sink;
static long n, threads;

static void *work(void *unused)
{
  volatile long own = 0;
  for (long i = 0; i < n; i++)
    own += i;
  return unused;
}

__attribute__((noinline)) static void merge(void)
{
#ifdef PAIRS
  long parts = threads * threads;
#else
  long parts = threads;
#endif
  for (long i = 0; i < n * parts; i++)
    sink += i;
}

int main(int argc, char **argv)
{
  n = argc > 1 ? atol(argv[1]) : 1;
  threads = argc > 2 ? atol(argv[2]) : 1;
  pthread_t *list = calloc((size_t)threads, sizeof *list);
  for (long t = 0; t < threads; t++)
    if (pthread_create(&list[t], NULL, work, NULL) != 0)
      return 1;
  for (long t = 0; t < threads; t++)
    pthread_join(list[t], NULL);
  merge();
  free(list);
  return 0;
}
