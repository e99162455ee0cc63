/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Benign: n workers share one queue with too little in it. The more there are, the longer they wait for work: idling.
 */
#include "program.h"
#include <pthread.h>
#include <stdbool.h>

enum { JOBS = 40 };

static struct queue {
  pthread_mutex_t lock;
  pthread_cond_t filled;
  long waiting, done;
  bool closed;
} queue = {.lock = PTHREAD_MUTEX_INITIALIZER, .filled = PTHREAD_COND_INITIALIZER};

static bool take(void)
{
  pthread_mutex_lock(&queue.lock);
  while (!queue.waiting && !queue.closed)
    pthread_cond_wait(&queue.filled, &queue.lock);
  bool taken = queue.waiting > 0;
  if (taken) {
    queue.waiting--;
    queue.done++;
  }
  pthread_mutex_unlock(&queue.lock);
  return taken;
}

static void *worker(void *unused)
{
  while (take())
    program_pause(1000);
  return unused;
}

static void submit(bool last)
{
  pthread_mutex_lock(&queue.lock);
  if (last)
    queue.closed = true;
  else
    queue.waiting++;
  pthread_cond_broadcast(&queue.filled);
  pthread_mutex_unlock(&queue.lock);
}

int main(int argc, char **argv)
{
  long n = program_size(argc, argv);
  pthread_t *threads = calloc((size_t)n, sizeof *threads);
  if (!threads)
    return 1;
  for (long i = 0; i < n; i++)
    pthread_create(&threads[i], NULL, worker, NULL);
  for (int job = 0; job < JOBS; job++) {
    program_pause(4000);
    submit(false);
  }
  submit(true);
  for (long i = 0; i < n; i++)
    pthread_join(threads[i], NULL);
  printf("%ld\n", queue.done);
  free(threads);
  return 0;
}
