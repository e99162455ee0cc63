/* SPDX-License-Identifier: GPL-3.0-or-later */
/* meet N: N threads meet three times; all but the last one of each round wait for it. */
#include <pthread.h>
#include <stdlib.h>

enum { ROUNDS = 3, MOST = 64 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t met = PTHREAD_COND_INITIALIZER;
static int threads, here, rounds;

static void *come(void *nothing)
{
  for (int i = 0; i < ROUNDS; i++) {
    pthread_mutex_lock(&lock);
    int mine = rounds;
    if (++here == threads) {
      here = 0;
      rounds++;
      pthread_cond_broadcast(&met);
    }
    while (mine == rounds)
      pthread_cond_wait(&met, &lock);
    pthread_mutex_unlock(&lock);
  }
  return nothing;
}

int main(int argc, char **argv)
{
  pthread_t all[MOST];
  threads = argc > 1 ? atoi(argv[1]) : 1;
  for (int i = 0; i < threads && i < MOST; i++)
    pthread_create(&all[i], NULL, come, NULL);
  for (int i = 0; i < threads && i < MOST; i++)
    pthread_join(all[i], NULL);
  return 0;
}
