/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two threads that take two locks hand over hand, and wait for each other; argument: rounds. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t done = PTHREAD_COND_INITIALIZER;
static int rounds, ready;

static void *work(void *unused)
{
  for (int i = 0; i < rounds; i++) {
    pthread_mutex_lock(&first);
    pthread_mutex_lock(&second);
    usleep(2000);
    pthread_mutex_unlock(&first); /* before the one taken later */
    usleep(1000);
    pthread_mutex_unlock(&second);
  }
  pthread_mutex_lock(&first);
  ready++;
  pthread_cond_signal(&done);
  pthread_mutex_unlock(&first);
  return unused;
}

int main(int argc, char **argv)
{
  pthread_t threads[2];
  rounds = argc > 1 ? atoi(argv[1]) : 3;
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], NULL, work, NULL);
  pthread_mutex_lock(&first);
  while (ready < 2)
    pthread_cond_wait(&done, &first);
  pthread_mutex_unlock(&first);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
