/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Four threads in the same functions, then many short ones. flags: -pthread */
#include <pthread.h>
#include <stdio.h>
#define NOINLINE __attribute__((noinline))

NOINLINE static long work(long n)
{
  long s = 0;
  for (long i = 0; i < n; i++)
    s += i ^ n;
  return s;
}

NOINLINE static long descend(long n) { return n ? work(n) + descend(n - 1) : 0; }

static void *worker(void *argument)
{
  long s = 0;
  for (int i = 0; i < 1000; i++)
    s += descend(3);
  *(long *)argument = s;
  return NULL;
}

static void *brief(void *argument)
{
  *(long *)argument = work(10);
  pthread_exit(NULL);
}

int main(void)
{
  pthread_t threads[4];
  long results[4], total = 0;
  for (int i = 0; i < 4; i++)
    pthread_create(&threads[i], NULL, worker, &results[i]);
  for (int i = 0; i < 4; i++) {
    pthread_join(threads[i], NULL);
    total += results[i];
  }
  for (int i = 0; i < 200; i++) {
    pthread_create(&threads[0], NULL, brief, &results[0]);
    pthread_join(threads[0], NULL);
    total += results[0];
  }
  printf("%ld\n", total);
  return 0;
}
