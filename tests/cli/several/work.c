/* SPDX-License-Identifier: GPL-3.0-or-later */
/* n * threads iterations by real threads, n by the main one, and n * (threads - 1) calls, none of them at one thread.
 */
#include <pthread.h>
#include <stdlib.h>

static volatile long sink;
static long n;

static void *work(void *unused)
{
  volatile long own = 0;
  for (long i = 0; i < n; i++)
    own += i;
  return unused;
}

__attribute__((noinline)) static void merge(long i) { sink += i; }

int main(int argc, char **argv)
{
  n = argc > 1 ? atol(argv[1]) : 1;
  long threads = argc > 2 ? atol(argv[2]) : 1;
  pthread_t *list = calloc((size_t)threads, sizeof *list);
  for (long t = 0; t < threads; t++)
    if (pthread_create(&list[t], NULL, work, NULL) != 0)
      return 1;
  for (long t = 0; t < threads; t++)
    pthread_join(list[t], NULL);
  for (long i = 0; i < n; i++)
    sink -= i;
  for (long t = 1; t < threads; t++)
    for (long i = 0; i < n; i++)
      merge(i);
  free(list);
  return 0;
}
