// SPDX-License-Identifier: GPL-3.0-or-later
// threads N: prints the median of what the first call of an instrumented function costs a thread, in microseconds of
// processor time, while N threads live at the same time. What measures is not instrumented.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define PLAIN __attribute__((no_profile_instrument_function))
enum { MOST = 1000 };
static double first[MOST];
static pthread_barrier_t all_alive;

__attribute__((noinline)) static int work(int n)
{
  volatile int sum = 0;
  for (int i = 0; i < n; i++)
    sum += i;
  return sum;
}

PLAIN static double now(void)
{
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

PLAIN static void *start(void *place)
{
  double before = now();
  work(2);
  *(double *)place = now() - before;
  pthread_barrier_wait(&all_alive);
  return NULL;
}

static int compare(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
  pthread_t threads[MOST];
  int n = argc > 1 ? atoi(argv[1]) : 200;

  if (n < 1 || n > MOST)
    return 2;
  work(2);
  pthread_barrier_init(&all_alive, NULL, (unsigned)n);
  for (int i = 0; i < n; i++)
    if (pthread_create(&threads[i], NULL, start, &first[i]) != 0)
      return 1;
  for (int i = 0; i < n; i++)
    pthread_join(threads[i], NULL);
  qsort(first, (size_t)n, sizeof(first[0]), compare);
  printf("%.1f\n", first[n / 2]);
  return 0;
}
