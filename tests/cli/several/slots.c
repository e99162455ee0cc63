/* SPDX-License-Identifier: GPL-3.0-or-later */
/* n visits of `threads` threads to two slots, as many as the semaphore begins with. */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
static sem_t slots;
static long n;
static void *visit(void *unused)
{
  for (long i = 0; i < n; i++) {
    sem_wait(&slots);
    sem_post(&slots);
  }
  return unused;
}
int main(int argc, char **argv)
{
  long threads = atol(argv[2]);
  pthread_t *all = malloc(threads * sizeof *all);
  n = atol(argv[1]);
  sem_init(&slots, 0, 2);
  for (long i = 0; i < threads; i++)
    pthread_create(&all[i], NULL, visit, NULL);
  for (long i = 0; i < threads; i++)
    pthread_join(all[i], NULL);
  free(all);
  return 0;
}
