// SPDX-License-Identifier: GPL-3.0-or-later
// queue THREADS ITEMS: one queue under one mutex with two condition variables; half of THREADS fill it, the others
// empty it and do some work on every item (a checksum over 1 KiB: about a microsecond). Prints the sum of the
// checksums.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CAPACITY = 64, BYTES = 1024, MOST = 64 };

struct item {
  uint32_t number;
  unsigned char bytes[BYTES];
};

static struct {
  pthread_mutex_t mutex;
  pthread_cond_t not_empty, not_full;
  struct item *items[CAPACITY];
  unsigned first, count, producers;
} queue = {
    .mutex = PTHREAD_MUTEX_INITIALIZER, .not_empty = PTHREAD_COND_INITIALIZER, .not_full = PTHREAD_COND_INITIALIZER};
static uint32_t items_each;

static void put(struct item *item)
{
  pthread_mutex_lock(&queue.mutex);
  while (queue.count == CAPACITY)
    pthread_cond_wait(&queue.not_full, &queue.mutex);
  queue.items[(queue.first + queue.count++) % CAPACITY] = item;
  pthread_cond_signal(&queue.not_empty);
  pthread_mutex_unlock(&queue.mutex);
}

// NULL once the queue is empty and nobody fills it any more.
static struct item *take(void)
{
  struct item *item = NULL;
  pthread_mutex_lock(&queue.mutex);
  while (!queue.count && queue.producers)
    pthread_cond_wait(&queue.not_empty, &queue.mutex);
  if (queue.count) {
    item = queue.items[queue.first];
    queue.first = (queue.first + 1) % CAPACITY;
    queue.count--;
    pthread_cond_signal(&queue.not_full);
  }
  pthread_mutex_unlock(&queue.mutex);
  return item;
}

static uint32_t checksum(const unsigned char *bytes, size_t count, uint32_t sum)
{
  for (size_t i = 0; i < count; i++)
    sum = (sum ^ bytes[i]) * 16777619U;
  return sum;
}

static void *producer(void *first)
{
  for (uint32_t i = 0; i < items_each; i++) {
    struct item *item = malloc(sizeof(*item));
    if (!item)
      abort();
    item->number = (uint32_t)(uintptr_t)first + i;
    memset(item->bytes, (int)item->number & 255, sizeof(item->bytes));
    put(item);
  }
  pthread_mutex_lock(&queue.mutex);
  if (--queue.producers == 0)
    pthread_cond_broadcast(&queue.not_empty);
  pthread_mutex_unlock(&queue.mutex);
  return NULL;
}

static void *consumer(void *sum)
{
  for (struct item *item; (item = take());) {
    *(uint64_t *)sum += checksum(item->bytes, sizeof(item->bytes), item->number);
    free(item);
  }
  return NULL;
}

int main(int argc, char **argv)
{
  pthread_t threads[MOST];
  uint64_t sums[MOST] = {0}, sum = 0;
  int pairs = argc > 2 ? atoi(argv[1]) / 2 : 0;

  if (pairs < 1 || 2 * pairs > MOST)
    return 2;
  queue.producers = (unsigned)pairs;
  items_each = (uint32_t)(atoi(argv[2]) / pairs);
  for (int i = 0; i < pairs; i++)
    if (pthread_create(&threads[2 * i], NULL, producer, (void *)((uintptr_t)items_each * (unsigned)i)) ||
        pthread_create(&threads[2 * i + 1], NULL, consumer, &sums[i]))
      return 1;
  for (int i = 0; i < 2 * pairs; i++)
    pthread_join(threads[i], NULL);
  for (int i = 0; i < pairs; i++)
    sum += sums[i];
  printf("%llu\n", (unsigned long long)sum);
  return 0;
}
