/* SPDX-License-Identifier: GPL-3.0-or-later */
/* n producers put into a queue with room for eight, which two consumers empty: from nine producers on they wait for
 * room. TWIN 1: n consumers have little to do behind one producer. TWIN 2: the one producer waits for them at first,
 * until there are enough of them. */
#include "program.h"
#include <pthread.h>
#include <stdbool.h>

#ifndef TWIN
#define PRODUCERS(n) (n)
#define CONSUMERS(n) 2
enum { EACH = 20, MAKE = 18000, USE = 4000 };
#elif TWIN == 1
#define PRODUCERS(n) 1
#define CONSUMERS(n) (n)
enum { EACH = 40, MAKE = 5000, USE = 2000 };
#else
#define PRODUCERS(n) 1
#define CONSUMERS(n) (n)
enum { EACH = 60, MAKE = 2000, USE = 12000 };
#endif
enum { ROOM = 8 };

static struct {
  pthread_mutex_t lock;
  pthread_cond_t filled, emptied; /* culprit */
  int items[ROOM];
  int first, count;
  bool closed;
} queue = {.lock = PTHREAD_MUTEX_INITIALIZER, .filled = PTHREAD_COND_INITIALIZER, .emptied = PTHREAD_COND_INITIALIZER};

static void put(int item)
{
  pthread_mutex_lock(&queue.lock);
  while (queue.count == ROOM)
    pthread_cond_wait(&queue.emptied, &queue.lock); /* culprit */
  queue.items[(queue.first + queue.count++) % ROOM] = item;
  pthread_cond_signal(&queue.filled); /* culprit */
  pthread_mutex_unlock(&queue.lock);
}

static bool get(int *item)
{
  pthread_mutex_lock(&queue.lock);
  while (!queue.count && !queue.closed)
    pthread_cond_wait(&queue.filled, &queue.lock); /* culprit */
  bool any = queue.count > 0;
  if (any) {
    *item = queue.items[queue.first];
    queue.first = (queue.first + 1) % ROOM;
    queue.count--;
    pthread_cond_signal(&queue.emptied);
  }
  pthread_mutex_unlock(&queue.lock);
  return any;
}

static void *produce(void *unused)
{
  for (int i = 0; i < EACH; i++) {
    program_pause(MAKE);
    put(i);
  }
  return unused;
}

static void *consume(void *unused)
{
  for (int item; get(&item);)
    program_pause(USE); /* culprit */
  return unused;
}

int main(int argc, char **argv)
{
  long n = program_size(argc, argv), producers = PRODUCERS(n), consumers = CONSUMERS(n);
  pthread_t *threads = calloc((size_t)(producers + consumers), sizeof *threads);
  if (!threads)
    return 1;
  for (long i = 0; i < producers + consumers; i++)
    pthread_create(&threads[i], NULL, i < consumers ? consume : produce, NULL);
  for (long i = consumers; i < producers + consumers; i++)
    pthread_join(threads[i], NULL);
  pthread_mutex_lock(&queue.lock);
  queue.closed = true;
  pthread_cond_broadcast(&queue.filled);
  pthread_mutex_unlock(&queue.lock);
  for (long i = 0; i < consumers; i++)
    pthread_join(threads[i], NULL);
  free(threads);
  return 0;
}
