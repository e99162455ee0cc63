/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Benign: n clients wait for conditions, but no pool is too small. A logger writes what they say, all that is there at
 * once, and nobody waits for it; a timer looks after them every 10 ms; they meet at rounds, made of a counter and a
 * condition; and the main thread waits until all are through. */
#include "program.h"
#include <pthread.h>
#include <stdbool.h>

enum { ROUNDS = 10 };

static struct {
  pthread_mutex_t lock;
  pthread_cond_t said, tick, met, through;
  long lines, ticks, here, round, left, clients;
  bool closed;
} all = {.lock = PTHREAD_MUTEX_INITIALIZER,
         .said = PTHREAD_COND_INITIALIZER,
         .tick = PTHREAD_COND_INITIALIZER,
         .met = PTHREAD_COND_INITIALIZER,
         .through = PTHREAD_COND_INITIALIZER};

static void *logger(void *unused)
{
  pthread_mutex_lock(&all.lock);
  for (;;) {
    while (!all.lines && !all.closed)
      pthread_cond_wait(&all.said, &all.lock);
    if (!all.lines)
      break;
    all.lines = 0;
    pthread_mutex_unlock(&all.lock);
    program_pause(5000);
    pthread_mutex_lock(&all.lock);
  }
  pthread_mutex_unlock(&all.lock);
  return unused;
}

static void *timer(void *unused)
{
  pthread_mutex_lock(&all.lock);
  while (!all.closed) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 10000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&all.tick, &all.lock, &until);
    all.ticks++;
  }
  pthread_mutex_unlock(&all.lock);
  return unused;
}

static void meet(void)
{
  pthread_mutex_lock(&all.lock);
  long round = all.round;
  if (++all.here == all.clients) {
    all.here = 0;
    all.round++;
    pthread_cond_broadcast(&all.met);
  }
  while (all.round == round)
    pthread_cond_wait(&all.met, &all.lock);
  pthread_mutex_unlock(&all.lock);
}

static void say(void)
{
  pthread_mutex_lock(&all.lock);
  all.lines++;
  pthread_cond_signal(&all.said);
  pthread_mutex_unlock(&all.lock);
}

static void *client(void *number)
{
  for (int i = 0; i < ROUNDS; i++) {
    program_pause(25000 + 400 * ((long)number % 7));
    say();
    meet();
  }
  pthread_mutex_lock(&all.lock);
  if (!--all.left)
    pthread_cond_signal(&all.through);
  pthread_mutex_unlock(&all.lock);
  return NULL;
}

int main(int argc, char **argv)
{
  long n = program_size(argc, argv);
  pthread_t *threads = calloc((size_t)n + 2, sizeof *threads);
  if (!threads)
    return 1;
  all.left = all.clients = n;
  pthread_create(&threads[n], NULL, logger, NULL);
  pthread_create(&threads[n + 1], NULL, timer, NULL);
  for (long i = 0; i < n; i++)
    pthread_create(&threads[i], NULL, client, (void *)i);
  pthread_mutex_lock(&all.lock);
  while (all.left)
    pthread_cond_wait(&all.through, &all.lock);
  all.closed = true;
  pthread_cond_signal(&all.said);
  pthread_cond_signal(&all.tick);
  pthread_mutex_unlock(&all.lock);
  for (long i = 0; i < n + 2; i++)
    pthread_join(threads[i], NULL);
  free(threads);
  return 0;
}
