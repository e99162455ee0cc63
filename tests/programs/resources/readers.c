/* SPDX-License-Identifier: GPL-3.0-or-later */
/* n sessions read a table behind a lock of readers and writers that is made of a mutex, a condition and counters, and
 * keep it long; every tenth time they write, shortly. No units are taken there, however many readers are in. */
#include "program.h"
#include <pthread.h>

enum { REQUESTS = 20, THINK = 30000, READ = 4000, WRITE = 100 };

static struct table {
  pthread_mutex_t lock;
  pthread_cond_t released;
  int readers, writing;
  long rows;
} table = {.lock = PTHREAD_MUTEX_INITIALIZER, .released = PTHREAD_COND_INITIALIZER};

static void begin_reading(struct table *t)
{
  pthread_mutex_lock(&t->lock);
  while (t->writing)
    pthread_cond_wait(&t->released, &t->lock);
  t->readers++;
  pthread_mutex_unlock(&t->lock);
}

static void end_reading(struct table *t)
{
  pthread_mutex_lock(&t->lock);
  if (--t->readers == 0)
    pthread_cond_broadcast(&t->released);
  pthread_mutex_unlock(&t->lock);
}

static void begin_writing(struct table *t)
{
  pthread_mutex_lock(&t->lock);
  while (t->writing || t->readers)
    pthread_cond_wait(&t->released, &t->lock);
  t->writing = 1;
  pthread_mutex_unlock(&t->lock);
}

static void end_writing(struct table *t)
{
  pthread_mutex_lock(&t->lock);
  t->writing = 0;
  pthread_cond_broadcast(&t->released);
  pthread_mutex_unlock(&t->lock);
}

static void *be_session(void *nothing)
{
  long seen = 0;
  for (int i = 1; i <= REQUESTS; i++) {
    program_pause(THINK);
    if (i % 10) {
      begin_reading(&table);
      seen += table.rows;
      program_pause(READ);
      end_reading(&table);
    } else {
      begin_writing(&table);
      table.rows++;
      program_pause(WRITE);
      end_writing(&table);
    }
  }
  return seen < 0 ? nothing : NULL;
}

int main(int count, char **arguments)
{
  long n = program_size(count, arguments);
  pthread_t *threads = calloc(n, sizeof *threads);
  for (long i = 0; i < n; i++)
    pthread_create(&threads[i], NULL, be_session, NULL);
  for (long i = 0; i < n; i++)
    pthread_join(threads[i], NULL);
  free(threads);
  return 0;
}
