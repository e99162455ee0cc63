/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each of `threads` threads takes a lock n times, computes while it holds it, and then four times as long without it.
 * On few processors the lock is idle most of the time, however many threads there are; on many they saturate it. */
#include <pthread.h>
#include <stdlib.h>

enum { STEPS = 20000 };
static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;
static long n;

__attribute__((noinline)) static unsigned compute(long steps)
{
  volatile unsigned sum = 0;
  for (long i = 0; i < steps; i++)
    sum = sum * 31 + (unsigned)i;
  return sum;
}

__attribute__((noinline)) static void rest(void) { compute(4 * STEPS); }

static void *work(void *unused)
{
  for (long i = 0; i < n; i++) {
    pthread_mutex_lock(&table_lock);
    compute(STEPS);
    pthread_mutex_unlock(&table_lock);
    rest();
  }
  return unused;
}

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
  free(list);
  return 0;
}
