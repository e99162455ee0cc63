/* SPDX-License-Identifier: GPL-3.0-or-later */
/* herd N: N threads work in turn. Who is done wakes all that wait, or with -DTWIN the next one alone; before, it rests, so
 * that all wait. */
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

enum { MOST = 64, TURNS = 2 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t done = PTHREAD_COND_INITIALIZER, own[MOST];
static int turn, threads;

static void rest(long milliseconds)
{
  struct timespec left = {0, milliseconds * 1000000};
  while (nanosleep(&left, &left)) {
  }
}

static void enter(int me)
{
  pthread_mutex_lock(&lock);
#ifdef TWIN
  while (turn % threads != me)
    pthread_cond_wait(&own[me], &lock);
#else
  while (turn % threads != me)
    pthread_cond_wait(&done, &lock); /* waits */
#endif
  pthread_mutex_unlock(&lock);
}

static void leave(void)
{
  rest(turn ? 1 : 20); /* first they have to come */
  pthread_mutex_lock(&lock);
  turn++;
#ifdef TWIN
  pthread_cond_signal(&own[turn % threads]);
#else
  pthread_cond_broadcast(&done); /* wakes */
#endif
  pthread_mutex_unlock(&lock);
}

static void *work(void *number)
{
  for (int i = 0; i < TURNS; i++) {
    enter((int)(size_t)number);
    leave();
  }
  return NULL;
}

int main(int argc, char **argv)
{
  pthread_t all[MOST];
  threads = argc > 1 ? atoi(argv[1]) : 1;
  for (int i = 0; i < threads; i++)
    pthread_cond_init(&own[i], NULL);
  for (size_t i = 0; i < (size_t)threads; i++)
    pthread_create(&all[i], NULL, work, (void *)i);
  for (int i = 0; i < threads; i++)
    pthread_join(all[i], NULL);
  return 0;
}
