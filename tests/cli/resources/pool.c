/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pool N: two workers serve N clients, one job each; clients wait for the end of theirs. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER, served = PTHREAD_COND_INITIALIZER;
static long waiting, done, asked;

static void *worker(void *unused)
{
  for (;;) {
    pthread_mutex_lock(&lock);
    while (!waiting)
      pthread_cond_wait(&filled, &lock);
    waiting--;
    pthread_mutex_unlock(&lock);
    usleep(2000);
    pthread_mutex_lock(&lock);
    done++;
    pthread_cond_broadcast(&served);
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

static void *client(void *unused)
{
  pthread_mutex_lock(&lock);
  long mine = ++asked;
  waiting++;
  pthread_cond_signal(&filled);
  while (done < mine)
    pthread_cond_wait(&served, &lock);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 1;
  pthread_t workers[2], *clients = calloc((size_t)n, sizeof *clients);
  for (int i = 0; i < 2; i++)
    pthread_create(&workers[i], NULL, worker, NULL);
  for (int i = 0; i < n; i++)
    pthread_create(&clients[i], NULL, client, NULL);
  for (int i = 0; i < n; i++)
    pthread_join(clients[i], NULL);
  free(clients);
  puts("done");
  return 0;
}
