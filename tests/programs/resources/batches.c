/* SPDX-License-Identifier: GPL-3.0-or-later */
/* n clients hand three jobs at once to three workers, which they wake together. TWIN: 40 workers. */
#include "program.h"
#include <pthread.h>

#ifdef TWIN
enum { WORKERS = 40 };
#else
enum { WORKERS = 3 };
#endif
enum { MOST = 1024, BATCH = 3, ROUNDS = 12, TAKES = 4000, BETWEEN = 60000 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER; /* culprit */
static int jobs, over;

static int take(void)
{
  pthread_mutex_lock(&lock);
  while (!jobs && !over)
    pthread_cond_wait(&filled, &lock); /* culprit */
  int any = jobs > 0;
  jobs -= any;
  pthread_mutex_unlock(&lock);
  return any;
}

static void *work(void *unused)
{
  while (take())
    program_pause(TAKES); /* culprit */
  return unused;
}

static void hand_out(int more)
{
  pthread_mutex_lock(&lock);
  jobs += more;
  over = !more;
  pthread_cond_broadcast(&filled); /* culprit */
  pthread_mutex_unlock(&lock);
}

static void *client(void *number)
{
  unsigned long drawn = (unsigned long)(size_t)number + 1;
  for (int i = 0; i < ROUNDS; i++) {
    program_pause(BETWEEN / 2 + program_draw(&drawn, BETWEEN));
    hand_out(BATCH);
  }
  return NULL;
}

int main(int argc, char **argv)
{
  size_t n = (size_t)program_size(argc, argv);
  pthread_t workers[WORKERS], clients[MOST];
  if (n > MOST)
    return 1;
  for (int i = 0; i < WORKERS; i++)
    pthread_create(&workers[i], NULL, work, NULL);
  for (size_t i = 0; i < n; i++)
    pthread_create(&clients[i], NULL, client, (void *)i);
  for (size_t i = 0; i < n; i++)
    pthread_join(clients[i], NULL);
  hand_out(0);
  for (int i = 0; i < WORKERS; i++)
    pthread_join(workers[i], NULL);
  return 0;
}
