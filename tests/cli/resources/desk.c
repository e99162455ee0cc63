/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Clients leave jobs at a desk that four threads serve; 18 clients keep them busy. Main ends the threads by a signal,
 * too. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
struct job {
  struct job *next;
  int done;
};
static struct job *head, **tail = &head;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t work = PTHREAD_COND_INITIALIZER, finished = PTHREAD_COND_INITIALIZER;
static int stop;
static void *worker(void *arg)
{
  (void)arg;
  for (;;) {
    pthread_mutex_lock(&m);
    while (!head && !stop)
      pthread_cond_wait(&work, &m);
    if (!head) {
      pthread_mutex_unlock(&m);
      return NULL;
    }
    struct job *j = head;
    head = j->next;
    if (!head)
      tail = &head;
    pthread_mutex_unlock(&m);
    usleep(2000);
    pthread_mutex_lock(&m);
    j->done = 1;
    pthread_cond_broadcast(&finished);
    pthread_mutex_unlock(&m);
  }
}
static void *client(void *arg)
{
  (void)arg;
  for (int i = 0; i < 20; i++) {
    struct job j = {0};
    pthread_mutex_lock(&m);
    *tail = &j;
    tail = &j.next;
    pthread_cond_signal(&work);
    while (!j.done)
      pthread_cond_wait(&finished, &m);
    pthread_mutex_unlock(&m);
    usleep(8000);
  }
  return NULL;
}

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 4;
  pthread_t c[200], w[4];
  for (int i = 0; i < 4; i++)
    pthread_create(&w[i], NULL, worker, NULL);
  for (int i = 0; i < n; i++)
    pthread_create(&c[i], NULL, client, NULL);
  for (int i = 0; i < n; i++)
    pthread_join(c[i], NULL);
  pthread_mutex_lock(&m);
  stop = 1;
  pthread_cond_broadcast(&work);
  pthread_mutex_unlock(&m);
  for (int i = 0; i < 4; i++)
    pthread_join(w[i], NULL);
  return 0;
}
