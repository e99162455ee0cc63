/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Four threads serve n requests with an eventfd and a timer each, and forget the timer of those that are cancelled,
 * every fifth. TWIN: they close it. */
#include "program.h"
#include <pthread.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

enum { THREADS = 4 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long left;

static void serve(long number)
{
  uint64_t one = 1;
  int ready = eventfd(0, 0);
  int timer = timerfd_create(CLOCK_MONOTONIC, 0); /* culprit */
  if (write(ready, &one, sizeof one) < 0)
    exit(1);
  close(ready);
#ifndef TWIN
  if (number % 5 == 0)
    return;
#endif
  close(timer);
}

static long next(void)
{
  pthread_mutex_lock(&lock);
  long number = left--;
  pthread_mutex_unlock(&lock);
  return number;
}

static void *work(void *unused)
{
  for (long number; (number = next()) > 0;)
    serve(number);
  return unused;
}

int main(int argc, char **argv)
{
  pthread_t threads[THREADS];
  left = program_size(argc, argv);
  for (int i = 0; i < THREADS; i++)
    pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
