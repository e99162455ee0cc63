/* SPDX-License-Identifier: GPL-3.0-or-later */
/* free_list N: N threads share more units than there are threads: nobody ever waits for one. */
#include <pthread.h>
#include <stdlib.h>

enum { UNITS = 64, TIMES = 20 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t given_back = PTHREAD_COND_INITIALIZER;
static struct unit {
  struct unit *next;
} units[UNITS], *unused;

static void *use(void *nothing)
{
  for (int i = 0; i < TIMES; i++) {
    pthread_mutex_lock(&lock);
    while (!unused)
      pthread_cond_wait(&given_back, &lock);
    struct unit *unit = unused;
    unused = unit->next;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    unit->next = unused;
    unused = unit;
    pthread_cond_signal(&given_back);
    pthread_mutex_unlock(&lock);
  }
  return nothing;
}

int main(int argc, char **argv)
{
  pthread_t threads[UNITS];
  int n = argc > 1 ? atoi(argv[1]) : 1;
  for (int i = 0; i < UNITS; i++) {
    units[i].next = unused;
    unused = &units[i];
  }
  for (int i = 0; i < n; i++)
    pthread_create(&threads[i], NULL, use, NULL);
  for (int i = 0; i < n; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
