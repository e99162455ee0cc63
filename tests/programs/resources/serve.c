/* SPDX-License-Identifier: GPL-3.0-or-later */
/* n clients of a pool of four workers, which a request waits for. TWIN 1: a worker for each client. TWIN 2: workers
 * enough for any number of clients that is asked for. */
#include "program.h"
#include <pthread.h>
#include <stdbool.h>

#ifndef TWIN
#define WORKERS(n) 4
#elif TWIN == 1
#define WORKERS(n) (n)
#else
#define WORKERS(n) 40
#endif
enum { REQUESTS = 12 };

struct request {
  struct request *next;
  bool done;
};

static struct {
  pthread_mutex_t lock;
  pthread_cond_t posted, served; /* culprit */
  struct request *first, **last;
  bool closed;
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER, .posted = PTHREAD_COND_INITIALIZER, .served = PTHREAD_COND_INITIALIZER};

static struct request *next_request(void)
{
  pthread_mutex_lock(&pool.lock);
  while (!pool.first && !pool.closed)
    pthread_cond_wait(&pool.posted, &pool.lock); /* culprit */
  struct request *r = pool.first;
  if (r) {
    pool.first = r->next;
    if (!pool.first)
      pool.last = &pool.first;
  }
  pthread_mutex_unlock(&pool.lock);
  return r;
}

static void *serve(void *unused)
{
  struct request *r;
  while ((r = next_request()) != NULL) {
    program_pause(6000); /* culprit */
    pthread_mutex_lock(&pool.lock);
    r->done = true;
    pthread_cond_broadcast(&pool.served);
    pthread_mutex_unlock(&pool.lock);
  }
  return unused;
}

static void ask(struct request *r)
{
  pthread_mutex_lock(&pool.lock);
  *pool.last = r;
  pool.last = &r->next;
  pthread_cond_signal(&pool.posted); /* culprit */
  while (!r->done)
    pthread_cond_wait(&pool.served, &pool.lock); /* culprit */
  pthread_mutex_unlock(&pool.lock);
}

static void *client(void *unused)
{
  for (int i = 0; i < REQUESTS; i++) {
    struct request r = {NULL, false};
    program_pause(20000);
    ask(&r);
  }
  return unused;
}

int main(int argc, char **argv)
{
  long n = program_size(argc, argv), workers = WORKERS(n);
  pthread_t *threads = calloc((size_t)(n + workers), sizeof *threads);
  pool.last = &pool.first;
  if (!threads)
    return 1;
  for (long i = 0; i < n + workers; i++)
    pthread_create(&threads[i], NULL, i < workers ? serve : client, NULL);
  for (long i = workers; i < n + workers; i++)
    pthread_join(threads[i], NULL);
  pthread_mutex_lock(&pool.lock);
  pool.closed = true;
  pthread_cond_broadcast(&pool.posted);
  pthread_mutex_unlock(&pool.lock);
  for (long i = 0; i < workers; i++)
    pthread_join(threads[i], NULL);
  free(threads);
  return 0;
}
