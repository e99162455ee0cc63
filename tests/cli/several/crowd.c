/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each of `threads` threads takes a lock n times, holds it for 1 ms and then does without it for 10 ms, asleep, so that
 * it takes no processor: a tenth of the time at one thread, and all of it at ten. Each keeps 64 KiB while it runs.
 * Built with APART each thread has a lock of its own. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef APART
static __thread
#else
static
#endif
    pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;
static long n;

static void rest(long microseconds) { nanosleep(&(struct timespec){0, microseconds * 1000}, NULL); }

__attribute__((noinline)) static void update(void)
{
  pthread_mutex_lock(&table_lock);
  rest(1000);
  pthread_mutex_unlock(&table_lock);
}

static void *work(void *barrier)
{
#ifdef LARGE
  size_t size = 1 << 20;
#else
  size_t size = 1 << 16;
#endif
  char *volatile scratch = malloc(size);
  memset(scratch, 1, size);
  pthread_barrier_wait(barrier); /* all at once: peaks add up */
  for (long i = 0; i < n; i++) {
    update();
    rest(10000);
  }
  pthread_barrier_wait(barrier);
  free(scratch);
  return NULL;
}

int main(int argc, char **argv)
{
  n = argc > 1 ? atol(argv[1]) : 1;
  long threads = argc > 2 ? atol(argv[2]) : 1;
  pthread_barrier_t barrier;
  pthread_t *list = calloc((size_t)threads, sizeof *list);
  pthread_barrier_init(&barrier, NULL, (unsigned)threads);
  for (long t = 0; t < threads; t++)
    if (pthread_create(&list[t], NULL, work, &barrier) != 0)
      return 1;
  for (long t = 0; t < threads; t++)
    pthread_join(list[t], NULL);
  free(list);
  return 0;
}
