/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each of n threads needs two of six licences, which it takes one after the other. TWIN: 300 licences. */
#include "program.h"
#include <pthread.h>
#include <semaphore.h>

#ifdef TWIN
enum { LICENCES = 300 };
#else
enum { LICENCES = 6 };
#endif
enum { MOST = 1024, ROUNDS = 25, TAKES = 3000, BETWEEN = 12000 };

static sem_t licences;                                   /* culprit */
static pthread_mutex_t pair = PTHREAD_MUTEX_INITIALIZER; /* lest all have one, and wait for the second */

static void use(void)
{
  pthread_mutex_lock(&pair);
  sem_wait(&licences); /* culprit */
  sem_wait(&licences); /* culprit */
  pthread_mutex_unlock(&pair);
  program_pause(TAKES);
  sem_post(&licences);
  sem_post(&licences);
}

static void *work(void *number)
{
  unsigned long drawn = (unsigned long)(size_t)number + 1;
  for (int i = 0; i < ROUNDS; i++) {
    program_pause(BETWEEN / 2 + program_draw(&drawn, BETWEEN));
    use();
  }
  return NULL;
}

int main(int argc, char **argv)
{
  size_t n = (size_t)program_size(argc, argv);
  pthread_t threads[MOST];
  if (n > MOST)
    return 1;
  sem_init(&licences, 0, LICENCES);
  for (size_t i = 0; i < n; i++)
    pthread_create(&threads[i], NULL, work, (void *)i);
  for (size_t i = 0; i < n; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
