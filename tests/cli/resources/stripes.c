/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads that hold one of sixteen locks for a millisecond, a hundred times each: mostly the same one, or each as
 * often. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STRIPES = 16, ROUNDS = 64, MICROSECONDS = 1000 };
static pthread_mutex_t stripes[STRIPES];
static int hot;

static void *work(void *data)
{
  long first = (long)data;
  for (long i = 0; i < ROUNDS; i++) {
    long stripe = hot && i % 4 ? 3 : (first + i / (hot ? 4 : 1)) % STRIPES;
    pthread_mutex_lock(&stripes[stripe]);
    usleep(MICROSECONDS);
    pthread_mutex_unlock(&stripes[stripe]);
    usleep(10 * MICROSECONDS);
  }
  return NULL;
}

int main(int count, char **arguments)
{
  long threads = count == 3 ? atol(arguments[2]) : 0;
  pthread_t *all = calloc((size_t)threads + 1, sizeof *all);
  hot = count == 3 && strcmp(arguments[1], "hot") == 0;
  for (int i = 0; i < STRIPES; i++)
    pthread_mutex_init(&stripes[i], NULL);
  for (long i = 0; all && i < threads; i++)
    pthread_create(&all[i], NULL, work, (void *)i);
  for (long i = 0; all && i < threads; i++)
    pthread_join(all[i], NULL);
  free(all);
  return 0;
}
