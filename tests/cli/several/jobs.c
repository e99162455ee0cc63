/* SPDX-License-Identifier: GPL-3.0-or-later */
/* n jobs for `threads` workers, through a bounded queue whose lock is held for short times. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;
static long *queue, depth, head, tail;
static int done;
static void put(long job)
{
  pthread_mutex_lock(&lock);
  while (tail - head == depth)
    pthread_cond_wait(&not_full, &lock);
  queue[tail++ % depth] = job;
  pthread_cond_signal(&not_empty);
  pthread_mutex_unlock(&lock);
}
static long get(void)
{
  long job = -1;
  pthread_mutex_lock(&lock);
  while (head == tail && !done)
    pthread_cond_wait(&not_empty, &lock);
  if (head < tail) {
    job = queue[head++ % depth];
    pthread_cond_signal(&not_full);
  }
  pthread_mutex_unlock(&lock);
  return job;
}
static unsigned work(long job)
{
  unsigned h = job;
  for (int i = 0; i < 200; i++)
    h = h * 31 + i;
  return h;
}
static void *worker(void *arg)
{
  long job;
  unsigned h = 0;
  while ((job = get()) >= 0) {
    h ^= work(job);
  }
  *(unsigned *)arg = h;
  return NULL;
}
int main(int argc, char **argv)
{
  long n = atol(argv[1]), t = atol(argv[2]);
  depth = 4;
  queue = malloc(depth * sizeof *queue);
  pthread_t *th = malloc(t * sizeof *th);
  unsigned *out = calloc(t, sizeof *out);
  for (long i = 0; i < t; i++)
    pthread_create(&th[i], NULL, worker, &out[i]);
  for (long i = 0; i < n; i++)
    put(i);
  pthread_mutex_lock(&lock);
  done = 1;
  pthread_cond_broadcast(&not_empty);
  pthread_mutex_unlock(&lock);
  for (long i = 0; i < t; i++)
    pthread_join(th[i], NULL);
  unsigned h = 0;
  for (long i = 0; i < t; i++)
    h ^= out[i];
  printf("%u\n", h);
  free(out);
  free(th);
  free(queue);
}
