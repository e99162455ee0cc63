/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `put` waits for a lock that `get` holds while it waits for another one, which `rebuild` holds for n microseconds.
 * They sleep rather than compute, so that they wait for each other on one processor too. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t order_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t index_lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int serving = 2;
static long size;

static void rebuild(void)
{
  pthread_mutex_lock(&index_lock);
  usleep(size);
  pthread_mutex_unlock(&index_lock);
}

static void *compact(void *unused)
{
  while (serving > 0) {
    rebuild();
    usleep(300);
  }
  return unused;
}

static void find(void)
{
  pthread_mutex_lock(&index_lock);
  usleep(10);
  pthread_mutex_unlock(&index_lock);
}

static void *get(void *unused)
{
  for (int i = 0; i < 40; i++) {
    pthread_mutex_lock(&order_lock);
    find();
    pthread_mutex_unlock(&order_lock);
    usleep(1000);
  }
  serving--;
  return unused;
}

static void *put(void *unused)
{
  for (int i = 0; i < 40; i++) {
    pthread_mutex_lock(&order_lock);
    pthread_mutex_unlock(&order_lock);
    usleep(1000);
  }
  serving--;
  return unused;
}

int main(int argc, char **argv)
{
  static void *(*const parts[])(void *) = {compact, get, put};
  pthread_t threads[3];
  if (argc < 2)
    return 2;
  size = atol(argv[1]);
  for (int i = 0; i < 3; i++)
    pthread_create(&threads[i], NULL, parts[i], NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
