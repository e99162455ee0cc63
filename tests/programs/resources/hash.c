/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * n threads look keys up in a hash table under one lock. The value behind a key is read from storage meanwhile.
 * Twin: each bucket has a lock of its own, held as long.
 */
#include "program.h"
#include <pthread.h>

enum { BUCKETS = 256, LOOKUPS = 10, READ = 2000, THINK = 60000 };

struct bucket {
#ifdef TWIN
  pthread_mutex_t lock;
#endif
  long value;
};
static struct table {
  pthread_mutex_t lock; /* culprit */
  struct bucket buckets[BUCKETS];
} table = {.lock = PTHREAD_MUTEX_INITIALIZER};

static long look_up(long key)
{
  struct bucket *bucket = &table.buckets[key % BUCKETS];
#ifdef TWIN
  pthread_mutex_t *lock = &bucket->lock;
#else
  pthread_mutex_t *lock = &table.lock;
#endif
  pthread_mutex_lock(lock); /* culprit */
  program_pause(READ);
  long value = ++bucket->value;
  pthread_mutex_unlock(lock);
  return value;
}

static void *client(void *number)
{
  unsigned long state = 88172645463325252ul + (unsigned long)(size_t)number;
  long sum = 0, later = 0;
  for (int i = 0; i < LOOKUPS; i++) {
    later = i % 2 ? -later : program_draw(&state, 30000) - 15000; /* all threads think as long on average */
    program_pause(THINK + later);
    sum += look_up(program_draw(&state, 10000));
  }
  return (void *)sum;
}

int main(int argc, char **argv)
{
  long n = program_size(argc, argv), sum = 0;
#ifdef TWIN
  for (int i = 0; i < BUCKETS; i++)
    pthread_mutex_init(&table.buckets[i].lock, NULL);
#endif
  pthread_t *threads = calloc((size_t)n, sizeof *threads);
  if (!threads)
    return 1;
  for (long i = 0; i < n; i++)
    pthread_create(&threads[i], NULL, client, (void *)i);
  for (long i = 0; i < n; i++) {
    void *result;
    pthread_join(threads[i], &result);
    sum += (long)result;
  }
  printf("%ld\n", sum);
  free(threads);
  return 0;
}
