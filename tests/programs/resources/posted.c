/* SPDX-License-Identifier: GPL-3.0-or-later */
/* n clients post a semaphore for each request, and wait for one of its own; three workers serve. TWIN: 40 workers. */
#include "program.h"
#include <pthread.h>
#include <semaphore.h>

#ifdef TWIN
enum { WORKERS = 40 };
#else
enum { WORKERS = 3 };
#endif
enum { REQUESTS = 12, THINK = 20000, SERVICE = 6000 };

struct job {
  struct job *next;
  sem_t done;
};
static sem_t items; /* culprit */
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct job *head, **tail = &head;
static struct job *take(void)
{
  sem_wait(&items); /* culprit */
  pthread_mutex_lock(&m);
  struct job *j = head;
  if (j) {
    head = j->next;
    if (!head)
      tail = &head;
  }
  pthread_mutex_unlock(&m);
  return j;
}
static void *serve(void *unused)
{
  struct job *j;
  while ((j = take())) {    /* culprit */
    program_pause(SERVICE); /* culprit */
    sem_post(&j->done);
  }
  return unused;
}
static void *client(void *unused)
{
  for (int i = 0; i < REQUESTS; i++) {
    struct job j = {0};
    sem_init(&j.done, 0, 0);
    program_pause(THINK);
    pthread_mutex_lock(&m);
    *tail = &j;
    tail = &j.next;
    pthread_mutex_unlock(&m);
    sem_post(&items); /* culprit */
    sem_wait(&j.done);
    sem_destroy(&j.done);
  }
  return unused;
}
int main(int c, char **v)
{
  long n = program_size(c, v);
  pthread_t *t = calloc(n + WORKERS, sizeof *t);
  sem_init(&items, 0, 0);
  for (long i = 0; i < n + WORKERS; i++)
    pthread_create(&t[i], NULL, i < WORKERS ? serve : client, NULL);
  for (long i = WORKERS; i < n + WORKERS; i++)
    pthread_join(t[i], NULL);
  for (int i = 0; i < WORKERS; i++)
    sem_post(&items);
  for (long i = 0; i < WORKERS; i++)
    pthread_join(t[i], NULL);
  free(t);
}
