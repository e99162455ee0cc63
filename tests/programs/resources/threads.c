/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each of n jobs gets a thread, which nobody joins: what is left of it stays for ever. Twin: threads detach themselves.
 */
#include "program.h"
#include <pthread.h>
#include <semaphore.h>

static sem_t done;

static void *job(void *unused)
{
#ifdef TWIN
  pthread_detach(pthread_self());
#endif
  program_pause(100);
  sem_post(&done);
  return unused;
}

static void start(const pthread_attr_t *small)
{
  pthread_t thread;
  if (pthread_create(&thread, small, job, NULL)) /* culprit */
    exit(1);
}

int main(int argc, char **argv)
{
  long n = program_size(argc, argv);
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 65536);
  sem_init(&done, 0, 0);
  for (long i = 0; i < n; i++) {
    start(&small);
    sem_wait(&done);
  }
  pthread_attr_destroy(&small);
  sem_destroy(&done);
  printf("%ld\n", n);
  return 0;
}
